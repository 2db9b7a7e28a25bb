use async_graphql::{Context, ID, Object, Result};
use kurso_core::access::Right;
use kurso_core::courses::tree::ModuleNode;
use kurso_core::error::Error;
use kurso_core::ids::ModuleId;
use kurso_core::learning::view::CourseView;

use super::{Course, Lesson, View, id_of, int, unless_gone};
use crate::context::{kurso, viewer};
use crate::cost;
use crate::error::wrap;

pub struct Module {
    view: View,
    /// In the view's tree.
    place: usize,
}

impl Module {
    /// A module the caller teaches or learns.
    pub async fn load(ctx: &Context<'_>, id: ModuleId) -> Result<Self> {
        Self::find(ctx, id).await?.map_err(wrap(ctx))
    }

    /// The same; None when it was deleted in this moment.
    pub async fn load_left(ctx: &Context<'_>, id: ModuleId) -> Result<Option<Self>> {
        unless_gone(ctx, Self::find(ctx, id).await?)
    }

    async fn find(ctx: &Context<'_>, id: ModuleId) -> Result<Result<Self, Error>> {
        let found = CourseView::load_by_module(kurso(ctx), viewer(ctx)?, id, Right::Read).await;
        Ok(found.map(|(view, place)| Module::at(&View::new(view), place)))
    }

    pub(crate) fn at(view: &View, place: usize) -> Self {
        let view = view.clone();
        Module { view, place }
    }

    pub(crate) fn key(&self) -> ModuleId {
        self.node().id
    }

    pub(crate) fn in_course(&self) -> Course {
        Course::from_view(&self.view)
    }

    /// Another module of the same course.
    pub(crate) fn beside(&self, id: ModuleId) -> Option<Self> {
        let place = self.view.tree.modules.iter().position(|node| node.id == id)?;
        Some(Module::at(&self.view, place))
    }

    fn node(&self) -> &ModuleNode {
        self.view.module(self.place)
    }
}

/// A part of a course, made of lessons.
#[Object]
impl Module {
    /// A UUID, unlike that of any other.
    async fn id(&self) -> ID {
        id_of(self.node().id)
    }
    /// 1 to 255 characters.
    async fn title(&self) -> &str {
        &self.node().title
    }
    /// What it is about, as plain text of at most 10,000 characters; null when there is none.
    async fn description(&self) -> Option<&str> {
        self.node().description.as_deref()
    }
    /// From 0, without gaps.
    async fn position(&self) -> i32 {
        int(self.node().position)
    }
    /// The address of its picture.
    async fn avatar_url(&self) -> Option<&str> {
        self.node().avatar_url.as_deref()
    }
    /// What it is in.
    async fn course(&self) -> Course {
        self.in_course()
    }
    /// In order.
    #[graphql(complexity = "cost::list(cost::LESSONS, child_complexity)")]
    async fn lessons(&self, ctx: &Context<'_>) -> Result<Vec<Lesson>> {
        let lessons = self.node().lessons.clone();
        cost::spend(ctx, lessons.len())?;
        Ok(lessons.map(|place| Lesson::at(&self.view, place)).collect())
    }
}
