//! Changes of dates: local times become instants in the time zone of the course, and the order of dates is checked.

use chrono::{DateTime, Utc};
use serde_json::Value;

use kurso_base::error::{Error, FieldError, Result, require_no_errors};
use kurso_base::expected_dates::{ExpectedDates, require_unchanged, require_unchanged_settings};
use kurso_base::messages::Message;
use kurso_base::schedule::{CourseDates, Dates, Late, ScheduleTime, TimeZone};
use kurso_base::values::{Change, Percentage};

/// The columns of [`Dates`], optionally with the alias of their table.
macro_rules! dates_columns {
    () => {
        "available_from, available_until, due_at"
    };
    ($table:literal) => {
        concat!(
            $table,
            ".available_from, ",
            $table,
            ".available_until, ",
            $table,
            ".due_at"
        )
    };
}

/// The columns of [`Late`], optionally with the alias of their table.
macro_rules! late_columns {
    () => {
        "late_until, late_penalty_per_day, late_penalty_max"
    };
    ($table:literal) => {
        concat!(
            $table,
            ".late_until, ",
            $table,
            ".late_penalty_per_day, ",
            $table,
            ".late_penalty_max"
        )
    };
}

/// The columns of [`CourseDates`].
macro_rules! course_dates_columns {
    () => {
        "starts_at, ends_at, enroll_until, time_zone, hide_locked_titles, sequential"
    };
    ($table:literal) => {
        concat!(
            $table,
            ".starts_at, ",
            $table,
            ".ends_at, ",
            $table,
            ".enroll_until, ",
            $table,
            ".time_zone, ",
            $table,
            ".hide_locked_titles, ",
            $table,
            ".sequential"
        )
    };
}
pub(crate) use {course_dates_columns, dates_columns, late_columns};

type At = Option<DateTime<Utc>>;

/// The value for a new row: a field that is left out is empty.
pub(super) fn given<T>(value: Option<T>) -> Change<T> {
    value.map_or(Change::Clear, Change::Set)
}

/// Fails with 409 if the editor has typed local times in another zone than that of the course. A course without a zone has UTC.
pub(super) fn require_zone(expected: &ExpectedDates, zone: TimeZone) -> Result<()> {
    if is_zone(expected.time_zone, zone) {
        Ok(())
    } else {
        Err(Error::Conflict(Message::SettingChanged))
    }
}

/// Whether the client expects this zone: `Keep` accepts any zone, `Clear` is UTC.
pub(super) fn is_zone(read: Change<TimeZone>, zone: TimeZone) -> bool {
    match read {
        Change::Keep => true,
        Change::Clear => zone == TimeZone::UTC,
        Change::Set(read) => zone == read,
    }
}

/// A change of the dates of a module, lesson or page.
pub(super) struct DatesChange {
    pub expected: ExpectedDates,
    pub available_from: Change<ScheduleTime>,
    pub available_until: Change<ScheduleTime>,
    pub due_at: Change<ScheduleTime>,
}

impl DatesChange {
    pub fn is_keep(&self) -> bool {
        self.available_from.is_keep() && self.available_until.is_keep() && self.due_at.is_keep()
    }

    /// The new dates. Fails with 409 if others than the expected ones or another zone are stored, and with 422 if they are out of order.
    pub fn apply(&self, stored: Dates, zone: TimeZone) -> Result<Dates> {
        require_zone(&self.expected, zone)?;
        require_unchanged([
            (self.expected.available_from, stored.available_from),
            (self.expected.available_until, stored.available_until),
            (self.expected.due_at, stored.due_at),
        ])?;
        let dates = Dates {
            available_from: opening(self.available_from, stored.available_from, zone),
            available_until: closing(self.available_until, stored.available_until, zone),
            due_at: closing(self.due_at, stored.due_at, zone),
        };
        require_none(dates.misplaced())?;
        Ok(dates)
    }
}

/// A change of the late policy of a quiz page.
pub(super) struct LateChange {
    pub expected: ExpectedDates,
    pub late_until: Change<ScheduleTime>,
    pub late_penalty_per_day: Change<Percentage>,
    pub late_penalty_max: Change<Percentage>,
}

impl LateChange {
    pub fn is_keep(&self) -> bool {
        self.late_until.is_keep() && self.late_penalty_per_day.is_keep() && self.late_penalty_max.is_keep()
    }

