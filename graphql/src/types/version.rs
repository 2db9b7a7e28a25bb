use std::sync::Arc;

use async_graphql::{ID, Object, SimpleObject};
use kurso_core::courses::page::versions::{Version, VersionText};

use super::{DateTime, Document, id_of, int};
use crate::cost;

pub struct PageVersion(pub Version);

/// An entry of a page's history. Saves of one open editor within ten minutes share one.
#[Object]
impl PageVersion {
    /// Its number.
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
    /// A UUID, unlike that of any other.
    pub id: ID,
    /// Null when they gave none.
    pub full_name: Option<String>,
}

pub struct PageVersionText {
    pub version: i32,
    pub text: Arc<VersionText>,
}

/// What a page said in a version.
#[Object]
impl PageVersionText {
    /// Its number.
    async fn version(&self) -> i32 {
        self.version
    }
    /// What the page was called then.
    async fn title(&self) -> Option<&str> {
        self.text.title.as_deref()
    }
    /// What was to be read then.
    #[graphql(complexity = "cost::DOCUMENT")]
    async fn content(&self) -> Document {
        Document::Stored(self.text.content.clone())
    }
    /// With its answers; null on content pages.
    #[graphql(complexity = "cost::DOCUMENT")]
    async fn author_quiz(&self) -> Option<Document> {
        self.text.quiz.clone().map(Document::Stored)
    }
}
