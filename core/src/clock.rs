//! The time, passed in: a server runs on the system's clock, a test on one it sets.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use chrono::{DateTime, SubsecRound as _, Utc};

/// Where `now` comes from.
#[derive(Clone, Debug, Default)]
pub enum Clock {
    #[default]
    System,
    /// Microseconds since 1970, set by a test.
    Set(Arc<AtomicI64>),
}

impl Clock {
    /// Now, cut to the microseconds that both databases keep.
    #[expect(clippy::disallowed_methods, reason = "this is the one place that asks the system")]
    pub fn now(&self) -> DateTime<Utc> {
        match self {
            Clock::System => Utc::now().trunc_subsecs(6),
            Clock::Set(micros) => DateTime::from_timestamp_micros(micros.load(Ordering::SeqCst)).unwrap_or_default(),
        }
    }

    /// A clock that stands at `at` until it is moved.
    pub fn set(at: DateTime<Utc>) -> Self {
        Clock::Set(Arc::new(AtomicI64::new(at.timestamp_micros())))
    }

    /// Moves a set clock; the system's cannot be moved.
    pub fn advance(&self, by: chrono::Duration) {
        if let (Clock::Set(micros), Some(by)) = (self, by.num_microseconds()) {
            micros.fetch_add(by, Ordering::SeqCst);
        }
    }
}
