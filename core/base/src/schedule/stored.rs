//! The dates of a course, of its parts and of late attempts, as they are stored.

use chrono::{DateTime, Utc};

use super::TimeZone;

/// The dates of a course, and what learners see before they come. In the database each is a column of this name.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "sqlx", derive(sqlx::FromRow))]
pub struct CourseDates {
    pub starts_at: Option<DateTime<Utc>>,
    pub ends_at: Option<DateTime<Utc>>,
    /// The end of enrollment by share code.
    pub enroll_until: Option<DateTime<Utc>>,
    /// The name of the zone of local times; None means UTC.
    pub time_zone: Option<String>,
    /// Whether learners see no titles of what is locked for them.
    pub hide_locked_titles: bool,
    /// Whether each lesson opens only after the previous one is complete.
    pub sequential: bool,
}

impl CourseDates {
    /// UTC for a course without a zone, and for one whose zone this release does not know.
    pub fn zone(&self) -> TimeZone {
        self.time_zone
            .as_deref()
            .and_then(TimeZone::named)
            .unwrap_or(TimeZone::UTC)
    }

    /// Whether nothing opens or closes.
    pub fn is_open_ended(&self) -> bool {
        self.starts_at.is_none() && self.ends_at.is_none()
    }

    /// The fields that should not be before another one, but are.
    pub fn misplaced(&self) -> Vec<&'static str> {
        out_of_order(&[
            ("ends_at", self.starts_at, self.ends_at),
            ("ends_at", self.enroll_until, self.ends_at),
        ])
    }
}

/// The own dates of a module, lesson or page. In the database each is a column of this name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "sqlx", derive(sqlx::FromRow))]
pub struct Dates {
    pub available_from: Option<DateTime<Utc>>,
    pub available_until: Option<DateTime<Utc>>,
    pub due_at: Option<DateTime<Utc>>,
}

impl Dates {
    /// The fields that should not be before another one, but are.
    pub fn misplaced(&self) -> Vec<&'static str> {
        out_of_order(&[
            ("available_until", self.available_from, self.available_until),
            ("due_at", self.available_from, self.due_at),
            ("available_until", self.due_at, self.available_until),
        ])
    }
}

/// The name of a field, the date that it should not precede, and its own date.
type Ordered = (&'static str, Option<DateTime<Utc>>, Option<DateTime<Utc>>);

fn out_of_order(fields: &[Ordered]) -> Vec<&'static str> {
    let mut wrong = Vec::new();
    for (field, first, own) in fields {
        if first.zip(*own).is_some_and(|(first, own)| first > own) && !wrong.contains(field) {
            wrong.push(*field);
        }
    }
    wrong
}

/// What happens to attempts at a quiz after its due date. In the database each is a column of this name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "sqlx", derive(sqlx::FromRow))]
pub struct Late {
    /// The end of late attempts.
    pub late_until: Option<DateTime<Utc>>,
    /// Percent of the score that an attempt loses for each begun day.
    pub late_penalty_per_day: Option<i64>,
    /// The most percent that an attempt loses.
    pub late_penalty_max: Option<i64>,
}

impl Late {
    /// The fields of the policy of a page with these dates that should not be before another date, but are.
    pub fn misplaced(&self, dates: &Dates) -> Vec<&'static str> {
        out_of_order(&[("late_until", dates.due_at, self.late_until)])
    }

    /// Whether attempts are accepted after the due date.
    pub fn is_allowed(&self) -> bool {
        self.late_until.is_some() || self.late_penalty_per_day.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::ScheduleTime;

    #[test]
    fn a_field_that_is_out_of_order_is_named_once() {
        let at = |day: &str| Some(ScheduleTime::parse(day).unwrap().opening(TimeZone::UTC));
        let dates = Dates {
            available_from: at("2026-09-03"),
            available_until: at("2026-09-01"),
            due_at: at("2026-09-02"),
        };
        assert_eq!(dates.misplaced(), ["available_until", "due_at"]);
    }
}
