//! Reader of nested JSON that collects every error with its location.

use serde_json::{Map, Number, Value, json};
use uuid::Uuid;

use super::check::{check_count, check_text};
use super::problem::Problem;
use kurso_base::error::{Error, FieldError, Loc, require_no_errors};
use kurso_base::messages::Message;
use kurso_base::values;

/// The most errors that a response lists.
const MAX_ERRORS: usize = 50;
/// Characters of the input that an error shows.
const MAX_SHOWN: usize = 100;

/// The location of a value: a linked list on the stack, which becomes a `Vec` only for an error.
#[derive(Clone, Copy)]
pub struct At<'a> {
    parent: Option<&'a At<'a>>,
    step: Step<'a>,
}

#[derive(Clone, Copy)]
enum Step<'a> {
    Name(&'a str),
    Index(usize),
}

impl<'a> At<'a> {
    pub const BODY: At<'static> = At {
        parent: None,
        step: Step::Name("body"),
    };

    pub fn name(&'a self, name: &'a str) -> At<'a> {
        At {
            parent: Some(self),
            step: Step::Name(name),
        }
    }

    pub fn index(&'a self, index: usize) -> At<'a> {
        At {
            parent: Some(self),
            step: Step::Index(index),
        }
    }

    pub fn loc(&self) -> Vec<Loc> {
        let mut loc = self.parent.map_or_else(Vec::new, At::loc);
        loc.push(match self.step {
            Step::Name(name) => Loc::from(name),
            Step::Index(index) => Loc::Index(index),
        });
        loc
    }
}

/// The errors found so far. After an error, readers continue with a placeholder to find all errors; [`Problems::finish`] then
/// returns the errors in place of the value.
#[derive(Default)]
pub struct Problems {
    found: Vec<FieldError>,
}

impl Problems {
    pub fn refuse(&mut self, at: &At<'_>, kind: &'static str, message: Message, input: &Value) {
        self.add(at, values::Problem::new(kind, message), input);
    }

    /// Adds the problem of the value `input`, found at `at`.
    pub fn add(&mut self, at: &At<'_>, problem: values::Problem, input: &Value) {
        if self.found.len() < MAX_ERRORS {
            self.found.push(problem.at(at.loc(), shown(input)));
        }
    }

    /// Whether a rule holds for the value `input`; adds its problem if not.
    pub fn holds(&mut self, at: &At<'_>, rule: Result<(), values::Problem>, input: &Value) -> bool {
        rule.map_err(|problem| self.add(at, problem, input)).is_ok()
    }

    /// The number of errors found so far, up to the most that are listed.
    pub fn count(&self) -> usize {
        self.found.len()
    }

    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    pub fn into_errors(self) -> Vec<FieldError> {
        self.found
    }

    /// The value, or all errors.
    pub fn finish<T>(self, read: T) -> Result<T, Error> {
        require_no_errors(self.found)?;
        Ok(read)
    }

    pub fn missing(&mut self, at: &At<'_>) {
        self.refuse(at, "missing", Message::FieldRequired, &Value::Null);
    }

    pub fn object<'v>(&mut self, at: &At<'_>, value: &'v Value) -> Option<&'v Map<String, Value>> {
        if value.as_object().is_none() {
            self.refuse(at, "model_attributes_type", Message::NotAnObject, value);
        }
        value.as_object()
    }

    /// A list of at most `max` entries; empty when it is none.
    pub fn list<'v>(&mut self, at: &At<'_>, value: &'v Value, max: usize) -> &'v [Value] {
        let Value::Array(list) = value else {
            self.refuse(at, "list_type", Problem::NotAList.message(), value);
            return &[];
        };
        match self.holds(at, check_count(list.len(), max), &Value::Null) {
            true => list,
            false => &[],
        }
    }

    pub fn flag(&mut self, at: &At<'_>, value: &Value) -> Option<bool> {
        if !value.is_boolean() {
            self.refuse(at, "bool_type", Problem::NotAFlag.message(), value);
        }
        value.as_bool()
    }

    /// A whole number within the bounds; `70.0` counts as whole.
    pub fn whole(&mut self, at: &At<'_>, value: &Value, min: i64, max: i64) -> Option<i64> {
        let Value::Number(number) = value else {
            self.refuse(at, "int_type", Problem::NotWhole.message(), value);
            return None;
        };
        let exact = super::number::exact(number);
        if exact.is_none_or(|exact| !exact.is_integer()) {
            self.refuse(at, "int_from_float", Problem::NotWhole.message(), value);
            return None;
        }
        let whole = number
            .as_i64()
            .or_else(|| number.to_string().strip_suffix(".0")?.parse().ok());
        let fits = whole.filter(|whole| (min..=max).contains(whole));
        if fits.is_none() {
            self.refuse(at, "value_error", Problem::OutOfBounds(min, max).message(), value);
        }
        fits
    }

    pub fn number(&mut self, at: &At<'_>, value: &Value) -> Option<Number> {
        if !value.is_number() {
            self.refuse(at, "float_type", Problem::NotANumber.message(), value);
        }
        value.as_number().cloned()
    }

    pub fn string(&mut self, at: &At<'_>, value: &Value) -> Option<String> {
        if !value.is_string() {
            self.refuse(at, "string_type", Message::NotAString, value);
        }
        value.as_str().map(str::to_owned)
    }

    /// A text of at most `max` characters.
    pub fn text(&mut self, at: &At<'_>, value: &Value, max: usize) -> Option<String> {
        let text = self.string(at, value)?;
        self.holds(at, check_text(&text, max), value).then_some(text)
    }

    pub fn uuid(&mut self, at: &At<'_>, value: &Value) -> Option<Uuid> {
        let text = self.string(at, value)?;
        self.uuid_text(at, &text)
    }

    pub fn uuid_text(&mut self, at: &At<'_>, text: &str) -> Option<Uuid> {
        let error = match Uuid::parse_str(text) {
            Ok(id) => return Some(id),
            Err(error) => error.to_string(),
        };
        let ctx = json!({ "error": error });
        let problem = values::Problem::new("uuid_parsing", Message::BadUuid(error));
        self.add(at, problem.with(ctx), &text.into());
        None
    }

    /// The value of one of the names.
    pub fn name<T: Copy>(&mut self, at: &At<'_>, value: &Value, names: &[(&'static str, T)]) -> Option<T> {
        let found = names.iter().find(|(name, _)| value.as_str() == Some(name));
        if found.is_none() {
            let names = names.iter().map(|(name, _)| *name).collect();
            self.refuse(at, "literal_error", Problem::OneOf(names).message(), value);
        }
        found.map(|(_, of)| *of)
    }
}

/// The value of a field; None when it is missing or null.
pub fn given<'v>(map: &'v Map<String, Value>, name: &str) -> Option<&'v Value> {
    map.get(name).filter(|value| !value.is_null())
}

/// The value as an error shows it: the start of a text; null for a list or an object, which may be large.
fn shown(value: &Value) -> Value {
    match value {
        Value::Array(_) | Value::Object(_) => Value::Null,
        Value::String(text) => Value::String(text.chars().take(MAX_SHOWN).collect()),
        other => other.clone(),
    }
}
