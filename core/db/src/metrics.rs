//! Metrics of SQL statements: durations, failures, waits for a connection, and the log of slow statements.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};
use tracing::Instrument as _;

/// Histogram buckets of statement durations, in seconds.
const STATEMENTS: [f64; 10] = [0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.025, 0.1, 1.0, 10.0];

/// Durations: a Prometheus histogram, plus a count and a sum that can be read back.
#[derive(Clone, Debug)]
pub struct Timing {
    histogram: Histogram,
    count: Arc<AtomicU64>,
    micros: Arc<AtomicU64>,
}

impl Timing {
    /// `bounds` are the upper bounds of the buckets, in seconds.
    pub fn new(bounds: &[f64]) -> Self {
        Timing {
            histogram: Histogram::new(bounds.iter().copied()),
            count: Arc::default(),
            micros: Arc::default(),
        }
    }

    /// Records one duration.
    pub fn observe(&self, took: Duration) {
        self.histogram.observe(took.as_secs_f64());
        self.count.fetch_add(1, Ordering::Relaxed);
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        self.micros.fetch_add(micros, Ordering::Relaxed);
    }

    /// The mean in milliseconds; 0 without observations.
    pub fn mean(&self) -> f64 {
        let count = self.count.load(Ordering::Relaxed).max(1);
        self.micros.load(Ordering::Relaxed) as f64 / count as f64 / 1_000.0
    }
}

/// Metrics of a database.
#[derive(Debug)]
pub struct SqlMetrics {
    /// Statements that take longer are logged.
    slow: Option<Duration>,
    statements: Timing,
    failed: Counter,
    waits: Timing,
}

impl SqlMetrics {
    pub(crate) fn new(slow: Option<Duration>) -> Self {
        SqlMetrics {
            slow,
            statements: Timing::new(&STATEMENTS),
            failed: Counter::default(),
            waits: Timing::new(&STATEMENTS),
        }
    }

    /// Registers the metrics of statements and of waits for a connection.
    pub fn register(&self, registry: &mut Registry) {
        let help = "Durations of SQL statements";
        registry.register_with_unit("sql_duration", help, Unit::Seconds, self.statements.histogram.clone());
        registry.register("sql_failures", "Failed SQL statements", self.failed.clone());
        let help = "Time waiting for a database connection";
        registry.register_with_unit("sql_pool_wait", help, Unit::Seconds, self.waits.histogram.clone());
    }

    /// The mean duration of a statement in milliseconds; 0 before the first.
    pub fn mean(&self) -> f64 {
        self.statements.mean()
    }

    /// Records a wait for a connection.
    pub(crate) fn waited(&self, took: Duration) {
        self.waits.observe(took);
    }

    /// Runs a statement, records its duration and failure, and logs it if it was slow. `text` must contain no values.
    pub(crate) async fn timed<T, E>(&self, text: &str, work: impl Future<Output = Result<T, E>>) -> Result<T, E> {
        let started = Instant::now();
        let span = tracing::info_span!(target: "kurso_sql", "sql", text);
        let done = work.instrument(span).await;
        let took = started.elapsed();
        self.statements.observe(took);
        if done.is_err() {
            self.failed.inc();
        }
        if self.slow.is_some_and(|slow| took > slow) {
            let sql = text.split_whitespace().collect::<Vec<_>>().join(" ");
            tracing::warn!(target: "slow_query", millis = millis(took), sql = %truncate(&sql), "slow SQL statement");
        }
        done
    }
}

fn millis(took: Duration) -> u64 {
    u64::try_from(took.as_millis()).unwrap_or(u64::MAX)
}

/// Statements can be long; the log keeps the first 400 characters.
fn truncate(text: &str) -> String {
    text.chars().take(400).collect()
}
