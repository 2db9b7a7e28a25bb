//! The shapes of questions under pages.

use chrono::{DateTime, Utc};
use kurso_base::ids::{PageId, PostId};
use kurso_base::values::{BlockIndex, CommentQuote, Few, ForbiddenWord, ModerationReason, PageVersion};
use kurso_base::wire;
use kurso_core::discussions::{
    self as core, ChangeDiscussion, Moderate, Moderation, NoteDiscussion, PostEdit, PostMark, PostReport, Reply,
    SetDiscussions, SetPageDiscussions, StartDiscussion,
};
use kurso_formats::content::PostBody;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;
use utoipa::openapi::schema::Type;
use utoipa::openapi::{RefOr, Schema};
use uuid::Uuid;

use crate::fields::{Field, Flag, Given, body, of_type};
use crate::grading::shapes::PersonName;
use crate::response::lists;

impl Field for PostBody {
    fn schema() -> RefOr<Schema> {
        of_type(Type::Object).into()
    }
}

impl Field for Moderation {
    fn schema() -> RefOr<Schema> {
        of_type(Type::String)
            .enum_values(Some(["hide", "show", "dismiss"]))
            .into()
    }
}

body! {
    /// A question.
    DiscussionStart -> StartDiscussion {
        /// A document of paragraphs, lists, quotes, code, formulas and at most 5 pictures, which the caller has uploaded with `upload_file`; at
        /// most 10,000 characters of text. Of learners, at most 5 links, and no word that the course forbids.
        body: PostBody,
        /// The version of the page's text in which `block` is an index. Required with `block`.
        version: Option<PageVersion>,
        /// Index of a top-level block; without it, the question is about the whole page.
        block: Option<BlockIndex>,
        /// The selected words; by default the beginning of the block.
        quote: Option<CommentQuote>,
        /// True: only the owner and teachers read it.
        to_teachers: Flag<false>,
        /// True: fellow learners and editors are not told who asks. The course must allow it.
        is_anonymous: Flag<false>,
    }

    /// An answer.
    DiscussionReply -> Reply {
        /// As in `start_discussion`.
        body: PostBody,
        /// As in `start_discussion`. Who asked anonymously stays anonymous in the discussion.
        is_anonymous: Flag<false>,
    }

    /// The new text of a question or an answer.
    PostChange -> PostEdit {
        /// As in `start_discussion`.
        body: PostBody,
    }

    /// What becomes of a discussion. Fields that are left out stay as they are.
    DiscussionChange -> ChangeDiscussion {
        /// Reopening takes back the accepted answer. The asker and the staff.
        is_resolved: Given<bool>,
        /// The answer that solved it, which also resolves it. The asker and the staff.
        accepted_post_id: Given<PostId>,
        /// Owner and teachers.
        is_pinned: Given<bool>,
        /// Learners write no more in a locked one. Owner and teachers.
        is_locked: Given<bool>,
        /// Another page of the course; the discussion is then about the whole of it. Owner and teachers.
        page_id: Given<PageId>,
    }

    /// What the caller notes of a discussion. Fields that are left out stay as they are.
    DiscussionNote -> NoteDiscussion {
        /// The newest question or answer that was shown.
        read_post_id: Given<PostId>,
        /// Whether the caller gets notices of new answers; by default those do who have written in it.
        follows: Given<bool>,
    }

    PostUseful -> PostMark {
        /// Whether the caller finds it useful.
        is_useful: bool,
    }

    PostComplaint -> PostReport {
        /// Why the staff should look at it.
        reason: ModerationReason,
    }

    PostModeration -> Moderate {
        /// `hide` it from everybody but its author and the staff, `show` it again, or `dismiss` the reports. Each settles the reports.
        action: Moderation,
        /// Why it is hidden, for its author and the staff. Required with `hide`.
        reason: Option<ModerationReason>,
    }

    /// Settings of questions under the pages of a course. Fields that are left out stay as they are.
    DiscussionSettingsUpdate -> SetDiscussions {
        /// Whether learners read and write questions.
        is_on: Given<bool>,
        /// Whether learners may write without their names for fellow learners and editors.
        allows_anonymous: Given<bool>,
        /// Whether new questions of learners are for their group and the staff. Those of learners without a group are then for the staff only.
        is_per_group: Given<bool>,
        /// Words and phrases that learners may not write.
        words: Given<Few<ForbiddenWord>>,
    }

    PageDiscussionsUpdate -> SetPageDiscussions {
        /// Whether the page has questions.
        is_on: bool,
    }
}

