//! The enrollment of a learner in a course, with their progress as stored. `learning::stored_progress` reads and writes the
//! progress.

use super::groups::GroupName;
use super::{Course, Owner};
use crate::access::Role;
use chrono::{DateTime, Utc};
use kurso_base::ids::{CourseId, EnrollmentId, PageId, UserId};
use serde::{Deserialize, Serialize};

/// An SQL condition: the person is an active learner of the course, and not a member of its team. `e` is the enrollment, `u` the account and `c` the
/// course.
macro_rules! is_active_learner {
    () => {
        "u.is_active AND c.owner_id <> e.user_id
         AND NOT EXISTS (SELECT 1 FROM collaborators k WHERE k.course_id = c.id AND k.user_id = e.user_id)"
    };
}
pub(crate) use is_active_learner;

/// An enrollment.
#[derive(Clone, Debug)]
pub struct Enrollment {
    pub id: EnrollmentId,
    pub course_id: CourseId,
    pub user_id: UserId,
    /// None: the learner is in no group.
    pub group: Option<GroupName>,
    pub enrolled_at: DateTime<Utc>,
    pub last_activity_at: DateTime<Utc>,
    /// The page visited or submitted last; the page may be deleted. None before the first.
    pub(crate) last_page: Option<PageId>,
    /// The page opened last and the place in it; the page may be deleted. None before the first.
    pub place: Option<ReadingPlace>,
    /// When 100 % was first reached.
    pub completed_at: Option<DateTime<Utc>>,
    /// None: the progress must be derived from visits and attempts.
    pub(crate) kept: Option<StoredProgress>,
}

/// The page opened last, and the block at its place in the window; `learning::places` stores it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadingPlace {
    pub page: PageId,
    pub version: i64,
    pub block: i64,
    /// In thousandths of the height of the block.
    pub part: i64,
    pub heading: Option<String>,
    /// When it was stored.
    pub at: DateTime<Utc>,
}

impl ReadingPlace {
    /// None for what cannot be read: such a place leads nowhere.
    pub(crate) fn parse(stored: &str) -> Option<Self> {
        serde_json::from_str(stored).ok()
    }
}

/// Bit `2n` of the bytes: the page with `mark_no` n was visited. Bit `2n + 1`: its quiz was passed.
#[derive(Clone, Debug, Default, PartialEq, Eq, sqlx::Type)]
#[sqlx(transparent)]
pub struct ProgressBitmap(pub(crate) Vec<u8>);

/// Summaries of attempts by page number. Each has nine bytes: the page number and the number of attempts that
/// count against the limit, four bytes each in little-endian order, and the best percentage.
#[derive(Clone, Debug, Default, PartialEq, Eq, sqlx::Type)]
#[sqlx(transparent)]
pub struct AttemptSummaries(pub(crate) Vec<u8>);

/// The stored progress of one learner.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StoredProgress {
    pub marks: ProgressBitmap,
    pub tries: AttemptSummaries,
}

impl Course {
    /// The course as a learner gets it who enrolls at `at` and has done nothing. The enrollment is not stored; its id is always
    /// the same for a group, so that a quiz looks the same each time.
    pub fn for_newcomer(self, group: Option<GroupName>, at: DateTime<Utc>) -> Course {
        let id = group.as_ref().map_or(self.id.0, |group| group.id.0);
        Course {
            role: Role::Learner,
            share_code: None,
            owner: Owner {
                email: None,
                ..self.owner
            },
            enrollment: Some(Enrollment {
                id: EnrollmentId(id),
                course_id: self.id,
                user_id: UserId(id),
                group,
                enrolled_at: at,
                last_activity_at: at,
                last_page: None,
                place: None,
                completed_at: None,
                kept: Some(StoredProgress::default()),
            }),
            ..self
        }
    }
}
