use async_graphql::{Context, Enum, ID, Object, Result, SimpleObject};
use kurso_base::ids::PostId;
use kurso_base::pagination::Page;
use kurso_core::discussions::{self, AnswersFrom, AnswersWindow, Reader};

use super::grading::PersonName;
use super::loaders::AnswersOf;
use super::{DateTime, Document, View, id_of, int};
use crate::context::{self, viewer};
use crate::cost;
use crate::lists::{List, list, window_at};

/// Who reads a question under a page, besides the user who asked.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "discussions::Audience")]
pub enum DiscussionAudience {
    /// All learners of the course, and the staff.
    Course,
    /// The learners of a group, and the staff.
    Group,
    /// The owner and teachers.
    Teachers,
}

/// Which questions are listed.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "discussions::DiscussionFilter")]
pub enum DiscussionFilter {
    /// All.
    All,
    /// Those that nobody has resolved.
    Open,
    /// Those that were resolved.
    Resolved,
    /// Open ones whose learner waits for an answer, the longest waiting first.
    Unanswered,
    /// Those with reports that nobody has settled; for the owner and teachers.
    Reported,
    /// Those to the teachers alone.
    Private,
    /// Those that the caller has asked or answered.
    Mine,
}

/// A discussion, with the view in which its page is.
pub struct Discussion {
    discussion: discussions::Discussion,
    /// Index of its page in the tree of the view.
    index: usize,
    view: View,
}

impl Discussion {
    /// None for a discussion of a page that the view does not have.
    pub fn of(discussion: discussions::Discussion, view: &View) -> Option<Self> {
        Some(Discussion {
            index: view.tree.place(discussion.page_id)?,
            discussion,
            view: view.clone(),
        })
    }
}

