//! Event bus for live updates: delivers what happens in courses to its current subscribers, across all nodes. Events
//! are not stored; a new subscriber reads the state first.
//!
//! A change publishes its event through its transaction (`Tx::publish`), and the event is delivered only after the
//! commit. Delivery within a process is in memory ([`EventBus`]). On PostgreSQL, `NOTIFY` in the same transaction also
//! reaches the other nodes, but only if one of them subscribes to the topic ([`relay()`]); a change without
//! subscribers sends nothing.
//!
//! An event holds ids and times, never course texts. Subscribers read the data themselves, with access rights checked
//! again for every event (`kurso_core::subscriptions`).

mod bus;
mod peer_interests;
mod presence;
mod relay;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

pub use bus::{EventBus, Subscriber};
pub use presence::{Editor, Presence};
pub(crate) use relay::texts;
pub use relay::{announce_stop, relay};

use kurso_base::ids::{CourseId, DiscussionId, EnrollmentId, GroupId, JobId, NoticeId, PageId, UserId};

/// An event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Event {
    /// A learner was active in a course.
    Activity {
        course: CourseId,
        enrollment: EnrollmentId,
        what: Activity,
        at: DateTime<Utc>,
    },
    /// A page was changed or deleted.
    Page {
        page: PageId,
        what: Change,
        /// The current version, of a draft if that was saved; the last one if the page was deleted.
        version: i64,
        by: UserId,
        /// The editor session that made the change, if the client named it.
        session: Option<String>,
        at: DateTime<Utc>,
    },
    /// The course, or part of it, was deleted with its contents.
    Removed { course: CourseId },
    /// The groups of the course, the groups of its learners, or overrides changed, or dates of its parts were set together.
    Groups { course: CourseId },
    /// What the course's gradebook is made of changed: its settings, what teachers decided in it, or the tree with the graded pages.
    Grades { course: CourseId },
    /// A person's rights or sessions may have been reduced.
    Person { user: UserId },
    /// The set of editors that have the page open changed. Each node derives this event itself; it is not sent to other
    /// nodes.
    Editors { page: PageId },
    /// The state or progress of a job changed.
    Job { job: JobId },
    /// A person received a notice, or notices of theirs were read or withdrawn.
    Notices {
        user: UserId,
        /// The new notice; None if notices were only read or withdrawn.
        newest: Option<NoticeId>,
    },
    /// A discussion under a page changed, or is gone.
    Discussion {
        course: CourseId,
        page: PageId,
        discussion: DiscussionId,
        /// Who asked; None if the account was deleted.
        asker: Option<UserId>,
        /// Who may read it, as stored.
        audience: String,
        group: Option<GroupId>,
        /// Whether the question is hidden, and was before the change.
        is_hidden: bool,
        by: UserId,
        at: DateTime<Utc>,
    },
}

/// A learner's activity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Activity {
    Enrolled,
    /// Visited the page for the first time.
    Read {
        page: PageId,
    },
    Submitted {
        page: PageId,
        percent: i64,
        passed: bool,
        /// Whether answers wait for a grader, so that the percentage may rise. Nodes of earlier versions do not say it.
        #[serde(default)]
        is_waiting: bool,
    },
    /// Reached 100 % for the first time.
    Completed,
}

/// A change of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Change {
    /// Its title, content or quiz changed; it has a new version.
    Written,
    /// An earlier version was restored as a new version.
    Restored,
    /// It was moved, published or unpublished; its version is unchanged.
    Arranged,
    /// Changes were saved that learners do not see yet; the version is that of the draft.
    DraftSaved,
    /// Its unpublished changes were discarded, or undone by a save; its version is unchanged.
    DraftDiscarded,
    /// Its unpublished changes were published.
    DraftPublished,
    /// Author comments on it changed; the page and its version did not.
    Commented,
    Deleted,
}

impl Change {
    /// Whether only those who read drafts may know of it.
    pub fn is_of_draft(self) -> bool {
        matches!(self, Change::DraftSaved | Change::DraftDiscarded)
    }
}

/// What a subscriber can subscribe to. Every event belongs to exactly one topic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Topic {
    /// Activity of the course's learners.
    Course(CourseId),
    Page(PageId),
    Groups(CourseId),
    Grades(CourseId),
    Removed(CourseId),
    Person(UserId),
    Editors(PageId),
    Job(JobId),
    Notices(UserId),
    Discussions(CourseId),
}

impl Event {
    pub fn topic(&self) -> Topic {
        match self {
            Event::Activity { course, .. } => Topic::Course(*course),
            Event::Page { page, .. } => Topic::Page(*page),
            Event::Grades { course } => Topic::Grades(*course),
            Event::Removed { course } => Topic::Removed(*course),
            Event::Groups { course } => Topic::Groups(*course),
            Event::Person { user } => Topic::Person(*user),
            Event::Editors { page } => Topic::Editors(*page),
            Event::Job { job } => Topic::Job(*job),
            Event::Notices { user, .. } => Topic::Notices(*user),
            Event::Discussion { course, .. } => Topic::Discussions(*course),
        }
    }
}
