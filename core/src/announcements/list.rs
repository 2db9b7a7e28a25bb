//! Reads announcements.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use kurso_base::error::{Error, Result};
use kurso_base::ids::{AnnouncementId, CourseId, GroupId, UserId};
use kurso_base::messages::Message;
use kurso_db::{Executor, sql};

use super::order::Place;
use super::rights::Reader;
use super::{Announcement, MAX_LISTED, State};
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::courses;
use crate::courses::groups::GroupName;
use crate::subscriptions::PersonName;

/// The requested part of a list.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wanted {
    /// At most [`MAX_LISTED`].
    pub first: usize,
    pub after: Option<Place>,
    /// The number of announcements to skip.
    pub skip: usize,
}

/// Announcements of a course: for those who write them, scheduled ones first; then pinned ones, then the newest.
#[derive(Clone, Debug)]
pub struct List {
    pub items: Vec<Announcement>,
    /// The cursor of the next part; None at the end.
    pub next: Option<Place>,
    /// The number of all announcements that the person may read.
    pub count: usize,
    /// The number of published ones that the person has neither read nor written.
    pub unread: usize,
    pub can_write: bool,
}

/// What orders an announcement, and decides who reads it.
#[derive(Clone, Copy, Debug, sqlx::FromRow)]
pub(super) struct Key {
    pub id: AnnouncementId,
    pub group_id: Option<GroupId>,
    publish_at: Option<DateTime<Utc>>,
    published_at: Option<DateTime<Utc>>,
    is_pinned: bool,
    /// Whether the person has read or written it.
    pub is_read: bool,
}

impl Key {
    pub fn is_published(&self) -> bool {
        self.published_at.is_some()
    }

    fn place(&self) -> Place {
        Place::of(self.id, State::of(self.publish_at, self.published_at), self.is_pinned)
    }
}

/// The keys of the announcements of a course that the person may read. One statement.
pub(super) async fn keys(on: impl Executor, user: UserId, course: CourseId, reader: Reader) -> Result<Vec<Key>> {
    let keys = sql!(
        "SELECT a.id, a.group_id, a.publish_at, a.published_at, a.is_pinned,
           (a.author_id = $1 OR r.user_id IS NOT NULL) IS TRUE AS is_read
         FROM announcements a LEFT JOIN announcement_reads r ON r.announcement_id = a.id AND r.user_id = $1
         WHERE a.course_id = $2",
        user,
        course
    );
    let mut keys = keys.fetch_all::<Key>(on).await?;
    keys.retain(|key| reader.may_read(key.group_id, key.is_published()));
    Ok(keys)
}

/// The number of published announcements that the person has neither read nor written.
pub(super) fn unread(keys: &[Key]) -> usize {
    keys.iter().filter(|key| key.is_published() && !key.is_read).count()
}

/// The announcements of a course that the viewer may read. Fails with 404 without a relation to the course. Three statements for any number.
pub async fn list(kurso: &Kurso, viewer: &Viewer, course: CourseId, wanted: Wanted) -> Result<List> {
    let course = courses::find(&kurso.db, viewer, course, Right::Read).await?;
    let reader = Reader::of(&course);
    let keys = keys(&kurso.db, viewer.id(), course.id, reader).await?;
    let mut places: Vec<(Place, AnnouncementId)> = keys.iter().map(|key| (key.place(), key.id)).collect();
    places.sort_unstable();
    let rest = places.iter().filter(|(place, _)| Some(*place) > wanted.after);
    let rest: Vec<_> = rest.skip(wanted.skip).collect();
    let shown = rest.get(..wanted.first.min(MAX_LISTED)).unwrap_or(&rest);
    let ids: Vec<AnnouncementId> = shown.iter().map(|(_, id)| *id).collect();
    let mut found = read(&kurso.db, viewer.id(), reader, &ids).await?;
    Ok(List {
        // One that was deleted in between is left out.
        items: ids.iter().filter_map(|id| found.remove(id)).collect(),
        next: shown
            .last()
            .filter(|_| shown.len() < rest.len())
            .map(|(place, _)| *place),
        count: keys.len(),
        unread: unread(&keys),
        can_write: reader.can_write(),
    })
}

/// One announcement. Fails with 404 if the viewer may not read it. Two statements.
pub async fn find(kurso: &Kurso, viewer: &Viewer, id: AnnouncementId) -> Result<Announcement> {
    let course = courses::find(&kurso.db, viewer, id, Right::Read).await?;
    let reader = Reader::of(&course);
    let found = read(&kurso.db, viewer.id(), reader, &[id]).await?.remove(&id);
    found.ok_or(Error::NotFound(Message::AnnouncementNotFound))
}

#[derive(sqlx::FromRow)]
struct Row {
    id: AnnouncementId,
    course_id: CourseId,
    group_id: Option<GroupId>,
    group_title: Option<String>,
    title: String,
    content: String,
    author_id: Option<UserId>,
    author_name: Option<String>,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
    publish_at: Option<DateTime<Utc>>,
    published_at: Option<DateTime<Utc>>,
    is_pinned: bool,
    version: i64,
    was_read: bool,
}

/// Those of these announcements that the person may read. One statement; none without ids.
pub(super) async fn read(
    on: impl Executor,
    user: UserId,
    reader: Reader,
    ids: &[AnnouncementId],
) -> Result<HashMap<AnnouncementId, Announcement>> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let rows = sql!(
        "SELECT a.id, a.course_id, a.group_id, g.title AS group_title, a.title, a.content, u.id AS author_id, u.full_name AS author_name,
           a.created_at, a.updated_at, a.publish_at, a.published_at, a.is_pinned, a.version, r.user_id IS NOT NULL AS was_read
         FROM announcements a LEFT JOIN groups g ON g.id = a.group_id LEFT JOIN users u ON u.id = a.author_id
         LEFT JOIN announcement_reads r ON r.announcement_id = a.id AND r.user_id = $1 WHERE a.id IN ",
        user
    );
    let rows = rows.push_in(ids.iter().copied()).fetch_all::<Row>(on).await?;
    let readable = rows
        .into_iter()
        .filter(|row| reader.may_read(row.group_id, row.published_at.is_some()));
    let announcement = |row: Row| Announcement {
        id: row.id,
        course_id: row.course_id,
        group: GroupName::of(row.group_id, row.group_title),
        title: row.title,
        content: row.content.into(),
        is_read: row.was_read || row.author_id == Some(user),
        author: row.author_id.map(|id| PersonName {
            id,
            full_name: row.author_name,
        }),
        created_at: row.created_at,
        updated_at: row.updated_at,
        state: State::of(row.publish_at, row.published_at),
        is_pinned: row.is_pinned,
        version: row.version,
        can_write: reader.can_write(),
    };
    Ok(readable.map(|row| (row.id, announcement(row))).collect())
}
