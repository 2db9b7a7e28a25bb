//! Placeholders in documents: `{name}` is replaced by the value of a parameter, and `{{name}}` by the text `{name}`. Braces around anything
//! else are plain text.
//!
//! In LaTeX, braces delimit arguments, so the value keeps them: `\frac{a}{b}` becomes `\frac{3}{5}`.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{MAX_PARAMETER_NAME, Values};
use crate::content::schema::MAX_DEPTH;

/// The kind of text that contains a placeholder.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Text,
    Code,
    Latex,
}

/// The document with each placeholder replaced by its value.
pub fn filled(document: &Value, values: &Values) -> Value {
    let comma = has_cyrillic(document);
    let mut filled = document.clone();
    walk(&mut filled, 0, false, &mut |text, place| {
        let shown = |name: &str| Some(shown_as(values.get(name)?, place, comma));
        replaced(text, |name| values.contains_key(name), shown)
    });
    filled
}

/// The document with each placeholder replaced by `[name]`, as Canvas writes it. Placeholders in LaTeX stay.
pub fn bracketed(document: &Value, names: &[&str]) -> Value {
    let mut changed = document.clone();
    walk(&mut changed, 0, false, &mut |text, place| {
        let is_known = |name: &str| place != Place::Latex && names.contains(&name);
        replaced(text, is_known, |name| Some(format!("[{name}]")))
    });
    changed
}

/// The indexes of the names for which the document has a placeholder.
pub fn shown(document: &Value, names: &[&str]) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    walk(&mut document.clone(), 0, false, &mut |text, _| {
        replaced(
            text,
            |name| names.contains(&name),
            |name| {
                found.extend(names.iter().position(|known| *known == name));
                None
            },
        )
    });
    found
}

/// Whether the document has Cyrillic letters, so that its values are written with a decimal comma.
fn has_cyrillic(document: &Value) -> bool {
    crate::content::text(document)
        .chars()
        .any(|c| ('\u{400}'..='\u{4ff}').contains(&c))
}

fn shown_as(value: &str, place: Place, comma: bool) -> String {
    match place {
        Place::Code => value.to_owned(),
        Place::Text if comma => value.replace('.', ",").replace('-', "−"),
        Place::Text => value.replace('-', "−"),
        Place::Latex if comma => format!("{{{}}}", value.replace('.', "{,}")),
        Place::Latex => format!("{{{value}}}"),
    }
}

/// Calls `change` for each text and each LaTeX formula of the document, and replaces it by the result; None leaves it unchanged.
fn walk(node: &mut Value, depth: usize, in_code: bool, change: &mut dyn FnMut(&str, Place) -> Option<String>) {
    let kind = node.get("type").and_then(Value::as_str).unwrap_or_default();
    let in_code = in_code || kind == "codeBlock";
    let place = match kind {
        "text" => {
            let marks = node.get("marks").and_then(Value::as_array);
            let is_code = |mark: &Value| mark.get("type").is_some_and(|kind| kind == "code");
            match in_code || marks.is_some_and(|marks| marks.iter().any(is_code)) {
                true => Place::Code,
                false => Place::Text,
            }
        }
        _ => Place::Latex,
    };
    let text = match kind {
        "text" => node.get_mut("text"),
        "inlineMath" | "blockMath" => node.pointer_mut("/attrs/latex"),
        _ => None,
    };
    if let Some(Value::String(text)) = text
        && let Some(changed) = change(text, place)
    {
        *text = changed;
    }
    if depth < MAX_DEPTH
        && let Some(children) = node.get_mut("content").and_then(Value::as_array_mut)
    {
        for child in children {
            walk(child, depth + 1, in_code, change);
        }
    }
}

/// The text with its placeholders replaced by what `value` returns. None if the text does not change.
fn replaced(
    text: &str,
    is_known: impl Fn(&str) -> bool,
    mut value: impl FnMut(&str) -> Option<String>,
) -> Option<String> {
    let mut filled = String::new();
    let mut rest = text;
    let mut is_changed = false;
    while let Some((before, after)) = rest.split_once('{') {
        filled.push_str(before);
        let known = |text, end| named(text, end).filter(|(name, _)| is_known(name));
        let literal = after.strip_prefix('{').and_then(|inner| known(inner, "}}"));
        let placeholder = known(after, "}").and_then(|(name, after)| Some((value(name)?, after)));
        let (text, after) = match (literal, placeholder) {
            (Some((name, after)), _) => (format!("{{{name}}}"), after),
            (None, Some(found)) => found,
            (None, None) => {
                filled.push('{');
                rest = after;
                continue;
            }
        };
        filled.push_str(&text);
        is_changed = true;
        rest = after;
    }
    filled.push_str(rest);
    is_changed.then_some(filled)
}

/// The name at the start of a text that is followed by `end`, and the text after `end`.
fn named<'a>(text: &'a str, end: &str) -> Option<(&'a str, &'a str)> {
    let fits = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let length = text.bytes().take(MAX_PARAMETER_NAME + 1).take_while(fits).count();
    let (name, after) = text.split_at_checked(length).filter(|(name, _)| !name.is_empty())?;
    Some((name, after.strip_prefix(end)?))
}
