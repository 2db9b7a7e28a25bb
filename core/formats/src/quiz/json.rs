//! JSON objects that are declared once: a declaration is the reader and the JSON Schema, of which REST makes its OpenAPI document.

use std::collections::{BTreeMap, HashSet};
use std::marker::PhantomData;

use serde::Serialize;
use serde_json::{Map, Number, Value, json};
use uuid::Uuid;

use super::fields::{At, Problems, given};

/// How a value is read from JSON, and the schema of that JSON.
pub trait Form {
    type Value;

    /// Reads a value that is not null. None when the rest cannot be read without it; the reader then has its problem.
    fn read(reader: &mut JsonReader, at: &At<'_>, value: &Value) -> Option<Self::Value>;

    fn schema() -> Value;

    /// Adds the named schemas to which [`Form::schema`] refers.
    fn add_schemas(_to: &mut Schemas) {}
}

/// Schemas by the names under which other schemas refer to them.
pub type Schemas = BTreeMap<&'static str, Value>;

/// What one reading has found so far.
#[derive(Default)]
pub struct JsonReader {
    pub problems: Problems,
    /// The number of regular expressions.
    pub patterns: usize,
    /// The ids of each list that is being read, the innermost last.
    pub ids: Vec<HashSet<Uuid>>,
}

/// How a field may be left out: a plain [`Form`] is required. A reader takes null for a field that is left out; the schema
/// allows null where null means something.
pub trait Field {
    type Form: Form;
    /// Whether it is an error to leave the field out.
    const REQUIRED: bool = false;
    /// Whether the schema lists the field as required.
    const EXPECTED: bool = Self::REQUIRED;
    const NULLABLE: bool = false;
}

impl<F: Form> Field for F {
    type Form = F;
    const REQUIRED: bool = true;
}

/// A field that may be left out or be null.
impl<F: Form> Field for Option<F> {
    type Form = F;
    const NULLABLE: bool = true;
}

/// A field that may be left out.
pub struct Given<F>(PhantomData<F>);

impl<F: Form> Field for Given<F> {
    type Form = F;
}

/// A field that the schema requires. Left out, it is an error only when the quiz is published.
pub struct Expected<F>(PhantomData<F>);

impl<F: Form> Field for Expected<F> {
    type Form = F;
    const EXPECTED: bool = true;
}

impl JsonReader {
    pub fn field<F: Field>(
        &mut self,
        at: &At<'_>,
        map: &Map<String, Value>,
        name: &str,
    ) -> Option<<F::Form as Form>::Value> {
        let name = plain(name);
        let at = at.name(name);
        let value = given(map, name);
        if F::REQUIRED && value.is_none() {
            self.problems.missing(&at);
        }
        F::Form::read(self, &at, value?)
    }
}

/// A name without the mark of a Rust keyword, as in `r#type`.
fn plain(name: &str) -> &str {
    name.trim_start_matches("r#")
}

/// The schema of an object that is being put together.
#[derive(Default)]
pub struct ObjectSchema {
    required: Vec<&'static str>,
    properties: Map<String, Value>,
}

impl ObjectSchema {
    pub fn field<F: Field>(mut self, name: &'static str, doc: &[&str], default: Option<Value>) -> Self {
        let name = plain(name);
        if F::EXPECTED {
            self.required.push(name);
        }
        let mut schema = described(F::Form::schema(), doc);
        if let Some(default) = default {
            set(&mut schema, "default", default);
        }
        if F::NULLABLE {
            schema = or_null(schema);
        }
        self.properties.insert(name.to_owned(), schema);
        self
    }

