//! Reads announcements.

use std::collections::HashMap;
use std::sync::Arc;

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
use crate::courses::groups::GroupName;
use crate::courses::{self, Course};
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

/// A part of a course's announcements: scheduled ones first (for those who may write), then pinned ones, then the newest.
#[derive(Clone, Debug)]
pub struct List {
    pub items: Vec<Announcement>,
    /// The cursor of the next part; None at the end.
    pub next: Option<Place>,
    /// The number of all announcements that the person may read.
    pub count: usize,
    /// The number of published announcements that the person has neither read nor written.
    pub unread: usize,
    pub can_write: bool,
}

/// The columns that decide the order of an announcement and who may read it.
#[derive(Clone, Copy, Debug, sqlx::FromRow)]
pub(super) struct Key {
    pub id: AnnouncementId,
    course_id: CourseId,
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

/// An SQL expression: whether the person `$1` has read or written announcement `a`; `r` is their row of `announcement_reads`.
macro_rules! is_read {
    () => {
        "(a.author_id = $1 OR r.user_id IS NOT NULL) IS TRUE AS is_read"
    };
}

/// Reads the keys of all announcements of these courses.
async fn keys_in(on: impl Executor, user: UserId, courses: impl IntoIterator<Item = CourseId>) -> Result<Vec<Key>> {
    let keys = sql!(
        concat!(
            "SELECT a.id, a.course_id, a.group_id, a.publish_at, a.published_at, a.is_pinned, ",
            is_read!(),
            " FROM announcements a LEFT JOIN announcement_reads r ON r.announcement_id = a.id AND r.user_id = $1 WHERE a.course_id IN "
        ),
        user
    );
    Ok(keys.push_in(courses).fetch_all::<Key>(on).await?)
}

/// The keys of the announcements of a course that the person may read. One statement.
pub(super) async fn keys(on: impl Executor, user: UserId, course: &Course) -> Result<Vec<Key>> {
    let keys = keys_in(on, user, [course.id]).await?;
    Ok(readable(Reader::of(course), keys.into_iter()))
}

fn readable(reader: Reader, keys: impl Iterator<Item = Key>) -> Vec<Key> {
    keys.filter(|key| reader.may_read(key.group_id, key.is_published()))
        .collect()
}

/// The number of published announcements that the person has neither read nor written.
pub(super) fn unread(keys: &[Key]) -> usize {
    keys.iter().filter(|key| key.is_published() && !key.is_read).count()
}

/// The announcements of a course that the viewer may read. Fails with 404 without a relation to the course. Three statements for any number.
pub async fn list(kurso: &Kurso, viewer: &Viewer, course: CourseId, wanted: Wanted) -> Result<List> {
    let course = courses::find(&kurso.db, viewer, course, Right::Read).await?;
    let found = in_courses(kurso, viewer.id(), std::slice::from_ref(&course), wanted).await?;
    let list = found.into_iter().next();
    list.ok_or_else(|| Error::internal("a course has no list of announcements"))
}

/// As [`list`], for several courses that the caller has authorized, in their order. `user` is the person whose unread announcements are counted. Two
/// statements; none without courses.
pub async fn in_courses(kurso: &Kurso, user: UserId, courses: &[Course], wanted: Wanted) -> Result<Vec<List>> {
    if courses.is_empty() {
        return Ok(vec![]);
    }
    let mut of_course: HashMap<CourseId, Vec<Key>> = HashMap::new();
    for key in keys_in(&kurso.db, user, courses.iter().map(|course| course.id)).await? {
        of_course.entry(key.course_id).or_default().push(key);
    }
    let parts: Vec<Part> = courses
        .iter()
        .map(|course| Part::of(course, of_course.get(&course.id).map_or(&[], Vec::as_slice), wanted))
        .collect();
    let shown: Vec<AnnouncementId> = parts.iter().flat_map(|part| part.shown.iter().copied()).collect();
    let mut rows = rows(&kurso.db, user, &shown).await?;
    let lists = parts.into_iter().map(|part| List {
        // Leave out announcements that were deleted between the two statements.
        items: part
            .shown
            .iter()
            .filter_map(|id| rows.remove(id)?.seen_by(part.reader))
            .collect(),
        next: part.next,
        count: part.count,
        unread: part.unread,
        can_write: part.reader.can_write(),
    });
    Ok(lists.collect())
}

/// Selects the requested part of a course's list.
struct Part {
    reader: Reader,
    shown: Vec<AnnouncementId>,
    next: Option<Place>,
    count: usize,
    unread: usize,
}

impl Part {
    fn of(course: &Course, keys: &[Key], wanted: Wanted) -> Self {
        let reader = Reader::of(course);
        let keys = readable(reader, keys.iter().copied());
        let mut places: Vec<(Place, AnnouncementId)> = keys.iter().map(|key| (key.place(), key.id)).collect();
        places.sort_unstable();
        let rest = places.iter().filter(|(place, _)| Some(*place) > wanted.after);
        let rest: Vec<_> = rest.skip(wanted.skip).collect();
        let shown = rest.get(..wanted.first.min(MAX_LISTED)).unwrap_or(&rest);
        Part {
            reader,
            shown: shown.iter().map(|(_, id)| *id).collect(),
            next: shown
                .last()
                .filter(|_| shown.len() < rest.len())
                .map(|(place, _)| *place),
            count: keys.len(),
            unread: unread(&keys),
        }
    }
}

/// Reads one announcement. Fails with 404 if the viewer may not read it. Two statements.
pub async fn find(kurso: &Kurso, viewer: &Viewer, id: AnnouncementId) -> Result<Announcement> {
    let course = courses::find(&kurso.db, viewer, id, Right::Read).await?;
    one(kurso, viewer, &course, id).await
}

/// Reads an announcement of a course that the viewer may see. Fails with 404 if they may not read the announcement.
pub(super) async fn one(kurso: &Kurso, viewer: &Viewer, course: &Course, id: AnnouncementId) -> Result<Announcement> {
    let row = rows(&kurso.db, viewer.id(), &[id]).await?.remove(&id);
    let found = row.and_then(|row| row.seen_by(Reader::of(course)));
    found.ok_or(Error::NotFound(Message::AnnouncementNotFound))
}

/// Reads the contents of these announcements: documents as JSON. The caller has checked that the viewer may read them. One statement; none without ids.
pub async fn contents_of(kurso: &Kurso, ids: &[AnnouncementId]) -> Result<HashMap<AnnouncementId, Arc<str>>> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let contents = sql!("SELECT id, content FROM announcements WHERE id IN ").push_in(ids.iter().copied());
    let contents = contents.fetch_all::<(AnnouncementId, String)>(&kurso.db).await?;
    Ok(contents.into_iter().map(|(id, content)| (id, content.into())).collect())
}

