//! How values are checked: the problem of a value, the trait of checked types, and checks that several of them share.

use serde_json::{Value, json};

use crate::error::{FieldError, Loc};
use crate::messages::{Message, wording};

/// Why a value is refused: a [`FieldError`] without the field.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// The stable name of the rule, such as `string_too_short`.
    pub kind: &'static str,
    pub message: Message,
    /// The limits of the rule, if it has any.
    pub ctx: Option<Value>,
    /// The steps from the value to the part of it that is wrong; empty when the whole value is.
    pub inside: Vec<Loc>,
    /// What the error shows of a part; None for the whole value.
    pub shown: Option<Value>,
    /// The problems of other parts of the value.
    pub others: Vec<Problem>,
}

impl Problem {
    pub fn new(kind: &'static str, message: Message) -> Self {
        Problem {
            kind,
            message,
            ctx: None,
            inside: vec![],
            shown: None,
            others: vec![],
        }
    }

    /// Adds the limits of the rule.
    pub fn with(self, ctx: Value) -> Self {
        Problem { ctx: Some(ctx), ..self }
    }

    /// The field is required and was left out.
    pub fn missing() -> Self {
        Problem::new("missing", Message::FieldRequired)
    }

    /// The value is not one of `words`.
    pub fn not_one_of(words: Vec<&'static str>) -> Self {
        let ctx = json!({"expected": wording::choice(&words, "or")});
        Problem::new("enum", Message::NotOneOf(words)).with(ctx)
    }

    /// The error of a value found at `loc`; `input` is what the error shows of it.
    pub fn at(self, mut loc: Vec<Loc>, input: Value) -> FieldError {
        loc.extend(self.inside);
        FieldError {
            kind: self.kind,
            loc,
            message: self.message,
            input: self.shown.unwrap_or(input),
            ctx: self.ctx,
        }
    }

    /// As [`Problem::at`], with the errors of the other parts of the value.
    pub fn all_at(mut self, loc: &[Loc], input: &Value) -> Vec<FieldError> {
        let others = std::mem::take(&mut self.others);
        let problems = std::iter::once(self).chain(others);
        problems
            .map(|problem| {
                // The whole value may be long: a problem that shows a part of it needs no copy.
                let input = match problem.shown {
                    Some(_) => Value::Null,
                    None => input.clone(),
                };
                problem.at(loc.to_vec(), input)
            })
            .collect()
    }
}

/// A type whose values are checked when they are made.
pub trait Checked: Sized {
    /// What a value is made from: `String`, `i64`, `bool`, or JSON for documents.
    type Plain;
    /// Whether errors show null in place of what was sent, as for passwords.
    const HIDDEN: bool = false;

    fn check(plain: Self::Plain) -> Result<Self, Problem>;

    /// The problem of a value that is not a `Plain`: null, or a value of another type.
    fn wrong_type() -> Problem;
}

/// A new value for a field that may be empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Change<T> {
    /// The field stays as it is.
    #[default]
    Keep,
    Clear,
    Set(T),
}

impl<T> Change<T> {
    pub fn is_keep(&self) -> bool {
        matches!(self, Change::Keep)
    }

    /// Reads a JSON value, of which null clears the field; None for a value that `with` cannot read.
    pub fn of_json(value: &Value, with: impl FnOnce(&Value) -> Option<T>) -> Option<Self> {
        match value {
            Value::Null => Some(Change::Clear),
            value => with(value).map(Change::Set),
        }
    }

    /// The new value; None when the field is kept or cleared.
    pub fn value(self) -> Option<T> {
        match self {
            Change::Set(value) => Some(value),
            Change::Keep | Change::Clear => None,
        }
    }
}

/// Checks the number of characters of a text.
pub fn check_length(text: &str, min: usize, max: usize) -> Result<(), Problem> {
    let length = text.chars().count();
    if length < min {
        Err(Problem::new("string_too_short", Message::TooShort(min)).with(json!({"min_length": min})))
    } else if length > max {
        Err(Problem::new("string_too_long", Message::TooLong(max)).with(json!({"max_length": max})))
    } else {
        Ok(())
    }
}

/// Rejects a zero byte, which PostgreSQL cannot store in a text.
pub fn check_zero_byte(text: &str) -> Result<(), Problem> {
    match text.contains('\0') {
        true => Err(Problem::new("value_error", Message::ZeroByte)),
        false => Ok(()),
    }
}

pub(super) fn no_string() -> Problem {
    Problem::new("string_type", Message::NotAString)
}
