//! Passwords and the tokens of mailed links. Debug output does not show them.

use std::fmt;

use super::checked::no_string;
use super::{Checked, Problem, check_length};

/// A password: a new one, or the current one as a person types it. Debug output does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct Password(String);

impl Password {
    /// The fewest characters.
    pub const MIN: usize = 8;
    /// The most characters.
    pub const MAX: usize = 128;

    pub fn parse(text: impl Into<String>) -> Result<Self, Problem> {
        let text = text.into();
        check_length(&text, Self::MIN, Self::MAX)?;
        Ok(Password(text))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(…)")
    }
}

impl From<Password> for String {
    fn from(password: Password) -> String {
        password.0
    }
}

impl Checked for Password {
    type Plain = String;
    const HIDDEN: bool = true;

    fn check(plain: String) -> Result<Self, Problem> {
        Self::parse(plain)
    }

    fn wrong_type() -> Problem {
        no_string()
    }
}

/// The token of a mailed link. Any string is accepted here; the function that uses the token verifies it.
#[derive(Clone, PartialEq, Eq)]
pub struct LinkToken(pub String);

impl fmt::Debug for LinkToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LinkToken(…)")
    }
}

impl Checked for LinkToken {
    type Plain = String;
    const HIDDEN: bool = true;

    fn check(plain: String) -> Result<Self, Problem> {
        Ok(LinkToken(plain))
    }

    fn wrong_type() -> Problem {
        no_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_output_hides_secrets() {
        let shown = format!(
            "{:?} {:?}",
            Password::parse("correct horse").unwrap(),
            LinkToken("abc".into())
        );
        assert_eq!(shown, "Password(…) LinkToken(…)");
    }
}
