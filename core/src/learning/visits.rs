//! Batched page visits, the most frequent write: concurrent visits share two statements and one commit ([decision
//! 52](../../../docs/decisions/0052-request-coalescing.md)).
//!
//! Handles only the common case: set a bit in the stored progress and insert a row into `visits`. All other cases (no
//! stored progress, progress that changed since it was read, a deleted page, a completed course) are left to
//! [`super::mark_page_visited`].

use std::collections::HashSet;
use std::sync::LazyLock;

use chrono::{DateTime, Utc};

use crate::batching::Batcher;
use crate::courses::enrollment::ProgressBitmap;
use kurso_base::ids::{CourseId, EnrollmentId, PageId};
use kurso_db::Db;
use kurso_db::events::{Activity, Event};
use kurso_db::sql;
use kurso_db::values::{MAX_ROWS, ValuesStatement};

/// A visit by a learner with stored progress.
#[derive(Clone, Debug)]
pub(crate) struct Visit {
    pub course: CourseId,
    pub enrollment: EnrollmentId,
    pub page: PageId,
    /// As it was read.
    pub before: ProgressBitmap,
    /// With this page's bit, which may have been set already.
    pub after: ProgressBitmap,
    pub at: DateTime<Utc>,
    /// The version that was shown, if the client says so.
    pub version: Option<i64>,
}

/// Queues visits of this process and writes them in batches.
#[derive(Debug)]
pub struct Visits(Batcher<Visit, bool>);

impl Default for Visits {
    fn default() -> Self {
        Visits(Batcher::new(MAX_ROWS, 1))
    }
}

impl Visits {
    /// Writes a visit and the learner's activity in a batch. False if it was not written and nothing was changed.
    pub(crate) async fn add(&self, db: &Db, visit: Visit) -> bool {
        let db = db.clone();
        let written = self.0.submit(visit, move |visits| {
            let db = db.clone();
            async move {
                let count = visits.len();
                write(&db, visits).await.unwrap_or_else(|error| {
                    tracing::debug!(%error, "visits could not be written in a batch");
                    vec![false; count]
                })
            }
        });
        written.await.unwrap_or(false)
    }
}

static SET_BIT: LazyLock<ValuesStatement> = LazyLock::new(|| {
    ValuesStatement::new(5, |values| {
        format!(
            "UPDATE enrollments SET last_activity_at = v.column4, marks = v.column3, last_page_id = v.column5 FROM {values}
             WHERE enrollments.id = v.column1 AND enrollments.marks = v.column2 RETURNING id"
        )
    })
});

static INSERT_VISIT: LazyLock<ValuesStatement> = LazyLock::new(|| {
    ValuesStatement::new(4, |values| {
        format!(
            "INSERT INTO visits (enrollment_id, page_id, visited_at, read_version, is_claimed)
             SELECT v.column1, p.id, v.column3, CASE WHEN v.column4 < p.version THEN v.column4 ELSE p.version END,
               COALESCE(v.column4 < p.version, FALSE)
             FROM {values} JOIN pages p ON p.id = v.column2 WHERE true
             ON CONFLICT (enrollment_id, page_id) DO NOTHING RETURNING enrollment_id"
        )
    })
});

/// Writes visits and returns for each whether it was written; at most one per learner is.
async fn write(db: &Db, visits: Vec<Visit>) -> kurso_db::Result<Vec<bool>> {
    let mut learners = HashSet::new();
    let firsts: Vec<&Visit> = visits
        .iter()
        .filter(|visit| learners.insert(visit.enrollment))
        .collect();
    let mut tx = db.begin().await?;
    let mark = SET_BIT.bind_rows(&firsts, |sql, visit| {
        sql.bind(visit.map(|v| v.enrollment))
            .bind(visit.map(|v| v.before.clone()))
            .bind(visit.map(|v| v.after.clone()))
            .bind(visit.map(|v| v.at))
            .bind(visit.map(|v| v.page))
    });
    let marked = ids(mark.fetch_all(&mut tx).await?);
    let fresh: Vec<&Visit> = firsts
        .iter()
        .filter(|visit| marked.contains(&visit.enrollment) && visit.before != visit.after)
        .copied()
        .collect();
    let mut noted = HashSet::new();
    if !fresh.is_empty() {
        let note = INSERT_VISIT.bind_rows(&fresh, |sql, visit| {
            sql.bind(visit.map(|v| v.enrollment))
                .bind(visit.map(|v| v.page))
                .bind(visit.map(|v| v.at))
                .bind(visit.and_then(|v| v.version))
        });
        noted = ids(note.fetch_all(&mut tx).await?);
    }
    // The page was deleted since, or the stored progress was wrong: leave it to the general path.
    let wrong: Vec<EnrollmentId> = fresh
        .iter()
        .map(|v| v.enrollment)
        .filter(|id| !noted.contains(id))
        .collect();
    if !wrong.is_empty() {
        sql!("UPDATE enrollments SET marks = NULL WHERE id IN ")
            .push_in(wrong.iter().copied())
            .execute(&mut tx)
            .await?;
    }
    for visit in fresh.iter().filter(|visit| noted.contains(&visit.enrollment)) {
        tx.publish(Event::Activity {
            course: visit.course,
            enrollment: visit.enrollment,
            what: Activity::Read { page: visit.page },
            at: visit.at,
        });
    }
    tx.commit().await?;
    let written: HashSet<(EnrollmentId, PageId)> = firsts
        .iter()
        .filter(|visit| marked.contains(&visit.enrollment) && !wrong.contains(&visit.enrollment))
        .map(|visit| (visit.enrollment, visit.page))
        .collect();
    Ok(visits
        .iter()
        .map(|visit| written.contains(&(visit.enrollment, visit.page)))
        .collect())
}

fn ids(rows: Vec<(EnrollmentId,)>) -> HashSet<EnrollmentId> {
    rows.into_iter().map(|(id,)| id).collect()
}
