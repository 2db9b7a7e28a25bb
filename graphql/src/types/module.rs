use async_graphql::{Context, ID, Object, Result};
use kurso_base::error::Error;
use kurso_base::ids::ModuleId;
use kurso_core::access::Right;
use kurso_core::courses::tree::ModuleNode;
use kurso_core::learning::view::CourseView;

use super::{Course, DateTime, Lesson, Timeline, View, id_of, int, unless_gone};
use crate::context::{kurso, viewer};
use crate::cost;
use crate::error::wrap;

pub struct Module {
    view: View,
    /// Index in the tree of the view.
    index: usize,
}

impl Module {
    /// A module of a course that the caller teaches or learns.
    pub async fn load(ctx: &Context<'_>, id: ModuleId) -> Result<Self> {
        Self::find(ctx, id).await?.map_err(wrap(ctx))
    }

    /// The same; None when it was just deleted.
    pub async fn load_left(ctx: &Context<'_>, id: ModuleId) -> Result<Option<Self>> {
        unless_gone(ctx, Self::find(ctx, id).await?)
    }

    async fn find(ctx: &Context<'_>, id: ModuleId) -> Result<Result<Self, Error>> {
        let found = CourseView::load_by_module(kurso(ctx), viewer(ctx)?, id, Right::Read).await;
        Ok(found.map(|(view, index)| Module::at(&View::new(view), index)))
    }

    pub(crate) fn at(view: &View, index: usize) -> Self {
        let view = view.clone();
        Module { view, index }
    }

    pub(crate) fn key(&self) -> ModuleId {
        self.node().id
    }

    pub(crate) fn in_course(&self) -> Course {
        Course::from_view(&self.view)
    }

    /// Another module of the same course.
    pub(crate) fn beside(&self, id: ModuleId) -> Option<Self> {
        let index = self.view.tree.modules.iter().position(|node| node.id == id)?;
        Some(Module::at(&self.view, index))
    }

    fn node(&self) -> &ModuleNode {
        self.view.module(self.index)
    }
}

/// A part of a course, made of lessons.
#[Object]
impl Module {
    /// Unique ID.
    async fn id(&self) -> ID {
        id_of(self.node().id)
    }
    /// 1 to 255 characters.
    async fn title(&self) -> &str {
        &self.node().title
    }
    /// Plain text, at most 10,000 characters; null when there is none.
    async fn description(&self) -> Option<&str> {
        self.node().description.as_deref()
    }
    /// Index among its siblings, from 0, without gaps.
    async fn position(&self) -> i32 {
        int(self.node().position)
    }
    /// URL of its image.
    async fn avatar_url(&self) -> Option<&str> {
        self.node().avatar_url.as_deref()
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
        self.view.timeline().module(self.index).into()
    }
    /// The course it belongs to.
    async fn course(&self) -> Course {
        self.in_course()
    }
    /// Lessons in order.
    #[graphql(complexity = "cost::list(cost::LESSONS, child_complexity)")]
    async fn lessons(&self, ctx: &Context<'_>) -> Result<Vec<Lesson>> {
        let lessons = self.node().lessons.clone();
        cost::spend(ctx, lessons.len())?;
        Ok(lessons.map(|index| Lesson::at(&self.view, index)).collect())
    }
}
