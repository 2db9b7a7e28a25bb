//! Traces by OTLP over HTTP, in its JSON form: a span for each request and, in it, one for each SQL statement. What the spans say is
//! what the log says: routes and texts of statements, no paths, no values, nobody.
//!
//! Our own writer of one message: the crates of OpenTelemetry are a dozen, with a runtime and a second tracing of their own.

use std::fmt;
use std::time::Duration;

use kurso_core::clock::Clock;
use kurso_core::random;
use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot};
use tracing::Subscriber;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Context;
use tracing_subscriber::registry::LookupSpan;

/// Spans that wait to be sent; more are dropped, for a collector that hangs must cost neither memory nor time.
const WAITING: usize = 4_096;
/// Spans in one message.
const AT_ONCE: usize = 512;
/// How long spans are gathered.
const PERIOD: Duration = Duration::from_secs(2);
/// How long the collector may take.
const PATIENCE: Duration = Duration::from_secs(5);

/// The targets of the spans that are traced.
pub const TRACED: [&str; 2] = ["kurso_request", "kurso_sql"];

enum Word {
    Span(Value),
    /// Send what there is, and say so.
    Flush(oneshot::Sender<()>),
}

/// Takes spans to the collector.
#[derive(Clone, Debug)]
pub struct Traces(mpsc::Sender<Word>);

impl Traces {
    /// `url`: the collector, such as `http://collector:4318`. Runs until the runtime ends.
    pub fn start(url: &str) -> Result<Self, String> {
        // As the store of the files does: again is fine.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = reqwest::Client::builder()
            .timeout(PATIENCE)
            .build()
            .map_err(|error| error.to_string())?;
        let url = format!("{}/v1/traces", url.trim_end_matches('/'));
        let (sender, receiver) = mpsc::channel(WAITING);
        tokio::spawn(send_all(client, url, receiver));
        Ok(Traces(sender))
    }

    /// Waits until what there is has been sent, or could not.
    pub async fn flush(&self) {
        let (done, heard) = oneshot::channel();
        let all = async {
            if self.0.send(Word::Flush(done)).await.is_ok() {
                let _ = heard.await; // the sender is gone when the runtime ends
            }
        };
        if tokio::time::timeout(PATIENCE, all).await.is_err() {
            tracing::warn!("the last traces were not sent");
        }
    }
}

async fn send_all(client: reqwest::Client, url: String, mut words: mpsc::Receiver<Word>) {
    let mut spans = Vec::new();
    let mut is_failing = false;
    let mut due = tokio::time::Instant::now() + PERIOD;
    loop {
        let mut asked = None;
        match tokio::time::timeout_at(due, words.recv()).await {
            Ok(Some(Word::Span(span))) => {
                spans.push(span);
                if spans.len() < AT_ONCE {
                    continue;
                }
            }
            Ok(Some(Word::Flush(done))) => asked = Some(done),
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
                // Once, not every two seconds.
                if !std::mem::replace(&mut is_failing, true) {
                    tracing::warn!(error = %error.without_url(), "traces could not be sent");
                }
            } else {
                is_failing = false;
            }
        }
        if let Some(done) = asked {
            let _ = done.send(()); // nobody waits any more
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

/// A span under way.
struct Open {
    trace: String,
    id: String,
    parent: Option<String>,
    started: i64,
    fields: Fields,
}

/// What a span says of itself.
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

/// Nanoseconds since 1970.
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
        // `00-TRACE-SPAN-01`, checked by who recorded it: the request is a part of somebody else's trace.
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
            "kind": if is_request { 2 } else { 3 }, // of a server, of a client
            "startTimeUnixNano": open.started.to_string(),
            "endTimeUnixNano": now().to_string(),
            "attributes": attributes.collect::<Vec<_>>(),
            "status": {"code": if is_fault { 2 } else { 0 }},
        });
        if let (Some(parent), Some(fields)) = (open.parent, written.as_object_mut()) {
            fields.insert("parentSpanId".to_owned(), parent.into());
        }
        let _ = self.0.try_send(Word::Span(written)); // a full queue loses spans, not requests
    }
}
