//! The name of an operation in metrics: its kind and its only root field. The name that the client gave it is not used: the
//! set of these is unbounded.

use async_graphql::parser::types::{ExecutableDocument, Selection};

/// The name for a document that does not fit the schema, or reached the time limit.
pub const NOT_EXECUTED: &str = "not executed";

/// `query course`, `mutation createPage`, `query several`. The set of names is bounded for documents that fit the schema.
pub fn name(document: &ExecutableDocument, operation: Option<&str>) -> String {
    let mut operations = document.operations.iter();
    let found = operations.find(|(name, _)| operation.is_none() || name.map(|name| name.as_str()) == operation);
    let Some((_, found)) = found else {
        return NOT_EXECUTED.to_owned();
    };
    let fields: Vec<Option<&str>> = (found.node.selection_set.node.items.iter())
        .map(|item| match &item.node {
            Selection::Field(field) => Some(field.node.name.node.as_str()),
            _ => None,
        })
        .collect();
    let field = match fields.as_slice() {
        [Some(field)] => field,
        _ => "several",
    };
    format!("{} {field}", found.node.ty)
}

#[cfg(test)]
mod tests {
    use async_graphql::parser::parse_query;

    use super::*;

    #[test]
    fn operations_are_named_by_their_root_field() {
        for (text, operation, expected) in [
            ("{ me { id } }", None, "query me"),
            ("query AnnsSecret { mine: me { id } }", Some("AnnsSecret"), "query me"),
            (
                "query A { me { id } } mutation B { logout { message } }",
                Some("B"),
                "mutation logout",
            ),
            ("{ me { id } items { totalCount } }", None, "query several"),
            ("{ ...F } fragment F on Query { me { id } }", None, "query several"),
            ("query A { me { id } }", Some("C"), NOT_EXECUTED),
        ] {
            assert_eq!(name(&parse_query(text).unwrap(), operation), expected, "{text}");
        }
    }
}
