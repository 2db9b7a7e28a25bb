//! Decimal numbers with at most two places, counted in hundredths. The APIs write them as texts, `12.5`, so that no client rounds them.

use serde_json::json;

use super::{Checked, Problem};
use crate::messages::Message;

/// The pattern of a decimal number in the APIs.
pub const DECIMAL: &str = r"^[0-9]{1,9}(\.[0-9]{1,2})?$";

/// Hundredths as a decimal number without superfluous zeros: 1250 is `12.5`.
pub fn decimal_text(hundredths: i64) -> String {
    let (sign, parts) = (if hundredths < 0 { "-" } else { "" }, hundredths.unsigned_abs());
    let (whole, rest) = (parts / 100, parts % 100);
    match (rest, rest % 10) {
        (0, _) => format!("{sign}{whole}"),
        (_, 0) => format!("{sign}{whole}.{}", rest / 10),
        _ => format!("{sign}{whole}.{rest:02}"),
    }
}

/// Reads a decimal number as hundredths; None for a sign, an exponent, a third place, or more than nine digits before the point.
pub fn read_decimal(text: &str) -> Option<i64> {
    let (whole, places) = text.split_once('.').unwrap_or((text, "0"));
    let is_number = |digits: &str, most: usize| {
        (1..=most).contains(&digits.len()) && digits.bytes().all(|digit| digit.is_ascii_digit())
    };
    if !is_number(whole, 9) || !is_number(places, 2) {
        return None;
    }
    let (whole, parts): (i64, i64) = (whole.parse().ok()?, places.parse().ok()?);
    let parts = if places.len() == 1 { parts * 10 } else { parts };
    whole.checked_mul(100)?.checked_add(parts)
}

macro_rules! decimals {
    ($($(#[$doc:meta])* $name:ident: $min:literal to $max:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name(i64);

        impl $name {
            /// The smallest value in hundredths.
            pub const MIN: i64 = $min;
            /// The largest value in hundredths.
            pub const MAX: i64 = $max;

            /// The value in hundredths.
            pub fn hundredths(self) -> i64 {
                self.0
            }
        }

        impl Checked for $name {
            type Plain = String;

            fn check(plain: String) -> Result<Self, Problem> {
                let hundredths = read_decimal(&plain).ok_or_else(Self::wrong_type)?;
                check(hundredths, Self::MIN, Self::MAX).map(|()| $name(hundredths))
            }

            fn wrong_type() -> Problem {
                Problem::new("decimal_parsing", Message::NotADecimal)
            }
        }
    )*};
}

fn check(hundredths: i64, min: i64, max: i64) -> Result<(), Problem> {
    let bound = decimal_text;
    if hundredths < min {
        Err(Problem::new("greater_than_equal", Message::DecimalTooSmall(bound(min))).with(json!({"ge": bound(min)})))
    } else if hundredths > max {
        Err(Problem::new("less_than_equal", Message::DecimalTooLarge(bound(max))).with(json!({"le": bound(max)})))
    } else {
        Ok(())
    }
}

decimals! {
    /// What a graded page is worth: 0.01 to 10,000 points.
    ItemPoints: 1 to 1_000_000;
    /// What a teacher gives: 0 to 100,000 points, or percent of the course.
    GivenPoints: 0 to 10_000_000;
    /// The weight of a category: 0 to 100.
    Weight: 0 to 10_000;
    /// The least percent of a label of a scheme: 0.01 to 100.
    Threshold: 1 to 10_000;
}

/// Calls a macro with the names of the decimal numbers.
#[macro_export]
macro_rules! each_decimal {
    ($with:ident) => {
        $with! { ItemPoints GivenPoints Weight Threshold }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_read_and_written_exactly() {
        for (text, hundredths) in [
            ("0", 0),
            ("7", 700),
            ("0.05", 5),
            ("12.5", 1250),
            ("999999999.99", 99_999_999_999),
        ] {
            assert_eq!(read_decimal(text), Some(hundredths), "{text}");
            assert_eq!(decimal_text(hundredths), text);
        }
        assert_eq!(read_decimal("12.50"), Some(1250));
        for text in [
            "",
            ".",
            "1.",
            ".5",
            "-1",
            "+1",
            "1e2",
            "1,5",
            "1.234",
            "1234567890",
            "1 0",
            "١",
            "0x1",
            "NaN",
        ] {
            assert_eq!(read_decimal(text), None, "{text}");
        }
    }

    #[test]
    fn a_decimal_out_of_its_bounds_is_refused() {
        let kind = |text: &str| ItemPoints::check(text.to_owned()).map_err(|problem| problem.kind);
        assert_eq!(kind("0"), Err("greater_than_equal"));
        assert_eq!(kind("10000.01"), Err("less_than_equal"));
        assert_eq!(kind("ten"), Err("decimal_parsing"));
        assert_eq!(kind("10000").map(ItemPoints::hundredths), Ok(1_000_000));
    }
}
