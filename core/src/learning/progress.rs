//! Progress rules: a content page is done when visited, a quiz page when passed, a lesson when all its pages are done.
//! Unpublished pages and lessons without pages do not count.

pub mod read;

use std::collections::HashMap;

use chrono::{DateTime, Utc};

use crate::courses::tree::{PageKind, Tree};
pub use crate::schedule::prerequisites::LessonProgress;

/// A learner's visits and attempts in a tree; indexes are those of [`Tree::pages`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    pub visited: Vec<bool>,
    pub passed: Vec<bool>,
    /// Attempted quizzes.
    pub tried: HashMap<usize, AttemptSummary>,
}

/// The attempts at one quiz.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AttemptSummary {
    /// The attempts that count against the limit: all, less those that a teacher gave beyond it.
    pub counted: i64,
    pub best_percent: i64,
    /// Whether answers of one of them wait for a grader, or for the release of their points. Returned work waits until it is handed in again.
    pub is_waiting: bool,
    /// Whether one of them was returned for revision and nothing was handed in since. Such work also waits.
    pub is_returned: bool,
}

/// Why a page is not done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It is not open for the learner.
    Locked {
        /// None if time does not open it.
        opens_at: Option<DateTime<Utc>>,
        /// The titles of what must be completed first.
        needs: Vec<String>,
    },
    NotVisited,
    QuizNotPassed {
        /// None without an attempt.
        best_percent: Option<i64>,
        /// None without a limit.
        attempts_left: Option<i64>,
        /// Whether answers of an attempt wait for a grader, or for the release of their points. False for returned work.
        is_waiting: bool,
        /// As [`AttemptSummary::is_returned`].
        is_returned: bool,
    },
}

/// A learner's progress in a course.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    pub pages_done: usize,
    pub pages_total: usize,
    pub lessons_done: usize,
    pub lessons_total: usize,
    /// By index in [`Tree::lessons`].
    pub lessons: Vec<LessonProgress>,
    /// When 100 % was first reached; kept when the course grows.
    pub completed_at: Option<DateTime<Utc>>,
}

impl Progress {
    /// Percentage of pages done, rounded down: 100 only if all are done, 0 if there are none.
    pub fn percent(&self) -> u8 {
        let percent = (self.pages_done * 100).checked_div(self.pages_total).unwrap_or(0);
        u8::try_from(percent).unwrap_or(100)
    }

    pub fn is_complete(&self) -> bool {
        self.pages_total > 0 && self.pages_done == self.pages_total
    }

    /// The progress of the lesson at this index of the tree.
    pub fn lesson(&self, place: usize) -> LessonProgress {
        self.lessons.get(place).copied().unwrap_or_default()
    }
}

impl Marks {
    /// No page visited, no quiz passed.
    pub fn none(tree: &Tree) -> Self {
        Marks {
            visited: vec![false; tree.pages.len()],
            passed: vec![false; tree.pages.len()],
            tried: HashMap::new(),
        }
    }

    /// Sets what was done at an index.
    pub(crate) fn set(&mut self, place: usize, visited: bool, passed: bool) {
        for (marks, done) in [(&mut self.visited, visited), (&mut self.passed, passed)] {
            if let Some(mark) = marks.get_mut(place) {
                *mark = done;
            }
        }
    }

    /// Replaces the results at the quiz at this index, which has attempts. Their number stays.
    pub(crate) fn set_result(&mut self, place: usize, best_percent: i64, passed: bool) {
        if let Some(mark) = self.passed.get_mut(place) {
            *mark = passed;
        }
        if let Some(tried) = self.tried.get_mut(&place) {
            tried.best_percent = best_percent;
        }
    }

    /// Converts the marks to another tree of the same course. Marks of pages that it does not have are dropped.
    pub(crate) fn moved(&self, from: &Tree, to: &Tree) -> Self {
        let mut marks = Marks::none(to);
        for (at, page) in to.pages.iter().enumerate() {
            let Some(place) = from.place(page.id) else { continue };
            marks.set(at, self.is_visited(place), self.is_passed(place));
            if let Some(tried) = self.tried.get(&place) {
                marks.tried.insert(at, *tried);
            }
        }
        marks
    }

