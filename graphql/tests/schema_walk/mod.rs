//! Operations made from the schema, by introspection: every field of its roots, with all selections below it, so that a test covers later ones
//! too.
#![allow(
    dead_code,
    reason = "two programs of tests share this file, and each uses a part of it"
)]

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::fmt::{self, Display, Formatter};

use serde_json::Value;
use uuid::Uuid;

/// Fields that would end the walk, or need more than an ID; the tests submit quizzes themselves.
const SKIPPED: &[&str] = &[
    "submitQuiz",
    "logout",
    "endSession",
    "deleteMe",
    "leaveCourse",
    "updateMyPassword",
];

/// All IDs of a kind, by the word for it in names of fields and arguments.
pub type Ids = Vec<(&'static str, Vec<String>)>;

/// Which arguments are given.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Arguments {
    /// The required ones, with each combination of their values.
    Required,
    /// All, also below the root: each with each of its values, but not in each combination.
    All,
}

/// The introspection query whose result a [`Schema`] is built from.
pub const INTROSPECTION: &str = "{ __schema { types { kind name possibleTypes { name } enumValues { name }
    fields { name args { name type { ...Kind } } type { ...Kind } } inputFields { name type { ...Kind } } } } }
    fragment Kind on __Type { kind name ofType { kind name ofType { kind name ofType { kind name } } } }";

pub struct Schema {
    types: HashMap<String, Value>,
    ids: Ids,
}

/// A field of a root with its arguments, and all selections below it.
pub struct Operation {
    /// The operation up to the selection.
    start: String,
    ways: Vec<Way>,
}

/// The scalar fields of an object, and the path that leads to it.
#[derive(Clone, Default)]
pub struct Way {
    /// The fields on the path, with their arguments, and the types of fragments.
    path: Vec<String>,
    /// Empty for a field without a selection.
    fields: String,
}

/// Several ways as one selection.
#[derive(Default)]
struct Selection<'a> {
    fields: Vec<&'a str>,
    below: Vec<(&'a str, Selection<'a>)>,
}

impl Operation {
    pub fn is_query(&self) -> bool {
        self.start.starts_with("query")
    }

    /// One operation for each way.
    pub fn queries(&self) -> Vec<String> {
        self.ways.iter().map(|way| self.with(way)).collect()
    }

    /// Operations for up to `most` ways at a time, each with the operations that it stands for.
    pub fn merged(&self, most: usize) -> Vec<(String, Vec<String>)> {
        let one = |ways: &[Way]| {
            let mut selection = Selection::default();
            ways.iter().for_each(|way| selection.add(&way.path, &way.fields));
            (self.with(selection), ways.iter().map(|way| self.with(way)).collect())
        };
        self.ways.chunks(most).map(one).collect()
    }

    fn with(&self, selection: impl Display) -> String {
        format!("{} {selection} }}", self.start)
    }
}

impl Display for Way {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.fields.is_empty() {
            return Ok(());
        }
        for field in &self.path {
            write!(f, "{{ {field} ")?;
        }
        write!(f, "{{ {} }}{}", self.fields, " }".repeat(self.path.len()))
    }
}

impl<'a> Selection<'a> {
    fn add(&mut self, path: &'a [String], fields: &'a str) {
        let Some((first, rest)) = path.split_first() else {
            self.fields.push(fields);
            return;
        };
        let place = self.below.iter().position(|(field, _)| field == first);
        let place = place.unwrap_or_else(|| {
            self.below.push((first, Selection::default()));
            self.below.len() - 1
        });
        self.below[place].1.add(rest, fields);
    }
}

impl Display for Selection<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.below.is_empty() && self.fields.iter().all(|fields| fields.is_empty()) {
            return Ok(());
        }
        write!(f, "{{ {}", self.fields.join(" "))?;
        for (field, selection) in &self.below {
            write!(f, " {field} {selection}")?;
        }
        f.write_str(" }")
    }
}

/// A field and the name of its type, without list and non-null markers.
struct Named {
    args: Vec<Value>,
    named: String,
}

impl Schema {
    pub fn new(types: &Value, ids: Ids) -> Self {
        let types = types.as_array().unwrap().iter();
        let types = types.map(|kind| (kind["name"].as_str().unwrap().to_owned(), kind.clone()));
        Schema {
            types: types.collect(),
            ids,
        }
    }

