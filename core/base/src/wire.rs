//! The wire format of values that both APIs share: times and JSON.

use chrono::{DateTime, SecondsFormat, Utc};
use serde::{Deserialize, Serializer};

/// RFC 3339 in UTC with microseconds: `2026-11-21T07:37:07.455448Z`; the fraction is omitted if it is zero.
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

/// Maximum nesting of brackets. The content of a page may need about 135 (64 nodes of two each, and a mark's
/// attributes), and a question contains such documents a few levels down.
const MAX_DEPTH: usize = 200;

/// Parses JSON sent by a client. The parser's own depth limit is too low for a page, so the depth is checked first,
/// without recursion.
pub fn read_json<'a, T: Deserialize<'a>>(text: &'a str) -> serde_json::Result<T> {
    match json_depth(text) <= MAX_DEPTH {
        true => read_stored(text),
        false => serde_json::from_str(text),
    }
}

/// Parses JSON that the server wrote or checked before. Its depth is bounded, but may exceed the parser's own limit.
pub fn read_stored<'a, T: Deserialize<'a>>(text: &'a str) -> serde_json::Result<T> {
    let mut reader = serde_json::Deserializer::from_str(text);
    reader.disable_recursion_limit();
    let value = T::deserialize(&mut reader)?;
    reader.end()?;
    Ok(value)
}

/// The nesting of brackets outside strings. Correct for valid JSON; harmless for other input.
pub fn json_depth(json: &str) -> usize {
    let (mut depth, mut deepest) = (0usize, 0);
    for byte in outside_strings(json) {
        match byte {
            b'{' | b'[' => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

/// The bytes of a JSON text outside its strings.
pub fn outside_strings(json: &str) -> impl Iterator<Item = u8> + '_ {
    let (mut in_string, mut escaped) = (false, false);
    json.bytes().filter(move |byte| {
        if !in_string {
            in_string = *byte == b'"';
            return !in_string;
        }
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => in_string = false,
            _ => {}
        }
        false
    })
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn stored_json_may_be_nested_deeper_than_what_clients_send() {
        let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
        for (depth, is_read) in [(MAX_DEPTH, true), (MAX_DEPTH + 1, false)] {
            assert_eq!(read_json::<Value>(&nested(depth)).is_ok(), is_read);
            assert!(read_stored::<Value>(&nested(depth)).is_ok());
        }
        for broken in ["", "[", "[] 1"] {
            assert!(read_json::<Value>(broken).is_err() && read_stored::<Value>(broken).is_err());
        }
    }
}
