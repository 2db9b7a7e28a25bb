use async_graphql::{Context, Enum, ID, Object, Result, SimpleObject};
use kurso_core::{inbox, notices};

use super::grading::PersonName;
use super::{DateTime, id_of, int};
use crate::cost;

/// The kind of a notice.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "notices::Kind")]
pub enum NoticeKind {
    /// A result graded by a teacher is visible to the caller.
    Graded,
    /// Work of the caller was returned for another try.
    Returned,
    /// A regrading changed a result of the caller.
    ResultChanged,
    /// A teacher gave the caller another attempt.
    AttemptGiven,
    /// Within 24 hours, an attempt that the caller has not made yet becomes late or is no longer accepted.
    DeadlineNear,
    /// A page that the caller has read has an important change.
    ImportantChange,
    /// An author comment mentions the caller.
    Mention,
    /// Somebody replied in a thread of author comments that the caller takes part in.
    Comment,
    /// The caller is invited to the team of a course.
    Invited,
    /// An import of the caller has ended, well or not.
    ImportDone,
    /// A learner completed a course that the caller teaches.
    CourseCompleted,
    /// The staff of a course that the caller takes have published an announcement.
    Announcement,
    /// A teacher has sent the caller a reminder.
    Nudge,
    /// Somebody answered a question under a page that the caller asked, answered or follows.
    Answered,
    /// A learner asked a question under a page of a course that the caller teaches.
    Asked,
    /// Somebody reported a question or an answer in a course that the caller teaches.
    Reported,
}

/// A notice of an event. The caller sees no notices of what they may not read now.
#[derive(SimpleObject)]
pub struct Notice {
    /// Unique ID. A repeated event renews the notice with a new ID.
    id: ID,
    /// The kind.
    kind: NoticeKind,
    /// When it happened.
    happened_at: DateTime,
    /// Whether the caller has read it.
    is_read: bool,
    /// Null if it is about no course.
    course: Option<NoticePlace>,
    /// Null if it is about no page.
    page: Option<NoticePlace>,
    /// ID of the attempt (GRADED, RETURNED, RESULT_CHANGED), page (ATTEMPT_GIVEN, IMPORTANT_CHANGE), comment (MENTION, COMMENT), question or answer under a page (ANSWERED, ASKED, REPORTED), course (INVITED), import (IMPORT_DONE), enrollment (COURSE_COMPLETED) or announcement (ANNOUNCEMENT); an opaque ID for DEADLINE_NEAR and NUDGE.
    subject_id: ID,
    /// The user who caused the event; null if nobody did, if learners do not see who did, and if the account was deleted.
    actor: Option<PersonName>,
    /// The learner who completed the course; null for other kinds.
    learner: Option<PersonName>,
    /// The deadline; null for other kinds.
    closes_at: Option<DateTime>,
    /// The title of the announcement, or the text of the nudge; null for other kinds.
    text: Option<String>,
}

/// A course or page that a notice is about.
#[derive(SimpleObject)]
pub struct NoticePlace {
    /// ID of the course or page.
    pub id: ID,
    /// Null for a page without a title.
    pub title: Option<String>,
}

impl<Id: std::fmt::Display> From<inbox::Place<Id>> for NoticePlace {
    fn from(place: inbox::Place<Id>) -> Self {
        NoticePlace {
            id: id_of(place.id),
            title: place.title,
        }
    }
}

impl From<inbox::Notice> for Notice {
    fn from(notice: inbox::Notice) -> Self {
        Notice {
            id: id_of(notice.id),
            kind: notice.kind.into(),
            happened_at: DateTime(notice.happened_at),
            is_read: notice.read_at.is_some(),
            course: notice.course.map(NoticePlace::from),
            page: notice.page.map(NoticePlace::from),
            subject_id: id_of(notice.subject),
            actor: notice.actor.as_ref().map(PersonName::from),
            learner: notice.learner.as_ref().map(PersonName::from),
            closes_at: notice.closes_at.map(DateTime),
            text: notice.text,
        }
    }
}

pub struct NoticeList(pub inbox::List);

/// Notices of the caller.
#[Object]
impl NoticeList {
    /// Newest first. They may be fewer than `first` although more follow.
    async fn items(&self, ctx: &Context<'_>) -> Result<Vec<Notice>> {
        cost::spend(ctx, self.0.items.len())?;
        Ok(self.0.items.iter().cloned().map(Notice::from).collect())
    }
    /// The cursor for `after`; null at the end.
    async fn next(&self) -> Option<String> {
        self.0.next.map(|id| id.to_string())
    }
    /// Number of all unread notices, at most 100.
    async fn unread(&self) -> i32 {
        int(self.0.unread)
    }
}

/// A change of the caller's notices.
#[derive(SimpleObject)]
pub struct NoticeArrival {
    /// Number of unread notices, at most 100.
    unread: i32,
    /// The new notice; null if notices were only read or withdrawn.
    newest: Option<Notice>,
}

impl From<inbox::Arrival> for NoticeArrival {
    fn from(arrival: inbox::Arrival) -> Self {
        NoticeArrival {
            unread: int(arrival.unread),
            newest: arrival.newest.map(Notice::from),
        }
    }
}
