//! Snapshots of courses: lists, names and deletes them; [`content`] shows one, [`changes`] compares it, [`restore`] restores it
//! ([decision 115](../../../docs/decisions/0115-course-snapshots.md)). `capture` takes them.

mod changes;
mod content;
mod restore;

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use kurso_base::values::SnapshotName;

use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::audit::{Act, Entry};
use crate::capture::{self, New, Outline};
use crate::courses::{self, Scope, quota};
use crate::subscriptions::PersonName;
use kurso_base::error::{Error, Result};
use kurso_base::ids::{CourseId, SnapshotId, UserId};
use kurso_base::messages::Message;
use kurso_db::{Executor, Tx, execute_in_batches, sql};

pub use crate::capture::{MAX_AUTOMATIC, SnapshotReason, retention};
pub use changes::{Changes, Field, Part, PartChange};
pub use content::{Content, Draft, LessonLine, ModuleLine, PageLine, PageTexts, content, page};
pub use restore::{Restored, restore};

/// The most named snapshots of a course.
pub const MAX_NAMED: i64 = 50;

/// The most automatic and named snapshots together.
const MAX_LISTED: i64 = MAX_AUTOMATIC + MAX_NAMED;

/// Snapshots deleted by one statement.
const EXPIRED: i64 = 20;

/// A snapshot without what is in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    pub id: SnapshotId,
    pub course_id: CourseId,
    /// None: an automatic one that nobody has named.
    pub name: Option<String>,
    pub reason: SnapshotReason,
    pub taken_at: DateTime<Utc>,
    /// None if the account was deleted.
    pub taken_by: Option<PersonName>,
    /// None: it is kept until somebody deletes it.
    pub expires_at: Option<DateTime<Utc>>,
    pub module_count: i64,
    pub lesson_count: i64,
    pub page_count: i64,
    /// Bytes as stored, without files.
    pub size: i64,
}

/// The name of a snapshot.
#[derive(Clone, Debug)]
#[cfg_attr(any(test, feature = "testing"), derive(serde::Deserialize))]
pub struct NameSnapshot {
    pub name: SnapshotName,
}

#[derive(sqlx::FromRow)]
struct Row {
    id: SnapshotId,
    course_id: CourseId,
    name: Option<String>,
    reason: SnapshotReason,
    taken_at: DateTime<Utc>,
    taken_by: Option<UserId>,
    full_name: Option<String>,
    expires_at: Option<DateTime<Utc>>,
    module_count: i64,
    lesson_count: i64,
    page_count: i64,
    size: i64,
}

macro_rules! select {
    () => {
        "SELECT s.id, s.course_id, s.name, s.reason, s.taken_at, s.taken_by, u.full_name, s.expires_at, s.module_count, s.lesson_count, s.page_count,
           s.size FROM course_snapshots s LEFT JOIN users u ON u.id = s.taken_by WHERE "
    };
}

impl From<Row> for Snapshot {
    fn from(row: Row) -> Self {
        Snapshot {
            id: row.id,
            course_id: row.course_id,
            name: row.name,
            reason: row.reason,
            taken_at: row.taken_at,
            taken_by: row.taken_by.map(|id| PersonName {
                id,
                full_name: row.full_name,
            }),
            expires_at: row.expires_at,
            module_count: row.module_count,
            lesson_count: row.lesson_count,
            page_count: row.page_count,
            size: row.size,
        }
    }
}

/// The snapshots of a course, newest first. Owner and editors.
pub async fn of_course(kurso: &Kurso, viewer: &Viewer, course: CourseId) -> Result<Vec<Snapshot>> {
    courses::find(&kurso.db, viewer, course, Right::Edit).await?;
    Ok(of_courses(kurso, &[course]).await?.remove(&course).unwrap_or_default())
}

/// The snapshots of courses that the viewer may edit, newest first. One statement.
pub async fn of_courses(kurso: &Kurso, courses: &[CourseId]) -> Result<HashMap<CourseId, Vec<Snapshot>>> {
    let rows = sql!(
        "WITH numbered AS (
          SELECT id, ROW_NUMBER() OVER (PARTITION BY course_id ORDER BY taken_at DESC, id DESC) AS number
          FROM course_snapshots WHERE course_id IN "
    )
    .push_in(courses.iter().copied())
    .push(concat!(
        ") ",
        select!(),
        "s.id IN (SELECT id FROM numbered WHERE number <= "
    ))
    .push_bind(MAX_LISTED)
    .push(") ORDER BY s.taken_at DESC, s.id DESC");
    let mut found: HashMap<CourseId, Vec<Snapshot>> = HashMap::new();
    for row in rows.fetch_all::<Row>(&kurso.db).await? {
        found.entry(row.course_id).or_default().push(row.into());
    }
    Ok(found)
}

