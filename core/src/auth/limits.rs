//! Rate limits, counted per process: a school on N nodes allows N times the limit.

mod windows;

use std::net::{IpAddr, Ipv6Addr};
use std::sync::Mutex;

use chrono::{DateTime, Duration, Utc};

use crate::access::User;
use kurso_base::email::Email;
use kurso_base::error::Result;
use kurso_base::ids::{CourseId, UserId};
use windows::Windows;

/// What is limited; [`Limit::bound`] gives the number of events and the seconds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Limit {
    /// Failed logins or enrollments of one account from one address.
    FailuresOfAccount,
    /// Failed logins or enrollments from one address.
    FailuresOfAddress,
    /// First failures of accounts from one address whose [`Limit::FailuresOfAddress`] is used up.
    FirstFailuresOfAddress,
    Signups,
    /// Public pages of courses and certificates, pages of the catalogue, and what verifiers of badges read, for one address. A class behind one address
    /// reads a few each.
    Visits,
    /// PDFs of certificates that are drawn for one address.
    Drawings,
    /// Certificates that one person makes out in another name. Each stays, and takes a position in a status list.
    Reissues,
    /// Searches of the catalogue and sitemaps from one address: each reads all public courses.
    CatalogueScans,
    /// Guests that start from one address. As many as [`Limit::Signups`], because a class may start at once.
    Guests,
    /// Requested recovery mails per account, whether or not the account exists.
    Recoveries,
    /// Requested recovery mails from one address. Far below [`crate::mail::queue::MAX_PENDING_RECOVERIES`], so that one client
    /// network cannot fill the queue.
    RecoveriesFromAddress,
    /// Attempts to change one's own password.
    PasswordChanges,
    /// Changes of one's own mail address. Each sends a mail to the previous address, whose ownership was never proven,
    /// and reveals whether the new address has an account.
    EmailChanges,
    /// Mails about courses that a person causes to others: invitations and transfers.
    TeamMails,
    /// Such mails of a person to one address.
    TeamMailsOfAddress,
    /// Such mails of anybody to one address.
    TeamMailsToRecipient,
    /// Such mails of an account that is younger than [`NEW_ACCOUNT`].
    TeamMailsOfNewAccount,
    /// Such mails of all such accounts behind one client address.
    TeamMailsOfNewAccounts,
    /// Mentions that one person makes in author comments.
    Mentions,
    /// Notice mails to one person, which others cause by grading, commenting or publishing.
    NoticeMails,
    /// Pushes to the devices of one person, except tests.
    Pushes,
    /// Test pushes of one person.
    TestPushes,
    /// Announcements of one course.
    Announcements,
    /// Requests of calendar feeds that do not exist, from one address.
    UnknownFeeds,
    /// Requests with invalid unsubscribe links, from one client address.
    UnknownNoticeLinks,
    /// Questions and answers of one learner.
    Posts,
    /// Posts that one person reports.
    Reports,
}

impl Limit {
    /// (count, seconds)
    fn bound(self) -> (u32, i64) {
        match self {
            Limit::FailuresOfAccount => (20, 600),
            Limit::FailuresOfAddress => (300, 600),
            Limit::FirstFailuresOfAddress => (1_000, 600),
            Limit::Signups | Limit::Guests => (300, 3600),
            Limit::Visits => (1_200, 60),
            Limit::CatalogueScans => (60, 60),
            Limit::Drawings => (120, 60),
            Limit::Reissues => (10, 86_400),
            Limit::Recoveries => (5, 3600),
            Limit::RecoveriesFromAddress => (100, 3600),
            Limit::PasswordChanges => (20, 600),
            Limit::EmailChanges => (10, 3600),
            Limit::TeamMails => (100, 3600),
            Limit::TeamMailsOfAddress => (5, 3600),
            Limit::TeamMailsToRecipient => (10, 86_400),
            Limit::TeamMailsOfNewAccount => (10, 86_400),
            Limit::TeamMailsOfNewAccounts => (30, 86_400),
            Limit::Mentions => (200, 3600),
            Limit::UnknownFeeds => (300, 600),
            Limit::UnknownNoticeLinks => (300, 600),
            Limit::NoticeMails => (50, 86_400),
            Limit::Pushes => (60, 3600),
            Limit::TestPushes => (20, 3600),
            Limit::Announcements => (50, 86_400),
            Limit::Posts => (30, 3600),
            Limit::Reports => (20, 3600),
        }
    }
}

