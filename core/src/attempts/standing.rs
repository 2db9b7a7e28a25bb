//! The standing of learners in quizzes: the attempts used and the best result.

use std::collections::HashMap;

use super::review::AttemptRow;
use crate::learning::progress::read::{counted_attempts, undecided_attempts};
use kurso_base::error::Result;
use kurso_base::ids::{EnrollmentId, PageId};
use kurso_db::{Executor, sql};

/// A learner's standing in a quiz.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// The attempts that count against the limit: all, less those that a teacher gave beyond it.
    pub attempts_used: i64,
    /// The number of the last attempt; 0 before the first.
    pub last_no: i64,
    pub best_percent: Option<i64>,
    pub passed: bool,
    /// Whether answers of an attempt wait for a grader, or for the release of their points.
    pub is_waiting: bool,
    /// Whether an attempt was returned for revision and nothing was handed in since.
    pub is_returned: bool,
}

impl Standing {
    /// The attempts left within the learner's limit; None without one.
    pub fn attempts_left(&self, limit: Option<i64>) -> Option<i64> {
        limit.map(|max| (max - self.attempts_used).max(0))
    }

    /// Adds a new attempt.
    pub(super) fn count(&mut self, row: &AttemptRow) {
        self.attempts_used += 1;
        self.last_no = row.attempt_no;
        self.best_percent = self.best_percent.max(Some(row.percent));
        self.passed |= row.passed;
        self.is_waiting |= row.waiting > 0;
        self.is_returned = false;
    }
}

#[derive(sqlx::FromRow)]
struct StandingRow {
    page_id: PageId,
    attempts_used: i64,
    last_no: i64,
    best_percent: i64,
    passed: i64,
    waiting: i64,
    returned: i64,
}

/// The standing of a learner in each quiz of `pages` that they have tried. One statement.
pub async fn standings(
    on: impl Executor,
    enrollments: &[EnrollmentId],
    pages: &[PageId],
) -> Result<HashMap<PageId, Standing>> {
    let rows = sql!(concat!(
        "SELECT a.page_id, ",
        counted_attempts!("a.page_id"),
        " AS attempts_used, MAX(a.attempt_no) AS last_no, MAX(a.percent) AS best_percent,
               MAX(CAST(CASE WHEN a.passed THEN 1 ELSE 0 END AS BIGINT)) AS passed, ",
        undecided_attempts!(),
        " FROM attempts a WHERE a.enrollment_id IN "
    ))
    .push_in(enrollments.iter().copied())
    .push(" AND a.page_id IN ")
    .push_in(pages.iter().copied())
    .push(" GROUP BY a.enrollment_id, a.page_id")
    .fetch_all::<StandingRow>(on)
    .await?;
    let standing = |row: StandingRow| Standing {
        attempts_used: row.attempts_used,
        last_no: row.last_no,
        best_percent: Some(row.best_percent),
        passed: row.passed == 1,
        is_waiting: row.waiting == 1,
        is_returned: row.returned == 1,
    };
    Ok(rows.into_iter().map(|row| (row.page_id, standing(row))).collect())
}

/// The standing of a learner in the quiz of a page.
pub(super) async fn standing(on: impl Executor, enrollment: EnrollmentId, page: PageId) -> Result<Standing> {
    let mut found = standings(on, &[enrollment], &[page]).await?;
    Ok(found.remove(&page).unwrap_or_default())
}
