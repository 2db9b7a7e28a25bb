//! Finds discussions for a person, and what all changes of them do.

use chrono::{DateTime, Utc};
use kurso_base::error::{Error, Result};
use kurso_base::ids::{CourseId, DiscussionId, GroupId, PageId, PostId, UserId};
use kurso_base::messages::Message;
use kurso_db::events::Event;
use kurso_db::{Executor, Tx, sql};

use super::reader::{Audience, Reader, Scope, is_on};
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::courses::{self, Course, CoursePart};
pub(super) use crate::deletion::posts::renew;
use crate::learning::view::CourseView;

/// A person at a page whose discussions they may read.
pub(super) struct Participant {
    pub course: Course,
    pub reader: Reader,
}

/// Fails with 404 if the viewer may not see the page, with 403 without the right to discuss, and as locked if its contents are withheld from
/// the viewer.
pub(super) async fn participant_at(kurso: &Kurso, viewer: &Viewer, page: PageId) -> Result<Participant> {
    let (view, place) = CourseView::load_by_page(kurso, viewer, page, Right::Discuss).await?;
    view.require_readable(place)?;
    participant(view.course, viewer)
}

fn participant(course: Course, viewer: &Viewer) -> Result<Participant> {
    let reader = Reader::of(&course, viewer.id()).ok_or(Error::Forbidden(Message::CourseForbidden))?;
    Ok(Participant { course, reader })
}

/// As [`participant_at`], by a discussion or a post that the viewer may read. Fails with 404 otherwise.
pub(super) async fn participant_by(
    kurso: &Kurso,
    viewer: &Viewer,
    part: impl Into<CoursePart>,
) -> Result<(Participant, Stored)> {
    let part = part.into();
    let course = courses::find(&kurso.db, viewer, part, Right::Discuss).await?;
    let stored = find(&kurso.db, part).await?;
    let view = CourseView::of(kurso, course).await?;
    let missing = || missing(part);
    let place = view.tree.place(stored.page_id).filter(|place| view.shows(*place));
    let place = place.ok_or_else(missing)?;
    view.require_readable(place)?;
    let participant = participant(view.course, viewer)?;
    match stored.is_read_by(&participant.reader, part) {
        true => Ok((participant, stored)),
        false => Err(missing()),
    }
}

fn missing(part: CoursePart) -> Error {
    Error::NotFound(match part {
        CoursePart::Post(_) => Message::PostNotFound,
        _ => Message::DiscussionNotFound,
    })
}

/// A discussion, and one of its posts: the named one, or the opening one.
#[derive(Clone, Debug, sqlx::FromRow)]
pub(super) struct Stored {
    pub id: DiscussionId,
    pub page_id: PageId,
    pub audience: Audience,
    pub group_id: Option<GroupId>,
    pub is_on: bool,
    pub is_locked: bool,
    pub is_pinned: bool,
    pub resolved_at: Option<DateTime<Utc>>,
    pub asker_id: Option<UserId>,
    pub is_opening_hidden: bool,
    pub is_opening_anonymous: bool,
    pub post_id: PostId,
    pub author_id: Option<UserId>,
    pub is_opening: bool,
    pub is_anonymous: bool,
    pub body: String,
    pub hidden_at: Option<DateTime<Utc>>,
    pub deleted_at: Option<DateTime<Utc>>,
}

impl Stored {
    /// The author, for the audit log, which does not name anonymous ones.
    pub fn named_author(&self) -> Option<UserId> {
        self.author_id.filter(|_| !self.is_anonymous)
    }

    pub fn scope(&self) -> Scope {
        Scope {
            asker: self.asker_id,
            audience: self.audience,
            group: self.group_id,
            is_hidden: self.is_opening_hidden,
            is_on: self.is_on,
        }
    }

    fn is_read_by(&self, reader: &Reader, part: CoursePart) -> bool {
        let is_post = matches!(part, CoursePart::Post(_));
        reader.reads(&self.scope()) && (!is_post || reader.reads_post(self.author_id, self.hidden_at.is_some()))
    }

    /// Fails with 409 if the post is hidden or deleted.
    pub fn require_shown(&self) -> Result<()> {
        match (self.hidden_at, self.deleted_at) {
            (Some(_), _) => Err(Error::Conflict(Message::PostHidden)),
            (None, Some(_)) => Err(Error::Conflict(Message::PostDeleted)),
            (None, None) => Ok(()),
        }
    }
}

const STORED: &str = concat!(
    "SELECT d.id, d.page_id, d.audience, d.group_id, ",
    is_on!(),
    " AS is_on, d.is_locked, d.is_pinned, d.resolved_at, o.author_id AS asker_id, o.hidden_at IS NOT NULL AS is_opening_hidden,
      o.is_anonymous AS is_opening_anonymous, x.id AS post_id, x.author_id, x.is_opening, x.is_anonymous, x.body, x.hidden_at, x.deleted_at
      FROM discussions d JOIN pages p ON p.id = d.page_id JOIN discussion_posts o ON o.discussion_id = d.id AND o.is_opening
      JOIN discussion_posts x ON x.discussion_id = d.id WHERE "
);

async fn find(on: impl Executor, part: CoursePart) -> Result<Stored> {
    let stored = sql!(STORED);
    let stored = match part {
        CoursePart::Post(id) => stored.push("x.id = ").push_bind(id),
        CoursePart::Discussion(id) => stored.push("x.is_opening AND d.id = ").push_bind(id),
        _ => return Err(missing(part)),
    };
    stored.fetch_optional(on).await?.ok_or_else(|| missing(part))
}

/// Reads it again in a transaction that has locked the course. Fails with 404 if the reader may no longer read it.
pub(super) async fn reload(tx: &mut Tx, reader: &Reader, part: impl Into<CoursePart>) -> Result<Stored> {
    let part = part.into();
    let stored = find(&mut *tx, part).await?;
    match stored.is_read_by(reader, part) {
        true => Ok(stored),
        false => Err(missing(part)),
    }
}

/// Publishes that a discussion has changed.
pub(super) fn publish(tx: &mut Tx, course: CourseId, stored: &Stored, by: UserId, at: DateTime<Utc>) {
    tx.publish(Event::Discussion {
        course,
        page: stored.page_id,
        discussion: stored.id,
        asker: stored.asker_id,
        audience: stored.audience.name().to_owned(),
        group: stored.group_id,
        is_hidden: stored.is_opening_hidden,
        by,
        at,
    });
}

/// Publishes that a post was reported. Nobody else is told that something has happened.
pub(super) fn publish_to_moderators(tx: &mut Tx, course: CourseId, stored: &Stored, by: UserId, at: DateTime<Utc>) {
    let seen = Stored {
        asker_id: None,
        audience: Audience::Teachers,
        group_id: None,
        ..stored.clone()
    };
    publish(tx, course, &seen, by, at);
}

/// Fails with 403 unless the person moderates.
pub(super) fn require_moderator(reader: &Reader) -> Result<()> {
    match reader.is_moderator() {
        true => Ok(()),
        false => Err(Error::Forbidden(Message::ModeratorsOnly)),
    }
}
