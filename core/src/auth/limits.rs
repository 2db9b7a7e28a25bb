//! Rate limits, counted per process: a school on N nodes allows N times the limit.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::Mutex;

use chrono::{DateTime, Utc};

use kurso_base::email::Email;
use kurso_base::error::{Error, Result};
use kurso_base::ids::UserId;

/// What is limited; [`Limit::bound`] gives the number of events and the seconds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Limit {
    /// Failed logins or enrollments of one account from one address.
    FailuresOfAccount,
    /// Failed logins or enrollments from one address.
    FailuresOfAddress,
    Signups,
    /// Requested recovery mails per account, whether or not the account exists.
    Recoveries,
    /// Attempts to change one's own password.
    PasswordChanges,
    /// Changes of one's own mail address. Each sends a mail to the previous address, whose ownership was never proven,
    /// and reveals whether the new address has an account.
    EmailChanges,
    /// Team invitations sent by a person.
    Invitations,
    /// Team invitations sent by a person to one address.
    InvitationsOfAddress,
}

impl Limit {
    /// (count, seconds)
    fn bound(self) -> (u32, i64) {
        match self {
            Limit::FailuresOfAccount => (20, 600),
            Limit::FailuresOfAddress => (300, 600),
            Limit::Signups => (300, 3600),
            Limit::Recoveries => (5, 3600),
            Limit::PasswordChanges => (20, 600),
            Limit::EmailChanges => (10, 3600),
            Limit::Invitations => (100, 3600),
            Limit::InvitationsOfAddress => (5, 3600),
        }
    }
}

/// Identifies a counter: what is limited, and for whom.
pub type Key = (Limit, String);

/// The counters; None inside if limits are switched off.
#[derive(Debug)]
pub struct Limits {
    windows: Option<Mutex<HashMap<Key, Window>>>,
}

#[derive(Clone, Copy, Debug)]
struct Window {
    started: DateTime<Utc>,
    count: u32,
}

/// When there are more counters than this, expired ones are dropped, then those of the most frequent kind. This bounds
/// memory, and a flood of recovery requests cannot erase the counters of password guesses.
const MAX_KEYS: usize = 100_000;

impl Limits {
    pub fn new(on: bool) -> Self {
        Limits {
            windows: on.then(Mutex::default),
        }
    }

    /// Counts one event for each key. If any counter is full, fails and counts nothing. Atomic: concurrent calls cannot
    /// exceed the limit.
    pub fn acquire(&self, keys: &[Key], now: DateTime<Utc>) -> Result<()> {
        let Some(windows) = &self.windows else { return Ok(()) };
        let mut windows = windows.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        for key in keys {
            let (most, seconds) = key.0.bound();
            if let Some(window) = windows.get_mut(key) {
                // After a clock was set back, the old window must not last longer than its length.
                window.started = window.started.min(now);
                let left = seconds - (now - window.started).num_seconds();
                if window.count >= most && left > 0 {
                    return Err(Error::RateLimited {
                        retry_after: left.unsigned_abs(),
                    });
                }
            }
        }
        if windows.len() >= MAX_KEYS {
            windows.retain(|key, window| (now - window.started).num_seconds() < key.0.bound().1);
            if windows.len() >= MAX_KEYS {
                drop_most_frequent(&mut windows);
            }
        }
        for key in keys {
            let window = windows.entry(key.clone()).or_insert(Window { started: now, count: 0 });
            if (now - window.started).num_seconds() >= key.0.bound().1 {
                *window = Window { started: now, count: 0 };
            }
            window.count = window.count.saturating_add(1);
        }
        Ok(())
    }

    /// Takes back an event counted at `now`.
    pub fn refund(&self, keys: &[Key], now: DateTime<Utc>) {
        let Some(windows) = &self.windows else { return };
        let mut windows = windows.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        for key in keys {
            if let Some(window) = windows.get_mut(key).filter(|window| window.started <= now) {
                window.count = window.count.saturating_sub(1);
            }
        }
    }
}

/// Drops the counters of the most frequent kind.
fn drop_most_frequent(windows: &mut HashMap<Key, Window>) {
    let mut kinds: HashMap<Limit, usize> = HashMap::new();
    for (kind, _) in windows.keys() {
        *kinds.entry(*kind).or_default() += 1;
    }
    let most = kinds.into_iter().max_by_key(|(_, count)| *count);
    windows.retain(|(kind, _), _| most.is_none_or(|(most, _)| *kind != most));
}

/// The address under which requests are counted. IPv6 counts per /64 network, the smallest that a connection is
/// assigned; a single attacker has all its addresses.
fn rate_limit_address(address: Option<IpAddr>) -> String {
    match address.map(|address| address.to_canonical()) {
        Some(IpAddr::V6(address)) => format!("{}/64", Ipv6Addr::from_bits(address.to_bits() >> 64 << 64)),
        Some(address) => address.to_string(),
        None => String::new(),
    }
}

