//! No query of a learner reveals the answers of a quiz early, or data of other users:
//! the test generates queries for all fields of the schema, on all paths to them.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

use kurso_base::ids::{EnrollmentId, LessonId, PageId};
use kurso_core::access::{Right, Viewer};
use kurso_core::attempts;
use kurso_core::courses::tree::PageKind::Content;
use kurso_core::courses::{lesson, page};
use kurso_core::gradebook;
use kurso_core::learning::view::CourseView;
use kurso_core::testing::exam::{REVEALED, SECRET, answers, exam};
use kurso_core::testing::{Backend, TestKurso, command, submission};
use kurso_formats::quiz;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Exam, join};

/// Secrets: values of another learner and of the owner, of unpublished pages, of old versions, and
/// of the contents of locked pages: their texts, questions and files.
const OTHERS: &[&str] = &[
    "nosy-neighbour",
    "owner@example.com",
    "neighbourly guess",
    "neighbourly excuse",
    "draft-731973",
    "withdrawn-731973",
    "locked-731973",
];

/// Mutations that would end the walk, or need more than an ID; `submitQuiz` gets answers.
const SKIPPED: &[&str] = &[
    "submitQuiz",
    "logout",
    "endSession",
    "deleteMe",
    "leaveCourse",
    "updateMyPassword",
];

#[tokio::test]
async fn no_query_reveals_answers_or_data_of_others() {
    let kurso = TestKurso::new(Backend::Sqlite).await;
    let room = Exam::open(kurso, &exam("never")).await;
    let neighbour = take_as_neighbour(&room).await;
    let schema = Schema {
        types: types(&room).await,
        ids: ids(&room, neighbour).await,
    };
    let mut passed = false;
    // No attempt, failed attempts only, a passed attempt: for each setting.
    for taken in [None, Some(false), Some(true)] {
        let reveals = ["never", "after_pass", "after_submit"];
        for reveal in reveals.into_iter().skip(if taken.is_none() { 2 } else { 0 }) {
            room.kurso.set_quiz(room.pages[1], &exam(reveal)).await;
            let mut watch = Watch {
                reveal,
                shown: false,
                seen: String::new(),
                queries: 0,
            };
            passed |= taken == Some(true);
            watch.shown = taken.is_some() && (reveal == "after_submit" || (reveal == "after_pass" && passed));
            for selection in schema.ways(&schema.field("Mutation", "submitQuiz").named) {
                // Fields of the attempt are queried on an accepted one, the others on a refused one.
                let mut input = room.input(taken == Some(true)).await;
                if taken.is_none() || !selection.starts_with("{ attempt") {
                    input["version"] = json!(1);
                }
                let query = format!("mutation($input: SubmitQuizInput!) {{ submitQuiz(input: $input) {selection} }}");
                watch.ask(&room, &query, json!({"input": input})).await;
            }
            for ways in schema.queries() {
                for query in ways {
                    // A refusal does not depend on the selection.
                    if !watch.ask(&room, &query, json!({})).await {
                        break;
                    }
                }
            }
            assert!(watch.queries > 100, "the walk has come nowhere");
            for marker in REVEALED {
                assert_eq!(watch.seen.contains(marker), watch.shown, "{reveal} {taken:?}: {marker}");
            }
        }
    }
}

/// Another learner with an attempt.
async fn take_as_neighbour(room: &Exam) -> EnrollmentId {
    let kurso = &room.kurso;
    let neighbour = kurso.person("nosy-neighbour").await;
    let enrollment = join(kurso, &room.owner, room.course, &neighbour).await;
    let found = attempts::for_learner(kurso, Some(enrollment), &room.pages)
        .await
        .unwrap();
    let mut list = answers(&found[&room.pages[1]].quiz, false);
    list[2]["text"] = json!("neighbourly guess");
    attempts::submit(
        kurso,
        &neighbour,
        room.pages[1],
        submission(&json!({ "answers": list })),
    )
    .await
    .unwrap();
    let excused = json!({"page_id": room.pages[1], "version": 0, "kind": "excused", "reason": "neighbourly excuse"});
    gradebook::decide(kurso, &room.owner, enrollment, command(&excused))
        .await
        .unwrap();
    enrollment
}

