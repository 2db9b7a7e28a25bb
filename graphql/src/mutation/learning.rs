//! What learners do.

use async_graphql::{Context, ID, InputObject, Object, Result, SimpleObject};
use kurso_core::error::Error;
use kurso_core::ids::PageId;
use kurso_core::learning;

use crate::context::{self, kurso, origin, say, viewer};
use crate::error::wrap;
use crate::types::{Course, Enrollment, Lesson, Page, View};

#[derive(Default)]
pub struct LearningMutation;

#[derive(InputObject)]
pub struct EnrollInput {
    /// Read without regard to case, dashes and spaces; I and L are 1, O is 0.
    share_code: String,
}

/// An unknown code is an expected outcome: `enrollment` is null and `error` says so in the caller's language.
#[derive(SimpleObject)]
pub struct EnrollPayload {
    enrollment: Option<Enrollment>,
    error: Option<String>,
}

#[derive(InputObject)]
pub struct MarkPageVisitedInput {
    page_id: ID,
}

/// The new state, from the page up to the course.
#[derive(SimpleObject)]
pub struct MarkPageVisitedPayload {
    page: Page,
    lesson: Lesson,
    course: Course,
}

#[Object]
impl LearningMutation {
    /// Enrolls the caller; again, it answers with the same enrollment.
    async fn enroll(&self, ctx: &Context<'_>, input: EnrollInput) -> Result<EnrollPayload> {
        match learning::enroll(kurso(ctx), viewer(ctx)?, &origin(ctx), &input.share_code).await {
            Ok(row) => Ok(EnrollPayload {
                enrollment: Enrollment::of(Course::from_row(row)),
                error: None,
            }),
            Err(Error::NotFound(message)) => Ok(EnrollPayload {
                enrollment: None,
                error: Some(say(ctx, message)),
            }),
            Err(error) => Err(wrap(ctx)(error)),
        }
    }

    /// Marks a page as visited; again, it changes nothing. FORBIDDEN without an enrollment.
    async fn mark_page_visited(
        &self,
        ctx: &Context<'_>,
        input: MarkPageVisitedInput,
    ) -> Result<MarkPageVisitedPayload> {
        let viewer = viewer(ctx)?;
        let id: PageId = context::id(ctx, "page_id", &input.page_id)?;
        let (view, place) = learning::mark_page_visited(kurso(ctx), viewer, id)
            .await
            .map_err(wrap(ctx))?;
        let view = View::new(view);
        Ok(MarkPageVisitedPayload {
            lesson: Lesson::alone(view.clone(), view.page(place).lesson),
            course: Course::from_view(view.clone()),
            page: Page::alone(view, place),
        })
    }
}
