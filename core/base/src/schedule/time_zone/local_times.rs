//! Local times and instants around changes of clocks, in generated zones, against a reference that looks at every moment nearby.

use chrono::{Duration, NaiveDate, NaiveDateTime, NaiveTime, Offset as _};
use proptest::prelude::*;
use proptest::sample::select;

use super::*;
use crate::schedule::ScheduleTime;

/// Zones with half hours, quarters, changes at Ramadan, at midnight or by a law, a skipped day, and summer time in the other half of the year.
const ODD: [&str; 16] = [
    "Australia/Lord_Howe",
    "Africa/Casablanca",
    "Africa/Cairo",
    "Europe/Moscow",
    "Europe/Volgograd",
    "Asia/Kamchatka",
    "Asia/Kathmandu",
    "Asia/Pyongyang",
    "Asia/Tehran",
    "Asia/Gaza",
    "America/Santiago",
    "America/Caracas",
    "America/St_Johns",
    "America/Sao_Paulo",
    "Pacific/Apia",
    "Pacific/Chatham",
];

impl TimeZone {
    /// The offset from UTC.
    fn ahead(self, at: DateTime<Utc>) -> Duration {
        let offset = at.with_timezone(&self.0).offset().fix();
        Duration::seconds(i64::from(offset.local_minus_utc()))
    }

    /// The first second after the clocks changed between two moments, found by halving.
    fn change_between(self, mut before: DateTime<Utc>, mut after: DateTime<Utc>) -> DateTime<Utc> {
        let old = self.ahead(before);
        while after - before > Duration::seconds(1) {
            let middle = before + Duration::seconds((after - before).num_seconds() / 2);
            if self.ahead(middle) == old {
                before = middle;
            } else {
                after = middle;
            }
        }
        after
    }

    /// The changes of the clocks between two moments.
    fn changes(self, from: DateTime<Utc>, until: DateTime<Utc>) -> Vec<DateTime<Utc>> {
        let step = Duration::hours(3);
        let mut changes = vec![];
        let mut at = from;
        while at < until {
            if self.ahead(at) != self.ahead(at + step) {
                changes.push(self.change_between(at, at + step));
            }
            at += step;
        }
        changes
    }

    /// The instants that show this local time on the clocks, in order; none in a gap.
    fn shown(self, local: NaiveDateTime, changes: &[DateTime<Utc>]) -> Vec<DateTime<Utc>> {
        let sides = changes
            .iter()
            .flat_map(|change| [*change - Duration::seconds(1), *change]);
        let offsets = sides.chain([local.and_utc()]).map(|at| self.ahead(at));
        let mut found: Vec<_> = offsets
            .map(|ahead| (local - ahead).and_utc())
            .filter(|at| self.local(*at) == local)
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The instant of a local time by the rules: the first or last that shows it, and in a gap as if the clocks had not changed yet.
    fn reference(self, local: NaiveDateTime, opens: bool) -> DateTime<Utc> {
        let around = Duration::days(3);
        let changes = self.changes(local.and_utc() - around, local.and_utc() + around);
        let shown = self.shown(local, &changes);
        let found = if opens { shown.first() } else { shown.last() };
        found.copied().unwrap_or_else(|| {
            let skips = |change: &&DateTime<Utc>| {
                let before = self.local(**change - Duration::seconds(1));
                before < local && local < self.local(**change)
            };
            let change = changes.iter().find(skips).unwrap();
            (local - self.ahead(*change - Duration::seconds(1))).and_utc()
        })
    }
}

fn zone() -> impl Strategy<Value = TimeZone> {
    let any = select(&chrono_tz::TZ_VARIANTS[..]).prop_map(TimeZone);
    prop_oneof![3 => select(&ODD[..]).prop_map(|name| TimeZone::named(name).unwrap()), 1 => any]
}

/// A moment in the years of dates.
fn moment() -> impl Strategy<Value = DateTime<Utc>> {
    let second = |year| {
        NaiveDate::from_ymd_opt(year, 1, 2)
            .unwrap()
            .and_time(NaiveTime::MIN)
            .and_utc()
            .timestamp()
    };
    // Half of the moments are before 2030, where the time zone database has most of its changes.
    let seconds = prop_oneof![second(2000)..second(2030), second(2000)..second(2099)];
    seconds.prop_map(|second| DateTime::from_timestamp(second, 0).unwrap())
}

/// A zone and a moment near a change of its clocks; any moment for a zone without one.
fn near_a_change() -> impl Strategy<Value = (TimeZone, DateTime<Utc>)> {
    let distance = prop_oneof![
        -2_i64..=2,
        (-300_i64..300).prop_map(|minutes| minutes * 60),
        -20_000_i64..20_000
    ];
    (zone(), moment(), distance).prop_map(|(zone, at, distance)| {
        let change = zone.changes(at, at + Duration::days(370)).first().copied();
        (zone, change.unwrap_or(at) + Duration::seconds(distance))
    })
}

fn read(zone: TimeZone, time: ScheduleTime) -> [DateTime<Utc>; 2] {
    [time.opening(zone), time.closing(zone)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn every_instant_is_read_again_from_its_local_time((zone, at) in near_a_change()) {
        let local = zone.local(at);
        let [first, last] = read(zone, ScheduleTime::Local(local));
        prop_assert!(at == first || at == last, "{} in {} is read as {} or {}", local, zone.name(), first, last);
        prop_assert!(first <= last);
        for read in [first, last] {
            prop_assert_eq!(zone.local(read), local, "in {}", zone.name());
        }
    }

    #[test]
    fn a_local_time_is_read_as_the_reference_reads_it((zone, at) in near_a_change(), shift in -240_i64..240) {
        // Shifts the local time instead of the instant, to generate times inside gaps as well.
        let local = zone.local(at) + Duration::minutes(shift);
        let expected = [zone.reference(local, true), zone.reference(local, false)];
        prop_assert_eq!(read(zone, ScheduleTime::Local(local)), expected, "{} in {}", local, zone.name());
        let text = local.format("%Y-%m-%dT%H:%M:%S").to_string();
        prop_assert_eq!(ScheduleTime::parse(&text).unwrap(), ScheduleTime::Local(local));
    }

    #[test]
    fn a_time_that_does_not_come_is_later_by_the_gap((zone, at) in near_a_change()) {
        let changes = zone.changes(at - Duration::days(2), at + Duration::days(2));
        for change in changes {
            let before = zone.local(change - Duration::seconds(1)) + Duration::seconds(1);
            let gap = zone.local(change) - before;
            if gap > Duration::zero() {
                for skipped in [before, before + gap / 2, before + gap - Duration::seconds(1)] {
                    let [opening, closing] = read(zone, ScheduleTime::Local(skipped));
                    prop_assert_eq!(opening, closing);
                    prop_assert_eq!(zone.local(opening), skipped + gap, "{} in {}", skipped, zone.name());
                }
            }
        }
    }

    #[test]
    fn a_day_begins_at_its_first_moment_and_ends_at_23_59((zone, at) in near_a_change()) {
        let day = zone.day_of(at);
        let [begins, ends] = read(zone, ScheduleTime::Day(day));
        prop_assert_eq!(begins, zone.reference(day.and_hms_opt(0, 0, 0).unwrap(), true));
        prop_assert_eq!(ends, zone.reference(day.and_hms_opt(23, 59, 0).unwrap(), false));
        prop_assert!(begins <= at && at < ends + Duration::minutes(1), "{} of {} is outside of its day", at, zone.name());
    }
}
