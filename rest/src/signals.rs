//! Monitoring endpoints outside the API: liveness (`/healthz`), readiness (`/readyz`), metrics (`/metrics`). They are exempt from load
//! shedding.

use std::net::SocketAddr;
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

use crate::around::add_headers;

/// How long `/metrics` waits for the database.
const JOBS_PATIENCE: Duration = Duration::from_secs(2);

/// An answer of `/readyz` is given again for so long: whoever asks too often asks the memory.
const FRESH: Duration = Duration::from_secs(1);

/// How OpenMetrics are announced.
const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// What a proxy adds: who comes through one is not on this machine, wherever the proxy is.
const FORWARDED: [&str; 5] = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via"];

/// What the watchers' answers are made of.
#[derive(Clone)]
pub struct Watched {
    kurso: Arc<Kurso>,
    /// Opens `/metrics` to others than this machine.
    token: Option<Arc<str>>,
    sockets: Arc<dyn Fn() -> usize + Send + Sync>,
    stopping: Arc<AtomicBool>,
    last: Arc<Mutex<Option<(Instant, Health)>>>,
}

impl Watched {
    /// `sockets`: how many WebSockets are open.
    pub fn new(kurso: Arc<Kurso>, token: Option<&str>, sockets: impl Fn() -> usize + Send + Sync + 'static) -> Self {
        Watched {
            kurso,
            token: token.map(Into::into),
            sockets: Arc::new(sockets),
            stopping: Arc::default(),
            last: Arc::default(),
        }
    }

    /// From now on the server is not ready.
    pub fn stop(&self) {
        self.stopping.store(true, Ordering::Relaxed);
    }

    pub fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Relaxed)
    }
}

/// The three routes. Not to be put into [`crate::around`], which may refuse them.
pub fn router(watched: Watched) -> Router {
    Router::new()
        .route("/healthz", get(healthz))
        .route("/readyz", get(readyz))
        .route("/metrics", get(metrics))
        .layer(map_response(told))
        .with_state(watched)
}

/// To keep to TLS is said with the answers that people get.
async fn told(mut response: Response) -> Response {
    add_headers(response.headers_mut(), false);
    response
}

async fn healthz() -> Response {
    plain(StatusCode::OK, "ok\n")
}

async fn readyz(State(watched): State<Watched>) -> Response {
    let mut last = watched.last.lock().await;
    let health = match *last {
        Some((at, health)) if at.elapsed() < FRESH => health,
        _ => {
            let health = health::check(&watched.kurso).await;
            *last = Some((Instant::now(), health));
            health
        }
    };
    drop(last);
    let is_stopping = watched.is_stopping();
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
        let soon = http::HeaderValue::from_static("1");
        response.headers_mut().insert(header::RETRY_AFTER, soon);
    }
    response
}

async fn metrics(State(watched): State<Watched>, request: Request) -> Response {
    if !may_read(&watched, &request) {
        let said = "/metrics is for this machine, or for who sends the token of KURSO_METRICS_TOKEN.\n";
        return plain(StatusCode::FORBIDDEN, said);
    }
    watched.kurso.metrics.sockets((watched.sockets)());
    // A database that is away is no reason to tell nothing: then jobs are as they were last seen.
    let asked = tokio::time::timeout(JOBS_PATIENCE, jobs::metrics::queues(&watched.kurso)).await;
    if !matches!(asked, Ok(Ok(_))) {
        tracing::debug!("how the queues of jobs are could not be seen");
    }
    let text = watched.kurso.metrics.text(&watched.kurso.db);
    let headers = [
        (header::CONTENT_TYPE, OPEN_METRICS),
        (header::CACHE_CONTROL, "no-store"),
    ];
    (headers, text).into_response()
}

fn may_read(watched: &Watched, request: &Request) -> bool {
    if let Some(token) = &watched.token
        && bearer(request.headers()).is_some_and(|sent| is_same(sent.as_bytes(), token.as_bytes()))
    {
        return true;
    }
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>();
    let is_here = peer.is_some_and(|ConnectInfo(peer)| peer.ip().to_canonical().is_loopback());
    is_here && !FORWARDED.iter().any(|name| request.headers().contains_key(*name))
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token.trim())
}

/// In a time that does not tell where they differ.
fn is_same(one: &[u8], other: &[u8]) -> bool {
    one.len() == other.len() && one.iter().zip(other).fold(0, |different, (a, b)| different | (a ^ b)) == 0
}

fn plain(status: StatusCode, text: &'static str) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "text/plain; charset=utf-8"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    (status, headers, text).into_response()
}
