//! The time zones in which local times are read.

#[cfg(test)]
mod local_times;

use std::str::FromStr as _;

use chrono::{DateTime, Duration, MappedLocalTime, NaiveDate, NaiveDateTime, NaiveTime, TimeZone as _, Utc};
use chrono_tz::Tz;

use crate::messages::Message;
use crate::values::{Checked, Problem};

/// Longer than every gap in local time: Samoa once skipped a whole day.
const LONGEST_GAP: i64 = 48 * 60;

/// An IANA time zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeZone(Tz);

impl TimeZone {
    /// The most characters of a name.
    pub const MAX: usize = 64;

    /// UTC, the zone of a course without one.
    pub const UTC: TimeZone = TimeZone(Tz::UTC);

    /// The zone with this name, such as `Europe/Moscow`; None if there is none.
    pub fn named(name: &str) -> Option<Self> {
        Tz::from_str(name).ok().map(TimeZone)
    }

    pub fn name(self) -> &'static str {
        self.0.name()
    }

    /// The local date and time in this zone.
    pub fn local(self, at: DateTime<Utc>) -> NaiveDateTime {
        at.with_timezone(&self.0).naive_local()
    }

    /// The day in this zone.
    pub fn day_of(self, at: DateTime<Utc>) -> NaiveDate {
        self.local(at).date()
    }

    /// The instant at which a day begins in this zone.
    pub fn start_of(self, day: NaiveDate) -> DateTime<Utc> {
        self.instant(day.and_time(NaiveTime::MIN), true)
    }

    /// The instant of a local time. Where clocks are set back and the time comes twice, `opens` selects the earlier and
    /// otherwise the later, so that learners have the longer time. Where clocks are set forward and the time does not come, it
    /// is read with the offset before the gap.
    pub(super) fn instant(self, local: NaiveDateTime, opens: bool) -> DateTime<Utc> {
        match self.0.from_local_datetime(&local) {
            MappedLocalTime::Single(at) => at.to_utc(),
            MappedLocalTime::Ambiguous(earlier, later) => if opens { earlier } else { later }.to_utc(),
            MappedLocalTime::None => {
                let before = (1..=LONGEST_GAP)
                    .filter_map(|minutes| {
                        let back = Duration::minutes(minutes);
                        Some(self.0.from_local_datetime(&local.checked_sub_signed(back)?).latest()? + back)
                    })
                    .next();
                before.map_or(local.and_utc(), |at| at.to_utc())
            }
        }
    }
}

impl Checked for TimeZone {
    type Plain = String;

    fn check(plain: String) -> Result<Self, Problem> {
        Self::named(&plain).ok_or_else(|| Problem::new("value_error", Message::UnknownTimeZone))
    }

    fn wrong_type() -> Problem {
        String::wrong_type()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_zones_of_the_iana_database_are_known() {
        for name in [
            "Europe/Moscow",
            "Australia/Lord_Howe",
            "Africa/Casablanca",
            "UTC",
            "America/Argentina/ComodRivadavia",
        ] {
            assert_eq!(TimeZone::named(name).unwrap().name(), name);
            assert!(name.len() <= TimeZone::MAX);
        }
        for name in ["", "MSK", "europe/moscow", "+03:00", "Europe/Kitezh"] {
            assert_eq!(TimeZone::named(name), None, "{name}");
        }
    }
}
