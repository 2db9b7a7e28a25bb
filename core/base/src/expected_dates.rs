//! The dates that an editor has read, sent with a change of dates: two people who change the same date at once then get a conflict.

use chrono::{DateTime, Utc};
use serde_json::Value;

use crate::error::{Error, Result};
use crate::messages::Message;
use crate::values::{Change, Checked, Problem};

/// What an editor has read of the dates of one part of a course. A field that is `Keep` was not read and may have any value; `Clear`
/// means that there was no date.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExpectedDates {
    pub starts_at: Change<DateTime<Utc>>,
    pub ends_at: Change<DateTime<Utc>>,
    pub enroll_until: Change<DateTime<Utc>>,
    pub available_from: Change<DateTime<Utc>>,
    pub available_until: Change<DateTime<Utc>>,
    pub due_at: Change<DateTime<Utc>>,
    pub late_until: Change<DateTime<Utc>>,
}

impl ExpectedDates {
    /// The names of the fields in REST.
    pub const NAMES: [&'static str; 7] = [
        "starts_at",
        "ends_at",
        "enroll_until",
        "available_from",
        "available_until",
        "due_at",
        "late_until",
    ];

    fn field(&mut self, name: &str) -> Option<&mut Change<DateTime<Utc>>> {
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

/// A date as it was read, and as it is stored.
pub type ReadAndStored = (Change<DateTime<Utc>>, Option<DateTime<Utc>>);

/// Fails with [`Error::Conflict`] unless each stored date is the one that was read.
pub fn require_unchanged<const N: usize>(dates: [ReadAndStored; N]) -> Result<()> {
    let differs = |(read, stored): &ReadAndStored| match read {
        Change::Keep => false,
        read => read.value() != *stored,
    };
    if dates.iter().any(differs) {
        return Err(Error::Conflict(Message::DatesChanged));
    }
    Ok(())
}

/// An object of instants and nulls.
impl Checked for ExpectedDates {
    type Plain = Value;

    fn check(plain: Value) -> Result<Self, Problem> {
        let Value::Object(fields) = plain else {
            return Err(Self::wrong_type());
        };
        let mut expected = ExpectedDates::default();
        for (name, value) in fields {
            let bad = || Problem::new("value_error", Message::BadDate);
            let field = expected.field(&name).ok_or_else(bad)?;
            *field = match value {
                Value::Null => Change::Clear,
                Value::String(text) => Change::Set(text.parse().map_err(|_| bad())?),
                _ => return Err(bad()),
            };
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
        ] {
            assert!(ExpectedDates::check(wrong.clone()).is_err(), "{wrong}");
        }
    }

    #[test]
    fn every_name_is_a_field() {
        for name in ExpectedDates::NAMES {
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
