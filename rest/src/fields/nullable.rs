//! A field that is required and may be null, for a null that means much: forgetting the field must not have its effect.

use std::marker::PhantomData;

use serde_json::Value;

use super::{Field, Invalid, Presence, read_value};

/// A field that must be there, but may be null. The command holds an `Option`.
pub struct Nullable<T>(PhantomData<T>);

impl<T: Field> Presence for Nullable<T> {
    type Value = Option<T>;
    type Field = T;
    const REQUIRED: bool = true;
    const NULLABLE: bool = true;

    fn read(given: Option<&Value>) -> Result<Option<T>, Invalid> {
        match given {
            None => Err(Invalid::Missing),
            Some(Value::Null) => Ok(None),
            Some(value) => read_value(value).map(Some),
        }
    }
}