    /// Marks the page at this index as visited.
    pub fn visit(&mut self, place: usize) {
        set(&mut self.visited, place);
    }

    pub fn is_visited(&self, place: usize) -> bool {
        self.visited.get(place).copied().unwrap_or(false)
    }

    pub fn is_done(&self, tree: &Tree, place: usize) -> bool {
        match tree.page(place).kind {
            PageKind::Content => self.is_visited(place),
            PageKind::Quiz | PageKind::Assignment => self.is_passed(place),
        }
    }

    pub fn is_passed(&self, place: usize) -> bool {
        self.passed.get(place).copied().unwrap_or(false)
    }

    /// Why the page is not done; None if it is, or if it is unpublished and does not count. `limit` is the learner's attempt limit.
    pub fn reason(&self, tree: &Tree, place: usize, limit: Option<i64>) -> Option<Reason> {
        let page = tree.page(place);
        if !page.published || self.is_done(tree, place) {
            return None;
        }
        Some(match page.kind {
            PageKind::Content => Reason::NotVisited,
            PageKind::Quiz | PageKind::Assignment => {
                let tried = self.tried.get(&place);
                Reason::QuizNotPassed {
                    best_percent: tried.map(|tried| tried.best_percent),
                    attempts_left: self.attempts_left(place, limit),
                    // It is the learner's turn, not the grader's.
                    is_waiting: tried.is_some_and(|tried| tried.is_waiting && !tried.is_returned),
                    is_returned: tried.is_some_and(|tried| tried.is_returned),
                }
            }
        })
    }

    /// The attempts left within the learner's limit; None without one.
    pub fn attempts_left(&self, place: usize, limit: Option<i64>) -> Option<i64> {
        let used = self.tried.get(&place).map_or(0, |tried| tried.counted);
        limit.map(|max| (max - used).max(0))
    }
}

fn set(marks: &mut [bool], place: usize) {
    if let Some(mark) = marks.get_mut(place) {
        *mark = true;
    }
}

