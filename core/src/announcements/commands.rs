//! The commands that write announcements, and mark them as read.

use kurso_base::ids::{AnnouncementId, GroupId};
use kurso_base::schedule::ScheduleTime;
use kurso_base::values::{Change, PageVersion, Several, Title};
use kurso_formats::content::Document;

use super::MAX_MARKED;

/// A new announcement.
#[derive(Clone, Debug)]
#[cfg_attr(any(test, feature = "testing"), derive(serde::Deserialize))]
pub struct CreateAnnouncement {
    /// None: all learners of the course.
    pub group_id: Option<GroupId>,
    pub title: Title,
    pub content: Document,
    /// When it will be published. None or a past time publishes it at once.
    pub publish_at: Option<ScheduleTime>,
    /// None means false.
    pub is_pinned: Option<bool>,
}

/// A change of an announcement. Fields that are None or `Keep` stay as they are.
#[derive(Clone, Debug)]
#[cfg_attr(any(test, feature = "testing"), derive(serde::Deserialize))]
pub struct UpdateAnnouncement {
    /// The version that the change is based on.
    pub version: PageVersion,
    pub title: Option<Title>,
    pub content: Option<Document>,
    /// `Clear` publishes it at once. A published announcement cannot be scheduled.
    #[cfg_attr(any(test, feature = "testing"), serde(default))]
    pub publish_at: Change<ScheduleTime>,
    pub is_pinned: Option<bool>,
}

/// Marks announcements of a course as read.
#[derive(Clone, Debug)]
pub struct MarkRead {
    pub announcement_ids: AnnouncementIds,
}

/// The ids of 1 to [`MAX_MARKED`] announcements.
pub type AnnouncementIds = Several<AnnouncementId, MAX_MARKED>;
