//! The schedule of a course tree at one moment: [`crate::schedule::resolve`] with the dates of the tree, and the prerequisites that a learner
//! has not completed.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::Course;
use super::overrides::{Own, Place};
use super::tree::Tree;
use crate::schedule::overrides::merged;
use crate::schedule::prerequisites::{LessonProgress, Part};
use crate::schedule::{self, State, Timing};

#[cfg(test)]
mod tests;

/// What learners read in place of the title of a locked module or lesson whose course hides such titles.
const HIDDEN_TITLE: &str = "…";

/// How many titles of what must be completed first a timing has. More would make the tree of a large course very long, and a learner begins
/// with the first ones anyway.
const NAMED_NEEDS: usize = 10;

/// Says for each part of a course whether it is open for the viewer.
#[derive(Clone, Copy)]
pub struct Timeline<'a> {
    course: &'a Course,
    tree: &'a Tree,
    own: &'a Own,
    /// What the viewer has done of each lesson.
    progress: &'a [LessonProgress],
    now: DateTime<Utc>,
    /// Whether the course has any date: otherwise nothing is resolved.
    is_dated: bool,
    /// Whether anything may have to be completed first.
    has_needs: bool,
}

impl<'a> Timeline<'a> {
    /// `own` are the overrides that concern the viewer, and `progress` is theirs in each lesson of the tree.
    pub fn of(
        course: &'a Course,
        tree: &'a Tree,
        own: &'a Own,
        progress: &'a [LessonProgress],
        now: DateTime<Utc>,
    ) -> Self {
        Timeline {
            course,
            tree,
            own,
            progress,
            now,
            is_dated: tree.has_dates || !course.dates.is_open_ended() || !own.is_empty(),
            has_needs: !course.role.is_staff() && (course.dates.sequential || !tree.prerequisites.is_empty()),
        }
    }

    /// Whether the course has any date.
    pub(crate) fn is_dated(self) -> bool {
        self.is_dated
    }

    /// The course as a whole.
    pub fn course(self) -> Timing {
        self.resolve(|| schedule::resolve(self.own.course(self.course), &[], None, self.now))
    }

    /// The module at this index of the tree.
    pub fn module(self, place: usize) -> Timing {
        self.resolve(|| {
            let module = self.tree.module(place).own_dates();
            let [module] = merged([(module, self.own.at(Place::Module(place)))]);
            schedule::resolve(self.own.course(self.course), &[&module], None, self.now)
        })
        .needing(self.needs(Part::Module(place)))
    }

    /// The lesson at this index of the tree.
    pub fn lesson(self, place: usize) -> Timing {
        self.resolve(|| {
            let lesson = self.tree.lesson(place);
            let module = self.tree.module(lesson.module).own_dates();
            let [module, lesson] = merged([
                (module, self.own.at(Place::Module(lesson.module))),
                (lesson.own_dates(), self.own.at(Place::Lesson(place))),
            ]);
            schedule::resolve(self.own.course(self.course), &[&module, &lesson], None, self.now)
        })
        .needing(self.needs(Part::Lesson(place)))
    }

    /// The page at this index of the tree.
    pub fn page(self, place: usize) -> Timing {
        self.page_by_dates(place)
            .needing(self.needs(Part::Lesson(self.tree.page(place).lesson)))
    }

    /// The page at this index of the tree as if nothing had to be completed first.
    pub(crate) fn page_by_dates(self, place: usize) -> Timing {
        self.resolve(|| {
            let page = self.tree.page(place);
            let lesson = self.tree.lesson(page.lesson);
            let module = self.tree.module(lesson.module);
            let (dates, late) = page.own_dates();
            let over = self.own.at(Place::Page(place));
            let [module, lesson, dates] = merged([
                (module.own_dates(), self.own.at(Place::Module(lesson.module))),
                (lesson.own_dates(), self.own.at(Place::Lesson(page.lesson))),
                (dates, over),
            ]);
            let late = over.late(late);
            let attempts = page.kind.takes_attempts().then_some(&late);
            let chain = [&module, &lesson, &dates];
            schedule::resolve(self.own.course(self.course), &chain, attempts, self.now)
        })
    }

    /// The first titles of what the viewer must complete before a part. They are those of the tree, in which hidden titles are hidden.
    fn needs(self, part: Part) -> Vec<String> {
        if !self.has_needs {
            return Vec::new();
        }
        let is_sequential = self.course.dates.sequential;
        let unmet = self.tree.prerequisites.unmet(part, is_sequential, self.progress);
        unmet
            .into_iter()
            .take(NAMED_NEEDS)
            .map(|part| self.tree.title(part).to_owned())
            .collect()
    }

    fn resolve(self, timing: impl FnOnce() -> Timing) -> Timing {
        if !self.is_dated {
            return Timing::UNLIMITED;
        }
        let timing = timing();
        if self.course.role.is_staff() {
            timing.for_staff()
        } else {
            timing
        }
    }

    /// Whether learners may see fewer titles than the tree has.
    pub(crate) fn hides_titles(self) -> bool {
        let may_be_locked = self.is_dated || self.has_needs;
        may_be_locked && self.course.dates.hide_locked_titles && !self.course.role.is_staff()
    }

    /// The tree without the titles of what is locked, if the course hides them.
    pub(crate) fn shown(self, tree: &Arc<Tree>) -> Arc<Tree> {
        if !self.hides_titles() {
            return tree.clone();
        }
        let mut shown = Tree::clone(tree);
        for (place, module) in shown.modules.iter_mut().enumerate() {
            if self.module(place).state == State::Locked {
                HIDDEN_TITLE.clone_into(&mut module.title);
                (module.description, module.avatar_url) = (None, None);
            }
        }
        for (place, lesson) in shown.lessons.iter_mut().enumerate() {
            if self.lesson(place).state == State::Locked {
                HIDDEN_TITLE.clone_into(&mut lesson.title);
            }
        }
        for (place, page) in shown.pages.iter_mut().enumerate() {
            if self.page(place).state == State::Locked {
                page.title = None;
            }
        }
        Arc::new(shown)
    }
}
