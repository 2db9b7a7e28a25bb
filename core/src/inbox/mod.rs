//! The inbox of a person ([decision 117](../../../docs/decisions/0117-notices.md)): lists the notices that [`crate::notices`] records, and checks
//! rights whenever they are read. Deadline reminders are derived here too.

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

/// The highest number of unread notices that is counted.
pub const MAX_UNREAD: usize = 100;
/// The maximum number of notices that are listed or marked as read at once.
pub const MAX_LISTED: usize = 100;

/// A notice as its recipient sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct Notice {
    pub id: NoticeId,
    pub kind: Kind,
    pub happened_at: DateTime<Utc>,
    pub read_at: Option<DateTime<Utc>>,
    /// The ID of what the notice is about; its type depends on the kind.
    pub subject: Uuid,
    /// None if it is about no course.
    pub course: Option<Place<CourseId>>,
    /// None if it is about no page.
    pub page: Option<Place<PageId>>,
    /// Who did it; None if nobody did, or if the account was deleted.
    pub actor: Option<PersonName>,
    /// The learner who completed the course.
    pub learner: Option<PersonName>,
    /// The deadline of a reminder.
    pub closes_at: Option<DateTime<Utc>>,
    /// The title of an announcement, or the text of a nudge.
    pub text: Option<String>,
}

/// A course or page that a notice is about. The title of a page is optional.
#[derive(Clone, Debug, PartialEq)]
pub struct Place<Id> {
    pub id: Id,
    pub title: Option<String>,
}
