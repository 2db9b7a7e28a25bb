use std::sync::Arc;

use async_graphql::{ID, Object};
use kurso_core::courses::tree::LessonNode;
use kurso_core::learning::view::CourseView;

use super::page::Contents;
use super::{Module, Page, id_of, int};

/// A part of a module, made of pages.
pub struct Lesson {
    pub(crate) view: Arc<CourseView>,
    /// In the view's tree.
    pub(crate) place: usize,
}

impl Lesson {
    pub(crate) fn alone(view: Arc<CourseView>, place: usize) -> Self {
        Lesson { view, place }
    }

    fn node(&self) -> &LessonNode {
        self.view.lesson(self.place)
    }

    fn pages_at(&self, places: Vec<usize>) -> Vec<Page> {
        let contents = Arc::new(Contents::of(
            places.iter().map(|place| self.view.page(*place).id).collect(),
        ));
        places
            .into_iter()
            .map(|place| Page {
                view: self.view.clone(),
                place,
                contents: contents.clone(),
            })
            .collect()
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
    /// Of the pages that count.
    async fn pages_done(&self) -> i32 {
        int(self.view.lesson_progress(self.place).pages_done)
    }
    /// Pages that are not published do not count.
    async fn pages_total(&self) -> i32 {
        int(self.view.lesson_progress(self.place).pages_total)
    }
    /// The pages that count and are not done, in order; `reason` says why.
    async fn unfinished(&self) -> Vec<Page> {
        self.pages_at(self.view.unfinished(self.node()).map(|(place, _)| place).collect())
    }
    /// In order. Learners get published pages only.
    async fn pages(&self) -> Vec<Page> {
        self.pages_at(self.view.pages_of(self.node()).collect())
    }
    async fn module(&self) -> Module {
        Module {
            view: self.view.clone(),
            place: self.node().module,
        }
    }
}