/// The counters of a failed login or enrollment.
pub fn failures(account: &str, address: Option<IpAddr>) -> [Key; 2] {
    let address = rate_limit_address(address);
    [
        (Limit::FailuresOfAccount, format!("{account} {address}")),
        (Limit::FailuresOfAddress, address),
    ]
}

/// The counter of signups.
pub fn signups(address: Option<IpAddr>) -> [Key; 1] {
    [(Limit::Signups, rate_limit_address(address))]
}

/// The counter of recovery mails to an address.
pub fn recoveries(email: &Email) -> [Key; 1] {
    [(Limit::Recoveries, email.key().to_owned())]
}

/// The counter of attempts to change one's own password.
pub fn password_changes(user: UserId) -> [Key; 1] {
    [(Limit::PasswordChanges, user.to_string())]
}

/// The counter of changes of one's own mail address.
pub fn email_changes(user: UserId) -> [Key; 1] {
    [(Limit::EmailChanges, user.to_string())]
}

/// The counters of team invitations: all of a person, and those to this address.
pub fn invitations(from: UserId, to: &Email) -> [Key; 2] {
    [
        (Limit::Invitations, from.to_string()),
        (Limit::InvitationsOfAddress, format!("{from} {}", to.key())),
    ]
}

#[cfg(test)]
mod tests {
    use chrono::{Duration, TimeZone as _};

    use super::*;

    #[test]
    fn a_full_window_rejects_until_it_expires() {
        let limits = Limits::new(true);
        let start = Utc.with_ymd_and_hms(2026, 1, 1, 0, 0, 0).unwrap();
        let keys = failures("ann", None);
        for _ in 0..20 {
            limits.acquire(&keys, start).unwrap();
        }
        let refused = limits.acquire(&keys, start + Duration::seconds(60));
        assert!(
            matches!(refused, Err(Error::RateLimited { retry_after: 540 })),
            "{refused:?}"
        );
        limits.acquire(&failures("bob", None), start).unwrap();
        limits.acquire(&keys, start + Duration::seconds(600)).unwrap();
    }

    #[test]
    fn a_clock_set_back_does_not_extend_a_window() {
        let limits = Limits::new(true);
        let right = Utc.with_ymd_and_hms(2026, 1, 1, 0, 0, 0).unwrap();
        let keys = failures("ann", None);
        for _ in 0..20 {
            limits.acquire(&keys, right + Duration::days(365)).unwrap();
        }
        let refused = limits.acquire(&keys, right);
        assert!(
            matches!(refused, Err(Error::RateLimited { retry_after: 600 })),
            "{refused:?}"
        );
        limits.acquire(&keys, right + Duration::seconds(600)).unwrap();
    }

    #[test]
    fn refunded_events_do_not_count() {
        let limits = Limits::new(true);
        let start = Utc.with_ymd_and_hms(2026, 1, 1, 0, 0, 0).unwrap();
        let keys = failures("ann", None);
        for _ in 0..1000 {
            limits.acquire(&keys, start).unwrap();
            limits.refund(&keys, start);
        }
        for _ in 0..20 {
            limits.acquire(&keys, start).unwrap();
        }
        assert!(limits.acquire(&keys, start).is_err());
    }

    #[test]
    fn a_flood_of_one_kind_keeps_other_counters() {
        let limits = Limits::new(true);
        let start = Utc.with_ymd_and_hms(2026, 1, 1, 0, 0, 0).unwrap();
        let guesses = failures("ann", None);
        for _ in 0..20 {
            limits.acquire(&guesses, start).unwrap();
        }
        for n in 0..=MAX_KEYS {
            limits.acquire(&[(Limit::Recoveries, n.to_string())], start).unwrap();
        }
        assert!(limits.acquire(&guesses, start).is_err());
        let kept = limits.windows.unwrap().into_inner().unwrap().len();
        assert!(kept < MAX_KEYS, "{kept}");
    }

    #[test]
    fn addresses_of_one_ipv6_network_count_as_one() {
        let counted = |address: &str| failures("ann", Some(address.parse().unwrap()));
        assert_eq!(counted("2001:db8:1:2::1"), counted("2001:db8:1:2:ffff:1:2:3"));
        assert_ne!(counted("2001:db8:1:2::1"), counted("2001:db8:1:3::1"));
        assert_ne!(counted("192.0.2.1"), counted("192.0.2.2"));
        assert_eq!(counted("::ffff:192.0.2.1"), counted("192.0.2.1"));
        let signups = |address: &str| signups(Some(address.parse().unwrap()));
        assert_eq!(signups("2001:db8::1"), signups("2001:db8::2"));
    }

    #[test]
    fn nothing_is_counted_when_switched_off() {
        let limits = Limits::new(false);
        let start = Utc.with_ymd_and_hms(2026, 1, 1, 0, 0, 0).unwrap();
        for _ in 0..1000 {
            limits.acquire(&failures("ann", None), start).unwrap();
        }
    }
}
