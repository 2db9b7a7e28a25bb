//! Documents of the content model as the Markdown of the native form, and back (docs/markdown-format.md).
//!
//! Nothing is lost: what is written is read again before it is given out. Where plain Markdown does not come back as it was,
//! the same line is written with tags; where that does not either, the block is written as its JSON. Addresses are taken as
//! they are: whoever reads or writes a folder turns them into paths and back.

mod attrs;
mod blocks;
mod inline;
mod normal;
mod reader;
mod tags;

use serde_json::Value;

pub use attrs::{Attrs, quoted};
pub use normal::normal;
pub use reader::LONGEST_BLANK;

use crate::exchange::note::Note;

/// A text that was read: its blocks, and what is to be said of it with the lines it is on, from 1.
#[derive(Debug, Default)]
pub struct Read {
    /// At least one block. Not yet checked: addresses are still what the text says.
    pub blocks: Vec<Value>,
    pub notes: Vec<(usize, Note)>,
}

impl Read {
    pub fn into_document(self) -> Value {
        serde_json::json!({ "type": "doc", "content": self.blocks })
    }
}

/// The document as Markdown: no line end at its end, nothing at all for a document of one empty paragraph. A blank is written
/// as `[[…]]` around whatever its `blank_id` holds.
pub fn write(document: &Value) -> String {
    blocks::write(&normal(document))
}

/// Whatever the text is, it becomes a document. With `blanks`, `[[…]]` is a blank whose `blank_id` is what it holds.
pub fn read(text: &str, blanks: bool) -> Read {
    reader::read(text, blanks)
}

/// How a node of the content model is told in JSON where Markdown has no words for it.
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

pub(super) fn children(node: &Value) -> &[Value] {
    node.get("content").and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

#[cfg(test)]
pub mod tests;
