//! The dates of a course and its parts: as an author types them, and as they are stored.
//!
//! Stored dates are instants. Local times are converted once, when they are written, in the time zone that the course has then.

mod day_time;
pub mod relative;
pub mod shift;
mod stored;
mod time_zone;

use chrono::{DateTime, Datelike as _, Duration, NaiveDate, NaiveDateTime, NaiveTime, Timelike as _, Utc};

use crate::messages::Message;
use crate::values::{Checked, Problem};
pub use day_time::{DayTime, QuietHours};
pub use stored::{CourseDates, Dates, Late};
pub use time_zone::TimeZone;

/// The years in which dates of a course may lie, as people write them.
const YEARS: std::ops::RangeInclusive<i32> = 2000..=2099;

/// Whether a stored instant lies in these years somewhere on Earth: the first moments of 2000 in Moscow are in 1999 in UTC, where
/// they are read again.
pub fn is_near(at: DateTime<Utc>) -> bool {
    let day = Duration::days(1);
    [at - day, at + day].iter().any(|at| YEARS.contains(&at.year()))
}

/// A date as an author types it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScheduleTime {
    /// With an offset: `2026-09-01T10:00:00+03:00`.
    Instant(DateTime<Utc>),
    /// In the time zone of the course: `2026-09-01T10:00`.
    Local(NaiveDateTime),
    /// A day in the time zone of the course: `2026-09-01`.
    Day(NaiveDate),
}

/// How a date becomes a moment: one that opens something, or one that ends it.
pub type Reading = fn(ScheduleTime, TimeZone) -> DateTime<Utc>;

impl ScheduleTime {
    /// The most characters.
    pub const MAX: usize = 40;

    /// Fails for another form, for a leap second, which databases do not keep, and for a year that is not between 2000 and 2099.
    pub fn parse(text: &str) -> Result<Self, Problem> {
        let read = || {
            if text.len() > Self::MAX {
                return None;
            }
            if let Ok(at) = DateTime::parse_from_rfc3339(text) {
                let at = at.to_utc();
                return Some((ScheduleTime::Instant(micros(at)), is_near(at), at.nanosecond()));
            }
            for form in ["%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S"] {
                if let Ok(local) = NaiveDateTime::parse_from_str(text, form) {
                    return Some((
                        ScheduleTime::Local(local),
                        YEARS.contains(&local.year()),
                        local.nanosecond(),
                    ));
                }
            }
            let day = NaiveDate::parse_from_str(text, "%Y-%m-%d").ok()?;
            Some((ScheduleTime::Day(day), YEARS.contains(&day.year()), 0))
        };
        // A leap second has more than a thousand milliseconds.
        match read().filter(|(.., nanoseconds)| *nanoseconds < 1_000_000_000) {
            Some((time, true, _)) => Ok(time),
            Some(_) => Err(Problem::new("value_error", Message::FarDate)),
            None => Err(Problem::new("value_error", Message::BadDate)),
        }
    }

    /// The instant at which something opens: a day begins at 00:00.
    pub fn opening(self, zone: TimeZone) -> DateTime<Utc> {
        self.instant(zone, NaiveTime::MIN, true)
    }

    /// The instant at which something ends or is due: a day ends at 23:59.
    pub fn closing(self, zone: TimeZone) -> DateTime<Utc> {
        let end = NaiveTime::from_hms_opt(23, 59, 0).unwrap_or(NaiveTime::MIN);
        self.instant(zone, end, false)
    }

    fn instant(self, zone: TimeZone, of_day: NaiveTime, opens: bool) -> DateTime<Utc> {
        match self {
            ScheduleTime::Instant(at) => at,
            ScheduleTime::Local(local) => zone.instant(local, opens),
            ScheduleTime::Day(day) => zone.instant(day.and_time(of_day), opens),
        }
    }
}

/// As it can be parsed again.
impl std::fmt::Display for ScheduleTime {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ScheduleTime::Instant(at) => f.write_str(&crate::wire::time_text(at)),
            ScheduleTime::Local(local) => write!(f, "{}", local.format("%Y-%m-%dT%H:%M:%S")),
            ScheduleTime::Day(day) => write!(f, "{day}"),
        }
    }
}

/// Databases keep microseconds.
fn micros(at: DateTime<Utc>) -> DateTime<Utc> {
    DateTime::from_timestamp_micros(at.timestamp_micros()).unwrap_or(at)
}

impl Checked for ScheduleTime {
    type Plain = String;

    fn check(plain: String) -> Result<Self, Problem> {
        Self::parse(&plain)
    }

