use async_graphql::{Context, ID, Object, Result};
use kurso_core::access::Right;
use kurso_core::courses::tree::LessonNode;
use kurso_core::error::Error;
use kurso_core::ids::LessonId;
use kurso_core::learning::view::CourseView;

use super::{Module, Page, View, id_of, int, unless_gone};
use crate::context::{kurso, viewer};
use crate::cost;
use crate::error::wrap;

pub struct Lesson {
    view: View,
    /// In the view's tree.
    place: usize,
}

impl Lesson {
    /// A lesson the caller teaches or learns.
    pub async fn load(ctx: &Context<'_>, id: LessonId) -> Result<Self> {
        Self::find(ctx, id).await?.map_err(wrap(ctx))
    }

    /// The same; None when it was deleted in this moment.
    pub async fn load_left(ctx: &Context<'_>, id: LessonId) -> Result<Option<Self>> {
        unless_gone(ctx, Self::find(ctx, id).await?)
    }

    async fn find(ctx: &Context<'_>, id: LessonId) -> Result<Result<Self, Error>> {
        let found = CourseView::load_by_lesson(kurso(ctx), viewer(ctx)?, id, Right::Read).await;
        Ok(found.map(|(view, place)| Lesson::at(&View::new(view), place)))
    }

    pub(crate) fn at(view: &View, place: usize) -> Self {
        let view = view.clone();
        Lesson { view, place }
    }

    pub(crate) fn key(&self) -> LessonId {
        self.node().id
    }

    pub(crate) fn in_module(&self) -> Module {
        Module::at(&self.view, self.node().module)
    }

    /// Another lesson of the same course.
    pub(crate) fn beside(&self, id: LessonId) -> Option<Self> {
        let place = self.view.tree.lessons.iter().position(|node| node.id == id)?;
        Some(Lesson::at(&self.view, place))
    }

    fn pages_at(&self, ctx: &Context<'_>, places: impl Iterator<Item = usize>) -> Result<Vec<Page>> {
        let pages: Vec<_> = places.map(|place| Page::at(&self.view, place)).collect();
        cost::spend(ctx, pages.len())?;
        Ok(pages)
    }

    fn node(&self) -> &LessonNode {
        self.view.lesson(self.place)
    }
}

/// A part of a module, made of pages.
#[Object]
impl Lesson {
    /// A UUID, unlike that of any other.
    async fn id(&self) -> ID {
        id_of(self.node().id)
    }
    /// 1 to 255 characters.
    async fn title(&self) -> &str {
        &self.node().title
    }
    /// From 0, without gaps.
    async fn position(&self) -> i32 {
        int(self.node().position)
    }
    /// Are all its pages done? False for a lesson without pages and for staff who are not enrolled.
    async fn is_completed(&self) -> bool {
        self.view.is_lesson_completed(self.place)
    }
    /// How many of its published pages the caller has done.
    async fn pages_done(&self) -> i32 {
        int(self.view.lesson_progress(self.place).pages_done)
    }
    /// How many published pages it has.
    async fn pages_total(&self) -> i32 {
        int(self.view.lesson_progress(self.place).pages_total)
    }
    /// The pages that count and are not done, in order; `reason` says why.
    #[graphql(complexity = "cost::list(cost::PAGES, child_complexity)")]
    async fn unfinished(&self, ctx: &Context<'_>) -> Result<Vec<Page>> {
        self.pages_at(ctx, self.view.unfinished(self.node()).map(|(place, _)| place))
    }
    /// In order. Learners get published pages only.
    #[graphql(complexity = "cost::list(cost::PAGES, child_complexity)")]
    async fn pages(&self, ctx: &Context<'_>) -> Result<Vec<Page>> {
        self.pages_at(ctx, self.view.pages_of(self.node()))
    }
    /// What it is in.
    async fn module(&self) -> Module {
        self.in_module()
    }
}
