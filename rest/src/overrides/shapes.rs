//! Request bodies and response schemas for overrides.

use chrono::{DateTime, Utc};
use kurso_base::ids::{EnrollmentId, GroupId, LessonId, ModuleId, PageId};
use kurso_base::pagination::Listed;
use kurso_base::schedule::{ScheduleTime, TimeZone};
use kurso_base::values::{AddedAttempts, Change, ExtraAttempts, TimeFactor};
use kurso_base::wire;
use kurso_core::courses::overrides::{
    self as core, ExpectedOverride, OverrideEntries, Part, SetOverride, SetOverrides, StoredOverride, Target,
};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa::openapi::schema::{AdditionalProperties, KnownFormat, SchemaFormat, Type};
use utoipa::openapi::{Ref, RefOr, Schema};
use uuid::Uuid;

use crate::fields::{Field, body, entries_schema, entry_schema, of_type, of_type_or_null, property};

body! {
    /// Exactly one of `group_id` and `enrollment_id`, and at most one of `module_id`, `lesson_id` and `page_id`: without any, the override is
    /// of the course itself. Limits that are absent are inherited, null lifts the limit.
    OverrideSet -> SetOverride {
        /// A group of the course.
        group_id: Option<GroupId>,
        /// The `enrollment_id` of a student of the course.
        enrollment_id: Option<EnrollmentId>,
        /// A module of the course.
        module_id: Option<ModuleId>,
        /// A lesson of the course.
        lesson_id: Option<LessonId>,
        /// A page of the course.
        page_id: Option<PageId>,
        /// Own start: an instant, a local time or a day of the course's time zone. Of the course itself: its start.
        available_from: Change<ScheduleTime>,
        /// Own end: an instant, a local time or a day. Of the course itself: its end.
        available_until: Change<ScheduleTime>,
        /// Own due date: an instant, a local time or a day. Not of the course itself. Null also lifts those of the parts above.
        due_at: Change<ScheduleTime>,
        /// End of late attempts at a quiz page: an instant, a local time or a day. Null: no end.
        late_until: Change<ScheduleTime>,
        /// Attempts at a quiz page beyond its limit. Null: no limit.
        extra_attempts: Change<ExtraAttempts>,
        /// Factor of the time for timed quizzes. Null: no limit.
        time_factor: Change<TimeFactor>,
        /// Attempts at a quiz page to add to those that the override gives, or to those of the group's override if it sets no number. Its other
        /// limits stay, and no other limit may be given. If two people add attempts at once, both additions count.
        add_attempts: Option<AddedAttempts>,
        /// The limits of the override that the change is based on, null for no override. If others are stored, nothing is changed (409).
        /// Without it, the change is never refused as a conflict.
        expected: Change<ExpectedOverride>,
        /// The time zone in which the client interpreted local times and days; null is UTC. If the course uses another zone, the request changes
        /// nothing (409). Times with an offset are not affected.
        expected_time_zone: Change<TimeZone>,
    }

    /// Exactly one of `group_id` and `enrollment_id`.
    OverridesSet -> SetOverrides {
        /// A group of the course.
        group_id: Option<GroupId>,
        /// The `enrollment_id` of a student of the course.
        enrollment_id: Option<EnrollmentId>,
        overrides: OverrideEntries,
        /// The time zone in which the client interpreted local times and days; null is UTC. If the course uses another zone, the request changes
        /// nothing (409). Times with an offset are not affected.
        expected_time_zone: Change<TimeZone>,
    }
}

impl Field for OverrideEntries {
    fn schema() -> RefOr<Schema> {
        entries_schema("OverrideEntry", Self::MAX)
    }

    fn schemas(to: &mut Vec<(String, RefOr<Schema>)>) {
        let object = entry_schema(Self::IDS, Self::DATES).description(Some(
            "The override of one module, lesson or page; without an id, of the course itself. It replaces the stored one: limits that are absent \
             are inherited, null lifts the limit, and an entry without limits removes the override. A date is a time with its offset, a local time \
             of the course's zone, or a day. If another override than the one in `expected` is stored (null for none), nothing of the whole request \
             is changed (409).",
        ));
        let [attempts, factor] = Self::NUMBERS;
        let object = object
            .property(attempts, property::<Change<ExtraAttempts>>(&[]))
            .property(factor, property::<Change<TimeFactor>>(&[]))
            .property(Self::EXPECTED, property::<Change<ExpectedOverride>>(&[]));
        to.push(("OverrideEntry".to_owned(), object.into()));
        ExpectedOverride::schemas(to);
    }
}

impl Field for ExpectedOverride {
    fn schema() -> RefOr<Schema> {
        Ref::from_schema_name("ExpectedOverride").into()
    }

    fn schemas(to: &mut Vec<(String, RefOr<Schema>)>) {
        let date = || of_type_or_null(Type::String).format(Some(SchemaFormat::KnownFormat(KnownFormat::DateTime)));
        let object = of_type(Type::Object).description(Some(
            "The limits of an override as they were read: those that are left out were inherited, null was lifted.",
        ));
        let object = ExpectedOverride::DATES
            .into_iter()
            .fold(object, |object, name| object.property(name, date()))
            .property("extra_attempts", of_type_or_null(Type::Integer))
            .property("time_factor", of_type_or_null(Type::Number))
            .additional_properties(Some(AdditionalProperties::FreeForm(false)));
        to.push(("ExpectedOverride".to_owned(), object.into()));
    }
}

/// Nothing was changed.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes what `error` writes")]
pub struct OverrideConflict {
    detail: String,
    /// What is stored, when somebody else has changed the override or the time zone of the course meanwhile; null for no override.
    r#override: Option<Override>,
}

