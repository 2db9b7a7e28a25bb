//! Parsers of setting values. Every error says what is expected.

use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use chrono::TimeDelta;

/// `on` or `off`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Switch {
    On,
    Off,
}

impl Switch {
    pub fn is_on(self) -> bool {
        self == Switch::On
    }
}

/// A time, or None for `off`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limit(pub Option<Duration>);

/// The format of the log.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LogFormat {
    Text,
    Json,
}

/// `on` or `off`; also `1` or `0`, `true` or `false`.
pub fn switch(text: &str) -> Result<Switch, String> {
    match text.trim() {
        "on" | "1" | "true" => Ok(Switch::On),
        "off" | "0" | "false" => Ok(Switch::Off),
        _ => Err("on or off is expected".to_owned()),
    }
}

pub fn log_format(text: &str) -> Result<LogFormat, String> {
    match text.trim() {
        "text" => Ok(LogFormat::Text),
        "json" => Ok(LogFormat::Json),
        _ => Err("text or json is expected".to_owned()),
    }
}

pub fn address(text: &str) -> Result<SocketAddr, String> {
    let text = text.trim();
    text.parse()
        .map_err(|_| "an address and a port such as 127.0.0.1:8000 are expected".to_owned())
}

pub fn ip(text: &str) -> Result<IpAddr, String> {
    let text = text.trim();
    text.parse()
        .map_err(|_| "addresses such as 10.0.0.1, separated by commas, are expected".to_owned())
}

/// An origin such as `https://school.example`, without a path; or the empty string.
pub fn origin(text: &str) -> Result<String, String> {
    let text = text.trim();
    let is_origin = |url: url::Url| url.origin().ascii_serialization() == text;
    if text.is_empty() || url::Url::parse(text).is_ok_and(is_origin) {
        return Ok(text.to_owned());
    }
    Err("origins such as https://school.example, without a path, separated by commas, are expected".to_owned())
}

/// The host of a push service; or the empty string.
pub fn push_host(text: &str) -> Result<String, String> {
    kurso_core::push::Hosts::parse([text]).map(|_| text.trim().to_owned())
}

/// The URL of a trace collector.
pub fn collector(text: &str) -> Result<String, String> {
    if is_web(text) {
        return Ok(text.to_owned());
    }
    Err("a URL such as http://collector:4318 is expected".to_owned())
}

/// Is it an http or https URL?
pub fn is_web(text: &str) -> bool {
    url::Url::parse(text).is_ok_and(|url| matches!(url.scheme(), "http" | "https"))
}

/// A whole number from 1 to 1,000,000.
pub fn count(text: &str) -> Result<u32, String> {
    let number = text.trim().parse().ok();
    number
        .filter(|number| (1..=1_000_000).contains(number))
        .ok_or_else(|| "a whole number from 1 to 1000000 is expected".to_owned())
}

/// A size in bytes: `200MB`, `1.5 GB`, `64KB`, `1000`. Units are powers of 1024.
pub fn size(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = text.get(digits.len()..).unwrap_or_default().to_ascii_uppercase();
    let factor: u32 = match unit.trim_end_matches('B').trim_end_matches('I') {
        "" => 1,
        "K" => 1 << 10,
        "M" => 1 << 20,
        "G" => 1 << 30,
        _ => return Err("a size such as 200MB is expected".to_owned()),
    };
    match digits.trim().parse::<f64>() {
        Ok(number) if number > 0.0 && number < 1e9 => Ok((number * f64::from(factor)) as u64),
        _ => Err("a size such as 200MB is expected".to_owned()),
    }
}

/// A time of at least one second: `7d`, `24h`, `30m`, `90s`.
pub fn span(text: &str) -> Result<TimeDelta, String> {
    let time = duration(text).ok().filter(|time| *time >= Duration::from_secs(1));
    time.and_then(|time| TimeDelta::from_std(time).ok())
        .ok_or_else(|| "a time such as 7d, 24h or 30m is expected".to_owned())
}

/// A time such as `7d`, `24h`, `30m`, `90s`, `500ms`; at most a hundred years.
pub fn duration(text: &str) -> Result<Duration, String> {
    let text = text.trim();
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = text.get(digits.len()..).unwrap_or_default();
    let number = digits.trim().parse::<u32>().ok().filter(|number| *number > 0);
    let time = match (number.map(u64::from), unit) {
        (Some(n), "ms") => Some(Duration::from_millis(n)),
        (Some(n), "s") => Some(Duration::from_secs(n)),
        (Some(n), "m") => Some(Duration::from_secs(n * 60)),
        (Some(n), "h") => Some(Duration::from_secs(n * 3_600)),
        (Some(n), "d") => Some(Duration::from_secs(n * 86_400)),
        _ => None,
    };
    time.filter(|time| *time <= Duration::from_secs(36_500 * 86_400))
        .ok_or_else(|| "a time such as 30s, 500ms or 2m is expected".to_owned())
}

/// A time as in [`duration`], or `off`.
pub fn limit(text: &str) -> Result<Limit, String> {
    match text.trim() {
        "off" => Ok(Limit(None)),
        text => duration(text)
            .map(|time| Limit(Some(time)))
            .map_err(|_| "a time such as 30s or 500ms, or off, is expected".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_times_and_sizes() {
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration(" 2m "), Ok(Duration::from_secs(120)));
        assert_eq!(limit("off"), Ok(Limit(None)));
        assert_eq!(limit("1s"), Ok(Limit(Some(Duration::from_secs(1)))));
        assert_eq!(span("7d"), Ok(TimeDelta::days(7)));
        assert_eq!(size("1.5 GB"), Ok(3 << 29));
        for wrong in ["", "0s", "-1s", "1", "1y", "s", "1.5s", "99999999d", "ſ", "1с"] {
            assert!(duration(wrong).is_err() && limit(wrong).is_err(), "{wrong}");
        }
        assert!(span("500ms").is_err());
    }

    #[test]
    fn an_origin_has_no_path() {
        assert!(origin("https://school.example").is_ok());
        assert!(origin("").is_ok());
        for wrong in [
            "https://school.example/",
            "school.example",
            "*",
            "https://school.example/app",
        ] {
            assert!(origin(wrong).is_err(), "{wrong}");
        }
    }
}
