//! Queries made of the schema itself: for every object that can be asked for, by several ways to it, all it has.

use std::collections::{BTreeMap, VecDeque};

use async_graphql::parser::parse_schema;
use async_graphql::parser::types::{BaseType, FieldDefinition, Type, TypeKind, TypeSystemDefinition};

/// Ways to a type that go through a list, and such that do not.
const WAYS: (usize, usize) = (5, 3);
/// Fields on the longest way.
const LONGEST: usize = 7;

pub struct Schema {
    types: BTreeMap<String, Kind>,
}

enum Kind {
    Object(Vec<Field>),
    /// An interface or a union, by what it may be.
    Either(Vec<String>),
}

struct Field {
    name: String,
    of: String,
    is_list: bool,
    /// Those without which it cannot be asked for.
    arguments: Vec<String>,
}

/// A way to an object, and the names of the types it leads through.
#[derive(Clone, Default)]
struct Way {
    /// As the document has them, with arguments.
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
                    types.insert(name, Kind::Either(members));
                }
                TypeKind::Interface(_) => {
                    types.insert(name, Kind::Either(vec![]));
                }
                _ => {}
            }
        }
        for (interface, members) in implementors {
            types.insert(interface, Kind::Either(members));
        }
        Schema { types }
    }

    /// Every object that a query leads to.
    pub fn objects(&self) -> Vec<&str> {
        let mut reached = vec!["Query"];
        let mut next = 0;
        while let Some(name) = reached.get(next).copied() {
            next += 1;
            let leads_to: Vec<&String> = match &self.types[name] {
                Kind::Object(fields) => fields.iter().map(|field| &field.of).collect(),
                Kind::Either(members) => members.iter().collect(),
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

    /// A query for each way to each object: all its fields, all fields of what they lead to, and something of what those
    /// lead to. `value` says what an argument is: of `Query.course`, `id`.
    pub fn queries(&self, value: impl Fn(&str, &str) -> String) -> Vec<String> {
        let mut ways: BTreeMap<&str, Vec<Way>> = BTreeMap::new();
        let mut open = VecDeque::from([("Query", Way::default())]);
        while let Some((name, way)) = open.pop_front() {
            let kind = &self.types[name];
            if name != "Query" {
                let known = ways.entry(name).or_default();
                let same = known.iter().filter(|known| known.has_list == way.has_list).count();
                if same == if way.has_list { WAYS.0 } else { WAYS.1 } {
                    continue;
                }
                known.push(way.clone());
            }
            if way.fields.len() == LONGEST {
                continue;
            }
            match kind {
                Kind::Object(fields) => {
                    for field in fields {
                        let Some((of, _)) = self.types.get_key_value(&field.of) else {
                            continue;
                        };
                        let step = format!("{name}.{}", field.name);
                        if way.through.contains(&step) {
                            continue;
                        }
                        let mut longer = way.clone();
                        longer.fields.push(field.text(name, &value));
                        longer.through.push(step);
                        longer.has_list |= field.is_list;
                        open.push_back((of, longer));
                    }
                }
                Kind::Either(members) => {
                    for member in members {
                        let (of, _) = self.types.get_key_value(member).unwrap();
                        let mut longer = way.clone();
                        longer.fields.push(format!("... on {member}"));
                        open.push_back((of, longer));
                    }
                }
            }
        }
        let mut queries = Vec::new();
        for (name, ways) in ways {
            for way in ways {
                let all = self.selection(name, 2, &value);
                let query = way
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
            Kind::Either(members) => {
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