/// A question under a page. Its answers are a list of their own.
#[Object]
impl Discussion {
    /// Unique ID.
    async fn id(&self) -> ID {
        id_of(self.discussion.id)
    }
    /// Its page.
    async fn page(&self) -> super::Page {
        super::Page::at(&self.view, self.index)
    }
    /// Who reads it.
    async fn audience(&self) -> DiscussionAudience {
        self.discussion.audience.into()
    }
    /// ID of the group that reads it; null for other audiences, and if the group was deleted.
    async fn group_id(&self) -> Option<ID> {
        self.discussion.group_id.map(id_of)
    }
    /// When it was asked.
    async fn created_at(&self) -> DateTime {
        DateTime(self.discussion.created_at)
    }
    /// Time of the newest question or answer.
    async fn active_at(&self) -> DateTime {
        DateTime(self.discussion.active_at)
    }
    /// Number of answers without hidden ones.
    async fn reply_count(&self) -> i32 {
        int(self.discussion.reply_count)
    }
    /// The time since which the asking learner waits for an answer; null if the learner does not wait.
    async fn waiting_since(&self) -> Option<DateTime> {
        self.discussion.waiting_since.map(DateTime)
    }
    /// When it was resolved; null while it is open.
    async fn resolved_at(&self) -> Option<DateTime> {
        self.discussion.resolved_at.map(DateTime)
    }
    /// Whether it is listed first.
    async fn is_pinned(&self) -> bool {
        self.discussion.is_pinned
    }
    /// Whether learners write no more in it.
    async fn is_locked(&self) -> bool {
        self.discussion.is_locked
    }
    /// When it was moved here from another page; null if it never was.
    async fn moved_at(&self) -> Option<DateTime> {
        self.discussion.moved_at.map(DateTime)
    }
    /// The block that it is about; null if it is about the whole page.
    async fn anchor(&self) -> Option<DiscussionAnchor> {
        self.discussion.anchor.as_ref().map(|anchor| DiscussionAnchor {
            block: anchor.block.map(int),
            quote: anchor.quote.clone(),
        })
    }
    /// The question itself.
    async fn question(&self) -> DiscussionPost {
        DiscussionPost(self.discussion.question.clone())
    }
    /// The answers that the caller may read, oldest first.
    #[graphql(complexity = "cost::connection(first, child_complexity)")]
    async fn answers(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Rows, at most 100.", default = 50)] first: Option<i32>,
        #[graphql(desc = "Cursor of the last row already read.")] after: Option<String>,
        #[graphql(desc = "Without `after`: rows to skip.", default = 0)] skip: Option<i32>,
        #[graphql(
            desc = "ID of an answer, in place of `after` and `skip`: of windows of `first` rows, the one with this answer; the first one if the caller does \
                    not see it."
        )]
        at: Option<ID>,
    ) -> Result<List<DiscussionPost>> {
        let page = window_at(ctx, first, after, skip)?;
        let at: Option<PostId> = at.map(|at| context::id(ctx, "at", &at)).transpose()?;
        let Some(reader) = Reader::of(&self.view.course, viewer(ctx)?.id()) else {
            return Ok(list(page, 0, vec![]));
        };
        let window = AnswersWindow {
            limit: page.limit,
            from: at.map_or(AnswersFrom::Skip(page.skip), AnswersFrom::With),
        };
        let key = AnswersOf(self.discussion.id, (reader, window));
        let Some(found) = self.view.loaders.load(ctx, key).await? else {
            return Ok(list(page, 0, vec![]));
        };
        let skip = found.data.first().map_or(page.skip, |first| first.number - 1);
        let answers = found.data.iter().cloned().map(DiscussionPost).collect();
        Ok(list(Page { skip, ..page }, found.count, answers))
    }
    /// ID of the answer that solved it; null if none is accepted.
    async fn accepted_post_id(&self) -> Option<ID> {
        self.discussion.accepted_post_id.map(id_of)
    }
    /// Whether somebody else has written something that the caller has not read.
    async fn is_unread(&self) -> bool {
        self.discussion.is_unread
    }
    /// Whether the caller gets notices of new answers.
    async fn follows(&self) -> bool {
        self.discussion.follows
    }
    /// Whether the caller has asked or answered.
    async fn has_written(&self) -> bool {
        self.discussion.has_written
    }
    /// Whether the caller sees something that is not by the asker: then it keeps its place when the question is deleted.
    async fn has_other_writers(&self) -> bool {
        self.discussion.has_other_writers
    }
    /// Whether the owner, an editor or a teacher has answered.
    async fn has_staff_answer(&self) -> bool {
        self.discussion.has_staff_answer
    }
    /// Number of reports that nobody has settled; 0 but for the owner and teachers.
    async fn report_count(&self) -> i32 {
        int(self.discussion.report_count)
    }
}

/// The block of a page that a question is about.
#[derive(SimpleObject)]
pub struct DiscussionAnchor {
    /// Index among the top-level blocks of the text that learners read. Null if the block is gone.
    block: Option<i32>,
    /// The selected words, or the beginning of the block; at most 300 characters.
    quote: String,
}

#[derive(Clone)]
pub struct DiscussionPost(pub discussions::Post);

