use std::sync::Arc;

use async_graphql::{ID, Object, SimpleObject};
use kurso_core::courses::page::versions::{Version, VersionText};

use super::{DateTime, Document, id_of, int};
use crate::cost;

pub struct PageVersion(pub Version);

/// An entry of a page's history. Saves of one editor tab within ten minutes share an entry.
#[Object]
impl PageVersion {
    /// Version number.
    async fn version(&self) -> i32 {
        int(self.0.version)
    }
    /// Title of the page in this version.
    async fn title(&self) -> Option<&str> {
        self.0.title.as_deref()
    }
    /// Author of the version; null when the account is deleted.
    async fn editor(&self) -> Option<PageEditor> {
        Some(PageEditor {
            id: id_of(self.0.editor_id?),
            full_name: self.0.editor_full_name.clone(),
        })
    }
    /// Time of its first save.
    async fn started_at(&self) -> DateTime {
        DateTime(self.0.started_at)
    }
    /// Time of its last save.
    async fn saved_at(&self) -> DateTime {
        DateTime(self.0.saved_at)
    }
    /// When learners could first read it; null for a text that they never could.
    async fn published_at(&self) -> Option<DateTime> {
        self.0.published_at.map(DateTime)
    }
}

/// An editor of a page.
#[derive(SimpleObject)]
pub struct PageEditor {
    /// Unique ID.
    pub id: ID,
    /// Null when the user has not given a name.
    pub full_name: Option<String>,
}

pub struct PageVersionText {
    pub version: i32,
    pub text: Arc<VersionText>,
}

/// The content of a page in one version.
#[Object]
impl PageVersionText {
    /// Version number.
    async fn version(&self) -> i32 {
        self.version
    }
    /// Title of the page in this version.
    async fn title(&self) -> Option<&str> {
        self.text.title.as_deref()
    }
    /// Document in this version.
    #[graphql(complexity = "cost::DOCUMENT")]
    async fn content(&self) -> Document {
        Document::Stored(self.text.content.as_str().into())
    }
    /// Quiz with its answer key; null on content pages.
    #[graphql(complexity = "cost::DOCUMENT")]
    async fn author_quiz(&self) -> Option<Document> {
        self.text.quiz.clone().map(|quiz| Document::Stored(quiz.into()))
    }
}
