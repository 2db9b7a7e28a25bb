//! Trace exporter, OTLP over HTTP with JSON: a span for each request, with a child span for each SQL statement. Spans carry the
//! same data as the log: routes and statement texts, but no paths, parameter values or user data.
//!
//! It does not use the OpenTelemetry crates: a dozen dependencies, with a runtime and a tracing API of their own, for a single
//! message type.

use std::fmt;
use std::time::Duration;

use kurso_base::clock::Clock;
use kurso_base::random;
use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot};
use tracing::Subscriber;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Context;
use tracing_subscriber::registry::LookupSpan;

/// The capacity of the queue. Further spans are dropped, so that a hanging collector costs neither memory nor time.
const QUEUE_CAPACITY: usize = 4_096;
/// The maximum number of spans in one message.
const BATCH_SIZE: usize = 512;
/// The interval between messages.
const PERIOD: Duration = Duration::from_secs(2);
/// The timeout of a request to the collector.
const TIMEOUT: Duration = Duration::from_secs(5);

/// The `tracing` targets of the exported spans.
pub const TRACED: [&str; 2] = ["kurso_request", "kurso_sql"];

enum Message {
    Span(Value),
    /// Sends the collected spans, then replies.
    Flush(oneshot::Sender<()>),
}

/// A `tracing` layer that exports spans to the collector.
#[derive(Clone, Debug)]
pub struct Traces(mpsc::Sender<Message>);

impl Traces {
    /// Starts the task that sends spans to `url`, such as `http://collector:4318`. The task runs until the runtime ends.
    pub fn start(url: &str) -> Result<Self, String> {
        // An error means that a provider is already installed, for example by the file store.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = reqwest::Client::builder()
            .timeout(TIMEOUT)
            .build()
            .map_err(|error| error.to_string())?;
        let url = format!("{}/v1/traces", url.trim_end_matches('/'));
        let (sender, receiver) = mpsc::channel(QUEUE_CAPACITY);
        tokio::spawn(send_all(client, url, receiver));
        Ok(Traces(sender))
    }

    /// Waits until the queued spans are sent or sending them has failed, for at most five seconds.
    pub async fn flush(&self) {
        let (done, flushed) = oneshot::channel();
        let all = async {
            if self.0.send(Message::Flush(done)).await.is_ok() {
                let _ = flushed.await; // an error means that the runtime is shutting down
            }
        };
        if tokio::time::timeout(TIMEOUT, all).await.is_err() {
            tracing::warn!("the last traces were not sent");
        }
    }
}

async fn send_all(client: reqwest::Client, url: String, mut messages: mpsc::Receiver<Message>) {
    let mut spans = Vec::new();
    let mut is_failing = false;
    let mut due = tokio::time::Instant::now() + PERIOD;
    loop {
        let mut flushed = None;
        match tokio::time::timeout_at(due, messages.recv()).await {
            Ok(Some(Message::Span(span))) => {
                spans.push(span);
                if spans.len() < BATCH_SIZE {
                    continue;
                }
            }
            Ok(Some(Message::Flush(done))) => flushed = Some(done),
            Ok(None) => return,
            Err(_) => {}
        }
        due = tokio::time::Instant::now() + PERIOD;
        if !spans.is_empty() {
            let sent = client
                .post(&url)
                .json(&message(std::mem::take(&mut spans)))
                .send()
                .await;
            let failure = sent.and_then(reqwest::Response::error_for_status).err();
            if let Some(error) = failure {
                // Once per outage, not for every message.
                if !std::mem::replace(&mut is_failing, true) {
                    tracing::warn!(error = %error.without_url(), "traces could not be sent");
                }
            } else {
                is_failing = false;
            }
        }
        if let Some(done) = flushed {
            let _ = done.send(()); // an error means that `flush` timed out
        }
    }
}