/// A question, as the caller sees it. `discussion_answers` has the answers.
#[derive(Serialize, ToSchema)]
pub struct Discussion {
    pub id: Uuid,
    pub page_id: Uuid,
    /// `course`: all learners and the staff; `group`: the learners of a group and the staff; `teachers`: the asker, the owner and teachers.
    #[schema(pattern = "^(course|group|teachers)$")]
    pub audience: &'static str,
    /// The group that reads it; null for other audiences, and if the group was deleted.
    #[schema(required)]
    pub group_id: Option<Uuid>,
    #[serde(serialize_with = "wire::time")]
    pub created_at: DateTime<Utc>,
    /// Time of the newest question or answer.
    #[serde(serialize_with = "wire::time")]
    pub active_at: DateTime<Utc>,
    /// Answers without hidden ones.
    pub reply_count: i64,
    /// The time since which the asking learner waits for an answer; null if the learner does not wait.
    #[schema(required)]
    #[serde(serialize_with = "wire::optional_time")]
    pub waiting_since: Option<DateTime<Utc>>,
    /// Null while it is open.
    #[schema(required)]
    #[serde(serialize_with = "wire::optional_time")]
    pub resolved_at: Option<DateTime<Utc>>,
    pub is_pinned: bool,
    pub is_locked: bool,
    /// When it was moved here from another page; null if it never was.
    #[schema(required)]
    #[serde(serialize_with = "wire::optional_time")]
    pub moved_at: Option<DateTime<Utc>>,
    /// Null if it is about the whole page.
    #[schema(required)]
    pub anchor: Option<DiscussionAnchor>,
    pub question: DiscussionPost,
    /// The answer that solved it; null if none is accepted.
    #[schema(required)]
    pub accepted_post_id: Option<Uuid>,
    /// Whether somebody else has written something that the caller has not read.
    pub is_unread: bool,
    /// Whether the caller gets notices of new answers.
    pub follows: bool,
    /// Whether the caller has asked or answered.
    pub has_written: bool,
    /// Whether the caller sees something that is not by the asker: then it keeps its place when the question is deleted.
    pub has_other_writers: bool,
    /// Whether the owner, an editor or a teacher has answered.
    pub has_staff_answer: bool,
    /// Reports that nobody has settled; 0 but for the owner and teachers.
    pub report_count: i64,
}

/// The block of a page that a question is about.
#[derive(Serialize, ToSchema)]
pub struct DiscussionAnchor {
    /// Index among the top-level blocks of the text that learners read. Null if the block is gone.
    #[schema(required)]
    pub block: Option<usize>,
    /// The selected words, or the beginning of the block.
    #[schema(max_length = 300)]
    pub quote: String,
}

/// A question or an answer.
#[derive(Serialize, ToSchema)]
pub struct DiscussionPost {
    pub id: Uuid,
    /// Its place among the answers that the caller may read, from 1; 0 for the question.
    pub number: i64,
    /// Null if it is anonymous for the caller, and if the account was deleted.
    #[schema(required)]
    pub author: Option<PersonName>,
    pub is_mine: bool,
    pub is_anonymous: bool,
    /// Whether the asker wrote it.
    pub by_asker: bool,
    pub by_staff: bool,
    /// A document; null if it was deleted.
    #[schema(required, value_type = Option<Object>)]
    pub body: Option<Value>,
    #[serde(serialize_with = "wire::time")]
    pub created_at: DateTime<Utc>,
    /// When its text was last changed; null if it never was.
    #[schema(required)]
    #[serde(serialize_with = "wire::optional_time")]
    pub edited_at: Option<DateTime<Utc>>,
    /// Whether it is the answer that solved the question.
    pub is_accepted: bool,
    /// How many users find it useful.
    pub useful_count: i64,
    /// Whether the caller does.
    pub is_useful: bool,
    /// Null unless it is hidden. Only its author and the staff see hidden ones.
    #[schema(required)]
    pub hidden: Option<HiddenPost>,
    /// The reports that nobody has settled; empty but for the owner and teachers.
    pub reports: Vec<ReportOfPost>,
}

/// Why a question or an answer is hidden.
#[derive(Serialize, ToSchema)]
pub struct HiddenPost {
    #[serde(serialize_with = "wire::time")]
    pub at: DateTime<Utc>,
    pub reason: String,
    /// Null for learners, and if the account was deleted.
    #[schema(required)]
    pub by: Option<PersonName>,
}

/// A report of a question or an answer.
#[derive(Serialize, ToSchema)]
pub struct ReportOfPost {
    pub by: PersonName,
    pub reason: String,
    #[serde(serialize_with = "wire::time")]
    pub at: DateTime<Utc>,
}

lists! {
    /// Questions.
    Discussions of Discussion;
    /// Answers to a question.
    DiscussionAnswers of DiscussionPost;
}

