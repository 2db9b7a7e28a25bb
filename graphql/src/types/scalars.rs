//! Custom scalars.

use std::sync::Arc;

use async_graphql::{InputValueError, InputValueResult, Name, Scalar, ScalarType, Value, indexmap::IndexMap};
use async_graphql_value::RAW_VALUE_TOKEN;
use chrono::Utc;
use kurso_base::wire::time_text;

pub struct DateTime(pub chrono::DateTime<Utc>);

/// A time: RFC 3339 in UTC, as `2026-11-21T07:37:07.455448Z`.
#[Scalar(specified_by_url = "https://www.rfc-editor.org/rfc/rfc3339")]
impl ScalarType for DateTime {
    fn parse(value: Value) -> InputValueResult<Self> {
        match value {
            Value::String(text) => Ok(DateTime(text.parse().map_err(InputValueError::custom)?)),
            other => Err(InputValueError::expected_type(other)),
        }
    }

    fn to_value(&self) -> Value {
        Value::String(time_text(&self.0))
    }
}

pub enum Document {
    /// As stored: JSON text.
    Stored(Arc<str>),
    /// As a client sent it; the core validates it.
    Sent(serde_json::Value),
}

/// A JSON document: the content of a page (docs/content-model.md) or a quiz in the author's form
/// (docs/quizzes.md).
#[Scalar]
impl ScalarType for Document {
    fn parse(value: Value) -> InputValueResult<Self> {
        Ok(Document::Sent(value.into_json()?))
    }

    /// Stored JSON text is written without parsing it: parsing a chapter would cost more than reading it.
    fn to_value(&self) -> Value {
        match self {
            Document::Stored(text) => raw_json(text.to_string()),
            Document::Sent(value) => raw_json(value.to_string()),
        }
    }
}

impl From<Document> for serde_json::Value {
    fn from(document: Document) -> Self {
        match document {
            Document::Sent(value) => value,
            Document::Stored(text) => serde_json::Value::String(text.to_string()), // inputs are never stored text
        }
    }
}

/// A value that is serialized as this JSON text.
pub(super) fn raw_json(json: String) -> Value {
    Value::Object(IndexMap::from_iter([(Name::new(RAW_VALUE_TOKEN), Value::String(json))]))
}
