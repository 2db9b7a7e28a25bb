//! Trace exporter, OTLP over HTTP with JSON: a span for each request, with a child span for each SQL statement. Spans carry the
//! same data as the log: routes and statement texts, but no paths, parameter values or user data.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use opentelemetry::trace::{SpanKind, Status, TracerProvider as _};
use opentelemetry::{KeyValue, Value};
use opentelemetry_otlp::{Protocol, WithExportConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::trace::{
    BatchConfigBuilder, BatchSpanProcessor, Sampler, SdkTracerProvider, SpanData, SpanExporter,
};
use tracing::Subscriber;
use tracing_subscriber::Layer;
use tracing_subscriber::registry::LookupSpan;

/// The capacity of the queue. Further spans are dropped, so that a hanging collector costs neither memory nor time.
const QUEUE_CAPACITY: usize = 4_096;
/// The maximum number of spans in one message.
const BATCH_SIZE: usize = 512;
/// The interval between messages.
const PERIOD: Duration = Duration::from_secs(2);
/// The timeout of a request to the collector, and of the flush at the end.
const TIMEOUT: Duration = Duration::from_secs(5);

/// The `tracing` targets of the exported spans.
pub const TRACED: [&str; 2] = ["kurso_request", "kurso_sql"];

/// Fields of our spans, which the log shows too, and their names in OpenTelemetry's semantic conventions.
const NAMES: [(&str, &str); 5] = [
    ("method", "http.request.method"),
    ("route", "http.route"),
    ("answer", "http.response.status_code"),
    ("id", "kurso.request_id"),
    ("text", "db.query.text"),
];

/// Exports spans to a collector. A thread of its own sends them in batches.
#[derive(Clone, Debug)]
pub struct Traces(SdkTracerProvider);

impl Traces {
    /// Starts the exporter for the collector at `url`, such as `http://collector:4318`.
    pub fn start(url: &str) -> Result<Self, String> {
        // An error means that a provider is already installed, for example by the file store.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let exporter = opentelemetry_otlp::SpanExporter::builder()
            .with_http()
            .with_protocol(Protocol::HttpJson)
            .with_endpoint(format!("{}/v1/traces", url.trim_end_matches('/')))
            .with_timeout(TIMEOUT)
            .build()
            .map_err(|error| error.to_string())?;
        let exporter = Conventional {
            exporter,
            is_failing: AtomicBool::new(false),
        };
        let batches = BatchConfigBuilder::default()
            .with_max_queue_size(QUEUE_CAPACITY)
            .with_max_export_batch_size(BATCH_SIZE)
            .with_scheduled_delay(PERIOD)
            .build();
        let service = Resource::builder_empty().with_attributes([
            KeyValue::new("service.name", "kurso"),
            KeyValue::new("service.version", env!("CARGO_PKG_VERSION")),
        ]);
        let provider = SdkTracerProvider::builder()
            .with_span_processor(BatchSpanProcessor::builder(exporter).with_batch_config(batches).build())
            .with_sampler(Sampler::AlwaysOn)
            .with_resource(service.build());
        Ok(Traces(provider.build()))
    }

    /// Returns the `tracing` layer that records spans for the exporter.
    pub fn layer<S: Subscriber + for<'a> LookupSpan<'a>>(&self) -> impl Layer<S> + use<S> {
        tracing_opentelemetry::layer()
            .with_tracer(self.0.tracer("kurso"))
            .with_location(false)
            .with_threads(false)
            .with_target(false)
            .with_tracked_inactivity(false)
    }

    /// Waits until the queued spans are sent or sending them has failed, for at most five seconds.
    pub async fn flush(self) {
        let provider = self.0;
        let sent = tokio::task::spawn_blocking(move || provider.shutdown_with_timeout(TIMEOUT)).await;
        if !matches!(sent, Ok(Ok(()))) {
            tracing::warn!("the last traces were not sent");
        }
    }
}

/// Gives spans the names of the semantic conventions before it exports them, and logs once per outage that they cannot be sent.
#[derive(Debug)]
struct Conventional {
    exporter: opentelemetry_otlp::SpanExporter,
    is_failing: AtomicBool,
}

impl SpanExporter for Conventional {
    async fn export(&self, mut batch: Vec<SpanData>) -> OTelSdkResult {
        batch.iter_mut().for_each(apply_conventions);
        let sent = self.exporter.export(batch).await;
        let was_failing = self.is_failing.swap(sent.is_err(), Ordering::Relaxed);
        if sent.is_err() && !was_failing {
            tracing::warn!("traces could not be sent");
        }
        sent
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.exporter.shutdown_with_timeout(timeout)
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.exporter.set_resource(resource);
    }
}

fn apply_conventions(span: &mut SpanData) {
    let attributes = std::mem::take(&mut span.attributes);
    let value = |name: &str| {
        let found = attributes.iter().find(|attribute| attribute.key.as_str() == name);
        found.map(|attribute| attribute.value.clone())
    };
    let is_request = span.name == "request";
    span.span_kind = if is_request { SpanKind::Server } else { SpanKind::Client };
    if let Some((method, route)) = value("method").zip(value("route")) {
        span.name = format!("{method} {route}").into();
    }
    if matches!(value("answer"), Some(Value::I64(500..))) {
        span.status = Status::error("");
    }
    let renamed = NAMES
        .iter()
        .filter_map(|(ours, theirs)| Some(KeyValue::new(*theirs, value(ours)?)));
    span.attributes = renamed.collect();
}
