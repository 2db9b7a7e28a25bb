//! The trash: deleted pages, lessons, modules and courses, with everything that belongs to them, until they are restored or their time is
//! over ([decision 111](../../../docs/decisions/0111-trash.md)).
//!
//! Deleting moves rows from their tables to `trash_rows`. So a deleted part is gone for everything that reads a course.

mod parts;
mod restore;

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::audit::{Act, Entry};
use crate::courses;
use crate::deletion::Above;
use kurso_base::error::{Error, Result};
use kurso_base::ids::{CourseId, TrashEntryId, UserId};
use kurso_base::messages::Message;
use kurso_base::wire;
use kurso_db::{Executor, Sql, execute_in_batches, sql};

pub use crate::deletion::{TrashKind, retention};
pub(crate) use parts::Trashed;
pub use restore::{RestoreFromTrash, restore};

/// The longest list.
const MAX_LISTED: i64 = 500;

/// Entries deleted in one statement.
const EXPIRED: i64 = 20;

/// An entry of the trash.
#[derive(Clone, Debug)]
pub struct TrashEntry {
    pub id: TrashEntryId,
    pub kind: TrashKind,
    /// None for a page that was shown by its number.
    pub title: Option<String>,
    pub course_id: CourseId,
    pub course_title: String,
    /// The titles of the parts above it, outermost first.
    pub place: Vec<String>,
    pub page_count: i64,
    pub attempt_count: i64,
    /// None if the account was deleted.
    pub deleted_by: Option<UserId>,
    pub deleted_by_full_name: Option<String>,
    pub deleted_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
    /// The lesson of a page or the module of a lesson does not exist in the course.
    pub parent_is_gone: bool,
}

#[derive(sqlx::FromRow)]
struct EntryRow {
    id: TrashEntryId,
    kind: TrashKind,
    part_id: Uuid,
    title: Option<String>,
    course_id: CourseId,
    course_title: String,
    owner_id: Option<UserId>,
    parent_id: Option<Uuid>,
    place: String,
    position: i64,
    page_count: i64,
    attempt_count: i64,
    deleted_by: Option<UserId>,
    full_name: Option<String>,
    deleted_at: DateTime<Utc>,
    expires_at: DateTime<Utc>,
    parent_exists: bool,
}

const ENTRIES: &str = "SELECT t.id, t.kind, t.part_id, t.title, t.course_id, t.course_title, t.owner_id, t.parent_id, t.place, t.position,
      t.page_count, t.attempt_count, t.deleted_by, u.full_name, t.deleted_at, t.expires_at,
      CASE t.kind WHEN 'lesson' THEN EXISTS (SELECT 1 FROM modules m WHERE m.id = t.parent_id AND m.course_id = t.course_id)
        WHEN 'page' THEN EXISTS (SELECT 1 FROM lessons l WHERE l.id = t.parent_id AND l.course_id = t.course_id)
        ELSE TRUE END AS parent_exists
    FROM trash_entries t LEFT JOIN users u ON u.id = t.deleted_by WHERE ";

const NEWEST_FIRST: &str = " ORDER BY t.deleted_at DESC, t.id DESC";

impl EntryRow {
    fn above(&self) -> Vec<Above> {
        wire::read_stored(&self.place).unwrap_or_default()
    }

    fn shown(self) -> TrashEntry {
        TrashEntry {
            place: self.above().into_iter().map(|part| part.title).collect(),
            id: self.id,
            kind: self.kind,
            title: self.title,
            course_id: self.course_id,
            course_title: self.course_title,
            page_count: self.page_count,
            attempt_count: self.attempt_count,
            deleted_by: self.deleted_by,
            deleted_by_full_name: self.full_name,
            deleted_at: self.deleted_at,
            expires_at: self.expires_at,
            parent_is_gone: !self.parent_exists,
        }
    }
}

async fn shown(on: impl Executor, entries: Sql<'_>) -> Result<Vec<TrashEntry>> {
    let rows = entries.fetch_all::<EntryRow>(on).await?;
    Ok(rows.into_iter().map(EntryRow::shown).collect())
}

