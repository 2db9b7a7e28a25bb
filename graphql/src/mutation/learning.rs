//! Mutations of learners: enrolling, visits, completion.

use async_graphql::{Context, ID, InputObject, Object, Result, SimpleObject};
use kurso_base::error::Error;
use kurso_base::ids::{CourseId, PageId};
use kurso_base::messages::Message;
use kurso_core::access::Right;
use kurso_core::courses;
use kurso_core::learning::places::KeepPlace;
use kurso_core::learning::{self, Opened, completion, reading};

use crate::context::{self, kurso, origin, viewer};
use crate::error::wrap;
use crate::input::command;
use crate::language::say;
use crate::types::{Course, DateTime, Enrollment, Lesson, Page, View, id_of, int};

#[derive(Default)]
pub struct LearningMutation;

/// A share code of a course or of a group.
#[derive(InputObject)]
pub struct EnrollInput {
    /// Case, dashes and spaces do not matter; I and L are read as 1, O as 0.
    share_code: String,
}

/// An unknown code is an expected outcome: `enrollment` is null and `error` says so in the caller's language.
#[derive(SimpleObject)]
pub struct EnrollPayload {
    /// The caller's enrollment in the course.
    enrollment: Option<Enrollment>,
    /// Reason of the refusal, in the language of the request.
    error: Option<String>,
}

/// A page that the caller has opened.
#[derive(InputObject)]
pub struct MarkPageVisitedInput {
    /// ID of the page.
    page_id: ID,
    /// The version whose text was shown. Without it: the present one.
    version: Option<i32>,
}

/// The new state, from the page up to the course.
#[derive(SimpleObject)]
pub struct MarkPageVisitedPayload {
    /// The visited page.
    page: Page,
    /// The lesson of the page.
    lesson: Lesson,
    /// The course, with the caller's new progress.
    course: Course,
}

/// A changed page that the caller has read again.
#[derive(InputObject)]
pub struct MarkRereadInput {
    /// ID of the page.
    page_id: ID,
    /// The version of `changeSinceRead`, which was read.
    version: i32,
}

/// The page was read again.
#[derive(SimpleObject)]
pub struct MarkRereadPayload {
    /// The page.
    page: Page,
}

/// The block at the top of the reader's window.
#[derive(InputObject)]
pub struct KeepReadingPlaceInput {
    /// ID of the page.
    page_id: ID,
    /// The version of the page that is read.
    version: i32,
    /// Index among the blocks of the page, 0 to 1000000; 0 is its start, also when it was read to its end.
    block: i32,
    /// How much of the block is above the window, in thousandths of its height, 0 to 1000.
    part: i32,
    /// Anchor of the last heading above the window, 1 to 300 characters; it finds the place in a text that was changed since.
    heading: Option<String>,
}

/// The stored place, as a field of the course's enrollment.
#[derive(SimpleObject)]
pub struct KeepReadingPlacePayload {
    /// The course.
    course: Course,
}

/// A course whose completions are recalculated.
#[derive(InputObject)]
pub struct FixProgressInput {
    /// ID of the course.
    course_id: ID,
}

/// The result of recalculating completions.
#[derive(SimpleObject)]
pub struct FixProgressPayload {
    /// The result in words, in the language of the request.
    message: String,
    /// Number of enrollments that were checked.
    checked: i32,
    /// The completions whose stored time was wrong.
    changed: Vec<CompletionChange>,
    /// The course with the caller's progress.
    course: Course,
}

/// A corrected completion.
#[derive(SimpleObject)]
pub struct CompletionChange {
    /// ID of the enrollment.
    enrollment_id: ID,
    /// Previously stored time; null: not completed.
    completed_at_before: Option<DateTime>,
    /// Corrected time; null: not completed.
    completed_at_after: Option<DateTime>,
}

#[Object]
impl LearningMutation {
    /// Enrolls the caller in the course of a share code. The code of a group also puts a learner without a group in the group. A user who
    /// is already enrolled gets the existing enrollment; a learner who is in a group stays there.
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

    /// Marks a page as visited. Repeating the call changes nothing: `markReread` says that a changed page was read again. FORBIDDEN without an
    /// enrollment.
    async fn mark_page_visited(
        &self,
        ctx: &Context<'_>,
        input: MarkPageVisitedInput,
    ) -> Result<MarkPageVisitedPayload> {
        let viewer = viewer(ctx)?;
        let id: PageId = context::id(ctx, "page_id", &input.page_id)?;
        let opened = Opened {
            page: id,
            version: input.version.map(i64::from),
        };
        let (view, place) = learning::mark_page_visited(kurso(ctx), viewer, opened)
            .await
            .map_err(wrap(ctx))?;
        let view = View::new(view);
        Ok(MarkPageVisitedPayload {
            lesson: Lesson::at(&view, view.page(place).lesson),
            course: Course::from_view(&view),
            page: Page::at(&view, place),
        })
    }

    /// Marks a changed page as read again: `changeSinceRead` is null until the page changes again. Repeating the call has no effect. Neither has a
    /// version that was replaced meanwhile: `changeSinceRead` then shows the newer change. Progress stays as it is. FORBIDDEN without an
    /// enrollment, NOT_FOUND for a version that the page does not have yet.
    async fn mark_reread(&self, ctx: &Context<'_>, input: MarkRereadInput) -> Result<MarkRereadPayload> {
        let viewer = viewer(ctx)?;
        let id: PageId = context::id(ctx, "page_id", &input.page_id)?;
        let (view, place) = reading::mark_reread(kurso(ctx), viewer, id, input.version.into())
            .await
            .map_err(wrap(ctx))?;
        Ok(MarkRereadPayload {
            page: Page::at(&View::new(view), place),
        })
    }

    /// Stores where the caller has stopped reading, one place per course: that of the page opened last. FORBIDDEN without an enrollment.
    async fn keep_reading_place(
        &self,
        ctx: &Context<'_>,
        input: KeepReadingPlaceInput,
    ) -> Result<KeepReadingPlacePayload> {
        let viewer = viewer(ctx)?;
        let id: PageId = context::id(ctx, "page_id", &input.page_id)?;
        let keep = command!(
            ctx,
            KeepPlace {
                version: required(input.version),
                block: required(input.block),
                part: required(input.part),
                heading: optional(input.heading),
            }
        );
        let view = learning::places::keep_place(kurso(ctx), viewer, id, keep)
            .await
            .map_err(wrap(ctx))?;
        Ok(KeepReadingPlacePayload {
            course: Course::from_view(&View::new(view)),
        })
    }

    /// Derives completion from visits and attempts and stores it: for all learners when the caller is owner, editor or
    /// teacher, for the caller otherwise. A completion that was reached once remains.
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
