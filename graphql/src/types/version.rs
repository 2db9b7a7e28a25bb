use async_graphql::{ID, Object, SimpleObject};
use kurso_core::courses::page::versions::{Version, VersionText};

use super::{DateTime, Document, id_of, int};

/// An entry of a page's history. Saves of one open editor within ten minutes share one.
pub struct PageVersion(pub Version);

#[Object]
impl PageVersion {
    async fn version(&self) -> i32 {
        int(self.0.version)
    }
    /// What the page was called then.
    async fn title(&self) -> Option<&str> {
        self.0.title.as_deref()
    }
    /// Who saved it; null when that account is gone.
    async fn editor(&self) -> Option<PageEditor> {
        Some(PageEditor {
            id: id_of(self.0.editor_id?),
            full_name: self.0.editor_full_name.clone(),
        })
    }
    /// Its first save.
    async fn started_at(&self) -> DateTime {
        DateTime(self.0.started_at)
    }
    /// Its last save.
    async fn saved_at(&self) -> DateTime {
        DateTime(self.0.saved_at)
    }
}

/// Who saved a page.
#[derive(SimpleObject)]
pub struct PageEditor {
    pub id: ID,
    pub full_name: Option<String>,
}

/// What a page said in a version.
pub struct PageVersionText {
    pub version: i32,
    pub text: VersionText,
}

#[Object]
impl PageVersionText {
    async fn version(&self) -> i32 {
        self.version
    }
    async fn title(&self) -> Option<&str> {
        self.text.title.as_deref()
    }
    async fn content(&self) -> Document {
        Document::Stored(self.text.content.clone())
    }
    /// With its answers; null on content pages.
    async fn author_quiz(&self) -> Option<Document> {
        self.text.quiz.clone().map(Document::Stored)
    }
}
