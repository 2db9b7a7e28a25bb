//! The lock of a course: every change within a course first updates the course's row, so that changes of one course run one
//! after the other and cannot deadlock.

use chrono::{DateTime, Utc};

use kurso_base::error::{Error, Result};
use kurso_base::ids::CourseId;
use kurso_base::messages::Message;
use kurso_db::events::Event;
use kurso_db::{Db, Tx, sql};

/// What a transaction changes in a course, and when.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Scope {
    /// Nothing of its row: the transaction changes its students, its team or drafts of its pages, or reads all of it.
    Unchanged,
    /// Its texts.
    Content(DateTime<Utc>),
    /// Its tree, which gets a new version, so that cached trees are not found any more.
    Structure(DateTime<Utc>),
}

/// Starts a transaction of a request and locks the course. Fails with 404 if the course is gone.
pub(crate) async fn begin(db: &Db, course: CourseId, scope: Scope) -> Result<Tx> {
    let mut tx = db.begin_in_course(course).await?;
    lock(&mut tx, course, scope).await?;
    Ok(tx)
}

/// As [`begin`], for a background job.
pub(crate) async fn begin_job(db: &Db, course: CourseId, scope: Scope) -> Result<Tx> {
    let mut tx = db.begin_job_in_course(course).await?;
    lock(&mut tx, course, scope).await?;
    Ok(tx)
}

/// Locks several courses in a transaction, in the order of their ids. Deleted ones are left out.
pub(crate) async fn lock_all(tx: &mut Tx, courses: &[CourseId]) -> Result<()> {
    let mut courses = courses.to_vec();
    courses.sort_unstable();
    for course in courses {
        match lock(&mut *tx, course, Scope::Unchanged).await {
            Err(Error::NotFound(_)) => {}
            locked => locked?,
        }
    }
    Ok(())
}

async fn lock(tx: &mut Tx, course: CourseId, scope: Scope) -> Result<()> {
    let update = match scope {
        Scope::Unchanged => sql!("UPDATE courses SET updated_at = updated_at WHERE id = $1", course),
        Scope::Content(now) => sql!("UPDATE courses SET updated_at = $2 WHERE id = $1", course, now),
        Scope::Structure(now) => sql!(
            "UPDATE courses SET structure_version = structure_version + 1, updated_at = $2 WHERE id = $1",
            course,
            now
        ),
    };
    if update.execute(&mut *tx).await? == 0 {
        return Err(Error::NotFound(Message::CourseNotFound));
    }
    if let Scope::Structure(_) = scope {
        tx.publish(Event::Grades { course });
    }
    Ok(())
}

/// Notes that the texts of a course change that was locked without that.
pub(crate) async fn touch(tx: &mut Tx, course: CourseId, now: DateTime<Utc>) -> Result<()> {
    lock(tx, course, Scope::Content(now)).await
}

/// Gives the tree of a locked course a new version. The gradebook's columns are pages of the tree, and its due dates are those of the tree.
pub(crate) async fn renew_tree(tx: &mut Tx, course: CourseId) -> Result<()> {
    sql!(
        "UPDATE courses SET structure_version = structure_version + 1 WHERE id = $1",
        course
    )
    .execute(&mut *tx)
    .await?;
    tx.publish(Event::Grades { course });
    Ok(())
}
