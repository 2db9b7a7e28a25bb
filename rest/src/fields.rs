//! Reader of JSON bodies: turns a body into a command and finds the errors of all fields, in the order of the fields.
//!
//! A body is declared once, with [`body!`]: the declaration is the OpenAPI schema and the reader.

use std::marker::PhantomData;

use axum::extract::FromRequestParts;
use http::request::Parts;
use kurso_base::email::Email;
use kurso_base::error::{Error, FieldError, Loc};
use kurso_base::ids::{CourseId, LessonId, ModuleId, UserId};
use kurso_base::messages::Message;
use kurso_base::values::{
    AvatarUrl, Change, Checked, Description, FullName, ItemDescription, LinkToken, PageVersion, Password, Position,
    Problem, Title,
};
use kurso_formats::content::Document;
use serde_json::{Map, Value};
use utoipa::ToSchema;
use utoipa::openapi::schema::{ObjectBuilder, OneOfBuilder, SchemaType, Type};
use utoipa::openapi::{KnownFormat, RefOr, Schema, SchemaFormat};

use crate::App;
use crate::body::JsonBody;
use crate::error::Result;

/// A JSON body that is read as a command of the core.
pub trait Body: ToSchema {
    type Command;

    /// Reads every field; None when one of them is wrong, which `fields` then knows.
    fn read(fields: &mut Fields<'_>) -> Option<Self::Command>;
}

/// The command in the body of a request; 422 with all errors when the body does not fit.
pub struct Command<B: Body>(pub B::Command);

impl<B: Body> Command<B> {
    /// Reads a body that was sent in another form than JSON.
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
    whole: &'a Value,
    errors: Vec<FieldError>,
}

impl<'a> Fields<'a> {
    /// The body as an object; anything else is one error at `["body"]`.
    pub fn of(body: &'a Value) -> Result<Self, Error> {
        match body {
            Value::Object(map) => Ok(Fields {
                map,
                whole: body,
                errors: vec![],
            }),
            Value::Null => Err(whole_body("missing", Message::FieldRequired, Value::Null)),
            other => Err(whole_body("model_attributes_type", Message::NotAnObject, other.clone())),
        }
    }

    /// Reads one field; None when it is wrong.
    pub fn read<P: Presence>(&mut self, name: &str) -> Option<P::Value> {
        match P::read(self.map.get(name)) {
            Ok(value) => return Some(value),
            Err(Wrong::Missing) => self.refuse_missing(name),
            Err(Wrong::Value(problem, input)) => self.push(name, problem, input),
        }
        None
    }

    /// Adds an error of a required field that is missing; it shows the whole body.
    pub fn refuse_missing(&mut self, name: &str) {
        let input = without_secrets(self.whole);
        self.push(name, Problem::missing(), input);
    }

    /// Adds an error of a field whose value does not go with the others.
    pub fn refuse(&mut self, name: &str, problem: Problem) {
        self.push(name, problem, Value::Null);
    }

    fn push(&mut self, name: &str, problem: Problem, input: Value) {
        self.errors
            .push(problem.at(vec![Loc::from("body"), Loc::from(name)], input));
    }

    /// The command, or all errors.
    pub fn finish<T>(self, command: Option<T>) -> Result<T, Error> {
        match command {
            _ if !self.errors.is_empty() => Err(Error::Invalid(self.errors)),
            Some(command) => Ok(command),
            None => Err(Error::internal("a field is wrong without an error")),
        }
    }
}

/// The value of a field and its schema.
pub trait Field: Checked<Plain: FromJson> {
    fn schema() -> RefOr<Schema>;

    /// Adds the schemas that [`Field::schema`] refers to.
    fn schemas(_to: &mut Vec<(String, RefOr<Schema>)>) {}
}

/// How a field of a body may be left out or be null: a plain [`Field`] is required.
pub trait Presence {
    /// What the command holds.
    type Value;
    type Field: Field;
    const REQUIRED: bool = false;
    const NULLABLE: bool = false;
    const DEFAULT: Option<bool> = None;

