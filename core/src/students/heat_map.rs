//! The heat map of a course: per page, how many students visited it, completed it, and stopped there ([decision
//! 32](../../../docs/decisions/0032-the-heat-map.md)).
//!
//! Like the class list, it reads the stored progress of each student, one row each, and derives the rest in memory from
//! the current tree. [`crate::attempts::hardest`] finds the hardest questions.

use std::sync::Arc;

use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::attempts;
use crate::attempts::HardQuestion;
use crate::courses::enrollment::{AttemptSummaries, ProgressBitmap, StoredProgress};
use crate::courses::groups::GroupFilter;
use crate::courses::tree::Tree;
use crate::courses::{self, Course};
use crate::learning::progress::{self, Marks};
use crate::learning::stored_progress::Numbers;
use kurso_base::error::Result;
use kurso_base::ids::{CourseId, EnrollmentId};
use kurso_db::sql;

/// Students without stored progress are read from visits and attempts in chunks of this size, held in memory.
const CHUNK: usize = 500;

/// The heat map of a course. `students` is the sum of `completed`, `not_started` and all `stopped`.
#[derive(Clone, Debug)]
pub struct HeatMap {
    pub course: Course,
    pub tree: Arc<Tree>,
    /// The students counted.
    pub group: GroupFilter,
    pub students: usize,
    /// Students who have completed the course at any time, even if it has grown since.
    pub completed: usize,
    /// Students who have visited none of the current pages.
    pub not_started: usize,
    /// By index in the tree.
    pages: Vec<PageHeat>,
}

/// The heat map of one page; all zero for an unpublished page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PageHeat {
    /// Students who visited the page or attempted its quiz.
    pub visited: usize,
    /// Students who visited a content page, or passed a quiz.
    pub done: usize,
    /// Students who have not completed the course and visited no later page; of those who have done all pages from there on, the
    /// students for whom this is the first page that is not done.
    pub stopped: usize,
    /// Students who attempted its quiz.
    pub tried: usize,
    /// Students whose answers wait for a grader, so that their percentages are not final.
    pub waiting: usize,
    /// Students with waiting answers who have not passed.
    undecided: usize,
    /// The sum of the percentages of the best attempts that are final.
    percents: usize,
}

impl PageHeat {
    /// The mean of the best attempts that are final, rounded down; None without any.
    pub fn average_percent(self) -> Option<usize> {
        self.percents.checked_div(self.tried - self.waiting)
    }

    /// The pass rate among the students who have passed or whose attempts are final, in percent, rounded down; None without any.
    pub fn passed_percent(self) -> Option<usize> {
        (self.done * 100).checked_div(self.tried - self.undecided)
    }
}

#[derive(sqlx::FromRow)]
struct Row {
    id: EnrollmentId,
    has_completed: bool,
    marks: Option<ProgressBitmap>,
    tries: Option<AttemptSummaries>,
}

impl Row {
    fn stored(&mut self) -> Option<StoredProgress> {
        let (marks, tries) = (self.marks.take()?, self.tries.take()?);
        Some(StoredProgress { marks, tries })
    }
}

/// The heat map of a course for the students that `group` selects; fails with 403 for learners. At most five statements for any size of course and class (two
/// if the tree is cached), and one more per 500 students without stored progress.
pub async fn find(kurso: &Kurso, viewer: &Viewer, course: CourseId, group: GroupFilter) -> Result<HeatMap> {
    let course = courses::find(&kurso.db, viewer, course, Right::SeeStudents).await?;
    let trees = kurso.trees.of(&kurso.db, std::slice::from_ref(&course)).await?;
    let tree = trees.into_iter().next().unwrap_or_default();
    let rows = sql!(
        "SELECT e.id, e.completed_at IS NOT NULL AS has_completed, e.marks, e.tries FROM enrollments e
         WHERE e.course_id = $1",
        course.id
    );
    let rows = group.on(rows).fetch_all::<Row>(&kurso.db).await?;
    let mut map = HeatMap {
        pages: vec![PageHeat::default(); tree.pages.len()],
        course,
        tree: tree.clone(),
        group,
        students: 0,
        completed: 0,
        not_started: 0,
    };
    let numbers = Numbers::of(&tree);
    let mut missing = Vec::new();
    for mut row in rows {
        match row.stored() {
            Some(stored) => map.count(&numbers.marks(&stored), row.has_completed),
            None => missing.push(row),
        }
    }
    for rows in missing.chunks(CHUNK) {
        let of: Vec<_> = rows.iter().map(|row| (row.id, tree.as_ref())).collect();
        let marks = progress::read::marks(&kurso.db, &of).await?;
        for (row, marks) in rows.iter().zip(&marks) {
            map.count(marks, row.has_completed);
        }
    }
    Ok(map)
}

