//! Parses and rounds the numbers in answers.

use serde_json::Number;

/// Parses a number with a decimal comma or point.
pub fn number(text: &str) -> Option<Number> {
    let plain: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let plain = plain.replace(',', ".").replace('−', "-");
    let plain = plain.strip_prefix('+').unwrap_or(&plain);
    serde_json::from_str(plain).ok().or_else(|| {
        // JSON does not allow `.5` and `5.`.
        let number: f64 = plain.parse().ok()?;
        let whole = plain.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
        if whole {
            plain.parse::<i64>().ok().map(Number::from)
        } else {
            Number::from_f64(number)
        }
    })
}

/// Rounds to 12 decimals to remove binary rounding errors.
pub fn rounded(number: f64) -> Option<Number> {
    let rounded: f64 = format!("{number:.12}").parse().ok()?;
    if rounded.fract() == 0.0 && rounded.abs() < 1e15 {
        format!("{rounded:.0}").parse::<i64>().ok().map(Number::from)
    } else {
        Number::from_f64(rounded)
    }
}

/// The value and tolerance that accept the numbers between `low` and `high`.
pub fn range(low: f64, high: f64) -> Option<(Number, Number)> {
    Some((rounded((low + high) / 2.0)?, rounded((high - low).abs() / 2.0)?))
}