/// The overrides after the change.
#[derive(Serialize, ToSchema)]
pub struct StoredOverrides {
    /// In the order of the request; null for a part that has none.
    pub overrides: Vec<Option<Override>>,
}

/// The stored override of a part; without an id, of the course itself.
#[derive(Serialize, ToSchema)]
pub struct PartOverride {
    #[schema(required)]
    pub module_id: Option<Uuid>,
    #[schema(required)]
    pub lesson_id: Option<Uuid>,
    #[schema(required)]
    pub page_id: Option<Uuid>,
    /// Null for no override.
    #[schema(required)]
    pub r#override: Option<Override>,
}

impl PartOverride {
    pub fn of((part, stored): (Part, Option<StoredOverride>)) -> Self {
        let [module_id, lesson_id, page_id] = ids(part);
        PartOverride {
            module_id,
            lesson_id,
            page_id,
            r#override: stored.map(Override::from),
        }
    }
}

/// Nothing was changed.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes what `error` writes")]
pub struct OverridesConflict {
    detail: String,
    /// The parts whose overrides somebody else has changed meanwhile, with what is stored. Empty when the time zone of the course has changed.
    changed: Vec<PartOverride>,
}

/// The ids of the module, the lesson and the page, at most one of which is given.
pub(super) fn ids(part: Part) -> [Option<Uuid>; 3] {
    match part {
        Part::Course => [None, None, None],
        Part::Module(id) => [Some(id.0), None, None],
        Part::Lesson(id) => [None, Some(id.0), None],
        Part::Page(id) => [None, None, Some(id.0)],
    }
}

/// What differs for one group or one student from the dates and attempts of a part of a course. Null is inherited, unless `lifted` names
/// it.
#[derive(Serialize, ToSchema)]
pub struct Override {
    pub id: Uuid,
    pub course_id: Uuid,
    /// Null for an override of a student.
    #[schema(required)]
    pub group_id: Option<Uuid>,
    #[schema(required)]
    pub group_title: Option<String>,
    /// The `enrollment_id` of the student; null for an override of a group.
    #[schema(required)]
    pub enrollment_id: Option<Uuid>,
    /// Of the student; null also when the user has not given a name.
    #[schema(required)]
    pub full_name: Option<String>,
    /// Of the student.
    #[schema(required)]
    pub email: Option<String>,
    /// Null for other parts.
    #[schema(required)]
    pub module_id: Option<Uuid>,
    /// Null for other parts.
    #[schema(required)]
    pub lesson_id: Option<Uuid>,
    /// Null for other parts. Without any of the three, the override is of the course itself.
    #[schema(required)]
    pub page_id: Option<Uuid>,
    /// Own start; of the course itself, the start of the course.
    #[serde(serialize_with = "wire::optional_time")]
    #[schema(required)]
    pub available_from: Option<DateTime<Utc>>,
    /// Own end; of the course itself, the end of the course.
    #[serde(serialize_with = "wire::optional_time")]
    #[schema(required)]
    pub available_until: Option<DateTime<Utc>>,
    /// Own due date. A lifted one also lifts those of the parts above it.
    #[serde(serialize_with = "wire::optional_time")]
    #[schema(required)]
    pub due_at: Option<DateTime<Utc>>,
    /// End of late attempts at a quiz. A lifted one means that late attempts have no end.
    #[serde(serialize_with = "wire::optional_time")]
    #[schema(required)]
    pub late_until: Option<DateTime<Utc>>,
    /// Attempts at a quiz beyond its limit. Lifted ones mean that there is no limit.
    #[schema(required)]
    pub extra_attempts: Option<i64>,
    /// Factor of the time for timed quizzes. A lifted one means that the time is not limited.
    #[schema(required)]
    pub time_factor: Option<f64>,
    /// The names of the limits above that do not apply.
    pub lifted: Vec<&'static str>,
    #[serde(serialize_with = "wire::time")]
    pub updated_at: DateTime<Utc>,
}

impl From<StoredOverride> for Override {
    fn from(stored: StoredOverride) -> Self {
        let values = stored.values;
        let (group, student) = match stored.target {
            Target::Group(group) => (Some(group), None),
            Target::Student(student) => (None, Some(student)),
        };
        let [module_id, lesson_id, page_id] = ids(stored.part);
        let (group_id, group_title) = group.map(|group| (group.id.0, group.title)).unzip();
        Override {
            id: stored.id.0,
            course_id: stored.course_id.0,
            group_id,
            group_title,
            enrollment_id: student.as_ref().map(|student| student.enrollment_id.0),
            full_name: student.as_ref().and_then(|student| student.full_name.clone()),
            email: student.map(|student| student.email),
            module_id,
            lesson_id,
            page_id,
            available_from: values.available_from.value(),
            available_until: values.available_until.value(),
            due_at: values.due_at.value(),
            late_until: values.late_until.value(),
            extra_attempts: values.extra_attempts.value(),
            time_factor: values.time_factor.value(),
            lifted: core::lifted(&values),
            updated_at: stored.updated_at,
        }
    }
}

/// A page of the overrides of a course.
#[derive(Serialize, ToSchema)]
pub struct Overrides {
    pub data: Vec<Override>,
    /// Number of overrides in the whole list.
    pub count: i64,
}

impl From<Listed<StoredOverride>> for Overrides {
    fn from(found: Listed<StoredOverride>) -> Self {
        Overrides {
            data: found.data.into_iter().map(Override::from).collect(),
            count: found.count,
        }
    }
}
