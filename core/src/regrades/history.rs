//! Regradings of a course, and the changes of results that attempts had.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use kurso_base::error::Result;
use kurso_base::ids::{AttemptId, CourseId, PageId, RegradeId, UserId};
use kurso_db::{Executor, LIST_LIMIT, sql};

use super::{AttemptResult, Regrade, ResultChange, ResultChangeKind, undo_time};
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::courses;
use crate::subscriptions::PersonName;

/// Rows that a statement of [`delete_old`] changes.
const OLD: i64 = 1000;

#[derive(sqlx::FromRow)]
struct Row {
    id: RegradeId,
    at: DateTime<Utc>,
    by_id: Option<UserId>,
    by_name: Option<String>,
    attempts: i64,
    changed: i64,
    undone_at: Option<DateTime<Utc>>,
}

macro_rules! select {
    ($where:literal) => {
        concat!(
            "SELECT r.id, r.at, u.id AS by_id, u.full_name AS by_name, r.attempts, r.changed, r.undone_at
             FROM regrades r LEFT JOIN users u ON u.id = r.by_id WHERE ",
            $where
        )
    };
}

/// The regradings of the last 30 days, newest first. Owner and editors. Three statements.
pub async fn list(kurso: &Kurso, viewer: &Viewer, course: CourseId) -> Result<Vec<Regrade>> {
    let course = courses::find(&kurso.db, viewer, course, Right::Edit).await?.id;
    let rows = sql!(
        select!("r.course_id = $1 AND r.at > $2 ORDER BY r.at DESC, r.id DESC LIMIT $3"),
        course,
        kurso.clock.now() - undo_time(),
        i64::try_from(LIST_LIMIT).unwrap_or(i64::MAX)
    );
    with_pages(&kurso.db, rows.fetch_all(&kurso.db).await?).await
}

/// A regrading; None if it does not exist. Two statements.
pub(super) async fn find(kurso: &Kurso, id: RegradeId) -> Result<Option<Regrade>> {
    let rows = sql!(select!("r.id = $1"), id).fetch_all(&kurso.db).await?;
    Ok(with_pages(&kurso.db, rows).await?.pop())
}

async fn with_pages(on: impl Executor, rows: Vec<Row>) -> Result<Vec<Regrade>> {
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
    let regrades = rows.into_iter().map(|row| Regrade {
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
    });
    Ok(regrades.collect())
}

#[derive(sqlx::FromRow)]
struct ChangeRow {
    attempt_id: AttemptId,
    at: DateTime<Utc>,
    undone_at: Option<DateTime<Utc>>,
    score_before: f64,
    score_after: f64,
    max_before: f64,
    max_after: f64,
    passed_before: bool,
    passed_after: bool,
}

impl ChangeRow {
    /// Newest first.
    fn changes(&self) -> impl Iterator<Item = ResultChange> + use<> {
        let before = AttemptResult {
            score: self.score_before,
            max_score: self.max_before,
            passed: self.passed_before,
        };
        let after = AttemptResult {
            score: self.score_after,
            max_score: self.max_after,
            passed: self.passed_after,
        };
        let regraded = ResultChange {
            attempt_id: self.attempt_id,
            at: self.at,
            kind: ResultChangeKind::Regraded,
            before,
            after,
        };
        let undone = self.undone_at.map(|at| ResultChange {
            at,
            kind: ResultChangeKind::RegradeUndone,
            before: after,
            after: before,
            ..regraded
        });
        undone.into_iter().chain([regraded])
    }
}

/// The changes of results of these attempts, newest first. The caller has checked that the viewer may see the attempts. One statement per
/// [`LIST_LIMIT`] attempts.
pub async fn changes_of(kurso: &Kurso, attempts: &[AttemptId]) -> Result<HashMap<AttemptId, Vec<ResultChange>>> {
    let mut changes: HashMap<AttemptId, Vec<ResultChange>> = HashMap::new();
    for attempts in attempts.chunks(LIST_LIMIT) {
        let rows = sql!(
            "SELECT t.attempt_id, r.at, CASE WHEN t.is_undone THEN r.undone_at END AS undone_at, t.score_before, t.score_after, t.max_before,
               t.max_after, t.passed_before, t.passed_after
             FROM regraded_attempts t JOIN regrades r ON r.id = t.regrade_id WHERE t.is_changed AND t.attempt_id IN "
        )
        .push_in(attempts.iter().copied())
        .fetch_all::<ChangeRow>(&kurso.db)
        .await?;
        for row in rows {
            changes.entry(row.attempt_id).or_default().extend(row.changes());
        }
    }
    for changes in changes.values_mut() {
        changes.sort_by_key(|change| std::cmp::Reverse(change.at));
    }
    Ok(changes)
}

/// Deletes what only undoing needs of regradings that cannot be undone any more. The changes of results stay. Returns the number of attempts.
pub async fn delete_old(kurso: &Kurso) -> Result<u64> {
    let until = kurso.clock.now() - undo_time();
    let mut deleted = 0;
    loop {
        let unchanged = sql!(
            "DELETE FROM regraded_attempts WHERE (regrade_id, attempt_id) IN (
               SELECT t.regrade_id, t.attempt_id FROM regraded_attempts t JOIN regrades r ON r.id = t.regrade_id
               WHERE r.at <= $1 AND NOT t.is_changed LIMIT $2)",
            until,
            OLD
        );
        let changed = sql!(
            "UPDATE regraded_attempts SET results_before = NULL, results_after = NULL WHERE (regrade_id, attempt_id) IN (
               SELECT t.regrade_id, t.attempt_id FROM regraded_attempts t JOIN regrades r ON r.id = t.regrade_id
               WHERE r.at <= $1 AND t.results_before IS NOT NULL LIMIT $2)",
            until,
            OLD
        );
        match unchanged.execute(&kurso.db).await? + changed.execute(&kurso.db).await? {
            0 => return Ok(deleted),
            some => deleted += some,
        }
    }
}
