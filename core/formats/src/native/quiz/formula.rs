//! Writes and reads the parameters and expressions of formula questions.

use serde_json::{Number, Value};

use super::write::tolerance_text;
use crate::native::document::quoted;
use crate::numbers::number;
use crate::quiz::{MAX_PARAMETER_NAME, Parameter};

/// Writes a line such as `: a 1..10` or `: b 0.5..2.5 decimals=1`.
pub fn parameter(parameter: &Parameter) -> String {
    let bound = |bound: &Option<Number>| bound.as_ref().map_or_else(|| "?".to_owned(), ToString::to_string);
    let name = match is_bare(&parameter.name) {
        true => parameter.name.clone(),
        false => quoted(&parameter.name),
    };
    let decimals = match parameter.decimals {
        0 => String::new(),
        decimals => format!(" decimals={decimals}"),
    };
    format!(
        ": {name} {}..{}{decimals}",
        bound(&parameter.min),
        bound(&parameter.max)
    )
}

/// Writes a line such as `= a + b +- 1%`. None without an expression and a tolerance.
pub fn answer(expression: &str, tolerance: &Number, percent: Option<&Number>) -> Option<String> {
    let off = tolerance_text(tolerance, percent);
    if expression.is_empty() && off.is_empty() {
        return None;
    }
    let is_plain = expression.trim() == expression
        && expression != "?"
        && !expression.starts_with('"')
        && !expression.contains(['\n', '\r', '±'])
        && !expression.contains("+-");
    let expression = match expression {
        "" => "?".to_owned(),
        _ if is_plain => expression.to_owned(),
        _ => quoted(expression),
    };
    Some(format!("= {expression}{off}"))
}

/// Reads what [`parameter`] writes after the colon. None if it is invalid.
pub fn read_parameter(text: &str) -> Option<Parameter> {
    let (name, rest) = match text.starts_with('"') {
        true => quoted_start(text)?,
        false => text
            .split_once(char::is_whitespace)
            .map(|(name, rest)| (name.to_owned(), rest))?,
    };
    let (range, decimals) = match rest.split_once("decimals=") {
        Some((range, decimals)) => (range, decimals.trim().parse().ok()?),
        None => (rest, 0),
    };
    let (min, max) = range.split_once("..")?;
    let bound = |text: &str| match text.trim() {
        "?" => Some(None),
        text => number(text).map(Some),
    };
    Some(Parameter {
        name,
        min: bound(min)?,
        max: bound(max)?,
        decimals,
    })
}

/// Reads what [`answer`] writes after the equals sign. Sets the expression and returns the text of the tolerance.
pub fn read_answer<'a>(text: &'a str, expression: &mut String) -> &'a str {
    if let Some((read, rest)) = quoted_start(text) {
        *expression = read;
        let rest = rest.trim();
        return rest
            .strip_prefix("+-")
            .or_else(|| rest.strip_prefix('±'))
            .unwrap_or(rest);
    }
    let (read, off) = text
        .split_once('±')
        .or_else(|| text.rsplit_once("+-"))
        .unwrap_or((text, ""));
    match read.trim() {
        "?" => {}
        read => read.clone_into(expression),
    }
    off
}

fn is_bare(name: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    !name.is_empty() && name.len() <= MAX_PARAMETER_NAME && name.bytes().all(fits)
}

/// The JSON string at the start of a text, and the text after it.
pub fn quoted_start(text: &str) -> Option<(String, &str)> {
    if !text.starts_with('"') {
        return None;
    }
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    let Some(Ok(Value::String(read))) = values.next() else {
        return None;
    };
    let rest = text.get(values.byte_offset()..)?;
    Some((read, rest))
}
