//! A document that was checked: it fits the content model.

use serde_json::Value;

use super::{ContentError, validate};
use kurso_base::error::FieldError;
use kurso_base::values::{Checked, Problem};

/// The content of a page.
#[derive(Clone, Debug, PartialEq)]
pub struct Document(Value);

impl Document {
    pub fn as_json(&self) -> &Value {
        &self.0
    }
}

impl From<ContentError> for Problem {
    fn from(error: ContentError) -> Self {
        let error = FieldError::from(error);
        Problem {
            ctx: error.ctx,
            // Without the body and the name of the field, which the reader of the field adds.
            inside: error.loc.into_iter().skip(2).collect(),
            ..Problem::new(error.kind, error.message)
        }
    }
}

#[cfg(any(test, feature = "testing"))]
impl<'de> serde::Deserialize<'de> for Document {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        Document::check(value).map_err(|problem| serde::de::Error::custom(problem.message))
    }
}

impl Checked for Document {
    type Plain = Value;
    const HIDDEN: bool = true;

    fn check(plain: Value) -> Result<Self, Problem> {
        validate(&plain)?;
        Ok(Document(plain))
    }

    fn wrong_type() -> Problem {
        validate(&Value::Null).map_or_else(Problem::from, |()| Problem::missing())
    }
}
