//! The document of a page as text, because all pages of a course are in memory at the same time.

use std::collections::BTreeSet;
use std::fmt;

use kurso_base::wire;
use serde_json::Value;

use super::report::Counts;
use crate::content::{self, FileAddress};

/// Compact JSON. A parsed document takes twenty times the memory, so each step parses a page and drops it before the
/// next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Body(Box<str>);

impl Body {
    /// Parses the document. The text was serialized from a value, so this cannot fail; null would be rejected by
    /// validation.
    pub fn read(&self) -> Value {
        wire::read_stored(&self.0).unwrap_or_default()
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub fn change<T>(&mut self, change: impl FnOnce(&mut Value) -> T) -> T {
        let mut document = self.read();
        let answer = change(&mut document);
        *self = document.into();
        answer
    }

    /// Replaces the addresses for which `map` returns another.
    pub fn map_addresses(&mut self, mut map: impl FnMut(&str) -> Option<String>) {
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

    /// Calls `visit` for each address in order.
    pub fn each_address(&self, mut visit: impl FnMut(&str)) {
        content::map_addresses(&mut self.read(), |address| {
            visit(address);
            None
        });
    }

    /// Whether it may contain file addresses; false avoids parsing.
    pub fn may_have_files(&self) -> bool {
        self.0.contains(FileAddress::PREFIX)
    }

    /// Keys of the referenced files.
    pub fn files(&self) -> BTreeSet<String> {
        if self.may_have_files() {
            content::files(&self.read())
        } else {
            BTreeSet::new()
        }
    }

    pub fn count(&self, counts: &mut Counts) {
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

pub fn count_blocks(node: &Value, counts: &mut Counts) {
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
