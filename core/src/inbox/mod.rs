//! The notices of a person as they read them ([decision 117](../../../docs/decisions/0117-notices.md)): [`crate::notices`] records them, and
//! rights are checked here, whenever they are read. The reminders of deadlines are derived here too.

mod commands;
mod deadlines;
mod list;
mod marks;
mod row;
mod shown;
mod watch;

use chrono::{DateTime, Utc};
use kurso_base::ids::{CourseId, NoticeId, PageId};
use uuid::Uuid;

pub use commands::{MarkAllRead, MarkRead, NoticeIds};
pub use deadlines::{remind, work};
pub use list::{List, Wanted, list};
pub use marks::{mark_all_read, mark_read};
pub use shown::visible;
pub use watch::{Arrival, NoticesWatch};

use crate::notices::Kind;
use crate::subscriptions::PersonName;

/// The most notices that are counted as unread.
pub const MAX_UNREAD: usize = 100;
/// The most notices that are listed or marked as read at once.
pub const MAX_LISTED: usize = 100;

/// A notice as its person reads it.
#[derive(Clone, Debug, PartialEq)]
pub struct Notice {
    pub id: NoticeId,
    pub kind: Kind,
    pub happened_at: DateTime<Utc>,
    pub read_at: Option<DateTime<Utc>>,
    /// What it is about, by kind.
    pub subject: Uuid,
    /// None if it is about no course.
    pub course: Option<Place<CourseId>>,
    /// None if it is about no page.
    pub page: Option<Place<PageId>>,
    /// Who did it; None if nobody did, or if the account was deleted.
    pub actor: Option<PersonName>,
    /// Who has completed the course.
    pub learner: Option<PersonName>,
    /// The deadline that is near.
    pub closes_at: Option<DateTime<Utc>>,
}

/// What a notice is about. The title of a page is optional.
#[derive(Clone, Debug, PartialEq)]
pub struct Place<Id> {
    pub id: Id,
    pub title: Option<String>,
}
