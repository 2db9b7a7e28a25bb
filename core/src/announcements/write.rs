//! Writes and deletes announcements.

use chrono::{DateTime, Utc};
use kurso_base::error::{Error, Result};
use kurso_base::ids::{AnnouncementId, CourseId, GroupId, UserId};
use kurso_base::messages::Message;
use kurso_base::schedule::{ScheduleTime, TimeZone};
use kurso_base::values::Change;
use kurso_db::{Tx, sql};
use uuid::Uuid;

use super::rights::Reader;
use super::{Announcement, CreateAnnouncement, MAX_ANNOUNCEMENTS, State, UpdateAnnouncement, excerpt, files, list};
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::audit::{Act, Entry};
use crate::auth::limits;
use crate::courses::{self, Course, Scope, groups, quota};
use crate::notices::{self, Kind};

/// Nobody is notified yet.
pub(super) const NOBODY: Uuid = Uuid::nil();

/// The state of an announcement that is to be published at this time; None, or a time that has passed: now.
fn state(at: Option<ScheduleTime>, zone: TimeZone, now: DateTime<Utc>) -> State {
    let at = at.map(|at| at.opening(zone)).filter(|at| *at > now);
    at.map_or(State::Published(now), State::Scheduled)
}

/// Writes an announcement. Its learners are notified after this returns. Fails with 422 if the course has no such group, with 409 if it has
/// [`MAX_ANNOUNCEMENTS`], and with 429 after 50 of a course within a day.
pub async fn create(kurso: &Kurso, viewer: &Viewer, course: CourseId, new: CreateAnnouncement) -> Result<Announcement> {
    let course = courses::find(&kurso.db, viewer, course, Right::ManageStudents).await?;
    let (id, now) = (AnnouncementId::new(), kurso.clock.now());
    let state = state(new.publish_at, course.dates.zone(), now);
    let mut tx = courses::begin(&kurso.db, course.id, Scope::Unchanged).await?;
    groups::require_group(&mut tx, course.id, new.group_id).await?;
    require_room(&mut tx, course.id).await?;
    let content = files::checked(&mut tx, viewer, course.id, &new.content, None).await?;
    sql!(
        "INSERT INTO announcements (id, course_id, group_id, author_id, title, content, is_pinned, version, created_at, updated_at,
           publish_at, published_at, notified_after, excerpt) VALUES ($1, $2, $3, $4, $5, $6, $7, 1, $8, $8, $9, $10, $11, $12)",
        id,
        course.id,
        new.group_id,
        viewer.id(),
        new.title.as_str(),
        &content,
        new.is_pinned.unwrap_or_default(),
        now,
        state.publish_at(),
        state.published_at(),
        state.published_at().map(|_| NOBODY),
        excerpt(new.content.as_json())
    )
    .execute(&mut tx)
    .await?;
    files::keep(&mut tx, id, &content).await?;
    quota::check_save(kurso, &mut tx, course.id, course.owner.id, content.len()).await?;
    note_publication(&mut tx, state, course.id, Some(viewer.id())).await?;
    kurso.limits.acquire(&limits::announcements(course.id), now)?;
    tx.commit().await?;
    kurso.announcements.wake.notify_one();
    list::one(kurso, viewer, &course, id).await
}

/// Fails with 409 if the course has [`MAX_ANNOUNCEMENTS`]. The caller has locked it.
async fn require_room(tx: &mut Tx, course: CourseId) -> Result<()> {
    let count = sql!("SELECT COUNT(*) FROM announcements WHERE course_id = $1", course);
    let (count,) = count.fetch_one::<(i64,)>(tx).await?;
    match count < MAX_ANNOUNCEMENTS {
        true => Ok(()),
        false => Err(Error::Conflict(Message::TooManyAnnouncements(MAX_ANNOUNCEMENTS))),
    }
}

/// Writes the publication into the audit log.
pub(super) async fn note_publication(tx: &mut Tx, state: State, course: CourseId, by: Option<UserId>) -> Result<()> {
    if let State::Published(at) = state {
        let entry = Entry::new(Act::AnnouncementPublished).by(by).in_course(course);
        entry.write(tx, at).await?;
    }
    Ok(())
}

#[derive(sqlx::FromRow)]
struct Stored {
    group_id: Option<GroupId>,
    title: String,
    content: String,
    is_pinned: bool,
    version: i64,
    publish_at: Option<DateTime<Utc>>,
    published_at: Option<DateTime<Utc>>,
}

