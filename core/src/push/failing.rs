//! Push services that cannot be reached. Their pushes wait without an attempt, so that they do not hold up those of other services.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use chrono::{DateTime, Duration, Utc};

/// Failed connections in a row after which a push service counts as unreachable.
const MAX_FAILURES: u32 = 3;
/// How long it is not tried then.
const PAUSE: Duration = Duration::minutes(1);

/// The failed connections of each host in a row, and the time of the last one.
#[derive(Default)]
pub(super) struct Failing(Mutex<HashMap<String, (u32, DateTime<Utc>)>>);

impl Failing {
    fn hosts(&self) -> MutexGuard<'_, HashMap<String, (u32, DateTime<Utc>)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How long a host is not tried; None if it may be tried now.
    pub fn pause(&self, host: &str, now: DateTime<Utc>) -> Option<Duration> {
        let hosts = self.hosts();
        let (failures, last) = hosts.get(host)?;
        let left = *last + PAUSE - now;
        (*failures >= MAX_FAILURES && left > Duration::zero()).then_some(left)
    }

    /// Notes whether a host answered.
    pub fn note(&self, host: &str, has_answered: bool, now: DateTime<Utc>) {
        let mut hosts = self.hosts();
        if has_answered {
            hosts.remove(host);
        } else {
            let (failures, last) = hosts.entry(host.to_owned()).or_insert((0, now));
            *failures = failures.saturating_add(1);
            *last = now;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unreachable_host_pauses_after_three_failures_and_alone() {
        let (failing, now) = (Failing::default(), DateTime::UNIX_EPOCH);
        for _ in 0..MAX_FAILURES {
            assert_eq!(failing.pause("a", now), None);
            failing.note("a", false, now);
        }
        assert_eq!(
            failing.pause("a", now + Duration::seconds(20)),
            Some(Duration::seconds(40))
        );
        assert_eq!(failing.pause("b", now), None);
        let later = now + PAUSE;
        assert_eq!(failing.pause("a", later), None);
        failing.note("a", false, later);
        assert!(failing.pause("a", later).is_some(), "one more failure is enough");
        failing.note("a", true, later);
        assert_eq!(failing.pause("a", later), None);
    }
}
