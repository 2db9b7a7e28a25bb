//! The id argument of a compiled operation: a literal, a variable, or a field of an input object.

use async_graphql::parser::types::{Field, VariableDefinition};
use async_graphql::{Name, Positioned, Value, Variables};
use async_graphql_value::Value as DocumentValue;
use uuid::Uuid;

/// Where the id stands.
pub enum Argument {
    Literal(Uuid),
    /// A variable that is the id.
    Variable(String),
    /// A variable that is an object with this field and perhaps one of a number, and no others.
    InVariable(String, &'static str, &'static str),
}

type Definitions = [Positioned<VariableDefinition>];

impl Argument {
    /// The field's only argument, of type `ID!`. None for any other form, or when the operation has other variables.
    pub fn id(field: &Field, name: &str, variables: &Definitions) -> Option<Self> {
        Self::of(only(field, name)?, variables)
    }

    /// The id in the argument `input` of this type, which has no other field but a number, and that only in a variable.
    pub fn input(
        field: &Field,
        input_type: &str,
        (name, number): (&'static str, &'static str),
        variables: &Definitions,
    ) -> Option<Self> {
        match only(field, "input")? {
            DocumentValue::Object(object) => match object.first() {
                Some((found, value)) if object.len() == 1 && found == name => Self::of(value, variables),
                _ => None,
            },
            DocumentValue::Variable(variable) => {
                let variable = defined(variable, &format!("{input_type}!"), variables)?;
                Some(Argument::InVariable(variable, name, number))
            }
            _ => None,
        }
    }

    fn of(value: &DocumentValue, variables: &Definitions) -> Option<Self> {
        match value {
            DocumentValue::String(id) if variables.is_empty() => Some(Argument::Literal(id.parse().ok()?)),
            DocumentValue::Variable(variable) => Some(Argument::Variable(defined(variable, "ID!", variables)?)),
            _ => None,
        }
    }

    /// The id of a request; None for variables of any other form.
    pub fn value(&self, variables: &Variables) -> Option<Uuid> {
        match self {
            Argument::Literal(id) => Some(*id),
            Argument::Variable(variable) => id(variables.get(variable.as_str())?),
            Argument::InVariable(variable, name, number) => match variables.get(variable.as_str())? {
                Value::Object(object) => {
                    let is_known = match object.get(*number) {
                        None => object.len() == 1,
                        Some(value) => object.len() == 2 && (*value == Value::Null || int(value).is_some()),
                    };
                    is_known.then(|| object.get(*name).and_then(id)).flatten()
                }
                _ => None,
            },
        }
    }

    /// The optional integer argument that accompanies the id.
    pub fn number(&self, variables: &Variables) -> Option<i64> {
        match self {
            Argument::InVariable(variable, _, number) => match variables.get(variable.as_str())? {
                Value::Object(object) => int(object.get(*number)?),
                _ => None,
            },
            Argument::Literal(_) | Argument::Variable(_) => None,
        }
    }
}

fn id(value: &Value) -> Option<Uuid> {
    match value {
        Value::String(text) => text.parse().ok(),
        _ => None,
    }
}

/// A value of the type `Int`.
fn int(value: &Value) -> Option<i64> {
    match value {
        Value::Number(number) => number.as_i64().filter(|number| i32::try_from(*number).is_ok()),
        _ => None,
    }
}

fn only<'a>(field: &'a Field, name: &str) -> Option<&'a DocumentValue> {
    match field.arguments.as_slice() {
        [(argument, value)] if argument.node == name => Some(&value.node),
        _ => None,
    }
}

/// The variable's name, when it is the only one, has this type, no default value and no directives.
fn defined(variable: &Name, of_type: &str, variables: &Definitions) -> Option<String> {
    let [definition] = variables else { return None };
    let definition = &definition.node;
    let is_plain = definition.name.node == *variable
        && definition.var_type.node.to_string() == of_type
        && definition.default_value.is_none()
        && definition.directives.is_empty();
    is_plain.then(|| variable.to_string())
}
