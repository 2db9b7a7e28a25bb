//! The passages of a document for the full-text search: its headings, paragraphs, code and captions.

use serde_json::Value;

use super::schema::MAX_DEPTH;
use super::walk::{attr, kind, list};

/// What a passage is in its document.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PassageKind {
    Heading,
    Text,
    Code,
    /// A caption, the description of a picture, or the name of an attachment.
    Caption,
}

/// A text that is shown as one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Passage {
    /// The index of the top-level block that contains it.
    pub block: usize,
    pub kind: PassageKind,
    pub text: String,
}

/// The passages of a valid document, in reading order. Formulas are left out.
pub fn passages(document: &Value) -> Vec<Passage> {
    let mut found = Vec::new();
    for (block, node) in list(document, "content").iter().enumerate() {
        collect(node, block, 1, &mut found);
    }
    found
}

fn collect(node: &Value, block: usize, depth: usize, found: &mut Vec<Passage>) {
    let mut push = |kind: PassageKind, text: &str| {
        if !text.trim().is_empty() {
            let text = text.to_owned();
            found.push(Passage { block, kind, text });
        }
    };
    for name in ["caption", "alt", "filename"] {
        if let Some(text) = attr(node, name) {
            push(PassageKind::Caption, text);
        }
    }
    match kind(node) {
        "heading" => push(PassageKind::Heading, &inline(node)),
        "paragraph" => push(PassageKind::Text, &inline(node)),
        "codeBlock" => push(PassageKind::Code, &inline(node)),
        _ if depth < MAX_DEPTH => {
            for child in list(node, "content") {
                collect(child, block, depth + 1, found);
            }
        }
        _ => {}
    }
}

fn inline(node: &Value) -> String {
    let mut text = String::new();
    for child in list(node, "content") {
        match kind(child) {
            "text" => text.push_str(child.get("text").and_then(Value::as_str).unwrap_or_default()),
            _ => text.push(' '),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn passages_know_their_top_level_block() {
        let text = |text: &str| json!({"type": "text", "text": text});
        let document = json!({"type": "doc", "content": [
            {"type": "heading", "attrs": {"level": 2}, "content": [text("Владение")]},
            {"type": "bulletList", "content": [
                {"type": "listItem", "content": [{"type": "paragraph", "content": [text("Один"), {"type": "hardBreak"}, text("два")]}]},
                {"type": "listItem", "content": [{"type": "paragraph", "content": [
                    {"type": "inlineMath", "attrs": {"latex": "x^2"}}, text("три")]}]},
            ]},
            {"type": "paragraph"},
            {"type": "codeBlock", "attrs": {"language": "rust", "caption": "main.rs"}, "content": [text("fn main() {}")]},
            {"type": "image", "attrs": {"src": "/files/k/n.png", "alt": "Схема", "caption": "Рис. 1"}},
        ]});
        let found: Vec<_> = passages(&document)
            .into_iter()
            .map(|p| (p.block, p.kind, p.text))
            .collect();
        use PassageKind::{Caption, Code, Heading, Text};
        let expected = [
            (0, Heading, "Владение"),
            (1, Text, "Один два"),
            (1, Text, " три"),
            (3, Caption, "main.rs"),
            (3, Code, "fn main() {}"),
            (4, Caption, "Рис. 1"),
            (4, Caption, "Схема"),
        ];
        assert_eq!(
            found,
            expected.map(|(block, kind, text)| (block, kind, text.to_owned()))
        );
    }
}