    fn kind(&self, name: &str) -> &str {
        self.types[name]["kind"].as_str().unwrap()
    }

    fn fields(&self, name: &str) -> BTreeMap<String, Named> {
        let fields = self.types[name]["fields"].as_array().into_iter().flatten();
        fields
            .map(|field| {
                let args = field["args"].as_array().unwrap().clone();
                let named = innermost(&field["type"]).to_owned();
                (field["name"].as_str().unwrap().to_owned(), Named { args, named })
            })
            .collect()
    }

    /// The name of the type of a field.
    pub fn named(&self, of: &str, name: &str) -> String {
        self.fields(of).remove(name).unwrap().named
    }

    /// All queries and mutations, each with all selections below it.
    pub fn operations(&self, given: Arguments) -> Vec<Operation> {
        let roots = [("Query", "query"), ("Mutation", "mutation")];
        roots
            .iter()
            .flat_map(|(root, word)| self.below(root, word, given))
            .collect()
    }

    /// The same of the subscriptions.
    pub fn subscriptions(&self, given: Arguments) -> Vec<Operation> {
        self.below("Subscription", "subscription", given)
    }

    fn below(&self, root: &str, word: &str, given: Arguments) -> Vec<Operation> {
        let mut all = Vec::new();
        for (name, field) in self.fields(root) {
            if SKIPPED.contains(&name.as_str()) {
                continue;
            }
            for arguments in self.arguments(&name, &field.args, given) {
                let ways = if matches!(self.kind(&field.named), "SCALAR" | "ENUM") {
                    vec![Way::default()]
                } else {
                    self.ways(field.named.clone(), given)
                };
                let start = format!("{word} {{ {name}{arguments}");
                all.push(Operation { start, ways });
            }
        }
        all
    }

    /// The lists of arguments of a field.
    fn arguments(&self, field: &str, args: &[Value], given: Arguments) -> Vec<String> {
        let mut lists = vec![String::new()];
        let is_given = |arg: &&Value| given == Arguments::All || arg["type"]["kind"] == "NON_NULL";
        // A position in a list comes from an answer.
        let is_cursor =
            |arg: &Value| arg["type"]["kind"] != "NON_NULL" && matches!(arg["name"].as_str(), Some("after" | "before"));
        let valued: Vec<(&str, Vec<String>)> = args
            .iter()
            .filter(|arg| is_given(arg) && !is_cursor(arg))
            .map(|arg| {
                let name = arg["name"].as_str().unwrap();
                (name, self.values(field, name, &arg["type"], given))
            })
            .collect();
        match given {
            Arguments::Required => {
                for (name, values) in valued {
                    let longer = lists
                        .iter()
                        .flat_map(|list| values.iter().map(move |value| format!("{list} {name}: {value}")));
                    lists = longer.collect();
                }
            }
            Arguments::All => {
                let most = valued.iter().map(|(_, values)| values.len()).max().unwrap_or(1);
                let list = |turn: usize| {
                    let one = valued
                        .iter()
                        .map(|(name, values)| format!(" {name}: {}", values[turn % values.len()]));
                    one.collect()
                };
                lists = (0..most).map(list).collect();
                // Two that exclude each other would hide what one of them shows.
                for (name, values) in valued
                    .iter()
                    .filter(|_| args.iter().all(|arg| arg["type"]["kind"] != "NON_NULL"))
                {
                    lists.extend(values.iter().map(|value| format!(" {name}: {value}")));
                }
            }
        }
        lists
            .into_iter()
            .map(|list| if list.is_empty() { list } else { format!("({list})") })
            .collect()
    }

    fn values(&self, field: &str, name: &str, kind: &Value, given: Arguments) -> Vec<String> {
        let one = self.single(field, name, innermost(kind), given);
        match is_list(kind) {
            false => one,
            true if given == Arguments::Required => vec!["[]".into()],
            true => one.into_iter().map(|value| format!("[{value}]")).collect(),
        }
    }

