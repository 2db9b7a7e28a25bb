//! The shapes of announcements and nudges.

use chrono::{DateTime, Utc};
use kurso_base::error::Error;
use kurso_base::ids::{EnrollmentId, GroupId};
use kurso_base::messages::Message;
use kurso_base::schedule::ScheduleTime;
use kurso_base::values::{Change, NudgeText, PageVersion, Several, Title};
use kurso_base::wire;
use kurso_core::announcements::{self as core, AnnouncementIds, CreateAnnouncement, MarkRead, UpdateAnnouncement};
use kurso_core::students::{NudgeStudents, Nudged};
use kurso_formats::content::Document;
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::Details;
use crate::fields::{Given, body};
use crate::grading::shapes::PersonName;
use crate::students::shapes::StudentGroup;

body! {
    /// A new announcement.
    AnnouncementCreate -> CreateAnnouncement {
        /// A group of the course: only its learners receive the announcement. By default, all learners of the course do.
        group_id: Option<GroupId>,
        title: Title,
        /// Document to read, at most 100 KB. It may contain files that the caller may use in pages, and links to pages of the course.
        content: Document,
        /// When to publish it. By default, or if that time has passed, it is published at once.
        publish_at: Option<ScheduleTime>,
        /// Whether it is pinned to the top. Default: false.
        is_pinned: Option<bool>,
    }

    /// A change of an announcement. Fields that are left out stay as they are.
    AnnouncementUpdate -> UpdateAnnouncement {
        /// The version that was shown.
        version: PageVersion,
        title: Given<Title>,
        /// As in `AnnouncementCreate`.
        content: Given<Document>,
        /// As in `AnnouncementCreate`; null publishes it at once. Only for announcements that are not published.
        publish_at: Change<ScheduleTime>,
        /// Whether it is pinned to the top.
        is_pinned: Given<bool>,
    }

    /// Marks announcements as read.
    AnnouncementsRead -> MarkRead {
        /// Announcements of the course. Those that the caller may not read are ignored.
        announcement_ids: AnnouncementIds,
    }

    /// Nudges students.
    Nudge -> NudgeStudents {
        /// The students of the course to nudge.
        enrollment_ids: Several<EnrollmentId>,
        /// Plain text.
        text: NudgeText,
    }
}

/// The requested part of the list of announcements.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what `extract` reads")]
pub struct AnnouncementsParams {
    /// Number of rows to skip.
    #[param(minimum = 0, default = 0)]
    skip: Option<i64>,
    /// Maximum number of rows to return; values above 50 are read as 50.
    #[param(minimum = 0, default = 20)]
    limit: Option<i64>,
}

/// An announcement of the staff of a course to its learners.
#[derive(Serialize, ToSchema)]
pub struct Announcement {
    pub id: Uuid,
    pub course_id: Uuid,
    /// The group that receives it; null if all learners of the course do.
    #[schema(required)]
    pub group: Option<StudentGroup>,
    pub title: String,
    /// The beginning of its text, at most 300 characters and `…`.
    pub excerpt: String,
    /// Document to read.
    #[schema(value_type = Object)]
    pub content: Box<RawValue>,
    /// Null if the account was deleted.
    #[schema(required)]
    pub author: Option<PersonName>,
    #[serde(serialize_with = "wire::time")]
    pub created_at: DateTime<Utc>,
    #[serde(serialize_with = "wire::time")]
    pub updated_at: DateTime<Utc>,
    /// When it will be published; null if it is published.
    #[schema(required)]
    #[serde(serialize_with = "wire::optional_time")]
    pub publish_at: Option<DateTime<Utc>>,
    /// When it was published; null before.
    #[schema(required)]
    #[serde(serialize_with = "wire::optional_time")]
    pub published_at: Option<DateTime<Utc>>,
    /// Whether it is pinned to the top of the list and shown on the screen of the course.
    pub is_pinned: bool,
    /// Increased by every change.
    pub version: i64,
    /// Whether the caller has read it; true for its author.
    pub is_read: bool,
    /// Number of current recipients who have read it; null for callers who may not write announcements.
    #[schema(required)]
    pub readers: Option<i64>,
    /// Number of current recipients; null for callers who may not write announcements.
    #[schema(required)]
    pub receivers: Option<i64>,
}

/// Announcements of a course that the caller may read.
#[derive(Serialize, ToSchema)]
pub struct Announcements {
    /// Scheduled ones first, by their time; then pinned ones, then all others, newest first.
    pub data: Vec<Announcement>,
    /// Number of all announcements that the caller may read.
    pub count: usize,
    /// Whether more follow.
    pub has_more: bool,
    /// Number of all published announcements of the course that the caller has neither read nor written.
    pub unread: usize,
    /// Whether the caller may write announcements here: the owner and teachers.
    pub can_write: bool,
}

/// The unread announcements of a course.
#[derive(Serialize, ToSchema)]
pub struct UnreadAnnouncements {
    /// Their number.
    pub unread: usize,
}

/// Who was nudged.
#[derive(Serialize, ToSchema)]
pub struct NudgedStudents {
    /// The enrollments of those who were nudged.
    pub nudged: Vec<Uuid>,
    /// The enrollments of the others, who were nudged in this course within the last 24 hours or are not learners of it.
    pub skipped: Vec<Uuid>,
}

impl Announcement {
    /// Fails with 404 if the announcement was deleted since, and with 500 if its content is not JSON.
    pub(super) fn of(announcement: core::Announcement, details: &Details) -> Result<Self, Error> {
        let counts = details.counts.get(&announcement.id).copied();
        let content = details.contents.get(&announcement.id);
        let content = content
            .ok_or(Error::NotFound(Message::AnnouncementNotFound))?
            .as_ref()
            .to_owned();
        Ok(Announcement {
            id: announcement.id.0,
            course_id: announcement.course_id.0,
            group: announcement.group.map(StudentGroup::from),
            title: announcement.title,
            excerpt: announcement.excerpt,
            content: RawValue::from_string(content).map_err(Error::internal)?,
            author: announcement.author.map(PersonName::from),
            created_at: announcement.created_at,
            updated_at: announcement.updated_at,
            publish_at: announcement.state.publish_at(),
            published_at: announcement.state.published_at(),
            is_pinned: announcement.is_pinned,
            version: announcement.version,
            is_read: announcement.is_read,
            readers: counts.map(|counts| counts.readers),
            receivers: counts.map(|counts| counts.receivers),
        })
    }
}

impl From<Nudged> for NudgedStudents {
    fn from(nudged: Nudged) -> Self {
        let ids = |ids: Vec<EnrollmentId>| ids.into_iter().map(|id| id.0).collect();
        NudgedStudents {
            nudged: ids(nudged.nudged),
            skipped: ids(nudged.skipped),
        }
    }
}
