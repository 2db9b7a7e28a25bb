//! The dates and settings that a client read before it changes them. Sent with the change, they let the server report a conflict when two
//! people change the same one.

use chrono::{DateTime, Utc};
use serde_json::Value;

use crate::error::{Error, Result};
use crate::messages::Message;
use crate::schedule::TimeZone;
use crate::values::{Change, Checked, Problem};

/// What an editor has read of the schedule of one part of a course. A field that is `Keep` was not read and may have any value; `Clear`
/// means that there was none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExpectedDates {
    pub starts_at: Change<DateTime<Utc>>,
    pub ends_at: Change<DateTime<Utc>>,
    pub enroll_until: Change<DateTime<Utc>>,
    pub available_from: Change<DateTime<Utc>>,
    pub available_until: Change<DateTime<Utc>>,
    pub due_at: Change<DateTime<Utc>>,
    pub late_until: Change<DateTime<Utc>>,
    /// Percent.
    pub late_penalty_per_day: Change<i64>,
    /// Percent.
    pub late_penalty_max: Change<i64>,
    pub time_zone: Change<TimeZone>,
    pub hide_locked_titles: Change<bool>,
    pub sequential: Change<bool>,
}

impl ExpectedDates {
    /// The names of the dates in REST.
    pub const DATES: [&'static str; 7] = [
        "starts_at",
        "ends_at",
        "enroll_until",
        "available_from",
        "available_until",
        "due_at",
        "late_until",
    ];

    /// The names of the percentages in REST.
    pub const PERCENTS: [&'static str; 2] = ["late_penalty_per_day", "late_penalty_max"];

    /// The names of the boolean settings in REST.
    pub const SWITCHES: [&'static str; 2] = ["hide_locked_titles", "sequential"];

    fn date(&mut self, name: &str) -> Option<&mut Change<DateTime<Utc>>> {
        match name {
            "starts_at" => Some(&mut self.starts_at),
            "ends_at" => Some(&mut self.ends_at),
            "enroll_until" => Some(&mut self.enroll_until),
            "available_from" => Some(&mut self.available_from),
            "available_until" => Some(&mut self.available_until),
            "due_at" => Some(&mut self.due_at),
            "late_until" => Some(&mut self.late_until),
            _ => None,
        }
    }
}

/// A value as it was read, and as it is stored.
pub type ReadAndStored<T> = (Change<T>, Option<T>);

/// Fails with [`Error::Conflict`] unless each stored date is the one that was read.
pub fn require_unchanged<const N: usize>(dates: [ReadAndStored<DateTime<Utc>>; N]) -> Result<()> {
    require_same(dates, Message::DatesChanged)
}

/// Fails with [`Error::Conflict`] unless each stored setting is the one that was read.
pub fn require_unchanged_settings<T: Copy + PartialEq, const N: usize>(settings: [ReadAndStored<T>; N]) -> Result<()> {
    require_same(settings, Message::SettingChanged)
}

fn require_same<T: Copy + PartialEq, const N: usize>(values: [ReadAndStored<T>; N], message: Message) -> Result<()> {
    let differs = |(read, stored): &ReadAndStored<T>| match read {
        Change::Keep => false,
        read => read.value() != *stored,
    };
    if values.iter().any(differs) {
        return Err(Error::Conflict(message));
    }
    Ok(())
}

/// An object of instants, numbers, texts, booleans and nulls.
impl Checked for ExpectedDates {
    type Plain = Value;

    fn check(plain: Value) -> Result<Self, Problem> {
        let Value::Object(fields) = plain else {
            return Err(Self::wrong_type());
        };
        let mut expected = ExpectedDates::default();
        for (name, value) in fields {
            let bad = |message| Problem::new("value_error", message);
            match name.as_str() {
                "late_penalty_per_day" => {
                    expected.late_penalty_per_day =
                        Change::of_json(&value, Value::as_i64).ok_or(bad(Message::NotANumber))?;
                }
                "late_penalty_max" => {
                    expected.late_penalty_max =
                        Change::of_json(&value, Value::as_i64).ok_or(bad(Message::NotANumber))?;
                }
                "time_zone" => {
                    let zone = |value: &Value| TimeZone::named(value.as_str()?);
                    expected.time_zone = Change::of_json(&value, zone).ok_or(bad(Message::UnknownTimeZone))?;
                }
                "hide_locked_titles" => {
                    expected.hide_locked_titles =
                        Change::of_json(&value, Value::as_bool).ok_or(bad(Message::NotABoolean))?;
                }
                "sequential" => {
                    expected.sequential = Change::of_json(&value, Value::as_bool).ok_or(bad(Message::NotABoolean))?;
                }
                name => {
                    let date = |value: &Value| value.as_str()?.parse().ok();
                    let field = expected.date(name).ok_or(bad(Message::BadDate))?;
                    *field = Change::of_json(&value, date).ok_or(bad(Message::BadDate))?;
                }
            }
        }
        Ok(expected)
    }

    fn wrong_type() -> Problem {
        Problem::new("model_attributes_type", Message::NotAnObject)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_object_of_instants_and_nulls_is_read() {
        let at: DateTime<Utc> = "2026-09-01T10:00:00.000001Z".parse().unwrap();
        let read =
            ExpectedDates::check(json!({"due_at": "2026-09-01T13:00:00.000001+03:00", "late_until": null})).unwrap();
        let expected = ExpectedDates {
            due_at: Change::Set(at),
            late_until: Change::Clear,
            ..ExpectedDates::default()
        };
        assert_eq!(read, expected);
        for wrong in [
            json!([]),
            json!({"due": null}),
            json!({"due_at": 5}),
            json!({"due_at": "2026-09-01"}),
            json!({"late_penalty_max": "5"}),
            json!({"late_penalty_per_day": 0.5}),
            json!({"time_zone": "Moscow"}),
            json!({"sequential": 1}),
            json!({"hide_locked_titles": "yes"}),
        ] {
            assert!(ExpectedDates::check(wrong.clone()).is_err(), "{wrong}");
        }
    }

    #[test]
    fn settings_are_read() {
        let read = ExpectedDates::check(json!({
            "late_penalty_per_day": 5, "late_penalty_max": null, "time_zone": "Europe/Moscow", "hide_locked_titles": true, "sequential": false,
        }));
        let expected = ExpectedDates {
            late_penalty_per_day: Change::Set(5),
            late_penalty_max: Change::Clear,
            time_zone: TimeZone::named("Europe/Moscow").map_or(Change::Keep, Change::Set),
            hide_locked_titles: Change::Set(true),
            sequential: Change::Set(false),
            ..ExpectedDates::default()
        };
        assert_eq!(read, Ok(expected));
    }

    #[test]
    fn every_name_is_a_field() {
        let names = ExpectedDates::DATES.into_iter().chain(ExpectedDates::PERCENTS);
        for name in names.chain(ExpectedDates::SWITCHES).chain(["time_zone"]) {
            let read = ExpectedDates::check(json!({ name: null })).unwrap();
            assert_ne!(read, ExpectedDates::default(), "{name}");
        }
    }

    #[test]
    fn a_date_that_was_not_read_may_have_changed() {
        let (one, other) = ("2026-09-01T10:00:00Z".parse().ok(), "2026-09-02T10:00:00Z".parse().ok());
        let read = one.map_or(Change::Keep, Change::Set);
        assert!(require_unchanged([(Change::Keep, other), (read, one), (Change::Clear, None)]).is_ok());
        for (read, stored) in [(read, other), (read, None), (Change::Clear, one)] {
            assert!(require_unchanged([(read, stored)]).is_err(), "{read:?} {stored:?}");
        }
    }
}
