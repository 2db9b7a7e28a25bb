//! Blocks that readers have made, on their way into documents.

use serde_json::{Value, json};

use super::note::Note;
use crate::content::{self, schema::MAX_BYTES};

/// Room for links, whose addresses grow when they are known.
const FULL: usize = MAX_BYTES / 4 * 3;

/// The document of these blocks; an empty one has a paragraph.
pub fn doc(blocks: Vec<Value>) -> Value {
    match blocks.is_empty() {
        true => content::empty(),
        false => json!({ "type": "doc", "content": blocks }),
    }
}

/// The blocks of a document.
pub fn blocks(mut document: Value) -> Vec<Value> {
    match document.get_mut("content").map(Value::take) {
        Some(Value::Array(blocks)) => blocks,
        _ => vec![],
    }
}

/// The blocks as documents that a page can hold: mostly one.
pub fn split(blocks: Vec<Value>, notes: &mut Vec<Note>) -> Vec<Value> {
    let mut parts: Vec<Vec<Value>> = vec![Vec::new()];
    let mut size = 0;
    for block in blocks {
        let length = block.to_string().len();
        if length > FULL {
            notes.push(Note::BlockTooLarge);
            continue;
        }
        if size + length > FULL {
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

/// Gives headings other levels, wherever they stand.
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
