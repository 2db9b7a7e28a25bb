use async_graphql::{Enum, ID, Object, SimpleObject};
use kurso_core::learning::students::{self, SortKey};

use super::{DateTime, id_of, int};

#[derive(Clone)]
pub struct Student(pub students::Student);

/// A learner of a course, as its staff see them.
#[Object]
impl Student {
    /// Of the enrollment: what `enrollment` and `removeStudent` take.
    async fn id(&self) -> ID {
        id_of(self.0.enrollment_id)
    }
    /// Who it is.
    async fn user(&self) -> Person {
        Person {
            id: id_of(self.0.user_id),
            full_name: self.0.full_name.clone(),
            email: self.0.email.clone(),
        }
    }
    /// When it began.
    async fn enrolled_at(&self) -> DateTime {
        DateTime(self.0.enrolled_at)
    }
    /// When they last read a page or took a quiz in it.
    async fn last_activity_at(&self) -> DateTime {
        DateTime(self.0.last_activity_at)
    }
    /// Whole percent of published pages, rounded down: 100 only when all is done.
    async fn percent(&self) -> i32 {
        self.0.progress.percent().into()
    }
    /// Visited, or passed.
    async fn pages_done(&self) -> i32 {
        int(self.0.progress.pages_done)
    }
    /// Published pages.
    async fn pages_total(&self) -> i32 {
        int(self.0.progress.pages_total)
    }
    /// Lessons all of whose pages are done.
    async fn lessons_done(&self) -> i32 {
        int(self.0.progress.lessons_done)
    }
    /// Lessons without pages do not count.
    async fn lessons_total(&self) -> i32 {
        int(self.0.progress.lessons_total)
    }
    /// When 100 % was first reached; kept when the course grows.
    async fn completed_at(&self) -> Option<DateTime> {
        self.0.progress.completed_at.map(DateTime)
    }
}

/// A person as the staff of a course see them.
#[derive(SimpleObject)]
pub struct Person {
    /// A UUID, unlike that of any other.
    id: ID,
    /// Null when they gave none.
    full_name: Option<String>,
    /// Of the account.
    email: String,
}

/// What students are sorted by.
#[derive(Clone, Copy, PartialEq, Eq, Default, Enum)]
pub enum StudentSort {
    /// The name, or the e-mail address of those who gave none; case does not matter.
    #[default]
    FullName,
    /// Case does not matter.
    Email,
    /// When they joined.
    EnrolledAt,
    /// When they were last there.
    LastActivityAt,
    /// How far they are.
    Percent,
    /// Those who have not completed the course come last, either way.
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
