//! Initialises logging to standard error (standard output carries the results of commands) and, when configured, tracing.

use tracing_subscriber::filter::{EnvFilter, filter_fn};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{Layer as _, fmt};

use crate::config::{LogFormat, Settings};
use crate::traces::{TRACED, Traces};

/// Installs the global subscriber. Returns the trace exporter when `KURSO_OTLP_URL` is set. Access log, slow statements and slow
/// requests have their own settings and are logged regardless of the filter.
pub fn start(settings: &Settings) -> Result<Option<Traces>, String> {
    let mut filter = EnvFilter::builder()
        .with_default_directive(tracing::Level::INFO.into())
        .parse_lossy(&settings.log);
    let wanted = [
        (settings.access_log.is_on(), "access=info"),
        (settings.slow_query.0.is_some(), "slow_query=warn"),
        (settings.slow_request.0.is_some(), "slow_request=warn"),
        // These spans add the request ID to the log lines of a request.
        (true, "kurso_request=info"),
        (true, "kurso_sql=off"),
    ];
    for (_, directive) in wanted.iter().filter(|(is_wanted, _)| *is_wanted) {
        if let Ok(directive) = directive.parse() {
            filter = filter.add_directive(directive);
        }
    }
    let lines = fmt::layer().with_writer(std::io::stderr);
    let lines = match settings.log_format {
        LogFormat::Text => lines.with_target(false).boxed(),
        LogFormat::Json => lines.json().with_current_span(true).with_span_list(false).boxed(),
    };
    let traces = settings.otlp_url.as_deref().map(Traces::start).transpose()?;
    let is_traced = filter_fn(|of| of.is_span() && TRACED.contains(&of.target()));
    tracing_subscriber::registry()
        .with(lines.with_filter(filter))
        .with(traces.as_ref().map(|traces| traces.layer().with_filter(is_traced)))
        .init();
    Ok(traces)
}
