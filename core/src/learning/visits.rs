//! Visits, the write that learners make most. Those made in the same moment are written together: two statements and one wait
//! for the disk for all of them ([decision 52](../../../docs/decisions/0052-together.md)).
//!
//! Only what is plain goes this way: the kept marks get a bit, `visits` a row. Whatever else is to be done (marks that are not
//! kept or have changed since they were read, a page that is gone, a course that is complete with it) is left to
//! [`super::mark_page_visited`], which does it alone and knows the words for what is wrong.

use std::collections::HashSet;
use std::sync::LazyLock;

use chrono::{DateTime, Utc};

use super::marks::Kept;
use crate::db::values::{ROOM, Texts};
use crate::db::{self, Db};
use crate::events::{Activity, Event};
use crate::ids::{CourseId, EnrollmentId, PageId};
use crate::sql;
use crate::together::Together;

/// A visit of a page whose learner's marks are kept.
#[derive(Clone, Debug)]
pub(crate) struct Visit {
    pub course: CourseId,
    pub enrollment: EnrollmentId,
    pub page: PageId,
    /// As they were read.
    pub before: Kept,
    /// With this page's bit, which they may have had before.
    pub after: Kept,
    pub at: DateTime<Utc>,
}

/// The visits that are on their way to this database.
#[derive(Debug)]
pub struct Visits(Together<Visit, bool>);

impl Default for Visits {
    fn default() -> Self {
        Visits(Together::new(ROOM, 1))
    }
}

impl Visits {
    /// Writes a visit down with those made in the same moment; it notes the learner's activity too. False when it was not, and
    /// nothing of it was done.
    pub(crate) async fn add(&self, db: &Db, visit: Visit) -> bool {
        let db = db.clone();
        let written = self.0.ask(visit, move |visits| {
            let db = db.clone();
            async move {
                let count = visits.len();
                write(&db, visits).await.unwrap_or_else(|error| {
                    tracing::debug!(%error, "visits could not be written together");
                    vec![false; count]
                })
            }
        });
        written.await.unwrap_or(false)
    }
}

static MARK: LazyLock<Texts> = LazyLock::new(|| {
    Texts::new(4, |values| {
        format!(
            "UPDATE enrollments SET last_activity_at = v.column4, marks = v.column3 FROM {values}
             WHERE enrollments.id = v.column1 AND enrollments.marks = v.column2 RETURNING id"
        )
    })
});

static NOTE: LazyLock<Texts> = LazyLock::new(|| {
    Texts::new(3, |values| {
        format!(
            "INSERT INTO visits (enrollment_id, page_id, visited_at)
             SELECT v.column1, p.id, v.column3 FROM {values} JOIN pages p ON p.id = v.column2 WHERE true
             ON CONFLICT (enrollment_id, page_id) DO NOTHING RETURNING enrollment_id"
        )
    })
});

/// Says of each visit whether it was written. At most one of a learner is.
async fn write(db: &Db, visits: Vec<Visit>) -> db::Result<Vec<bool>> {
    let mut learners = HashSet::new();
    let firsts: Vec<&Visit> = visits
        .iter()
        .filter(|visit| learners.insert(visit.enrollment))
        .collect();
    let mut tx = db.begin().await?;
    let mark = MARK.about(&firsts, |sql, visit| {
        sql.bind(visit.map(|v| v.enrollment))
            .bind(visit.map(|v| v.before.clone()))
            .bind(visit.map(|v| v.after.clone()))
            .bind(visit.map(|v| v.at))
    });
    let marked = ids(mark.fetch_all(&mut tx).await?);
    let fresh: Vec<&Visit> = firsts
        .iter()
        .filter(|visit| marked.contains(&visit.enrollment) && visit.before != visit.after)
        .copied()
        .collect();
    let mut noted = HashSet::new();
    if !fresh.is_empty() {
        let note = NOTE.about(&fresh, |sql, visit| {
            sql.bind(visit.map(|v| v.enrollment))
                .bind(visit.map(|v| v.page))
                .bind(visit.map(|v| v.at))
        });
        noted = ids(note.fetch_all(&mut tx).await?);
    }
    // Of a page that was deleted since it was read, or marks that were kept wrongly: the truth decides.
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
        tx.tell(Event::Activity {
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
