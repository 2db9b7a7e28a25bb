//! Computes when the mail and the push of a notice are due. Pure.

use chrono::{DateTime, Datelike as _, Days, Duration, NaiveDate, NaiveTime, Utc, Weekday};

use kurso_base::schedule::{QuietHours, ScheduleTime, TimeZone};

/// How long an immediate mail waits, so that an action that is undone causes no mail.
pub(crate) const PAUSE: Duration = Duration::minutes(2);

/// How long a push waits, so that an action that is undone at once causes none, and notices of one action share one.
pub(crate) const PUSH_PAUSE: Duration = Duration::seconds(10);

/// The local time at which daily and weekly mails are due.
const MORNING: NaiveTime = match NaiveTime::from_hms_opt(8, 0, 0) {
    Some(morning) => morning,
    None => NaiveTime::MIN,
};

/// How soon notices of a kind are mailed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum NoticeMail {
    /// Never.
    Off,
    /// After [`PAUSE`].
    Once,
    /// In the morning.
    Daily,
    /// On Monday morning.
    Weekly,
}

kurso_base::values::choices! {
    NoticeMail: "off" => NoticeMail::Off, "once" => NoticeMail::Once, "daily" => NoticeMail::Daily,
        "weekly" => NoticeMail::Weekly;
}

/// The clock of a person.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hours {
    pub zone: TimeZone,
    pub quiet: Option<QuietHours>,
}

impl Default for Hours {
    fn default() -> Self {
        Hours {
            zone: TimeZone::UTC,
            quiet: None,
        }
    }
}

/// Returns when the mail of a notice is due: at `now` or later, and never in quiet hours. None if it is not mailed.
pub(crate) fn mail_at(
    mail: NoticeMail,
    happened_at: DateTime<Utc>,
    now: DateTime<Utc>,
    hours: &Hours,
) -> Option<DateTime<Utc>> {
    let first = match mail {
        NoticeMail::Off => return None,
        NoticeMail::Once => now.max(happened_at.checked_add_signed(PAUSE).unwrap_or(happened_at)),
        NoticeMail::Daily => hours.morning(now.max(happened_at), |_| true),
        NoticeMail::Weekly => hours.morning(now.max(happened_at), |day| day.weekday() == Weekday::Mon),
    };
    Some(hours.after_quiet(first))
}

/// Returns when the push of a notice is due: at `now` or later, and never in quiet hours.
pub(crate) fn push_at(happened_at: DateTime<Utc>, now: DateTime<Utc>, hours: &Hours) -> DateTime<Utc> {
    let first = happened_at.checked_add_signed(PUSH_PAUSE).unwrap_or(happened_at);
    hours.after_quiet(now.max(first))
}

impl Hours {
    /// The first morning at `at` or later on a day that `is_meant` accepts.
    fn morning(&self, at: DateTime<Utc>, is_meant: impl Fn(NaiveDate) -> bool) -> DateTime<Utc> {
        let days = self.zone.day_of(at).iter_days().take(9).filter(|day| is_meant(*day));
        let mut mornings = days.map(|day| ScheduleTime::Local(day.and_time(MORNING)).opening(self.zone));
        mornings.find(|morning| *morning >= at).unwrap_or(at)
    }

    /// Returns the time itself, or the end of the quiet hours that contain it. Local times are resolved like the dates of courses (decision 82):
    /// if a local time occurs twice, quiet hours begin at the first and end at the second occurrence.
    pub(crate) fn after_quiet(&self, at: DateTime<Utc>) -> DateTime<Utc> {
        let Some(quiet) = self.quiet else { return at };
        // When clocks change, the next quiet hours may begin before the previous ones end.
        let ends = std::iter::successors(Some(at), |at| self.end_of_quiet(quiet, *at));
        ends.take(8).last().unwrap_or(at)
    }

