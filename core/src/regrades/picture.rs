//! The state of learners as a transaction sees it, derived by the code that serves learners and teachers.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use kurso_base::error::Result;
use kurso_base::ids::{CourseId, EnrollmentId, GroupId, PageId, UserId};
use kurso_db::{DbOrTx, LIST_LIMIT, Tx, sql};

use super::consequences::{Counted, Picture};
use crate::Kurso;
use crate::courses::Course;
use crate::courses::tree::Tree;
use crate::gradebook::{Learner, Totals};
use crate::learning::progress::{self, Marks};

/// Learners whose marks and attempts are in memory at a time.
const LEARNERS: usize = 500;

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
    fn learner(&self) -> Learner {
        Learner {
            enrollment_id: self.enrollment_id,
            user_id: self.user_id,
            group_id: self.group_id,
        }
    }
}

/// The learners of a course with attempts at some of the pages, in the order of their enrollments. One statement per [`LIST_LIMIT`] pages.
pub(super) async fn concerned(tx: &mut Tx, course: CourseId, pages: &[PageId]) -> Result<Vec<Concerned>> {
    let (mut found, mut seen) = (vec![], HashSet::new());
    for pages in pages.chunks(LIST_LIMIT) {
        let rows = sql!(
            "SELECT e.id AS enrollment_id, e.user_id, e.group_id, u.full_name, u.email, e.completed_at IS NOT NULL AS is_recorded
             FROM enrollments e JOIN users u ON u.id = e.user_id
             WHERE e.course_id = $1 AND e.id IN (SELECT a.enrollment_id FROM attempts a WHERE a.page_id IN ",
            course
        )
        .push_in(pages.iter().copied())
        .push(") ORDER BY e.id")
        .fetch_all::<Concerned>(&mut *tx)
        .await?;
        found.extend(rows.into_iter().filter(|row| seen.insert(row.enrollment_id)));
    }
    Ok(found)
}

/// Reads pictures of a course.
pub(super) struct Pictures {
    pub tree: Arc<Tree>,
    totals: Totals,
}

#[derive(sqlx::FromRow)]
struct AttemptRow {
    enrollment_id: EnrollmentId,
    page_id: PageId,
    score: f64,
    max_score: f64,
    percent: i64,
    passed: bool,
}

impl Pictures {
    /// Call it before the transaction begins, because the tree that it caches must have a committed structure. Publishing changes only titles and
    /// attempt limits in the tree. Pictures contain neither, so one tree serves both pictures.
    pub async fn new(kurso: &Kurso, course: Course) -> Result<Self> {
        let trees = kurso.trees.of(&kurso.db, std::slice::from_ref(&course)).await?;
        let tree = trees.into_iter().next().unwrap_or_default();
        let totals = Totals::load(kurso, course, tree.clone()).await?;
        Ok(Pictures { tree, totals })
    }

    /// The pictures of learners with their results at `pages`, in the order given. Four statements per [`LEARNERS`] of them.
    pub async fn of(&self, tx: &mut Tx, learners: &[Concerned], pages: &[PageId]) -> Result<Vec<Picture>> {
        let mut pictures = Vec::with_capacity(learners.len());
        for chunk in learners.chunks(LEARNERS) {
            let of: Vec<(EnrollmentId, &Tree)> = chunk
                .iter()
                .map(|learner| (learner.enrollment_id, self.tree.as_ref()))
                .collect();
            let marks = progress::marks(&mut *tx, &of).await?;
            let marked = chunk.iter().map(Concerned::learner).zip(marks);
            let marked: Vec<(Learner, Marks)> = marked.collect();
            let grades = self.totals.of(&mut DbOrTx::Tx(tx), &marked).await?;
            let mut counted = counted(tx, chunk, pages).await?;
            for ((learner, marks), grade) in marked.iter().zip(grades) {
                let progress = progress::derive(&self.tree, marks, None);
                pictures.push(Picture {
                    progress: progress.percent(),
                    is_completed: progress.is_complete(),
                    grade: grade.percent,
                    pages: counted.remove(&learner.enrollment_id).unwrap_or_default(),
                });
            }
        }
        Ok(pictures)
    }
}

/// The counted result of each learner in each quiz: the best attempt, of equally good ones the first.
async fn counted(
    tx: &mut Tx,
    learners: &[Concerned],
    pages: &[PageId],
) -> Result<HashMap<EnrollmentId, BTreeMap<PageId, Counted>>> {
    let rows =
        sql!("SELECT enrollment_id, page_id, score, max_score, percent, passed FROM attempts WHERE enrollment_id IN ")
            .push_in(learners.iter().map(|learner| learner.enrollment_id))
            .push(" AND page_id IN ")
            .push_in(pages.iter().copied())
            .push(" ORDER BY enrollment_id, page_id, attempt_no")
            .fetch_all::<AttemptRow>(tx)
            .await?;
    let mut counted: HashMap<EnrollmentId, BTreeMap<PageId, Counted>> = HashMap::new();
    for row in rows {
        let best = counted
            .entry(row.enrollment_id)
            .or_default()
            .entry(row.page_id)
            .or_default();
        if best.percent.is_none_or(|percent| percent < row.percent) {
            best.percent = Some(row.percent);
            best.score = row.score;
            best.max_score = row.max_score;
        }
        best.passed |= row.passed;
    }
    Ok(counted)
}
