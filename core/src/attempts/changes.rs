//! The history of results of attempts that `regrades` has changed.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use kurso_base::error::Result;
use kurso_base::ids::AttemptId;
use kurso_base::wire;
use kurso_db::{Executor, sql};
use serde::Serialize;

use super::review::AttemptRow;

/// Why the result of an attempt changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ResultChangeKind {
    /// The attempt was regraded with a changed quiz.
    Regraded,
    /// A regrade was undone.
    RegradeUndone,
}

/// A change of the result of an attempt. Scores are rounded to four decimals.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ResultChange {
    #[serde(serialize_with = "wire::time")]
    pub at: DateTime<Utc>,
    pub kind: ResultChangeKind,
    pub score_before: f64,
    pub max_score_before: f64,
    pub passed_before: bool,
    pub score_after: f64,
    pub max_score_after: f64,
    pub passed_after: bool,
}

impl ResultChange {
    fn undone(self, at: DateTime<Utc>) -> Self {
        ResultChange {
            at,
            kind: ResultChangeKind::RegradeUndone,
            score_before: self.score_after,
            max_score_before: self.max_score_after,
            passed_before: self.passed_after,
            score_after: self.score_before,
            max_score_after: self.max_score_before,
            passed_after: self.passed_before,
        }
    }
}

/// A listed attempt.
#[derive(sqlx::FromRow)]
pub(super) struct Listed {
    #[sqlx(flatten)]
    pub row: AttemptRow,
    /// Whether its result has changed.
    pub has_changes: bool,
}

/// The additional column of [`Listed`], for queries that select from `attempts a`.
macro_rules! has_changes {
    () => {
        ", EXISTS (SELECT 1 FROM regraded_attempts g WHERE g.attempt_id = a.id AND g.is_changed) AS has_changes"
    };
}
pub(super) use has_changes;

#[derive(sqlx::FromRow)]
struct Row {
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

/// The changes of these attempts' results, newest first. One statement; none if no result has changed.
pub(super) async fn changes_of(on: impl Executor, listed: &[Listed]) -> Result<HashMap<AttemptId, Vec<ResultChange>>> {
    let changed = listed.iter().filter(|attempt| attempt.has_changes);
    let changed: Vec<AttemptId> = changed.map(|attempt| attempt.row.id).collect();
    let mut changes: HashMap<AttemptId, Vec<ResultChange>> = HashMap::new();
    if changed.is_empty() {
        return Ok(changes);
    }
    let rows = sql!(
        "SELECT t.attempt_id, r.at, CASE WHEN t.is_undone THEN r.undone_at END AS undone_at, t.score_before, t.score_after, t.max_before,
           t.max_after, t.passed_before, t.passed_after
         FROM regraded_attempts t JOIN regrades r ON r.id = t.regrade_id WHERE t.is_changed AND t.attempt_id IN "
    )
    .push_in(changed)
    .fetch_all::<Row>(on)
    .await?;
    for row in rows {
        let regraded = ResultChange {
            at: row.at,
            kind: ResultChangeKind::Regraded,
            score_before: row.score_before,
            max_score_before: row.max_before,
            passed_before: row.passed_before,
            score_after: row.score_after,
            max_score_after: row.max_after,
            passed_after: row.passed_after,
        };
        let undone = row.undone_at.map(|at| regraded.undone(at));
        changes
            .entry(row.attempt_id)
            .or_default()
            .extend([regraded].into_iter().chain(undone));
    }
    for changes in changes.values_mut() {
        changes.sort_by_key(|change| change.at);
        changes.reverse();
    }
    Ok(changes)
}
