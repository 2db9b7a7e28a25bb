//! The commands that write announcements, and mark them as read.

use kurso_base::ids::{AnnouncementId, GroupId};
use kurso_base::messages::Message;
use kurso_base::schedule::ScheduleTime;
use kurso_base::values::{Change, Checked, PageVersion, Problem, Several, Title, check_at_most};
use kurso_formats::content::Document;
use serde_json::Value;

use super::MAX_MARKED;

/// A new announcement.
#[derive(Clone, Debug)]
#[cfg_attr(any(test, feature = "testing"), derive(serde::Deserialize))]
pub struct CreateAnnouncement {
    /// None: all learners of the course.
    pub group_id: Option<GroupId>,
    pub title: Title,
    pub content: Document,
    /// When it will be published; None, or a time that has passed: at once.
    pub publish_at: Option<ScheduleTime>,
    /// None means false.
    pub is_pinned: Option<bool>,
}

/// A change of an announcement. Fields that are None or `Keep` stay as they are.
#[derive(Clone, Debug)]
#[cfg_attr(any(test, feature = "testing"), derive(serde::Deserialize))]
pub struct UpdateAnnouncement {
    /// The version that the writer has read.
    pub version: PageVersion,
    pub title: Option<Title>,
    pub content: Option<Document>,
    /// `Clear` publishes it at once. Only an announcement that is not published gets a time.
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnnouncementIds(pub Vec<AnnouncementId>);

impl Checked for AnnouncementIds {
    type Plain = Value;

    fn check(plain: Value) -> Result<Self, Problem> {
        check_at_most(plain.as_array().map_or(0, Vec::len), MAX_MARKED)?;
        Several::check(plain).map(|Several(ids)| AnnouncementIds(ids))
    }

    fn wrong_type() -> Problem {
        Problem::new("list_type", Message::NotAList)
    }
}
