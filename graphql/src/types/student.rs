use async_graphql::{Enum, ID, Object, SimpleObject};
use kurso_core::students::{self, SortKey};

use super::progress::Counts;
use super::{DateTime, StudentGroup, id_of};

#[derive(Clone)]
pub struct Student(pub students::Student);

/// A learner of a course, as its staff see them.
#[Object]
impl Student {
    /// ID of the enrollment, for `enrollment` and `removeStudent`.
    async fn id(&self) -> ID {
        id_of(self.0.enrollment_id)
    }
    /// The user.
    async fn user(&self) -> Person {
        Person {
            id: id_of(self.0.user_id),
            full_name: self.0.full_name.clone(),
            email: self.0.email.clone(),
        }
    }
    /// The group; null for a student without a group.
    async fn group(&self) -> Option<StudentGroup> {
        self.0.group.as_ref().map(StudentGroup::from)
    }
    /// Enrollment time.
    async fn enrolled_at(&self) -> DateTime {
        DateTime(self.0.enrolled_at)
    }
    /// When the learner last visited a page or submitted a quiz.
    async fn last_activity_at(&self) -> DateTime {
        DateTime(self.0.last_activity_at)
    }
    /// When the student was last nudged in this course; null if never.
    async fn last_nudged_at(&self) -> Option<DateTime> {
        self.0.last_nudged_at.map(DateTime)
    }
    #[graphql(flatten)]
    async fn counts(&self) -> Counts<'_> {
        Counts(&self.0.progress)
    }
}

/// A user, as the staff of a course see them.
#[derive(SimpleObject)]
pub struct Person {
    /// Unique ID.
    pub id: ID,
    /// Null when the user has not given a name.
    pub full_name: Option<String>,
    /// Email address of the account.
    pub email: String,
}

/// Sort key of students.
#[derive(Clone, Copy, PartialEq, Eq, Default, Enum)]
pub enum StudentSort {
    /// Name, or the email address of a user without a name; case-insensitive.
    #[default]
    FullName,
    /// Email address, case-insensitive.
    Email,
    /// Enrollment time.
    EnrolledAt,
    /// Time of the last activity.
    LastActivityAt,
    /// Progress.
    Percent,
    /// Completion time; students who have not completed the course come last in both orders.
    CompletedAt,
}

impl From<StudentSort> for SortKey {
    fn from(sort: StudentSort) -> Self {
        match sort {
            StudentSort::FullName => Self::FullName,
            StudentSort::Email => Self::Email,
            StudentSort::EnrolledAt => Self::EnrolledAt,
            StudentSort::LastActivityAt => Self::LastActivityAt,
            StudentSort::Percent => Self::Percent,
            StudentSort::CompletedAt => Self::CompletedAt,
        }
    }
}

/// A state in which a student may need a reminder.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "students::StudentState")]
pub enum StudentState {
    /// Has visited no page.
    NotStarted,
    /// Has started but not completed the course, and has been inactive for seven days.
    Stalled,
    /// The due date of a published page has passed, and the student has neither done the page nor handed in work that waits for grading.
    Late,
}
