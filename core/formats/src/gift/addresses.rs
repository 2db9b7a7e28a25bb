//! Takes the addresses of a course's own files and pages out of a text: elsewhere they lead nowhere, or into another course.

use serde_json::Value;

use crate::content::Href;
use crate::links::{LinkEdit, rewrite_links};
use crate::quiz;

/// Replaces images, players and attachments by their description, also those on the web, which a course cannot show, and links
/// to files and pages by their words. Returns the
/// addresses.
pub fn take_addresses(document: &mut Value) -> Vec<String> {
    let mut taken = Vec::new();
    describe_files(document, &mut taken);
    rewrite_links(document, &mut |href| match Href::parse(href) {
        Some(Href::File(_) | Href::Page { .. }) => {
            taken.push(href.to_owned());
            LinkEdit::Remove
        }
        _ => LinkEdit::Keep,
    });
    taken
}

fn describe_files(node: &mut Value, taken: &mut Vec<String>) {
    let src = node.pointer("/attrs/src").and_then(Value::as_str).map(str::to_owned);
    if let Some(src) = src {
        let said = |name: &str| {
            let text = node.pointer(&format!("/attrs/{name}"))?.as_str()?.trim();
            (!text.is_empty()).then(|| text.to_owned())
        };
        let words = said("alt").or_else(|| said("caption")).or_else(|| said("filename"));
        let mut described = quiz::paragraph(&words.unwrap_or_default());
        *node = described
            .pointer_mut("/content/0")
            .map(Value::take)
            .unwrap_or_else(|| serde_json::json!({ "type": "paragraph" }));
        taken.push(src);
        return;
    }
    for child in node
        .get_mut("content")
        .and_then(Value::as_array_mut)
        .into_iter()
        .flatten()
    {
        describe_files(child, taken);
    }
}