/// All IDs of a kind, by the word for it in names of fields and arguments: of the learner's course, of the
/// other learner, and of unpublished pages.
async fn ids(room: &Exam, neighbour: EnrollmentId) -> Vec<(&'static str, Vec<String>)> {
    let kurso = &room.kurso;
    let view = CourseView::load(kurso, &room.owner, room.course, Right::Read)
        .await
        .unwrap();
    let (module, lesson) = (view.module(0).id, view.lesson(0).id);
    let draft = kurso.page(room.course, lesson, 2, Content, false).await;
    for (page, text) in [
        (draft, "draft-731973"),
        (room.pages[0], "withdrawn-731973"),
        (room.pages[0], "what it says now"),
    ] {
        let body = json!({"content": quiz::paragraph(text)});
        page::update(kurso, &room.owner, page, None, command(&body))
            .await
            .unwrap();
    }
    let locked = write_locked_pages(kurso, &room.owner, lesson).await;
    let pages = room.pages.iter().chain([&draft]).chain(&locked);
    vec![
        ("course", vec![room.course.to_string()]),
        ("module", vec![module.to_string()]),
        ("lesson", vec![lesson.to_string()]),
        ("page", pages.map(ToString::to_string).collect()),
        ("enrollment", vec![room.enrollment.to_string(), neighbour.to_string()]),
        ("student", vec![room.enrollment.to_string(), neighbour.to_string()]),
        ("user", vec![room.owner.id().to_string()]),
    ]
}

/// A content page and a quiz page that open tomorrow, and two in a lesson that needs theirs; all with a file.
async fn write_locked_pages(kurso: &TestKurso, owner: &Viewer, lesson: LessonId) -> Vec<PageId> {
    let file = kurso
        .file(owner.id(), "locked-731973.png", "image/png", &b"x"[..])
        .await;
    let mut content = quiz::paragraph("locked-731973");
    let image = json!({"type": "image", "attrs": {"src": file.url()}});
    content["content"].as_array_mut().unwrap().push(image);
    let question = json!({"type": "numeric", "prompt": "locked-731973", "value": 1});
    let module = lesson::get(kurso, owner, lesson).await.unwrap().module_id;
    let waiting = lesson::create(kurso, owner, module, command(json!({"title": "Waiting"})))
        .await
        .unwrap();
    let needs = json!({"prerequisites": [lesson]});
    lesson::update(kurso, owner, waiting.id, command(needs)).await.unwrap();
    let mut written = Vec::new();
    for (lesson, opens) in [(lesson, json!("2026-11-22T09:00:00Z")), (waiting.id, Value::Null)] {
        for quiz in [Value::Null, json!({"questions": [question]})] {
            let mut body = json!({"title": "Later", "content": content, "available_from": opens});
            if !quiz.is_null() {
                (body["kind"], body["quiz"]) = (json!("quiz"), quiz);
            }
            let page = page::create(kurso, owner, lesson, command(&body)).await.unwrap();
            written.push(page.id);
        }
    }
    written
}

/// The schema, by introspection.
struct Schema {
    types: HashMap<String, Value>,
    ids: Vec<(&'static str, Vec<String>)>,
}

/// A field and the name of its type, without list and non-null markers.
struct Named {
    args: Vec<Value>,
    named: String,
}

/// The types of the schema by name.
async fn types(room: &Exam) -> HashMap<String, Value> {
    let kind = "kind name ofType { kind name ofType { kind name ofType { kind name } } }";
    let query = format!(
        "{{ __schema {{ types {{ kind name possibleTypes {{ name }} fields {{ name args {{ name type {{ {kind} }} }}
           type {{ {kind} }} }} inputFields {{ name type {{ {kind} }} }} }} }} }}"
    );
    let answer = room.server.data(&room.learner, &query, json!({})).await;
    let types = answer["types"].as_array().unwrap().iter();
    types
        .map(|kind| (kind["name"].as_str().unwrap().to_owned(), kind.clone()))
        .collect()
}

impl Schema {
    fn kind(&self, name: &str) -> &str {
        self.types[name]["kind"].as_str().unwrap()
    }

    fn fields(&self, name: &str) -> BTreeMap<String, Named> {
        let fields = self.types[name]["fields"].as_array().into_iter().flatten();
        fields
            .map(|field| {
                let args = field["args"].as_array().unwrap();
                let args = args
                    .iter()
                    .filter(|arg| arg["type"]["kind"] == "NON_NULL")
                    .cloned()
                    .collect();
                let named = innermost(&field["type"]).to_owned();
                (field["name"].as_str().unwrap().to_owned(), Named { args, named })
            })
            .collect()
    }

    fn field(&self, of: &str, name: &str) -> Named {
        self.fields(of).remove(name).unwrap()
    }

    /// All queries and mutations of a learner, with all selections below them.
    fn queries(&self) -> Vec<Vec<String>> {
        let mut all = Vec::new();
        for (root, word) in [("Query", "query"), ("Mutation", "mutation")] {
            for (name, field) in self.fields(root) {
                if SKIPPED.contains(&name.as_str()) {
                    continue;
                }
                for arguments in self.arguments(&name, &field.args) {
                    let ways = if matches!(self.kind(&field.named), "SCALAR" | "ENUM") {
                        vec![String::new()]
                    } else {
                        self.ways(&field.named)
                    };
                    let ask = |way| format!("{word} {{ {name}{arguments} {way} }}");
                    all.push(ways.into_iter().map(ask).collect());
                }
            }
        }
        all
    }

