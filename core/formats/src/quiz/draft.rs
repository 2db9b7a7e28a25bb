//! A quiz as sent by its author, before validation.

use serde_json::Value;

use super::Quiz;
use super::read::read;
use kurso_base::error::Result;
use kurso_base::values::{Checked, Problem};

/// The JSON of a quiz: the format that `docs/` describes and that exported courses hold. It is checked when it is stored,
/// because the check depends on the page.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(any(test, feature = "testing"), derive(serde::Deserialize))]
pub struct QuizDraft(Value);

impl QuizDraft {
    pub fn as_json(&self) -> &Value {
        &self.0
    }

    /// The quiz, or every error in it.
    pub fn check(&self) -> Result<Quiz> {
        read(&self.0)
    }
}

impl Checked for QuizDraft {
    type Plain = Value;
    const HIDDEN: bool = true;

    fn check(plain: Value) -> Result<Self, Problem> {
        Ok(QuizDraft(plain))
    }

    fn wrong_type() -> Problem {
        Problem::missing()
    }
}
