//! The injected clock: servers use the system's clock, tests a settable one.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use chrono::{DateTime, SubsecRound as _, Utc};

/// The source of the current time.
#[derive(Clone, Debug, Default)]
pub enum Clock {
    #[default]
    System,
    /// Microseconds since 1970, set by a test.
    Set(Arc<AtomicI64>),
}

impl Clock {
    /// The current time, truncated to microseconds, the precision of both databases.
    #[expect(clippy::disallowed_methods, reason = "this is the one place that asks the system")]
    pub fn now(&self) -> DateTime<Utc> {
        match self {
            Clock::System => Utc::now().trunc_subsecs(6),
            Clock::Set(micros) => DateTime::from_timestamp_micros(micros.load(Ordering::SeqCst)).unwrap_or_default(),
        }
    }

    /// Creates a settable clock, which returns `at` until it is advanced.
    pub fn set(at: DateTime<Utc>) -> Self {
        Clock::Set(Arc::new(AtomicI64::new(at.timestamp_micros())))
    }

    /// Advances a settable clock; does nothing to the system's clock.
    pub fn advance(&self, by: chrono::Duration) {
        if let (Clock::Set(micros), Some(by)) = (self, by.num_microseconds()) {
            micros.fetch_add(by, Ordering::SeqCst);
        }
    }
}
