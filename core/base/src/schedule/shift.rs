//! Moves dates by days of a time zone: the time of day stays, whatever the clocks do between.

use chrono::{DateTime, Duration, Utc};

use super::{CourseDates, Dates, Late, TimeZone, is_near};

/// Moves dates by the same number of days.
#[derive(Clone, Copy, Debug)]
pub struct Shift {
    pub days: i64,
    pub zone: TimeZone,
}

type Time = Option<DateTime<Utc>>;

impl Shift {
    /// The moved date; None outside of the years of dates. `opens` decides as for a typed time that comes twice.
    fn at(self, at: DateTime<Utc>, opens: bool) -> Option<DateTime<Utc>> {
        if self.days == 0 {
            return Some(at);
        }
        let local = self.zone.local(at);
        let moved = local.checked_add_signed(Duration::try_days(self.days)?)?;
        Some(self.zone.instant(moved, opens)).filter(|at| is_near(*at))
    }

    /// A moved date that may be absent; None if it is out of range.
    fn time(self, at: Time, opens: bool) -> Option<Time> {
        match at {
            None => Some(None),
            Some(at) => self.at(at, opens).map(Some),
        }
    }

    /// The dates of a course; None if one would be outside of the years of dates.
    pub fn course(self, dates: &CourseDates) -> Option<CourseDates> {
        let mut moved = CourseDates {
            starts_at: self.time(dates.starts_at, true)?,
            ends_at: self.time(dates.ends_at, false)?,
            enroll_until: self.time(dates.enroll_until, false)?,
            ..dates.clone()
        };
        moved.ends_at = not_before(moved.ends_at, moved.starts_at.max(moved.enroll_until));
        Some(moved)
    }

    /// The dates of a module, lesson or page; None if one would be outside of the years of dates.
    pub fn part(self, dates: &Dates) -> Option<Dates> {
        let mut moved = Dates {
            available_from: self.time(dates.available_from, true)?,
            available_until: self.time(dates.available_until, false)?,
            due_at: self.time(dates.due_at, false)?,
        };
        moved.due_at = not_before(moved.due_at, moved.available_from);
        moved.available_until = not_before(moved.available_until, moved.available_from.max(moved.due_at));
        Some(moved)
    }

    /// The late policy of a page whose moved dates are these.
    pub fn late(self, late: &Late, moved: &Dates) -> Option<Late> {
        let late_until = self.time(late.late_until, false)?;
        Some(Late {
            late_until: not_before(late_until, moved.due_at),
            ..*late
        })
    }
}

/// The order of two moments in the hour that comes twice may not be that of their local times.
fn not_before(at: Time, other: Time) -> Time {
    at.map(|at| other.map_or(at, |other| at.max(other)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shift(days: i64, zone: &str) -> Shift {
        Shift {
            days,
            zone: TimeZone::named(zone).unwrap(),
        }
    }

    fn due(days: i64, zone: &str, at: &str) -> Option<String> {
        let dates = Dates {
            due_at: Some(at.parse().unwrap()),
            ..Dates::default()
        };
        let moved = shift(days, zone).part(&dates)?;
        moved.due_at.map(|at| crate::wire::time_text(&at))
    }

    #[test]
    fn the_time_of_day_stays_when_the_clocks_change() {
        // 23:59 in Berlin before and after the end of summer time.
        let moved = due(28, "Europe/Berlin", "2026-10-01T21:59:00Z");
        assert_eq!(moved.as_deref(), Some("2026-10-29T22:59:00Z"));
        let back = due(-28, "Europe/Berlin", "2026-10-29T22:59:00Z");
        assert_eq!(back.as_deref(), Some("2026-10-01T21:59:00Z"));
        // 02:30 does not come on 29 March.
        let gap = due(7, "Europe/Berlin", "2026-03-22T01:30:00Z");
        assert_eq!(gap.as_deref(), Some("2026-03-29T01:30:00Z"));
        assert_eq!(
            due(365, "UTC", "2026-10-01T21:59:00.000001Z").as_deref(),
            Some("2027-10-01T21:59:00.000001Z")
        );
    }

    #[test]
    fn what_opens_is_the_first_and_what_ends_the_second_of_two_equal_times() {
        let at = Some("2026-10-18T00:30:00Z".parse().unwrap());
        let dates = Dates {
            available_from: at,
            due_at: at,
            available_until: None,
        };
        let moved = shift(7, "Europe/Berlin").part(&dates).unwrap();
        let text = [moved.available_from, moved.due_at].map(|at| crate::wire::time_text(&at.unwrap()));
        assert_eq!(text, ["2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z"]);
    }

    #[test]
    fn dates_outside_of_their_years_are_none() {
        assert_eq!(due(3660, "UTC", "2095-01-01T00:00:00Z"), None);
        assert_eq!(due(-3660, "UTC", "2005-01-01T00:00:00Z"), None);
        assert_eq!(due(i64::MAX, "UTC", "2026-01-01T00:00:00Z"), None);
    }

    /// Each part of an hour that the clocks skip or repeat is met: the moments are 2,999 seconds apart over two years.
    #[test]
    fn a_shift_keeps_order_and_local_times() {
        let at = |seconds: i64| DateTime::from_timestamp(1_780_000_000 + seconds, 0);
        for zone in [
            "UTC",
            "Europe/Moscow",
            "Australia/Lord_Howe",
            "Africa/Casablanca",
            "America/New_York",
        ] {
            for (step, days) in (0..21_000).zip([1, 7, -30, 28, 365, -181, 90].into_iter().cycle()) {
                let first = step * 2_999;
                let dates = Dates {
                    available_from: at(first),
                    due_at: at(first + 1_700),
                    available_until: at(first + 3_500),
                };
                let late = Late {
                    late_until: at(first + 1_800),
                    ..Late::default()
                };
                let shift = shift(days, zone);
                let moved = shift.part(&dates).unwrap();
                assert_eq!(moved.misplaced(), Vec::<&str>::new(), "{dates:?} {zone} {days}");
                let late = shift.late(&late, &moved).unwrap();
                assert_eq!(late.misplaced(&moved), Vec::<&str>::new(), "{dates:?} {zone} {days}");
                let local = |at: Time| shift.zone.local(at.unwrap());
                let wanted = local(dates.available_from) + Duration::days(days);
                // Only a time that the clocks skip moves, by less than the gap.
                let off = (local(moved.available_from) - wanted).num_minutes();
                assert!((0..=60).contains(&off), "{dates:?} {zone} {days}: {off}");
            }
        }
    }
}