/// What was deleted from a course, newest first. Needs the right to edit it.
pub async fn of_course(kurso: &Kurso, viewer: &Viewer, course: CourseId) -> Result<Vec<TrashEntry>> {
    courses::find(&kurso.db, viewer, course, Right::Edit).await?;
    let found = of_courses(kurso, &[course]).await?.into_iter().next();
    Ok(found.map_or_else(Vec::new, |(_, entries)| entries))
}

/// What was deleted from courses that the viewer may edit, newest first, for each course that has any.
pub async fn of_courses(kurso: &Kurso, courses: &[CourseId]) -> Result<Vec<(CourseId, Vec<TrashEntry>)>> {
    let entries = sql!(
        "WITH numbered AS (
          SELECT id, ROW_NUMBER() OVER (PARTITION BY course_id ORDER BY deleted_at DESC, id DESC) AS number
          FROM trash_entries WHERE owner_id IS NULL AND course_id IN "
    )
    .push_in(courses.iter().copied())
    .push(") ")
    .push(ENTRIES)
    .push("t.id IN (SELECT id FROM numbered WHERE number <= ")
    .push_bind(MAX_LISTED)
    .push(")")
    .push(NEWEST_FIRST);
    let mut by_course: HashMap<CourseId, Vec<TrashEntry>> = HashMap::new();
    for entry in shown(&kurso.db, entries).await? {
        by_course.entry(entry.course_id).or_default().push(entry);
    }
    Ok(by_course.into_iter().collect())
}

/// The viewer's deleted courses, newest first; all of them for superusers.
pub async fn deleted_courses(kurso: &Kurso, viewer: &Viewer) -> Result<Vec<TrashEntry>> {
    let entries = sql!(ENTRIES).push("t.owner_id IS NOT NULL");
    let entries = match viewer.user.is_superuser {
        true => entries,
        false => entries.push(" AND t.owner_id = ").push_bind(viewer.id()),
    };
    let newest = entries.push(NEWEST_FIRST).push(" LIMIT ").push_bind(MAX_LISTED);
    shown(&kurso.db, newest).await
}

/// Finds an entry that the viewer may restore and delete: a part by the right to edit its course, a course if it is theirs or they are a
/// superuser. Fails with 404 if it must not be revealed.
async fn find(kurso: &Kurso, viewer: &Viewer, id: TrashEntryId) -> Result<EntryRow> {
    let not_found = || Error::NotFound(Message::TrashEntryNotFound);
    let entry = sql!(ENTRIES).push("t.id = ").push_bind(id);
    let entry = entry
        .fetch_optional::<EntryRow>(&kurso.db)
        .await?
        .ok_or_else(not_found)?;
    match entry.owner_id {
        Some(owner) if owner == viewer.id() || viewer.user.is_superuser => Ok(entry),
        Some(_) => Err(not_found()),
        None => match courses::find(&kurso.db, viewer, entry.course_id, Right::Edit).await {
            Err(Error::NotFound(_)) => Err(not_found()),
            found => found.map(|_| entry),
        },
    }
}

/// Deletes an entry with everything in it; that of a course also with what had been deleted from the course before.
pub async fn delete_forever(kurso: &Kurso, viewer: &Viewer, id: TrashEntryId) -> Result<()> {
    let entry = find(kurso, viewer, id).await?;
    let mut tx = kurso.db.begin().await?;
    let deleted = sql!("DELETE FROM trash_entries WHERE id = $1", id)
        .execute(&mut tx)
        .await?;
    if deleted == 0 {
        return Err(Error::NotFound(Message::TrashEntryNotFound));
    }
    if entry.kind == TrashKind::Course {
        sql!("DELETE FROM trash_entries WHERE course_id = $1", entry.course_id)
            .execute(&mut tx)
            .await?;
    }
    let log = Entry::new(Act::DeletedForever)
        .by(viewer.id())
        .in_course(entry.course_id);
    log.detail(entry.kind.name()).write(&mut tx, kurso.clock.now()).await?;
    tx.commit().await?;
    Ok(())
}

/// Deletes entries whose time is over. Returns their number. Several nodes may run it at the same time.
pub async fn delete_expired(kurso: &Kurso) -> Result<u64> {
    let now = kurso.clock.now();
    let expired = || {
        sql!(
            "DELETE FROM trash_entries WHERE id IN (SELECT id FROM trash_entries WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)",
            now,
            EXPIRED
        )
    };
    Ok(execute_in_batches(&kurso.db, expired).await?)
}
