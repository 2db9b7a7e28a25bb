//! Overrides of dates and attempts.

use async_graphql::{Context, ID, InputObject, MaybeUndefined, Object, Result, SimpleObject};
use kurso_base::ids::{CourseId, OverrideId};
use kurso_base::messages::Message;
use kurso_base::values::Change;
use kurso_core::courses::overrides::{self, Changed, ExpectedOverride, SetOverride, StoredOverride};
use kurso_core::schedule::overrides::Override;

use crate::context::{self, kurso, viewer};
use crate::error::wrap;
use crate::input::command;
use crate::language::say;
use crate::types::{Course, DateTime, ScheduleOverride, id_of};

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
    /// Attempts at a quiz page to add to those that the override gives, or without a number of its own, that of the group, 1 to 100. Its other
    /// limits stay, and no other limit may be given. If two people add attempts at once, both additions count.
    add_attempts: Option<i32>,
    /// The limits of the override that the change is based on, null for no override. If others are stored, nothing is changed. Without it,
    /// the change is never refused as a conflict.
    expected: MaybeUndefined<ExpectedOverrideInput>,
}

/// An override.
#[derive(InputObject)]
pub struct OverrideInput {
    /// ID of the override.
    override_id: ID,
    /// The limits of the override that was read. If others are stored, nothing is changed. Without it, the change is never refused as a
    /// conflict.
    expected: Option<ExpectedOverrideInput>,
}

/// The limits of an override as they were read: those that are left out were inherited, null was lifted.
#[derive(InputObject)]
pub struct ExpectedOverrideInput {
    /// Own start.
    available_from: MaybeUndefined<DateTime>,
    /// Own end.
    available_until: MaybeUndefined<DateTime>,
    /// Own due date.
    due_at: MaybeUndefined<DateTime>,
    /// End of late attempts.
    late_until: MaybeUndefined<DateTime>,
    /// Attempts beyond the limit.
    extra_attempts: MaybeUndefined<i32>,
    /// Factor of the time.
    time_factor: MaybeUndefined<f64>,
}

/// The override in its new state. A conflict is an expected outcome: nothing was changed, and `scheduleOverride` is null.
#[derive(SimpleObject)]
pub struct SetOverridePayload {
    /// The override.
    schedule_override: Option<ScheduleOverride>,
    /// Why nothing was changed; null when the override was set.
    conflict: Option<OverrideConflict>,
    /// The course; null when it was deleted at the same time.
    course: Option<Course>,
}

/// The override was deleted. A conflict is an expected outcome: nothing was changed, and `overrideId` is null.
#[derive(SimpleObject)]
pub struct DeleteOverridePayload {
    /// ID of the deleted override.
    override_id: Option<ID>,
    /// Why nothing was changed; null when the override was deleted.
    conflict: Option<OverrideConflict>,
    /// The course; null when it was deleted at the same time, and with a conflict.
    course: Option<Course>,
    /// The result in words, in the language of the request.
    message: String,
}

/// Somebody else has changed the override meanwhile.
#[derive(SimpleObject)]
pub struct OverrideConflict {
    /// Why nothing was changed, in the language of the request.
    message: String,
    /// The stored override; null for none.
    schedule_override: Option<ScheduleOverride>,
}

impl OverrideConflict {
    fn of(ctx: &Context<'_>, current: Option<Box<StoredOverride>>) -> Self {
        OverrideConflict {
            message: say(ctx, Message::OverrideChanged),
            schedule_override: current.map(|stored| (*stored).into()),
        }
    }
}

impl From<ExpectedOverrideInput> for ExpectedOverride {
    fn from(input: ExpectedOverrideInput) -> Self {
        fn read<T, U>(limit: MaybeUndefined<T>, with: impl FnOnce(T) -> U) -> Change<U> {
            match limit {
                MaybeUndefined::Undefined => Change::Keep,
                MaybeUndefined::Null => Change::Clear,
                MaybeUndefined::Value(value) => Change::Set(with(value)),
            }
        }
        let date = |date| read(date, |DateTime(at)| at);
        ExpectedOverride(Override {
            available_from: date(input.available_from),
            available_until: date(input.available_until),
            due_at: date(input.due_at),
            late_until: date(input.late_until),
            extra_attempts: read(input.extra_attempts, i64::from),
            time_factor: read(input.time_factor, |factor| factor),
        })
    }
}

fn expected(read: MaybeUndefined<ExpectedOverrideInput>) -> Change<ExpectedOverride> {
    match read {
        MaybeUndefined::Undefined => Change::Keep,
        MaybeUndefined::Null => Change::Clear,
        MaybeUndefined::Value(read) => Change::Set(read.into()),
    }
}

#[Object]
impl OverridesMutation {
    /// Sets what differs for a group or a student, in place of the override of the same part that they have, or adds to the attempts that it
    /// gives; CONFLICT when the course has 5,000 overrides. A change that was based on another override is a `conflict`. Owner and teachers.
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
                add_attempts: optional(input.add_attempts),
                expected: known(expected(input.expected)),
            }
        );
        let changed = overrides::set(kurso(ctx), viewer, course, new)
            .await
            .map_err(wrap(ctx))?;
        let (schedule_override, conflict) = match changed {
            Changed::Done(stored) => (Some(stored.into()), None),
            Changed::Stale(current) => (None, Some(OverrideConflict::of(ctx, current))),
        };
        Ok(SetOverridePayload {
            schedule_override,
            conflict,
            course: Course::load_left(ctx, course).await?,
        })
    }

    /// Deletes an override. One that somebody else has changed since it was read is a `conflict`. Owner and teachers.
    async fn delete_override(&self, ctx: &Context<'_>, input: OverrideInput) -> Result<DeleteOverridePayload> {
        let viewer = viewer(ctx)?;
        let id: OverrideId = context::id(ctx, "override_id", &input.override_id)?;
        let expected = input.expected.map(ExpectedOverride::from);
        let changed = overrides::delete(kurso(ctx), viewer, id, expected)
            .await
            .map_err(wrap(ctx))?;
        Ok(match changed {
            Changed::Done(course) => DeleteOverridePayload {
                override_id: Some(id_of(id)),
                conflict: None,
                course: Course::load_left(ctx, course).await?,
                message: say(ctx, Message::OverrideDeleted),
            },
            Changed::Stale(current) => DeleteOverridePayload {
                override_id: None,
                conflict: Some(OverrideConflict::of(ctx, current)),
                course: None,
                message: say(ctx, Message::OverrideChanged),
            },
        })
    }
}