    fn read(given: Option<&Value>) -> Result<Self::Value, Wrong>;
}

/// What is wrong with a field.
pub enum Wrong {
    Missing,
    /// The problem, and the input that the error shows.
    Value(Problem, Value),
}

/// A field that may be left out, but not be null. The command holds an `Option`.
pub struct Given<T>(PhantomData<T>);

/// A boolean that is `DEFAULT` when it is left out; it may not be null.
pub struct Flag<const DEFAULT: bool>;

impl<T: Field> Presence for T {
    type Value = T;
    type Field = T;
    const REQUIRED: bool = true;

    fn read(given: Option<&Value>) -> Result<T, Wrong> {
        given.map_or(Err(Wrong::Missing), read_value)
    }
}

/// A field that may be left out or be null, which is the same.
impl<T: Field> Presence for Option<T> {
    type Value = Option<T>;
    type Field = T;
    const NULLABLE: bool = true;

    fn read(given: Option<&Value>) -> Result<Option<T>, Wrong> {
        given.filter(|value| !value.is_null()).map(read_value).transpose()
    }
}

impl<T: Field> Presence for Given<T> {
    type Value = Option<T>;
    type Field = T;

    fn read(given: Option<&Value>) -> Result<Option<T>, Wrong> {
        given.map(read_value).transpose()
    }
}

/// A field that stays as it is when left out, and is cleared by null.
impl<T: Field> Presence for Change<T> {
    type Value = Change<T>;
    type Field = T;
    const NULLABLE: bool = true;

