//! The document of a page between reading and writing: as text, because all pages of a course are there at once.

use std::collections::BTreeSet;
use std::fmt;

use serde::Deserialize as _;
use serde_json::Value;

use super::report::Counts;
use crate::content::{self, FileAddress};

/// JSON without spaces. As a tree of values a page takes twenty times the memory: each object has room for eleven fields,
/// and most have two. So a step that looks into a page makes its tree, and lets it go before the next page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Body(Box<str>);

impl Body {
    /// The tree. What was made of a tree can always be read again; should it not, null is refused by whatever checks it.
    pub fn read(&self) -> Value {
        let mut reader = serde_json::Deserializer::from_str(&self.0);
        // It was a tree before, whose depth its maker has bounded; the reader's own bound is below that of documents.
        reader.disable_recursion_limit();
        Value::deserialize(&mut reader).unwrap_or_default()
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub(super) fn change<T>(&mut self, change: impl FnOnce(&mut Value) -> T) -> T {
        let mut document = self.read();
        let answer = change(&mut document);
        *self = document.into();
        answer
    }

    /// Gives the addresses that `map` knows another for that one.
    pub(super) fn map_addresses(&mut self, mut map: impl FnMut(&str) -> Option<String>) {
        if !self.0.contains("\"href\":") && !self.0.contains("\"src\":") {
            return;
        }
        let mut document = self.read();
        let mut changed = false;
        content::map_addresses(&mut document, |address| {
            let new = map(address);
            changed |= new.is_some();
            new
        });
        if changed {
            *self = document.into();
        }
    }

    /// Every address in it, in order.
    pub(super) fn each_address(&self, mut see: impl FnMut(&str)) {
        content::map_addresses(&mut self.read(), |address| {
            see(address);
            None
        });
    }

    /// Whether it may show or link to a file: most pages do not, and need not be read to know.
    pub(super) fn may_have_files(&self) -> bool {
        self.0.contains(FileAddress::PREFIX)
    }

    /// The keys of the files it shows or links to.
    pub(super) fn files(&self) -> BTreeSet<String> {
        match self.may_have_files() {
            true => content::files(&self.read()),
            false => BTreeSet::new(),
        }
    }

    pub(super) fn count(&self, counts: &mut Counts) {
        count_blocks(&self.read(), counts);
    }
}

impl From<Value> for Body {
    fn from(document: Value) -> Self {
        Self(document.to_string().into())
    }
}

impl fmt::Display for Body {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

pub(super) fn count_blocks(node: &Value, counts: &mut Counts) {
    match node.get("type").and_then(Value::as_str) {
        Some("codeBlock") => counts.code_blocks += 1,
        Some("image") => counts.images += 1,
        Some("table") => counts.tables += 1,
        Some("blockquote") => counts.quotes += 1,
        _ => {}
    }
    for child in node.get("content").and_then(Value::as_array).into_iter().flatten() {
        count_blocks(child, counts);
    }
}
