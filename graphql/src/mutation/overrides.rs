//! Overrides of dates and attempts.

use async_graphql::{Context, ID, InputObject, MaybeUndefined, Object, Result, SimpleObject};
use kurso_base::ids::{CourseId, OverrideId};
use kurso_base::messages::Message;
use kurso_core::courses::overrides::{self, SetOverride};

use crate::context::{self, kurso, viewer};
use crate::error::wrap;
use crate::input::command;
use crate::language::say;
use crate::types::{Course, ScheduleOverride, id_of};

#[derive(Default)]
pub struct OverridesMutation;

/// An override: for exactly one of `groupId` and `enrollmentId`, of one module, lesson or page, or of the course itself. Limits that are
/// left out are inherited; null lifts the limit.
#[derive(InputObject)]
pub struct SetOverrideInput {
    /// ID of the course.
    course_id: ID,
    /// A group of the course.
    group_id: MaybeUndefined<ID>,
    /// The `id` of a `Student` of the course.
    enrollment_id: MaybeUndefined<ID>,
    /// A module of the course.
    module_id: MaybeUndefined<ID>,
    /// A lesson of the course.
    lesson_id: MaybeUndefined<ID>,
    /// A page of the course.
    page_id: MaybeUndefined<ID>,
    /// Own start: an instant, a local time or a day of the course's time zone. Of the course itself: its start.
    available_from: MaybeUndefined<String>,
    /// Own end: an instant, a local time or a day. Of the course itself: its end.
    available_until: MaybeUndefined<String>,
    /// Own due date: an instant, a local time or a day. Not of the course itself. Null also lifts those of the parts above.
    due_at: MaybeUndefined<String>,
    /// End of late attempts at a quiz page: an instant, a local time or a day. Null: no end.
    late_until: MaybeUndefined<String>,
    /// Attempts at a quiz page beyond its limit, 0 to 100. Null: no limit.
    extra_attempts: MaybeUndefined<i32>,
    /// Factor of the time for timed quizzes, 1 to 5. Null: no limit.
    time_factor: MaybeUndefined<f64>,
}

/// An override.
#[derive(InputObject)]
pub struct OverrideInput {
    /// ID of the override.
    override_id: ID,
}

/// The override in its new state.
#[derive(SimpleObject)]
pub struct SetOverridePayload {
    /// The override.
    schedule_override: ScheduleOverride,
    /// The course; null when it was deleted at the same time.
    course: Option<Course>,
}

/// The override was deleted.
#[derive(SimpleObject)]
pub struct DeleteOverridePayload {
    /// ID of the deleted override.
    override_id: ID,
    /// The course; null when it was deleted at the same time.
    course: Option<Course>,
    /// The result in words, in the language of the request.
    message: String,
}

#[Object]
impl OverridesMutation {
    /// Sets what differs for a group or a student, in place of the override of the same part that they have; CONFLICT when the course has
    /// 5,000 overrides. Owner and teachers.
    async fn set_override(&self, ctx: &Context<'_>, input: SetOverrideInput) -> Result<SetOverridePayload> {
        let viewer = viewer(ctx)?;
        let course: CourseId = context::id(ctx, "course_id", &input.course_id)?;
        let new = command!(
            ctx,
            SetOverride {
                group_id: optional(input.group_id.take().map(String::from)),
                enrollment_id: optional(input.enrollment_id.take().map(String::from)),
                module_id: optional(input.module_id.take().map(String::from)),
                lesson_id: optional(input.lesson_id.take().map(String::from)),
                page_id: optional(input.page_id.take().map(String::from)),
                available_from: change(input.available_from),
                available_until: change(input.available_until),
                due_at: change(input.due_at),
                late_until: change(input.late_until),
                extra_attempts: change(input.extra_attempts),
                time_factor: change(input.time_factor),
            }
        );
        let stored = overrides::set(kurso(ctx), viewer, course, new)
            .await
            .map_err(wrap(ctx))?;
        Ok(SetOverridePayload {
            schedule_override: stored.into(),
            course: Course::load_left(ctx, course).await?,
        })
    }

    /// Deletes an override. Owner and teachers.
    async fn delete_override(&self, ctx: &Context<'_>, input: OverrideInput) -> Result<DeleteOverridePayload> {
        let viewer = viewer(ctx)?;
        let id: OverrideId = context::id(ctx, "override_id", &input.override_id)?;
        let course = overrides::delete(kurso(ctx), viewer, id).await.map_err(wrap(ctx))?;
        Ok(DeleteOverridePayload {
            override_id: id_of(id),
            course: Course::load_left(ctx, course).await?,
            message: say(ctx, Message::OverrideDeleted),
        })
    }
}
