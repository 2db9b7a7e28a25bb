//! Writes and reads the units of numeric questions.

use serde_json::Number;

use super::formula::quoted_start;
use super::write::is_plain;
use crate::native::document::quoted;
use crate::numbers::number;
use crate::quiz::Unit;

/// Writes a line such as `@ м` or `@ см 0.01`.
pub fn write(unit: &Unit) -> String {
    let name = match is_plain(&unit.name) && !unit.name.contains(char::is_whitespace) {
        true => unit.name.clone(),
        false => quoted(&unit.name),
    };
    match unit.factor.as_f64() == Some(1.0) {
        true => format!("@ {name}"),
        false => format!("@ {name} {}", unit.factor),
    }
}

/// Reads what [`write`] writes after the `@`. None if it is invalid.
pub fn read(text: &str) -> Option<Unit> {
    let (name, factor) = match text.starts_with('"') {
        true => quoted_start(text)?,
        false => {
            let (name, factor) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
            (name.to_owned(), factor)
        }
    };
    let factor = match factor.trim() {
        "" => Number::from(1),
        factor => number(factor)?,
    };
    let name = name.trim().to_owned();
    Some(Unit { name, factor })
}
