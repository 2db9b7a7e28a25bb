//! The log: to standard error, for standard output is for what a command answers.

use tracing_subscriber::EnvFilter;

use crate::config::{LogFormat, Settings};

/// Starts it. What has a setting of its own is logged whatever the filter says.
pub fn start(settings: &Settings) {
    let mut filter = EnvFilter::builder()
        .with_default_directive(tracing::Level::INFO.into())
        .parse_lossy(&settings.log);
    let wanted = [
        (settings.access_log.is_on(), "access=info"),
        (settings.slow_query.0.is_some(), "slow_query=warn"),
        (settings.slow_request.0.is_some(), "slow_request=warn"),
        (
            settings.access_log.is_on() || settings.log_format == LogFormat::Json,
            "kurso_rest::request_id=info",
        ),
    ];
    for (_, directive) in wanted.iter().filter(|(is_wanted, _)| *is_wanted) {
        if let Ok(directive) = directive.parse() {
            filter = filter.add_directive(directive);
        }
    }
    let subscriber = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr);
    match settings.log_format {
        LogFormat::Text => subscriber.with_target(false).init(),
        LogFormat::Json => subscriber.json().with_current_span(true).with_span_list(false).init(),
    }
}