/// A question or an answer that was written or changed, with its discussion.
#[derive(Serialize, ToSchema)]
pub struct ChangedPost {
    pub discussion: Discussion,
    pub post: DiscussionPost,
}

impl From<core::ChangedPost> for ChangedPost {
    fn from(core::ChangedPost { discussion, post }: core::ChangedPost) -> Self {
        ChangedPost {
            discussion: discussion.into(),
            post: post.into(),
        }
    }
}

/// What is left of a discussion after a question or an answer was deleted.
#[derive(Serialize, ToSchema)]
pub struct DiscussionLeft {
    /// Null if it was deleted with its question.
    #[schema(required)]
    pub discussion: Option<Discussion>,
}

/// Open questions at one block.
#[derive(Serialize, ToSchema)]
pub struct BlockQuestions {
    /// Index among the top-level blocks of the text that learners read. Null for questions about the whole page, or about a block that is gone.
    #[schema(required)]
    pub block: Option<usize>,
    pub open_count: i64,
}

/// Open questions of a page, and what holds there.
#[derive(Serialize, ToSchema)]
pub struct PageQuestions {
    /// Whether questions are on in the course and under the page.
    pub is_on: bool,
    /// Whether they are on under the page, whatever the course says.
    pub is_on_page: bool,
    pub allows_anonymous: bool,
    pub is_per_group: bool,
    /// By block, those of the whole page first.
    pub blocks: Vec<BlockQuestions>,
}

/// Settings of questions under the pages of a course.
#[derive(Serialize, ToSchema)]
pub struct DiscussionSettings {
    pub is_on: bool,
    pub allows_anonymous: bool,
    pub is_per_group: bool,
    /// Words and phrases that learners may not write.
    pub words: Vec<String>,
}

impl From<core::Discussion> for Discussion {
    fn from(discussion: core::Discussion) -> Self {
        Discussion {
            id: discussion.id.0,
            page_id: discussion.page_id.0,
            audience: discussion.audience.name(),
            group_id: discussion.group_id.map(|group| group.0),
            created_at: discussion.created_at,
            active_at: discussion.active_at,
            reply_count: discussion.reply_count,
            waiting_since: discussion.waiting_since,
            resolved_at: discussion.resolved_at,
            is_pinned: discussion.is_pinned,
            is_locked: discussion.is_locked,
            moved_at: discussion.moved_at,
            anchor: discussion.anchor.map(|anchor| DiscussionAnchor {
                block: anchor.block,
                quote: anchor.quote,
            }),
            question: discussion.question.into(),
            accepted_post_id: discussion.accepted_post_id.map(|post| post.0),
            is_unread: discussion.is_unread,
            follows: discussion.follows,
            has_written: discussion.has_written,
            has_other_writers: discussion.has_other_writers,
            has_staff_answer: discussion.has_staff_answer,
            report_count: discussion.report_count,
        }
    }
}

impl From<core::Post> for DiscussionPost {
    fn from(post: core::Post) -> Self {
        let report = |report: core::Report| ReportOfPost {
            by: report.by.into(),
            reason: report.reason,
            at: report.at,
        };
        DiscussionPost {
            id: post.id.0,
            number: post.number,
            author: post.author.map(PersonName::from),
            is_mine: post.is_mine,
            is_anonymous: post.is_anonymous,
            by_asker: post.by_asker,
            by_staff: post.by_staff,
            body: post.body,
            created_at: post.created_at,
            edited_at: post.edited_at,
            is_accepted: post.is_accepted,
            useful_count: post.useful_count,
            is_useful: post.is_useful,
            hidden: post.hidden.map(|hidden| HiddenPost {
                at: hidden.at,
                reason: hidden.reason,
                by: hidden.by.map(PersonName::from),
            }),
            reports: post.reports.into_iter().map(report).collect(),
        }
    }
}

impl PageQuestions {
    pub fn new(rules: core::Rules, blocks: Vec<core::BlockQuestions>) -> Self {
        let block = |block: core::BlockQuestions| BlockQuestions {
            block: block.block,
            open_count: block.open_count,
        };
        PageQuestions {
            is_on: rules.is_on,
            is_on_page: rules.is_on_page,
            allows_anonymous: rules.allows_anonymous,
            is_per_group: rules.is_per_group,
            blocks: blocks.into_iter().map(block).collect(),
        }
    }
}

impl From<core::DiscussionSettings> for DiscussionSettings {
    fn from(settings: core::DiscussionSettings) -> Self {
        DiscussionSettings {
            is_on: settings.is_on,
            allows_anonymous: settings.allows_anonymous,
            is_per_group: settings.is_per_group,
            words: settings.words,
        }
    }
}