/// How long an account counts as new.
pub const NEW_ACCOUNT: Duration = Duration::days(1);

/// Identifies a counter: what is limited, and for whom.
pub type Key = (Limit, String);

/// The counters; None inside if limits are switched off.
#[derive(Debug)]
pub struct Limits {
    windows: Option<Mutex<Windows>>,
}

/// When more sign-ins than this are known, they are forgotten.
const MAX_KNOWN: usize = 100_000;

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
        windows.acquire(keys, now)
    }

    /// As [`Limits::acquire`], for what one client address does.
    pub fn acquire_of_address(&self, limit: Limit, address: Option<IpAddr>, now: DateTime<Utc>) -> Result<()> {
        self.acquire(&of_address(limit, address), now)
    }

    /// Counts an attempt to guess a password or a share code, and returns the counters to refund if it was right. Behind
    /// an address with many failures, an account that signed in from there before is still counted on its own, and
    /// so is the first attempt of an account: failures of some must not lock out their neighbours.
    pub fn acquire_guess(&self, account: &str, address: Option<IpAddr>, now: DateTime<Utc>) -> Result<Vec<Key>> {
        let counters = failures(account, address);
        let Some(windows) = &self.windows else {
            return Ok(counters.into());
        };
        let mut windows = windows.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let [of_account, of_address] = counters;
        let counters = if windows.refusal(&of_address, now).is_none() {
            vec![of_account, of_address]
        } else if windows.known.contains(&known(account, &of_address.1)) {
            vec![of_account]
        } else if windows.count(&of_account, now) == 0 {
            let first = (Limit::FirstFailuresOfAddress, of_address.1);
            vec![of_account, first]
        } else {
            vec![of_account, of_address]
        };
        windows.acquire(&counters, now)?;
        Ok(counters)
    }

    /// Records that an account signed in from an address.
    pub fn remember_sign_in(&self, account: &str, address: Option<IpAddr>) {
        let Some(windows) = &self.windows else { return };
        let mut windows = windows.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if windows.known.len() >= MAX_KNOWN {
            windows.known.clear();
        }
        windows.known.insert(known(account, &rate_limit_address(address)));
    }

    /// Takes back an event counted at `now`.
    pub fn refund(&self, keys: &[Key], now: DateTime<Utc>) {
        let Some(windows) = &self.windows else { return };
        let mut windows = windows.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        for key in keys {
            if let Some(window) = windows.counters.get_mut(key).filter(|window| window.started <= now) {
                window.count = window.count.saturating_sub(1);
            }
        }
    }
}

