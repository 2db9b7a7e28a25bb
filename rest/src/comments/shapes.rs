//! The shapes of author comments.

use chrono::{DateTime, Utc};
use kurso_base::ids::CommentId;
use kurso_base::values::{BlockIndex, CommentQuote, CommentText, PageVersion};
use kurso_base::wire;
use kurso_core::comments::{self as core, StartThread};
use kurso_formats::content::SuggestedBlocks;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;
use utoipa::openapi::schema::{ArrayBuilder, Type};
use utoipa::openapi::{RefOr, Schema};
use uuid::Uuid;

use crate::fields::{Field, body, of_type};
use crate::grading::shapes::PersonName;
use crate::person::Person;
use crate::response::lists;

impl Field for SuggestedBlocks {
    fn schema() -> RefOr<Schema> {
        let array = ArrayBuilder::new().items(of_type(Type::Object));
        RefOr::T(array.max_items(Some(Self::MAX)).into())
    }
}

body! {
    /// A new thread with its first comment.
    ThreadStart -> StartThread {
        /// Plain text. `@[Name](user:UUID)` mentions one of `commenters`, who gets a mail.
        text: CommentText,
        /// The version of the text in which `block` is an index: that of the draft or of the page. Required with `block`.
        version: Option<PageVersion>,
        /// Index of a top-level block; without it, the thread is about the whole page.
        block: Option<BlockIndex>,
        /// The selected words; by default the beginning of the block.
        quote: Option<CommentQuote>,
        /// A suggested change: top-level blocks in place of the block, at most 100 KB; empty: the block is to be deleted. They may have only files
        /// that the page has already.
        suggestion: Option<SuggestedBlocks>,
    }

    CommentWrite -> CommentText {
        /// Plain text. `@[Name](user:UUID)` mentions one of `commenters`, who gets a mail.
        text: CommentText,
    } => |_fields| text;

    SuggestionAccept -> PageVersion {
        /// The version of the text that editors see, as it was shown: that of the draft if there is one, else of the page.
        version: PageVersion,
    } => |_fields| version;

    ThreadRead -> CommentId {
        /// The newest comment that was shown.
        comment_id: CommentId,
    } => |_fields| comment_id;
}

/// A thread of comments of authors on a page, which learners never see.
#[derive(Serialize, ToSchema)]
pub struct CommentThread {
    pub id: Uuid,
    pub page_id: Uuid,
    /// `open` or `resolved`.
    #[schema(pattern = "^(open|resolved)$")]
    pub state: &'static str,
    /// Null if the account was deleted.
    #[schema(required)]
    pub started_by: Option<PersonName>,
    #[serde(serialize_with = "wire::time")]
    pub created_at: DateTime<Utc>,
    /// Time of the newest comment or decision.
    #[serde(serialize_with = "wire::time")]
    pub active_at: DateTime<Utc>,
    /// Null while it is open, and if the account was deleted.
    #[schema(required)]
    pub resolved_by: Option<PersonName>,
    /// Null while it is open.
    #[schema(required)]
    #[serde(serialize_with = "wire::optional_time")]
    pub resolved_at: Option<DateTime<Utc>>,
    /// Null if it is about the whole page.
    #[schema(required)]
    pub anchor: Option<CommentAnchor>,
    /// Null without one.
    #[schema(required)]
    pub suggestion: Option<Suggestion>,
    /// Oldest first, at most 200.
    pub comments: Vec<PageComment>,
    /// Whether somebody else has written a comment that the caller has not read.
    pub is_unread: bool,
}

/// The block of a page that a thread is about.
#[derive(Serialize, ToSchema)]
pub struct CommentAnchor {
    /// Index among the top-level blocks of the text that the caller sees: of the draft, if there is one and the caller reads drafts, else of the
    /// page. Null if the block is gone.
    #[schema(required)]
    pub block: Option<usize>,
    /// The selected words, or the beginning of the block.
    #[schema(max_length = 300)]
    pub quote: String,
}

/// A comment of a thread.
#[derive(Serialize, ToSchema)]
pub struct PageComment {
    pub id: Uuid,
    /// Null if the account was deleted.
    #[schema(required)]
    pub author: Option<PersonName>,
    /// Plain text. `@[Name](user:UUID)` mentions a user.
    pub text: String,
    #[serde(serialize_with = "wire::time")]
    pub created_at: DateTime<Utc>,
    /// When its text was last changed; null if it never was.
    #[schema(required)]
    #[serde(serialize_with = "wire::optional_time")]
    pub edited_at: Option<DateTime<Utc>>,
    /// Whether the caller has written it.
    pub is_mine: bool,
    pub mentions: Vec<PersonName>,
}

