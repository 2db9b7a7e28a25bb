//! Colors.

use super::checked::no_string;
use super::{Checked, Problem};
use crate::messages::Message;

/// A color as `#rrggbb`, in lower case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HexColor(String);

impl HexColor {
    /// What a color looks like, as a regular expression.
    pub const PATTERN: &'static str = "^#[0-9a-fA-F]{6}$";

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<HexColor> for String {
    fn from(color: HexColor) -> String {
        color.0
    }
}

impl Checked for HexColor {
    type Plain = String;

    fn check(plain: String) -> Result<Self, Problem> {
        let digits = plain.strip_prefix('#').filter(|digits| digits.len() == 6);
        if !digits.is_some_and(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit())) {
            let problem = Problem::new("string_pattern_mismatch", Message::BadPattern(Self::PATTERN));
            return Err(problem.with(serde_json::json!({"pattern": Self::PATTERN})));
        }
        Ok(HexColor(plain.to_ascii_lowercase()))
    }

    fn wrong_type() -> Problem {
        no_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_color_has_six_digits() {
        assert_eq!(HexColor::check("#1F6feb".to_owned()).unwrap().as_str(), "#1f6feb");
        for wrong in ["", "#", "1f6feb", "#1f6fe", "#1f6febf", "#+f6feb", "#éfeb1", "red"] {
            assert_eq!(
                HexColor::check(wrong.to_owned()).unwrap_err().kind,
                "string_pattern_mismatch"
            );
        }
    }
}
