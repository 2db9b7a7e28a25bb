//! Converts documents to the Markdown of the native format and back (docs/markdown-format.md).
//!
//! The conversion is lossless: the writer reads its output back. If plain Markdown does not read back unchanged, it
//! writes the line with tags, and if that fails too, the block as JSON. Addresses pass unchanged; callers convert
//! them to paths and back.

mod attrs;
mod blocks;
mod inline;
mod normalize;
mod reader;
mod tags;

use serde_json::Value;

pub use attrs::{Attrs, quoted};
pub use normalize::normalize;
pub use reader::MAX_BLANK_BYTES;

pub(super) use crate::blocks::children;
use crate::note::Note;

/// Parsed blocks, and notes with line numbers starting at 1.
#[derive(Debug, Default)]
pub struct Read {
    /// At least one block. Not validated: addresses are those of the text.
    pub blocks: Vec<Value>,
    pub notes: Vec<(usize, Note)>,
}

impl Read {
    pub fn into_document(self) -> Value {
        serde_json::json!({ "type": "doc", "content": self.blocks })
    }
}

/// The document as Markdown without a final line break; empty for a single empty paragraph. A blank is written as
/// `[[…]]` with its `blank_id`.
pub fn write(document: &Value) -> String {
    blocks::write(&normalize(document))
}

/// Parses any text. With `blanks`, `[[…]]` is a blank with this `blank_id`.
pub fn read(text: &str, blanks: bool) -> Read {
    reader::read(text, blanks)
}

/// The language of code blocks that contain a node as JSON.
const RAW: &str = "{=kurso}";

pub(super) fn kind(node: &Value) -> &str {
    node.get("type").and_then(Value::as_str).unwrap_or_default()
}

pub(super) fn attr<'a>(node: &'a Value, name: &str) -> Option<&'a Value> {
    node.get("attrs")?.get(name).filter(|value| !value.is_null())
}

pub(super) fn attr_text<'a>(node: &'a Value, name: &str) -> Option<&'a str> {
    attr(node, name)?.as_str()
}

#[cfg(test)]
pub mod tests;
