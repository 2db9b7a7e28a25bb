//! Nodes as JSON.

use pulldown_cmark::HeadingLevel;
use serde_json::{Value, json};

use crate::content::schema::MAX_DEPTH;

/// A node told in JSON.
pub(super) fn raw(json: &str) -> Option<Value> {
    if crate::content::json_depth(json) > 2 * MAX_DEPTH + 8 {
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
        insert(&mut node, "content", content.into());
    }
    node
}

pub(super) fn at_least_one(blocks: Vec<Value>) -> Vec<Value> {
    match blocks.is_empty() {
        true => vec![json!({ "type": "paragraph" })],
        false => blocks,
    }
}

pub(super) fn insert(object: &mut Value, name: &str, value: Value) {
    if let Some(object) = object.as_object_mut() {
        object.insert(name.to_owned(), value);
    }
}

pub(super) fn cut(text: &str, max: usize) -> String {
    text.chars().take(max).collect()
}
