//! Generates queries from the schema: all fields of every object, on several paths to it.

use std::collections::{BTreeMap, VecDeque};

use async_graphql::parser::parse_schema;
use async_graphql::parser::types::{BaseType, FieldDefinition, Type, TypeKind, TypeSystemDefinition};

/// Paths to a type: with a list, and without.
const PATHS: (usize, usize) = (5, 3);
/// Fields of the longest path.
const MAX_LENGTH: usize = 7;

pub struct Schema {
    types: BTreeMap<String, Kind>,
}

enum Kind {
    Object(Vec<Field>),
    /// The object types of an interface or a union.
    OneOf(Vec<String>),
}

struct Field {
    name: String,
    of: String,
    is_list: bool,
    /// Required arguments.
    arguments: Vec<String>,
}

/// A path to an object, with the fields of the types on it.
#[derive(Clone, Default)]
struct Path {
    /// As in the document, with arguments.
    fields: Vec<String>,
    through: Vec<String>,
    has_list: bool,
}

impl Schema {
    pub fn read(sdl: &str) -> Self {
        let mut types = BTreeMap::new();
        let mut implementors: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for definition in parse_schema(sdl).unwrap().definitions {
            let TypeSystemDefinition::Type(definition) = definition else {
                continue;
            };
            let name = definition.node.name.node.to_string();
            match definition.node.kind {
                TypeKind::Object(object) => {
                    for interface in &object.implements {
                        implementors
                            .entry(interface.node.to_string())
                            .or_default()
                            .push(name.clone());
                    }
                    let fields = object.fields.iter().map(|field| Field::of(&field.node)).collect();
                    types.insert(name, Kind::Object(fields));
                }
                TypeKind::Union(union) => {
                    let members = union.members.iter().map(|member| member.node.to_string()).collect();
                    types.insert(name, Kind::OneOf(members));
                }
                TypeKind::Interface(_) => {
                    types.insert(name, Kind::OneOf(vec![]));
                }
                _ => {}
            }
        }
        for (interface, members) in implementors {
            types.insert(interface, Kind::OneOf(members));
        }
        Schema { types }
    }

    /// All objects reachable from a query.
    pub fn objects(&self) -> Vec<&str> {
        let mut reached = vec!["Query"];
        let mut next = 0;
        while let Some(name) = reached.get(next).copied() {
            next += 1;
            let leads_to: Vec<&String> = match &self.types[name] {
                Kind::Object(fields) => fields.iter().map(|field| &field.of).collect(),
                Kind::OneOf(members) => members.iter().collect(),
            };
            for of in leads_to {
                if self.types.contains_key(of) && !reached.contains(&of.as_str()) {
                    reached.push(of);
                }
            }
        }
        reached.retain(|name| matches!(self.types[*name], Kind::Object(_)) && *name != "Query");
        reached.sort_unstable();
        reached
    }

    /// A query for each path to each object, with all its fields, all fields of their objects, and
    /// `__typename` below. `value` gives the value of an argument, by field and name: `Query.course`, `id`.
    pub fn queries(&self, value: impl Fn(&str, &str) -> String) -> Vec<String> {
        let mut paths: BTreeMap<&str, Vec<Path>> = BTreeMap::new();
        let mut open = VecDeque::from([("Query", Path::default())]);
        while let Some((name, path)) = open.pop_front() {
            let kind = &self.types[name];
            if name != "Query" {
                let known = paths.entry(name).or_default();
                let same = known.iter().filter(|known| known.has_list == path.has_list).count();
                if same == if path.has_list { PATHS.0 } else { PATHS.1 } {
                    continue;
                }
                known.push(path.clone());
            }
            if path.fields.len() == MAX_LENGTH {
                continue;
            }
            match kind {
                Kind::Object(fields) => {
                    for field in fields {
                        let Some((of, _)) = self.types.get_key_value(&field.of) else {
                            continue;
                        };
                        let step = format!("{name}.{}", field.name);
                        if path.through.contains(&step) {
                            continue;
                        }
                        let mut longer = path.clone();
                        longer.fields.push(field.text(name, &value));
                        longer.through.push(step);
                        longer.has_list |= field.is_list;
                        open.push_back((of, longer));
                    }
                }
                Kind::OneOf(members) => {
                    for member in members {
                        let (of, _) = self.types.get_key_value(member).unwrap();
                        let mut longer = path.clone();
                        longer.fields.push(format!("... on {member}"));
                        open.push_back((of, longer));
                    }
                }
            }
        }
        let mut queries = Vec::new();
        for (name, paths) in paths {
            for path in paths {
                let all = self.selection(name, 2, &value);
                let query = path
                    .fields
                    .iter()
                    .rev()
                    .fold(all, |inner, field| format!("{{ {field} {inner} }}"));
                queries.push(query);
            }
        }
        queries
    }

    fn selection(&self, name: &str, deep: usize, value: &impl Fn(&str, &str) -> String) -> String {
        let mut text = String::from("{ __typename");
        match &self.types[name] {
            _ if deep == 0 => {}
            Kind::Object(fields) => {
                for field in fields {
                    text = text + " " + &field.text(name, value);
                    if self.types.contains_key(&field.of) {
                        text = text + " " + &self.selection(&field.of, deep - 1, value);
                    }
                }
            }
            Kind::OneOf(members) => {
                for member in members {
                    text = text + " ... on " + member + " " + &self.selection(member, deep, value);
                }
            }
        }
        text + " }"
    }
}

impl Field {
    fn of(field: &FieldDefinition) -> Self {
        let needed = field.arguments.iter().filter(|argument| {
            let argument = &argument.node;
            !argument.ty.node.nullable && argument.default_value.is_none()
        });
        let (of, is_list) = named(&field.ty.node);
        Field {
            name: field.name.node.to_string(),
            of,
            is_list,
            arguments: needed.map(|argument| argument.node.name.node.to_string()).collect(),
        }
    }

    fn text(&self, of: &str, value: &impl Fn(&str, &str) -> String) -> String {
        if self.arguments.is_empty() {
            return self.name.clone();
        }
        let name = format!("{of}.{}", self.name);
        let given = self
            .arguments
            .iter()
            .map(|argument| format!("{argument}: {}", value(&name, argument)));
        format!("{}({})", self.name, given.collect::<Vec<_>>().join(", "))
    }
}

fn named(ty: &Type) -> (String, bool) {
    match &ty.base {
        BaseType::Named(name) => (name.to_string(), false),
        BaseType::List(of) => (named(of).0, true),
    }
}
