//! The content of a page: a ProseMirror document with the nodes and marks listed in `docs/content-model.md`. All
//! functions are pure.

mod address;
pub mod anchor;
mod document;
mod passages;
mod post;
mod problem;
pub mod quote;
pub mod schema;
mod suggested;
mod tasks;
mod validate;
mod walk;

pub use address::{FileAddress, Href, MAX_HREF, decoded, has_scheme, is_embed_id};
pub use document::Document;
pub use kurso_base::messages::Lang;
pub use passages::{Passage, PassageKind, passages};
pub use post::PostBody;
pub use problem::{ContentError, ContentProblem};
pub use suggested::SuggestedBlocks;
pub use tasks::{TaskKey, tasks};
pub use validate::{parse, validate, validate_with_blanks};
pub use walk::{
    Anchors, blanks, files, heading_anchors, heading_text, is_empty, map_addresses, normalize_blanks, page_links, text,
    text_length, words,
};

/// The content of a new page: one empty paragraph.
pub const EMPTY: &str = r#"{"type":"doc","content":[{"type":"paragraph"}]}"#;

/// [`EMPTY`] as a value.
pub fn empty() -> serde_json::Value {
    serde_json::json!({ "type": "doc", "content": [{ "type": "paragraph" }] })
}
