//! Consistency checks of gradebooks: the versions of decisions, and the thresholds of schemes.

use futures_util::TryStreamExt as _;
use uuid::Uuid;

use super::{Report, Rule};
use crate::gradebook::scheme::{Scheme, read_thresholds};
use kurso_base::error::Result;
use kurso_db::{Snapshot, sql};

/// The decisions of one cell.
#[derive(sqlx::FromRow)]
struct Decisions {
    user_id: Uuid,
    cell: Uuid,
    count: i64,
    first: i64,
    last: i64,
    holding: i64,
    holds: Option<i64>,
}

pub async fn check(on: &mut Snapshot, report: &mut Report) -> Result<()> {
    let mut rows = on.records::<Decisions>(sql!(
        "SELECT user_id, COALESCE(page_id, course_id) AS cell, COUNT(*) AS count, MIN(version) AS first, MAX(version) AS last,
           CAST(SUM(CASE WHEN is_current THEN 1 ELSE 0 END) AS BIGINT) AS holding,
           MAX(CASE WHEN is_current THEN version ELSE NULL END) AS holds
         FROM grade_decisions GROUP BY user_id, COALESCE(page_id, course_id)"
    ))?;
    while let Some(cell) = rows.try_next().await? {
        report.checked(Rule::Grades, cell.count.unsigned_abs());
        let at = || format!("users {}", cell.user_id);
        if cell.first != 1 || cell.last != cell.count {
            let problem = format!(
                "the {} decisions on the grade {} have the versions {} to {}",
                cell.count, cell.cell, cell.first, cell.last
            );
            report.found(Rule::Grades, at(), problem, None);
        }
        if cell.holding != 1 || cell.holds != Some(cell.last) {
            let problem = format!("not the last decision on the grade {} holds", cell.cell);
            report.found(Rule::Grades, at(), problem, None);
        }
    }
    drop(rows);
    let mut rows = on.records::<(Uuid, Scheme, String)>(sql!(
        "SELECT course_id, scheme, thresholds FROM grade_settings WHERE thresholds IS NOT NULL"
    ))?;
    while let Some((course, scheme, thresholds)) = rows.try_next().await? {
        report.checked(Rule::Grades, 1);
        if read_thresholds(scheme, &thresholds).is_none() {
            let problem = format!("the thresholds {thresholds:?} are not those of its scheme");
            report.found(Rule::Grades, format!("courses {course}"), problem, None);
        }
    }
    Ok(())
}
