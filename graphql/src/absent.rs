//! Omits the arguments and input fields whose variable has no value, as the GraphQL specification says (6.4.1, 3.10). The library
//! takes them for null, and null clears a field.

use async_graphql::parser::types::{
    Directive, DocumentOperations, ExecutableDocument, OperationDefinition, Selection, SelectionSet,
};
use async_graphql::{Name, Positioned, Request};
use async_graphql_value::Value;

type Arguments = Vec<(Positioned<Name>, Positioned<Value>)>;

/// Removes them from the document of the request. A document that does not parse stays as it is.
pub fn omit(request: &mut Request) {
    let given = request.variables.keys().cloned().collect::<Vec<_>>();
    let name = request.operation_name.clone();
    let Ok(document) = request.parsed_query() else { return };
    let mut operations = document.operations.iter();
    // The operation that is executed; the library finds it in the same way.
    let is_run = |found: Option<&Name>| name.is_none() || found.map(Name::as_str) == name.as_deref();
    let Some((_, operation)) = operations.find(|(found, _)| is_run(*found)) else {
        return;
    };
    let absent: Vec<Name> = operation
        .node
        .variable_definitions
        .iter()
        .map(|definition| &definition.node)
        .filter(|definition| definition.var_type.node.nullable && definition.default_value.is_none())
        .map(|definition| definition.name.node.clone())
        .filter(|name| !given.contains(name))
        .collect();
    if absent.is_empty() {
        return;
    }
    let mut document = document.clone();
    remove(&mut document, name.as_deref(), &absent);
    request.set_parsed_query(document);
}

fn remove(document: &mut ExecutableDocument, name: Option<&str>, absent: &[Name]) {
    match &mut document.operations {
        DocumentOperations::Single(operation) => in_operation(&mut operation.node, absent),
        DocumentOperations::Multiple(operations) => {
            let named = operations.iter_mut().filter(|(found, _)| Some(found.as_str()) == name);
            named.for_each(|(_, operation)| in_operation(&mut operation.node, absent));
        }
    }
    for fragment in document.fragments.values_mut() {
        in_set(&mut fragment.node.selection_set.node, absent);
    }
}

fn in_operation(operation: &mut OperationDefinition, absent: &[Name]) {
    let definitions = &mut operation.variable_definitions;
    definitions.retain(|definition| !absent.contains(&definition.node.name.node));
    in_set(&mut operation.selection_set.node, absent);
}

/// The parser bounds the depth.
fn in_set(set: &mut SelectionSet, absent: &[Name]) {
    for selection in &mut set.items {
        match &mut selection.node {
            Selection::Field(field) => {
                in_arguments(&mut field.node.arguments, absent);
                in_directives(&mut field.node.directives, absent);
                in_set(&mut field.node.selection_set.node, absent);
            }
            Selection::FragmentSpread(spread) => in_directives(&mut spread.node.directives, absent),
            Selection::InlineFragment(fragment) => {
                in_directives(&mut fragment.node.directives, absent);
                in_set(&mut fragment.node.selection_set.node, absent);
            }
        }
    }
}

fn in_directives(directives: &mut [Positioned<Directive>], absent: &[Name]) {
    for directive in directives {
        in_arguments(&mut directive.node.arguments, absent);
    }
}

fn in_arguments(arguments: &mut Arguments, absent: &[Name]) {
    arguments.retain(|(_, value)| !is_absent(&value.node, absent));
    for (_, value) in arguments {
        in_value(&mut value.node, absent);
    }
}

/// The admission checks bound the depth.
fn in_value(value: &mut Value, absent: &[Name]) {
    match value {
        Value::Object(fields) => {
            fields.retain(|_, value| !is_absent(value, absent));
            fields.values_mut().for_each(|value| in_value(value, absent));
        }
        // An item of a list is null instead.
        Value::List(items) => {
            for item in items {
                if is_absent(item, absent) {
                    *item = Value::Null;
                } else {
                    in_value(item, absent);
                }
            }
        }
        _ => {}
    }
}

fn is_absent(value: &Value, absent: &[Name]) -> bool {
    matches!(value, Value::Variable(name) if absent.contains(name))
}
