//! The shape of a document with its fragments inlined, measured without inlining them: each fragment is measured once, however
//! often it is spread. The library inlines them, so it must not run before.

use std::collections::HashMap;

use async_graphql::parser::types::{ExecutableDocument, Selection, SelectionSet};

/// Sums over all operations of a document, and over the fragments that no operation spreads.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Shape {
    pub fields: u64,
    pub aliases: u64,
    pub directives: u64,
    /// The largest number of nested selections: fields, fragment spreads and inline fragments.
    pub depth: u64,
    /// Fields below `__schema` and `__type`, weighted by the lengths of the schema's lists.
    pub introspection: u64,
    /// The weight of these fields if they stand below `__schema` or `__type`.
    weight: u64,
}

/// A document that cannot be measured.
#[derive(Debug, PartialEq, Eq)]
pub enum ShapeError {
    /// A fragment spreads itself; its name.
    Cycle(String),
    /// At least this deep; not measured further.
    Deep(u64),
}

/// The depth at which measuring stops: safe for the stack, and far above the limit.
const MAX_DEPTH: u64 = 100;

impl Shape {
    pub fn of(document: &ExecutableDocument) -> Result<Self, ShapeError> {
        let mut measured = Measured {
            document,
            fragments: HashMap::new(),
        };
        let mut sum = Shape::default();
        for (_, operation) in document.operations.iter() {
            let mut shape = measured.set(&operation.node.selection_set.node, 1)?;
            shape.add_directives(operation.node.directives.len());
            sum.add(shape);
        }
        for name in document.fragments.keys() {
            if !measured.fragments.contains_key(name.as_str()) {
                sum.add(measured.fragment(name, 1)?);
            }
        }
        Ok(sum)
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
    /// `level`: the depth of this set, from 1.
    fn set(&mut self, set: &'a SelectionSet, level: u64) -> Result<Shape, ShapeError> {
        if level > MAX_DEPTH {
            return Err(ShapeError::Deep(level));
        }
        let mut sum = Shape::default();
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
            sum.add(shape);
        }
        Ok(sum)
    }

    fn fragment(&mut self, name: &str, level: u64) -> Result<Shape, ShapeError> {
        // The schema refuses an unknown fragment.
        let Some((name, definition)) = self.document.fragments.get_key_value(name) else {
            return Ok(Shape::default());
        };
        match self.fragments.insert(name, None) {
            Some(Some(shape)) => {
                self.fragments.insert(name, Some(shape));
                return Ok(shape);
            }
            Some(None) => return Err(ShapeError::Cycle(name.to_string())),
            None => {}
        }
        let mut shape = self.set(&definition.node.selection_set.node, level)?;
        shape.add_directives(definition.node.directives.len());
        self.fragments.insert(name, Some(shape));
        Ok(shape)
    }
}

/// The approximate lengths of the lists of introspection in this schema; 1 for other fields.
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
    fn a_fragment_counts_for_each_of_its_spreads() {
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
    fn exponential_fragments_are_measured_in_linear_time() {
        let document = |steps: usize| {
            let doubled = |i| format!("fragment F{i} on T {{ ...F{0} ...F{0} }}\n", i + 1);
            let fragments: String = (0..steps).map(doubled).collect();
            parse_query(format!("{{ ...F0 }} {fragments} fragment F{steps} on T {{ a }}")).unwrap()
        };
        assert_eq!(Shape::of(&document(10)).unwrap().fields, 1 << 10);
        assert_eq!(Shape::of(&document(70)).unwrap().fields, u64::MAX);
        assert_eq!(Shape::of(&document(1_000)), Err(ShapeError::Deep(MAX_DEPTH + 1)));
    }

    #[test]
    fn unused_fragments_count_and_cycles_are_refused() {
        assert_eq!(shape("{ a } fragment F on T { b c }").fields, 3);
        for document in [
            "{ ...F } fragment F on T { a { ...F } }",
            "{ a } fragment F on T { ...G } fragment G on T { ... { ...F } }",
        ] {
            let found = Shape::of(&parse_query(document).unwrap());
            assert!(matches!(found, Err(ShapeError::Cycle(_))), "{document}");
        }
    }

    #[test]
    fn introspection_is_weighted_by_list_lengths() {
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
