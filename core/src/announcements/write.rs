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

/// The initial `notified_after`: nobody has been notified.
pub(super) const BEFORE_ALL: Uuid = Uuid::nil();

/// The state of an announcement with this publishing time. None, or a time in the past, publishes it now.
fn state(at: Option<ScheduleTime>, zone: TimeZone, now: DateTime<Utc>) -> State {
    let at = at.map(|at| at.opening(zone)).filter(|at| *at > now);
    at.map_or(State::Published(now), State::Scheduled)
}

/// Creates an announcement. The worker notifies its learners later. Fails with 422 if the course has no such group, with 409 if it already has
/// [`MAX_ANNOUNCEMENTS`], and with 429 after 50 announcements in the course within a day.
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
        state.published_at().map(|_| BEFORE_ALL),
        excerpt(new.content.as_json())
    )
    .execute(&mut tx)
    .await?;
    files::keep(&mut tx, id, &new.content).await?;
    quota::check_save(kurso, &mut tx, course.id, course.owner.id, content.len()).await?;
    if let Some(at) = state.published_at() {
        note_publication(&mut tx, at, course.id, Some(viewer.id())).await?;
    }
    kurso.limits.acquire(&limits::announcements(course.id), now)?;
    tx.commit().await?;
    kurso.announcements.wake.notify_one();
    list::one(kurso, viewer, &course, id).await
}

/// Fails with 409 if the course already has [`MAX_ANNOUNCEMENTS`] announcements. The caller has locked the course.
async fn require_room(tx: &mut Tx, course: CourseId) -> Result<()> {
    let count = sql!("SELECT COUNT(*) FROM announcements WHERE course_id = $1", course);
    let (count,) = count.fetch_one::<(i64,)>(tx).await?;
    match count < MAX_ANNOUNCEMENTS {
        true => Ok(()),
        false => Err(Error::Conflict(Message::TooManyAnnouncements(MAX_ANNOUNCEMENTS))),
    }
}

/// Records the publication in the audit log.
pub(super) async fn note_publication(
    tx: &mut Tx,
    at: DateTime<Utc>,
    course: CourseId,
    by: Option<UserId>,
) -> Result<()> {
    let entry = Entry::new(Act::AnnouncementPublished).by(by).in_course(course);
    Ok(entry.write(tx, at).await?)
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

/// Locks the course of an announcement that the viewer may change. Fails with 404 if they may not read it, and with 403 if they may not change it.
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

/// Changes an announcement. Nobody is notified again. Fails with 409 if another version is stored, and if a published announcement gets a time.
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
        BEFORE_ALL,
        earlier.published_at().is_some(),
        update.content.as_ref().map(|content| excerpt(content.as_json()))
    );
    // The worker may have published it meanwhile: it does not take the lock of the course.
    if changed.execute(&mut tx).await? == 0 {
        return Err(Error::Conflict(Message::AnnouncementChanged));
    }
    if let Some(document) = &update.content {
        files::keep(&mut tx, id, document).await?;
        quota::check_save(kurso, &mut tx, course.id, course.owner.id, content.len()).await?;
    }
    if becomes_published {
        note_publication(&mut tx, now, course.id, Some(viewer.id())).await?;
    }
    tx.commit().await?;
    if becomes_published {
        kurso.announcements.wake.notify_one();
    }
    list::one(kurso, viewer, &course, id).await
}

/// Deletes an announcement and all notices of it. Returns its course.
pub async fn delete(kurso: &Kurso, viewer: &Viewer, id: AnnouncementId) -> Result<CourseId> {
    let (course, mut tx, _) = begin(kurso, viewer, id).await?;
    // This waits for a chunk in progress, so that its notices are deleted as well.
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
