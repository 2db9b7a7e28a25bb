//! The checked-in `schema.graphql` is current, described, and follows the rules for changes.

use std::path::Path;

use async_graphql::parser::parse_schema;
use async_graphql::parser::types::{ConstDirective, InputValueDefinition, TypeKind, TypeSystemDefinition};
use async_graphql::{Positioned, Value};

/// `UPDATE_SNAPSHOTS=1 cargo nextest run -p kurso-graphql schema` rewrites the file, and so does `make update`.
#[test]
fn the_checked_in_schema_is_current() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../schema.graphql");
    let schema = format!("{}\n", kurso_graphql::sdl().trim_end());
    #[expect(clippy::disallowed_methods, reason = "a test's switch, no setting")]
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::write(&file, &schema).unwrap();
    }
    let checked_in = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(
        checked_in.trim() == schema.trim(),
        "schema.graphql is not what the code says: run `make update` and look at the difference"
    );
}

/// An element of the schema: its name, whether it has a description, and its directives.
type Found<'a> = (String, bool, &'a [Positioned<ConstDirective>]);

fn all(definition: &TypeSystemDefinition) -> Vec<Found<'_>> {
    let mut found = Vec::new();
    match definition {
        TypeSystemDefinition::Directive(directive) => {
            let directive = &directive.node;
            found.push((
                format!("@{}", directive.name.node),
                directive.description.is_some(),
                &[][..],
            ));
        }
        TypeSystemDefinition::Type(definition) => {
            let definition = &definition.node;
            let name = definition.name.node.as_str();
            found.push((
                name.to_owned(),
                definition.description.is_some(),
                &definition.directives[..],
            ));
            let value = |of: &str, value: &'_ InputValueDefinition| {
                (format!("{of}.{}", value.name.node), value.description.is_some())
            };
            match &definition.kind {
                TypeKind::Object(async_graphql::parser::types::ObjectType { fields, .. })
                | TypeKind::Interface(async_graphql::parser::types::InterfaceType { fields, .. }) => {
                    for field in fields.iter().map(|field| &field.node) {
                        let name = format!("{name}.{}", field.name.node);
                        for argument in field.arguments.iter().map(|argument| &argument.node) {
                            // The type of a mutation's only argument has the description.
                            if argument.name.node != "input" {
                                let (name, described) = value(&name, argument);
                                found.push((name, described, &argument.directives));
                            }
                        }
                        found.push((name, field.description.is_some(), &field.directives));
                    }
                }
                TypeKind::InputObject(input) => {
                    for field in input.fields.iter().map(|field| &field.node) {
                        let (name, described) = value(name, field);
                        found.push((name, described, &field.directives));
                    }
                }
                TypeKind::Enum(values) => {
                    for value in values.values.iter().map(|value| &value.node) {
                        let name = format!("{name}.{}", value.value.node);
                        found.push((name, value.description.is_some(), &value.directives));
                    }
                }
                _ => {}
            }
        }
        TypeSystemDefinition::Schema(_) => {}
    }
    found
}

#[test]
fn every_schema_element_has_a_description() {
    let schema = parse_schema(kurso_graphql::sdl()).unwrap();
    let found: Vec<_> = schema.definitions.iter().flat_map(all).collect();
    let silent: Vec<&String> = found
        .iter()
        .filter(|(_, described, _)| !described)
        .map(|(name, ..)| name)
        .collect();
    assert!(silent.is_empty(), "without a doc comment: {silent:?}");
    assert!(found.len() > 500, "{}", found.len());
}

/// docs/api.md, "How the schema changes".
#[test]
fn deprecations_name_a_replacement_and_a_date() {
    let schema = parse_schema(kurso_graphql::sdl()).unwrap();
    for (name, _, directives) in schema.definitions.iter().flat_map(all) {
        let deprecated = directives
            .iter()
            .find(|directive| directive.node.name.node == "deprecated");
        let Some(deprecated) = deprecated else { continue };
        let reason = deprecated.node.arguments.iter().find(|(name, _)| name.node == "reason");
        let Some(Value::String(reason)) = reason.map(|(_, reason)| &reason.node) else {
            panic!("{name} is deprecated: why?")
        };
        let (what, until) = reason
            .rsplit_once(". Goes after ")
            .unwrap_or_else(|| panic!("{name}: until when? {reason}"));
        assert!(what.starts_with("Use `"), "{name}: what to use instead? {reason}");
        let date = until.trim_end_matches('.').split('-').map(str::len).collect::<Vec<_>>();
        assert_eq!(date, [4, 2, 2], "{name}: {reason}");
    }
}
