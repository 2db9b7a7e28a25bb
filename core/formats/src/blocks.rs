//! Builds documents from blocks.

use serde_json::{Value, json};

use super::note::Note;
use crate::content::{self, schema::MAX_BYTES};

/// Size limit before links are resolved, which makes them longer.
const MAX_BYTES_BEFORE_LINKS: usize = MAX_BYTES / 4 * 3;

/// A document with these blocks, or with an empty paragraph.
pub fn doc(blocks: Vec<Value>) -> Value {
    if blocks.is_empty() {
        content::empty()
    } else {
        json!({ "type": "doc", "content": blocks })
    }
}

/// The children of a node.
pub fn children(node: &Value) -> &[Value] {
    node.get("content").and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// Sets a field of a JSON object.
pub fn insert(object: &mut Value, name: &str, value: impl Into<Value>) {
    if let Some(fields) = object.as_object_mut() {
        fields.insert(name.to_owned(), value.into());
    }
}

/// The blocks of a document.
pub fn blocks(mut document: Value) -> Vec<Value> {
    match document.get_mut("content").map(Value::take) {
        Some(Value::Array(blocks)) => blocks,
        _ => vec![],
    }
}

/// Splits blocks into documents within the page size; usually there is one.
pub fn split(blocks: Vec<Value>, notes: &mut Vec<Note>) -> Vec<Value> {
    let mut parts: Vec<Vec<Value>> = vec![Vec::new()];
    let mut size = 0;
    for block in blocks {
        let length = block.to_string().len();
        if length > MAX_BYTES_BEFORE_LINKS {
            notes.push(Note::BlockTooLarge);
            continue;
        }
        if size + length > MAX_BYTES_BEFORE_LINKS {
            parts.push(Vec::new());
            size = 0;
        }
        size += length;
        if let Some(part) = parts.last_mut() {
            part.push(block);
        }
    }
    if parts.len() > 1 {
        notes.push(Note::PageSplit(parts.len()));
    }
    parts.into_iter().map(doc).collect()
}

/// Maps the levels of all headings below a node.
pub fn set_levels(node: &mut Value, to: &impl Fn(u64) -> u64) {
    if node.get("type").is_some_and(|kind| kind == "heading")
        && let Some(level) = node.pointer_mut("/attrs/level")
    {
        *level = to(level.as_u64().unwrap_or(2)).into();
    }
    for child in node
        .get_mut("content")
        .and_then(Value::as_array_mut)
        .into_iter()
        .flatten()
    {
        set_levels(child, to);
    }
}
