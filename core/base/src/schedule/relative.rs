//! Dates that are counted from the day on which a course starts.

use std::fmt::{self, Display, Formatter};

use chrono::{DateTime, Duration, NaiveDate, NaiveTime, Timelike as _, Utc};

use super::{ScheduleTime, TimeZone};

/// So many days after the local day of the start, at a local time or as a whole day: `+7d 23:59`, `-3d`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Relative {
    days: i64,
    time: Option<NaiveTime>,
}

impl Relative {
    /// Whether the text is meant as one, right or wrong.
    pub fn is_meant(text: &str) -> bool {
        text.starts_with(['+', '-'])
    }

    /// None for another form.
    pub fn parse(text: &str) -> Option<Self> {
        let (sign, rest) = match text.strip_prefix('+') {
            Some(rest) => (1, rest),
            None => (-1, text.strip_prefix('-')?),
        };
        let (digits, rest) = rest.split_once('d')?;
        if digits.is_empty() || digits.len() > 5 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let time = match rest {
            "" => None,
            rest => Some(read_time(rest.strip_prefix(' ')?)?),
        };
        Some(Relative {
            days: sign * digits.parse::<i64>().ok()?,
            time,
        })
    }

    /// The moment as it is written for a course that starts on this day.
    pub fn of(at: DateTime<Utc>, start: NaiveDate, zone: TimeZone) -> Self {
        let local = zone.local(at);
        Relative {
            days: local.date().signed_duration_since(start).num_days(),
            time: Some(local.time()),
        }
    }

    /// The date for a course that starts on this day; None if the calendar has no such day.
    pub fn on(self, start: NaiveDate) -> Option<ScheduleTime> {
        let day = start.checked_add_signed(Duration::try_days(self.days)?)?;
        Some(match self.time {
            None => ScheduleTime::Day(day),
            Some(time) => ScheduleTime::Local(day.and_time(time)),
        })
    }
}

fn read_time(text: &str) -> Option<NaiveTime> {
    let forms = ["%H:%M", "%H:%M:%S%.f"];
    let time = forms
        .iter()
        .find_map(|form| NaiveTime::parse_from_str(text, form).ok())?;
    // A leap second has more than a thousand milliseconds.
    (time.nanosecond() < 1_000_000_000).then_some(time)
}

impl Display for Relative {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{:+}d", self.days)?;
        match self.time {
            None => Ok(()),
            Some(time) if time.second() == 0 && time.nanosecond() == 0 => write!(f, " {}", time.format("%H:%M")),
            Some(time) => write!(f, " {}", time.format("%H:%M:%S%.f")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_times_are_read_and_written() {
        for text in ["+7d 23:59", "-3d", "+0d", "+0d 00:00", "-120d 09:30:15.000250"] {
            assert_eq!(Relative::parse(text).unwrap().to_string(), text);
        }
        for text in [
            "7d",
            "+d",
            "+7",
            "+7d23:59",
            "+7d 24:00",
            "+7d 23:59:60",
            "+7d ",
            "+123456d",
            "+-7d",
            "+7w",
            "+７d",
        ] {
            assert_eq!(Relative::parse(text), None, "{text}");
        }
    }

    #[test]
    fn a_moment_is_counted_from_the_local_day_of_the_start() {
        let zone = TimeZone::named("Europe/Moscow").unwrap();
        let start = NaiveDate::from_ymd_opt(2026, 9, 1).unwrap();
        let at = "2026-09-08T20:59:00Z".parse().unwrap();
        let relative = Relative::of(at, start, zone);
        assert_eq!(relative.to_string(), "+7d 23:59");
        assert_eq!(relative.on(start).unwrap().closing(zone), at);
        let other = NaiveDate::from_ymd_opt(2027, 2, 1).unwrap();
        assert_eq!(
            relative.on(other).unwrap().closing(zone).to_rfc3339(),
            "2027-02-08T20:59:00+00:00"
        );
    }
}
