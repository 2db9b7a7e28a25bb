//! Rate limits (contract 8): counted in this process, so a school on N nodes has N times the bound.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::Mutex;

use chrono::{DateTime, Utc};

use crate::email::Email;
use crate::error::{Error, Result};
use crate::ids::UserId;

/// What is limited: how many in how many seconds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Limit {
    /// Failed logins or enrolls of one account from one address.
    FailuresOfAccount,
    /// Failed logins or enrolls from one address, whatever the account.
    FailuresOfAddress,
    Signups,
    /// Recovery mails asked for, per account, known or not.
    Recoveries,
    /// Tries to change one's own password.
    PasswordChanges,
    /// Changes of one's own e-mail address: each mails the one given up, which nobody has shown to be theirs, and tells whether
    /// the new one has an account.
    EmailChanges,
    /// Invitations to teams that a person sends.
    Invitations,
    /// Invitations to teams that a person sends to one address.
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

/// One counter: what, whose.
pub type Key = (Limit, String);

/// The counters; `None` when limits are switched off.
#[derive(Debug)]
pub struct Limits {
    windows: Option<Mutex<HashMap<Key, Window>>>,
}

#[derive(Clone, Copy, Debug)]
struct Window {
    started: DateTime<Utc>,
    count: u32,
}

/// More keys than this and the ended windows are dropped; still more and those of the kind that has most: memory stays
/// bounded, and who makes up addresses to recover makes nobody forget the guesses at a password.
const MOST_KEYS: usize = 100_000;

impl Limits {
    pub fn new(on: bool) -> Self {
        Limits {
            windows: on.then(Mutex::default),
        }
    }