    /// The end of the quiet hours that contain `at`.
    fn end_of_quiet(&self, quiet: QuietHours, at: DateTime<Utc>) -> Option<DateTime<Utc>> {
        let over_midnight = u64::from(quiet.until() <= quiet.from());
        let first = self.zone.day_of(at).checked_sub_days(Days::new(2))?;
        let nights = first.iter_days().take(4).filter_map(|day| {
            let last = day.checked_add_days(Days::new(over_midnight))?;
            let from = ScheduleTime::Local(day.and_time(quiet.from().time())).opening(self.zone);
            let until = ScheduleTime::Local(last.and_time(quiet.until().time())).closing(self.zone);
            (from <= at && at < until).then_some(until)
        });
        nights.max()
    }
}

#[cfg(test)]
mod tests {
    use chrono::{TimeZone as _, Timelike as _};
    use kurso_base::schedule::DayTime;
    use proptest::prelude::*;

    use super::*;

    const ZONES: [&str; 9] = [
        "UTC",
        "Europe/Moscow",
        "Europe/Berlin",
        "America/New_York",
        "Asia/Kathmandu",
        "Australia/Lord_Howe",
        "Pacific/Kiritimati",
        "Pacific/Pago_Pago",
        "America/Sao_Paulo",
    ];

    fn zone(name: &str) -> TimeZone {
        TimeZone::named(name).unwrap()
    }

    fn quiet(from: i32, until: i32) -> QuietHours {
        let time = |minutes| DayTime::of_minutes(minutes).unwrap();
        QuietHours::new(time(from), time(until)).unwrap()
    }

    fn hours() -> impl Strategy<Value = Hours> {
        let quiet_hours = (0..1440_i32, 1..1440_i32).prop_map(|(from, length)| quiet(from, (from + length) % 1440));
        (0..ZONES.len(), proptest::option::of(quiet_hours)).prop_map(|(index, quiet)| Hours {
            zone: zone(ZONES[index]),
            quiet,
        })
    }

    /// Seconds from 2010 to 2035, with all changes of the clocks between.
    fn moment() -> impl Strategy<Value = DateTime<Utc>> {
        (1_262_304_000..2_051_222_400_i64).prop_map(|seconds| Utc.timestamp_opt(seconds, 0).unwrap())
    }

    fn any_mail() -> impl Strategy<Value = NoticeMail> {
        prop_oneof![
            Just(NoticeMail::Once),
            Just(NoticeMail::Daily),
            Just(NoticeMail::Weekly)
        ]
    }

    /// Whether the clocks are changed within two days.
    fn clocks_change(zone: TimeZone, at: DateTime<Utc>) -> bool {
        let shift = |at: DateTime<Utc>| zone.local(at) - at.naive_utc();
        (-48..=48).any(|hour| shift(at + Duration::hours(hour)) != shift(at))
    }

    proptest! {
        #[test]
        fn a_mail_is_never_lost_early_or_overdue(
            mail in any_mail(), hours in hours(), happened_at in moment(), late in 0..2_000_000_i64
        ) {
            let now = happened_at + Duration::seconds(late);
            let due = mail_at(mail, happened_at, now, &hours).unwrap();
            prop_assert!(due >= now && due >= happened_at);
            let longest = match mail {
                NoticeMail::Off => unreachable!(),
                NoticeMail::Once => PAUSE,
                NoticeMail::Daily => Duration::days(1),
                NoticeMail::Weekly => Duration::days(7),
            };
            // Quiet hours move it by a day at most, and clocks by less than another three hours each time.
            let moved = if hours.quiet.is_some() { Duration::days(1) } else { Duration::zero() };
            prop_assert!(due - now <= longest + moved + Duration::hours(6));
            prop_assert_eq!(hours.after_quiet(due), due);
            prop_assert_eq!(mail_at(NoticeMail::Off, happened_at, now, &hours), None);
        }

        #[test]
        fn a_push_is_due_at_once_or_at_the_end_of_quiet_hours(
            hours in hours(), happened_at in moment(), late in 0..2_000_000_i64
        ) {
            let now = happened_at + Duration::seconds(late);
            let due = push_at(happened_at, now, &hours);
            let first = now.max(happened_at + PUSH_PAUSE);
            prop_assert_eq!(due, hours.after_quiet(first));
            prop_assert_eq!(hours.after_quiet(due), due);
            prop_assert!(due >= first && (hours.quiet.is_some() || due == first));
        }

        #[test]
        fn without_quiet_hours_daily_mails_are_due_at_eight(
            mail in any_mail(), index in 0..ZONES.len(), happened_at in moment()
        ) {
            let hours = Hours { zone: zone(ZONES[index]), quiet: None };
            let due = mail_at(mail, happened_at, happened_at, &hours).unwrap();
            if mail == NoticeMail::Once {
                prop_assert_eq!(due, happened_at + PAUSE);
            } else {
                let local = hours.zone.local(due);
                prop_assert_eq!((local.hour(), local.minute(), local.second()), (8, 0, 0));
                prop_assert!(mail == NoticeMail::Daily || local.weekday() == Weekday::Mon);
            }
        }

        #[test]
        fn quiet_hours_use_the_local_time_of_the_person(hours in hours(), at in moment()) {
            prop_assume!(!clocks_change(hours.zone, at));
            let end = hours.after_quiet(at);
            let is_quiet = |at: DateTime<Utc>| hours.quiet.is_some_and(|quiet| {
                let minute = hours.zone.local(at).time().num_seconds_from_midnight() as i32 / 60;
                let (from, until) = (quiet.from().minutes(), quiet.until().minutes());
                if from < until { (from..until).contains(&minute) } else { minute >= from || minute < until }
            });
            prop_assert!(!is_quiet(end));
            let minutes = (end - at).num_minutes();
            prop_assert!((0..minutes).all(|minute| is_quiet(at + Duration::minutes(minute))));
            prop_assert_eq!(is_quiet(at), end > at);
        }
    }

