//! How much time a learner has for an attempt, and which answers come in time. Pure.

use chrono::{DateTime, Duration, Utc};
use kurso_base::values::Change;

/// How much of the usual time a learner has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Allowance {
    /// A factor in thousandths.
    Times(u32),
    /// The limit is lifted.
    Unlimited,
}

impl Default for Allowance {
    fn default() -> Self {
        Allowance::Times(1000)
    }
}

impl Allowance {
    /// Of the override of a time factor, which is at most 5.
    pub fn of(factor: Change<f64>) -> Self {
        match factor {
            Change::Keep => Allowance::default(),
            Change::Clear => Allowance::Unlimited,
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
            Change::Set(factor) => Allowance::Times((factor * 1000.0).round().clamp(0.0, 1e6) as u32),
        }
    }

    /// The learner's time for an attempt, given the usual time in seconds; None without a limit.
    pub fn duration(self, time_limit: Option<u32>) -> Option<Duration> {
        match (self, time_limit) {
            (Allowance::Times(factor), Some(seconds)) => {
                Some(Duration::milliseconds(i64::from(factor) * i64::from(seconds)))
            }
            _ => None,
        }
    }
}

/// The times of a running attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    pub started_at: DateTime<Utc>,
    /// None without a time limit on a page that never closes.
    pub ends_at: Option<DateTime<Utc>>,
    /// The end of the grace period.
    pub closes_at: Option<DateTime<Utc>>,
}

/// When an answer was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Given {
    /// Microseconds since the start.
    pub after: i64,
    /// Whether the device named a later moment than that of the arrival: a clock is behind, and the order of answers is that of their arrival.
    pub is_cut: bool,
}

impl Span {
    /// Of an attempt that starts now, with this time if it is limited. It ends with the page, if that closes earlier.
    pub fn new(
        now: DateTime<Utc>,
        time: Option<Duration>,
        page_closes_at: Option<DateTime<Utc>>,
        grace: Duration,
    ) -> Self {
        let full = time.map(|time| now + time);
        let ends_at = page_closes_at
            .map(|closes_at| closes_at.max(now))
            .into_iter()
            .chain(full)
            .min();
        Span {
            started_at: now,
            ends_at,
            closes_at: ends_at.map(|ends_at| ends_at + grace),
        }
    }

    /// The times of the attempt on a page that closes at this moment. An attempt without an end of its own ends with the page, also if the page
    /// got the moment only after the start.
    pub fn ending(self, page_closes_at: Option<DateTime<Utc>>) -> Self {
        if self.ends_at.is_some() {
            return self;
        }
        let ends_at = page_closes_at.map(|at| at.max(self.started_at));
        Span {
            ends_at,
            closes_at: ends_at,
            ..self
        }
    }

    /// The time of the attempt, without the grace period; None if it has no end.
    pub fn duration(&self) -> Option<Duration> {
        Some(self.ends_at? - self.started_at)
    }

    /// The grace period; 0 if the attempt has no end.
    pub fn grace(&self) -> Duration {
        let times = self.closes_at.zip(self.ends_at);
        times.map_or(Duration::zero(), |(closes_at, ends_at)| closes_at - ends_at)
    }

    /// The time since the start, at least 0: a clock may be set back.
    pub fn elapsed(&self, now: DateTime<Utc>) -> Duration {
        (now - self.started_at).max(Duration::zero())
    }

    /// When an answer was given, if it counts. `given_after` is what the device says, in microseconds since the start: nothing is given after it
    /// arrives, and nothing counts that was given after the end or arrives after the grace period.
    pub fn accepted(&self, given_after: i64, arrives_at: DateTime<Utc>) -> Option<Given> {
        let micros = |time: Duration| time.num_microseconds().unwrap_or(i64::MAX);
        let arrives_after = micros(self.elapsed(arrives_at));
        let given = Given {
            after: given_after.min(arrives_after),
            is_cut: given_after > arrives_after,
        };
        let arrives_in_time = self.closes_at.is_none_or(|closes_at| arrives_at <= closes_at);
        let was_in_time = self.duration().is_none_or(|duration| given.after <= micros(duration));
        (arrives_in_time && was_in_time).then_some(given)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn at(micros: i64) -> DateTime<Utc> {
        DateTime::from_timestamp_micros(1_700_000_000_000_000 + micros).unwrap()
    }

    proptest! {
        #[test]
        fn no_answer_counts_that_was_given_or_arrives_too_late(
            time in 1i64..10_000, grace in 0i64..1_000, given in 0i64..12_000, arrives in 0i64..12_000,
        ) {
            let micros = Duration::microseconds;
            let span = Span::new(at(0), Some(micros(time)), None, micros(grace));
            let counts = given.min(arrives) <= time && arrives <= time + grace;
            let accepted = span.accepted(given, at(arrives));
            prop_assert_eq!(accepted.map(|given| given.after), counts.then_some(given.min(arrives)));
            prop_assert!(accepted.is_none_or(|accepted| accepted.is_cut == (given > arrives)));
        }

        #[test]
        fn a_clock_that_is_set_back_gives_no_time(time in 1i64..10_000, given in 0i64..20_000, back in 0i64..20_000) {
            let span = Span::new(at(0), Some(Duration::microseconds(time)), None, Duration::zero());
            prop_assert_eq!(span.accepted(given, at(-back)), Some(Given { after: 0, is_cut: given > 0 }));
        }

        #[test]
        fn a_factor_stretches_the_time(seconds in 10u32..86_400, factor in 1.0f64..5.0) {
            let usual = Allowance::default().duration(Some(seconds)).unwrap();
            let own = Allowance::of(Change::Set(factor)).duration(Some(seconds)).unwrap();
            prop_assert!(own >= usual);
            let exact = f64::from(seconds) * factor;
            prop_assert!((own.as_seconds_f64() - exact).abs() <= f64::from(seconds) / 2000.0 + 1e-6);
        }

        #[test]
        fn an_attempt_ends_with_its_page(time in 1i64..10_000, closes in -100i64..20_000) {
            let span = Span::new(at(0), Some(Duration::microseconds(time)), Some(at(closes)), Duration::zero());
            prop_assert_eq!(span.ends_at, Some(at(time.min(closes.max(0)))));
            let unlimited = Span::new(at(0), None, Some(at(closes)), Duration::zero());
            prop_assert_eq!(unlimited.ends_at, Some(at(closes.max(0))));
        }

        #[test]
        fn an_attempt_without_an_end_takes_every_answer(given in 0i64..20_000, arrives in 0i64..20_000) {
            let span = Span::new(at(0), None, None, Duration::microseconds(5));
            prop_assert_eq!((span.duration(), span.grace()), (None, Duration::zero()));
            let after = given.min(arrives);
            prop_assert_eq!(span.accepted(given, at(arrives)), Some(Given { after, is_cut: given > arrives }));
        }
    }

    #[test]
    fn a_lifted_limit_is_no_limit() {
        assert_eq!(Allowance::of(Change::Clear).duration(Some(60)), None);
        assert_eq!(Allowance::of(Change::Set(2.0)).duration(None), None);
        let double = Allowance::of(Change::Set(2.0)).duration(Some(60));
        assert_eq!(double, Some(Duration::seconds(120)));
        assert_eq!(
            Allowance::of(Change::Keep).duration(Some(60)),
            Some(Duration::seconds(60))
        );
    }
}