    /// Counts one event for each key, or fails when one of the counters is full and counts nothing. In one step: of many at
    /// once no more pass than of as many one after another.
    pub fn take(&self, keys: &[Key], now: DateTime<Utc>) -> Result<()> {
        let Some(windows) = &self.windows else { return Ok(()) };
        let mut windows = windows.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        for key in keys {
            let (most, seconds) = key.0.bound();
            if let Some(window) = windows.get_mut(key) {
                // A clock that was put back must not lock anybody out until it has caught up.
                window.started = window.started.min(now);
                let left = seconds - (now - window.started).num_seconds();
                if window.count >= most && left > 0 {
                    return Err(Error::RateLimited {
                        retry_after: left.unsigned_abs(),
                    });
                }
            }
        }
        if windows.len() >= MOST_KEYS {
            windows.retain(|key, window| (now - window.started).num_seconds() < key.0.bound().1);
            if windows.len() >= MOST_KEYS {
                forget_most(&mut windows);
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

    /// What was taken at `now` was no such event after all.
    pub fn give_back(&self, keys: &[Key], now: DateTime<Utc>) {
        let Some(windows) = &self.windows else { return };
        let mut windows = windows.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        for key in keys {
            if let Some(window) = windows.get_mut(key).filter(|window| window.started <= now) {
                window.count = window.count.saturating_sub(1);
            }
        }
    }
}

/// Drops the windows of the kind that has most.
fn forget_most(windows: &mut HashMap<Key, Window>) {
    let mut kinds: HashMap<Limit, usize> = HashMap::new();
    for (kind, _) in windows.keys() {
        *kinds.entry(*kind).or_default() += 1;
    }
    let most = kinds.into_iter().max_by_key(|(_, count)| *count);
    windows.retain(|(kind, _), _| most.is_none_or(|(most, _)| *kind != most));
}

/// What requests from an address are counted by. Of IPv6 it is the first half: the least that a line is given is all the
/// addresses that begin so, of which a guesser could take another one for each guess.
fn counted_as(address: Option<IpAddr>) -> String {
    match address.map(|address| address.to_canonical()) {
        Some(IpAddr::V6(address)) => format!("{}/64", Ipv6Addr::from_bits(address.to_bits() >> 64 << 64)),
        Some(address) => address.to_string(),
        None => String::new(),
    }
}

/// The counters of a failed login or enroll.
pub fn failures(account: &str, address: Option<IpAddr>) -> [Key; 2] {
    let address = counted_as(address);
    [
        (Limit::FailuresOfAccount, format!("{account} {address}")),
        (Limit::FailuresOfAddress, address),
    ]
}

/// The counter of signups.
pub fn signups(address: Option<IpAddr>) -> [Key; 1] {
    [(Limit::Signups, counted_as(address))]
}

/// The counter of recovery mails to an address.
pub fn recoveries(email: &Email) -> [Key; 1] {
    [(Limit::Recoveries, email.key().to_owned())]
}

/// The counter of tries to change one's own password.
pub fn password_changes(user: UserId) -> [Key; 1] {
    [(Limit::PasswordChanges, user.to_string())]
}

/// The counter of changes of one's own e-mail address.
pub fn email_changes(user: UserId) -> [Key; 1] {
    [(Limit::EmailChanges, user.to_string())]
}

/// The counters of invitations to a team: a person's, and a person's to that address.
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
    fn a_full_window_refuses_until_it_ends() {
        let limits = Limits::new(true);
        let start = Utc.with_ymd_and_hms(2026, 1, 1, 0, 0, 0).unwrap();
        let keys = failures("ann", None);
        for _ in 0..20 {
            limits.take(&keys, start).unwrap();
        }
        let refused = limits.take(&keys, start + Duration::seconds(60));
        assert!(
            matches!(refused, Err(Error::RateLimited { retry_after: 540 })),
            "{refused:?}"
        );
        limits.take(&failures("bob", None), start).unwrap();
        limits.take(&keys, start + Duration::seconds(600)).unwrap();
    }

    #[test]
    fn a_clock_that_is_put_back_locks_nobody_out_for_longer_than_a_window() {
        let limits = Limits::new(true);
        let right = Utc.with_ymd_and_hms(2026, 1, 1, 0, 0, 0).unwrap();
        let keys = failures("ann", None);
        for _ in 0..20 {
            limits.take(&keys, right + Duration::days(365)).unwrap();
        }
        let refused = limits.take(&keys, right);
        assert!(
            matches!(refused, Err(Error::RateLimited { retry_after: 600 })),
            "{refused:?}"
        );
        limits.take(&keys, right + Duration::seconds(600)).unwrap();
    }

    #[test]
    fn what_was_no_failure_is_given_back() {
        let limits = Limits::new(true);
        let start = Utc.with_ymd_and_hms(2026, 1, 1, 0, 0, 0).unwrap();
        let keys = failures("ann", None);
        for _ in 0..1000 {
            limits.take(&keys, start).unwrap();
            limits.give_back(&keys, start);
        }
        for _ in 0..20 {
            limits.take(&keys, start).unwrap();
        }
        assert!(limits.take(&keys, start).is_err());
    }

    #[test]
    fn a_flood_of_one_kind_makes_no_other_forgotten() {
        let limits = Limits::new(true);
        let start = Utc.with_ymd_and_hms(2026, 1, 1, 0, 0, 0).unwrap();
        let guesses = failures("ann", None);
        for _ in 0..20 {
            limits.take(&guesses, start).unwrap();
        }
        for n in 0..=MOST_KEYS {
            limits.take(&[(Limit::Recoveries, n.to_string())], start).unwrap();
        }
        assert!(limits.take(&guesses, start).is_err());
        let kept = limits.windows.unwrap().into_inner().unwrap().len();
        assert!(kept < MOST_KEYS, "{kept}");
    }

    #[test]
    fn addresses_of_one_line_count_as_one() {
        let counted = |address: &str| failures("ann", Some(address.parse().unwrap()));
        assert_eq!(counted("2001:db8:1:2::1"), counted("2001:db8:1:2:ffff:1:2:3"));
        assert_ne!(counted("2001:db8:1:2::1"), counted("2001:db8:1:3::1"));
        assert_ne!(counted("192.0.2.1"), counted("192.0.2.2"));
        assert_eq!(counted("::ffff:192.0.2.1"), counted("192.0.2.1"));
        let signups = |address: &str| signups(Some(address.parse().unwrap()));
        assert_eq!(signups("2001:db8::1"), signups("2001:db8::2"));
    }

    #[test]
    fn switched_off_it_counts_nothing() {
        let limits = Limits::new(false);
        let start = Utc.with_ymd_and_hms(2026, 1, 1, 0, 0, 0).unwrap();
        for _ in 0..1000 {
            limits.take(&failures("ann", None), start).unwrap();
        }
    }
}
