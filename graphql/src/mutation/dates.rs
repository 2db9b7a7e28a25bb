//! Changes of many dates of a course at once.

use async_graphql::{Context, ID, InputObject, MaybeUndefined, Object, Result, SimpleObject};
use kurso_base::ids::CourseId;
use kurso_base::messages::Message;
use kurso_core::courses::set_dates::{self as core, SetDates, SetDatesError};
use serde_json::{Map, Value};

use super::expected_dates::ExpectedDatesInput;
use crate::context::{self, kurso, viewer};
use crate::error::wrap;
use crate::input::command;
use crate::language::say;
use crate::types::{DateTime, id_of};

#[derive(Default)]
pub struct DatesMutation;

/// Changes of the dates of one module, lesson, page or override; without an ID, of the course itself. Dates that are left out stay, null
/// clears one. A date is a time with its offset, a local time of the course's zone, or a day. Of an override, a date that it has can be replaced.
#[derive(InputObject)]
pub struct PartDatesInput {
    /// A module of the course.
    module_id: MaybeUndefined<ID>,
    /// A lesson of the course.
    lesson_id: MaybeUndefined<ID>,
    /// A page of the course.
    page_id: MaybeUndefined<ID>,
    /// An override of the course.
    override_id: MaybeUndefined<ID>,
    /// Start of the course.
    starts_at: MaybeUndefined<String>,
    /// End of the course.
    ends_at: MaybeUndefined<String>,
    /// End of enrollment by share code.
    enroll_until: MaybeUndefined<String>,
    /// Own start of the part.
    available_from: MaybeUndefined<String>,
    /// Own end of the part.
    available_until: MaybeUndefined<String>,
    /// Own due date of the part.
    due_at: MaybeUndefined<String>,
    /// End of late attempts at a quiz.
    late_until: MaybeUndefined<String>,
    /// The dates that the change is based on. If the stored dates differ, the whole request is rejected.
    expected_dates: Option<ExpectedDatesInput>,
}

/// Changes of dates of one course.
#[derive(InputObject)]
pub struct SetDatesInput {
    /// ID of the course.
    course_id: ID,
    /// 1 to 10,000 changes, each of another part or override.
    dates: Vec<PartDatesInput>,
    /// Moves all dates of the named parts and overrides by so many days of the course's zone, -3660 to 3660; their time of day stays. The dates
    /// of the entries are set before.
    shift_days: Option<i32>,
}

/// A conflict is an expected outcome: nothing was changed, `dates` is null and `conflict` holds what is stored.
#[derive(SimpleObject)]
pub struct SetDatesPayload {
    /// What is stored after the change, in the order of the input.
    dates: Option<Vec<PartDates>>,
    /// Why nothing was changed; null when all dates were stored.
    conflict: Option<DatesConflict>,
}

/// Somebody else has changed dates since they were read.
#[derive(SimpleObject)]
pub struct DatesConflict {
    /// Why nothing was changed, in the language of the request.
    message: String,
    /// The parts and overrides whose dates are not the expected ones, with what is stored.
    changed: Vec<PartDates>,
}

/// The dates of one module, lesson, page or override; without an ID, of the course itself. Dates that it cannot have are null.
#[derive(SimpleObject)]
pub struct PartDates {
    /// ID of the module; null for other parts.
    module_id: Option<ID>,
    /// ID of the lesson; null for other parts.
    lesson_id: Option<ID>,
    /// ID of the page; null for other parts.
    page_id: Option<ID>,
    /// ID of the override; null for parts.
    override_id: Option<ID>,
    /// Start of the course.
    starts_at: Option<DateTime>,
    /// End of the course.
    ends_at: Option<DateTime>,
    /// End of enrollment by share code.
    enroll_until: Option<DateTime>,
    /// Own start.
    available_from: Option<DateTime>,
    /// Own end.
    available_until: Option<DateTime>,
    /// Own due date.
    due_at: Option<DateTime>,
    /// End of late attempts.
    late_until: Option<DateTime>,
}

impl From<core::PartDates> for PartDates {
    fn from(dates: core::PartDates) -> Self {
        let (module, lesson, page, over) = dates.of.ids();
        PartDates {
            module_id: module.map(id_of),
            lesson_id: lesson.map(id_of),
            page_id: page.map(id_of),
            override_id: over.map(id_of),
            starts_at: dates.starts_at.map(DateTime),
            ends_at: dates.ends_at.map(DateTime),
            enroll_until: dates.enroll_until.map(DateTime),
            available_from: dates.available_from.map(DateTime),
            available_until: dates.available_until.map(DateTime),
            due_at: dates.due_at.map(DateTime),
            late_until: dates.late_until.map(DateTime),
        }
    }
}

fn shapes(dates: Vec<core::PartDates>) -> Vec<PartDates> {
    dates.into_iter().map(PartDates::from).collect()
}

/// The entry as REST sends it: both APIs have one reader.
fn entry(input: PartDatesInput) -> Value {
    let ids = [
        ("module_id", input.module_id),
        ("lesson_id", input.lesson_id),
        ("page_id", input.page_id),
        ("override_id", input.override_id),
    ];
    let ids = ids.map(|(name, id)| (name, id.map_value(String::from)));
    let dates = [
        ("starts_at", input.starts_at),
        ("ends_at", input.ends_at),
        ("enroll_until", input.enroll_until),
        ("available_from", input.available_from),
        ("available_until", input.available_until),
        ("due_at", input.due_at),
        ("late_until", input.late_until),
    ];
    let mut fields = Map::new();
    fields.extend(ids.into_iter().chain(dates).filter_map(|(name, text)| match text {
        MaybeUndefined::Undefined => None,
        MaybeUndefined::Null => Some((name.to_owned(), Value::Null)),
        MaybeUndefined::Value(text) => Some((name.to_owned(), text.into())),
    }));
    if let Some(expected) = input.expected_dates {
        fields.insert("expected_dates".to_owned(), expected.into());
    }
    Value::Object(fields)
}

#[Object]
impl DatesMutation {
    /// Changes the dates of the course, its modules, lessons and pages, and of overrides in one transaction: all of them, or none. Owner and
    /// editors; for overrides, the owner and teachers.
    async fn set_dates(&self, ctx: &Context<'_>, input: SetDatesInput) -> Result<SetDatesPayload> {
        let viewer = viewer(ctx)?;
        let course: CourseId = context::id(ctx, "course_id", &input.course_id)?;
        let command = command!(
            ctx,
            SetDates {
                dates: required(Value::from_iter(input.dates.into_iter().map(entry))),
                shift_days: optional(input.shift_days),
            }
        );
        match core::set_dates(kurso(ctx), viewer, course, command).await {
            Ok(stored) => Ok(SetDatesPayload {
                dates: Some(shapes(stored)),
                conflict: None,
            }),
            Err(SetDatesError::Conflict(changed)) => Ok(SetDatesPayload {
                dates: None,
                conflict: Some(DatesConflict {
                    message: say(ctx, Message::DatesChanged),
                    changed: shapes(changed),
                }),
            }),
            Err(SetDatesError::Refused(error)) => Err(wrap(ctx)(error)),
        }
    }
}
