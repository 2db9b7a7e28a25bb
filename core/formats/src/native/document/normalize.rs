//! Normalizes documents: no null or default attributes, marks in a fixed order, adjacent texts with equal marks
//! joined.

use serde_json::{Map, Value, json};

use crate::content::schema::{MARKS, MAX_DEPTH};

/// Link attributes that the editor writes and nothing reads.
const IGNORED_LINK_ATTRS: &[&str] = &["target", "rel", "class"];

pub fn normalize(node: &Value) -> Value {
    normalize_node(node, 0)
}

fn normalize_node(node: &Value, depth: usize) -> Value {
    let kind = super::kind(node);
    let mut normalized = Map::new();
    normalized.insert("type".into(), kind.into());
    if let Some(attrs) = node.get("attrs").and_then(Value::as_object) {
        let kept: Map<_, _> = attrs
            .iter()
            .filter(|(name, value)| !is_default(kind, name, value))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        if !kept.is_empty() {
            normalized.insert("attrs".into(), kept.into());
        }
    }
    if let Some(text) = node.get("text") {
        normalized.insert("text".into(), text.clone());
    }
    let marks = normalize_marks(node.get("marks"));
    if !marks.is_empty() {
        normalized.insert("marks".into(), marks.into());
    }
    let mut content = Vec::new();
    if depth < MAX_DEPTH {
        for child in super::children(node) {
            push(&mut content, normalize_node(child, depth + 1));
        }
    }
    if !content.is_empty() {
        normalized.insert("content".into(), content.into());
    }
    normalized.into()
}

/// Appends a node; joins texts with equal marks.
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

/// The marks in the order of the content model, without duplicates.
pub fn normalize_marks(marks: Option<&Value>) -> Vec<Value> {
    let given = marks.and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let mut normalized: Vec<Value> = Vec::new();
    for rule in MARKS {
        let Some(mark) = given.iter().find(|mark| super::kind(mark) == rule.name) else {
            continue;
        };
        let attrs = mark.get("attrs").and_then(Value::as_object).into_iter().flatten();
        let kept: Map<_, _> = attrs
            .filter(|(name, value)| !value.is_null() && !IGNORED_LINK_ATTRS.contains(&name.as_str()))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        normalized.push(if kept.is_empty() {
            json!({ "type": rule.name })
        } else {
            json!({ "type": rule.name, "attrs": kept })
        });
    }
    normalized
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
