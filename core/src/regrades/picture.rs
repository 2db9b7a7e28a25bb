//! The state of learners before and after a regrade, derived by the code that serves learners and teachers.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use kurso_base::error::Result;
use kurso_base::ids::{AttemptId, CourseId, EnrollmentId, GroupId, PageId, UserId};
use kurso_db::{DbOrTx, Executor, LIST_LIMIT, sql};

use super::consequences::{Counted, Picture};
use crate::Kurso;
use crate::courses::Course;
use crate::courses::tree::Tree;
use crate::gradebook::{Final, Learner, Totals};
use crate::learning::progress::{self, Marks};
use crate::learning::stored_progress;

/// Learners whose marks and attempts are in memory at a time.
pub(super) const LEARNERS: usize = 500;

/// A learner with attempts at pages.
#[derive(Clone, Debug, sqlx::FromRow)]
pub(super) struct Concerned {
    pub enrollment_id: EnrollmentId,
    pub user_id: UserId,
    pub group_id: Option<GroupId>,
    pub full_name: Option<String>,
    pub email: String,
    /// Whether the completion of the course is recorded.
    pub is_recorded: bool,
}

impl Concerned {
    pub(super) fn learner(&self) -> Learner {
        Learner {
            enrollment_id: self.enrollment_id,
            user_id: self.user_id,
            group_id: self.group_id,
        }
    }
}

/// Selects learners. A condition on `enrollments e` must follow.
const LEARNERS_WHERE: &str = "SELECT e.id AS enrollment_id, e.user_id, e.group_id, u.full_name, u.email, e.completed_at IS NOT NULL AS is_recorded
     FROM enrollments e JOIN users u ON u.id = e.user_id WHERE ";

/// The learners of a course with attempts at some of the pages, in the order of their enrollments. One statement per [`LIST_LIMIT`] pages.
pub(super) async fn concerned(on: &mut DbOrTx<'_>, course: CourseId, pages: &[PageId]) -> Result<Vec<Concerned>> {
    let (mut found, mut seen) = (vec![], HashSet::new());
    for pages in pages.chunks(LIST_LIMIT) {
        let rows = sql!(LEARNERS_WHERE)
            .push("e.course_id = ")
            .push_bind(course)
            .push(" AND e.id IN (SELECT a.enrollment_id FROM attempts a WHERE a.page_id IN ")
            .push_in(pages.iter().copied())
            .push(") ORDER BY e.id")
            .fetch_all::<Concerned>(&mut *on)
            .await?;
        found.extend(rows.into_iter().filter(|row| seen.insert(row.enrollment_id)));
    }
    Ok(found)
}

/// All learners of a course, in the order of their enrollments. One statement.
pub(super) async fn all(on: &mut DbOrTx<'_>, course: CourseId) -> Result<Vec<Concerned>> {
    let rows = sql!(LEARNERS_WHERE).push("e.course_id = ").push_bind(course);
    Ok(rows.push(" ORDER BY e.id").fetch_all(on).await?)
}

/// The learners with these enrollments, in any order. One statement.
pub(super) async fn enrolled(
    on: impl Executor,
    enrollments: impl Iterator<Item = EnrollmentId>,
) -> Result<Vec<Concerned>> {
    let rows = sql!(LEARNERS_WHERE).push("e.id IN ").push_in(enrollments);
    Ok(rows.fetch_all(on).await?)
}

/// The result of an attempt.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outcome {
    pub score: f64,
    pub max_score: f64,
    pub percent: i64,
    pub passed: bool,
}

/// The results that attempts get by a regrade.
pub(super) type Outcomes = HashMap<AttemptId, Outcome>;

/// Reads pictures of a course.
pub(super) struct Pictures {
    pub tree: Arc<Tree>,
    totals: Totals,
}

#[derive(sqlx::FromRow)]
struct AttemptRow {
    id: AttemptId,
    enrollment_id: EnrollmentId,
    page_id: PageId,
    score: f64,
    max_score: f64,
    percent: i64,
    passed: bool,
}

impl AttemptRow {
    fn outcome(&self) -> Outcome {
        Outcome {
            score: self.score,
            max_score: self.max_score,
            percent: self.percent,
            passed: self.passed,
        }
    }
}

/// The counted result of each learner at each page.
type CountedResults = HashMap<EnrollmentId, BTreeMap<PageId, Counted>>;

impl Pictures {
    /// Call it before the transaction begins, because the tree that it caches must have a committed structure. Publishing changes only titles and
    /// attempt limits in the tree. Pictures contain neither, so one tree serves both pictures.
    pub async fn new(kurso: &Kurso, course: Course) -> Result<Self> {
        let trees = kurso.trees.of(&kurso.db, std::slice::from_ref(&course)).await?;
        Self::with_tree(kurso, course, trees.into_iter().next().unwrap_or_default()).await
    }