    /// The values of required arguments.
    fn arguments(&self, field: &str, args: &[Value]) -> Vec<String> {
        let mut lists = vec![String::new()];
        for arg in args {
            let name = arg["name"].as_str().unwrap();
            let values = self.values(field, name, innermost(&arg["type"]), is_list(&arg["type"]));
            let longer = lists
                .iter()
                .flat_map(|list| values.iter().map(move |value| format!("{list} {name}: {value}")));
            lists = longer.collect();
        }
        lists
            .into_iter()
            .map(|list| if list.is_empty() { list } else { format!("({list})") })
            .collect()
    }

    fn values(&self, field: &str, name: &str, kind: &str, list: bool) -> Vec<String> {
        if list {
            return vec!["[]".into()];
        }
        match kind {
            "ID" => self.ids(field, name).iter().map(|id| format!("\"{id}\"")).collect(),
            "Int" | "Float" => vec!["1".into()],
            "Boolean" => vec!["false".into()],
            "String" => vec!["\"x\"".into()],
            kind if self.kind(kind) == "INPUT_OBJECT" => {
                let inputs = self.types[kind]["inputFields"].as_array().unwrap();
                let needed: Vec<_> = inputs
                    .iter()
                    .filter(|input| input["type"]["kind"] == "NON_NULL")
                    .cloned()
                    .collect();
                let lists = self.arguments(field, &needed);
                lists
                    .into_iter()
                    .map(|list| format!("{{{}}}", list.trim_matches(['(', ')'])))
                    .collect()
            }
            kind if self.kind(kind) == "ENUM" => vec![],
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
    fn ways(&self, name: &str) -> Vec<String> {
        let mut ways = Vec::new();
        let mut seen = HashSet::new();
        let mut next = VecDeque::from([(name.to_owned(), "{".to_owned(), "}".to_owned())]);
        while let Some((name, open, close)) = next.pop_front() {
            let close = format!("}} {close}");
            let mut plain = vec!["__typename".to_owned()];
            let mut further = Vec::new();
            for (field, Named { args, named }) in self.fields(&name) {
                if !args.is_empty() {
                    continue;
                }
                if matches!(self.kind(&named), "SCALAR" | "ENUM") {
                    plain.push(field);
                } else {
                    further.push((named, format!("{open} {field} {{"), close.clone()));
                }
            }
            let possible = self.types[&name]["possibleTypes"].as_array().into_iter().flatten();
            for one in possible.map(|one| one["name"].as_str().unwrap()) {
                further.push((one.to_owned(), format!("{open} ... on {one} {{"), close.clone()));
            }
            ways.push(format!("{open} {} {}", plain.join(" "), &close[2..]));
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

/// Checks an answer to a learner.
struct Watch<'a> {
    reveal: &'a str,
    /// Whether the quiz reveals its answers.
    shown: bool,
    /// The whole answer.
    seen: String,
    queries: usize,
}

impl Watch<'_> {
    /// False when the query was refused.
    async fn ask(&mut self, room: &Exam, query: &str, variables: Value) -> bool {
        let answer = room.server.ask(&room.learner, query, variables).await;
        self.queries += 1;
        let text = answer.to_string();
        let refused = answer["errors"][0]["extensions"]["code"].as_str().unwrap_or_default();
        assert!(refused != "INTERNAL", "{query}: {text}");
        // An invalid query would look like one without secrets.
        assert!(answer.get("data").is_some(), "{query}: {text}");
        for marker in SECRET.iter().chain(OTHERS) {
            assert!(!text.contains(marker), "{marker} by {query}: {text}");
        }
        if !self.shown {
            for marker in REVEALED {
                assert!(!text.contains(marker), "{marker} by {query}, {}: {text}", self.reveal);
            }
        }
        self.look_into(query, &answer);
        self.seen.push_str(&text);
        // A page that is locked refuses its contents only; other fields below it are still to be asked for.
        refused.is_empty() || refused == "LOCKED"
    }

    fn look_into(&self, query: &str, value: &Value) {
        match value {
            Value::Array(list) => list.iter().for_each(|value| self.look_into(query, value)),
            Value::Object(map) => {
                // Only results tell whether an answer is correct, and not when the quiz never reveals it.
                if let Some(correct) = map.get("correct") {
                    assert_eq!(map["__typename"], "QuestionResult", "{query}: {value}");
                    assert_eq!(correct.is_null(), self.reveal == "never", "{query}: {value}");
                    assert_eq!(map["points"].is_null(), self.reveal == "never", "{query}: {value}");
                    assert_eq!(map["explanation"].is_null(), !self.shown, "{query}: {value}");
                }
                for key in ["authorQuiz", "correctAnswer"] {
                    let found = map.get(key).is_some_and(|found| !found.is_null());
                    assert!(!found || (key == "correctAnswer" && self.shown), "{query}: {value}");
                }
                map.values().for_each(|value| self.look_into(query, value));
            }
            _ => {}
        }
    }
}
