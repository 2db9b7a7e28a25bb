//! Checked values that commands are made of: titles, passwords, positions. A value of these types is within its bounds.
//!
//! The bounds of a type are its constants (`Title::MAX`); the API schemas read them from here.

mod lists;

use std::fmt;

use serde_json::{Value, json};
use uuid::Uuid;

use crate::email::Email;
use crate::error::{FieldError, Loc};
use crate::ids::{self, CourseId, EnrollmentId, GroupId, LessonId, ModuleId, UserId};
use crate::messages::{self, Lang, Message};
pub use lists::{LIST_SIZE, Several, check_size};

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
        let ctx = json!({"expected": messages::choice(&words, "or")});
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
            .map(|problem| problem.at(loc.to_vec(), input.clone()))
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

fn no_string() -> Problem {
    Problem::new("string_type", Message::NotAString)
}

macro_rules! texts {
    ($($(#[$doc:meta])* $name:ident: $min:literal to $max:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct $name(String);

        impl $name {
            /// The fewest characters.
            pub const MIN: usize = $min;
            /// The most characters.
            pub const MAX: usize = $max;

            pub fn parse(text: impl Into<String>) -> Result<Self, Problem> {
                let text = text.into();
                check_length(&text, Self::MIN, Self::MAX)?;
                check_zero_byte(&text)?;
                Ok($name(text))
            }

            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl Checked for $name {
            type Plain = String;

            fn check(plain: String) -> Result<Self, Problem> {
                Self::parse(plain)
            }

            fn wrong_type() -> Problem {
                no_string()
            }
        }

        impl From<$name> for String {
            fn from(value: $name) -> String {
                value.0
            }
        }
    )*};
}

texts! {
    /// The title of a course, a module, a lesson, a page or an item.
    Title: 1 to 255;
    /// The description of a course or a module.
    Description: 0 to 10_000;
    /// The description of an item.
    ItemDescription: 0 to 255;
    /// The name of a person: surname, first name and patronymic.
    FullName: 0 to 255;
    /// The address of a picture, as a client has read it.
    AvatarUrl: 0 to 1000;
    /// A pasted text with e-mail addresses.
    PastedEmails: 1 to 100_000;
    /// Names one open editor of a person, such as a browser tab.
    EditorSession: 1 to 128;
}

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

/// A string of any length without a zero byte.
impl Checked for String {
    type Plain = String;

    fn check(plain: String) -> Result<Self, Problem> {
        check_zero_byte(&plain)?;
        Ok(plain)
    }

    fn wrong_type() -> Problem {
        no_string()
    }
}

impl Checked for Email {
    type Plain = String;

    fn check(plain: String) -> Result<Self, Problem> {
        Email::parse(&plain).map_err(|problem| {
            let ctx = json!({"reason": problem.text(Lang::En)});
            Problem::new("value_error", Message::BadEmail(problem)).with(ctx)
        })
    }

    fn wrong_type() -> Problem {
        no_string()
    }
}

impl Checked for bool {
    type Plain = bool;

    fn check(plain: bool) -> Result<Self, Problem> {
        Ok(plain)
    }

    fn wrong_type() -> Problem {
        Problem::new("bool_type", Message::NotABoolean)
    }
}

/// Any whole number.
impl Checked for i64 {
    type Plain = i64;

    fn check(plain: i64) -> Result<Self, Problem> {
        Ok(plain)
    }

    fn wrong_type() -> Problem {
        Problem::new("int_type", Message::NotAnInteger)
    }
}

/// Checks that a whole number is within bounds.
pub fn check_range(number: i64, min: i64, max: i64) -> Result<(), Problem> {
    if number < min {
        Err(Problem::new("greater_than_equal", Message::IntegerTooSmall(min)).with(json!({"ge": min})))
    } else if number > max {
        Err(Problem::new("less_than_equal", Message::IntegerTooLarge(max)).with(json!({"le": max})))
    } else {
        Ok(())
    }
}

macro_rules! integers {
    ($($(#[$doc:meta])* $name:ident: $min:literal to $max:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name(i64);

        impl $name {
            /// The smallest value.
            pub const MIN: i64 = $min;
            /// The largest value.
            pub const MAX: i64 = $max;

            pub fn get(self) -> i64 {
                self.0
            }
        }

        impl Checked for $name {
            type Plain = i64;

            fn check(plain: i64) -> Result<Self, Problem> {
                check_range(plain, Self::MIN, Self::MAX).map(|()| $name(plain))
            }

            fn wrong_type() -> Problem {
                Problem::new("int_type", Message::NotAnInteger)
            }
        }
    )*};
}

integers! {
    /// An index in a list of siblings; one beyond the end means the end.
    Position: 0 to i64::MAX;
    /// The version of a page.
    PageVersion: 1 to i64::MAX;
}

macro_rules! ids {
    ($($name:ident)*) => {$(
        impl Checked for $name {
            type Plain = String;

            fn check(plain: String) -> Result<Self, Problem> {
                Uuid::try_parse(&plain).map(Into::into).map_err(|_| {
                    let reason = ids::why_not_a_uuid(&plain);
                    let ctx = json!({"error": reason});
                    Problem::new("uuid_parsing", Message::BadUuid(reason)).with(ctx)
                })
            }

            fn wrong_type() -> Problem {
                Problem::new("uuid_type", Message::NotAUuid)
            }
        }
    )*};
}

ids! { Uuid UserId CourseId ModuleId LessonId EnrollmentId GroupId }

/// Implements [`Checked`] for an enum whose values have names: `choices! { PageKind: "content" => PageKind::Content; }`.
#[macro_export]
macro_rules! choices {
    ($($type:ty: $($name:literal => $value:expr),+;)*) => {$(
        impl $crate::values::Checked for $type {
            type Plain = String;

            fn check(plain: String) -> Result<Self, $crate::values::Problem> {
                match plain.as_str() {
                    $($name => Ok($value),)+
                    _ => Err(Self::wrong_type()),
                }
            }

            fn wrong_type() -> $crate::values::Problem {
                $crate::values::Problem::not_one_of(vec![$($name),+])
            }
        }
    )*};
}
pub use choices;

/// Calls a macro with the names of the texts that have bounds: `each_text!(schemas)`.
#[macro_export]
macro_rules! each_text {
    ($with:ident) => {
        $with! { Title Description ItemDescription FullName AvatarUrl PastedEmails Password }
    };
}

/// Calls a macro with the names of the bounded whole numbers.
#[macro_export]
macro_rules! each_integer {
    ($with:ident) => {
        $with! { Position PageVersion }
    };
}

/// Deserialises checked values from JSON, for tests. Errors do not name the path of the value.
#[cfg(feature = "testing")]
mod from_json {
    use serde::de::{Deserialize, Deserializer, Error as _};

    use super::{Change, Checked};

    macro_rules! checked {
        ($($type:ident)*) => {$(
            impl<'de> Deserialize<'de> for super::$type {
                fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                    let plain = Deserialize::deserialize(deserializer)?;
                    <Self as Checked>::check(plain).map_err(|problem| D::Error::custom(problem.message))
                }
            }
        )*};
    }

    each_text!(checked);
    each_integer!(checked);
    checked! { LinkToken Email }

    impl<'de, T: Checked<Plain = String>> Deserialize<'de> for super::Several<T> {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let plain = Deserialize::deserialize(deserializer)?;
            <Self as Checked>::check(plain).map_err(|problem| D::Error::custom(problem.message))
        }
    }

    impl<'de, T: Deserialize<'de>> Deserialize<'de> for Change<T> {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let value = Option::deserialize(deserializer)?;
            Ok(value.map_or(Change::Clear, Change::Set))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_counted_in_characters() {
        assert!(Title::parse("я".repeat(255)).is_ok());
        assert!(Password::parse("ü".repeat(128)).is_ok());
        assert_eq!(Title::parse("").unwrap_err().kind, "string_too_short");
        let long = Title::parse("я".repeat(256)).unwrap_err();
        assert_eq!(
            (long.kind, long.ctx),
            ("string_too_long", Some(json!({"max_length": 255})))
        );
    }

    #[test]
    fn a_number_out_of_its_bounds_is_refused() {
        assert_eq!(Position::check(-1).unwrap_err().ctx, Some(json!({"ge": 0})));
        let problem = check_range(601, 1, 600).unwrap_err();
        assert_eq!(
            (problem.kind, problem.ctx),
            ("less_than_equal", Some(json!({"le": 600})))
        );
        assert_eq!((check_range(1, 1, 600), check_range(600, 1, 600)), (Ok(()), Ok(())));
    }

    #[test]
    fn a_zero_byte_is_refused_except_in_secrets() {
        assert_eq!(Title::parse("a\0b").unwrap_err().kind, "value_error");
        assert_eq!(String::check("a\0b".to_owned()).unwrap_err().kind, "value_error");
        assert!(Password::parse("secret\0\0\0").is_ok());
    }

    #[test]
    fn debug_output_hides_secrets() {
        let shown = format!(
            "{:?} {:?}",
            Password::parse("correct horse").unwrap(),
            LinkToken("abc".into())
        );
        assert_eq!(shown, "Password(…) LinkToken(…)");
    }

    #[test]
    fn a_choice_lists_the_expected_names() {
        let problem = Problem::not_one_of(vec!["content", "quiz"]);
        assert_eq!(problem.ctx, Some(json!({"expected": "'content' or 'quiz'"})));
    }
}