    fn read(given: Option<&Value>) -> Result<Change<T>, Wrong> {
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

    fn read(given: Option<&Value>) -> Result<bool, Wrong> {
        given.map_or(Ok(DEFAULT), read_value)
    }
}

fn read_value<T: Field>(value: &Value) -> Result<T, Wrong> {
    let plain = T::Plain::from_json(value).map_err(|problem| problem.unwrap_or_else(T::wrong_type));
    plain.and_then(T::check).map_err(|problem| {
        let input = if T::HIDDEN { Value::Null } else { without_secrets(value) };
        Wrong::Value(problem, input)
    })
}

/// A type that values are made from, read from JSON.
pub trait FromJson: Sized {
    /// `Err(None)` for a value of another type.
    fn from_json(value: &Value) -> Result<Self, Option<Problem>>;
}

impl FromJson for String {
    fn from_json(value: &Value) -> Result<Self, Option<Problem>> {
        value.as_str().map(str::to_owned).ok_or(None)
    }
}

/// A whole number, also as `3.0`. A number beyond 64 bits is the largest.
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

/// True and false, 1 and 0 (as whole numbers or 1.0 and 0.0), and the usual words for them.
impl FromJson for bool {
    fn from_json(value: &Value) -> Result<Self, Option<Problem>> {
        let unclear = Problem::new("bool_parsing", Message::BadBoolean);
        match value {
            Value::Bool(flag) => Ok(*flag),
            Value::Number(number) => match number.as_f64() {
                Some(0.0) => Ok(false),
                Some(1.0) => Ok(true),
                // No whole number of 64 bits.
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

/// Documents stay JSON.
impl FromJson for Value {
    fn from_json(value: &Value) -> Result<Self, Option<Problem>> {
        Ok(value.clone())
    }
}

fn of_type(schema_type: Type) -> ObjectBuilder {
    ObjectBuilder::new().schema_type(schema_type)
}

macro_rules! texts {
    ($($name:ident)*) => {$(
        impl Field for $name {
            fn schema() -> RefOr<Schema> {
                let min = Some($name::MIN).filter(|min| *min > 0);
                of_type(Type::String).min_length(min).max_length(Some($name::MAX)).into()
            }
        }
    )*};
}
texts! { Title Description ItemDescription FullName AvatarUrl Password }

macro_rules! integers {
    ($($name:ident)*) => {$(
        impl Field for $name {
            fn schema() -> RefOr<Schema> {
                of_type(Type::Integer).minimum(Some($name::MIN)).into()
            }
        }
    )*};
}
integers! { Position PageVersion }

macro_rules! ids {
    ($($name:ident)*) => {$(
        impl Field for $name {
            fn schema() -> RefOr<Schema> {
                let format = SchemaFormat::KnownFormat(KnownFormat::Uuid);
                of_type(Type::String).format(Some(format)).into()
            }
        }
    )*};
}
ids! { UserId CourseId ModuleId LessonId }

impl Field for Email {
    fn schema() -> RefOr<Schema> {
        let format = SchemaFormat::KnownFormat(KnownFormat::Email);
        of_type(Type::String).format(Some(format)).max_length(Some(255)).into()
    }
}

impl Field for LinkToken {
    fn schema() -> RefOr<Schema> {
        of_type(Type::String).into()
    }
}

impl Field for String {
    fn schema() -> RefOr<Schema> {
        of_type(Type::String).into()
    }
}

impl Field for Document {
    fn schema() -> RefOr<Schema> {
        of_type(Type::Object).into()
    }
}

impl Field for bool {
    fn schema() -> RefOr<Schema> {
        of_type(Type::Boolean).into()
    }
}

/// The schema of a body's field, described by the lines of its doc comment.
pub fn property<P: Presence>(doc: &[&str]) -> RefOr<Schema> {
    let description = description(doc);
    match P::Field::schema() {
        RefOr::T(Schema::Object(mut object)) if !P::NULLABLE || object.enum_values.is_none() => {
            if let (SchemaType::Type(one), true) = (&object.schema_type, P::NULLABLE) {
                object.schema_type = SchemaType::Array(vec![one.clone(), Type::Null]);
            }
            object.description = description.or(object.description);
            object.default = P::DEFAULT.map(Value::Bool);
            object.into()
        }
        RefOr::Ref(mut reference) if P::NULLABLE => {
            reference.description = description.unwrap_or_default();
            OneOfBuilder::new().item(reference).item(of_type(Type::Null)).into()
        }
        schema if P::NULLABLE => {
            let either = OneOfBuilder::new().item(schema).item(of_type(Type::Null));
            either.description(description).into()
        }
        schema => schema,
    }
}

/// The text of a doc comment; None without one.
pub fn description(doc: &[&str]) -> Option<String> {
    let lines: Vec<_> = doc.iter().map(|line| line.trim()).collect();
    Some(lines.join("\n")).filter(|text| !text.is_empty())
}

/// Declares a body: its name in OpenAPI, the command it is read as, and its fields. A field's type is its [`Presence`];
/// its doc comment is its description. The errors of a body come in the order of its fields.
///
/// ```ignore
/// body! {
///     /// What is left out stays as it is.
///     LessonUpdate -> UpdateLesson {
///         title: Given<Title>,
///         position: Option<Position>,
///     }
/// }
/// ```
///
/// Where the command has other fields than the body, `=> |fields| expression;` makes it from the values, each of which is
/// None when it is wrong. The expression is None when the command cannot be made; `fields` then has an error.
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

fn whole_body(kind: &'static str, message: Message, input: Value) -> Error {
    let input = match input {
        // Also a body that was written as JSON twice, or sent as another kind of text.
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

fn names_secret(text: &str) -> bool {
    let text = text.to_lowercase();
    text.contains("password") || text.contains("token")
}

/// The value as an error may show it: passwords and tokens keep their key and lose their value.
pub fn without_secrets(value: &Value) -> Value {
    match value {
        Value::Object(map) => Value::Object(
            map.iter()
                .map(|(key, value)| {
                    let shown = if names_secret(key) {
                        Value::Null
                    } else {
                        without_secrets(value)
                    };
                    (key.clone(), shown)
                })
                .collect(),
        ),
        Value::Array(list) => Value::Array(list.iter().map(without_secrets).collect()),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use kurso_base::values::choices;
    use serde_json::json;

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
            let (_, errors) = read_all(&json!({"flag": value}), |fields| fields.read::<bool>("flag").is_some());
            assert_eq!(errors[0].kind, kind, "{value}");
        }
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
