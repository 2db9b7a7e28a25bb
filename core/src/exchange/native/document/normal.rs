//! One spelling of documents that say the same: no attribute that is null or the default, marks in one order, no two texts
//! side by side that one could hold.

use serde_json::{Map, Value, json};

use crate::content::schema::{MARKS, MAX_DEPTH};

/// What the editor writes beside a link and nobody reads.
const UNREAD: &[&str] = &["target", "rel", "class"];

pub fn normal(node: &Value) -> Value {
    tidy(node, 0)
}

fn tidy(node: &Value, depth: usize) -> Value {
    let kind = super::kind(node);
    let mut tidied = Map::new();
    tidied.insert("type".into(), kind.into());
    if let Some(attrs) = node.get("attrs").and_then(Value::as_object) {
        let kept: Map<_, _> = attrs
            .iter()
            .filter(|(name, value)| !is_default(kind, name, value))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        if !kept.is_empty() {
            tidied.insert("attrs".into(), kept.into());
        }
    }
    if let Some(text) = node.get("text") {
        tidied.insert("text".into(), text.clone());
    }
    let marks = tidy_marks(node.get("marks"));
    if !marks.is_empty() {
        tidied.insert("marks".into(), marks.into());
    }
    let mut content = Vec::new();
    if depth < MAX_DEPTH {
        for child in super::children(node) {
            push(&mut content, tidy(child, depth + 1));
        }
    }
    if !content.is_empty() {
        tidied.insert("content".into(), content.into());
    }
    tidied.into()
}

/// Adds a node to its siblings; a text with the marks of the one before it continues that.
pub fn push(siblings: &mut Vec<Value>, node: Value) {
    if let Some(text) = node.get("text").and_then(Value::as_str)
        && let Some(last) = siblings.last_mut()
        && last.get("marks") == node.get("marks")
        && let Some(Value::String(before)) = last.get_mut("text")
    {
        before.push_str(text);
        return;
    }
    siblings.push(node);
}

/// The marks in the order of the content model, each once.
pub fn tidy_marks(marks: Option<&Value>) -> Vec<Value> {
    let given = marks.and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let mut tidied: Vec<Value> = Vec::new();
    for rule in MARKS {
        let Some(mark) = given.iter().find(|mark| super::kind(mark) == rule.name) else {
            continue;
        };
        let attrs = mark.get("attrs").and_then(Value::as_object).into_iter().flatten();
        let kept: Map<_, _> = attrs
            .filter(|(name, value)| !value.is_null() && !UNREAD.contains(&name.as_str()))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        tidied.push(match kept.is_empty() {
            true => json!({ "type": rule.name }),
            false => json!({ "type": rule.name, "attrs": kept }),
        });
    }
    tidied
}

fn is_default(kind: &str, name: &str, value: &Value) -> bool {
    match (kind, name) {
        _ if value.is_null() => true,
        ("orderedList", "start") | (_, "colspan" | "rowspan") => value.as_i64() == Some(1),
        ("taskItem", "checked") | ("details", "open") => value == &Value::Bool(false),
        ("callout", "kind") => value == "note",
        _ => false,
    }
}
