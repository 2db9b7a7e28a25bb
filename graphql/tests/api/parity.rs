//! What REST can do GraphQL can do, and the other way round: the table in docs/api.md names each REST operation and its
//! GraphQL counterpart, and is held against what both faces say of themselves.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use async_graphql::parser::parse_schema;
use async_graphql::parser::types::{TypeKind, TypeSystemDefinition};
use serde_json::Value;

fn read(file: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(file)).unwrap()
}

/// A line of the table: the operation and the fields, either of which may be absent, and why.
struct Line {
    operation: Option<String>,
    fields: Vec<String>,
    note: String,
}

/// The lines of the form ``| `operation` | `Type.field`, `Type.field` | note |``; `—` stands for nothing.
fn table() -> Vec<Line> {
    let named = |cell: &str| -> Vec<String> {
        let quoted = cell.split('`').skip(1).step_by(2);
        quoted.map(str::to_owned).collect()
    };
    let text = read("docs/api.md");
    let (_, table) = text
        .split_once("## What is called what")
        .expect("the heading of the table");
    let lines = table
        .lines()
        .filter(|line| line.starts_with("| `") || line.starts_with("| —"));
    lines
        .map(|line| {
            let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
            assert_eq!(cells.len(), 3, "{line}");
            Line {
                operation: named(cells[0]).pop(),
                fields: named(cells[1]),
                note: cells[2].to_owned(),
            }
        })
        .collect()
}

/// The fields of every object type of the schema.
fn fields() -> BTreeMap<String, BTreeSet<String>> {
    let schema = parse_schema(read("schema.graphql")).unwrap();
    let mut types = BTreeMap::new();
    for definition in schema.definitions {
        if let TypeSystemDefinition::Type(definition) = definition
            && let TypeKind::Object(object) = definition.node.kind
        {
            let fields = object.fields.iter().map(|field| field.node.name.node.to_string());
            types.insert(definition.node.name.node.to_string(), fields.collect());
        }
    }
    types
}

#[test]
fn each_operation_of_one_face_has_its_counterpart_on_the_other() {
    let table = table();
    let document: Value = serde_json::from_str(&read("openapi.json")).unwrap();
    let methods = document["paths"].as_object().unwrap().values();
    let operations: BTreeSet<String> = methods
        .flat_map(|methods| methods.as_object().unwrap().values())
        .map(|operation| operation["operationId"].as_str().unwrap().to_owned())
        .collect();
    let listed: BTreeSet<String> = table.iter().filter_map(|line| line.operation.clone()).collect();
    let forgotten: Vec<_> = operations.difference(&listed).collect();
    assert!(
        forgotten.is_empty(),
        "REST has these, docs/api.md does not name them: {forgotten:?}"
    );
    let gone: Vec<_> = listed.difference(&operations).collect();
    assert!(
        gone.is_empty(),
        "docs/api.md names these, REST does not have them: {gone:?}"
    );

    let fields = fields();
    let named: BTreeSet<&str> = table.iter().flat_map(|line| &line.fields).map(String::as_str).collect();
    for name in &named {
        let (kind, field) = name
            .split_once('.')
            .unwrap_or_else(|| panic!("{name} is no Type.field"));
        let there = fields.get(kind).is_some_and(|fields| fields.contains(field));
        assert!(there, "docs/api.md names {name}, which the schema does not have");
    }
    for root in ["Query", "Mutation"] {
        for field in &fields[root] {
            let name = format!("{root}.{field}");
            assert!(
                named.contains(name.as_str()),
                "the schema has {name}, docs/api.md does not name it"
            );
        }
    }
    for line in &table {
        let whole = line.operation.is_some() && !line.fields.is_empty();
        assert!(
            whole || !line.note.is_empty(),
            "{:?} {:?} stands alone: why?",
            line.operation,
            line.fields
        );
    }
}
