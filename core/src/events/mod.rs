//! What happens in courses, told to those who watch at that moment. Nothing is kept: who comes later reads the state.
//!
//! A change tells its event in its own transaction (`Tx::tell`), and the event goes out when that is committed, never
//! before, never for one that is rolled back. Within a process it goes by memory ([`Live`]); on PostgreSQL also to the other
//! nodes, by `NOTIFY` in the same transaction, and only when one of them has somebody who watches ([`relay()`]). So a change
//! that nobody watches costs nothing.
//!
//! An event is ids and times, never a text of a course: whoever watches reads what it is about with their own rights, which
//! are checked anew for each event ([`CourseWatch`], [`PageWatch`], [`EditorsWatch`]).

mod elsewhere;
mod live;
mod presence;
mod relay;
mod watch;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

pub use live::{Live, Subscriber};
pub use presence::{Editor, Presence};
pub(crate) use relay::texts;
pub use relay::{farewell, relay};
pub use watch::{CourseActivity, CourseWatch, EditorsWatch, OpenEditor, PageChange, PageWatch, PersonWatch, Somebody};

use crate::ids::{CourseId, EnrollmentId, JobId, PageId, UserId};

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Event {
    /// A learner did something in a course.
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
        /// As it is now; of a page that was deleted the last one it had.
        version: i64,
        by: UserId,
        /// Which of their open editors, if they said so.
        session: Option<String>,
        at: DateTime<Utc>,
    },
    /// Something of the course was deleted with what is in it, or the course itself.
    Removed { course: CourseId },
    /// What somebody may do may have become less, or where they are signed in.
    Person { user: UserId },
    /// Who has the page open has changed. Each node finds out for itself; never sent to another.
    Editors { page: PageId },
    /// A job is somewhere else than it was.
    Job { job: JobId },
}

/// What a learner did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Activity {
    Enrolled,
    /// Was on a page for the first time.
    Read {
        page: PageId,
    },
    Submitted {
        page: PageId,
        percent: i64,
        passed: bool,
    },
    /// Reached 100 % for the first time.
    Completed,
}

/// What became of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Change {
    /// Its title, content or quiz: it has a new version.
    Written,
    /// It says what it said in an earlier version, as a new one.
    Restored,
    /// It went elsewhere in its course, was published or taken back; the version is the same.
    Arranged,
    Deleted,
}

/// What one may watch: each event is of one of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Topic {
    /// The learners of a course.
    Course(CourseId),
    Page(PageId),
    Removed(CourseId),
    Person(UserId),
    Editors(PageId),
    Job(JobId),
}

impl Event {
    pub fn topic(&self) -> Topic {
        match self {
            Event::Activity { course, .. } => Topic::Course(*course),
            Event::Page { page, .. } => Topic::Page(*page),
            Event::Removed { course } => Topic::Removed(*course),
            Event::Person { user } => Topic::Person(*user),
            Event::Editors { page } => Topic::Editors(*page),
            Event::Job { job } => Topic::Job(*job),
        }
    }
}
