//! JSON text, byte by byte what the general executor writes.

use std::fmt::Write as _;

use uuid::Uuid;

use super::plan::Plan;
use crate::types::int;

/// Where text goes.
pub trait Text {
    fn text(&mut self) -> &mut String;
}

impl Text for String {
    fn text(&mut self) -> &mut String {
        self
    }
}

pub fn object<O: Text, F>(out: &mut O, plan: &Plan<F>, mut value: impl FnMut(&mut O, &F)) {
    out.text().push('{');
    for (i, (key, field)) in plan.iter().enumerate() {
        let json = out.text();
        if i > 0 {
            json.push(',');
        }
        // A GraphQL name: letters, digits and underscores need no escape.
        json.push('"');
        json.push_str(key);
        json.push_str("\":");
        value(out, field);
    }
    out.text().push('}');
}

pub fn list<O: Text, T>(out: &mut O, items: impl Iterator<Item = T>, mut item: impl FnMut(&mut O, T)) {
    out.text().push('[');
    for (i, what) in items.enumerate() {
        if i > 0 {
            out.text().push(',');
        }
        item(out, what);
    }
    out.text().push(']');
}

pub fn null(out: &mut impl Text) {
    out.text().push_str("null");
}

pub fn id(out: &mut impl Text, id: Uuid) {
    let mut buffer = Uuid::encode_buffer();
    word(out, id.hyphenated().encode_lower(&mut buffer));
}

/// Text that needs no escape: a name of the schema, an id, a time.
pub fn word(out: &mut impl Text, word: &str) {
    let json = out.text();
    json.push('"');
    json.push_str(word);
    json.push('"');
}

/// As GraphQL's Int, the way the general executor cuts it.
pub fn number(out: &mut impl Text, number: impl TryInto<i32>) {
    let _ = write!(out.text(), "{}", int(number)); // a String accepts any text
}

pub fn optional_number(out: &mut impl Text, value: Option<i64>) {
    match value {
        Some(value) => number(out, value),
        None => null(out),
    }
}

pub fn boolean(out: &mut impl Text, value: bool) {
    out.text().push_str(if value { "true" } else { "false" });
}

pub fn optional(out: &mut impl Text, value: Option<&str>) {
    match value {
        Some(value) => text(out, value),
        None => null(out),
    }
}

/// With the escapes that serde_json writes.
pub fn text(out: &mut impl Text, value: &str) {
    let json = out.text();
    json.push('"');
    let mut rest = value;
    // Long runs that need no escape are copied whole: nearly every title is one.
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
    fn text_is_escaped_as_the_executor_does() {
        let every: String = (0..=0x2100u32).filter_map(char::from_u32).collect();
        for value in ["", "Владение", "\"\\\n", every.as_str(), "\u{2028}😀"] {
            let mut json = String::new();
            super::text(&mut json, value);
            assert_eq!(json, serde_json::to_string(value).unwrap_or_default());
        }
    }
}
