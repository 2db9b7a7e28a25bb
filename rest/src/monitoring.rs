//! Monitoring endpoints outside the API: liveness (`/healthz`), readiness (`/readyz`), metrics (`/metrics`). They are exempt from load
//! shedding.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use axum::extract::{ConnectInfo, Request, State};
use axum::middleware::map_response;
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use axum::{Json, Router};
use http::{HeaderMap, StatusCode, header};
use kurso_core::Kurso;
use kurso_core::health::{self, Health};
use kurso_core::jobs;
use serde_json::json;
use tokio::sync::Mutex;

use crate::layers::add_headers;

/// How long `/metrics` waits for the database.
const JOBS_TIMEOUT: Duration = Duration::from_secs(2);

/// How long `/readyz` repeats its last result, so that frequent probes cost nothing.
const READY_CACHE: Duration = Duration::from_secs(1);

/// The media type of OpenMetrics.
const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Headers that a proxy adds. A request with one of them does not come from this machine, even if the proxy runs on it.
const FORWARDED: [&str; 5] = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via"];

/// The state of the monitoring endpoints.
#[derive(Clone)]
pub struct Monitoring {
    kurso: Arc<Kurso>,
    /// The token that opens `/metrics` to other machines.
    token: Option<Arc<str>>,
    sockets: Arc<dyn Fn() -> usize + Send + Sync>,
    stopping: Arc<AtomicBool>,
    last: Arc<Mutex<Option<(Instant, Health)>>>,
}

impl Monitoring {
    /// `token`: opens `/metrics` to other machines; `sockets`: returns the number of open WebSockets.
    pub fn new(kurso: Arc<Kurso>, token: Option<&str>, sockets: impl Fn() -> usize + Send + Sync + 'static) -> Self {
        Monitoring {
            kurso,
            token: token.map(Into::into),
            sockets: Arc::new(sockets),
            stopping: Arc::default(),
            last: Arc::default(),
        }
    }

    /// Makes `/readyz` return 503 from now on.
    pub fn stop(&self) {
        self.stopping.store(true, Ordering::Relaxed);
    }

    pub fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Relaxed)
    }
}

/// The routes of the three endpoints. They stay outside of [`crate::with_layers`], whose load shedding could reject them.
pub fn monitoring_router(monitoring: Monitoring) -> Router {
    Router::new()
        .route("/healthz", get(healthz))
        .route("/readyz", get(readyz))
        .route("/metrics", get(metrics))
        .layer(map_response(with_headers))
        .with_state(monitoring)
}

/// Without HSTS, which is for browsers.
async fn with_headers(mut response: Response) -> Response {
    add_headers(response.headers_mut(), false);
    response
}

async fn healthz() -> Response {
    plain(StatusCode::OK, "ok\n")
}

async fn readyz(State(monitoring): State<Monitoring>) -> Response {
    let mut last = monitoring.last.lock().await;
    let health = match *last {
        Some((at, health)) if at.elapsed() < READY_CACHE => health,
        _ => {
            let health = health::check(&monitoring.kurso).await;
            *last = Some((Instant::now(), health));
            health
        }
    };
    drop(last);
    let is_stopping = monitoring.is_stopping();
    let is_ready = health.is_good() && !is_stopping;
    let status = if is_ready {
        StatusCode::OK
    } else {
        StatusCode::SERVICE_UNAVAILABLE
    };
    let body = json!({
        "ready": is_ready,
        "stopping": is_stopping,
        "database": health.database.name(),
        "migrations": health.migrations.name(),
        "files": health.files.name(),
    });
    let mut response = (status, [(header::CACHE_CONTROL, "no-store")], Json(body)).into_response();
    if !is_ready {
        let one_second = http::HeaderValue::from_static("1");
        response.headers_mut().insert(header::RETRY_AFTER, one_second);
    }
    response
}

async fn metrics(State(monitoring): State<Monitoring>, request: Request) -> Response {
    if !may_read(&monitoring, &request) {
        let text = "/metrics is for this machine, or for who sends the token of KURSO_METRICS_TOKEN.\n";
        return plain(StatusCode::FORBIDDEN, text);
    }
    monitoring.kurso.metrics.sockets((monitoring.sockets)());
    // Without the database the other metrics are still reported, and those of jobs keep their last values.
    let queues = tokio::time::timeout(JOBS_TIMEOUT, jobs::metrics::queues(&monitoring.kurso)).await;
    if !matches!(queues, Ok(Ok(_))) {
        tracing::debug!("the metrics of the job queues could not be read");
    }
    let text = monitoring.kurso.metrics.text(&monitoring.kurso.db);
    let headers = [
        (header::CONTENT_TYPE, OPEN_METRICS),
        (header::CACHE_CONTROL, "no-store"),
    ];
    (headers, text).into_response()
}

fn may_read(monitoring: &Monitoring, request: &Request) -> bool {
    if let Some(token) = &monitoring.token
        && bearer(request.headers()).is_some_and(|sent| is_equal(sent.as_bytes(), token.as_bytes()))
    {
        return true;
    }
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>();
    let is_here = peer.is_some_and(|ConnectInfo(peer)| peer.ip().to_canonical().is_loopback());
    is_here
        && names_this_machine(request.headers())
        && !FORWARDED.iter().any(|name| request.headers().contains_key(*name))
}

/// Whether the `Host` header is `localhost` or a loopback address. A proxy on this machine that adds no header of its own still
/// passes on the host that its client named.
fn names_this_machine(headers: &HeaderMap) -> bool {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let Some(authority) = host.and_then(|host| host.parse::<http::uri::Authority>().ok()) else {
        return false;
    };
    let name = authority.host().trim_start_matches('[').trim_end_matches(']');
    name.eq_ignore_ascii_case("localhost") || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token.trim())
}

/// Compares in constant time.
fn is_equal(one: &[u8], other: &[u8]) -> bool {
    one.len() == other.len() && one.iter().zip(other).fold(0, |different, (a, b)| different | (a ^ b)) == 0
}

fn plain(status: StatusCode, text: &'static str) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "text/plain; charset=utf-8"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    (status, headers, text).into_response()
}