    fn single(&self, field: &str, name: &str, kind: &str, given: Arguments) -> Vec<String> {
        match kind {
            "ID" => self.ids(field, name).iter().map(|id| format!("\"{id}\"")).collect(),
            "UUID" => vec![format!("\"{}\"", Uuid::now_v7())],
            "Int" if name == "first" || name == "last" => vec!["20".into()],
            "Int" | "Float" => vec!["1".into()],
            "Decimal" => vec!["\"1\"".into()],
            "Boolean" => vec!["false".into()],
            "DateTime" => vec!["\"2026-12-01T09:00:00Z\"".into()],
            // What is searched for is in the contents that a test hides.
            "String" if name == "search" || name == "text" => vec!["\"731973\"".into()],
            "String" => vec!["\"x\"".into()],
            kind if self.kind(kind) == "INPUT_OBJECT" => {
                let inputs = self.types[kind]["inputFields"].as_array().unwrap();
                // Inputs may contain inputs of the same type.
                let is_root = name == "input";
                let given = if is_root { given } else { Arguments::Required };
                let lists = self.arguments(field, inputs, given);
                lists
                    .into_iter()
                    .map(|list| format!("{{{}}}", list.trim_matches(['(', ')'])))
                    .collect()
            }
            kind if self.kind(kind) == "ENUM" => {
                let values = self.types[kind]["enumValues"].as_array().unwrap();
                let names = values.iter().map(|value| value["name"].as_str().unwrap().to_owned());
                names.take(1).collect()
            }
            _ => vec!["{}".into()],
        }
    }

    /// The IDs that fit an argument.
    fn ids(&self, field: &str, name: &str) -> Vec<String> {
        let word = if matches!(name, "id" | "ids") { field } else { name }.to_lowercase();
        let known = self.ids.iter().filter(|(kind, _)| word.contains(kind));
        let mut found: Vec<_> = known.flat_map(|(_, ids)| ids.clone()).collect();
        found.push(Uuid::now_v7().to_string());
        found
    }

    /// Selections below a type: for every object reachable from it, and every edge from one type to
    /// another, one with the scalar fields at its end.
    pub fn ways(&self, name: String, given: Arguments) -> Vec<Way> {
        let mut ways = Vec::new();
        let mut seen = HashSet::new();
        let mut next = VecDeque::from([(name, Vec::new())]);
        while let Some((name, path)) = next.pop_front() {
            let mut plain = vec!["__typename".to_owned()];
            let mut further = Vec::new();
            let longer = |field: String| [path.as_slice(), &[field]].concat();
            for (field, Named { args, named }) in self.fields(&name) {
                let needs_arguments = args.iter().any(|arg| arg["type"]["kind"] == "NON_NULL");
                if needs_arguments && given == Arguments::Required {
                    continue;
                }
                let arguments = match given {
                    Arguments::Required => String::new(),
                    Arguments::All => self.arguments(&field, &args, given).swap_remove(0),
                };
                let field = format!("{field}{arguments}");
                if matches!(self.kind(&named), "SCALAR" | "ENUM") {
                    plain.push(field);
                } else {
                    further.push((named, longer(field)));
                }
            }
            let possible = self.types[&name]["possibleTypes"].as_array().into_iter().flatten();
            for one in possible.map(|one| one["name"].as_str().unwrap()) {
                further.push((one.to_owned(), longer(format!("... on {one}"))));
            }
            let fields = plain.join(" ");
            ways.push(Way { path, fields });
            // Cycles are followed once, other fields everywhere.
            if !self.leads_to(&name, &name, &mut HashSet::new()) || seen.insert(name) {
                next.extend(further);
            }
        }
        ways
    }

    /// Whether a type leads to another object of the same type.
    fn leads_to(&self, from: &str, to: &str, passed: &mut HashSet<String>) -> bool {
        let possible = self.types[from]["possibleTypes"].as_array().into_iter().flatten();
        let possible = possible.map(|one| one["name"].as_str().unwrap().to_owned());
        let fields = self.fields(from).into_values().map(|field| field.named);
        let next: Vec<_> = fields
            .chain(possible)
            .filter(|name| passed.insert(name.clone()))
            .collect();
        next.iter().any(|name| name == to || self.leads_to(name, to, passed))
    }
}

fn innermost(kind: &Value) -> &str {
    match &kind["ofType"] {
        Value::Null => kind["name"].as_str().unwrap(),
        inner => innermost(inner),
    }
}

fn is_list(kind: &Value) -> bool {
    kind["kind"] == "LIST" || (!kind["ofType"].is_null() && is_list(&kind["ofType"]))
}
