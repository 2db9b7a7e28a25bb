use std::sync::Arc;

use async_graphql::{Context, Enum, Object, Result, SimpleObject};
use kurso_base::error::Error;
use kurso_base::messages::Message;
use kurso_core::courses::page::Importance;
use kurso_core::learning::reading;

use super::loaders::ReadContent;
use super::{Course, DateTime, Document, Page, View, int};
use crate::cost;
use crate::error::wrap;

/// How important a change of a page is to learners who have read it.
#[derive(Clone, Copy, Default, PartialEq, Eq, Enum)]
pub enum ChangeImportance {
    /// The page says that it has changed.
    #[default]
    Correction,
    /// `importantChanges` lists it too.
    Important,
}

impl From<Importance> for ChangeImportance {
    fn from(importance: Importance) -> Self {
        match importance {
            Importance::Correction => Self::Correction,
            Importance::Important => Self::Important,
        }
    }
}

impl From<ChangeImportance> for Importance {
    fn from(importance: ChangeImportance) -> Self {
        match importance {
            ChangeImportance::Correction => Self::Correction,
            ChangeImportance::Important => Self::Important,
        }
    }
}

pub struct ChangeSinceRead {
    pub view: View,
    pub change: Arc<reading::ChangeSinceRead>,
}

/// A change of title or content since the caller read the page.
#[Object]
impl ChangeSinceRead {
    /// When the caller read it.
    async fn read_at(&self) -> DateTime {
        DateTime(self.change.read_at)
    }
    /// Since when learners read the present text.
    async fn changed_at(&self) -> DateTime {
        DateTime(self.change.changed_at)
    }
    /// IMPORTANT if any change since was.
    async fn importance(&self) -> ChangeImportance {
        self.change.importance.into()
    }
    /// The present version, for `markReread`.
    async fn version(&self) -> i32 {
        int(self.change.version)
    }
    /// The text that the caller read; null if it is no longer stored, or if it had been replaced before the visit arrived.
    async fn before(&self) -> Option<TextRead> {
        let text = self.change.before.clone()?;
        Some(TextRead {
            view: self.view.clone(),
            text,
        })
    }
}

pub struct TextRead {
    view: View,
    text: reading::ReadText,
}

/// A published text of a page that the caller has read.
#[Object]
impl TextRead {
    /// Number of its version.
    async fn version(&self) -> i32 {
        int(self.text.version)
    }
    /// Null for an untitled page.
    async fn title(&self) -> Option<&str> {
        self.text.title.as_deref()
    }
    /// Document that was read.
    #[graphql(complexity = "cost::DOCUMENT")]
    async fn content(&self, ctx: &Context<'_>) -> Result<Document> {
        let (page, version) = self.text.key();
        let content = self.view.loaders.load(ctx, ReadContent(page, version)).await?;
        let content = content.ok_or_else(|| wrap(ctx)(Error::NotFound(Message::VersionNotFound)))?;
        Ok(Document::Stored(content))
    }
}

/// An important change of a page that the caller has read.
#[derive(SimpleObject)]
pub struct ImportantChange {
    /// The page.
    page: Page,
    /// Its course.
    course: Course,
    /// Since when learners read the important version.
    changed_at: DateTime,
}

impl ImportantChange {
    pub fn of_all(found: reading::ImportantChanges) -> Vec<Self> {
        let loaders = Arc::default();
        let views: Vec<View> = found
            .views
            .into_iter()
            .map(|view| View::among(Arc::new(view), Arc::clone(&loaders)))
            .collect();
        let changes = found.changes.into_iter().filter_map(|change| {
            let view = views.get(change.view)?;
            Some(ImportantChange {
                page: Page::at(view, change.place),
                course: Course::from_view(view),
                changed_at: DateTime(change.changed_at),
            })
        });
        changes.collect()
    }
}
