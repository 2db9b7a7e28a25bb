use async_graphql::{Context, ID, Object, Result};
use kurso_core::courses;

use super::{Course, DateTime, Page, id_of};

pub struct Enrollment {
    row: courses::Enrollment,
    course: Course,
}

impl Enrollment {
    /// The caller's enrollment in the course, if there is one.
    pub fn of(course: Course) -> Option<Self> {
        let row = course.row().enrollment.clone()?;
        Some(Enrollment { row, course })
    }
}

/// The caller's enrollment in a course.
#[Object]
impl Enrollment {
    /// Unique ID.
    async fn id(&self) -> ID {
        id_of(self.row.id)
    }
    /// The course.
    async fn course(&self) -> &Course {
        &self.course
    }
    /// Title of the learner's group; null for a learner without a group.
    async fn group_title(&self) -> Option<&str> {
        self.row.group.as_ref().map(|group| group.title.as_str())
    }
    /// Enrollment time.
    async fn enrolled_at(&self) -> DateTime {
        DateTime(self.row.enrolled_at)
    }
    /// When the learner last visited a page or submitted a quiz.
    async fn last_activity_at(&self) -> DateTime {
        DateTime(self.row.last_activity_at)
    }
    /// When progress first reached 100 %.
    async fn completed_at(&self) -> Option<DateTime> {
        self.row.completed_at.map(DateTime)
    }
    /// The page where the learner continues: the first work that was returned for revision, or else the first page that is not done, from the
    /// page visited last to the end of the course and then from its start. A quiz or an assignment that takes no attempts or waits for a grade
    /// comes after all others, and a locked page last; null when all pages are done.
    async fn next_page(&self, ctx: &Context<'_>) -> Result<Option<Page>> {
        let view = self.course.view(ctx).await?;
        Ok(view.next_to_do().map(|index| Page::at(&view, index)))
    }
}