    pub fn described(self, doc: &[&str]) -> Value {
        let mut schema = described(json!({"type": "object", "properties": self.properties}), doc);
        if !self.required.is_empty() {
            set(&mut schema, "required", json!(self.required));
        }
        schema
    }
}

/// The schema that also allows null.
fn or_null(mut schema: Value) -> Value {
    let kind = schema.get("type").filter(|_| schema.get("enum").is_none()).cloned();
    match kind {
        Some(kind) => {
            set(&mut schema, "type", json!([kind, "null"]));
            schema
        }
        None => json!({"oneOf": [schema, {"type": "null"}]}),
    }
}

/// Sets a key of a schema, which is an object.
pub fn set(schema: &mut Value, key: &str, value: Value) {
    if let Some(schema) = schema.as_object_mut() {
        schema.insert(key.to_owned(), value);
    }
}

/// Adds the required field that tells the schema from others by its one value.
pub fn add_discriminator(schema: &mut Value, field: &str, value: &str) {
    let required = schema.get("required").and_then(Value::as_array);
    let required: Vec<Value> = [json!(field)]
        .into_iter()
        .chain(required.cloned().into_iter().flatten())
        .collect();
    set(schema, "required", json!(required));
    if let Some(properties) = schema.get_mut("properties") {
        set(properties, field, json!({"type": "string", "enum": [value]}));
    }
}

/// The schema of one of several named ones, each with the value by which the field tells it.
pub fn one_of_schemas<'a>(field: &str, schemas: impl Iterator<Item = (&'a str, &'a str)> + Clone) -> Value {
    let references: Vec<Value> = schemas.clone().map(|(_, schema)| reference(schema)).collect();
    let target = |schema: &str| format!("#/components/schemas/{schema}");
    let mapping: Map<String, Value> = schemas
        .map(|(value, schema)| (value.to_owned(), target(schema).into()))
        .collect();
    json!({"oneOf": references, "discriminator": {"propertyName": field, "mapping": mapping}})
}

/// The schema with the lines of a doc comment as its description.
pub fn described(mut schema: Value, doc: &[&str]) -> Value {
    if !doc.is_empty() {
        let lines: Vec<&str> = doc.iter().map(|line| line.trim()).collect();
        set(&mut schema, "description", json!(lines.join("\n")));
    }
    schema
}

/// A reference to a named schema.
pub fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

pub fn default_of(value: &impl Serialize) -> Option<Value> {
    serde_json::to_value(value).ok()
}

