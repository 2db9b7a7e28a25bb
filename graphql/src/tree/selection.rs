//! The fields of a selection in a valid document, with fragments inlined.

use std::collections::HashMap;

use async_graphql::parser::types::{Field, FragmentDefinition, Selection, SelectionSet};
use async_graphql::{Name, Positioned};

pub type Fragments = HashMap<Name, Positioned<FragmentDefinition>>;

/// A field and the fragments of its document.
#[derive(Clone, Copy)]
pub struct Selected<'a> {
    pub field: &'a Field,
    fragments: &'a Fragments,
}

impl<'a> Selected<'a> {
    pub fn name(&self) -> &'a str {
        self.field.name.node.as_str()
    }

    /// Its name in the answer.
    pub fn key(&self) -> &'a str {
        self.field.response_key().node.as_str()
    }

    /// The fields selected below it in an object of the type, as [`inline`] finds them.
    pub fn children(&self, type_name: &str) -> Option<Vec<Self>> {
        let mut found = Vec::new();
        inline(&self.field.selection_set.node, self.fragments, type_name, &mut found)?;
        Some(found)
    }
}

/// Adds the fields of a selection set. None when it has a directive, or a fragment on any other type: then the fields depend on
/// more than the document.
pub fn inline<'a>(
    set: &'a SelectionSet,
    fragments: &'a Fragments,
    type_name: &str,
    found: &mut Vec<Selected<'a>>,
) -> Option<()> {
    for selection in &set.items {
        if !selection.node.directives().is_empty() {
            return None;
        }
        match &selection.node {
            Selection::Field(field) => found.push(Selected {
                field: &field.node,
                fragments,
            }),
            Selection::FragmentSpread(spread) => {
                let fragment = &fragments.get(&spread.node.fragment_name.node)?.node;
                if fragment.type_condition.node.on.node != type_name || !fragment.directives.is_empty() {
                    return None;
                }
                inline(&fragment.selection_set.node, fragments, type_name, found)?;
            }
            Selection::InlineFragment(fragment) => {
                let condition = fragment.node.type_condition.as_ref();
                if condition.is_some_and(|condition| condition.node.on.node != type_name) {
                    return None;
                }
                inline(&fragment.node.selection_set.node, fragments, type_name, found)?;
            }
        }
    }
    Some(())
}
