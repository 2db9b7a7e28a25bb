//! Builds nodes as JSON.

use pulldown_cmark::HeadingLevel;
use serde_json::{Value, json};

pub(super) use crate::blocks::insert;
use crate::content::schema::MAX_DEPTH;

/// Parses a node written as JSON.
pub(super) fn parse_raw(json: &str) -> Option<Value> {
    if kurso_base::wire::json_depth(json) > 2 * MAX_DEPTH + 8 {
        return None;
    }
    let mut reader = serde_json::Deserializer::from_str(json);
    reader.disable_recursion_limit();
    let node: Value = serde::Deserialize::deserialize(&mut reader).ok()?;
    (reader.end().is_ok() && node.get("type").is_some_and(Value::is_string)).then_some(node)
}

pub(super) fn level_of(level: HeadingLevel) -> u8 {
    match level {
        HeadingLevel::H1 => 1,
        HeadingLevel::H2 => 2,
        HeadingLevel::H3 => 3,
        HeadingLevel::H4 | HeadingLevel::H5 | HeadingLevel::H6 => 4,
    }
}

pub(super) fn node(kind: &str, attrs: Value, content: Vec<Value>) -> Value {
    let mut node = json!({ "type": kind });
    if attrs.as_object().is_some_and(|attrs| !attrs.is_empty()) {
        insert(&mut node, "attrs", attrs);
    }
    if !content.is_empty() {
        insert(&mut node, "content", content);
    }
    node
}

pub(super) fn at_least_one(blocks: Vec<Value>) -> Vec<Value> {
    if blocks.is_empty() {
        vec![json!({ "type": "paragraph" })]
    } else {
        blocks
    }
}

pub(super) fn truncate(text: &str, max: usize) -> String {
    text.chars().take(max).collect()
}
