//! Metrics of this node: Prometheus text for `/metrics`, and the status shown to administrators. All labels come from
//! bounded sets (routes, GraphQL root fields, outcomes); none holds a person, a token or user text.

mod status;

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

use chrono::{DateTime, Utc};
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

use crate::Kurso;
use crate::jobs::metrics::JobMetrics;
use kurso_base::error::{Error, Result};
use kurso_db::metrics::{SqlMetrics, Timing};

pub use status::{Status, status};

/// Histogram buckets of request durations, in seconds.
const REQUESTS: [f64; 11] = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0, 30.0];
/// Counts of sent and failed mails.
#[derive(Debug, Default)]
pub struct MailMetrics {
    pub(crate) sent: Counter,
    pub(crate) failed: Counter,
}

/// Counts of sent and failed pushes, and of devices that no longer exist.
#[derive(Debug, Default)]
pub struct PushMetrics {
    pub(crate) sent: Counter,
    pub(crate) failed: Counter,
    pub(crate) gone: Counter,
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

/// The name of a GraphQL operation, from a bounded set. Attached to the response for the request log.
#[derive(Clone, Debug)]
pub struct OperationName(pub String);

type DurationFamily<L> = Family<L, Histogram, fn() -> Histogram>;

/// All metrics of this node.
#[derive(Debug)]
pub struct Metrics {
    registry: Registry,
    started_at: DateTime<Utc>,
    sql: Arc<SqlMetrics>,
    mail: Arc<MailMetrics>,
    push: Arc<PushMetrics>,
    responses: Family<Answer, Counter>,
    response_times: DurationFamily<Route>,
    operations: Family<Operation, Counter>,
    operation_times: DurationFamily<Operation>,
    logins: Family<Outcome, Counter>,
    uploads: Family<Outcome, Counter>,
    uploaded: Counter,
    shed: Counter,
    pool: [Family<PoolName, Gauge>; 3],
    sockets: Gauge,
    subscriptions: Gauge,
    running: Gauge,
    memory: Gauge,
    /// Totals for [`Status`], which cannot be read from the families above.
    response_count: AtomicU64,
    faults: AtomicU64,
    time: Timing,
    logged_in: AtomicU64,
    login_failed: AtomicU64,
    files: AtomicU64,
    in_flight: AtomicI64,
}

impl Metrics {
    pub(crate) fn new(
        sql: Arc<SqlMetrics>,
        mail: Arc<MailMetrics>,
        push: Arc<PushMetrics>,
        jobs: &JobMetrics,
        started_at: DateTime<Utc>,
    ) -> Self {
        let response_times = || Histogram::new(REQUESTS);
        let mut metrics = Metrics {
            registry: Registry::with_prefix("kurso"),
            started_at,
            sql,
            mail,
            push,
            responses: Family::default(),
            response_times: Family::new_with_constructor(response_times),
            operations: Family::default(),
            operation_times: Family::new_with_constructor(response_times),
            logins: Family::default(),
            uploads: Family::default(),
            uploaded: Counter::default(),
            shed: Counter::default(),
            pool: Default::default(),
            sockets: Gauge::default(),
            subscriptions: Gauge::default(),
            running: Gauge::default(),
            memory: Gauge::default(),
            response_count: AtomicU64::new(0),
            faults: AtomicU64::new(0),
            time: Timing::new(&REQUESTS),
            logged_in: AtomicU64::new(0),
            login_failed: AtomicU64::new(0),
            files: AtomicU64::new(0),
            in_flight: AtomicI64::new(0),
        };
        metrics.register();
        jobs.register(&mut metrics.registry);
        metrics
    }

