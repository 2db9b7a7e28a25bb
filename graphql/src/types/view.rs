use std::collections::HashMap;
use std::ops::{Deref, Range};
use std::sync::{Arc, Mutex, PoisonError};

use kurso_core::courses::Counts;
use kurso_core::learning::view::CourseView;
use tokio::sync::OnceCell;

use super::page::Contents;

/// A course as one request reads it, shared by everything that leads to it: what is asked of it by many ways, such as every
/// page's `course`, is read once.
pub struct View {
    view: CourseView,
    pub(super) counts: OnceCell<Counts>,
    contents: Mutex<HashMap<Part, Arc<Contents>>>,
}

/// A part of a course by its place in the tree.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum Part {
    Course,
    Module(usize),
    Lesson(usize),
    Page(usize),
}

impl View {
    pub fn new(view: CourseView) -> Arc<Self> {
        Arc::new(View {
            view,
            counts: OnceCell::new(),
            contents: Mutex::default(),
        })
    }

    /// Those of the pages of a part that the caller sees; nothing is read yet.
    pub fn contents(&self, part: Part) -> Arc<Contents> {
        let mut known = self.contents.lock().unwrap_or_else(PoisonError::into_inner);
        let contents = known.entry(part).or_insert_with(|| {
            let places: Vec<usize> = match part {
                Part::Course => self.pages_of_lessons(0..self.tree.lessons.len()),
                Part::Module(place) => self.pages_of_lessons(self.module(place).lessons.clone()),
                Part::Lesson(place) => self.pages_of_lessons(place..place + 1),
                Part::Page(place) => vec![place],
            };
            let pages = places.into_iter().map(|place| self.page(place).id);
            Arc::new(Contents::of(pages.collect()))
        });
        contents.clone()
    }

    fn pages_of_lessons(&self, lessons: Range<usize>) -> Vec<usize> {
        let lessons = lessons.map(|place| self.lesson(place));
        lessons.flat_map(|lesson| self.pages_of(lesson)).collect()
    }
}

impl Deref for View {
    type Target = CourseView;

    fn deref(&self) -> &CourseView {
        &self.view
    }
}
