//! Reader of input objects: makes commands of them and finds the errors of all fields, in the order of the fields.

use async_graphql::{ID, MaybeUndefined};
use kurso_base::error::{Error, FieldError, Loc};
use kurso_base::values::{Change, Checked, Problem};
use serde_json::Value;

/// The errors found so far. Each method reads one field, by its name in the core; None when the field is wrong.
#[derive(Default)]
pub struct Fields {
    errors: Vec<FieldError>,
}

impl Fields {
    /// A field that the schema requires.
    pub fn required<T: Checked>(&mut self, name: &str, value: impl Into<T::Plain>) -> Option<T> {
        T::check(value.into())
            .map_err(|problem| self.refuse(name, problem))
            .ok()
    }

    /// A field that may be left out or be null, which is the same.
    pub fn optional<T: Checked>(&mut self, name: &str, value: Option<impl Into<T::Plain>>) -> Option<Option<T>> {
        match value {
            None => Some(None),
            Some(value) => self.required(name, value).map(Some),
        }
    }

    /// A field that may be left out, but not be null.
    pub fn given<T: Checked>(&mut self, name: &str, value: MaybeUndefined<impl Into<T::Plain>>) -> Option<Option<T>> {
        match value {
            MaybeUndefined::Undefined => Some(None),
            MaybeUndefined::Value(value) => self.required(name, value).map(Some),
            MaybeUndefined::Null => {
                self.refuse(name, T::wrong_type());
                None
            }
        }
    }

    /// A boolean that is `default` when it is left out; it may not be null.
    pub fn flag(&mut self, name: &str, value: MaybeUndefined<bool>, default: bool) -> Option<bool> {
        self.given(name, value).map(|value| value.unwrap_or(default))
    }

    /// A field that stays as it is when left out, and is cleared by null.
    pub fn change<T: Checked>(&mut self, name: &str, value: MaybeUndefined<impl Into<T::Plain>>) -> Option<Change<T>> {
        match value {
            MaybeUndefined::Undefined => Some(Change::Keep),
            MaybeUndefined::Null => Some(Change::Clear),
            MaybeUndefined::Value(value) => self.required(name, value).map(Change::Set),
        }
    }

    /// A field that may be null, but not be left out.
    pub fn nullable<T: Checked>(
        &mut self,
        name: &str,
        value: MaybeUndefined<impl Into<T::Plain>>,
    ) -> Option<Option<T>> {
        match value {
            MaybeUndefined::Undefined => {
                self.refuse(name, Problem::missing());
                None
            }
            MaybeUndefined::Null => Some(None),
            MaybeUndefined::Value(value) => self.required(name, value).map(Some),
        }
    }

    /// A value that needs no check.
    pub fn known<T>(&mut self, _name: &str, value: T) -> Option<T> {
        Some(value)
    }

    /// The command, or all errors.
    pub fn finish<T>(self, command: Option<T>) -> Result<T, Error> {
        match command {
            Some(command) => Ok(command),
            None => Err(Error::Invalid(self.errors)),
        }
    }

    /// Adds an error of a field.
    pub fn refuse(&mut self, name: &str, problem: Problem) {
        let loc = vec![Loc::from("body"), Loc::from(name)];
        // The errors of this API do not show what was sent.
        self.errors.extend(problem.all_at(&loc, &Value::Null));
    }
}

/// A list of ids as a value to check.
pub fn ids(ids: Vec<ID>) -> Value {
    Value::from_iter(ids.into_iter().map(|id| id.0))
}

/// Makes a command of an input, or returns all errors of its fields from the resolver:
/// `command!(ctx, UpdateItem { title: given(input.title), description: change(input.description) })`. Each field names the
/// method of [`Fields`] that reads it.
macro_rules! command {
    ($ctx:expr, $command:ident $values:tt) => {{
        let mut fields = $crate::input::Fields::default();
        let command = $crate::input::read!(fields, $command $values);
        fields.finish(command).map_err($crate::error::wrap($ctx))?
    }};
}
pub(crate) use command;

/// As [`command!`], with the [`Fields`] of the caller: an `Option`, which is None when a field is wrong.
macro_rules! read {
    ($fields:ident, $command:ident { $($field:ident: $read:ident($($arg:expr),+)),+ $(,)? }) => {{
        $(let $field = $fields.$read(stringify!($field), $($arg),+);)+
        (|| Some($command { $($field: $field?),+ }))()
    }};
}
pub(crate) use read;
