//! Comments of authors on pages: threads at a block, mentions, and suggested changes ([decision
//! 116](../../../docs/decisions/0116-author-comments.md)).
//!
//! They are for those who have [`Right::Comment`](crate::access::Right); learners never see any of it.

pub(crate) mod anchor;
mod comment;
mod list;
pub(crate) mod mail;
mod mentions;
mod notify;
pub(crate) mod start;
mod suggestions;
mod threads;

use chrono::{DateTime, Utc};
use kurso_base::ids::{CommentId, PageId, ThreadId};
use serde_json::Value;

pub use comment::{add, delete, edit};
pub(crate) use list::stored_blocks;
pub use list::{
    Commenter, ThreadQuery, commenters, commenters_of, in_course, in_courses, of_page, of_pages, open_counts,
};
pub use start::{StartThread, start};
pub use suggestions::{accept, reject};
pub use threads::{mark_read, reopen, resolve};

use crate::subscriptions::PersonName;

/// The most open threads of a page.
pub const MAX_OPEN: i64 = 500;
/// The most comments of a thread.
pub const MAX_COMMENTS: i64 = 200;
/// The most resolved threads of a page that are listed, the newest.
pub const MAX_RESOLVED_LISTED: i64 = 500;

/// Whether a thread is still discussed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ThreadState {
    Open,
    Resolved,
}

impl ThreadState {
    pub fn name(self) -> &'static str {
        match self {
            ThreadState::Open => "open",
            ThreadState::Resolved => "resolved",
        }
    }
}

kurso_base::values::choices! {
    ThreadState: "open" => ThreadState::Open, "resolved" => ThreadState::Resolved;
}

/// What one person did at a time. The person is None if the account was deleted.
#[derive(Clone, Debug, PartialEq)]
pub struct Done {
    pub by: Option<PersonName>,
    pub at: DateTime<Utc>,
}

/// A thread of comments as one person sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct Thread {
    pub id: ThreadId,
    pub page_id: PageId,
    /// None if the account was deleted.
    pub started_by: Option<PersonName>,
    pub created_at: DateTime<Utc>,
    /// The time of the newest comment or decision.
    pub active_at: DateTime<Utc>,
    /// None while it is open.
    pub resolved: Option<Done>,
    /// None if it is about the whole page.
    pub anchor: Option<Anchor>,
    pub suggestion: Option<Suggestion>,
    /// Oldest first.
    pub comments: Vec<Comment>,
    /// Whether somebody else has written a comment that the person has not read.
    pub is_unread: bool,
}

impl Thread {
    pub fn state(&self) -> ThreadState {
        match self.resolved {
            None => ThreadState::Open,
            Some(_) => ThreadState::Resolved,
        }
    }
}

/// The block of a page that a thread is about.
#[derive(Clone, Debug, PartialEq)]
pub struct Anchor {
    /// Its index among the top-level blocks of the text that the person sees now; None if the block is gone.
    pub block: Option<usize>,
    /// The selected words, or the beginning of the block.
    pub quote: String,
}

/// A comment of a thread.
#[derive(Clone, Debug, PartialEq)]
pub struct Comment {
    pub id: CommentId,
    /// None if the account was deleted.
    pub author: Option<PersonName>,
    pub text: String,
    pub created_at: DateTime<Utc>,
    pub edited_at: Option<DateTime<Utc>>,
    pub is_mine: bool,
    /// In no particular order.
    pub mentions: Vec<PersonName>,
}

/// A suggested change.
#[derive(Clone, Debug, PartialEq)]
pub struct Suggestion {
    /// The block as it was when the change was suggested.
    pub before: Vec<Value>,
    /// The blocks in place of it; empty if it is to be deleted.
    pub after: Vec<Value>,
    pub state: SuggestionState,
    /// None while it is pending.
    pub decided: Option<Done>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SuggestionState {
    Pending,
    Accepted,
    Rejected,
    /// Nobody has decided, but the block has changed since.
    Outdated,
}

impl SuggestionState {
    pub fn name(self) -> &'static str {
        match self {
            SuggestionState::Pending => "pending",
            SuggestionState::Accepted => "accepted",
            SuggestionState::Rejected => "rejected",
            SuggestionState::Outdated => "outdated",
        }
    }
}
