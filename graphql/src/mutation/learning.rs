//! What learners do.

use async_graphql::{Context, ID, InputObject, Object, Result, SimpleObject};
use kurso_base::error::Error;
use kurso_base::ids::{CourseId, PageId};
use kurso_base::messages::Message;
use kurso_core::access::Right;
use kurso_core::courses;
use kurso_core::learning::{self, completion};

use crate::context::{self, kurso, origin, say, viewer};
use crate::error::wrap;
use crate::types::{Course, DateTime, Enrollment, Lesson, Page, View, id_of, int};

#[derive(Default)]
pub struct LearningMutation;

/// A share code.
#[derive(InputObject)]
pub struct EnrollInput {
    /// Read without regard to case, dashes and spaces; I and L are 1, O is 0.
    share_code: String,
}

/// An unknown code is an expected outcome: `enrollment` is null and `error` says so in the caller's language.
#[derive(SimpleObject)]
pub struct EnrollPayload {
    /// The caller's place in the course.
    enrollment: Option<Enrollment>,
    /// Why nothing came of it, in the language of the request.
    error: Option<String>,
}

/// A page that was read.
#[derive(InputObject)]
pub struct MarkPageVisitedInput {
    /// Which page.
    page_id: ID,
}

/// The new state, from the page up to the course.
#[derive(SimpleObject)]
pub struct MarkPageVisitedPayload {
    /// The page, visited.
    page: Page,
    /// What the page is in.
    lesson: Lesson,
    /// The course, with the caller's new progress.
    course: Course,
}

/// A course whose completions to derive anew.
#[derive(InputObject)]
pub struct FixProgressInput {
    /// Which course.
    course_id: ID,
}

/// What was found and mended.
#[derive(SimpleObject)]
pub struct FixProgressPayload {
    /// What was done, in the language of the request.
    message: String,
    /// Enrollments.
    checked: i32,
    /// Those that were stored otherwise.
    changed: Vec<CompletionChange>,
    /// The course with the caller's progress.
    course: Course,
}

/// A completion that was stored otherwise than it is now.
#[derive(SimpleObject)]
pub struct CompletionChange {
    /// Whose it is.
    enrollment_id: ID,
    /// As it was stored; null: not completed.
    completed_at_before: Option<DateTime>,
    /// As it is stored now; null: not completed.
    completed_at_after: Option<DateTime>,
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
            lesson: Lesson::at(&view, view.page(place).lesson),
            course: Course::from_view(&view),
            page: Page::at(&view, place),
        })
    }

    /// Derives completion anew and stores it: of everyone in the course for its owner, editors and teachers, of the caller
    /// for learners. What was completed once stays so.
    async fn fix_progress(&self, ctx: &Context<'_>, input: FixProgressInput) -> Result<FixProgressPayload> {
        let viewer = viewer(ctx)?;
        let id: CourseId = context::id(ctx, "course_id", &input.course_id)?;
        let fixed = completion::rederive(kurso(ctx), viewer, id).await.map_err(wrap(ctx))?;
        let course = courses::find(&kurso(ctx).db, viewer, id, Right::Read)
            .await
            .map_err(wrap(ctx))?;
        let (checked, changed) = (fixed.checked, fixed.changed.len());
        Ok(FixProgressPayload {
            message: say(ctx, Message::ProgressFixed { checked, changed }),
            checked: int(checked),
            changed: fixed.changed.iter().map(CompletionChange::from).collect(),
            course: Course::from_row(course),
        })
    }
}

impl From<&completion::Change> for CompletionChange {
    fn from(change: &completion::Change) -> Self {
        CompletionChange {
            enrollment_id: id_of(change.enrollment),
            completed_at_before: change.before.map(DateTime),
            completed_at_after: change.after.map(DateTime),
        }
    }
}