/// A question or an answer.
#[Object]
impl DiscussionPost {
    /// Unique ID.
    async fn id(&self) -> ID {
        id_of(self.0.id)
    }
    /// Its place among the answers that the caller may read, from 1; 0 for the question.
    async fn number(&self) -> i32 {
        int(self.0.number)
    }
    /// Null if it is anonymous for the caller, and if the account was deleted.
    async fn author(&self) -> Option<PersonName> {
        self.0.author.as_ref().map(PersonName::from)
    }
    /// Whether the caller has written it.
    async fn is_mine(&self) -> bool {
        self.0.is_mine
    }
    /// Whether fellow learners and editors are not told who wrote it.
    async fn is_anonymous(&self) -> bool {
        self.0.is_anonymous
    }
    /// Whether the asker wrote it.
    async fn by_asker(&self) -> bool {
        self.0.by_asker
    }
    /// Whether the owner, an editor or a teacher has written it.
    async fn by_staff(&self) -> bool {
        self.0.by_staff
    }
    /// The text; null if it was deleted.
    #[graphql(complexity = "cost::DOCUMENT")]
    async fn body(&self) -> Option<Document> {
        self.0.body.clone().map(Document::Sent)
    }
    /// When it was written.
    async fn created_at(&self) -> DateTime {
        DateTime(self.0.created_at)
    }
    /// When its text was last changed; null if it never was.
    async fn edited_at(&self) -> Option<DateTime> {
        self.0.edited_at.map(DateTime)
    }
    /// Whether it is the answer that solved the question.
    async fn is_accepted(&self) -> bool {
        self.0.is_accepted
    }
    /// How many users find it useful.
    async fn useful_count(&self) -> i32 {
        int(self.0.useful_count)
    }
    /// Whether the caller does.
    async fn is_useful(&self) -> bool {
        self.0.is_useful
    }
    /// When it was hidden; null unless it is. Only its author and the staff see hidden ones.
    async fn hidden_at(&self) -> Option<DateTime> {
        self.0.hidden.as_ref().map(|hidden| DateTime(hidden.at))
    }
    /// Why it is hidden; null unless it is.
    async fn hidden_reason(&self) -> Option<&str> {
        self.0.hidden.as_ref().map(|hidden| hidden.reason.as_str())
    }
    /// Who has hidden it; null unless it is hidden, for learners, and if the account was deleted.
    async fn hidden_by(&self) -> Option<PersonName> {
        self.0.hidden.as_ref()?.by.as_ref().map(PersonName::from)
    }
    /// The reports that nobody has settled; empty but for the owner and teachers.
    #[graphql(complexity = "cost::list(cost::REPORTS, child_complexity)")]
    async fn reports(&self, ctx: &Context<'_>) -> Result<Vec<PostReport>> {
        cost::spend(ctx, self.0.reports.len())?;
        Ok(self.0.reports.iter().map(PostReport::from).collect())
    }
}

/// A report of a question or an answer.
#[derive(SimpleObject)]
pub struct PostReport {
    /// Who reported it.
    by: PersonName,
    /// Why.
    reason: String,
    /// When.
    at: DateTime,
}

impl From<&discussions::Report> for PostReport {
    fn from(report: &discussions::Report) -> Self {
        PostReport {
            by: PersonName::from(&report.by),
            reason: report.reason.clone(),
            at: DateTime(report.at),
        }
    }
}

/// Open questions at one block of a page.
#[derive(SimpleObject)]
pub struct BlockQuestions {
    /// Index among the top-level blocks of the text that learners read. Null for questions about the whole page, or about a block that is gone.
    block: Option<i32>,
    /// How many the caller may read.
    open_count: i32,
}

impl From<&discussions::BlockQuestions> for BlockQuestions {
    fn from(block: &discussions::BlockQuestions) -> Self {
        BlockQuestions {
            block: block.block.map(int),
            open_count: int(block.open_count),
        }
    }
}

/// What holds for questions under a page.
#[derive(SimpleObject)]
pub struct DiscussionRules {
    /// Whether questions are on in the course and under the page.
    is_on: bool,
    /// Whether they are on under the page, whatever the course says.
    is_on_page: bool,
    /// Whether learners may write anonymously.
    allows_anonymous: bool,
    /// Whether new questions of learners are for their group and the staff.
    is_per_group: bool,
}

impl From<discussions::Rules> for DiscussionRules {
    fn from(rules: discussions::Rules) -> Self {
        DiscussionRules {
            is_on: rules.is_on,
            is_on_page: rules.is_on_page,
            allows_anonymous: rules.allows_anonymous,
            is_per_group: rules.is_per_group,
        }
    }
}

/// Settings of questions under the pages of a course.
#[derive(SimpleObject)]
pub struct DiscussionSettings {
    /// Whether learners read and write questions.
    is_on: bool,
    /// Whether learners may write without their names for fellow learners and editors.
    allows_anonymous: bool,
    /// Whether new questions of learners are for their group and the staff.
    is_per_group: bool,
    /// Words and phrases that learners may not write.
    words: Vec<String>,
}

impl From<discussions::DiscussionSettings> for DiscussionSettings {
    fn from(settings: discussions::DiscussionSettings) -> Self {
        DiscussionSettings {
            is_on: settings.is_on,
            allows_anonymous: settings.allows_anonymous,
            is_per_group: settings.is_per_group,
            words: settings.words,
        }
    }
}
