//! Queries over valid documents: text, files, links, headings, blanks. Recursion is bounded by the depth of a valid
//! document.

use std::collections::{BTreeSet, HashMap};

use serde_json::Value;
use uuid::Uuid;

use super::address::{FileAddress, Href};
use super::schema::MAX_DEPTH;

pub(super) fn kind(node: &Value) -> &str {
    node.get("type").and_then(Value::as_str).unwrap_or_default()
}

pub(super) fn attr<'a>(node: &'a Value, name: &str) -> Option<&'a str> {
    node.get("attrs")?.get(name)?.as_str()
}

pub(super) fn list<'a>(node: &'a Value, field: &str) -> &'a [Value] {
    node.get(field).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// Calls `see` for the node and all its descendants, in reading order.
pub(super) fn visit<'a>(node: &'a Value, depth: usize, see: &mut dyn FnMut(&'a Value)) {
    see(node);
    if depth < MAX_DEPTH {
        for child in list(node, "content") {
            visit(child, depth + 1, see);
        }
    }
}

/// The document's text, one line per block that has any.
pub fn text(document: &Value) -> String {
    let mut words = String::new();
    visit(document, 0, &mut |node| {
        let starts_line = match kind(node) {
            "text" | "hardBreak" | "inlineMath" | "blank" => false,
            _ => !words.is_empty() && !words.ends_with('\n'),
        };
        if starts_line {
            words.push('\n');
        }
        match kind(node) {
            "text" => words.push_str(node.get("text").and_then(Value::as_str).unwrap_or_default()),
            "hardBreak" => words.push('\n'),
            "inlineMath" | "blockMath" => words.push_str(attr(node, "latex").unwrap_or_default()),
            "attachment" => words.push_str(attr(node, "filename").unwrap_or_default()),
            _ => words.push_str(attr(node, "caption").unwrap_or_default()),
        }
        // A caption comes before its block, on a line of its own.
        if kind(node) == "codeBlock" && attr(node, "caption").is_some() {
            words.push('\n');
        }
    });
    words.truncate(words.trim_end().len());
    words
}

/// The number of code points in the text nodes of the document.
pub fn text_length(document: &Value) -> u32 {
    let mut length = 0;
    visit(document, 0, &mut |node| {
        if kind(node) == "text" {
            length += node
                .get("text")
                .and_then(Value::as_str)
                .map_or(0, |text| text.chars().count());
        }
    });
    u32::try_from(length).unwrap_or(u32::MAX)
}

/// How many words the document's text has: runs without white space that contain a letter or a digit.
pub fn words(document: &Value) -> u32 {
    let text = text(document);
    let words = text
        .split_whitespace()
        .filter(|run| run.contains(char::is_alphanumeric));
    u32::try_from(words.count()).unwrap_or(u32::MAX)
}

/// The keys of the files that the document shows or links to.
pub fn files(document: &Value) -> BTreeSet<String> {
    let mut keys = BTreeSet::new();
    addresses(document, &mut |address| {
        if let Some(file) = FileAddress::parse(address) {
            keys.insert(file.key.to_owned());
        }
    });
    keys
}

/// The pages of the course that the document links to.
pub fn page_links(document: &Value) -> BTreeSet<Uuid> {
    let mut pages = BTreeSet::new();
    addresses(document, &mut |address| {
        if let Some(Href::Page { page, .. }) = Href::parse(address) {
            pages.insert(page);
        }
    });
    pages
}

fn addresses<'a>(document: &'a Value, see: &mut dyn FnMut(&'a str)) {
    visit(document, 0, &mut |node| {
        if let Some(src) = attr(node, "src") {
            see(src);
        }
        for mark in list(node, "marks") {
            if let Some(href) = attr(mark, "href") {
                see(href);
            }
        }
    });
}

/// Whether the document shows nothing: no text, picture, formula or rule.
pub fn is_empty(document: &Value) -> bool {
    let mut empty = true;
    visit(document, 0, &mut |node| match kind(node) {
        "text" => {
            empty &= node
                .get("text")
                .and_then(Value::as_str)
                .is_none_or(|text| text.trim().is_empty())
        }
        "inlineMath" | "blockMath" | "image" | "video" | "audio" | "embed" | "attachment" | "horizontalRule"
        | "blank" => {
            empty = false;
        }
        _ => {}
    });
    empty
}