/// A suggested change of a block.
#[derive(Serialize, ToSchema)]
pub struct Suggestion {
    /// One block: how it was when the change was suggested.
    #[schema(value_type = Vec<Object>)]
    pub before: Vec<Value>,
    /// The blocks in place of it; empty if it is to be deleted.
    #[schema(value_type = Vec<Object>)]
    pub after: Vec<Value>,
    /// `pending`, `accepted`, `rejected`, or `outdated`: nobody has decided, but the block has changed since.
    #[schema(pattern = "^(pending|accepted|rejected|outdated)$")]
    pub state: &'static str,
    /// Null before the decision, and if the account was deleted.
    #[schema(required)]
    pub decided_by: Option<PersonName>,
    /// Null before the decision.
    #[schema(required)]
    #[serde(serialize_with = "wire::optional_time")]
    pub decided_at: Option<DateTime<Utc>>,
}

lists! {
    /// A page of the threads of a course.
    CommentThreads of CommentThread;
}

/// The threads of a page.
#[derive(Serialize, ToSchema)]
pub struct PageThreads {
    /// Oldest first: all open threads and at most the 500 newest resolved ones.
    pub data: Vec<CommentThread>,
    pub count: usize,
}

/// Users who may comment on the pages of a course.
#[derive(Serialize, ToSchema)]
pub struct Commenters {
    /// The owner, then the others by name.
    pub data: Vec<Person>,
    pub count: usize,
}

/// What is left of a thread after a comment was deleted.
#[derive(Serialize, ToSchema)]
pub struct ThreadLeft {
    /// Null if it was the last comment, which deletes the thread.
    #[schema(required)]
    pub thread: Option<CommentThread>,
}

impl From<core::Thread> for CommentThread {
    fn from(thread: core::Thread) -> Self {
        let state = thread.state().name();
        let (resolved_by, resolved_at) = done(thread.resolved);
        CommentThread {
            id: thread.id.0,
            page_id: thread.page_id.0,
            state,
            started_by: thread.started_by.map(PersonName::from),
            created_at: thread.created_at,
            active_at: thread.active_at,
            resolved_by,
            resolved_at,
            anchor: thread.anchor.map(|anchor| CommentAnchor {
                block: anchor.block,
                quote: anchor.quote,
            }),
            suggestion: thread.suggestion.map(Suggestion::from),
            comments: thread.comments.into_iter().map(PageComment::from).collect(),
            is_unread: thread.is_unread,
        }
    }
}

impl From<core::Suggestion> for Suggestion {
    fn from(suggestion: core::Suggestion) -> Self {
        let (decided_by, decided_at) = done(suggestion.decided);
        Suggestion {
            before: suggestion.before,
            after: suggestion.after,
            state: suggestion.state.name(),
            decided_by,
            decided_at,
        }
    }
}

impl From<core::Comment> for PageComment {
    fn from(comment: core::Comment) -> Self {
        PageComment {
            id: comment.id.0,
            author: comment.author.map(PersonName::from),
            text: comment.text,
            created_at: comment.created_at,
            edited_at: comment.edited_at,
            is_mine: comment.is_mine,
            mentions: comment.mentions.into_iter().map(PersonName::from).collect(),
        }
    }
}

fn done(done: Option<core::Done>) -> (Option<PersonName>, Option<DateTime<Utc>>) {
    match done {
        Some(done) => (done.by.map(PersonName::from), Some(done.at)),
        None => (None, None),
    }
}

impl From<Vec<core::Thread>> for PageThreads {
    fn from(threads: Vec<core::Thread>) -> Self {
        PageThreads {
            count: threads.len(),
            data: threads.into_iter().map(CommentThread::from).collect(),
        }
    }
}

impl From<Vec<core::Commenter>> for Commenters {
    fn from(people: Vec<core::Commenter>) -> Self {
        let person = |person: core::Commenter| Person {
            id: person.id.0,
            full_name: person.full_name,
            email: person.email,
        };
        Commenters {
            count: people.len(),
            data: people.into_iter().map(person).collect(),
        }
    }
}
