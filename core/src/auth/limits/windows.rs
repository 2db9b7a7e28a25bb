//! Counters of events, each in its own window of time, in a bounded memory.

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, Utc};
use kurso_base::error::{Error, Result};

use super::{Key, Limit};

#[derive(Debug, Default)]
pub(super) struct Windows {
    pub(super) counters: HashMap<Key, Window>,
    /// Accounts that signed in, and their client networks.
    pub(super) known: HashSet<(String, String)>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub(super) started: DateTime<Utc>,
    pub(super) count: u32,
}

impl Window {
    fn is_full(self, kind: Limit) -> bool {
        self.count >= kind.bound().0
    }

    /// The seconds until the window expires; 0 or less if it has.
    fn left(self, kind: Limit, now: DateTime<Utc>) -> i64 {
        // After a clock was set back, the old window must not last longer than its length.
        kind.bound().1 - (now - self.started.min(now)).num_seconds()
    }
}

/// When there are more counters than this, expired ones are dropped, then those of the most frequent kind that are not
/// full. This bounds memory. A flood of recovery requests can erase neither the counters of password guesses nor the
/// limit that an account has reached.
pub(super) const MAX_KEYS: usize = 100_000;

impl Windows {
    /// The seconds until the counter allows another event; None if it does now.
    pub(super) fn refusal(&self, key: &Key, now: DateTime<Utc>) -> Option<u64> {
        let window = self.counters.get(key)?;
        let left = window.left(key.0, now);
        (window.is_full(key.0) && left > 0).then_some(left.unsigned_abs())
    }

    /// The events in the current window.
    pub(super) fn count(&self, key: &Key, now: DateTime<Utc>) -> u32 {
        let window = self.counters.get(key).filter(|window| window.left(key.0, now) > 0);
        window.map_or(0, |window| window.count)
    }

    /// As [`super::Limits::acquire`].
    pub(super) fn acquire(&mut self, keys: &[Key], now: DateTime<Utc>) -> Result<()> {
        for key in keys {
            if let Some(window) = self.counters.get_mut(key) {
                window.started = window.started.min(now);
            }
            if let Some(retry_after) = self.refusal(key, now) {
                return Err(Error::RateLimited { retry_after });
            }
        }
        if self.counters.len() >= MAX_KEYS {
            self.make_room(now)?;
        }
        for key in keys {
            let window = self
                .counters
                .entry(key.clone())
                .or_insert(Window { started: now, count: 0 });
            if window.left(key.0, now) <= 0 {
                *window = Window { started: now, count: 0 };
            }
            window.count = window.count.saturating_add(1);
        }
        Ok(())
    }

    /// Drops expired counters, then those of the most frequent kind that are not full. If all are full, the event is
    /// refused: forgetting a full counter would reset a limit.
    fn make_room(&mut self, now: DateTime<Utc>) -> Result<()> {
        self.counters.retain(|(kind, _), window| window.left(*kind, now) > 0);
        if self.counters.len() < MAX_KEYS {
            return Ok(());
        }
        let mut kinds: HashMap<Limit, usize> = HashMap::new();
        for ((kind, _), window) in &self.counters {
            if !window.is_full(*kind) {
                *kinds.entry(*kind).or_default() += 1;
            }
        }
        let most = kinds.into_iter().max_by_key(|(_, count)| *count);
        let Some((most, _)) = most else {
            return Err(Error::RateLimited { retry_after: 60 });
        };
        self.counters
            .retain(|(kind, _), window| *kind != most || window.is_full(*kind));
        Ok(())
    }
}
