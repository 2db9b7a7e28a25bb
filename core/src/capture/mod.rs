//! Takes snapshots of courses, also automatic ones in the transaction of a change
//! ([decision 115](../../../docs/decisions/0115-course-snapshots.md)). `snapshots` shows, compares and restores them.

mod outline;
mod pack;

use chrono::{DateTime, Duration, Utc};

pub(crate) use outline::{Lesson, Module, Outline, Page};
pub(crate) use pack::{DraftText, Text, inflate, stored_texts, texts};

use kurso_base::error::Result;
use kurso_base::ids::{CourseId, SnapshotId, UserId};
use kurso_db::{Tx, sql};

/// How long an automatic snapshot is kept.
pub fn retention() -> Duration {
    Duration::days(30)
}

/// The most automatic snapshots of a course.
pub const MAX_AUTOMATIC: i64 = 30;

/// Why a snapshot was taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum SnapshotReason {
    /// Somebody took it.
    Named,
    /// An import was about to change the course.
    BeforeImport,
    /// Taken before several parts of the course were changed together.
    BeforeBulkChange,
    /// The course was about to be restored from another snapshot.
    BeforeRestore,
}

impl SnapshotReason {
    /// As stored and sent.
    pub fn name(self) -> &'static str {
        match self {
            SnapshotReason::Named => "named",
            SnapshotReason::BeforeImport => "before_import",
            SnapshotReason::BeforeBulkChange => "before_bulk_change",
            SnapshotReason::BeforeRestore => "before_restore",
        }
    }
}

/// A snapshot to take.
pub(crate) struct New<'a> {
    pub course: CourseId,
    pub by: UserId,
    pub at: DateTime<Utc>,
    pub reason: SnapshotReason,
    /// None: an automatic one, which expires.
    pub name: Option<&'a str>,
}

/// Takes an automatic snapshot of a course that the transaction has locked and is about to change. If nothing has changed since the last
/// snapshot, that one is kept instead. Returns its id. Six statements if nothing has changed.
pub(crate) async fn before(
    tx: &mut Tx,
    course: CourseId,
    by: UserId,
    reason: SnapshotReason,
    at: DateTime<Utc>,
) -> Result<SnapshotId> {
    let outline = Outline::read(&mut *tx, course).await?;
    before_with(tx, course, by, reason, at, outline).await
}

/// As [`before`], with the outline of the course as it is now.
pub(crate) async fn before_with(
    tx: &mut Tx,
    course: CourseId,
    by: UserId,
    reason: SnapshotReason,
    at: DateTime<Utc>,
    outline: Outline,
) -> Result<SnapshotId> {
    let last = sql!(
        "SELECT id, digest, expires_at FROM course_snapshots WHERE course_id = $1 ORDER BY taken_at DESC, id DESC LIMIT 1",
        course
    );
    let last = last.fetch_optional::<(SnapshotId, String, Option<DateTime<Utc>>)>(&mut *tx);
    if let Some((id, digest, expires_at)) = last.await?
        && digest == outline.digest()?
    {
        if expires_at.is_some() {
            let expires_at = at + retention();
            sql!(
                "UPDATE course_snapshots SET expires_at = $2 WHERE id = $1",
                id,
                expires_at
            )
            .execute(tx)
            .await?;
        }
        return Ok(id);
    }
    let new = New {
        course,
        by,
        at,
        reason,
        name: None,
    };
    let (id, _) = take(tx, new, outline).await?;
    sql!(
        "DELETE FROM course_snapshots WHERE course_id = $1 AND expires_at IS NOT NULL AND id NOT IN (
           SELECT id FROM course_snapshots WHERE course_id = $1 AND expires_at IS NOT NULL ORDER BY taken_at DESC, id DESC LIMIT $2)",
        course,
        MAX_AUTOMATIC
    )
    .execute(tx)
    .await?;
    Ok(id)
}

/// Takes a snapshot of a course that the transaction has locked. Returns its id and the bytes that it takes.
pub(crate) async fn take(tx: &mut Tx, new: New<'_>, mut outline: Outline) -> Result<(SnapshotId, usize)> {
    let id = SnapshotId::new();
    let digest = outline.digest()?;
    let count = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
    let expires_at = new.name.is_none().then(|| new.at + retention());
    sql!(
        "INSERT INTO course_snapshots (id, course_id, name, reason, taken_by, taken_at, expires_at, digest, module_count, lesson_count, page_count,
           size, outline) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 0, $12)",
        id,
        new.course,
        new.name,
        new.reason,
        new.by,
        new.at,
        expires_at,
        digest,
        count(outline.modules.len()),
        count(outline.lessons().count()),
        count(outline.pages().count()),
        Vec::<u8>::new()
    )
    .execute(&mut *tx)
    .await?;
    let texts = pack::write(tx, id, &mut outline).await?;
    let packed = pack::deflate(&serde_json::to_vec(&outline).map_err(kurso_base::error::Error::internal)?)?;
    let size = texts.saturating_add(packed.len());
    sql!(
        "UPDATE course_snapshots SET size = $2, outline = $3 WHERE id = $1",
        id,
        count(size),
        packed
    )
    .execute(&mut *tx)
    .await?;
    // Pages also keep the files of their history. Those are few, and finding out which they are would cost the parsing of all texts.
    sql!(
        "INSERT INTO snapshot_files (snapshot_id, file_id)
         SELECT $1, s.file_id FROM page_files s JOIN pages p ON p.id = s.page_id WHERE p.course_id = $2
         UNION SELECT $1, m.avatar_file_id FROM modules m WHERE m.course_id = $2 AND m.avatar_file_id IS NOT NULL",
        id,
        new.course
    )
    .execute(tx)
    .await?;
    Ok((id, size))
}
