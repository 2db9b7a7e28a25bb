//! The heat map of a course: how many students were on each page, who got it done, and where they stopped.
//! ([Decision 32](../../../docs/decisions/0032-the-heat-map.md))
//!
//! Like the class list it reads what is kept of each student, one row each, and derives the rest in memory from the tree as
//! it is now. What is hard in the quizzes is read apart: [`crate::quiz::hardest`].

use std::sync::Arc;

use super::marks::{Kept, KeptMarks, Numbers, Tries};
use super::progress::{self, Marks};
use crate::access::{Right, Viewer};
use crate::courses::tree::{PageKind, Tree};
use crate::courses::{self, Course};
use crate::error::Result;
use crate::ids::{CourseId, EnrollmentId};
use crate::quiz::{self, HardQuestion};
use crate::{Kurso, sql};

/// Students whose marks are read from what they did at once, because they are not kept: it is in memory meanwhile.
const CHUNK: usize = 500;

/// What a class did with a course. `students` is `completed` and `not_started` and those who stopped at the pages.
#[derive(Clone, Debug)]
pub struct HeatMap {
    pub course: Course,
    pub tree: Arc<Tree>,
    pub students: usize,
    /// Once is enough: who had completed the course before it grew is among them.
    pub completed: usize,
    /// Those who have been on none of the pages there are now.
    pub not_started: usize,
    /// By place in the tree.
    pages: Vec<PageHeat>,
}

/// What a class did with a page. All zero for one that is not published.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PageHeat {
    /// Students who were there; who tried its quiz was.
    pub visited: usize,
    /// Those who got it done: visited a content page, passed a quiz.
    pub done: usize,
    /// Those who have not completed the course and were on no later page of it.
    pub stopped: usize,
    /// Those who tried its quiz.
    pub tried: usize,
    /// Of their best attempts.
    percents: usize,
}

impl PageHeat {
    /// The average of the best attempts, rounded down; None when nobody tried.
    pub fn average_percent(self) -> Option<usize> {
        self.percents.checked_div(self.tried)
    }

    /// How many of those who tried the quiz have passed it, in percent rounded down; None when nobody tried.
    pub fn passed_percent(self) -> Option<usize> {
        (self.done * 100).checked_div(self.tried)
    }
}

#[derive(sqlx::FromRow)]
struct Row {
    id: EnrollmentId,
    has_completed: bool,
    marks: Option<Kept>,
    tries: Option<Tries>,
}

impl Row {
    fn kept(&mut self) -> Option<KeptMarks> {
        let (marks, tries) = (self.marks.take()?, self.tries.take()?);
        Some(KeptMarks { marks, tries })
    }
}

/// The heat map of a course; 403 for learners. At most five statements whatever the size of the course and the class, two
/// when the tree is known, and one more for each 500 students whose marks are not kept.
pub async fn find(kurso: &Kurso, viewer: &Viewer, course: CourseId) -> Result<HeatMap> {
    let course = courses::find(&kurso.db, viewer, course, Right::SeeStudents).await?;
    let trees = kurso.trees.of(&kurso.db, std::slice::from_ref(&course)).await?;
    let tree = trees.into_iter().next().unwrap_or_default();
    let rows = sql!(
        "SELECT id, completed_at IS NOT NULL AS has_completed, marks, tries FROM enrollments WHERE course_id = $1",
        course.id
    )
    .fetch_all::<Row>(&kurso.db)
    .await?;
    let mut map = HeatMap {
        pages: vec![PageHeat::default(); tree.pages.len()],
        course,
        tree: tree.clone(),
        students: 0,
        completed: 0,
        not_started: 0,
    };
    let numbers = Numbers::of(&tree);
    let mut missing = Vec::new();
    for mut row in rows {
        match row.kept() {
            Some(kept) => map.count(&numbers.marks(&kept), row.has_completed),
            None => missing.push(row),
        }
    }
    for rows in missing.chunks(CHUNK) {
        let of: Vec<_> = rows.iter().map(|row| (row.id, tree.as_ref())).collect();
        let marks = progress::marks(&kurso.db, &of).await?;
        for (row, marks) in rows.iter().zip(&marks) {
            map.count(marks, row.has_completed);
        }
    }
    Ok(map)
}

impl HeatMap {
    /// The page at this place of the tree.
    pub fn page(&self, place: usize) -> PageHeat {
        self.pages.get(place).copied().unwrap_or_default()
    }

    /// The places of a lesson's pages that count: the published ones, in order.
    pub fn pages_of(&self, lesson: usize) -> impl Iterator<Item = usize> + '_ {
        let places = self.tree.lesson(lesson).pages.clone();
        places.filter(|place| self.tree.page(*place).published)
    }

    /// The questions that cost the class most, the hardest first. At most two statements.
    pub async fn hardest_questions(&self, kurso: &Kurso) -> Result<Vec<HardQuestion>> {
        quiz::hardest(&kurso.db, self.course.id, self.students).await
    }

    /// Takes in a student.
    fn count(&mut self, marks: &Marks, has_completed: bool) {
        let (mut last, mut left) = (None, 0);
        for (place, (page, heat)) in self.tree.pages.iter().zip(&mut self.pages).enumerate() {
            if !page.published {
                continue;
            }
            let is_visited = marks.is_visited(place);
            let is_done = match page.kind {
                PageKind::Content => is_visited,
                PageKind::Quiz => marks.is_passed(place),
            };
            heat.visited += usize::from(is_visited);
            heat.done += usize::from(is_done);
            left += usize::from(!is_done);
            if is_visited {
                last = Some(place);
            }
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
            heat.percents += usize::try_from(tried.best_percent).unwrap_or_default();
            last = last.max(Some(*place));
        }
        self.students += 1;
        // With no pages there is nothing to complete, and nowhere to have been.
        if has_completed || (left == 0 && last.is_some()) {
            self.completed += 1;
            return;
        }
        match last.and_then(|place| self.pages.get_mut(place)) {
            Some(heat) => heat.stopped += 1,
            None => self.not_started += 1,
        }
    }
}
