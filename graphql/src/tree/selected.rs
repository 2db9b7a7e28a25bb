//! What stands in a selection: the same to a plan whether the executor is at it or a document is read beforehand.

use std::collections::HashMap;

use async_graphql::parser::types::{Field, FragmentDefinition, Selection, SelectionSet};
use async_graphql::{Name, Positioned, SelectionField};

/// A field of a selection.
pub trait Selected: Sized {
    fn name(&self) -> &str;
    /// Its name in the answer.
    fn key(&self) -> &str;
    fn has_arguments(&self) -> bool;
    /// The fields selected below it in an object of the type, fragments unfolded; None when that depends on more than the
    /// document.
    fn children(&self, type_name: &str) -> Option<Vec<Self>>;
}

/// Directives were followed by the executor already.
impl Selected for SelectionField<'_> {
    fn name(&self) -> &str {
        SelectionField::name(self)
    }

    fn key(&self) -> &str {
        self.alias().unwrap_or(SelectionField::name(self))
    }

    fn has_arguments(&self) -> bool {
        !self.arguments().is_ok_and(|arguments| arguments.is_empty())
    }

    fn children(&self, _: &str) -> Option<Vec<Self>> {
        Some(self.selection_set().collect())
    }
}

pub type Fragments = HashMap<Name, Positioned<FragmentDefinition>>;

/// A field of a document that was found valid.
#[derive(Clone, Copy)]
pub struct InDocument<'a> {
    pub field: &'a Field,
    pub fragments: &'a Fragments,
}

impl Selected for InDocument<'_> {
    fn name(&self) -> &str {
        self.field.name.node.as_str()
    }

    fn key(&self) -> &str {
        self.field.response_key().node.as_str()
    }

    fn has_arguments(&self) -> bool {
        !self.field.arguments.is_empty()
    }

    fn children(&self, type_name: &str) -> Option<Vec<Self>> {
        let mut found = Vec::new();
        unfold(&self.field.selection_set.node, self.fragments, type_name, &mut found)?;
        Some(found)
    }
}

/// The fields of a set. None when there is a directive, or a fragment on anything but this very type.
pub fn unfold<'a>(
    set: &'a SelectionSet,
    fragments: &'a Fragments,
    type_name: &str,
    found: &mut Vec<InDocument<'a>>,
) -> Option<()> {
    for selection in &set.items {
        if !selection.node.directives().is_empty() {
            return None;
        }
        match &selection.node {
            Selection::Field(field) => found.push(InDocument {
                field: &field.node,
                fragments,
            }),
            Selection::FragmentSpread(spread) => {
                let fragment = &fragments.get(&spread.node.fragment_name.node)?.node;
                if fragment.type_condition.node.on.node != type_name || !fragment.directives.is_empty() {
                    return None;
                }
                unfold(&fragment.selection_set.node, fragments, type_name, found)?;
            }
            Selection::InlineFragment(fragment) => {
                let condition = fragment.node.type_condition.as_ref();
                if condition.is_some_and(|condition| condition.node.on.node != type_name) {
                    return None;
                }
                unfold(&fragment.node.selection_set.node, fragments, type_name, found)?;
            }
        }
    }
    Some(())
}
