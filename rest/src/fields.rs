//! Reader of JSON bodies: turns a body into a command, or reports the errors of all fields in the order of the fields.
//!
//! [`body!`] declares a body once. The declaration is the OpenAPI schema and the reader.

mod entries;
mod json;
mod nullable;
mod schema;
mod secrets;

use std::marker::PhantomData;

use axum::extract::FromRequestParts;
use http::request::Parts;
use kurso_base::error::{Error, FieldError};
use kurso_base::messages::Message;
use kurso_base::values::{Change, Problem};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::App;
use crate::body::JsonBody;
use crate::error::Result;
pub use entries::{any_entries_schema, entries_schema, entry_schema};
pub use json::FromJson;
pub use nullable::Nullable;
pub use schema::{Field, description, of_type, of_type_or_null, property, uuid_schema};
use secrets::{names_secret, without_secrets};

/// A JSON body that is read as a command of the core.
pub trait Body: ToSchema {
    type Command;

    /// Reads every field. None when one of them is invalid; `fields` then has its error.
    fn read(fields: &mut Fields<'_>) -> Option<Self::Command>;
}

/// The command in the body of a request; 422 with all errors when the body does not fit.
pub struct Command<B: Body>(pub B::Command);

impl<B: Body> Command<B> {
    /// Reads a body, also one that was sent as a form.
    pub fn of(body: &Value) -> Result<Self, Error> {
        let mut fields = Fields::of(body)?;
        let command = B::read(&mut fields);
        fields.finish(command).map(Command)
    }
}

impl<B: Body> FromRequestParts<App> for Command<B> {
    type Rejection = crate::error::Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let JsonBody(body) = JsonBody::from_request_parts(parts, app).await?;
        Ok(Command::of(&body)?)
    }
}

/// The fields of one body, and the errors found so far.
pub struct Fields<'a> {
    map: &'a Map<String, Value>,
    body: &'a Value,
    errors: Vec<FieldError>,
}

impl<'a> Fields<'a> {
    /// Takes the body as an object; anything else is one error at `["body"]`.
    pub fn of(body: &'a Value) -> Result<Self, Error> {
        match body {
            Value::Object(map) => Ok(Fields {
                map,
                body,
                errors: vec![],
            }),
            Value::Null => Err(body_error("missing", Message::FieldRequired, Value::Null)),
            other => Err(body_error("model_attributes_type", Message::NotAnObject, other.clone())),
        }
    }

    /// Reads one field; None when it is invalid.
    pub fn read<P: Presence>(&mut self, name: &str) -> Option<P::Value> {
        match P::read(self.map.get(name)) {
            Ok(value) => return Some(value),
            Err(Invalid::Missing) => self.refuse_missing(name),
            Err(Invalid::Value(problem, input)) => self.push(name, *problem, input),
        }
        None
    }

    /// Reads the whole body by a reader of its own; None when it is invalid.
    pub fn read_whole<T>(&mut self, read: impl FnOnce(&Value) -> Result<T, Error>) -> Option<T> {
        match read(self.body) {
            Ok(value) => return Some(value),
            Err(Error::Invalid(errors)) => self.errors.extend(errors),
            Err(_) => {} // `finish` then fails with an internal error
        }
        None
    }

    /// Adds an error of a required field that is missing; it shows the whole body.
    pub fn refuse_missing(&mut self, name: &str) {
        let input = without_secrets(self.body);
        self.push(name, Problem::missing(), input);
    }

    /// Adds an error of a field whose value contradicts the other fields.
    pub fn refuse(&mut self, name: &str, problem: Problem) {
        self.push(name, problem, Value::Null);
    }

    fn push(&mut self, name: &str, problem: Problem, input: Value) {
        self.errors
            .extend(problem.all_at(&["body".into(), name.into()], &input));
    }