fn message(spans: Vec<Value>) -> Value {
    let service = [
        attribute("service.name", "kurso"),
        attribute("service.version", env!("CARGO_PKG_VERSION")),
    ];
    json!({"resourceSpans": [{
        "resource": {"attributes": service},
        "scopeSpans": [{"scope": {"name": "kurso"}, "spans": spans}],
    }]})
}

fn attribute(key: &str, value: &str) -> Value {
    json!({"key": key, "value": {"stringValue": value}})
}

/// The data of an open span.
struct Open {
    trace: String,
    id: String,
    parent: Option<String>,
    started: i64,
    fields: Fields,
}

/// The recorded fields of a span.
#[derive(Default)]
struct Fields(Vec<(&'static str, String)>);

impl Fields {
    fn get(&self, name: &str) -> Option<&str> {
        self.0
            .iter()
            .find(|(found, _)| *found == name)
            .map(|(_, value)| value.as_str())
    }
}

impl Visit for Fields {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.push((field.name(), value.to_owned()));
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.0.push((field.name(), format!("{value:?}")));
    }
}

/// Nanoseconds since the Unix epoch.
fn now() -> i64 {
    Clock::System.now().timestamp_nanos_opt().unwrap_or_default()
}

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for Traces {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let Some(span) = context.span(id) else { return };
        let mut fields = Fields::default();
        attributes.record(&mut fields);
        let above = span.parent().and_then(|parent| {
            let extensions = parent.extensions();
            extensions
                .get::<Open>()
                .map(|open| (open.trace.clone(), open.id.clone()))
        });
        // A W3C traceparent, `00-TRACE-SPAN-01`, validated where it was recorded: the request continues the client's trace.
        let given = fields.get("traceparent").and_then(|text| {
            let mut parts = text.split('-').skip(1);
            Some((parts.next()?.to_owned(), parts.next()?.to_owned()))
        });
        let (trace, parent) = match above.or(given) {
            Some((trace, parent)) => (trace, Some(parent)),
            None => (random::key(), None),
        };
        let id = format!("{:016x}", random::bits());
        span.extensions_mut().insert(Open {
            trace,
            id,
            parent,
            started: now(),
            fields,
        });
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, context: Context<'_, S>) {
        let Some(span) = context.span(id) else { return };
        let mut extensions = span.extensions_mut();
        if let Some(open) = extensions.get_mut::<Open>() {
            values.record(&mut open.fields);
        }
    }

    fn on_close(&self, id: Id, context: Context<'_, S>) {
        let Some(span) = context.span(&id) else { return };
        let Some(open) = span.extensions_mut().remove::<Open>() else {
            return;
        };
        let is_request = span.name() == "request";
        let name = match (open.fields.get("method"), open.fields.get("route")) {
            (Some(method), Some(route)) => format!("{method} {route}"),
            _ => span.name().to_owned(),
        };
        let is_fault = open.fields.get("answer").is_some_and(|status| status.starts_with('5'));
        let names = [
            ("method", "http.request.method"),
            ("route", "http.route"),
            ("answer", "http.response.status_code"),
            ("id", "kurso.request_id"),
            ("text", "db.query.text"),
        ];
        let attributes = names
            .iter()
            .filter_map(|(ours, theirs)| Some(attribute(theirs, open.fields.get(ours)?)));
        let mut written = json!({
            "traceId": open.trace,
            "spanId": open.id,
            "name": name,
            "kind": if is_request { 2 } else { 3 }, // SPAN_KIND_SERVER, SPAN_KIND_CLIENT
            "startTimeUnixNano": open.started.to_string(),
            "endTimeUnixNano": now().to_string(),
            "attributes": attributes.collect::<Vec<_>>(),
            "status": {"code": if is_fault { 2 } else { 0 }},
        });
        if let (Some(parent), Some(fields)) = (open.parent, written.as_object_mut()) {
            fields.insert("parentSpanId".to_owned(), parent.into());
        }
        let _ = self.0.try_send(Message::Span(written)); // when the queue is full, the span is dropped
    }
}
