use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::Arc;

use kurso_core::courses;
use kurso_core::learning::view::CourseView;

use super::loaders::Loaders;

/// The view of a course in one request, with its loaders; shared by all objects of the course.
#[derive(Clone)]
pub struct View {
    view: Arc<CourseView>,
    pub(super) loaders: Arc<Loaders>,
}

impl View {
    pub fn new(view: CourseView) -> Self {
        View::among(Arc::new(view), Arc::default())
    }

    /// A view that shares the loaders of a list.
    pub fn among(view: Arc<CourseView>, loaders: Arc<Loaders>) -> Self {
        View { view, loaders }
    }

    /// The row of the course.
    pub fn row(&self) -> Row {
        Row::InView(self.view.clone())
    }
}

impl Deref for View {
    type Target = CourseView;

    fn deref(&self) -> &CourseView {
        &self.view
    }
}

/// The row of a course, read alone or with its view.
#[derive(Clone)]
pub enum Row {
    Alone(Arc<courses::Course>),
    InView(Arc<CourseView>),
}

/// Rows of the same course are the same key of a loader.
impl PartialEq for Row {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for Row {}

impl Hash for Row {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.id.hash(state);
    }
}

impl Deref for Row {
    type Target = courses::Course;

    fn deref(&self) -> &courses::Course {
        match self {
            Row::Alone(row) => row,
            Row::InView(view) => &view.course,
        }
    }
}
