//! REST and GraphQL offer the same operations: the table in docs/api.md names each REST operation and its
//! GraphQL counterpart, and is compared with both schemas.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use async_graphql::parser::parse_schema;
use async_graphql::parser::types::{TypeKind, TypeSystemDefinition};
use serde_json::Value;

fn read(file: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(file)).unwrap()
}

/// A row of the table: the operation and the fields, either of which may be absent, and the reason.
struct Line {
    operation: Option<String>,
    fields: Vec<String>,
    note: String,
}

/// The rows ``| `operation` | `Type.field`, `Type.field` | note |``; `—` means none.
fn table() -> Vec<Line> {
    let named = |cell: &str| -> Vec<String> {
        let quoted = cell.split('`').skip(1).step_by(2);
        quoted.map(str::to_owned).collect()
    };
    let text = read("docs/api.md");
    let (_, table) = text.split_once("## Operations").expect("the heading of the table");
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
fn every_operation_has_its_counterpart_in_the_other_api() {
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
        let alone = line.operation.as_deref().or(line.fields.first().map(String::as_str));
        assert!(
            whole || (!line.note.is_empty() && alone.is_some_and(|name| ALONE.contains(&name))),
            "{alone:?} has no counterpart on the other face"
        );
    }
    for name in ALONE {
        let line = table
            .iter()
            .find(|line| line.operation.as_deref() == Some(name) || line.fields == [*name]);
        let line = line.unwrap_or_else(|| panic!("docs/api.md does not say why {name} is alone"));
        assert!(
            line.operation.is_none() || line.fields.is_empty(),
            "{name} has a counterpart"
        );
    }
}

/// A mutation takes the parameters and body fields of its REST operation, by the same names.
#[test]
fn every_mutation_takes_the_fields_of_its_rest_operation() {
    let document: Value = serde_json::from_str(&read("openapi.json")).unwrap();
    let methods = document["paths"].as_object().unwrap().values();
    let operations: BTreeMap<&str, &Value> = methods
        .flat_map(|methods| methods.as_object().unwrap().values())
        .map(|operation| (operation["operationId"].as_str().unwrap(), operation))
        .collect();
    let inputs = inputs();
    let mut compared = 0;
    for line in table() {
        let mutations: Vec<&str> = line
            .fields
            .iter()
            .filter_map(|name| name.strip_prefix("Mutation."))
            .collect();
        let (Some(operation), [mutation]) = (&line.operation, mutations.as_slice()) else {
            continue;
        };
        let rest = taken(&document, operations[operation.as_str()]);
        let graphql = inputs.get(*mutation).cloned().unwrap_or_default();
        let differ: Vec<&str> = rest.symmetric_difference(&graphql).map(String::as_str).collect();
        let known = OTHERWISE.iter().find(|(name, _)| name == mutation);
        assert_eq!(
            differ,
            known.map_or(&[][..], |(_, names)| names),
            "{operation} and {mutation}"
        );
        compared += 1;
    }
    assert!(compared > 40, "{compared}");
}

/// Fields of one API only; docs/api.md has the reasons.
const ALONE: &[&str] = &[
    "courses-upload_file",
    "courses-upload_answer_file",
    "courses-upload_cover",
    "courses-upload_certificate_picture",
    "banks-import_questions",
    "notices-open_unsubscribe",
    "utils-health_check",
    "private-create_user",
    "files-read_file",
    "Mutation.movePageEditor",
];

/// Fields with different names in the two APIs, or needed by one only.
const OTHERWISE: &[(&str, &[&str])] = &[
    // The form of OAuth.
    (
        "login",
        &["clientId", "clientSecret", "email", "grantType", "scope", "username"],
    ),
    ("updateItem", &["id", "itemId"]),
    ("deleteItem", &["id", "itemId"]),
    ("sendTestEmail", &["email", "emailTo"]),
    // ID of the user or of the invitation.
    ("removeCollaborator", &["id", "userId"]),
    // In REST null removes the image; in GraphQL `removeModuleAvatar` does.
    ("updateModule", &["avatarUrl"]),
    ("removeModuleAvatar", &["file"]),
    // The file is uploaded over REST.
    ("importCourse", &["file", "fileId"]),
    // A trial needs no idempotency key and is no attempt; REST shares the body of a submission.
    ("tryQuiz", &["attemptNo", "submissionId"]),
];

/// The fields of each mutation's input.
fn inputs() -> BTreeMap<String, BTreeSet<String>> {
    let mut inputs = BTreeMap::new();
    let mut mutations = Vec::new();
    for definition in parse_schema(read("schema.graphql")).unwrap().definitions {
        let TypeSystemDefinition::Type(definition) = definition else {
            continue;
        };
        let name = definition.node.name.node.to_string();
        match definition.node.kind {
            TypeKind::InputObject(input) => {
                let fields = input.fields.iter().map(|field| field.node.name.node.to_string());
                inputs.insert(name, fields.collect::<BTreeSet<_>>());
            }
            TypeKind::Object(object) if name == "Mutation" => {
                for field in object.fields {
                    let input = field.node.arguments.first().map(|input| input.node.ty.node.to_string());
                    mutations.push((field.node.name.node.to_string(), input.unwrap_or_default()));
                }
            }
            _ => {}
        }
    }
    let fields = |input: String| inputs.get(input.trim_end_matches('!')).cloned().unwrap_or_default();
    mutations
        .into_iter()
        .map(|(name, input)| (name, fields(input)))
        .collect()
}

/// The names of an operation's parameters and body fields, in camel case.
fn taken(document: &Value, operation: &Value) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for parameter in operation["parameters"].as_array().into_iter().flatten() {
        names.insert(camel_case(parameter["name"].as_str().unwrap()));
    }
    for body in operation["requestBody"]["content"]
        .as_object()
        .into_iter()
        .flat_map(|kinds| kinds.values())
    {
        properties(document, &body["schema"], &mut names);
    }
    names
}

fn properties(document: &Value, schema: &Value, names: &mut BTreeSet<String>) {
    if let Some(reference) = schema["$ref"].as_str() {
        properties(
            document,
            document.pointer(reference.trim_start_matches('#')).unwrap(),
            names,
        );
    }
    for part in ["allOf", "oneOf", "anyOf"] {
        for schema in schema[part].as_array().into_iter().flatten() {
            properties(document, schema, names);
        }
    }
    names.extend(
        schema["properties"]
            .as_object()
            .into_iter()
            .flat_map(|all| all.keys())
            .map(|name| camel_case(name)),
    );
}

fn camel_case(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| name + &word[..1].to_uppercase() + &word[1..])
}