fn known(account: &str, address: &str) -> (String, String) {
    (account.to_owned(), address.to_owned())
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

/// The counter of what one client address does.
pub fn of_address(limit: Limit, address: Option<IpAddr>) -> [Key; 1] {
    [(limit, rate_limit_address(address))]
}

/// The counters of recovery mails: those to an e-mail address, and those that a client address requested.
pub fn recoveries(email: &Email, address: Option<IpAddr>) -> [Key; 2] {
    [
        (Limit::Recoveries, email.key().to_owned()),
        (Limit::RecoveriesFromAddress, rate_limit_address(address)),
    ]
}

/// The counter of notice mails to a person, once for each of `count` mails.
pub fn notice_mails(user: UserId, count: usize) -> Vec<Key> {
    vec![(Limit::NoticeMails, user.to_string()); count]
}

/// The counter of pushes to a person; the devices of the person count as one.
pub fn pushes(user: UserId) -> [Key; 1] {
    [(Limit::Pushes, user.to_string())]
}

/// The counter of a person's test pushes.
pub fn test_pushes(user: UserId) -> [Key; 1] {
    [(Limit::TestPushes, user.to_string())]
}

/// The counter of announcements of a course.
pub fn announcements(course: CourseId) -> [Key; 1] {
    [(Limit::Announcements, course.to_string())]
}

/// The counter of mentions, once for each of `count` mentions.
pub fn mentions(user: UserId, count: usize) -> Vec<Key> {
    vec![(Limit::Mentions, user.to_string()); count]
}

/// The counter of a learner's questions and answers.
pub fn posts(user: UserId) -> [Key; 1] {
    [(Limit::Posts, user.to_string())]
}

/// The counter of the posts that a person reports.
pub fn reports(user: UserId) -> [Key; 1] {
    [(Limit::Reports, user.to_string())]
}

/// The counter of attempts to change one's own password.
pub fn password_changes(user: UserId) -> [Key; 1] {
    [(Limit::PasswordChanges, user.to_string())]
}

/// The counter of changes of one's own mail address.
pub fn email_changes(user: UserId) -> [Key; 1] {
    [(Limit::EmailChanges, user.to_string())]
}

/// The counters of invitations and transfers: all of a person, those to the e-mail address with this key, and those of new
/// accounts. Superusers do not count as new.
pub fn team_mails(from: &User, address: Option<IpAddr>, to: &str, now: DateTime<Utc>) -> Vec<Key> {
    let id = from.id;
    let mut keys = vec![
        (Limit::TeamMails, id.to_string()),
        (Limit::TeamMailsOfAddress, format!("{id} {to}")),
        (Limit::TeamMailsToRecipient, to.to_owned()),
    ];
    if now - from.created_at < NEW_ACCOUNT && !from.is_superuser {
        keys.push((Limit::TeamMailsOfNewAccount, id.to_string()));
        keys.push((Limit::TeamMailsOfNewAccounts, rate_limit_address(address)));
    }
    keys
}

#[cfg(test)]
mod tests {
    use chrono::{Duration, TimeZone as _};
    use kurso_base::error::Error;

    use super::windows::MAX_KEYS;
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
        let kept = limits.windows.unwrap().into_inner().unwrap().counters.len();
        assert!(kept < MAX_KEYS, "{kept}");
    }

    #[test]
    fn a_flood_does_not_reset_the_limit_of_a_victim() {
        let limits = Limits::new(true);
        let start = Utc.with_ymd_and_hms(2026, 1, 1, 0, 0, 0).unwrap();
        let victim = [(Limit::Recoveries, "victim".to_owned())];
        for _ in 0..5 {
            limits.acquire(&victim, start).unwrap();
        }
        for n in 0..=2 * MAX_KEYS {
            limits.acquire(&[(Limit::Recoveries, n.to_string())], start).unwrap();
        }
        assert!(limits.acquire(&victim, start).is_err());
    }

    #[test]
    fn failures_of_some_do_not_lock_out_their_neighbours() {
        let limits = Limits::new(true);
        let start = Utc.with_ymd_and_hms(2026, 1, 1, 0, 0, 0).unwrap();
        let school = Some("192.0.2.1".parse().unwrap());
        limits.remember_sign_in("ann", school);
        for n in 0..300 {
            limits
                .acquire_guess(&format!("guess{}", n % 15), school, start)
                .unwrap();
        }
        // Without a failure, an account has one attempt; a right one is refunded.
        let counters = limits.acquire_guess("bob", school, start).unwrap();
        limits.refund(&counters, start);
        limits.acquire_guess("bob", school, start).unwrap();
        assert!(limits.acquire_guess("bob", school, start).is_err());
        // An account that signed in from there before has its own limit.
        for _ in 0..20 {
            limits.acquire_guess("ann", school, start).unwrap();
        }
        assert!(limits.acquire_guess("ann", school, start).is_err());
        // Other accounts cannot be tried without end.
        let tried = (0..2_000).filter(|n| limits.acquire_guess(&format!("other{n}"), school, start).is_ok());
        assert_eq!(tried.count(), 999);
    }

    #[test]
    fn addresses_of_one_ipv6_network_count_as_one() {
        let counted = |address: &str| failures("ann", Some(address.parse().unwrap()));
        assert_eq!(counted("2001:db8:1:2::1"), counted("2001:db8:1:2:ffff:1:2:3"));
        assert_ne!(counted("2001:db8:1:2::1"), counted("2001:db8:1:3::1"));
        assert_ne!(counted("192.0.2.1"), counted("192.0.2.2"));
        assert_eq!(counted("::ffff:192.0.2.1"), counted("192.0.2.1"));
        let signups = |address: &str| of_address(Limit::Signups, Some(address.parse().unwrap()));
        assert_eq!(signups("2001:db8::1"), signups("2001:db8::2"));
    }

    #[test]
    fn disabled_limits_count_nothing() {
        let limits = Limits::new(false);
        let start = Utc.with_ymd_and_hms(2026, 1, 1, 0, 0, 0).unwrap();
        for _ in 0..1000 {
            limits.acquire(&failures("ann", None), start).unwrap();
        }
    }
}