/// Locks the course of an announcement that the viewer may write. Fails with 404 if they may not read it, and with 403 if they may not write it.
async fn begin(kurso: &Kurso, viewer: &Viewer, id: AnnouncementId) -> Result<(Course, Tx, Stored)> {
    let course = courses::find(&kurso.db, viewer, id, Right::Read).await?;
    let mut tx = courses::begin(&kurso.db, course.id, Scope::Unchanged).await?;
    let stored = sql!(
        "SELECT group_id, title, content, is_pinned, version, publish_at, published_at FROM announcements WHERE id = $1",
        id
    );
    let stored = stored.fetch_optional::<Stored>(&mut tx).await?;
    let stored = stored.ok_or(Error::NotFound(Message::AnnouncementNotFound))?;
    Reader::of(&course).require_write(stored.group_id, stored.published_at.is_some())?;
    Ok((course, tx, stored))
}

/// Changes an announcement. Those who have read it are not notified again. Fails with 409 if another version is stored, and for the time of one that
/// is published.
pub async fn update(
    kurso: &Kurso,
    viewer: &Viewer,
    id: AnnouncementId,
    update: UpdateAnnouncement,
) -> Result<Announcement> {
    let (course, mut tx, stored) = begin(kurso, viewer, id).await?;
    let now = kurso.clock.now();
    if stored.version != update.version.get() {
        return Err(Error::Conflict(Message::AnnouncementChanged));
    }
    let earlier = State::of(stored.publish_at, stored.published_at);
    let state = match (earlier, update.publish_at) {
        (State::Published(_), Change::Set(_)) => return Err(Error::Conflict(Message::AnnouncementPublished)),
        (State::Published(_), _) | (_, Change::Keep) => earlier,
        (State::Scheduled(_), Change::Clear) => State::Published(now),
        (State::Scheduled(_), Change::Set(at)) => self::state(Some(at), course.dates.zone(), now),
    };
    let becomes_published = state != earlier && state.published_at().is_some();
    let content = match &update.content {
        Some(content) => files::checked(&mut tx, viewer, course.id, content, Some(&stored.content)).await?,
        None => stored.content,
    };
    let changed = sql!(
        "UPDATE announcements SET title = $2, content = $3, is_pinned = $4, version = version + 1, updated_at = $5, publish_at = $6,
           published_at = $7, notified_after = CASE WHEN $8 THEN $9 ELSE notified_after END,
           excerpt = COALESCE($11, excerpt)
         WHERE id = $1 AND (published_at IS NOT NULL) = $10",
        id,
        update.title.map_or(stored.title, String::from),
        &content,
        update.is_pinned.unwrap_or(stored.is_pinned),
        now,
        state.publish_at(),
        state.published_at(),
        becomes_published,
        NOBODY,
        earlier.published_at().is_some(),
        update.content.as_ref().map(|content| excerpt(content.as_json()))
    );
    // It may have been published since it was read: publishing does not wait for the lock of the course.
    if changed.execute(&mut tx).await? == 0 {
        return Err(Error::Conflict(Message::AnnouncementChanged));
    }
    if update.content.is_some() {
        files::keep(&mut tx, id, &content).await?;
        quota::check_save(kurso, &mut tx, course.id, course.owner.id, content.len()).await?;
    }
    if becomes_published {
        note_publication(&mut tx, state, course.id, Some(viewer.id())).await?;
    }
    tx.commit().await?;
    if becomes_published {
        kurso.announcements.wake.notify_one();
    }
    list::one(kurso, viewer, &course, id).await
}

/// Deletes an announcement with everybody's notices of it. Returns its course.
pub async fn delete(kurso: &Kurso, viewer: &Viewer, id: AnnouncementId) -> Result<CourseId> {
    let (course, mut tx, _) = begin(kurso, viewer, id).await?;
    // Waits for the notification of learners in progress, whose notices are then deleted as well.
    sql!("DELETE FROM announcements WHERE id = $1", id)
        .execute(&mut tx)
        .await?;
    let notices = sql!(
        "DELETE FROM notices WHERE kind = $1 AND subject = $2",
        Kind::Announcement,
        id
    );
    notices::withdrawn(&mut tx, notices).await?;
    let entry = Entry::new(Act::AnnouncementDeleted)
        .by(viewer.id())
        .in_course(course.id);
    entry.write(&mut tx, kurso.clock.now()).await?;
    tx.commit().await?;
    Ok(course.id)
}
