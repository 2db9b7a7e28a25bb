//! The fields of the type `Page`.

use async_graphql::{Context, ID, Object, Result};
use kurso_base::error::Error;
use kurso_base::messages::Message;
use kurso_core::access::Right;

use super::{Page, PageKind};
use crate::context::viewer;
use crate::cost;
use crate::error::wrap;
use crate::lists::{List, list, window};
use crate::types::loaders::{
    BlocksOf, ChangeOf, DiscussionsOf, HistoryOf, NotesOf, OpenThreadsOf, PageDraftOf, RulesOf, TextOf, ThreadsOf,
};
use crate::types::{
    AnswerDraft, Attempt, BlockQuestions, Body, ChangeSinceRead, CommentThread, Course, DateTime, Discussion,
    DiscussionFilter, DiscussionRules, Document, Lesson, Note, PageDraft, PageVersion, PageVersionText, Quiz, Reason,
    RunningAttempt, ThreadState, Timeline, id_of, int,
};

/// A page of a lesson.
#[Object]
impl Page {
    /// Unique ID.
    async fn id(&self) -> ID {
        id_of(self.node().id)
    }
    /// Null for an untitled page: clients show 'Страница {number}'.
    async fn title(&self) -> Option<&str> {
        self.node().title.as_deref()
    }
    /// Number in the lesson, from 1, among the pages that the caller sees.
    async fn number(&self) -> i32 {
        int(self.view.number(self.index))
    }
    /// Kind of the page.
    async fn kind(&self) -> PageKind {
        self.node().kind.into()
    }
    /// Index in the lesson, from 0, without gaps, including unpublished pages.
    async fn position(&self) -> i32 {
        int(self.node().position)
    }
    /// Whether it is published. Learners never see an unpublished page.
    async fn published(&self) -> bool {
        self.node().published
    }
    /// Number of the version that learners read; each change of title, content or quiz raises it. Drafts have numbers of the same
    /// sequence.
    async fn version(&self, ctx: &Context<'_>) -> Result<i32> {
        Ok(int(self.stored(ctx).await?.version))
    }
    /// Own start; null without one. The dates of the parts above it also apply: see `timeline`.
    async fn available_from(&self) -> Option<DateTime> {
        self.node().own_dates().0.available_from.map(DateTime)
    }
    /// Own end; null without one.
    async fn available_until(&self) -> Option<DateTime> {
        self.node().own_dates().0.available_until.map(DateTime)
    }
    /// Own due date; null without one.
    async fn due_at(&self) -> Option<DateTime> {
        self.node().own_dates().0.due_at.map(DateTime)
    }
    /// End of late attempts; null without one, and on content pages.
    async fn late_until(&self) -> Option<DateTime> {
        self.node().own_dates().1.late_until.map(DateTime)
    }
    /// Percent of the score that an attempt loses for each begun day after the due date.
    async fn late_penalty_per_day(&self) -> Option<i32> {
        self.node().own_dates().1.late_penalty_per_day.map(int)
    }
    /// The most percent that an attempt loses; null means 100.
    async fn late_penalty_max(&self) -> Option<i32> {
        self.node().own_dates().1.late_penalty_max.map(int)
    }
    /// When it is open for the caller.
    async fn timeline(&self) -> Timeline {
        self.view.timeline().page(self.index).into()
    }
    /// Whether the caller has visited the page.
    async fn is_visited(&self) -> bool {
        self.view.marks.is_visited(self.index)
    }
    /// Whether the caller has done the page: visited a content page, or passed a quiz.
    async fn is_completed(&self) -> bool {
        self.view.marks.is_done(&self.view.tree, self.index)
    }
    /// Document to read; above the questions on a quiz page. One empty paragraph when it is empty.
    #[graphql(complexity = "cost::DOCUMENT")]
    async fn content(&self, ctx: &Context<'_>) -> Result<Document> {
        self.document(ctx).await
    }
    /// Content, by the kind of the page.
    async fn body(&self) -> Body {
        Body::of(self.clone())
    }
    /// Why the page is not done; null when it is done, and for an unpublished page.
    async fn reason(&self) -> Option<Reason> {
        self.view.reason(self.index).map(Reason::from)
    }
    /// The quiz as learners see it, for staff too; null on a content page.
    async fn quiz(&self, ctx: &Context<'_>) -> Result<Option<Quiz>> {
        self.learners_quiz(ctx).await
    }
    /// The quiz in the author's form with its answer key, see docs/quizzes.md. Null for learners, and on content
    /// pages.
    #[graphql(complexity = "cost::DOCUMENT")]
    async fn author_quiz(&self, ctx: &Context<'_>) -> Result<Option<Document>> {
        self.authors_quiz(ctx).await
    }
    /// The caller's attempts at the quiz in order, the last 100 of them. None while the page is locked.
    #[graphql(complexity = "cost::list(cost::ATTEMPTS, child_complexity)")]
    async fn attempts(&self, ctx: &Context<'_>) -> Result<Vec<Attempt>> {
        self.own_attempts(ctx).await
    }
    /// The caller's running attempt at the quiz; null if there is none.
    async fn running_attempt(&self, ctx: &Context<'_>) -> Result<Option<RunningAttempt>> {
        self.own_running_attempt(ctx).await
    }
    /// Number of attempts left for the caller; null when there is no limit, and on a content page.
    async fn attempts_left(&self) -> Option<i32> {
        self.own_attempts_left()
    }
    /// Percentage of the caller's best attempt; null when there is none.
    async fn best_percent(&self) -> Option<i32> {
        self.own_best_percent()
    }
    /// What the caller has written for the assignment and not handed in; null without a draft, and on other pages.
    async fn draft(&self, ctx: &Context<'_>) -> Result<Option<AnswerDraft>> {
        self.own_draft(ctx).await
    }
    /// Changes that learners do not see yet. Null without any. For the owner, editors and reviewers; null for others.
    async fn page_draft(&self, ctx: &Context<'_>) -> Result<Option<PageDraft>> {
        if !self.shows_draft() {
            return Ok(None);
        }
        let found = self.view.loaders.load(ctx, PageDraftOf(self.node().id)).await?;
        Ok(found.map(PageDraft))
    }
    /// Author comments on the page, oldest first: all open threads and at most the 500 newest resolved ones. For the owner, editors, teachers and
    /// reviewers; empty for others.
    #[graphql(complexity = "cost::list(cost::THREADS, child_complexity)")]
    async fn comment_threads(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Only threads of this state.")] state: Option<ThreadState>,
    ) -> Result<Vec<CommentThread>> {
        let role = self.view.course.role;
        if !role.may(Right::Comment) {
            return Ok(vec![]);
        }
        let drafts = role.may(Right::ReadDrafts);
        let key = ThreadsOf(self.node().id, viewer(ctx)?.id(), drafts, state.map(Into::into));
        let threads = self.view.loaders.load(ctx, key).await?;
        let threads = threads.iter().flat_map(|threads| threads.iter());
        cost::spend(ctx, threads.clone().count())?;
        Ok(threads
            .filter_map(|thread| CommentThread::of(thread.clone(), &self.view))
            .collect())
    }
    /// Number of open threads of author comments; 0 for callers who do not see them.
    async fn open_thread_count(&self, ctx: &Context<'_>) -> Result<i32> {
        if !self.view.course.role.may(Right::Comment) {
            return Ok(0);
        }
        let count = self.view.loaders.load(ctx, OpenThreadsOf(self.node().id)).await?;
        Ok(int(count.unwrap_or(0)))
    }
    /// Questions under the page, with their answers: pinned ones first, then those with the newest answers. For the owner, editors and teachers, and
    /// for learners while the page is open for them; empty for others, and in a preview.
    #[graphql(complexity = "cost::connection(first, child_complexity)")]
    async fn discussions(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Which ones.", default_with = "DiscussionFilter::All")] filter: DiscussionFilter,
        #[graphql(desc = "Rows, at most 100.", default = 20)] first: Option<i32>,
        #[graphql(desc = "Cursor of the last row already read.")] after: Option<String>,
    ) -> Result<List<Discussion>> {
        let page = window(ctx, first, after)?;
        let Some(reader) = self.reader(ctx)? else {
            return Ok(list(page, 0, vec![]));
        };
        let key = DiscussionsOf(self.node().id, (reader, filter.into(), (page.skip, page.limit)));
        let Some(found) = self.view.loaders.load(ctx, key).await? else {
            return Ok(list(page, 0, vec![]));
        };
        let rows = found.data.iter().cloned();
        let rows = rows.filter_map(|discussion| Discussion::of(discussion, &self.view));
        Ok(list(page, found.count, rows.collect()))
    }
    /// Open questions that the caller may read, counted by block, those about the whole page first. Empty where `discussions` is.
    #[graphql(complexity = "cost::list(cost::ASKED_BLOCKS, child_complexity)")]
    async fn block_questions(&self, ctx: &Context<'_>) -> Result<Vec<BlockQuestions>> {
        let Some(reader) = self.reader(ctx)? else {
            return Ok(vec![]);
        };
        let found = self.view.loaders.load(ctx, BlocksOf(self.node().id, reader)).await?;
        let found = found.unwrap_or_default();
        cost::spend(ctx, found.len())?;
        Ok(found.iter().map(BlockQuestions::from).collect())
    }
    /// What holds for questions under the page; null where `discussions` is empty for the caller's role or the locked page.
    async fn discussion_rules(&self, ctx: &Context<'_>) -> Result<Option<DiscussionRules>> {
        if self.reader(ctx)?.is_none() {
            return Ok(None);
        }
        let rules = self.view.loaders.load(ctx, RulesOf(self.node().id)).await?;
        Ok(rules.map(DiscussionRules::from))
    }
    /// Notes of the caller on the page, in reading order. Nobody else reads them. Empty while the page is locked for the caller, and in a preview.
    #[graphql(complexity = "cost::list(cost::NOTES, child_complexity)")]
    async fn notes(&self, ctx: &Context<'_>) -> Result<Vec<Note>> {
        if !self.is_open() {
            return Ok(vec![]);
        }
        let key = NotesOf(self.node().id, viewer(ctx)?.id(), self.view.shows_drafts);
        let found = self.view.loaders.load(ctx, key).await?;
        let notes = found.iter().flat_map(|notes| notes.iter());
        cost::spend(ctx, notes.clone().count())?;
        Ok(notes.map(|note| Note::of(note.clone(), Some(self.clone()))).collect())
    }
    /// Whether the caller has a bookmark at the page; false in a preview.
    async fn is_bookmarked(&self, ctx: &Context<'_>) -> Result<bool> {
        Ok(self.kept(ctx).await?.is_some_and(|kept| kept.is_bookmarked))
    }
    /// The items of task lists that the caller has ticked, by their indexes among all items of the page. Nobody else reads them. Empty where `notes` is.
    #[graphql(complexity = "cost::list(cost::TICKS, child_complexity)")]
    async fn ticked_tasks(&self, ctx: &Context<'_>) -> Result<Vec<i32>> {
        if !self.is_open() {
            return Ok(vec![]);
        }
        let kept = self.kept(ctx).await?;
        let ticked = kept.map(|kept| kept.ticked.iter().map(|task| int(*task)).collect());
        let ticked: Vec<i32> = ticked.unwrap_or_default();
        cost::spend(ctx, ticked.len())?;
        Ok(ticked)
    }
    /// The version of the page's text in which `tickedTasks` are the indexes; null without ticks.
    async fn ticked_version(&self, ctx: &Context<'_>) -> Result<Option<i32>> {
        if !self.is_open() {
            return Ok(None);
        }
        Ok(self.kept(ctx).await?.and_then(|kept| kept.ticked_version).map(int))
    }
    /// What has changed since the caller read the page. Null if title and content have not, while it is locked, in a preview, and without
    /// an enrollment.
    async fn change_since_read(&self, ctx: &Context<'_>) -> Result<Option<ChangeSinceRead>> {
        let Some(read) = self.view.reading(self.index) else {
            return Ok(None);
        };
        let change = self.view.loaders.load(ctx, ChangeOf(read)).await?;
        Ok(change.map(|change| ChangeSinceRead {
            view: self.view.clone(),
            change,
        }))
    }
    /// The history of the page and its drafts, newest first: the last 50 entries, and the older ones that hold the published text, one of the
    /// ten published last, or that from which the draft began. Teachers and superusers see no texts of a published page that were never published. Null for
    /// learners.
    #[graphql(complexity = "cost::list(cost::VERSIONS, child_complexity)")]
    async fn versions(&self, ctx: &Context<'_>) -> Result<Option<Vec<PageVersion>>> {
        if !self.is_shown_whole() {
            return Ok(None);
        }
        let history = self.view.loaders.load(ctx, HistoryOf(self.node().id)).await?;
        let role = self.view.course.role;
        let history = history.iter().flat_map(|history| history.iter());
        let history: Vec<_> = history.filter(|version| version.is_visible_to(role)).cloned().collect();
        cost::spend(ctx, history.len())?;
        Ok(Some(history.into_iter().map(PageVersion).collect()))
    }
    /// The content of one version; NOT_FOUND when it is not stored. Null for learners.
    async fn version_text(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Number of one of `versions`.")] version: i32,
    ) -> Result<Option<PageVersionText>> {
        if !self.is_shown_whole() {
            return Ok(None);
        }
        let key = TextOf(self.node().id, version.into());
        let text = self.view.loaders.load(ctx, key).await?;
        let text = text.filter(|text| text.is_visible_to(self.view.course.role));
        let text = text.ok_or_else(|| wrap(ctx)(Error::NotFound(Message::VersionNotFound)))?;
        Ok(Some(PageVersionText { version, text }))
    }
    /// When its title, content or quiz last changed.
    async fn updated_at(&self, ctx: &Context<'_>) -> Result<DateTime> {
        Ok(DateTime(self.stored(ctx).await?.updated_at))
    }
    /// The lesson it belongs to.
    async fn lesson(&self) -> Lesson {
        self.in_lesson()
    }
    /// The course it belongs to.
    async fn course(&self) -> Course {
        Course::from_view(&self.view)
    }
    /// Previous page in reading order, across lessons and modules.
    async fn previous_page(&self) -> Option<Page> {
        self.view.previous(self.index).map(|index| Page::at(&self.view, index))
    }
    /// Next page in reading order, across lessons and modules.
    async fn next_page(&self) -> Option<Page> {
        self.view.next(self.index).map(|index| Page::at(&self.view, index))
    }
}
