use async_graphql::{Context, Enum, ID, Object, Result, SimpleObject};
use kurso_core::comments;

use super::grading::PersonName;
use super::{DateTime, Document, Page, View, id_of, int};
use crate::cost;

/// Whether a thread of comments is still discussed.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "comments::ThreadState")]
pub enum ThreadState {
    /// It is discussed.
    Open,
    /// It is done with.
    Resolved,
}

/// State of a suggested change.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "comments::SuggestionState")]
pub enum SuggestionState {
    /// Nobody has decided.
    Pending,
    /// The change was made.
    Accepted,
    /// The change was not wanted.
    Rejected,
    /// Nobody has decided, but the block has changed since.
    Outdated,
}

/// A thread of author comments, with the view in which its page is.
pub struct CommentThread {
    thread: comments::Thread,
    /// Index of its page in the tree of the view.
    index: usize,
    view: View,
}

impl CommentThread {
    /// None for a thread of a page that the view does not have.
    pub fn of(thread: comments::Thread, view: &View) -> Option<Self> {
        Some(CommentThread {
            index: view.tree.place(thread.page_id)?,
            thread,
            view: view.clone(),
        })
    }
}

/// Comments of authors on a page, which learners never see.
#[Object]
impl CommentThread {
    /// Unique ID.
    async fn id(&self) -> ID {
        id_of(self.thread.id)
    }
    /// Its page.
    async fn page(&self) -> Page {
        Page::at(&self.view, self.index)
    }
    /// Whether it is still discussed.
    async fn state(&self) -> ThreadState {
        self.thread.state().into()
    }
    /// The user who started it; null if the account was deleted.
    async fn started_by(&self) -> Option<PersonName> {
        self.thread.started_by.as_ref().map(PersonName::from)
    }
    /// The user who resolved it; null while it is open, and if the account was deleted.
    async fn resolved_by(&self) -> Option<PersonName> {
        let done = self.thread.resolved.as_ref()?;
        done.by.as_ref().map(PersonName::from)
    }
    /// When it was resolved; null while it is open.
    async fn resolved_at(&self) -> Option<DateTime> {
        self.thread.resolved.as_ref().map(|done| DateTime(done.at))
    }
    /// When it was started.
    async fn created_at(&self) -> DateTime {
        DateTime(self.thread.created_at)
    }
    /// Time of the newest comment or decision.
    async fn active_at(&self) -> DateTime {
        DateTime(self.thread.active_at)
    }
    /// The block that it is about; null if it is about the whole page.
    async fn anchor(&self) -> Option<CommentAnchor> {
        self.thread.anchor.as_ref().map(|anchor| CommentAnchor {
            block: anchor.block.map(int),
            quote: anchor.quote.clone(),
        })
    }
    /// The comments, oldest first, at most 200.
    #[graphql(complexity = "cost::list(cost::COMMENTS, child_complexity)")]
    async fn comments(&self, ctx: &Context<'_>) -> Result<Vec<PageComment>> {
        cost::spend(ctx, self.thread.comments.len())?;
        Ok(self.thread.comments.iter().map(PageComment::from).collect())
    }
    /// The suggested change; null without one.
    async fn suggestion(&self) -> Option<Suggestion<'_>> {
        self.thread.suggestion.as_ref().map(Suggestion)
    }
    /// Whether somebody else has written a comment that the caller has not read.
    async fn is_unread(&self) -> bool {
        self.thread.is_unread
    }
}

/// The block of a page that a thread is about.
#[derive(SimpleObject)]
pub struct CommentAnchor {
    /// Index among the top-level blocks of the text that the caller sees: of the draft, if there is one and the caller reads drafts, else of the
    /// page. Null if the block is gone.
    block: Option<i32>,
    /// The selected words, or the beginning of the block; at most 300 characters.
    quote: String,
}

/// A comment of a thread.
#[derive(SimpleObject)]
pub struct PageComment {
    /// Unique ID.
    id: ID,
    /// Null if the account was deleted.
    author: Option<PersonName>,
    /// Plain text, 1 to 5000 characters. `@[Name](user:UUID)` mentions a user.
    text: String,
    /// When it was written.
    created_at: DateTime,
    /// When its text was last changed; null if it never was.
    edited_at: Option<DateTime>,
    /// Whether the caller has written it.
    is_mine: bool,
    /// The users whom it mentions.
    mentions: Vec<PersonName>,
}

impl From<&comments::Comment> for PageComment {
    fn from(comment: &comments::Comment) -> Self {
        PageComment {
            id: id_of(comment.id),
            author: comment.author.as_ref().map(PersonName::from),
            text: comment.text.clone(),
            created_at: DateTime(comment.created_at),
            edited_at: comment.edited_at.map(DateTime),
            is_mine: comment.is_mine,
            mentions: comment.mentions.iter().map(PersonName::from).collect(),
        }
    }
}

pub struct Suggestion<'a>(&'a comments::Suggestion);

/// A suggested change of a block.
#[Object]
impl Suggestion<'_> {
    /// A list of one top-level block: how it was when the change was suggested.
    #[graphql(complexity = "cost::DOCUMENT")]
    async fn before(&self) -> Document {
        Document::Sent(self.0.before.clone().into())
    }
    /// A list of top-level blocks in place of it; empty if it is to be deleted.
    #[graphql(complexity = "cost::DOCUMENT")]
    async fn after(&self) -> Document {
        Document::Sent(self.0.after.clone().into())
    }
    /// Whether it was accepted.
    async fn state(&self) -> SuggestionState {
        self.0.state.into()
    }
    /// The user who accepted or rejected it; null before, and if the account was deleted.
    async fn decided_by(&self) -> Option<PersonName> {
        let done = self.0.decided.as_ref()?;
        done.by.as_ref().map(PersonName::from)
    }
    /// When it was accepted or rejected; null before.
    async fn decided_at(&self) -> Option<DateTime> {
        self.0.decided.as_ref().map(|done| DateTime(done.at))
    }
}

/// Somebody who may comment on a course and be mentioned.
#[derive(SimpleObject)]
pub struct Commenter {
    /// ID of the user.
    id: ID,
    /// Null when the user has not given a name.
    full_name: Option<String>,
    /// Email address of the account.
    email: String,
}

impl From<&comments::Commenter> for Commenter {
    fn from(person: &comments::Commenter) -> Self {
        Commenter {
            id: id_of(person.id),
            full_name: person.full_name.clone(),
            email: person.email.clone(),
        }
    }
}
