//! Writes JSON text, the same bytes as the general path.

use std::fmt::Write as _;

use uuid::Uuid;

use super::plan::Plan;
use crate::types::int;

/// Has a buffer for JSON text.
pub trait Buffer {
    fn buffer(&mut self) -> &mut String;
}

impl Buffer for String {
    fn buffer(&mut self) -> &mut String {
        self
    }
}

pub fn object<O: Buffer, F>(out: &mut O, plan: &Plan<F>, mut value: impl FnMut(&mut O, &F)) {
    out.buffer().push('{');
    for (i, (key, field)) in plan.iter().enumerate() {
        let json = out.buffer();
        if i > 0 {
            json.push(',');
        }
        // A GraphQL name: letters, digits and underscores need no escape.
        json.push('"');
        json.push_str(key);
        json.push_str("\":");
        value(out, field);
    }
    out.buffer().push('}');
}

pub fn list<O: Buffer, T>(out: &mut O, items: impl Iterator<Item = T>, mut item: impl FnMut(&mut O, T)) {
    out.buffer().push('[');
    for (i, value) in items.enumerate() {
        if i > 0 {
            out.buffer().push(',');
        }
        item(out, value);
    }
    out.buffer().push(']');
}

pub fn null(out: &mut impl Buffer) {
    out.buffer().push_str("null");
}

pub fn id(out: &mut impl Buffer, id: Uuid) {
    let mut buffer = Uuid::encode_buffer();
    plain(out, id.hyphenated().encode_lower(&mut buffer));
}

/// A string that needs no escape: a name of the schema, an id, a time.
pub fn plain(out: &mut impl Buffer, text: &str) {
    let json = out.buffer();
    json.push('"');
    json.push_str(text);
    json.push('"');
}

/// A GraphQL Int: a number above its range becomes its maximum, as in the general path.
pub fn number(out: &mut impl Buffer, number: impl TryInto<i32>) {
    let _ = write!(out.buffer(), "{}", int(number)); // a String accepts any text
}

pub fn optional_number(out: &mut impl Buffer, value: Option<i64>) {
    match value {
        Some(value) => number(out, value),
        None => null(out),
    }
}

pub fn boolean(out: &mut impl Buffer, value: bool) {
    out.buffer().push_str(if value { "true" } else { "false" });
}

pub fn optional(out: &mut impl Buffer, value: Option<&str>) {
    match value {
        Some(value) => string(out, value),
        None => null(out),
    }
}

/// A string with the escapes of serde_json.
pub fn string(out: &mut impl Buffer, value: &str) {
    let json = out.buffer();
    json.push('"');
    let mut rest = value;
    // Runs without escapes are copied whole: nearly every title is one.
    while let Some(at) = rest.find(|c: char| c < ' ' || matches!(c, '"' | '\\')) {
        let (plain, special) = rest.split_at(at);
        json.push_str(plain);
        let mut chars = special.chars();
        if let Some(c) = chars.next() {
            let _ = match c {
                '"' | '\\' => write!(json, "\\{c}"),
                '\u{8}' => write!(json, "\\b"),
                '\t' => write!(json, "\\t"),
                '\n' => write!(json, "\\n"),
                '\u{c}' => write!(json, "\\f"),
                '\r' => write!(json, "\\r"),
                c => write!(json, "\\u{:04x}", u32::from(c)),
            };
        }
        rest = chars.as_str();
    }
    json.push_str(rest);
    json.push('"');
}

#[cfg(test)]
mod tests {
    #[test]
    fn strings_are_escaped_as_by_serde_json() {
        let every: String = (0..=0x2100u32).filter_map(char::from_u32).collect();
        for value in ["", "Владение", "\"\\\n", every.as_str(), "\u{2028}😀"] {
            let mut json = String::new();
            super::string(&mut json, value);
            assert_eq!(json, serde_json::to_string(value).unwrap_or_default());
        }
    }
}