    fn at(text: &str) -> DateTime<Utc> {
        text.parse().unwrap()
    }

    #[test]
    fn quiet_hours_can_span_midnight() {
        let hours = Hours {
            zone: zone("Europe/Moscow"),
            quiet: Some(quiet(22 * 60, 7 * 60)),
        };
        for (happened, due) in [
            ("2026-11-21T18:57:59Z", "2026-11-21T18:59:59Z"),
            ("2026-11-21T18:58:00Z", "2026-11-22T04:00:00Z"),
            ("2026-11-22T03:57:59Z", "2026-11-22T04:00:00Z"),
            ("2026-11-22T03:58:00Z", "2026-11-22T04:00:00Z"),
        ] {
            assert_eq!(
                mail_at(NoticeMail::Once, at(happened), at(happened), &hours),
                Some(at(due)),
                "{happened}"
            );
        }
    }

    #[test]
    fn a_daily_mail_in_quiet_hours_is_due_at_their_end() {
        let hours = Hours {
            zone: zone("Europe/Moscow"),
            quiet: Some(quiet(60, 10 * 60)),
        };
        let happened = at("2026-11-21T12:00:00Z");
        let due = mail_at(NoticeMail::Daily, happened, happened, &hours);
        assert_eq!(due, Some(at("2026-11-22T07:00:00Z")));
        let due = mail_at(NoticeMail::Weekly, happened, happened, &hours);
        assert_eq!(due, Some(at("2026-11-23T07:00:00Z")));
    }

    /// Berlin has 02:00 to 03:00 twice on 25 October 2026, and not at all on 28 March 2027.
    #[test]
    fn clock_changes_are_resolved_like_dates_of_courses() {
        let hours = Hours {
            zone: zone("Europe/Berlin"),
            quiet: Some(quiet(23 * 60, 2 * 60 + 30)),
        };
        assert_eq!(
            hours.after_quiet(at("2026-10-25T00:45:00Z")),
            at("2026-10-25T01:30:00Z")
        );
        assert_eq!(
            hours.after_quiet(at("2027-03-28T00:45:00Z")),
            at("2027-03-28T01:30:00Z")
        );
        let plain = Hours { quiet: None, ..hours };
        let saturday = at("2026-10-24T12:00:00Z");
        assert_eq!(
            mail_at(NoticeMail::Daily, saturday, saturday, &plain),
            Some(at("2026-10-25T07:00:00Z"))
        );
        let spring = at("2027-03-27T12:00:00Z");
        assert_eq!(
            mail_at(NoticeMail::Daily, spring, spring, &plain),
            Some(at("2027-03-28T06:00:00Z"))
        );
    }
}
