//! What a server counts of itself: for Prometheus at `/metrics`, and for the administration's screen. Labels are of bounded
//! sets: routes, root fields of the schema, outcomes. Nothing here names a person, a token or a text.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

use tracing::Instrument as _;

use crate::Kurso;
use crate::access::Viewer;
use crate::error::{Error, Result};
use crate::jobs::signals::JobSignals;

/// Bounds of what takes a request its time, in seconds.
const REQUESTS: [f64; 11] = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0, 30.0];
/// Bounds of what takes a statement its time, in seconds.
const STATEMENTS: [f64; 10] = [0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.025, 0.1, 1.0, 10.0];

/// How long something takes: a histogram, and sums that can be read.
#[derive(Clone, Debug)]
pub struct Timing {
    histogram: Histogram,
    count: Arc<AtomicU64>,
    micros: Arc<AtomicU64>,
}

impl Timing {
    fn new(bounds: &[f64]) -> Self {
        Timing {
            histogram: Histogram::new(bounds.iter().copied()),
            count: Arc::default(),
            micros: Arc::default(),
        }
    }

    fn note(&self, took: Duration) {
        self.histogram.observe(took.as_secs_f64());
        self.count.fetch_add(1, Ordering::Relaxed);
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        self.micros.fetch_add(micros, Ordering::Relaxed);
    }

    /// The mean, in milliseconds; 0 before there was any.
    fn mean(&self) -> f64 {
        let count = self.count.load(Ordering::Relaxed).max(1);
        self.micros.load(Ordering::Relaxed) as f64 / count as f64 / 1_000.0
    }
}

/// What a database counts.
#[derive(Debug)]
pub struct SqlSignals {
    /// A statement that takes longer is named in the log.
    slow: Option<Duration>,
    statements: Timing,
    failed: Counter,
    waits: Timing,
}

impl SqlSignals {
    pub(crate) fn new(slow: Option<Duration>) -> Self {
        SqlSignals {
            slow,
            statements: Timing::new(&STATEMENTS),
            failed: Counter::default(),
            waits: Timing::new(&STATEMENTS),
        }
    }

    /// Somebody waited for a connection.
    pub(crate) fn waited(&self, took: Duration) {
        self.waits.note(took);
    }

    /// Runs a statement. `text` is for the log: it has no values.
    pub(crate) async fn timed<T, E>(&self, text: &str, work: impl Future<Output = Result<T, E>>) -> Result<T, E> {
        let started = Instant::now();
        let span = tracing::info_span!(target: "kurso_sql", "sql", text);
        let done = work.instrument(span).await;
        let took = started.elapsed();
        self.statements.note(took);
        if done.is_err() {
            self.failed.inc();
        }
        if self.slow.is_some_and(|slow| took > slow) {
            let sql = text.split_whitespace().collect::<Vec<_>>().join(" ");
            tracing::warn!(target: "slow_query", millis = millis(took), sql = %cut(&sql), "a statement was slow");
        }
        done
    }
}

