use async_graphql::{Enum, Object};
use kurso_core::users;

use super::{DateTime, Document};
use crate::cost;

/// Where a text is.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "users::TextKind")]
pub enum TextKind {
    /// A question under a page.
    Question,
    /// An answer to a question under a page.
    Answer,
    /// Why somebody else's question or answer was reported.
    Report,
    /// A comment for the authors of a page.
    Comment,
    /// An announcement to a class.
    Announcement,
    /// A comment on an answer that was graded.
    Feedback,
    /// Why a question or an answer was hidden, a grade was set or a certificate was revoked.
    Reason,
    /// A private note on a page.
    Note,
}

pub struct WrittenText(pub users::WrittenText);

/// A text that the caller has written to others or in a private note.
#[Object]
impl WrittenText {
    /// Where it is.
    async fn kind(&self) -> TextKind {
        self.0.kind.into()
    }
    /// Title of the course; null if the caller takes no part in it any more.
    async fn course(&self) -> Option<&str> {
        self.0.course.as_deref()
    }
    /// Title of the page; null where `course` is, without a page or a title, and if the page is not published.
    async fn page(&self) -> Option<&str> {
        self.0.page.as_deref()
    }
    /// When it was written.
    async fn written_at(&self) -> DateTime {
        DateTime(self.0.written_at)
    }
    /// Title of an announcement; null for others.
    async fn title(&self) -> Option<&str> {
        self.0.title.as_deref()
    }
    /// The text; null for a document.
    async fn text(&self) -> Option<&str> {
        self.0.text.as_deref()
    }
    /// The document of a question, an answer or an announcement; null for others.
    #[graphql(complexity = "cost::DOCUMENT")]
    async fn document(&self) -> Option<Document> {
        self.0.document.clone().map(Document::Sent)
    }
}
