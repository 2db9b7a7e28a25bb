use async_graphql::{Context, ID, Object, Result};
use kurso_core::courses;

use super::{Course, DateTime, Page, id_of};

/// The caller's place in a course they learn.
pub struct Enrollment {
    pub(crate) course: Course,
}

impl Enrollment {
    fn row(&self) -> Result<&courses::Enrollment> {
        self.course
            .row()?
            .enrollment
            .as_ref()
            .ok_or_else(|| "an enrollment without its row".into())
    }
}

#[Object]
impl Enrollment {
    async fn id(&self) -> Result<ID> {
        Ok(id_of(self.row()?.id))
    }
    async fn course(&self) -> &Course {
        &self.course
    }
    async fn enrolled_at(&self) -> Result<DateTime> {
        Ok(DateTime(self.row()?.enrolled_at))
    }
    async fn last_activity_at(&self) -> Result<DateTime> {
        Ok(DateTime(self.row()?.last_activity_at))
    }
    /// When 100 % was first reached.
    async fn completed_at(&self) -> Result<Option<DateTime>> {
        Ok(self.row()?.completed_at.map(DateTime))
    }
    /// The first page in reading order that is not done; null when all are.
    async fn next_page(&self, ctx: &Context<'_>) -> Result<Option<Page>> {
        let view = self.course.view(ctx).await?;
        Ok(view.next_to_do().map(|place| Page::alone(view.clone(), place)))
    }
}
