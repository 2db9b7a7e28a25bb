//! The enrollment of a learner in a course, with their progress as stored. `learning::stored_progress` reads and writes the
//! progress.

use super::groups::GroupName;
use chrono::{DateTime, Utc};
use kurso_base::ids::{CourseId, EnrollmentId, PageId, UserId};

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
    /// When 100 % was first reached.
    pub completed_at: Option<DateTime<Utc>>,
    /// None: the progress must be derived from visits and attempts.
    pub(crate) kept: Option<StoredProgress>,
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
