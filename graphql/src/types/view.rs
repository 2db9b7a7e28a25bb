use std::ops::Deref;
use std::sync::Arc;

use kurso_core::courses;
use kurso_core::learning::view::CourseView;

use super::loaders::Loaders;

/// A course as one request reads it, shared by everything that leads to it.
#[derive(Clone)]
pub struct View {
    view: Arc<CourseView>,
    pub(super) loaders: Arc<Loaders>,
}

impl View {
    pub fn new(view: CourseView) -> Self {
        View::among(Arc::new(view), Arc::default())
    }

    /// One of several that are read together.
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

/// A course's own row, wherever it was read.
#[derive(Clone)]
pub enum Row {
    Alone(Arc<courses::Course>),
    InView(Arc<CourseView>),
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
