use std::sync::Arc;

use async_graphql::{ID, Object};
use kurso_core::courses::tree::ModuleNode;
use kurso_core::learning::view::CourseView;

use super::{Lesson, id_of, int};

/// A part of a course, made of lessons.
pub struct Module {
    pub(crate) view: Arc<CourseView>,
    /// In the view's tree.
    pub(crate) place: usize,
}

impl Module {
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
    /// In order.
    async fn lessons(&self) -> Vec<Lesson> {
        self.node()
            .lessons
            .clone()
            .map(|place| Lesson {
                view: self.view.clone(),
                place,
            })
            .collect()
    }
}
