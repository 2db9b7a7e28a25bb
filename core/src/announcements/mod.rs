//! Announcements of a course's staff to its learners, or to one group of them ([decision
//! 119](../../../docs/decisions/0119-announcements.md)).
//!
//! The owner and teachers write them ([`Right::ManageStudents`](crate::access::Right)), and publish them at once or at a scheduled time. [`publish`] publishes those whose time
//! has come, and notifies the learners of published ones.

mod commands;
mod counts;
mod excerpt;
mod files;
mod list;
mod order;
pub mod publish;
mod reads;
mod rights;
mod write;

use chrono::{DateTime, Utc};
use kurso_base::ids::{AnnouncementId, CourseId};

pub use commands::{AnnouncementIds, CreateAnnouncement, MarkRead, UpdateAnnouncement};
pub use counts::{Counts, counts_of};
pub(crate) use excerpt::excerpt;
pub use list::{List, Wanted, contents_of, find, in_courses, list};
pub use order::Place;
pub use publish::Publishing;
pub use reads::mark_read;
pub use write::{create, delete, update};

use crate::courses::groups::GroupName;
use crate::subscriptions::PersonName;

/// The maximum number of announcements of a course.
pub const MAX_ANNOUNCEMENTS: i64 = 1000;
/// The maximum size of an announcement's content as JSON, in bytes.
pub const MAX_CONTENT: usize = 100_000;
/// The maximum number of announcements listed at once.
pub const MAX_LISTED: usize = 50;
/// The maximum number of announcements marked as read at once.
pub const MAX_MARKED: usize = 100;

/// An announcement as one person sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct Announcement {
    pub id: AnnouncementId,
    pub course_id: CourseId,
    /// None: all learners of the course receive it.
    pub group: Option<GroupName>,
    pub title: String,
    /// The beginning of its text. [`contents_of`] reads the whole content.
    pub excerpt: String,
    /// None if the account was deleted.
    pub author: Option<PersonName>,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
    pub state: State,
    pub is_pinned: bool,
    pub version: i64,
    /// Whether the person has read or written it.
    pub is_read: bool,
    /// Whether the person may write announcements here, and sees who has read it.
    pub can_write: bool,
}

/// Whether an announcement is published.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum State {
    /// Will be published at this time.
    Scheduled(DateTime<Utc>),
    /// Was published at this time.
    Published(DateTime<Utc>),
}

impl State {
    /// Builds the state from `publish_at` and `published_at`, exactly one of which is set.
    fn of(publish_at: Option<DateTime<Utc>>, published_at: Option<DateTime<Utc>>) -> Self {
        match (publish_at, published_at) {
            (_, Some(at)) => State::Published(at),
            (Some(at), None) => State::Scheduled(at),
            (None, None) => State::Scheduled(DateTime::<Utc>::MAX_UTC),
        }
    }

    pub fn publish_at(self) -> Option<DateTime<Utc>> {
        match self {
            State::Scheduled(at) => Some(at),
            State::Published(_) => None,
        }
    }

    pub fn published_at(self) -> Option<DateTime<Utc>> {
        match self {
            State::Scheduled(_) => None,
            State::Published(at) => Some(at),
        }
    }
}
