//! Which operation of a document is run, and whether it is a subscription as the socket takes them.

use async_graphql::parser::types::{ExecutableDocument, OperationType, Selection};

/// Is it a subscription of one field (spec 5.2.3.1)? None: it is none at all. The library would run any number of fields, and
/// none of those in fragments. A document with no such operation is for the schema to refuse.
pub fn is_subscription(document: &ExecutableDocument, name: Option<&str>) -> Option<bool> {
    let mut run = document.operations.iter();
    let run = run.find(|(found, _)| name.is_none() || found.map(|n| n.as_str()) == name);
    let Some((_, operation)) = run else { return Some(true) };
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
    fn one_field_of_a_subscription_and_nothing_else() {
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