    /// Reads pictures of a course with this tree.
    pub async fn with_tree(kurso: &Kurso, course: Course, tree: Arc<Tree>) -> Result<Self> {
        let totals = Totals::load(kurso, course, tree.clone()).await?;
        Ok(Pictures { tree, totals })
    }

    /// Returns the pictures of learners with these marks, without results, in the order given. Two statements.
    pub async fn of(&self, on: &mut DbOrTx<'_>, learners: &[(Learner, Marks)]) -> Result<Vec<Picture>> {
        let grades = self.totals.of(on, learners).await?;
        let pairs: Vec<_> = learners.iter().zip(&grades).collect();
        Ok(self.pictures(&pairs, CountedResults::new()))
    }

    /// Two pictures of each learner with the results at `pages`, in the order given: as stored, and with the outcomes in place of stored results.
    /// Five statements per [`LEARNERS`] of them.
    pub async fn before_and_after(
        &self,
        on: &mut DbOrTx<'_>,
        learners: &[Concerned],
        pages: &[PageId],
        outcomes: &Outcomes,
    ) -> Result<(Vec<Picture>, Vec<Picture>)> {
        let (mut before, mut after) = (Vec::with_capacity(learners.len()), Vec::with_capacity(learners.len()));
        for chunk in learners.chunks(LEARNERS) {
            let ids: Vec<EnrollmentId> = chunk.iter().map(|learner| learner.enrollment_id).collect();
            let marks = stored_progress::results::marks(on, &self.tree, &ids).await?;
            let rows = attempts(on, &ids, pages).await?;
            let mut marked: Vec<(Learner, Marks)> = chunk.iter().map(Concerned::learner).zip(marks).collect();
            let results = count(&rows, AttemptRow::outcome);
            let new_results = count(&rows, |row| outcomes.get(&row.id).copied().unwrap_or(row.outcome()));
            let regraded = marked.clone().into_iter().map(|(learner, mut marks)| {
                for (page, result) in new_results.get(&learner.enrollment_id).into_iter().flatten() {
                    if let (Some(place), Some(percent)) = (self.tree.place(*page), result.percent) {
                        marks.set_result(place, percent, result.passed);
                    }
                }
                (learner, marks)
            });
            marked.extend(regraded);
            // Decisions of teachers are read once, so that one that is made meanwhile is not a difference.
            let grades = self.totals.of(on, &marked).await?;
            let pairs: Vec<_> = marked.iter().zip(&grades).collect();
            let (stored, regraded) = pairs.split_at(chunk.len());
            before.extend(self.pictures(stored, results));
            after.extend(self.pictures(regraded, new_results));
        }
        Ok((before, after))
    }

    fn pictures(&self, learners: &[(&(Learner, Marks), &Final)], mut results: CountedResults) -> Vec<Picture> {
        let pictures = learners.iter().map(|((learner, marks), grade)| {
            let progress = progress::derive(&self.tree, marks, None);
            Picture {
                progress: progress.percent(),
                is_completed: progress.is_complete(),
                grade: grade.percent,
                pages: results.remove(&learner.enrollment_id).unwrap_or_default(),
            }
        });
        pictures.collect()
    }
}

/// The attempts of learners at pages, in the order in which they were handed in.
async fn attempts(on: &mut DbOrTx<'_>, learners: &[EnrollmentId], pages: &[PageId]) -> Result<Vec<AttemptRow>> {
    let rows = sql!(
        "SELECT id, enrollment_id, page_id, score, max_score, percent, passed FROM attempts WHERE enrollment_id IN "
    )
    .push_in(learners.iter().copied())
    .push(" AND page_id IN ")
    .push_in(pages.iter().copied())
    .push(" ORDER BY enrollment_id, page_id, attempt_no")
    .fetch_all(on)
    .await?;
    Ok(rows)
}

/// The counted result of each learner in each quiz: the best attempt, of equally good ones the first.
fn count(rows: &[AttemptRow], outcome: impl Fn(&AttemptRow) -> Outcome) -> CountedResults {
    let mut counted = CountedResults::new();
    for row in rows {
        let outcome = outcome(row);
        let best = counted
            .entry(row.enrollment_id)
            .or_default()
            .entry(row.page_id)
            .or_default();
        if best.percent.is_none_or(|percent| percent < outcome.percent) {
            best.percent = Some(outcome.percent);
            best.score = outcome.score;
            best.max_score = outcome.max_score;
        }
        best.passed |= outcome.passed;
    }
    counted
}
