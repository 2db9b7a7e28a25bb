//! How values look on the wire, the same on both faces.

use chrono::{DateTime, SecondsFormat, Utc};
use serde::{Deserialize, Serializer};

use crate::content;

/// RFC 3339 in UTC with six digits of a second: `2026-11-21T07:37:07.455448Z`; none where they are zero (rest-facts 1).
pub fn time_text(at: &DateTime<Utc>) -> String {
    let digits = if at.timestamp_subsec_micros() == 0 {
        SecondsFormat::Secs
    } else {
        SecondsFormat::Micros
    };
    at.to_rfc3339_opts(digits, true)
}

pub fn time<S: Serializer>(at: &DateTime<Utc>, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&time_text(at))
}

pub fn optional_time<S: Serializer>(at: &Option<DateTime<Utc>>, to: S) -> Result<S::Ok, S::Error> {
    match at {
        Some(at) => time(at, to),
        None => to.serialize_none(),
    }
}

/// Brackets open at once: a page's content may have some 135 (64 nodes of two each, and a mark's attributes), and a
/// question holds such documents a few levels down.
const DEEPEST: usize = 200;

/// Reads what a client sent. The parser's own limit of depth is below what a page may hold; ours is checked without
/// recursion first.
pub fn read_json<'a, T: Deserialize<'a>>(text: &'a str) -> serde_json::Result<T> {
    let mut reader = serde_json::Deserializer::from_str(text);
    if content::json_depth(text) <= DEEPEST {
        reader.disable_recursion_limit();
    }
    let value = T::deserialize(&mut reader)?;
    reader.end()?;
    Ok(value)
}
