//! Rate limits (contract 8): counted in this process, so a school on N nodes has N times the bound.

use std::collections::HashMap;
use std::net::IpAddr;
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

/// More keys than this and the ended windows are dropped; still more and all are: memory stays bounded.
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
                windows.clear();
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

/// The counters of a failed login or enroll.
pub fn failures(account: &str, address: Option<IpAddr>) -> [Key; 2] {
    let address = address.map(|a| a.to_string()).unwrap_or_default();
    [
        (Limit::FailuresOfAccount, format!("{account} {address}")),
        (Limit::FailuresOfAddress, address),
    ]
}

/// The counter of signups.
pub fn signups(address: Option<IpAddr>) -> [Key; 1] {
    [(Limit::Signups, address.map(|a| a.to_string()).unwrap_or_default())]
}

/// The counter of recovery mails to an address.
pub fn recoveries(email: &Email) -> [Key; 1] {
    [(Limit::Recoveries, email.key().to_owned())]
}

/// The counter of tries to change one's own password.
pub fn password_changes(user: UserId) -> [Key; 1] {
    [(Limit::PasswordChanges, user.to_string())]
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
    fn switched_off_it_counts_nothing() {
        let limits = Limits::new(false);
        let start = Utc.with_ymd_and_hms(2026, 1, 1, 0, 0, 0).unwrap();
        for _ in 0..1000 {
            limits.take(&failures("ann", None), start).unwrap();
        }
    }
}
