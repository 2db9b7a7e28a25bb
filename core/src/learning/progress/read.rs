//! Reads what learners have visited and attempted.

use std::collections::HashMap;

use kurso_base::error::Result;
use kurso_base::ids::{EnrollmentId, PageId};
use kurso_db::{Executor, sql};

use super::{AttemptSummary, Marks, set};
use crate::courses::tree::Tree;

/// The number of attempts in a group of `attempts a` that count against the limit of the quiz: without those returned for revision and
/// those that a teacher gave; grouped by `a.enrollment_id` and
/// `$page`, the column with the page's id.
macro_rules! counted_attempts {
    ($page:literal) => {
        concat!(
            "CAST(SUM(CASE WHEN a.is_returned THEN 0 ELSE 1 END) AS BIGINT) - COALESCE((SELECT x.granted FROM extra_attempts x WHERE x.enrollment_id = a.enrollment_id AND x.page_id = ",
            $page,
            "), 0)"
        )
    };
}
pub(crate) use counted_attempts;

/// Two flags of a group of `attempts a`, as 0 or 1: whether answers wait, and whether work was returned for revision and waits to be handed
/// in again.
macro_rules! undecided_attempts {
    () => {
        "MAX(CAST(CASE WHEN a.waiting > 0 THEN 1 ELSE 0 END AS BIGINT)) AS waiting,
         MAX(CAST(CASE WHEN a.is_returned AND a.waiting > 0 THEN 1 ELSE 0 END AS BIGINT)) AS returned"
    };
}
pub(crate) use undecided_attempts;

/// A visit, which has no best result, or the attempts at a quiz.
#[derive(sqlx::FromRow)]
struct Row {
    enrollment_id: EnrollmentId,
    page_id: PageId,
    counted: i64,
    best_percent: Option<i64>,
    passed: i64,
    waiting: i64,
    returned: i64,
}

impl Marks {
    fn mark(&mut self, tree: &Tree, row: &Row) {
        let Some(place) = tree.place(row.page_id) else { return };
        let Some(best_percent) = row.best_percent else {
            set(&mut self.visited, place);
            return;
        };
        let tried = AttemptSummary {
            counted: row.counted,
            best_percent,
            is_waiting: row.waiting == 1,
            is_returned: row.returned == 1,
        };
        self.tried.insert(place, tried);
        if row.passed == 1 {
            set(&mut self.passed, place);
        }
    }
}

/// The marks of each enrollment in its tree, in the order given. One statement; none for an empty list.
pub async fn marks(on: impl Executor, of: &[(EnrollmentId, &Tree)]) -> Result<Vec<Marks>> {
    macro_rules! visited {
        () => {
            "SELECT enrollment_id, page_id, 0 AS counted, CAST(NULL AS BIGINT) AS best_percent, CAST(0 AS BIGINT) AS passed,
             CAST(0 AS BIGINT) AS waiting, CAST(0 AS BIGINT) AS returned FROM visits WHERE enrollment_id "
        };
    }
    macro_rules! tried {
        () => {
            concat!(
                " UNION ALL SELECT a.enrollment_id, a.page_id, ",
                counted_attempts!("a.page_id"),
                ", MAX(a.percent), MAX(CAST(CASE WHEN a.passed THEN 1 ELSE 0 END AS BIGINT)), ",
                undecided_attempts!(),
                " FROM attempts a WHERE a.enrollment_id "
            )
        };
    }
    let mut all: Vec<Marks> = of.iter().map(|(_, tree)| Marks::none(tree)).collect();
    let rows = match of {
        [] => return Ok(all),
        // Fixed text, so that it is prepared: most requests read a single enrollment.
        [(enrollment, _)] => sql!(
            concat!(visited!(), "= $1", tried!(), "= $1 GROUP BY a.enrollment_id, a.page_id"),
            *enrollment
        ),
        _ => sql!(concat!(visited!(), "IN "))
            .push_in(of.iter().map(|(id, _)| *id))
            .push(concat!(tried!(), "IN "))
            .push_in(of.iter().map(|(id, _)| *id))
            .push(" GROUP BY a.enrollment_id, a.page_id"),
    };
    let places: HashMap<EnrollmentId, usize> = of.iter().enumerate().map(|(i, (id, _))| (*id, i)).collect();
    for row in rows.fetch_all::<Row>(on).await? {
        let Some(place) = places.get(&row.enrollment_id) else {
            continue;
        };
        if let (Some(marks), Some((_, tree))) = (all.get_mut(*place), of.get(*place)) {
            marks.mark(tree, &row);
        }
    }
    Ok(all)
}
