//! The dates that a change is based on.

use async_graphql::{InputObject, MaybeUndefined};
use kurso_base::expected_dates::ExpectedDates;
use kurso_base::values::Change;

use crate::types::DateTime;

/// Dates of a course, module, lesson or page as they were read, null for none. A field that is left out may have any value.
#[derive(InputObject)]
pub struct ExpectedDatesInput {
    /// Start of the course.
    starts_at: MaybeUndefined<DateTime>,
    /// End of the course.
    ends_at: MaybeUndefined<DateTime>,
    /// End of enrollment by share code.
    enroll_until: MaybeUndefined<DateTime>,
    /// Own start of the module, lesson or page.
    available_from: MaybeUndefined<DateTime>,
    /// Own end of the module, lesson or page.
    available_until: MaybeUndefined<DateTime>,
    /// Own due date of the module, lesson or page.
    due_at: MaybeUndefined<DateTime>,
    /// End of late attempts at the quiz.
    late_until: MaybeUndefined<DateTime>,
}

impl From<ExpectedDatesInput> for ExpectedDates {
    fn from(input: ExpectedDatesInput) -> Self {
        let read = |date: MaybeUndefined<DateTime>| match date {
            MaybeUndefined::Undefined => Change::Keep,
            MaybeUndefined::Null => Change::Clear,
            MaybeUndefined::Value(DateTime(at)) => Change::Set(at),
        };
        ExpectedDates {
            starts_at: read(input.starts_at),
            ends_at: read(input.ends_at),
            enroll_until: read(input.enroll_until),
            available_from: read(input.available_from),
            available_until: read(input.available_until),
            due_at: read(input.due_at),
            late_until: read(input.late_until),
        }
    }
}