/// The ids of the document's blanks, in reading order.
pub fn blanks(document: &Value) -> Vec<Uuid> {
    let mut found = Vec::new();
    visit(document, 0, &mut |node| {
        if kind(node) == "blank" {
            found.extend(attr(node, "blank_id").and_then(|id| Uuid::parse_str(id).ok()));
        }
    });
    found
}

/// Normalises the ids of the document's blanks, so that they can be compared as text.
pub fn normalize_blanks(document: &mut Value) {
    normalize_blanks_in(document, 0);
}

fn normalize_blanks_in(node: &mut Value, depth: usize) {
    if kind(node) == "blank" {
        map_attr(node, "blank_id", &mut |id| {
            Uuid::parse_str(id).ok().map(|id| id.to_string())
        });
    }
    if depth < MAX_DEPTH
        && let Some(children) = node.get_mut("content").and_then(Value::as_array_mut)
    {
        for child in children {
            normalize_blanks_in(child, depth + 1);
        }
    }
}

/// Replaces every `src` and `href` by what `map` returns for it; None leaves it unchanged.
pub fn map_addresses(document: &mut Value, mut map: impl FnMut(&str) -> Option<String>) {
    map_in(document, 0, &mut map);
}

fn map_in(node: &mut Value, depth: usize, map: &mut dyn FnMut(&str) -> Option<String>) {
    map_attr(node, "src", map);
    if let Some(marks) = node.get_mut("marks").and_then(Value::as_array_mut) {
        for mark in marks {
            map_attr(mark, "href", map);
        }
    }
    if depth < MAX_DEPTH
        && let Some(children) = node.get_mut("content").and_then(Value::as_array_mut)
    {
        for child in children {
            map_in(child, depth + 1, map);
        }
    }
}

fn map_attr(owner: &mut Value, name: &str, map: &mut dyn FnMut(&str) -> Option<String>) {
    if let Some(Value::String(address)) = owner.get_mut("attrs").and_then(|attrs| attrs.get_mut(name))
        && let Some(new) = map(address)
    {
        *address = new;
    }
}

/// Generates heading anchors and numbers duplicates. `web/src/content/anchors.ts` must follow the same rule.
#[derive(Default)]
pub struct Anchors {
    seen: HashMap<String, usize>,
}

impl Anchors {
    /// The anchor of the next heading; None for one without letters or digits.
    pub fn next(&mut self, heading: &str) -> Option<String> {
        let base = anchor_of(heading);
        if base.is_empty() {
            return None;
        }
        let earlier = self.seen.entry(base.clone()).or_default();
        *earlier += 1;
        Some(match *earlier {
            1 => base,
            n => format!("{base}-{}", n - 1),
        })
    }
}

fn anchor_of(heading: &str) -> String {
    let small = heading.to_lowercase();
    let kept = small.chars().filter_map(|c| match c {
        c if c.is_whitespace() => Some('-'),
        c if c.is_alphanumeric() || c == '_' || c == '-' => Some(c),
        _ => None,
    });
    kept.collect()
}

/// The anchors of the document's headings, in order.
pub fn heading_anchors(document: &Value) -> Vec<Option<String>> {
    let mut anchors = Anchors::default();
    let mut found = Vec::new();
    visit(document, 0, &mut |node| {
        if kind(node) == "heading" {
            found.push(anchors.next(&heading_text(node)));
        }
    });
    found
}

/// The text of a heading from which its anchor is made.
pub fn heading_text(heading: &Value) -> String {
    let mut words = String::new();
    visit(heading, 0, &mut |node| match kind(node) {
        "text" => words.push_str(node.get("text").and_then(Value::as_str).unwrap_or_default()),
        "hardBreak" => words.push(' '),
        "inlineMath" => words.push_str(attr(node, "latex").unwrap_or_default()),
        _ => {}
    });
    words
}
