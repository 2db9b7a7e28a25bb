//! Times of day on a local clock, to the minute.

use chrono::NaiveTime;
use serde_json::Value;

use crate::messages::Message;
use crate::values::{Checked, Problem};

/// Minutes of a day.
const DAY: i32 = 24 * 60;

/// A time of day such as `22:00`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct DayTime(i32);

impl DayTime {
    /// The number of characters in a time of day.
    pub const LENGTH: usize = 5;

    /// Returns the time this many minutes after midnight; None from 24:00 on.
    pub fn of_minutes(minutes: i32) -> Option<Self> {
        (0..DAY).contains(&minutes).then_some(DayTime(minutes))
    }

    /// Minutes after midnight.
    pub fn minutes(self) -> i32 {
        self.0
    }

    pub fn time(self) -> NaiveTime {
        let seconds = u32::try_from(self.0 * 60).unwrap_or_default();
        NaiveTime::from_num_seconds_from_midnight_opt(seconds, 0).unwrap_or(NaiveTime::MIN)
    }
}

/// `HH:MM`.
impl std::fmt::Display for DayTime {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:02}:{:02}", self.0 / 60, self.0 % 60)
    }
}

impl Checked for DayTime {
    type Plain = String;

    fn check(plain: String) -> Result<Self, Problem> {
        let read = || {
            let (hours, minutes) = plain.split_once(':')?;
            let number = |text: &str, below: i32| {
                let is_pair = text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit());
                let number: i32 = text.parse().ok().filter(|_| is_pair)?;
                (number < below).then_some(number)
            };
            DayTime::of_minutes(number(hours, 24)? * 60 + number(minutes, 60)?)
        };
        read().ok_or_else(|| Problem::new("value_error", Message::BadDayTime))
    }

    fn wrong_type() -> Problem {
        String::wrong_type()
    }
}

/// Quiet hours of each local day. If the end is earlier than the start, they span midnight.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct QuietHours {
    from: DayTime,
    until: DayTime,
}

impl QuietHours {
    /// Returns None if both times are equal: that could mean a whole day or no time at all.
    pub fn new(from: DayTime, until: DayTime) -> Option<Self> {
        (from != until).then_some(QuietHours { from, until })
    }

    pub fn from(self) -> DayTime {
        self.from
    }

    pub fn until(self) -> DayTime {
        self.until
    }
}

/// An object with two times: `{"from": "22:00", "until": "07:00"}`.
impl Checked for QuietHours {
    type Plain = Value;

    fn check(plain: Value) -> Result<Self, Problem> {
        let fields = plain.as_object().ok_or_else(Self::wrong_type)?;
        let read = |name: &str| {
            let time = match fields.get(name) {
                None => Err(Problem::missing()),
                Some(Value::String(text)) => DayTime::check(text.clone()),
                Some(_) => Err(DayTime::wrong_type()),
            };
            time.map_err(|problem| Problem {
                inside: vec![name.into()],
                shown: Some(fields.get(name).cloned().unwrap_or(Value::Null)),
                ..problem
            })
        };
        match (read("from"), read("until")) {
            (Ok(from), Ok(until)) => {
                Self::new(from, until).ok_or_else(|| Problem::new("value_error", Message::NoQuietHours))
            }
            (Err(first), Err(second)) => Err(Problem {
                others: vec![second],
                ..first
            }),
            (Err(problem), _) | (_, Err(problem)) => Err(problem),
        }
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
    fn every_minute_round_trips() {
        for minutes in 0..DAY {
            let time = DayTime::of_minutes(minutes).unwrap();
            assert_eq!(DayTime::check(time.to_string()).unwrap(), time);
            assert_eq!(time.to_string().len(), DayTime::LENGTH);
            assert_eq!(time.time().format("%H:%M").to_string(), time.to_string());
        }
        assert_eq!((DayTime::of_minutes(-1), DayTime::of_minutes(DAY)), (None, None));
    }

    #[test]
    fn quiet_hours_have_two_different_times() {
        let read = QuietHours::check(json!({"from": "22:00", "until": "07:30"})).unwrap();
        assert_eq!((read.from().minutes(), read.until().minutes()), (1320, 450));
        let problem = |value: Value| QuietHours::check(value).unwrap_err();
        assert_eq!(
            problem(json!({"from": "07:00", "until": "07:00"})).message,
            Message::NoQuietHours
        );
        assert_eq!(problem(json!("22:00")).kind, "model_attributes_type");
        let both = problem(json!({"from": 22}));
        assert_eq!((both.kind, both.others[0].kind), ("string_type", "missing"));
        assert_eq!(both.others[0].inside, ["until".into()]);
    }

    #[test]
    fn invalid_times_of_day_are_refused() {
        for text in [
            "",
            "22",
            "24:00",
            "12:60",
            "7:00",
            "07:0",
            "+7:00",
            "07:-1",
            "07:00:00",
            "٠٧:٠٠",
        ] {
            assert_eq!(
                DayTime::check(text.to_owned()).unwrap_err().message,
                Message::BadDayTime,
                "{text}"
            );
        }
    }
}
