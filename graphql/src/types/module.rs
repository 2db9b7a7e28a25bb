use std::sync::Arc;

use async_graphql::{Context, ID, Object, Result};
use kurso_core::access::Right;
use kurso_core::courses::tree::ModuleNode;
use kurso_core::error::Error;
use kurso_core::ids::ModuleId;
use kurso_core::learning::view::CourseView;

use super::page::Contents;
use super::{Course, Lesson, Part, View, id_of, int, unless_gone};
use crate::context::{kurso, viewer};
use crate::error::wrap;

/// A part of a course, made of lessons.
pub struct Module {
    pub(crate) view: Arc<View>,
    /// In the view's tree.
    pub(crate) place: usize,
    /// Of all pages of the list it stands in; None when it is read alone.
    pub(crate) contents: Option<Arc<Contents>>,
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
        Ok(found.map(|(view, place)| Module::alone(View::new(view), place)))
    }

    pub(crate) fn alone(view: Arc<View>, place: usize) -> Self {
        let contents = None;
        Module { view, place, contents }
    }

    pub(crate) fn key(&self) -> ModuleId {
        self.node().id
    }

    pub(crate) fn in_course(&self) -> Course {
        Course::from_view(self.view.clone())
    }

    /// Another module of the same course.
    pub(crate) fn beside(&self, id: ModuleId) -> Option<Self> {
        let place = self.view.tree.modules.iter().position(|node| node.id == id)?;
        Some(Module::alone(self.view.clone(), place))
    }

    fn node(&self) -> &ModuleNode {
        self.view.module(self.place)
    }
}

#[Object]
impl Module {
    async fn id(&self) -> ID {
        id_of(self.node().id)
    }
    async fn title(&self) -> &str {
        &self.node().title
    }
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
    async fn course(&self) -> Course {
        self.in_course()
    }
    /// In order.
    async fn lessons(&self) -> Vec<Lesson> {
        let contents = self
            .contents
            .clone()
            .unwrap_or_else(|| self.view.contents(Part::Module(self.place)));
        let lessons = self.node().lessons.clone();
        lessons
            .map(|place| Lesson {
                view: self.view.clone(),
                place,
                contents: Some(contents.clone()),
            })
            .collect()
    }
}