async fn read(on: impl Executor, id: SnapshotId) -> Result<Snapshot> {
    let row = sql!(concat!(select!(), "s.id = $1"), id)
        .fetch_optional::<Row>(on)
        .await?;
    Ok(row.ok_or(Error::NotFound(Message::SnapshotNotFound))?.into())
}

/// Finds a snapshot of a course that the viewer may edit. Fails with 404 if it must not be revealed.
async fn find(kurso: &Kurso, viewer: &Viewer, id: SnapshotId) -> Result<Snapshot> {
    let snapshot = read(&kurso.db, id).await?;
    match courses::find(&kurso.db, viewer, snapshot.course_id, Right::Edit).await {
        Err(Error::NotFound(_)) => Err(Error::NotFound(Message::SnapshotNotFound)),
        found => found.map(|_| snapshot),
    }
}

/// Takes a snapshot with a name. Owner and editors. Fails with 409 if the course has [`MAX_NAMED`] of them, and with 413 if the owner's quota is
/// full.
pub async fn take(kurso: &Kurso, viewer: &Viewer, course: CourseId, new: NameSnapshot) -> Result<Snapshot> {
    let course = courses::find(&kurso.db, viewer, course, Right::Edit).await?;
    let now = kurso.clock.now();
    let mut tx = courses::begin(&kurso.db, course.id, Scope::Unchanged).await?;
    require_room(&mut tx, course.id).await?;
    let outline = Outline::read(&mut tx, course.id).await?;
    let new = New {
        course: course.id,
        by: viewer.id(),
        at: now,
        reason: SnapshotReason::Named,
        name: Some(new.name.as_str()),
    };
    let (id, size) = capture::take(&mut tx, new, outline).await?;
    quota::check_save(kurso, &mut tx, course.id, course.owner.id, size).await?;
    entry(Act::SnapshotTaken, viewer, course.id, id)
        .write(&mut tx, now)
        .await?;
    let snapshot = read(&mut tx, id).await?;
    tx.commit().await?;
    Ok(snapshot)
}

/// Fails with 409 if a locked course has no room for another named snapshot.
async fn require_room(tx: &mut Tx, course: CourseId) -> Result<()> {
    let count = sql!(
        "SELECT COUNT(*) FROM course_snapshots WHERE course_id = $1 AND name IS NOT NULL",
        course
    );
    match count.fetch_one::<(i64,)>(tx).await?.0 >= MAX_NAMED {
        true => Err(Error::Conflict(Message::TooManySnapshots(MAX_NAMED))),
        false => Ok(()),
    }
}

fn entry(act: Act, viewer: &Viewer, course: CourseId, id: SnapshotId) -> Entry {
    Entry::new(act).by(viewer.id()).in_course(course).detail(id)
}

/// Renames a snapshot. A named automatic snapshot no longer expires. Owner and editors. Fails with 409 as [`take`].
pub async fn rename(kurso: &Kurso, viewer: &Viewer, id: SnapshotId, new: NameSnapshot) -> Result<Snapshot> {
    let course = find(kurso, viewer, id).await?.course_id;
    let mut tx = courses::begin(&kurso.db, course, Scope::Unchanged).await?;
    if read(&mut tx, id).await?.name.is_none() {
        require_room(&mut tx, course).await?;
    }
    sql!(
        "UPDATE course_snapshots SET name = $2, expires_at = NULL WHERE id = $1",
        id,
        new.name.as_str()
    )
    .execute(&mut tx)
    .await?;
    let snapshot = read(&mut tx, id).await?;
    tx.commit().await?;
    Ok(snapshot)
}

/// Deletes a snapshot. Owner and editors.
pub async fn delete(kurso: &Kurso, viewer: &Viewer, id: SnapshotId) -> Result<()> {
    let course = find(kurso, viewer, id).await?.course_id;
    let mut tx = courses::begin(&kurso.db, course, Scope::Unchanged).await?;
    let deleted = sql!("DELETE FROM course_snapshots WHERE id = $1", id)
        .execute(&mut tx)
        .await?;
    if deleted == 0 {
        return Err(Error::NotFound(Message::SnapshotNotFound));
    }
    entry(Act::SnapshotDeleted, viewer, course, id)
        .write(&mut tx, kurso.clock.now())
        .await?;
    tx.commit().await?;
    Ok(())
}

/// Deletes automatic snapshots whose time is over. Returns their number. Several nodes may run it at the same time.
pub async fn delete_expired(kurso: &Kurso) -> Result<u64> {
    let now = kurso.clock.now();
    let expired = || {
        sql!(
            "DELETE FROM course_snapshots WHERE id IN (SELECT id FROM course_snapshots WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)",
            now,
            EXPIRED
        )
    };
    Ok(execute_in_batches(&kurso.db, expired).await?)
}
