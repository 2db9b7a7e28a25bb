//! The regradings of a course.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use kurso_base::error::Result;
use kurso_base::ids::{CourseId, PageId, RegradeId, UserId};
use kurso_db::{Executor, LIST_LIMIT, execute_in_batches, sql};

use super::{Regrade, undo_time};
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::courses;
use crate::subscriptions::PersonName;

/// Rows that a statement of [`delete_old`] changes.
const OLD: i64 = 1000;

#[derive(sqlx::FromRow)]
struct Row {
    id: RegradeId,
    course_id: CourseId,
    at: DateTime<Utc>,
    by_id: Option<UserId>,
    by_name: Option<String>,
    attempts: i64,
    changed: i64,
    undone_at: Option<DateTime<Utc>>,
    is_followed: bool,
}

/// Whether a later regrading of the same pages as `r` has not been undone.
macro_rules! is_followed {
    () => {
        "EXISTS (SELECT 1 FROM regraded_pages mine JOIN regraded_pages theirs ON theirs.page_id = mine.page_id
           JOIN regrades later ON later.id = theirs.regrade_id
         WHERE mine.regrade_id = r.id AND later.undone_at IS NULL AND (later.at, later.id) > (r.at, r.id))"
    };
}
pub(super) use is_followed;

macro_rules! select {
    ($where:literal) => {
        concat!(
            "SELECT r.id, r.course_id, r.at, u.id AS by_id, u.full_name AS by_name, r.attempts, r.changed, r.undone_at, ",
            is_followed!(),
            " AS is_followed
             FROM regrades r LEFT JOIN users u ON u.id = r.by_id WHERE ",
            $where
        )
    };
}

/// The regradings of the last 30 days, newest first. Owner and editors. Three statements.
pub async fn list(kurso: &Kurso, viewer: &Viewer, course: CourseId) -> Result<Vec<Regrade>> {
    let course = courses::find(&kurso.db, viewer, course, Right::Edit).await?.id;
    let mut found = of_courses(kurso, &[course]).await?;
    Ok(found.remove(&course).unwrap_or_default())
}

/// As [`list`], of courses that the viewer may edit: at most [`LIST_LIMIT`] of each. Two statements.
pub async fn of_courses(kurso: &Kurso, courses: &[CourseId]) -> Result<HashMap<CourseId, Vec<Regrade>>> {
    let rows = sql!(
        select!(
            "r.at > $1 AND (SELECT COUNT(*) FROM regrades n WHERE n.course_id = r.course_id AND (n.at, n.id) > (r.at, r.id)) < $2
             AND r.course_id IN "
        ),
        kurso.clock.now() - undo_time(),
        i64::try_from(LIST_LIMIT).unwrap_or(i64::MAX)
    )
    .push_in(courses.iter().copied())
    .push(" ORDER BY r.at DESC, r.id DESC")
    .fetch_all(&kurso.db)
    .await?;
    let mut found: HashMap<CourseId, Vec<Regrade>> = HashMap::new();
    for (course, regrade) in with_pages(&kurso.db, rows).await? {
        found.entry(course).or_default().push(regrade);
    }
    Ok(found)
}

/// A regrading; None if it does not exist. Two statements.
pub(super) async fn find(kurso: &Kurso, id: RegradeId) -> Result<Option<Regrade>> {
    let rows = sql!(select!("r.id = $1"), id).fetch_all(&kurso.db).await?;
    Ok(with_pages(&kurso.db, rows).await?.pop().map(|(_, regrade)| regrade))
}

async fn with_pages(on: impl Executor, rows: Vec<Row>) -> Result<Vec<(CourseId, Regrade)>> {
    if rows.is_empty() {
        return Ok(vec![]);
    }
    let pages = sql!(
        "SELECT g.regrade_id, g.page_id FROM regraded_pages g JOIN pages p ON p.id = g.page_id JOIN lessons l ON l.id = p.lesson_id
         JOIN modules m ON m.id = l.module_id WHERE g.regrade_id IN "
    )
    .push_in(rows.iter().map(|row| row.id))
    .push(" ORDER BY m.position, m.id, l.position, l.id, p.position, p.id")
    .fetch_all::<(RegradeId, PageId)>(on)
    .await?;
    let mut by_regrade: HashMap<RegradeId, Vec<PageId>> = HashMap::new();
    for (regrade, page) in pages {
        by_regrade.entry(regrade).or_default().push(page);
    }
    let regrades = rows.into_iter().map(|row| {
        (
            row.course_id,
            Regrade {
                pages: by_regrade.remove(&row.id).unwrap_or_default(),
                id: row.id,
                at: row.at,
                by: row.by_id.map(|id| PersonName {
                    id,
                    full_name: row.by_name,
                }),
                attempts: row.attempts,
                changed: row.changed,
                undone_at: row.undone_at,
                is_followed: row.is_followed,
            },
        )
    });
    Ok(regrades.collect())
}

/// Deletes what only undoing needs of regradings that cannot be undone any more. The changes of results stay. Returns the number of attempts.
pub async fn delete_old(kurso: &Kurso) -> Result<u64> {
    let until = kurso.clock.now() - undo_time();
    let unchanged = || {
        sql!(
            "DELETE FROM regraded_attempts WHERE (regrade_id, attempt_id) IN (
               SELECT t.regrade_id, t.attempt_id FROM regraded_attempts t JOIN regrades r ON r.id = t.regrade_id
               WHERE r.at <= $1 AND NOT t.is_changed LIMIT $2)",
            until,
            OLD
        )
    };
    let changed = || {
        sql!(
            "UPDATE regraded_attempts SET results_before = NULL, results_after = NULL WHERE (regrade_id, attempt_id) IN (
               SELECT t.regrade_id, t.attempt_id FROM regraded_attempts t JOIN regrades r ON r.id = t.regrade_id
               WHERE r.at <= $1 AND t.results_before IS NOT NULL LIMIT $2)",
            until,
            OLD
        )
    };
    Ok(execute_in_batches(&kurso.db, unchanged).await? + execute_in_batches(&kurso.db, changed).await?)
}
