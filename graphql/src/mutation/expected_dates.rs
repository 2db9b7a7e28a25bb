//! The dates and settings that a change is based on.

use async_graphql::{InputObject, MaybeUndefined};
use kurso_base::wire::time_text;
use serde_json::{Map, Value};

use crate::types::DateTime;

/// Dates and settings of a course, module, lesson or page as they were read, null for none. A field that is left out may have any value.
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
    /// Percent of the score that an attempt at the quiz loses for each begun day.
    late_penalty_per_day: MaybeUndefined<i32>,
    /// The most percent that an attempt at the quiz loses.
    late_penalty_max: MaybeUndefined<i32>,
    /// IANA name of the zone of the course.
    time_zone: MaybeUndefined<String>,
    /// Whether learners of the course see no titles of what is locked for them.
    hide_locked_titles: MaybeUndefined<bool>,
    /// Whether each lesson of the course opens only after the previous one is complete.
    sequential: MaybeUndefined<bool>,
}

/// As the core reads them.
impl From<ExpectedDatesInput> for Value {
    fn from(input: ExpectedDatesInput) -> Self {
        fn read<T>(value: MaybeUndefined<T>, with: impl FnOnce(T) -> Value) -> Option<Value> {
            match value {
                MaybeUndefined::Undefined => None,
                MaybeUndefined::Null => Some(Value::Null),
                MaybeUndefined::Value(value) => Some(with(value)),
            }
        }
        let date = |date| read(date, |DateTime(at)| Value::String(time_text(&at)));
        let fields = [
            ("starts_at", date(input.starts_at)),
            ("ends_at", date(input.ends_at)),
            ("enroll_until", date(input.enroll_until)),
            ("available_from", date(input.available_from)),
            ("available_until", date(input.available_until)),
            ("due_at", date(input.due_at)),
            ("late_until", date(input.late_until)),
            ("late_penalty_per_day", read(input.late_penalty_per_day, Value::from)),
            ("late_penalty_max", read(input.late_penalty_max, Value::from)),
            ("time_zone", read(input.time_zone, Value::from)),
            ("hide_locked_titles", read(input.hide_locked_titles, Value::from)),
            ("sequential", read(input.sequential, Value::from)),
        ];
        let known = fields
            .into_iter()
            .filter_map(|(name, value)| Some((name.to_owned(), value?)));
        Value::Object(known.collect::<Map<_, _>>())
    }
}
