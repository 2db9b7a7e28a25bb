//! The limits of an override that a client read before it changes them. Sent with the change, they let the server report a conflict when
//! two people change the same override.

use chrono::{DateTime, Utc};
use serde_json::Value;

use kurso_base::error::{Error, Result};
use kurso_base::messages::Message;
use kurso_base::values::{Change, Checked, Problem};

use super::StoredOverride;
use crate::schedule::overrides::Override;

/// An override as it was read: `Keep` was inherited, `Clear` was lifted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ExpectedOverride(pub Override);

impl ExpectedOverride {
    /// The names of its dates in REST.
    pub const DATES: [&'static str; 4] = ["available_from", "available_until", "due_at", "late_until"];
}

/// The outcome of a change of an override.
#[derive(Clone, Debug)]
pub enum Changed<T> {
    Done(T),
    /// Somebody else has changed the override since it was read: nothing was changed, and this is what is stored. None if there is no override
    /// any more, or not yet.
    Stale(Option<Box<StoredOverride>>),
    /// The client interpreted local times in another time zone than that of the course: nothing was changed. Contains what is stored.
    OtherZone(Option<Box<StoredOverride>>),
}

impl<T> Changed<T> {
    /// Returns the result of a change without `expected`; a conflict is an error.
    pub fn done(self) -> Result<T> {
        match self {
            Changed::Done(changed) => Ok(changed),
            Changed::Stale(_) => Err(Error::Conflict(Message::OverrideChanged)),
            Changed::OtherZone(_) => Err(Error::Conflict(Message::CourseZoneChanged)),
        }
    }
}

/// Whether these limits are stored. `Keep` admits any, `Clear` only that there is no override.
pub(super) fn is_expected(expected: Change<ExpectedOverride>, stored: Option<Override>) -> bool {
    match expected {
        Change::Keep => true,
        Change::Clear => stored.is_none(),
        Change::Set(ExpectedOverride(read)) => stored == Some(read),
    }
}

/// An object of limits: what is left out was inherited, null was lifted.
impl Checked for ExpectedOverride {
    type Plain = Value;

    fn check(plain: Value) -> Result<Self, Problem> {
        let Value::Object(fields) = plain else {
            return Err(Self::wrong_type());
        };
        let mut read = Override::default();
        for (name, value) in fields {
            match name.as_str() {
                "available_from" => read.available_from = date(&value)?,
                "available_until" => read.available_until = date(&value)?,
                "due_at" => read.due_at = date(&value)?,
                "late_until" => read.late_until = date(&value)?,
                "extra_attempts" => read.extra_attempts = number(&value, Value::as_i64)?,
                "time_factor" => read.time_factor = number(&value, Value::as_f64)?,
                _ => return Err(Problem::new("value_error", Message::OverrideNotHere)),
            }
        }
        Ok(ExpectedOverride(read))
    }

    fn wrong_type() -> Problem {
        Problem::new("model_attributes_type", Message::NotAnObject)
    }
}

fn date(value: &Value) -> Result<Change<DateTime<Utc>>, Problem> {
    let read = Change::of_json(value, |value| value.as_str()?.parse().ok());
    read.ok_or_else(|| Problem::new("value_error", Message::BadDate))
}

fn number<T>(value: &Value, read: impl FnOnce(&Value) -> Option<T>) -> Result<Change<T>, Problem> {
    Change::of_json(value, read).ok_or_else(|| Problem::new("value_error", Message::NotANumber))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_object_of_limits_is_read() {
        let read = ExpectedOverride::check(json!({
            "due_at": "2026-09-01T13:00:00.000001+03:00", "late_until": null, "extra_attempts": 2, "time_factor": 1.5,
        }));
        let expected = Override {
            due_at: Change::Set("2026-09-01T10:00:00.000001Z".parse().unwrap()),
            late_until: Change::Clear,
            extra_attempts: Change::Set(2),
            time_factor: Change::Set(1.5),
            ..Override::default()
        };
        assert_eq!(read, Ok(ExpectedOverride(expected)));
        assert_eq!(ExpectedOverride::check(json!({})), Ok(ExpectedOverride::default()));
        for wrong in [
            json!([]),
            json!({"due": null}),
            json!({"due_at": 5}),
            json!({"due_at": "2026-09-01"}),
            json!({"extra_attempts": 1.5}),
            json!({"time_factor": "2"}),
        ] {
            assert!(ExpectedOverride::check(wrong.clone()).is_err(), "{wrong}");
        }
    }

    #[test]
    fn an_override_is_expected_if_all_its_limits_were_read() {
        let one = Override {
            due_at: Change::Clear,
            ..Override::default()
        };
        let other = Override {
            extra_attempts: Change::Set(1),
            ..one
        };
        for stored in [None, Some(one), Some(other)] {
            assert!(is_expected(Change::Keep, stored));
            assert_eq!(is_expected(Change::Clear, stored), stored.is_none());
            assert_eq!(
                is_expected(Change::Set(ExpectedOverride(one)), stored),
                stored == Some(one)
            );
        }
    }
}
