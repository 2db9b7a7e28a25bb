//! How much a document asks for once its fragments are unfolded, told without unfolding them: each fragment is measured once,
//! however often and however deep it is spread. The library unfolds them for real, so nothing of it runs before this.

use std::collections::HashMap;

use async_graphql::parser::types::{ExecutableDocument, Selection, SelectionSet};

/// Sums over all operations of a document, and over the fragments that none of them spreads.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Shape {
    pub fields: u64,
    pub aliases: u64,
    pub directives: u64,
    /// Selections in one another in the deepest place: fields, and fragments spread or inline.
    pub depth: u64,
    /// What `__schema` and `__type` select, weighed by the lengths of the schema's lists.
    pub introspection: u64,
    /// The same, of what stands inside `__schema` or `__type` if this does.
    weight: u64,
}

/// Why a document has no shape.
#[derive(Debug, PartialEq, Eq)]
pub enum Shapeless {
    /// A fragment leads back to itself; its name.
    Cycle(String),
    /// It is at least so deep, and was followed no further.
    Deep(u64),
}

/// How far a document is followed: what the stack bears, and far more than any limit allows.
const BOTTOM: u64 = 100;

impl Shape {
    pub fn of(document: &ExecutableDocument) -> Result<Self, Shapeless> {
        let mut measured = Measured {
            document,
            fragments: HashMap::new(),
        };
        let mut whole = Shape::default();
        for (_, operation) in document.operations.iter() {
            let mut shape = measured.set(&operation.node.selection_set.node, 1)?;
            shape.add_directives(operation.node.directives.len());
            whole.add(shape);
        }
        for name in document.fragments.keys() {
            if !measured.fragments.contains_key(name.as_str()) {
                whole.add(measured.fragment(name, 1)?);
            }
        }
        Ok(whole)
    }

    fn add(&mut self, other: Shape) {
        self.fields = self.fields.saturating_add(other.fields);
        self.aliases = self.aliases.saturating_add(other.aliases);
        self.directives = self.directives.saturating_add(other.directives);
        self.depth = self.depth.max(other.depth);
        self.introspection = self.introspection.saturating_add(other.introspection);
        self.weight = self.weight.saturating_add(other.weight);
    }

    fn add_directives(&mut self, count: usize) {
        self.directives = self.directives.saturating_add(count as u64);
    }
}

struct Measured<'a> {
    document: &'a ExecutableDocument,
    /// None while a fragment is being measured.
    fragments: HashMap<&'a str, Option<Shape>>,
}

impl<'a> Measured<'a> {
    /// `level`: how many selections this one is in, and one.
    fn set(&mut self, set: &'a SelectionSet, level: u64) -> Result<Shape, Shapeless> {
        if level > BOTTOM {
            return Err(Shapeless::Deep(level));
        }
        let mut whole = Shape::default();
        for selection in &set.items {
            let mut shape = match &selection.node {
                Selection::Field(field) => {
                    let field = &field.node;
                    let mut shape = self.set(&field.selection_set.node, level + 1)?;
                    shape.fields = shape.fields.saturating_add(1);
                    shape.aliases = shape.aliases.saturating_add(u64::from(field.alias.is_some()));
                    let name = field.name.node.as_str();
                    if matches!(name, "__schema" | "__type") {
                        shape.introspection = shape.introspection.saturating_add(shape.weight);
                    }
                    shape.weight = shape.weight.saturating_mul(length_of(name)).saturating_add(1);
                    shape
                }
                Selection::FragmentSpread(spread) => self.fragment(&spread.node.fragment_name.node, level + 1)?,
                Selection::InlineFragment(fragment) => self.set(&fragment.node.selection_set.node, level + 1)?,
            };
            shape.depth = shape.depth.saturating_add(1);
            shape.add_directives(selection.node.directives().len());
            whole.add(shape);
        }
        Ok(whole)
    }

    fn fragment(&mut self, name: &str, level: u64) -> Result<Shape, Shapeless> {
        // One that is not there asks for nothing; the schema says so.
        let Some((name, definition)) = self.document.fragments.get_key_value(name) else {
            return Ok(Shape::default());
        };
        match self.fragments.insert(name, None) {
            Some(Some(shape)) => {
                self.fragments.insert(name, Some(shape));
                return Ok(shape);
            }
            Some(None) => return Err(Shapeless::Cycle(name.to_string())),
            None => {}
        }
        let mut shape = self.set(&definition.node.selection_set.node, level)?;
        shape.add_directives(definition.node.directives.len());
        self.fragments.insert(name, Some(shape));
        Ok(shape)
    }
}

/// How long the lists of introspection are in this schema, roughly; what is no list is one.
fn length_of(field: &str) -> u64 {
    match field {
        "types" => 200,
        "fields" => 10,
        "directives" | "inputFields" => 8,
        "enumValues" => 6,
        "possibleTypes" => 4,
        "args" | "interfaces" => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use async_graphql::parser::parse_query;

    use super::*;

    fn shape(document: &str) -> Shape {
        Shape::of(&parse_query(document).unwrap()).unwrap()
    }

    #[test]
    fn fragments_count_wherever_they_are_spread() {
        let found = shape(
            "query A { one: a @skip(if: false) { ...F } b { ...F ... on T { c } } } query B { d }
             fragment F on T { two: e { f @include(if: true) } }",
        );
        assert_eq!(
            (found.fields, found.aliases, found.directives, found.depth),
            (8, 3, 3, 4)
        );
        assert_eq!(found.introspection, 0);
    }

    #[test]
    fn what_doubles_at_every_step_is_measured_at_once() {
        let document = |steps: usize| {
            let doubled = |i| format!("fragment F{i} on T {{ ...F{0} ...F{0} }}\n", i + 1);
            let fragments: String = (0..steps).map(doubled).collect();
            parse_query(format!("{{ ...F0 }} {fragments} fragment F{steps} on T {{ a }}")).unwrap()
        };
        assert_eq!(Shape::of(&document(10)).unwrap().fields, 1 << 10);
        assert_eq!(Shape::of(&document(70)).unwrap().fields, u64::MAX);
        assert_eq!(Shape::of(&document(1_000)), Err(Shapeless::Deep(BOTTOM + 1)));
    }

    #[test]
    fn a_fragment_that_nothing_spreads_counts_and_may_not_lead_back_to_itself() {
        assert_eq!(shape("{ a } fragment F on T { b c }").fields, 3);
        for document in [
            "{ ...F } fragment F on T { a { ...F } }",
            "{ a } fragment F on T { ...G } fragment G on T { ... { ...F } }",
        ] {
            let found = Shape::of(&parse_query(document).unwrap());
            assert!(matches!(found, Err(Shapeless::Cycle(_))), "{document}");
        }
    }

    #[test]
    fn introspection_weighs_what_its_lists_hold() {
        let weight = |document: &str| shape(document).introspection;
        assert_eq!(weight("{ __schema { queryType { name } } }"), 2);
        assert_eq!(
            weight("{ __schema { types { name fields { name } } } }"),
            1 + 200 * (1 + 1 + 10)
        );
        assert_eq!(
            weight("{ __type(name: \"T\") { ...F } } fragment F on __Type { fields { name } }"),
            11
        );
        assert_eq!(weight("{ types { fields { name } } }"), 0);
    }
}
