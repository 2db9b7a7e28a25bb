//! Overrides of dates and attempts.

use async_graphql::{Context, ID, InputObject, MaybeUndefined, Object, Result, SimpleObject};
use kurso_base::ids::{CourseId, OverrideId};
use kurso_base::messages::Message;
use kurso_base::values::Change;
use kurso_base::wire::time_text;
use kurso_core::courses::overrides::{
    self, Changed, ChangedAll, ExpectedOverride, Part, SetOverride, SetOverrides, StoredOverride,
};
use kurso_core::schedule::overrides::Override;
use serde_json::{Map, Value};

use crate::context::{self, kurso, viewer};
use crate::error::wrap;
use crate::input::command;
use crate::language::say;
use crate::types::{Course, DateTime, ScheduleOverride, id_of, part_ids};

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
    /// Attempts at a quiz page, 1 to 100, to add to those that the override gives, or to those of the group's override if it sets no number. Its
    /// other limits stay, and no other limit may be given. If two people add attempts at once, both additions count.
    add_attempts: Option<i32>,
    /// The limits of the override that the change is based on, null for no override. If others are stored, nothing is changed. Without it,
    /// the change is never refused as a conflict.
    expected: MaybeUndefined<ExpectedOverrideInput>,
    /// The time zone in which the client interpreted local times and days; null is UTC. If the course uses another zone, the request changes
    /// nothing and returns a `conflict`. Times with an offset are not affected.
    expected_time_zone: MaybeUndefined<String>,
}

/// Overrides of several parts for exactly one of `groupId` and `enrollmentId`.
#[derive(InputObject)]
pub struct SetOverridesInput {
    /// ID of the course.
    course_id: ID,
    /// A group of the course.
    group_id: MaybeUndefined<ID>,
    /// The `id` of a `Student` of the course.
    enrollment_id: MaybeUndefined<ID>,
    /// 1 to 100 overrides, each of another part.
    overrides: Vec<OverrideEntryInput>,
    /// The time zone in which the client interpreted local times and days; null is UTC. If the course uses another zone, the request changes
    /// nothing and returns a `conflict`. Times with an offset are not affected.
    expected_time_zone: MaybeUndefined<String>,
}

