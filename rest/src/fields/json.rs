//! Reads plain values from JSON: texts, whole numbers, booleans.

use kurso_base::messages::Message;
use kurso_base::values::Problem;
use serde_json::Value;

/// A plain type that the values of fields are parsed from.
pub trait FromJson: Sized {
    /// `Err(None)` for a value of another type.
    fn from_json(value: &Value) -> Result<Self, Option<Problem>>;
}

impl FromJson for String {
    fn from_json(value: &Value) -> Result<Self, Option<Problem>> {
        value.as_str().map(str::to_owned).ok_or(None)
    }
}

/// A whole number, also as `3.0`. A number beyond 64 bits is read as the largest.
impl FromJson for i64 {
    fn from_json(value: &Value) -> Result<Self, Option<Problem>> {
        let number = value.as_number().ok_or(None)?;
        if let Some(whole) = number.as_i64() {
            return Ok(whole);
        }
        let float = number.as_f64().unwrap_or(f64::INFINITY);
        if float.fract() != 0.0 {
            return Err(Some(Problem::new("int_from_float", Message::FractionalInteger)));
        }
        Ok(float as i64) // `as` saturates
    }
}

/// A number.
impl FromJson for f64 {
    fn from_json(value: &Value) -> Result<Self, Option<Problem>> {
        value.as_f64().ok_or(None)
    }
}

/// True and false, 1 and 0 (as whole numbers or 1.0 and 0.0), and the usual words for them.
impl FromJson for bool {
    fn from_json(value: &Value) -> Result<Self, Option<Problem>> {
        let unclear = Problem::new("bool_parsing", Message::BadBoolean);
        match value {
            Value::Bool(flag) => Ok(*flag),
            Value::Number(number) => match number.as_f64() {
                Some(0.0) => Ok(false),
                Some(1.0) => Ok(true),
                // Fractions, and numbers beyond 64 bits.
                Some(other) if other.fract() != 0.0 || other.abs() >= 2f64.powi(63) => Err(None),
                _ => Err(Some(unclear)),
            },
            Value::String(text) => match text.to_ascii_lowercase().as_str() {
                "1" | "true" | "t" | "yes" | "y" | "on" => Ok(true),
                "0" | "false" | "f" | "no" | "n" | "off" => Ok(false),
                _ => Err(Some(unclear)),
            },
            Value::Null | Value::Array(_) | Value::Object(_) => Err(None),
        }
    }
}

/// Documents remain JSON.
impl FromJson for Value {
    fn from_json(value: &Value) -> Result<Self, Option<Problem>> {
        Ok(value.clone())
    }
}

#[cfg(test)]
mod tests {
    use kurso_base::values::Checked as _;
    use serde_json::json;

    use super::*;

    #[test]
    fn booleans_have_several_spellings() {
        for (value, flag) in [
            (json!(true), true),
            (json!(1), true),
            (json!(1.0), true),
            (json!("YES"), true),
            (json!("on"), true),
            (json!(0), false),
            (json!(-0.0), false),
            (json!("Off"), false),
            (json!("f"), false),
        ] {
            assert_eq!(bool::from_json(&value), Ok(flag), "{value}");
        }
        for (value, kind) in [
            (json!(2), "bool_parsing"),
            (json!(-1), "bool_parsing"),
            (json!("maybe"), "bool_parsing"),
            (json!(""), "bool_parsing"),
            (json!(0.5), "bool_type"),
            (json!(u64::MAX), "bool_type"),
            (json!(2.0), "bool_parsing"),
            (json!(null), "bool_type"),
            (json!([]), "bool_type"),
        ] {
            let problem = bool::from_json(&value).unwrap_err();
            assert_eq!(problem.unwrap_or_else(bool::wrong_type).kind, kind, "{value}");
        }
    }
}