/// Derives the progress that `marks` mean in `tree`.
pub fn derive(tree: &Tree, marks: &Marks, completed_at: Option<DateTime<Utc>>) -> Progress {
    let mut progress = Progress {
        completed_at,
        ..Progress::default()
    };
    progress.lessons.reserve(tree.lessons.len());
    for lesson in &tree.lessons {
        let mut own = LessonProgress::default();
        for place in lesson.pages.clone() {
            if tree.page(place).published {
                own.pages_total += 1;
                own.pages_done += usize::from(marks.is_done(tree, place));
            }
        }
        progress.pages_total += own.pages_total;
        progress.pages_done += own.pages_done;
        progress.lessons_total += usize::from(own.pages_total > 0);
        progress.lessons_done += usize::from(own.is_completed());
        progress.lessons.push(own);
    }
    progress
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::testing::tree_of;

    fn shape() -> impl Strategy<Value = Vec<Vec<(PageKind, bool)>>> {
        let page = (
            prop_oneof![
                Just(PageKind::Content),
                Just(PageKind::Quiz),
                Just(PageKind::Assignment)
            ],
            any::<bool>(),
        );
        prop::collection::vec(prop::collection::vec(page, 0..6), 0..8)
    }

    fn marked(shape: &[Vec<(PageKind, bool)>], bits: &[bool]) -> (Tree, Marks) {
        let tree = tree_of(shape);
        let mut marks = Marks::none(&tree);
        for (i, mark) in marks.visited.iter_mut().chain(marks.passed.iter_mut()).enumerate() {
            *mark = bits.get(i % bits.len().max(1)).copied().unwrap_or(false);
        }
        (tree, marks)
    }

    proptest! {
        #[test]
        fn totals_are_consistent(shape in shape(), bits in prop::collection::vec(any::<bool>(), 1..40)) {
            let (tree, marks) = marked(&shape, &bits);
            let progress = derive(&tree, &marks, None);
            prop_assert!(progress.pages_done <= progress.pages_total);
            prop_assert!(progress.lessons_done <= progress.lessons_total);
            prop_assert_eq!(progress.pages_total, shape.iter().flatten().filter(|(_, published)| *published).count());
            prop_assert_eq!(progress.percent() == 100, progress.is_complete());
            prop_assert_eq!(progress.is_complete(), progress.pages_total > 0 && progress.lessons_done == progress.lessons_total);
        }

        #[test]
        fn a_visit_never_reduces_progress(
            shape in shape(), bits in prop::collection::vec(any::<bool>(), 1..40), which in any::<prop::sample::Index>()
        ) {
            let (tree, mut marks) = marked(&shape, &bits);
            prop_assume!(!marks.visited.is_empty());
            let before = derive(&tree, &marks, None);
            let which = which.index(marks.visited.len());
            marks.visited[which] = true;
            let after = derive(&tree, &marks, None);
            prop_assert!(after.pages_done >= before.pages_done && after.percent() >= before.percent());
        }

        #[test]
        fn a_visited_quiz_is_not_done(n in 1usize..5) {
            let tree = tree_of(&[vec![(PageKind::Quiz, true); n]]);
            let mut marks = Marks::none(&tree);
            marks.visited.fill(true);
            prop_assert_eq!(derive(&tree, &marks, None).pages_done, 0);
            marks.passed.fill(true);
            prop_assert!(derive(&tree, &marks, None).is_complete());
        }
    }

    proptest! {
        #[test]
        fn every_unfinished_page_has_a_reason(shape in shape(), bits in prop::collection::vec(any::<bool>(), 1..40)) {
            let (tree, marks) = marked(&shape, &bits);
            for place in 0..tree.pages.len() {
                let open = tree.page(place).published && !marks.is_done(&tree, place);
                prop_assert_eq!(marks.reason(&tree, place, None).is_some(), open);
            }
        }
    }

    #[test]
    fn an_unpassed_quiz_reports_its_best_result_and_remaining_attempts() {
        let mut tree = tree_of(&[vec![(PageKind::Quiz, true), (PageKind::Content, true)]]);
        tree.pages[0].max_attempts = Some(2);
        let mut marks = Marks::none(&tree);
        let quiz = |best_percent, attempts_left| {
            Some(Reason::QuizNotPassed {
                best_percent,
                attempts_left,
                is_waiting: false,
                is_returned: false,
            })
        };
        assert_eq!(marks.reason(&tree, 0, tree.pages[0].max_attempts), quiz(None, Some(2)));
        assert_eq!(marks.reason(&tree, 1, None), Some(Reason::NotVisited));
        let tried = |counted| AttemptSummary {
            counted,
            best_percent: 40,
            is_waiting: false,
            is_returned: false,
        };
        marks.tried.insert(0, tried(1));
        assert_eq!(
            marks.reason(&tree, 0, tree.pages[0].max_attempts),
            quiz(Some(40), Some(1))
        );
        marks.tried.insert(0, tried(3));
        assert_eq!(
            marks.reason(&tree, 0, tree.pages[0].max_attempts),
            quiz(Some(40), Some(0)),
            "the limit was lowered later"
        );
        tree.pages[0].max_attempts = None;
        assert_eq!(marks.reason(&tree, 0, tree.pages[0].max_attempts), quiz(Some(40), None));
        let waiting = AttemptSummary {
            is_waiting: true,
            ..tried(3)
        };
        marks.tried.insert(0, waiting);
        assert!(matches!(
            marks.reason(&tree, 0, None),
            Some(Reason::QuizNotPassed {
                is_waiting: true,
                is_returned: false,
                ..
            })
        ));
        let returned = AttemptSummary {
            is_returned: true,
            ..waiting
        };
        marks.tried.insert(0, returned);
        assert!(matches!(
            marks.reason(&tree, 0, None),
            Some(Reason::QuizNotPassed { is_returned: true, .. })
        ));
        marks.passed[0] = true;
        assert_eq!(marks.reason(&tree, 0, tree.pages[0].max_attempts), None);
    }

    #[test]
    fn percentages_are_rounded_down() {
        let progress = Progress {
            pages_done: 199,
            pages_total: 200,
            ..Progress::default()
        };
        assert_eq!(progress.percent(), 99);
        assert_eq!(Progress::default().percent(), 0);
    }
}