/// What leaves by mail.
#[derive(Debug, Default)]
pub struct MailSignals {
    pub(crate) sent: Counter,
    pub(crate) failed: Counter,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Route {
    method: &'static str,
    route: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Answer {
    method: &'static str,
    route: String,
    status: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Operation {
    operation: String,
    outcome: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Outcome {
    outcome: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct PoolName {
    pool: &'static str,
}

/// What a GraphQL request asked for, of a bounded set: for the log, on the answer's way out.
#[derive(Clone, Debug)]
pub struct OperationName(pub String);

type Times<L> = Family<L, Histogram, fn() -> Histogram>;

/// What a server counts.
#[derive(Debug)]
pub struct Signals {
    registry: Registry,
    started_at: DateTime<Utc>,
    sql: Arc<SqlSignals>,
    mail: Arc<MailSignals>,
    answers: Family<Answer, Counter>,
    times: Times<Route>,
    operations: Family<Operation, Counter>,
    operation_times: Times<Operation>,
    logins: Family<Outcome, Counter>,
    uploads: Family<Outcome, Counter>,
    uploaded: Counter,
    shed: Counter,
    pool: [Family<PoolName, Gauge>; 3],
    sockets: Gauge,
    subscriptions: Gauge,
    running: Gauge,
    memory: Gauge,
    /// What the screen shows of the families above.
    answered: AtomicU64,
    faults: AtomicU64,
    time: Timing,
    logged_in: AtomicU64,
    login_failed: AtomicU64,
    files: AtomicU64,
    in_flight: AtomicI64,
}

impl Signals {
    pub(crate) fn new(
        sql: Arc<SqlSignals>,
        mail: Arc<MailSignals>,
        jobs: &JobSignals,
        started_at: DateTime<Utc>,
    ) -> Self {
        let times = || Histogram::new(REQUESTS);
        let mut signals = Signals {
            registry: Registry::with_prefix("kurso"),
            started_at,
            sql,
            mail,
            answers: Family::default(),
            times: Family::new_with_constructor(times),
            operations: Family::default(),
            operation_times: Family::new_with_constructor(times),
            logins: Family::default(),
            uploads: Family::default(),
            uploaded: Counter::default(),
            shed: Counter::default(),
            pool: Default::default(),
            sockets: Gauge::default(),
            subscriptions: Gauge::default(),
            running: Gauge::default(),
            memory: Gauge::default(),
            answered: AtomicU64::new(0),
            faults: AtomicU64::new(0),
            time: Timing::new(&REQUESTS),
            logged_in: AtomicU64::new(0),
            login_failed: AtomicU64::new(0),
            files: AtomicU64::new(0),
            in_flight: AtomicI64::new(0),
        };
        signals.register();
        jobs.register(&mut signals.registry);
        signals
    }

    fn register(&mut self) {
        let registry = &mut self.registry;
        registry.register("http_requests", "Answers, by route and status", self.answers.clone());
        let help = "What answers took, by route";
        registry.register_with_unit("http_request_duration", help, Unit::Seconds, self.times.clone());
        registry.register("http_requests_running", "Requests under way", self.running.clone());
        registry.register(
            "http_requests_shed",
            "Requests refused because of too many others",
            self.shed.clone(),
        );
        let help = "GraphQL operations, by root field";
        registry.register("graphql_operations", help, self.operations.clone());
        let help = "What GraphQL operations took, by root field";
        registry.register_with_unit(
            "graphql_operation_duration",
            help,
            Unit::Seconds,
            self.operation_times.clone(),
        );
        registry.register("graphql_sockets", "Open WebSockets", self.sockets.clone());
        registry.register(
            "graphql_subscriptions",
            "Running subscriptions",
            self.subscriptions.clone(),
        );
        let help = "What SQL statements took";
        registry.register_with_unit(
            "sql_duration",
            help,
            Unit::Seconds,
            self.sql.statements.histogram.clone(),
        );
        registry.register("sql_failures", "SQL statements that failed", self.sql.failed.clone());
        let help = "How long statements waited for a connection";
        registry.register_with_unit("sql_pool_wait", help, Unit::Seconds, self.sql.waits.histogram.clone());
        let [size, used, waiting] = &self.pool;
        registry.register("sql_pool_connections", "Connections open", size.clone());
        registry.register("sql_pool_connections_in_use", "Connections in use", used.clone());
        registry.register("sql_pool_waiting", "Waiting for a connection now", waiting.clone());
        registry.register("logins", "Sign-ins, by outcome", self.logins.clone());
        registry.register("uploads", "Uploads, by outcome", self.uploads.clone());
        registry.register_with_unit("uploaded", "What was uploaded", Unit::Bytes, self.uploaded.clone());
        registry.register("mails_sent", "Mails sent", self.mail.sent.clone());
        registry.register("mails_failed", "Mails that could not be sent", self.mail.failed.clone());
        registry.register_with_unit(
            "resident_memory",
            "Memory of the process",
            Unit::Bytes,
            self.memory.clone(),
        );
        let start: Gauge = Gauge::default();
        start.set(self.started_at.timestamp());
        registry.register_with_unit(
            "start_time",
            "When the process started, since 1970",
            Unit::Seconds,
            start,
        );
    }

    /// A request begins; it ends when what this gives is dropped.
    pub fn begin(&self) -> InFlight<'_> {
        self.in_flight.fetch_add(1, Ordering::Relaxed);
        InFlight(self)
    }

    /// A request was answered. `route` is a route of the server, not a path.
    pub fn answered(&self, method: &'static str, route: &str, status: u16, took: Duration) {
        let route = route.to_owned();
        let key = Route {
            method,
            route: route.clone(),
        };
        self.times.get_or_create(&key).observe(took.as_secs_f64());
        let status = u32::from(status);
        self.answers.get_or_create(&Answer { method, route, status }).inc();
        self.time.note(took);
        self.answered.fetch_add(1, Ordering::Relaxed);
        if status >= 500 {
            self.faults.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// A request was refused because of too many others.
    pub fn shed(&self) {
        self.shed.inc();
    }

    /// A GraphQL operation ended. `name` is of a bounded set.
    pub fn operation(&self, name: &str, is_ok: bool, took: Duration) {
        let outcome = if is_ok { "ok" } else { "refused" };
        let operation = name.to_owned();
        let key = Operation { operation, outcome };
        self.operation_times.get_or_create(&key).observe(took.as_secs_f64());
        self.operations.get_or_create(&key).inc();
    }

    /// Somebody tried to sign in.
    pub(crate) fn login<T>(&self, done: &Result<T>) {
        let outcome = match done {
            Ok(_) => "ok",
            Err(Error::RateLimited { .. }) => "limited",
            Err(Error::Busy | Error::Unavailable(_) | Error::Internal(_)) => "error",
            Err(_) => "refused",
        };
        let count = if done.is_ok() {
            &self.logged_in
        } else {
            &self.login_failed
        };
        count.fetch_add(1, Ordering::Relaxed);
        self.logins.get_or_create(&Outcome { outcome }).inc();
    }

    /// An upload ended, with so many bytes.
    pub(crate) fn upload(&self, size: Option<u64>) {
        let outcome = if size.is_some() { "ok" } else { "refused" };
        self.uploads.get_or_create(&Outcome { outcome }).inc();
        if let Some(size) = size {
            self.uploaded.inc_by(size);
            self.files.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Open sockets.
    pub fn sockets(&self, open: usize) {
        self.sockets.set(i64::try_from(open).unwrap_or(i64::MAX));
    }

    /// A subscription runs until what this gives is dropped.
    pub fn subscription(kurso: &Arc<Kurso>) -> Subscribed {
        kurso.signals.subscriptions.inc();
        Subscribed(kurso.clone())
    }

    /// Everything, as Prometheus reads it (OpenMetrics).
    pub fn text(&self, db: &crate::db::Db) -> String {
        let number = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
        for state in db.pools() {
            let name = PoolName { pool: state.name };
            for (gauge, value) in self.pool.iter().zip([state.open, state.in_use, state.waiting]) {
                gauge.get_or_create(&name).set(number(value));
            }
        }
        self.running.set(self.in_flight.load(Ordering::Relaxed));
        self.memory
            .set(memory().and_then(|bytes| i64::try_from(bytes).ok()).unwrap_or_default());
        let mut text = String::new();
        // Writing to a String cannot fail.
        let _ = encode(&mut text, &self.registry);
        text
    }
}

/// A request under way.
pub struct InFlight<'a>(&'a Signals);

impl Drop for InFlight<'_> {
    fn drop(&mut self) {
        self.0.in_flight.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A running subscription.
pub struct Subscribed(Arc<Kurso>);

impl Drop for Subscribed {
    fn drop(&mut self) {
        self.0.signals.subscriptions.dec();
    }
}

/// How the node that answers is doing, since its start.
#[derive(Clone, Debug, PartialEq)]
pub struct Status {
    pub version: &'static str,
    /// `sqlite` or `postgres`.
    pub database: &'static str,
    pub started_at: DateTime<Utc>,
    pub requests: i64,
    /// Answers of 500 and above.
    pub faults: i64,
    /// Requests under way, this one included.
    pub running: i64,
    /// The mean, in milliseconds.
    pub request_millis: f64,
    pub statements: i64,
    /// The mean, in milliseconds.
    pub statement_millis: f64,
    /// Connections to the database: open, in use, and who waits for one.
    pub connections: i64,
    pub connections_in_use: i64,
    pub waiting: i64,
    /// Running subscriptions.
    pub subscriptions: i64,
    pub logins: i64,
    pub logins_failed: i64,
    pub uploads: i64,
    pub mails_sent: i64,
    pub mails_failed: i64,
    /// Bytes; None where the system does not tell.
    pub memory: Option<i64>,
}

/// How the node that answers is doing; superusers only.
pub fn status(kurso: &Kurso, viewer: &Viewer) -> Result<Status> {
    viewer.require_superuser()?;
    let signals = &kurso.signals;
    let read = |count: &AtomicU64| whole(count.load(Ordering::Relaxed));
    let pools = kurso.db.pools();
    let sum = |of: fn(&crate::db::PoolState) -> usize| whole(pools.iter().map(of).sum::<usize>() as u64);
    Ok(Status {
        version: env!("CARGO_PKG_VERSION"),
        database: kurso.db.name(),
        started_at: signals.started_at,
        requests: read(&signals.answered),
        faults: read(&signals.faults),
        running: signals.in_flight.load(Ordering::Relaxed),
        request_millis: signals.time.mean(),
        statements: whole(kurso.db.statements()),
        statement_millis: signals.sql.statements.mean(),
        connections: sum(|pool| pool.open),
        connections_in_use: sum(|pool| pool.in_use),
        waiting: sum(|pool| pool.waiting),
        subscriptions: signals.subscriptions.get(),
        logins: read(&signals.logged_in),
        logins_failed: read(&signals.login_failed),
        uploads: read(&signals.files),
        mails_sent: whole(signals.mail.sent.get()),
        mails_failed: whole(signals.mail.failed.get()),
        memory: memory().map(whole),
    })
}

fn whole(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// Bytes of memory that the process takes; Linux tells.
fn memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kib: u64 = line.trim().trim_end_matches(" kB").parse().ok()?;
    Some(kib * 1024)
}

fn millis(took: Duration) -> u64 {
    u64::try_from(took.as_millis()).unwrap_or(u64::MAX)
}

/// A log is no place for a statement of ten thousand arguments.
fn cut(text: &str) -> String {
    text.chars().take(400).collect()
}
