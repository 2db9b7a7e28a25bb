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
pub const MAX_ANSWERS: i64 = 200;
/// The most links in a post of a learner.
pub const MAX_LINKS: usize = 5;
/// The most discussions that are listed at once.
pub const MAX_LISTED: i64 = 100;

/// A question with its answers, as one person sees it.
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
    /// The question, then the answers, oldest first.
    pub posts: Vec<Post>,
    /// Whether somebody else has written a post that the person has not read.
    pub is_unread: bool,
    /// Whether the person gets notices of new answers.
    pub follows: bool,
}

/// A question or an answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Post {
    pub id: PostId,
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