    /// The command, or all errors.
    pub fn finish<T>(self, command: Option<T>) -> Result<T, Error> {
        match command {
            _ if !self.errors.is_empty() => Err(Error::Invalid(self.errors)),
            Some(command) => Ok(command),
            None => Err(Error::internal("a field is invalid without an error")),
        }
    }
}

/// How a field of a body may be left out or be null: a plain [`Field`] is required.
pub trait Presence {
    /// What the command holds.
    type Value;
    type Field: Field;
    const REQUIRED: bool = false;
    const NULLABLE: bool = false;
    const DEFAULT: Option<bool> = None;

    fn read(given: Option<&Value>) -> Result<Self::Value, Invalid>;
}

/// Why a field is invalid.
pub enum Invalid {
    Missing,
    /// The problem, and the input that the error shows.
    Value(Box<Problem>, Value),
}

/// A field that may be left out, but not be null. The command holds an `Option`.
pub struct Given<T>(PhantomData<T>);

/// A boolean that is `DEFAULT` when it is left out; it may not be null.
pub struct Flag<const DEFAULT: bool>;

impl<T: Field> Presence for T {
    type Value = T;
    type Field = T;
    const REQUIRED: bool = true;

    fn read(given: Option<&Value>) -> Result<T, Invalid> {
        given.map_or(Err(Invalid::Missing), read_value)
    }
}

/// A field that may be left out or be null, which means the same.
impl<T: Field> Presence for Option<T> {
    type Value = Option<T>;
    type Field = T;
    const NULLABLE: bool = true;

    fn read(given: Option<&Value>) -> Result<Option<T>, Invalid> {
        given.filter(|value| !value.is_null()).map(read_value).transpose()
    }
}

impl<T: Field> Presence for Given<T> {
    type Value = Option<T>;
    type Field = T;

    fn read(given: Option<&Value>) -> Result<Option<T>, Invalid> {
        given.map(read_value).transpose()
    }
}

/// A field that stays as it is when left out, and is cleared by null.
impl<T: Field> Presence for Change<T> {
    type Value = Change<T>;
    type Field = T;
    const NULLABLE: bool = true;

    fn read(given: Option<&Value>) -> Result<Change<T>, Invalid> {
        match given {
            None => Ok(Change::Keep),
            Some(Value::Null) => Ok(Change::Clear),
            Some(value) => read_value(value).map(Change::Set),
        }
    }
}

impl<const DEFAULT: bool> Presence for Flag<DEFAULT> {
    type Value = bool;
    type Field = bool;
    const DEFAULT: Option<bool> = Some(DEFAULT);

    fn read(given: Option<&Value>) -> Result<bool, Invalid> {
        given.map_or(Ok(DEFAULT), read_value)
    }
}

fn read_value<T: Field>(value: &Value) -> Result<T, Invalid> {
    let plain = T::Plain::from_json(value).map_err(|problem| problem.unwrap_or_else(T::wrong_type));
    plain.and_then(T::check).map_err(|problem| {
        let input = if T::HIDDEN { Value::Null } else { without_secrets(value) };
        Invalid::Value(Box::new(problem), input)
    })
}

