//! Checks that the operation of a document is a subscription of one field.

use async_graphql::parser::types::{ExecutableDocument, OperationType, Selection};

/// Whether the operation is a subscription of exactly one field, as the GraphQL specification demands (5.2.3.1); None when it is
/// not a subscription. The library executes any number of fields, and none of those in fragments. True for a document without
/// such an operation: the schema refuses it.
pub fn is_subscription(document: &ExecutableDocument, name: Option<&str>) -> Option<bool> {
    let mut operations = document.operations.iter();
    let found = operations.find(|(found, _)| name.is_none() || found.map(|n| n.as_str()) == name);
    let Some((_, operation)) = found else { return Some(true) };
    if operation.node.ty != OperationType::Subscription {
        return None;
    }
    let fields = &operation.node.selection_set.node.items;
    Some(matches!(fields.as_slice(), [field] if matches!(field.node, Selection::Field(_))))
}

#[cfg(test)]
mod tests {
    use async_graphql::parser::parse_query;

    use super::*;

    #[test]
    fn only_subscriptions_of_one_field_are_accepted() {
        let is = |document: &str, name| is_subscription(&parse_query(document).unwrap(), name);
        assert_eq!(is("subscription { a { b c } }", None), Some(true));
        assert_eq!(is("subscription { a b }", None), Some(false));
        assert_eq!(is("subscription { a x: a }", None), Some(false));
        assert_eq!(
            is("subscription { ...f } fragment f on Subscription { a }", None),
            Some(false)
        );
        assert_eq!(is("subscription { ... { a } }", None), Some(false));
        assert_eq!(is("{ a }", None), None);
        assert_eq!(is("mutation { a }", None), None);
        let two = "query q { a } subscription s { a }";
        assert_eq!(
            (is(two, Some("q")), is(two, Some("s")), is(two, Some("x"))),
            (None, Some(true), Some(true))
        );
    }
}