/// The override of one module, lesson or page; without an ID, of the course itself. It replaces the stored one: limits that are left out are
/// inherited, null lifts the limit, and an entry without limits removes the override. A date is a time with its offset, a local time of the
/// course's zone, or a day.
#[derive(InputObject)]
pub struct OverrideEntryInput {
    /// A module of the course.
    module_id: MaybeUndefined<ID>,
    /// A lesson of the course.
    lesson_id: MaybeUndefined<ID>,
    /// A page of the course.
    page_id: MaybeUndefined<ID>,
    /// Own start. Of the course itself: its start.
    available_from: MaybeUndefined<String>,
    /// Own end. Of the course itself: its end.
    available_until: MaybeUndefined<String>,
    /// Own due date. Not of the course itself. Null also lifts those of the parts above.
    due_at: MaybeUndefined<String>,
    /// End of late attempts at a quiz page. Null: no end.
    late_until: MaybeUndefined<String>,
    /// Attempts at a quiz page beyond its limit, 0 to 100. Null: no limit.
    extra_attempts: MaybeUndefined<i32>,
    /// Factor of the time for timed quizzes, 1 to 5. Null: no limit.
    time_factor: MaybeUndefined<f64>,
    /// The limits of the override that the change is based on, null for no override. If others are stored, the whole request changes nothing.
    /// Without it, the change is never refused as a conflict.
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

/// The overrides in their new state. A conflict is an expected outcome: nothing was changed, and `scheduleOverrides` is null.
#[derive(SimpleObject)]
pub struct SetOverridesPayload {
    /// The overrides in the order of the input; null for a part that has none.
    schedule_overrides: Option<Vec<Option<ScheduleOverride>>>,
    /// Why nothing was changed; null when all overrides were set.
    conflict: Option<OverridesConflict>,
    /// The course; null when it was deleted at the same time.
    course: Option<Course>,
}

/// Somebody else has changed overrides, or the time zone of the course, meanwhile.
#[derive(SimpleObject)]
pub struct OverridesConflict {
    /// Why nothing was changed, in the language of the request.
    message: String,
    /// The parts whose overrides are not the expected ones, with what is stored. Empty when the time zone has changed.
    changed: Vec<PartOverride>,
}

/// The stored override of a part; without an ID, of the course itself.
#[derive(SimpleObject)]
pub struct PartOverride {
    /// ID of the module; null for other parts.
    module_id: Option<ID>,
    /// ID of the lesson; null for other parts.
    lesson_id: Option<ID>,
    /// ID of the page; null for other parts.
    page_id: Option<ID>,
    /// Null for no override.
    schedule_override: Option<ScheduleOverride>,
}

impl From<(Part, Option<StoredOverride>)> for PartOverride {
    fn from((part, stored): (Part, Option<StoredOverride>)) -> Self {
        let [module_id, lesson_id, page_id] = part_ids(part);
        PartOverride {
            module_id,
            lesson_id,
            page_id,
            schedule_override: stored.map(ScheduleOverride::from),
        }
    }
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

/// Somebody else has changed the override, or the time zone of the course, meanwhile.
#[derive(SimpleObject)]
pub struct OverrideConflict {
    /// Why nothing was changed, in the language of the request.
    message: String,
    /// The stored override; null for none.
    schedule_override: Option<ScheduleOverride>,
}

impl OverrideConflict {
    fn of(ctx: &Context<'_>, message: Message, current: Option<Box<StoredOverride>>) -> Self {
        OverrideConflict {
            message: say(ctx, message),
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

/// The entry in its REST form, because both APIs share one parser.
fn entry(input: OverrideEntryInput) -> Value {
    fn json<T>(value: MaybeUndefined<T>, with: impl FnOnce(T) -> Value) -> Option<Value> {
        match value {
            MaybeUndefined::Undefined => None,
            MaybeUndefined::Null => Some(Value::Null),
            MaybeUndefined::Value(value) => Some(with(value)),
        }
    }
    let id = |id| json(id, |ID(id)| id.into());
    let date = |date| json(date, |DateTime(at)| time_text(&at).into());
    let expected = |read: ExpectedOverrideInput| {
        object([
            ("available_from", date(read.available_from)),
            ("available_until", date(read.available_until)),
            ("due_at", date(read.due_at)),
            ("late_until", date(read.late_until)),
            ("extra_attempts", json(read.extra_attempts, Value::from)),
            ("time_factor", json(read.time_factor, Value::from)),
        ])
    };
    object([
        ("module_id", id(input.module_id)),
        ("lesson_id", id(input.lesson_id)),
        ("page_id", id(input.page_id)),
        ("available_from", json(input.available_from, Value::from)),
        ("available_until", json(input.available_until, Value::from)),
        ("due_at", json(input.due_at, Value::from)),
        ("late_until", json(input.late_until, Value::from)),
        ("extra_attempts", json(input.extra_attempts, Value::from)),
        ("time_factor", json(input.time_factor, Value::from)),
        ("expected", json(input.expected, expected)),
    ])
}

/// A JSON object of the fields that are given.
fn object<const N: usize>(fields: [(&str, Option<Value>); N]) -> Value {
    let given = fields
        .into_iter()
        .filter_map(|(name, value)| Some((name.to_owned(), value?)));
    Value::Object(given.collect::<Map<_, _>>())
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
                expected_time_zone: change(input.expected_time_zone),
            }
        );
        let changed = overrides::set(kurso(ctx), viewer, course, new)
            .await
            .map_err(wrap(ctx))?;
        let (schedule_override, conflict) = match changed {
            Changed::Done(stored) => (Some(stored.into()), None),
            Changed::Stale(current) => (None, Some(OverrideConflict::of(ctx, Message::OverrideChanged, current))),
            Changed::OtherZone(current) => (
                None,
                Some(OverrideConflict::of(ctx, Message::CourseZoneChanged, current)),
            ),
        };
        Ok(SetOverridePayload {
            schedule_override,
            conflict,
            course: Course::load_left(ctx, course).await?,
        })
    }

    /// Sets and removes the overrides of several parts for a group or a student in one transaction: all of them or none; CONFLICT when the
    /// course has 5,000 overrides. A change that was based on other overrides is a `conflict`. Owner and teachers.
    async fn set_overrides(&self, ctx: &Context<'_>, input: SetOverridesInput) -> Result<SetOverridesPayload> {
        let viewer = viewer(ctx)?;
        let course: CourseId = context::id(ctx, "course_id", &input.course_id)?;
        let command = command!(
            ctx,
            SetOverrides {
                group_id: optional(input.group_id.take().map(String::from)),
                enrollment_id: optional(input.enrollment_id.take().map(String::from)),
                overrides: required(Value::from_iter(input.overrides.into_iter().map(entry))),
                expected_time_zone: change(input.expected_time_zone),
            }
        );
        let changed = overrides::set_many(kurso(ctx), viewer, course, command)
            .await
            .map_err(wrap(ctx))?;
        let refused = |message, changed: Vec<_>| OverridesConflict {
            message: say(ctx, message),
            changed: changed.into_iter().map(PartOverride::from).collect(),
        };
        let (schedule_overrides, conflict) = match changed {
            ChangedAll::Done(stored) => {
                let stored = stored.into_iter().map(|one| one.map(ScheduleOverride::from));
                (Some(stored.collect()), None)
            }
            ChangedAll::Stale(changed) => (None, Some(refused(Message::OverrideChanged, changed))),
            ChangedAll::OtherZone => (None, Some(refused(Message::CourseZoneChanged, vec![]))),
        };
        Ok(SetOverridesPayload {
            schedule_overrides,
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
            Changed::Stale(current) | Changed::OtherZone(current) => DeleteOverridePayload {
                override_id: None,
                conflict: Some(OverrideConflict::of(ctx, Message::OverrideChanged, current)),
                course: None,
                message: say(ctx, Message::OverrideChanged),
            },
        })
    }
}