/// Declares a body: its name in OpenAPI, the command that it is read as, and its fields. A field's type is its [`Presence`];
/// its doc comment is its description. The errors of a body come in the order of its fields.
///
/// ```ignore
/// body! {
///     /// Fields that are absent keep their values.
///     LessonUpdate -> UpdateLesson {
///         title: Given<Title>,
///         position: Option<Position>,
///     }
/// }
/// ```
///
/// Where the command has other fields than the body, `=> |fields| expression;` makes it from the values, each of which is
/// None when it is invalid. The expression is None when the command cannot be made; `fields` then has an error.
macro_rules! body {
    ($($(#[doc = $doc:literal])* $name:ident -> $command:ident {
        $($(#[doc = $field_doc:literal])* $field:ident: $presence:ty),+ $(,)?
    } $(=> |$reader:ident| $make:expr;)?)*) => {$(
        $(#[doc = $doc])*
        pub struct $name;

        impl $crate::fields::Body for $name {
            type Command = $command;

            fn read(fields: &mut $crate::fields::Fields<'_>) -> Option<$command> {
                $(let $field = fields.read::<$presence>(stringify!($field));)+
                $(let $reader = fields;)?
                $crate::fields::body!(@make $command { $($field),+ } $(=> $make)?)
            }
        }

        impl utoipa::PartialSchema for $name {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
                use $crate::fields::{Presence, description, property};
                let object = utoipa::openapi::schema::ObjectBuilder::new();
                let object = object.description(description(&[$($doc),*]));
                $(
                    let object = object.property(stringify!($field), property::<$presence>(&[$($field_doc),*]));
                    let object = match <$presence as Presence>::REQUIRED {
                        true => object.required(stringify!($field)),
                        false => object,
                    };
                )+
                object.into()
            }
        }

        impl utoipa::ToSchema for $name {
            fn name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn schemas(to: &mut Vec<(String, utoipa::openapi::RefOr<utoipa::openapi::Schema>)>) {
                $(<<$presence as $crate::fields::Presence>::Field as $crate::fields::Field>::schemas(to);)+
            }
        }
    )*};
    (@make $command:ident { $($field:ident),+ }) => { Some($command { $($field: $field?),+ }) };
    (@make $command:ident { $($field:ident),+ } => $make:expr) => { $make };
}
pub(crate) use body;

fn body_error(kind: &'static str, message: Message, input: Value) -> Error {
    let input = match input {
        // The body may be JSON inside of a JSON string, or another text.
        Value::String(text) if names_secret(&text) => Value::String(String::new()),
        input => without_secrets(&input),
    };
    Error::invalid(FieldError {
        kind,
        loc: vec!["body".into()],
        message,
        input,
        ctx: None,
    })
}

#[cfg(test)]
mod tests {
    use kurso_base::email::Email;
    use kurso_base::ids::UserId;
    use kurso_base::values::{FullName, Password, Position, Title, choices};
    use serde_json::json;
    use utoipa::openapi::schema::Type;
    use utoipa::openapi::{RefOr, Schema};

    use super::*;

    #[derive(Debug)]
    pub struct Sent {
        _email: Email,
        _password: Password,
        _full_name: Option<FullName>,
    }

    body! {
        /// A test body.
        SentBody -> Sent {
            /// An address.
            email: Email,
            password: Password,
            full_name: Option<FullName>,
        } => |_fields| Some(Sent {
            _email: email?,
            _password: password?,
            _full_name: full_name?,
        });
    }

    fn errors(body: &Value) -> Vec<FieldError> {
        match Command::<SentBody>::of(body) {
            Ok(_) => vec![],
            Err(Error::Invalid(errors)) => errors,
            Err(other) => panic!("{other}"),
        }
    }

    fn kinds(body: Value) -> Vec<&'static str> {
        errors(&body).iter().map(|error| error.kind).collect()
    }

    /// Reads one field of each kind of presence; the errors come last.
    fn read_all<T>(body: &Value, read: impl FnOnce(&mut Fields<'_>) -> T) -> (T, Vec<FieldError>) {
        let mut fields = Fields::of(body).unwrap();
        let values = read(&mut fields);
        (values, fields.errors)
    }

    #[test]
    fn all_errors_come_at_once_in_the_order_of_the_fields() {
        let body = json!({"full_name": "x".repeat(256), "password": "short", "email": "nobody"});
        assert_eq!(kinds(body), ["value_error", "string_too_short", "string_too_long"]);
    }

    #[test]
    fn a_body_that_is_no_object_is_one_error() {
        assert_eq!(kinds(json!([1])), ["model_attributes_type"]);
        assert_eq!(kinds(Value::Null), ["missing"]);
    }

    #[test]
    fn a_missing_field_shows_the_body_without_its_secrets() {
        let body = json!({"password": "correct horse", "PassWord": "correct horse"});
        assert_eq!(errors(&body)[0].input, json!({"password": null, "PassWord": null}));
    }

    #[test]
    fn no_error_shows_a_secret() {
        let twice = Value::String(json!({"email": "a@b.co", "Password": "correct horse"}).to_string());
        assert_eq!(errors(&twice)[0].input, json!(""));
        let inside =
            json!({"email": {"password": "correct horse"}, "full_name": [{"token": "t"}], "password": "short"});
        let shown: Vec<_> = errors(&inside).into_iter().map(|error| error.input).collect();
        assert_eq!(
            shown,
            [json!({"password": null}), json!(null), json!([{"token": null}])]
        );
    }

    #[test]
    fn a_change_tells_an_absent_field_from_a_cleared_one() {
        let body = json!({"full_name": null, "email": null});
        let (read, errors) = read_all(&body, |fields| {
            assert_eq!(fields.read::<Given<Password>>("password"), Some(None));
            assert_eq!(fields.read::<Given<Email>>("email"), None);
            ["full_name", "description"].map(|name| fields.read::<Change<FullName>>(name))
        });
        assert_eq!(read, [Some(Change::Clear), Some(Change::Keep)]);
        assert_eq!((errors.len(), errors[0].kind), (1, "string_type"));
    }

    #[derive(Clone, Copy, Debug, PartialEq)]
    enum Kind {
        Content,
        Quiz,
    }
    choices! { Kind: "content" => Kind::Content, "quiz" => Kind::Quiz; }
    impl Field for Kind {
        fn schema() -> RefOr<Schema> {
            of_type(Type::String).into()
        }
    }

    #[test]
    fn optional_fields_are_absent_given_or_wrong() {
        let id = "01890000-0000-7000-8000-000000000001";
        let body = json!({
            "same": 7, "float": 3.0, "huge": 1e300, "negative": -1, "half": 0.5, "word": "7", "null": null,
            "id": id, "bad_id": "x", "kind": "quiz", "bad_kind": "page", "text": ""
        });
        let ((), errors) = read_all(&body, |fields| {
            let numbers = ["same", "float", "huge", "negative", "half", "word", "null", "absent"]
                .map(|name| fields.read::<Option<Position>>(name).flatten().map(Position::get));
            assert_eq!(
                numbers,
                [Some(7), Some(3), Some(i64::MAX), None, None, None, None, None]
            );
            let ids = ["id", "bad_id", "same", "null"]
                .map(|name| fields.read::<Option<UserId>>(name).flatten().map(|id| id.to_string()));
            assert_eq!(ids, [Some(id.to_owned()), None, None, None]);
            let kinds = ["kind", "bad_kind", "absent"].map(|name| fields.read::<Option<Kind>>(name).flatten());
            assert_eq!(kinds, [Some(Kind::Quiz), None, None]);
            assert_eq!(fields.read::<Given<Title>>("null"), None);
            assert_eq!(fields.read::<Change<Title>>("text"), None);
        });
        let kinds: Vec<_> = errors.iter().map(|error| error.kind).collect();
        let expected = [
            "greater_than_equal",
            "int_from_float",
            "int_type",
            "uuid_parsing",
            "uuid_type",
            "enum",
            "string_type",
            "string_too_short",
        ];
        assert_eq!(kinds, expected);
        assert_eq!(errors[5].ctx, Some(json!({"expected": "'content' or 'quiz'"})));
    }

    #[test]
    fn the_schema_of_a_body_has_the_bounds_of_its_values() {
        let schema = <SentBody as utoipa::PartialSchema>::schema();
        let expected = json!({
            "type": "object",
            "description": "A test body.",
            "required": ["email", "password"],
            "properties": {
                "email": {"type": "string", "format": "email", "maxLength": 255, "description": "An address."},
                "password": {"type": "string", "minLength": 8, "maxLength": 128},
                "full_name": {"type": ["string", "null"], "maxLength": 255}
            }
        });
        assert_eq!(serde_json::to_value(schema).unwrap(), expected);
    }
}