    fn register(&mut self) {
        let registry = &mut self.registry;
        registry.register("http_requests", "Responses by route and status", self.responses.clone());
        let help = "Response times by route";
        registry.register_with_unit(
            "http_request_duration",
            help,
            Unit::Seconds,
            self.response_times.clone(),
        );
        registry.register("http_requests_running", "Requests being handled", self.running.clone());
        registry.register(
            "http_requests_shed",
            "Requests rejected because of overload",
            self.shed.clone(),
        );
        let help = "GraphQL operations by root field and outcome";
        registry.register("graphql_operations", help, self.operations.clone());
        let help = "Durations of GraphQL operations by root field and outcome";
        registry.register_with_unit(
            "graphql_operation_duration",
            help,
            Unit::Seconds,
            self.operation_times.clone(),
        );
        registry.register("graphql_sockets", "Open WebSockets", self.sockets.clone());
        registry.register(
            "graphql_subscriptions",
            "Active subscriptions",
            self.subscriptions.clone(),
        );
        self.sql.register(registry);
        let [size, used, waiting] = &self.pool;
        registry.register("sql_pool_connections", "Open database connections", size.clone());
        registry.register(
            "sql_pool_connections_in_use",
            "Database connections in use",
            used.clone(),
        );
        registry.register(
            "sql_pool_waiting",
            "Callers waiting for a database connection",
            waiting.clone(),
        );
        registry.register("logins", "Login attempts by outcome", self.logins.clone());
        registry.register("uploads", "Uploads by outcome", self.uploads.clone());
        registry.register_with_unit("uploaded", "Uploaded data", Unit::Bytes, self.uploaded.clone());
        registry.register("mails_sent", "Mails sent", self.mail.sent.clone());
        registry.register("pushes_sent", "Pushes sent", self.push.sent.clone());
        let help = "Pushes that were not sent and will not be retried";
        registry.register("pushes_failed", help, self.push.failed.clone());
        let help = "Devices removed because their push service no longer knows them";
        registry.register("push_devices_gone", help, self.push.gone.clone());
        registry.register(
            "mails_failed",
            "Mails that failed permanently",
            self.mail.failed.clone(),
        );
        registry.register_with_unit(
            "resident_memory",
            "Resident memory of the process",
            Unit::Bytes,
            self.memory.clone(),
        );
        let start: Gauge = Gauge::default();
        start.set(self.started_at.timestamp());
        registry.register_with_unit(
            "start_time",
            "Start time of the process as Unix time",
            Unit::Seconds,
            start,
        );
    }

    /// Counts a request as running until the returned guard is dropped.
    pub fn begin(&self) -> InFlight<'_> {
        self.in_flight.fetch_add(1, Ordering::Relaxed);
        InFlight(self)
    }

    /// Records a response. `route` is the route's pattern, not the request's path.
    pub fn record_response(&self, method: &'static str, route: &str, status: u16, took: Duration) {
        let route = route.to_owned();
        let key = Route {
            method,
            route: route.clone(),
        };
        self.response_times.get_or_create(&key).observe(took.as_secs_f64());
        let status = u32::from(status);
        self.responses.get_or_create(&Answer { method, route, status }).inc();
        self.time.observe(took);
        self.response_count.fetch_add(1, Ordering::Relaxed);
        if status >= 500 {
            self.faults.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Counts a request that was rejected because of overload.
    pub fn shed(&self) {
        self.shed.inc();
    }

    /// Records a GraphQL operation. `name` comes from a bounded set.
    pub fn operation(&self, name: &str, is_ok: bool, took: Duration) {
        let outcome = if is_ok { "ok" } else { "refused" };
        let operation = name.to_owned();
        let key = Operation { operation, outcome };
        self.operation_times.get_or_create(&key).observe(took.as_secs_f64());
        self.operations.get_or_create(&key).inc();
    }

    /// Counts a login attempt by its outcome.
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

    /// Counts an upload: its size in bytes, or None if it was rejected.
    pub(crate) fn upload(&self, size: Option<u64>) {
        let outcome = if size.is_some() { "ok" } else { "refused" };
        self.uploads.get_or_create(&Outcome { outcome }).inc();
        if let Some(size) = size {
            self.uploaded.inc_by(size);
            self.files.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Sets the number of open WebSockets.
    pub fn sockets(&self, open: usize) {
        self.sockets.set(i64::try_from(open).unwrap_or(i64::MAX));
    }

    /// Counts a subscription as running until the returned guard is dropped.
    pub fn subscription(kurso: &Arc<Kurso>) -> Subscribed {
        kurso.metrics.subscriptions.inc();
        Subscribed(kurso.clone())
    }

    /// All metrics in OpenMetrics text format.
    pub fn text(&self, db: &kurso_db::Db) -> String {
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
        let _ = encode(&mut text, &self.registry);
        text
    }
}

/// Guard of a running request.
pub struct InFlight<'a>(&'a Metrics);

impl Drop for InFlight<'_> {
    fn drop(&mut self) {
        self.0.in_flight.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Guard of a running subscription.
pub struct Subscribed(Arc<Kurso>);

impl Drop for Subscribed {
    fn drop(&mut self) {
        self.0.metrics.subscriptions.dec();
    }
}

fn saturating(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// Resident memory in bytes, from Linux's `/proc`.
fn memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kib: u64 = line.trim().trim_end_matches(" kB").parse().ok()?;
    Some(kib * 1024)
}
