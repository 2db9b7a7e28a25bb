use std::sync::Arc;

use async_graphql::{Context, ID, Object, Result};
use kurso_core::access::Right;
use kurso_core::courses::tree::LessonNode;
use kurso_core::error::Error;
use kurso_core::ids::LessonId;
use kurso_core::learning::view::CourseView;

use super::page::Contents;
use super::{Module, Page, Part, View, id_of, int, unless_gone};
use crate::context::{kurso, viewer};
use crate::error::wrap;

/// A part of a module, made of pages.
pub struct Lesson {
    pub(crate) view: Arc<View>,
    /// In the view's tree.
    pub(crate) place: usize,
    /// Of all pages of the list it stands in; None when it is read alone.
    pub(crate) contents: Option<Arc<Contents>>,
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
        Ok(found.map(|(view, place)| Lesson::alone(View::new(view), place)))
    }

    pub(crate) fn alone(view: Arc<View>, place: usize) -> Self {
        let contents = None;
        Lesson { view, place, contents }
    }

    pub(crate) fn key(&self) -> LessonId {
        self.node().id
    }

    pub(crate) fn in_module(&self) -> Module {
        Module::alone(self.view.clone(), self.node().module)
    }

    /// Another lesson of the same course.
    pub(crate) fn beside(&self, id: LessonId) -> Option<Self> {
        let place = self.view.tree.lessons.iter().position(|node| node.id == id)?;
        Some(Lesson::alone(self.view.clone(), place))
    }

    fn pages_at(&self, places: impl Iterator<Item = usize>) -> Vec<Page> {
        let contents = self
            .contents
            .clone()
            .unwrap_or_else(|| self.view.contents(Part::Lesson(self.place)));
        places
            .map(|place| Page {
                view: self.view.clone(),
                place,
                contents: contents.clone(),
            })
            .collect()
    }

    fn node(&self) -> &LessonNode {
        self.view.lesson(self.place)
    }
}

#[Object]
impl Lesson {
    async fn id(&self) -> ID {
        id_of(self.node().id)
    }
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
    async fn unfinished(&self) -> Vec<Page> {
        self.pages_at(self.view.unfinished(self.node()).map(|(place, _)| place))
    }
    /// In order. Learners get published pages only.
    async fn pages(&self) -> Vec<Page> {
        self.pages_at(self.view.pages_of(self.node()))
    }
    async fn module(&self) -> Module {
        self.in_module()
    }
}