    fn wrong_type() -> Problem {
        String::wrong_type()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zone(name: &str) -> TimeZone {
        TimeZone::named(name).unwrap()
    }

    fn opening(zone_name: &str, text: &str) -> String {
        let at = ScheduleTime::parse(text).unwrap().opening(zone(zone_name));
        crate::wire::time_text(&at)
    }

    fn closing(zone_name: &str, text: &str) -> String {
        let at = ScheduleTime::parse(text).unwrap().closing(zone(zone_name));
        crate::wire::time_text(&at)
    }

    #[test]
    fn a_date_is_an_instant_a_local_time_or_a_day() {
        for (text, opens, closes) in [
            (
                "2026-09-01T10:00:00+05:00",
                "2026-09-01T05:00:00Z",
                "2026-09-01T05:00:00Z",
            ),
            (
                "2026-09-01T10:00:00.1234567Z",
                "2026-09-01T10:00:00.123456Z",
                "2026-09-01T10:00:00.123456Z",
            ),
            ("2026-09-01T10:00", "2026-09-01T07:00:00Z", "2026-09-01T07:00:00Z"),
            ("2026-09-01T10:00:30", "2026-09-01T07:00:30Z", "2026-09-01T07:00:30Z"),
            ("2026-09-01", "2026-08-31T21:00:00Z", "2026-09-01T20:59:00Z"),
        ] {
            assert_eq!(opening("Europe/Moscow", text), opens, "{text}");
            assert_eq!(closing("Europe/Moscow", text), closes, "{text}");
        }
    }

    #[test]
    fn other_forms_and_far_years_are_refused() {
        for text in [
            "",
            "tomorrow",
            "01.09.2026",
            "2026-13-01",
            "2026-02-30",
            "2026-09-01T25:00",
            "2026-09-01 10:00",
            "2026-09-01T10:00:60",
            "2026-06-30T23:59:60Z",
            "2026-07-01T02:59:60.5+03:00",
        ] {
            assert_eq!(
                ScheduleTime::parse(text).unwrap_err().message,
                Message::BadDate,
                "{text}"
            );
        }
        for text in [
            "1999-12-31",
            "2100-01-01",
            "0001-01-01T00:00",
            "9999-12-31T23:59:59Z",
            "1999-12-30T23:59:59Z",
            "2100-01-02T00:00:00Z",
        ] {
            assert_eq!(
                ScheduleTime::parse(text).unwrap_err().message,
                Message::FarDate,
                "{text}"
            );
        }
        for text in ["2000-01-01", "2099-12-31", "2099-12-31T23:59:59Z"] {
            assert!(ScheduleTime::parse(text).is_ok(), "{text}");
        }
    }

    #[test]
    fn the_first_and_the_last_moment_are_read_again_as_they_are_stored() {
        for zone in [
            "Pacific/Kiritimati",
            "Europe/Moscow",
            "UTC",
            "America/New_York",
            "Pacific/Pago_Pago",
        ] {
            for text in ["2000-01-01", "2000-01-01T00:00", "2099-12-31", "2099-12-31T23:59:59"] {
                for stored in [opening(zone, text), closing(zone, text)] {
                    assert_eq!(opening("UTC", &stored), stored, "{text} in {zone}");
                }
            }
        }
    }

    /// Lord Howe Island changes by half an hour: from 02:00 to 02:30 in October, from 02:00 to 01:30 in April.
    #[test]
    fn a_gap_and_a_fold_of_half_an_hour_are_read() {
        let zone = "Australia/Lord_Howe";
        assert_eq!(opening(zone, "2026-10-04T01:59"), "2026-10-03T15:29:00Z");
        assert_eq!(opening(zone, "2026-10-04T02:15"), "2026-10-03T15:45:00Z");
        assert_eq!(closing(zone, "2026-10-04T02:15"), "2026-10-03T15:45:00Z");
        assert_eq!(opening(zone, "2026-10-04T02:30"), "2026-10-03T15:30:00Z");
        assert_eq!(opening(zone, "2026-04-05T01:45"), "2026-04-04T14:45:00Z");
        assert_eq!(closing(zone, "2026-04-05T01:45"), "2026-04-04T15:15:00Z");
        assert_eq!(closing(zone, "2026-04-05T02:00"), "2026-04-04T15:30:00Z");
    }

    /// Morocco sets its clocks back by an hour for Ramadan, and forward again after it.
    #[test]
    fn the_clocks_of_ramadan_are_read() {
        let zone = "Africa/Casablanca";
        assert_eq!(opening(zone, "2025-02-23T02:30"), "2025-02-23T01:30:00Z");
        assert_eq!(closing(zone, "2025-02-23T02:30"), "2025-02-23T02:30:00Z");
        assert_eq!(closing(zone, "2025-03-15"), "2025-03-15T23:59:00Z");
        assert_eq!(opening(zone, "2025-04-06T02:30"), "2025-04-06T02:30:00Z");
        assert_eq!(closing(zone, "2025-04-07"), "2025-04-07T22:59:00Z");
    }

    /// Moscow had summer time until 2011, then UTC+4, and has UTC+3 since 26 October 2014.
    #[test]
    fn the_history_of_moscow_is_read() {
        let zone = "Europe/Moscow";
        assert_eq!(opening(zone, "2009-01-10T12:00"), "2009-01-10T09:00:00Z");
        assert_eq!(opening(zone, "2009-07-10T12:00"), "2009-07-10T08:00:00Z");
        assert_eq!(opening(zone, "2010-03-28T02:30"), "2010-03-27T23:30:00Z");
        assert_eq!(opening(zone, "2012-01-10T12:00"), "2012-01-10T08:00:00Z");
        assert_eq!(opening(zone, "2014-10-26T01:30"), "2014-10-25T21:30:00Z");
        assert_eq!(closing(zone, "2014-10-26T01:30"), "2014-10-25T22:30:00Z");
        assert_eq!(opening(zone, "2026-01-10T12:00"), "2026-01-10T09:00:00Z");
    }

    #[test]
    fn a_day_without_midnight_opens_at_its_first_moment() {
        assert_eq!(opening("America/Sao_Paulo", "2018-11-04"), "2018-11-04T03:00:00Z");
        assert_eq!(opening("Pacific/Apia", "2011-12-30"), "2011-12-30T10:00:00Z");
    }
}
