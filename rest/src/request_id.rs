//! Request ids in the log and in the response header, the metrics of each request, and the access log. None of them contains personal
//! data: the route instead of the path, no address, no person.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::{MatchedPath, Request};
use axum::response::Response;
use http::{HeaderName, HeaderValue, Method};
use kurso_core::Kurso;
use kurso_core::metrics::OperationName;
use opentelemetry::Context;
use opentelemetry::trace::{SpanContext, SpanId, TraceContextExt as _, TraceFlags, TraceId, TraceState};
use tracing::Instrument as _;
use tracing::field::Empty;
use tracing_opentelemetry::OpenTelemetrySpanExt as _;
use uuid::Uuid;

use crate::Options;

pub const HEADER: HeaderName = HeaderName::from_static("x-request-id");

/// The route of the web app, whose paths have none of their own.
const APP: &str = "app";

/// Logs requests and counts them in the metrics.
pub struct RequestLog {
    kurso: Arc<Kurso>,
    access_log: bool,
    slow: Option<Duration>,
}

impl RequestLog {
    pub fn new(kurso: Arc<Kurso>, options: &Options) -> Self {
        RequestLog {
            kurso,
            access_log: options.access_log,
            slow: options.slow_request,
        }
    }
}

pub async fn handle<F>(log: &RequestLog, request: Request, next: impl FnOnce(Request) -> F) -> Response
where
    F: Future<Output = Response>,
{
    let started = Instant::now();
    let id = Uuid::now_v7().to_string();
    let method = known(request.method());
    // The route, not the path: the key in the path of a file grants the right to read it.
    let route = request.extensions().get::<MatchedPath>().cloned();
    let route = route.as_ref().map_or(APP, MatchedPath::as_str);
    let traceparent = request.headers().get("traceparent").and_then(trace_parent);
    let span = tracing::info_span!(
        target: "kurso_request",
        "request",
        %id,
        method,
        route,
        traceparent,
        answer = Empty
    );
    if let Some(parent) = traceparent.and_then(remote_span) {
        // An error means that no collector is configured.
        let _ = span.set_parent(Context::new().with_remote_span_context(parent));
    }
    let running = log.kurso.metrics.begin();
    let mut response = next(request).instrument(span.clone()).await;
    drop(running);
    let (took, status) = (started.elapsed(), response.status().as_u16());
    log.kurso.metrics.record_response(method, route, status, took);
    let operation = response.extensions_mut().remove::<OperationName>();
    let operation = operation.as_ref().map_or("", |OperationName(name)| name);
    let millis = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
    span.record("answer", status);
    span.in_scope(|| {
        if log.access_log {
            tracing::info!(target: "access", status, millis, operation, "answered");
        }
        if log.slow.is_some_and(|slow| took > slow) {
            tracing::warn!(target: "slow_request", status, millis, operation, "a request was slow");
        }
    });
    if let Ok(id) = HeaderValue::try_from(id) {
        response.headers_mut().insert(HEADER, id);
    }
    response
}

/// `00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01`: the trace that a request is a part of (W3C Trace Context).
fn trace_parent(value: &HeaderValue) -> Option<&str> {
    let text = value.to_str().ok()?;
    let lengths: Vec<usize> = text.split('-').map(str::len).collect();
    let is_hex = text
        .bytes()
        .all(|byte| byte == b'-' || byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte));
    (lengths == [2, 32, 16, 2] && is_hex).then_some(text)
}

/// Returns the caller's span, of which the request is a child.
fn remote_span(traceparent: &str) -> Option<SpanContext> {
    let mut parts = traceparent.split('-').skip(1);
    let trace = TraceId::from_hex(parts.next()?).ok()?;
    let span = SpanId::from_hex(parts.next()?).ok()?;
    Some(SpanContext::new(
        trace,
        span,
        TraceFlags::SAMPLED,
        true,
        TraceState::NONE,
    ))
}

/// Maps the methods that a client can invent to one name, because each name has counters of its own.
fn known(method: &Method) -> &'static str {
    match method.as_str() {
        "GET" => "GET",
        "HEAD" => "HEAD",
        "POST" => "POST",
        "PUT" => "PUT",
        "PATCH" => "PATCH",
        "DELETE" => "DELETE",
        "OPTIONS" => "OPTIONS",
        _ => "other",
    }
}
