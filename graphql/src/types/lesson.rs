use async_graphql::{Context, ID, Object, Result};
use kurso_base::error::Error;
use kurso_base::ids::LessonId;
use kurso_core::access::Right;
use kurso_core::courses::tree::LessonNode;
use kurso_core::learning::view::CourseView;

use super::{DateTime, Module, Page, Timeline, View, id_of, int, unless_gone};
use crate::context::{kurso, viewer};
use crate::cost;
use crate::error::wrap;

pub struct Lesson {
    view: View,
    /// Index in the tree of the view.
    index: usize,
}

impl Lesson {
    /// A lesson of a course that the caller teaches or learns.
    pub async fn load(ctx: &Context<'_>, id: LessonId) -> Result<Self> {
        Self::find(ctx, id).await?.map_err(wrap(ctx))
    }

    /// The same; None when it was just deleted.
    pub async fn load_left(ctx: &Context<'_>, id: LessonId) -> Result<Option<Self>> {
        unless_gone(ctx, Self::find(ctx, id).await?)
    }

    async fn find(ctx: &Context<'_>, id: LessonId) -> Result<Result<Self, Error>> {
        let found = CourseView::load_by_lesson(kurso(ctx), viewer(ctx)?, id, Right::Read).await;
        Ok(found.map(|(view, index)| Lesson::at(&View::new(view), index)))
    }

    pub(crate) fn at(view: &View, index: usize) -> Self {
        let view = view.clone();
        Lesson { view, index }
    }

    pub(crate) fn key(&self) -> LessonId {
        self.node().id
    }

    pub(crate) fn in_module(&self) -> Module {
        Module::at(&self.view, self.node().module)
    }

    /// Another lesson of the same course.
    pub(crate) fn beside(&self, id: LessonId) -> Option<Self> {
        let index = self.view.tree.lessons.iter().position(|node| node.id == id)?;
        Some(Lesson::at(&self.view, index))
    }

    fn pages_at(&self, ctx: &Context<'_>, indices: impl Iterator<Item = usize>) -> Result<Vec<Page>> {
        let pages: Vec<_> = indices.map(|index| Page::at(&self.view, index)).collect();
        cost::spend(ctx, pages.len())?;
        Ok(pages)
    }

    fn node(&self) -> &LessonNode {
        self.view.lesson(self.index)
    }
}

/// A part of a module, made of pages.
#[Object]
impl Lesson {
    /// Unique ID.
    async fn id(&self) -> ID {
        id_of(self.node().id)
    }
    /// 1 to 255 characters.
    async fn title(&self) -> &str {
        &self.node().title
    }
    /// Index among its siblings, from 0, without gaps.
    async fn position(&self) -> i32 {
        int(self.node().position)
    }
    /// Own start; null without one. The dates of the parts above it also apply: see `timeline`.
    async fn available_from(&self) -> Option<DateTime> {
        self.node().own_dates().available_from.map(DateTime)
    }
    /// Own end; null without one.
    async fn available_until(&self) -> Option<DateTime> {
        self.node().own_dates().available_until.map(DateTime)
    }
    /// Own due date; null without one.
    async fn due_at(&self) -> Option<DateTime> {
        self.node().own_dates().due_at.map(DateTime)
    }
    /// IDs of the modules and lessons of the course that must be complete before it, in reading order.
    async fn prerequisites(&self) -> Vec<ID> {
        self.node().prerequisites.iter().map(|id| ID(id.to_string())).collect()
    }
    /// When it is open for the caller.
    async fn timeline(&self) -> Timeline {
        self.view.timeline().lesson(self.index).into()
    }
    /// Whether all its pages are done. False for a lesson without pages, and for staff without an enrollment.
    async fn is_completed(&self) -> bool {
        self.view.is_lesson_completed(self.index)
    }
    /// Number of its published pages that the caller has done.
    async fn pages_done(&self) -> i32 {
        int(self.view.lesson_progress(self.index).pages_done)
    }
    /// Number of its published pages.
    async fn pages_total(&self) -> i32 {
        int(self.view.lesson_progress(self.index).pages_total)
    }
    /// Published pages that are not done, in order; `reason` says why.
    #[graphql(complexity = "cost::list(cost::PAGES, child_complexity)")]
    async fn unfinished(&self, ctx: &Context<'_>) -> Result<Vec<Page>> {
        self.pages_at(ctx, self.view.unfinished(self.node()).map(|(index, _)| index))
    }
    /// Pages in order. Learners get published pages only.
    #[graphql(complexity = "cost::list(cost::PAGES, child_complexity)")]
    async fn pages(&self, ctx: &Context<'_>) -> Result<Vec<Page>> {
        self.pages_at(ctx, self.view.pages_of(self.node()))
    }
    /// The module it belongs to.
    async fn module(&self) -> Module {
        self.in_module()
    }
}
