use std::collections::HashMap;
use std::sync::Arc;

use async_graphql::{Context, Enum, ID, Object, Result};
use kurso_core::courses::tree::{self, PageNode};
use kurso_core::error::Error;
use kurso_core::ids::PageId;
use kurso_core::learning::view::{self, CourseView, PageContent};
use kurso_core::messages::Message;
use tokio::sync::OnceCell;

use super::{Course, DateTime, Document, Lesson, id_of, int};
use crate::context::kurso;
use crate::error::wrap;

/// A page of a lesson.
pub struct Page {
    pub(crate) view: Arc<CourseView>,
    /// In the view's tree.
    pub(crate) place: usize,
    pub(crate) contents: Arc<Contents>,
}

/// The contents of sibling pages: read together, when one of them is first asked for.
pub struct Contents {
    pages: Vec<PageId>,
    read: OnceCell<HashMap<PageId, PageContent>>,
}

impl Contents {
    pub fn of(view: &CourseView, places: &[usize]) -> Self {
        Contents {
            pages: places.iter().map(|p| view.page(*p).id).collect(),
            read: OnceCell::new(),
        }
    }
}

impl Page {
    /// A page that is read alone.
    pub fn alone(view: Arc<CourseView>, place: usize) -> Self {
        let contents = Arc::new(Contents::of(&view, &[place]));
        Page { view, place, contents }
    }

    fn node(&self) -> &PageNode {
        self.view.page(self.place)
    }

    async fn content_row(&self, ctx: &Context<'_>) -> Result<&PageContent> {
        let read = self
            .contents
            .read
            .get_or_try_init(async || {
                let rows = view::contents(kurso(ctx), &self.contents.pages).await?;
                Ok(rows.into_iter().map(|row| (row.page_id, row)).collect())
            })
            .await
            .map_err(wrap(ctx))?;
        read.get(&self.node().id)
            .ok_or_else(|| wrap(ctx)(Error::NotFound(Message::PageNotFound)))
    }
}

/// What a page holds; never changes.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
pub enum PageKind {
    /// Something to read: done when visited.
    Content,
    /// Questions: done when passed.
    Quiz,
}

impl From<tree::PageKind> for PageKind {
    fn from(kind: tree::PageKind) -> Self {
        match kind {
            tree::PageKind::Content => Self::Content,
            tree::PageKind::Quiz => Self::Quiz,
        }
    }
}

#[Object]
impl Page {
    async fn id(&self) -> ID {
        id_of(self.node().id)
    }
    /// Null: interfaces show 'Страница {number}'.
    async fn title(&self) -> Option<&str> {
        self.node().title.as_deref()
    }
    /// Its number in the lesson, from 1, among the pages the caller sees.
    async fn number(&self) -> i32 {
        int(self.view.number(self.place))
    }
    async fn kind(&self) -> PageKind {
        self.node().kind.into()
    }
    /// From 0, without gaps, unpublished pages included.
    async fn position(&self) -> i32 {
        int(self.node().position)
    }
    /// Learners never see a page that is not.
    async fn published(&self) -> bool {
        self.node().published
    }
    /// Raised by each change of title, content or quiz.
    async fn version(&self, ctx: &Context<'_>) -> Result<i32> {
        Ok(int(self.content_row(ctx).await?.version))
    }
    /// Has the caller been here?
    async fn is_visited(&self) -> bool {
        self.view.marks.is_visited(self.place)
    }
    /// Has the caller done it: visited a content page, passed a quiz?
    async fn is_completed(&self) -> bool {
        self.view.marks.is_done(&self.view.tree, self.place)
    }
    async fn content(&self, ctx: &Context<'_>) -> Result<Document> {
        Ok(Document(self.content_row(ctx).await?.content.clone()))
    }
    async fn updated_at(&self, ctx: &Context<'_>) -> Result<DateTime> {
        Ok(DateTime(self.content_row(ctx).await?.updated_at))
    }
    async fn lesson(&self) -> Lesson {
        Lesson {
            view: self.view.clone(),
            place: self.node().lesson,
        }
    }
    async fn course(&self) -> Course {
        Course::from_view(self.view.clone())
    }
    /// The page before this one in reading order, across lessons and modules.
    async fn previous_page(&self) -> Option<Page> {
        self.view
            .previous(self.place)
            .map(|place| Page::alone(self.view.clone(), place))
    }
    /// The page after this one in reading order, across lessons and modules.
    async fn next_page(&self) -> Option<Page> {
        self.view
            .next(self.place)
            .map(|place| Page::alone(self.view.clone(), place))
    }
}
