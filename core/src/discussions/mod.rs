//! Questions under pages: discussions of learners and staff at a block or about a whole page ([decision
//! 120](../../../docs/decisions/0120-questions-under-pages.md)).
//!
//! A discussion has posts: the question, which opens it, and the answers. [`Reader`] says who reads which of them.

mod change;
mod edit;
mod list;
pub(crate) mod mail;
mod marks;
mod moderate;
mod notify;
mod page;
mod posts;
mod reader;
mod settings;
mod start;
mod stored;
mod watch;

use chrono::{DateTime, Utc};
use kurso_base::ids::{DiscussionId, GroupId, PageId, PostId};
use serde_json::Value;

pub use change::{ChangeDiscussion, NoteDiscussion, change, note};
pub use edit::{PostEdit, delete, edit};
pub use list::{DiscussionFilter, ListKey, get, in_course, in_courses, of_page, of_pages};
pub use marks::{PostMark, PostReport, mark, report};
pub use moderate::{Moderate, Moderation, moderate};
pub use page::{BlockQuestions, blocks, blocks_of, rules};
pub use posts::{AnswersFrom, AnswersWindow, answers, answers_of};
pub(crate) use reader::is_on;
pub use reader::{Audience, Reader, Scope, Standing};
pub use settings::{
    DiscussionSettings, Rules, SetDiscussions, SetPageDiscussions, rules_of, set, set_page, settings, settings_of,
};
pub use start::{Reply, StartDiscussion, reply, start};
pub use watch::{DiscussionChange, DiscussionsWatch};

use crate::comments::Anchor;
use crate::subscriptions::PersonName;

/// The most open discussions of a page.
pub const MAX_OPEN: i64 = 1000;
/// The most answers to a question.
pub const MAX_ANSWERS: i64 = 10_000;
/// The most answers that are read at once.
pub const MAX_SHOWN_ANSWERS: i64 = 100;
/// The most links in a post of a learner.
pub const MAX_LINKS: usize = 5;
/// The most discussions that are listed at once.
pub const MAX_LISTED: i64 = 100;

/// A question, and what its reader needs to know of the answers ([`answers`]).
#[derive(Clone, Debug, PartialEq)]
pub struct Discussion {
    pub id: DiscussionId,
    pub page_id: PageId,
    pub audience: Audience,
    /// The group that reads it.
    pub group_id: Option<GroupId>,
    pub created_at: DateTime<Utc>,
    /// The time of the newest post.
    pub active_at: DateTime<Utc>,
    /// The number of answers without hidden ones.
    pub reply_count: i64,
    /// The time of the first post of the asking learner after which nobody else has written; None if the learner does not wait.
    pub waiting_since: Option<DateTime<Utc>>,
    /// None while it is open.
    pub resolved_at: Option<DateTime<Utc>>,
    pub is_pinned: bool,
    pub is_locked: bool,
    /// When it was moved from another page.
    pub moved_at: Option<DateTime<Utc>>,
    /// None if it is about the whole page.
    pub anchor: Option<Anchor>,
    pub question: Post,
    /// The answer that solved it.
    pub accepted_post_id: Option<PostId>,
    /// Whether somebody else has written a post that the person has not read.
    pub is_unread: bool,
    /// Whether the person gets notices of new answers.
    pub follows: bool,
    /// Whether the person has asked or answered.
    pub has_written: bool,
    /// Whether the person reads a post of anybody but the asker: then it keeps its place when the question is deleted.
    pub has_other_writers: bool,
    pub has_staff_answer: bool,
    /// The number of reports that nobody has settled, for those who settle them; 0 for others.
    pub report_count: i64,
}

/// A question or an answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Post {
    pub id: PostId,
    /// Its place among the answers that the person reads, from 1; 0 for the question.
    pub number: i64,
    /// None if the account was deleted, and if the post is anonymous for the reader.
    pub author: Option<PersonName>,
    pub is_mine: bool,
    pub is_anonymous: bool,
    /// Whether the author asked the question.
    pub by_asker: bool,
    pub by_staff: bool,
    /// None if it was deleted.
    pub body: Option<Value>,
    pub created_at: DateTime<Utc>,
    pub edited_at: Option<DateTime<Utc>>,
    pub is_accepted: bool,
    /// How many people found it useful.
    pub useful_count: i64,
    /// Whether the reader found it useful.
    pub is_useful: bool,
    /// For its author and the staff; others do not see hidden posts.
    pub hidden: Option<Hidden>,
    /// The reports that nobody has settled, for those who settle them.
    pub reports: Vec<Report>,
}

/// A post that was written or changed, with its discussion.
#[derive(Clone, Debug, PartialEq)]
pub struct ChangedPost {
    pub discussion: Discussion,
    pub post: Post,
}

/// Why a post is hidden.
#[derive(Clone, Debug, PartialEq)]
pub struct Hidden {
    pub at: DateTime<Utc>,
    pub reason: String,
    /// Only for the staff; None if the account was deleted.
    pub by: Option<PersonName>,
}

/// A report of a post.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    pub by: PersonName,
    pub reason: String,
    pub at: DateTime<Utc>,
}