    /// The new policy of a page with these dates. Fails with 409 if another policy than the expected one is stored, and with 422 if late attempts
    /// end before the due date.
    pub fn apply(&self, stored: Late, dates: &Dates, zone: TimeZone) -> Result<Late> {
        require_zone(&self.expected, zone)?;
        require_unchanged([(self.expected.late_until, stored.late_until)])?;
        require_unchanged_settings([
            (self.expected.late_penalty_per_day, stored.late_penalty_per_day),
            (self.expected.late_penalty_max, stored.late_penalty_max),
        ])?;
        let percent = |change: Change<Percentage>, stored| match change {
            Change::Keep => stored,
            change => change.value().map(Percentage::get),
        };
        let late = Late {
            late_until: closing(self.late_until, stored.late_until, zone),
            late_penalty_per_day: percent(self.late_penalty_per_day, stored.late_penalty_per_day),
            late_penalty_max: percent(self.late_penalty_max, stored.late_penalty_max),
        };
        require_none(late.misplaced(dates))?;
        Ok(late)
    }

    /// The 422 for a policy of a page without a quiz; None if the change sets nothing.
    pub fn misplaced(&self) -> Option<Error> {
        let fields = [
            ("late_until", matches!(self.late_until, Change::Set(_))),
            (
                "late_penalty_per_day",
                matches!(self.late_penalty_per_day, Change::Set(_)),
            ),
            ("late_penalty_max", matches!(self.late_penalty_max, Change::Set(_))),
        ];
        let (field, _) = fields.into_iter().find(|(_, set)| *set)?;
        Some(Error::invalid(wrong(field, Message::LateOnContentPage)))
    }
}

/// A change of the dates of a course.
pub(super) struct CourseDatesChange {
    pub expected: ExpectedDates,
    pub starts_at: Change<ScheduleTime>,
    pub ends_at: Change<ScheduleTime>,
    pub enroll_until: Change<ScheduleTime>,
    pub time_zone: Change<TimeZone>,
    pub hide_locked_titles: Option<bool>,
    pub sequential: Option<bool>,
}

impl CourseDatesChange {
    pub fn is_keep(&self) -> bool {
        self.starts_at.is_keep()
            && self.ends_at.is_keep()
            && self.enroll_until.is_keep()
            && self.time_zone.is_keep()
            && self.hide_locked_titles.is_none()
            && self.sequential.is_none()
    }

    /// The new dates; local times are in the new time zone. Fails with 409 if others than the expected ones are stored, and with 422 if they
    /// are out of order.
    pub fn apply(&self, stored: &CourseDates) -> Result<CourseDates> {
        require_unchanged([
            (self.expected.starts_at, stored.starts_at),
            (self.expected.ends_at, stored.ends_at),
            (self.expected.enroll_until, stored.enroll_until),
        ])?;
        let zone = stored.time_zone.as_deref().and_then(TimeZone::named);
        require_unchanged_settings([(self.expected.time_zone, zone)])?;
        require_unchanged_settings([
            (self.expected.hide_locked_titles, Some(stored.hide_locked_titles)),
            (self.expected.sequential, Some(stored.sequential)),
        ])?;
        let time_zone = match self.time_zone {
            Change::Keep => stored.time_zone.clone(),
            change => change.value().map(|zone| zone.name().to_owned()),
        };
        let mut dates = CourseDates {
            time_zone,
            hide_locked_titles: self.hide_locked_titles.unwrap_or(stored.hide_locked_titles),
            sequential: self.sequential.unwrap_or(stored.sequential),
            ..CourseDates::default()
        };
        let zone = dates.zone();
        dates.starts_at = opening(self.starts_at, stored.starts_at, zone);
        dates.ends_at = closing(self.ends_at, stored.ends_at, zone);
        dates.enroll_until = closing(self.enroll_until, stored.enroll_until, zone);
        require_none(dates.misplaced())?;
        Ok(dates)
    }
}

fn opening(change: Change<ScheduleTime>, stored: At, zone: TimeZone) -> At {
    match change {
        Change::Keep => stored,
        change => change.value().map(|time| time.opening(zone)),
    }
}

fn closing(change: Change<ScheduleTime>, stored: At, zone: TimeZone) -> At {
    match change {
        Change::Keep => stored,
        change => change.value().map(|time| time.closing(zone)),
    }
}

/// Fails with 422 at each of the fields, whose dates are out of order.
pub(super) fn require_none(misplaced: Vec<&'static str>) -> Result<()> {
    let fields = misplaced.into_iter();
    require_no_errors(fields.map(|field| wrong(field, Message::DatesOutOfOrder)).collect())
}

/// The 422 for a part or an override with a date outside of the allowed years.
pub(super) fn out_of_range() -> Error {
    let mut error = wrong("", Message::FarDate);
    error.loc.truncate(1);
    Error::invalid(error)
}

pub(super) fn wrong(field: &str, message: Message) -> FieldError {
    FieldError::body("value_error", field, message, Value::Null)
}