#[derive(sqlx::FromRow)]
struct Row {
    id: AnnouncementId,
    course_id: CourseId,
    group_id: Option<GroupId>,
    group_title: Option<String>,
    title: String,
    excerpt: String,
    author_id: Option<UserId>,
    author_name: Option<String>,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
    publish_at: Option<DateTime<Utc>>,
    published_at: Option<DateTime<Utc>>,
    is_pinned: bool,
    version: i64,
    is_read: bool,
}

/// One statement; none without ids.
async fn rows(on: impl Executor, user: UserId, ids: &[AnnouncementId]) -> Result<HashMap<AnnouncementId, Row>> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let rows = sql!(
        concat!(
            "SELECT a.id, a.course_id, a.group_id, g.title AS group_title, a.title, a.excerpt, u.id AS author_id, u.full_name AS author_name,
               a.created_at, a.updated_at, a.publish_at, a.published_at, a.is_pinned, a.version, ",
            is_read!(),
            " FROM announcements a LEFT JOIN groups g ON g.id = a.group_id LEFT JOIN users u ON u.id = a.author_id
               LEFT JOIN announcement_reads r ON r.announcement_id = a.id AND r.user_id = $1 WHERE a.id IN "
        ),
        user
    );
    let rows = rows.push_in(ids.iter().copied()).fetch_all::<Row>(on).await?;
    Ok(rows.into_iter().map(|row| (row.id, row)).collect())
}

impl Row {
    /// None if the person may not read it.
    fn seen_by(self, reader: Reader) -> Option<Announcement> {
        let is_readable = reader.may_read(self.group_id, self.published_at.is_some());
        is_readable.then(|| Announcement {
            id: self.id,
            course_id: self.course_id,
            group: GroupName::of(self.group_id, self.group_title),
            title: self.title,
            excerpt: self.excerpt,
            is_read: self.is_read,
            author: self.author_id.map(|id| PersonName {
                id,
                full_name: self.author_name,
            }),
            created_at: self.created_at,
            updated_at: self.updated_at,
            state: State::of(self.publish_at, self.published_at),
            is_pinned: self.is_pinned,
            version: self.version,
            can_write: reader.can_write(),
        })
    }
}
