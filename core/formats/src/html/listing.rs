//! Converts the element `<Listing>` of the Rust book: code with a number, a file name and a caption.

use scraper::ElementRef;
use serde_json::Value;

use super::blocks::{Converter, insert};
use super::flow::{Flow, Mark};
use super::{node, node_with};
use kurso_base::text::one_line;

/// Whether the element, which HTML parsers take for the old `<listing>`, is one of the Rust book.
pub fn is_listing(element: ElementRef<'_>) -> bool {
    ["number", "file-name", "caption"]
        .iter()
        .any(|name| element.attr(name).is_some())
        || element.child_elements().any(|child| child.value().name() == "pre")
}

impl Converter<'_> {
    /// The number, the file name and the caption become the caption of the first code block, or a bold line before text
    /// without code.
    pub(super) fn listing(&mut self, element: ElementRef<'_>, marks: &[Mark], flow: &mut Flow, depth: usize) {
        flow.flush();
        let said = |name: &str| {
            // The caption is Markdown, of which only code occurs.
            let text = one_line(&element.attr(name)?.replace('`', ""));
            (!text.is_empty()).then_some(text)
        };
        let number = said("number").map(|number| format!("{} {number}", self.options.listing));
        let parts: Vec<String> = [number, said("file-name"), said("caption")]
            .into_iter()
            .flatten()
            .collect();
        let words = parts.join(". ");
        let mut inner = Flow::new();
        self.children(element, marks, &mut inner, depth + 1);
        let mut blocks = inner.finish();
        if !words.is_empty() {
            let is_code = |block: &&mut Value| block.get("type").is_some_and(|kind| kind == "codeBlock");
            match blocks.iter_mut().find(is_code) {
                Some(code) => {
                    let own = code.pointer("/attrs/caption").and_then(Value::as_str);
                    let caption = own.map_or_else(|| words.clone(), |own| format!("{words}. {own}"));
                    let caption = self.truncate(&caption, 255);
                    match code.get_mut("attrs") {
                        Some(attrs) => insert(attrs, "caption", caption),
                        None => insert(code, "attrs", serde_json::json!({ "caption": caption })),
                    }
                }
                None => {
                    let mut text = node("text");
                    insert(&mut text, "text", words);
                    insert(&mut text, "marks", vec![node("bold")]);
                    flow.block(node_with("paragraph", vec![text]));
                }
            }
        }
        blocks.into_iter().for_each(|block| flow.block(block));
    }
}