impl HeatMap {
    /// The page at this index of the tree.
    pub fn page(&self, place: usize) -> PageHeat {
        self.pages.get(place).copied().unwrap_or_default()
    }

    /// The indexes of a lesson's published pages, in order.
    pub fn pages_of(&self, lesson: usize) -> impl Iterator<Item = usize> + '_ {
        let places = self.tree.lesson(lesson).pages.clone();
        places.filter(|place| self.tree.page(*place).published)
    }

    /// The questions with the lowest scores, hardest first. At most two statements.
    pub async fn hardest_questions(&self, kurso: &Kurso) -> Result<Vec<HardQuestion>> {
        attempts::hardest(&kurso.db, self.course.id, self.group, self.students).await
    }

    /// Adds a student.
    fn count(&mut self, marks: &Marks, has_completed: bool) {
        for (place, (page, heat)) in self.tree.pages.iter().zip(&mut self.pages).enumerate() {
            if !page.published {
                continue;
            }
            heat.visited += usize::from(marks.is_visited(place));
            heat.done += usize::from(marks.is_done(&self.tree, place));
        }
        for (place, tried) in &marks.tried {
            let (Some(page), Some(heat)) = (self.tree.pages.get(*place), self.pages.get_mut(*place)) else {
                continue;
            };
            if !page.published {
                continue;
            }
            heat.visited += usize::from(!marks.is_visited(*place));
            heat.tried += 1;
            if tried.is_waiting {
                heat.waiting += 1;
                heat.undecided += usize::from(!marks.is_passed(*place));
            } else {
                heat.percents += usize::try_from(tried.best_percent).unwrap_or_default();
            }
        }
        self.students += 1;
        match Standing::of(&self.tree, marks, has_completed) {
            Standing::Completed => self.completed += 1,
            Standing::NotStarted => self.not_started += 1,
            Standing::StoppedAt(place) => {
                if let Some(heat) = self.pages.get_mut(place) {
                    heat.stopped += 1;
                }
            }
        }
    }
}

/// How far a student has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Standing {
    /// Has completed the course at any time, even if it has grown since.
    Completed,
    /// Has visited none of the current pages.
    NotStarted,
    /// Has stopped at the page at this index of the tree: see [`PageHeat::stopped`].
    StoppedAt(usize),
}

impl Standing {
    pub fn of(tree: &Tree, marks: &Marks, has_completed: bool) -> Self {
        let published = tree.pages.iter().enumerate().filter(|(_, page)| page.published);
        let (mut last, mut open) = (None, Vec::new());
        for (place, _) in published {
            if !marks.is_done(tree, place) {
                open.push(place);
            }
            if marks.is_visited(place) || marks.tried.contains_key(&place) {
                last = Some(place);
            }
        }
        // Without pages there is nothing to complete or to visit.
        if has_completed || (open.is_empty() && last.is_some()) {
            return Standing::Completed;
        }
        // Who skipped a quiz and read on to the end stopped at the quiz.
        let is_at_end = last.is_some_and(|last| open.iter().all(|place| *place < last));
        let stopped = if is_at_end { open.first().copied() } else { last };
        stopped.map_or(Standing::NotStarted, Standing::StoppedAt)
    }
}
