//! Inputs as the bodies that the core reads: names as the core has them, and only the fields that the client gave. So a field
//! that is left out stays as it is, null clears it, and what cannot be null is refused in the words of REST.

use async_graphql::MaybeUndefined;
use serde_json::{Map, Value};

#[derive(Default)]
pub struct Body(Map<String, Value>);

impl Body {
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.0.insert(name.to_owned(), value.into());
        self
    }

    /// Nothing when the client left it out.
    pub fn given<T: Into<Value>>(self, name: &str, value: MaybeUndefined<T>) -> Self {
        match value {
            MaybeUndefined::Undefined => self,
            MaybeUndefined::Null => self.with(name, Value::Null),
            MaybeUndefined::Value(value) => self.with(name, value),
        }
    }

    pub fn json(self) -> Value {
        Value::Object(self.0)
    }
}
