//! A page's content: a ProseMirror document of the nodes and marks that `docs/content-model.md` lists.
//! Everything here is a pure function of the document.

mod address;
mod problem;
pub mod schema;
mod validate;
mod walk;

pub use crate::messages::Lang;
pub use address::{FileAddress, Href, MAX_HREF, decoded, is_embed_id};
pub use problem::{ContentError, ContentProblem};
pub use validate::{json_depth, outside_strings, parse, validate, validate_with_blanks};
pub use walk::{
    Anchors, blanks, files, heading_anchors, heading_text, is_empty, map_addresses, page_links, text, tidy_blanks,
};

/// A page nobody has written on: one empty paragraph.
pub const EMPTY: &str = r#"{"type":"doc","content":[{"type":"paragraph"}]}"#;

/// `EMPTY` as a value.
pub fn empty() -> serde_json::Value {
    serde_json::json!({ "type": "doc", "content": [{ "type": "paragraph" }] })
}