/// Declares objects: the name of the schema, what an object is read as, and its fields. A field's type is a [`Field`], its doc
/// comment is its description, and `= value` is its default. The problems of an object come in the order of its fields.
/// `=> |reader, at| expression;` makes the value of the fields, each of which is None when it was left out or is invalid.
macro_rules! object {
    ($($(#[doc = $doc:literal])* $name:ident -> $value:ty {
        $($(#[doc = $field_doc:literal])* $field:ident: $presence:ty $(= $default:expr)?),+ $(,)?
    } => |$reader:ident, $at:ident| $make:expr;)+) => {$(
        $(#[doc = $doc])*
        pub struct $name;

        impl $crate::quiz::json::Form for $name {
            type Value = $value;

            fn read(
                $reader: &mut $crate::quiz::json::JsonReader,
                $at: &$crate::quiz::fields::At<'_>,
                value: &serde_json::Value,
            ) -> Option<$value> {
                let map = $reader.problems.object($at, value)?;
                $(let $field = $reader.field::<$presence>($at, map, stringify!($field))$(.unwrap_or($default))?;)+
                $make
            }

            fn schema() -> serde_json::Value {
                $crate::quiz::json::reference(stringify!($name))
            }

            fn add_schemas(to: &mut $crate::quiz::json::Schemas) {
                use $crate::quiz::json::{self, Field, Form};
                let object = json::ObjectSchema::default();
                $(
                    let default: Option<serde_json::Value> = None$(.or(json::default_of(&$default)))?;
                    let object = object.field::<$presence>(stringify!($field), &[$($field_doc),*], default);
                    <<$presence as Field>::Form as Form>::add_schemas(to);
                )+
                to.insert(stringify!($name), object.described(&[$($doc),*]));
            }
        }
    )+};
}
pub(super) use object;

/// Declares an object that is one of several. They share the first fields, and each has one field of its own, which is None
/// unless it is the object that was sent. A second one may stand beside it.
macro_rules! one_of {
    (
        $(#[doc = $doc:literal])* $name:ident -> $value:ty {
            $($(#[doc = $shared_doc:literal])* $shared:ident: $presence:ty,)+
        }
        $($(#[doc = $own_doc:literal])* $own_name:ident { $own:ident: $form:ty $(, $more:ident: $more_presence:ty)? })+
        => |$reader:ident, $at:ident| $make:expr;
    ) => {
        $(#[doc = $doc])*
        pub struct $name;

        impl $crate::quiz::json::Form for $name {
            type Value = $value;

            fn read(
                $reader: &mut $crate::quiz::json::JsonReader,
                $at: &$crate::quiz::fields::At<'_>,
                value: &serde_json::Value,
            ) -> Option<$value> {
                let map = $reader.problems.object($at, value)?;
                $(let $shared = $reader.field::<$presence>($at, map, stringify!($shared));)+
                $(
                    let $own = $reader.field::<Option<$form>>($at, map, stringify!($own));
                    $(let $more = $reader.field::<$more_presence>($at, map, stringify!($more));)?
                )+
                $make
            }

            fn schema() -> serde_json::Value {
                $crate::quiz::json::reference(stringify!($name))
            }

            fn add_schemas(to: &mut $crate::quiz::json::Schemas) {
                use $crate::quiz::json::{self, Form};
                let shared = || {
                    json::ObjectSchema::default()
                        $(.field::<$presence>(stringify!($shared), &[$($shared_doc),*], None))+
                };
                $(
                    let object = shared()
                        .field::<$form>(stringify!($own), &[], None)
                        $(.field::<$more_presence>(stringify!($more), &[], None))?;
                    to.insert(stringify!($own_name), object.described(&[$($own_doc),*]));
                    <$form as Form>::add_schemas(to);
                )+
                let objects = [$(json::reference(stringify!($own_name))),+];
                to.insert(stringify!($name), json::described(serde_json::json!({"oneOf": objects}), &[$($doc),*]));
            }
        }
    };
}
pub(super) use one_of;

impl Form for bool {
    type Value = bool;

    fn read(reader: &mut JsonReader, at: &At<'_>, value: &Value) -> Option<bool> {
        reader.problems.flag(at, value)
    }

    fn schema() -> Value {
        json!({"type": "boolean"})
    }
}

/// A whole number within bounds.
pub struct Whole<T, const MIN: i64, const MAX: i64>(PhantomData<T>);

impl<T: TryFrom<i64>, const MIN: i64, const MAX: i64> Form for Whole<T, MIN, MAX> {
    type Value = T;

    fn read(reader: &mut JsonReader, at: &At<'_>, value: &Value) -> Option<T> {
        reader.problems.whole(at, value, MIN, MAX)?.try_into().ok()
    }

    fn schema() -> Value {
        match MAX {
            i64::MAX => json!({"type": "integer", "minimum": MIN}),
            _ => json!({"type": "integer", "format": "int32", "minimum": MIN, "maximum": MAX}),
        }
    }
}

impl Form for Number {
    type Value = Number;

    fn read(reader: &mut JsonReader, at: &At<'_>, value: &Value) -> Option<Number> {
        reader.problems.number(at, value)
    }

    fn schema() -> Value {
        json!({"type": "number", "format": "double"})
    }
}

impl Form for Uuid {
    type Value = Uuid;

    fn read(reader: &mut JsonReader, at: &At<'_>, value: &Value) -> Option<Uuid> {
        reader.problems.uuid(at, value)
    }

    fn schema() -> Value {
        json!({"type": "string", "format": "uuid"})
    }
}

/// A text of at most `MAX` characters.
pub struct Text<const MAX: usize>;

impl<const MAX: usize> Form for Text<MAX> {
    type Value = String;

    fn read(reader: &mut JsonReader, at: &At<'_>, value: &Value) -> Option<String> {
        reader.problems.text(at, value, MAX)
    }

    fn schema() -> Value {
        json!({"type": "string", "maxLength": MAX})
    }
}

/// A list of at most `MAX` entries. It is read without the entries that are invalid.
pub struct List<F, const MAX: usize>(PhantomData<F>);

impl<F: Form, const MAX: usize> Form for List<F, MAX> {
    type Value = Vec<F::Value>;

    fn read(reader: &mut JsonReader, at: &At<'_>, value: &Value) -> Option<Vec<F::Value>> {
        let values = reader.problems.list(at, value, MAX).iter().enumerate();
        reader.ids.push(HashSet::new());
        let read = values
            .filter_map(|(i, value)| F::read(reader, &at.index(i), value))
            .collect();
        reader.ids.pop();
        Some(read)
    }

    fn schema() -> Value {
        json!({"type": "array", "items": F::schema(), "maxItems": MAX})
    }

    fn add_schemas(to: &mut Schemas) {
        F::add_schemas(to);
    }
}
