use std::sync::Arc;

use async_graphql::Object;
use kurso_core::courses::page::draft;

use super::{DateTime, Document, PageEditor, id_of, int};
use crate::cost;

pub struct PageDraft(pub Arc<draft::PageDraft>);

/// Changes of a published page that learners do not see yet.
#[Object]
impl PageDraft {
    /// Null for an untitled page: clients show 'Страница {number}'.
    async fn title(&self) -> Option<&str> {
        self.0.summary.title.as_deref()
    }
    /// Document as it is to be published.
    #[graphql(complexity = "cost::DOCUMENT")]
    async fn content(&self) -> Document {
        Document::Stored(self.0.content.as_str().into())
    }
    /// Quiz with its answer key as it is to be published, which may be incomplete; null on content pages.
    #[graphql(complexity = "cost::DOCUMENT")]
    async fn author_quiz(&self) -> Option<Document> {
        self.0.quiz.clone().map(|quiz| Document::Stored(quiz.into()))
    }
    /// Number of its version: drafts and pages share one sequence.
    async fn version(&self) -> i32 {
        int(self.0.summary.version)
    }
    /// The version of the page from which the draft began, or with which it was merged.
    async fn base_version(&self) -> i32 {
        int(self.0.summary.base_version)
    }
    /// Whether the page itself was changed since: publishing replaces that change.
    async fn is_behind(&self) -> bool {
        self.0.summary.is_behind()
    }
    /// Author of its last save; null when the account is deleted.
    async fn editor(&self) -> Option<PageEditor> {
        Some(PageEditor {
            id: id_of(self.0.summary.editor_id?),
            full_name: self.0.summary.editor_full_name.clone(),
        })
    }
    /// Time of its first save.
    async fn created_at(&self) -> DateTime {
        DateTime(self.0.summary.created_at)
    }
    /// Time of its last save.
    async fn saved_at(&self) -> DateTime {
        DateTime(self.0.summary.saved_at)
    }
}
