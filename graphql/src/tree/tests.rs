//! The fast path gives the same bytes as the executor, and takes all fields and operations that it should.

mod dated;
mod operation;
mod visits;

use std::collections::{BTreeMap, HashMap};

use async_graphql::parser::parse_schema;
use async_graphql::parser::types::{BaseType, TypeKind, TypeSystemDefinition};
use async_graphql::{Request, Variables};
use kurso_base::ids::CourseId;
use kurso_base::messages::Lang;
use kurso_core::access::Viewer;
use kurso_core::attempts;
use kurso_core::courses::page;
use kurso_core::courses::tree::PageKind::{Content, Quiz};
use kurso_core::learning;
use kurso_core::testing::{Dice, TestKurso, command, submission};
use kurso_core::{both, courses};
use kurso_db::sql;
use serde_json::{Value, json};

use self::operation::Operation;
use super::compiled::{CompiledOperation, CompiledOperations};
use crate::context::Caller;

/// The types that the fast path writes.
const TYPES: &[&str] = &[
    "MarkPageVisitedPayload",
    "Course",
    "CourseOwner",
    "Progress",
    "Enrollment",
    "Module",
    "Lesson",
    "Page",
    "Reason",
    "Timeline",
];

/// Fields of these types that it does not write, and why.
const EXCLUDED: &[(&str, &[&str])] = &[
    (
        "they need statements of their own, or arguments",
        &[
            "Course.students",
            "Course.collaborators",
            "Course.groups",
            "Course.exportUrl",
            "Course.unpublishedChanges",
            "Course.trash",
            "Course.snapshots",
            "Course.regrades",
            "Course.announcements",
            "Course.commentThreads",
            "Course.commenters",
            "Course.discussions",
            "Course.discussionSettings",
            "Course.publicPage",
            "Page.content",
            "Page.body",
            "Page.quiz",
            "Page.authorQuiz",
            "Page.attempts",
            "Page.runningAttempt",
            "Page.draft",
            "Page.pageDraft",
            "Page.changeSinceRead",
            "Page.commentThreads",
            "Page.openThreadCount",
            "Page.discussions",
            "Page.blockQuestions",
            "Page.discussionRules",
            "Page.notes",
            "Page.isBookmarked",
            "Page.tickedTasks",
            "Page.tickedVersion",
            "Page.versions",
            "Page.versionText",
            "Page.updatedAt",
            "Page.version",
        ],
    ),
    (
        "only the reading screen asks for it, together with the content of its page",
        &["Enrollment.readingPlace"],
    ),
    (
        "they lead back up or sideways in the tree; the root page may have its lesson and course",
        &[
            "Enrollment.course",
            "Progress.lessons",
            "Module.course",
            "Lesson.module",
            "Lesson.unfinished",
            "Page.lesson",
            "Page.course",
            "Page.previousPage",
            "Page.nextPage",
        ],
    ),
];

/// A field's name, and its type when that is an object.
type Fields = Vec<(String, Option<String>)>;

/// All fields of [`TYPES`] in the schema.
fn schema_fields() -> BTreeMap<&'static str, Fields> {
    let mut found = BTreeMap::new();
    for definition in parse_schema(crate::sdl()).unwrap().definitions {
        let TypeSystemDefinition::Type(definition) = definition else {
            continue;
        };
        let name = definition.node.name.node;
        let (Some(name), TypeKind::Object(object)) = (TYPES.iter().find(|ty| **ty == name), definition.node.kind)
        else {
            continue;
        };
        let fields = object.fields.into_iter().map(|field| {
            let mut ty = field.node.ty.node.base;
            while let BaseType::List(items) = ty {
                ty = items.base;
            }
            let ty = ty.to_string();
            (
                field.node.name.node.to_string(),
                TYPES.contains(&ty.as_str()).then_some(ty),
            )
        });
        found.insert(*name, fields.collect());
    }
    found
}

fn is_excluded(ty: &str, field: &str) -> bool {
    let name = format!("{ty}.{field}");
    EXCLUDED.iter().any(|(_, fields)| fields.contains(&name.as_str()))
}

/// The fields that the fast path writes.
fn planned_fields() -> BTreeMap<&'static str, Fields> {
    let mut fields = schema_fields();
    for (ty, fields) in &mut fields {
        fields.retain(|(field, _)| !is_excluded(ty, field));
    }
    fields
}

#[test]
fn every_field_of_the_tree_is_planned_or_excluded_with_a_reason() {
    let path = |ty: &str, inner: &str| match ty {
        "MarkPageVisitedPayload" => inner.to_owned(),
        "Course" => format!("course {{ {inner} }}"),
        "CourseOwner" => format!("course {{ owner {{ {inner} }} }}"),
        "Progress" => format!("course {{ progress {{ {inner} }} }}"),
        "Enrollment" => format!("course {{ enrollment {{ {inner} }} }}"),
        "Module" => format!("course {{ modules {{ {inner} }} }}"),
        "Lesson" => format!("lesson {{ {inner} }}"),
        "Page" => format!("page {{ {inner} }}"),
        "Reason" => format!("page {{ reason {{ {inner} }} }}"),
        "Timeline" => format!("page {{ timeline {{ {inner} }} }}"),
        _ => panic!("where is {ty}?"),
    };
    let fields = schema_fields();
    assert_eq!(fields.len(), TYPES.len());
    for (ty, fields) in &fields {
        for (field, object) in fields {
            let selection = object.as_ref().map_or("", |_| "{ __typename }");
            let selected = path(ty, &format!("{field} {selection}"));
            let query = format!("mutation ($p: ID!) {{ markPageVisited(input: {{pageId: $p}}) {{ {selected} }} }}");
            let document = async_graphql::parser::parse_query(&query).unwrap();
            let is_planned = CompiledOperation::of(&document).is_some();
            assert_eq!(
                is_planned,
                !is_excluded(ty, field),
                "{ty}.{field}: plan it in scalars.rs or plan.rs, or add it to EXCLUDED"
            );
        }
    }
    let exists = |name: &&str| {
        let (ty, field) = name.split_once('.').unwrap();
        fields[ty].iter().any(|(found, _)| found == field)
    };
    assert!(EXCLUDED.iter().all(|(_, names)| names.iter().all(exists)));
}

fn request(kurso: &TestKurso, query: &str, course: CourseId, viewer: &Viewer) -> Request {
    Request::new(query)
        .variables(Variables::from_json(json!({"id": course})))
        .data(kurso.kurso.clone())
        .data(Lang::Ru)
        .data(Caller(Some(viewer.clone())))
}

/// The same bytes. The executor writes counts, which wait for a statement, after the other fields of their object: then the
/// same values.
fn assert_same(query: &str, written: &str, general: &str) {
    if query.contains("Count") {
        let parse = |json| serde_json::from_str::<Value>(json).unwrap();
        assert_eq!(parse(written), parse(general), "{query}");
    } else {
        assert_eq!(written, general, "{query}");
    }
}

/// A course that gives each field several values, its owner and two learners with different progress, and their tokens.
async fn class(kurso: &TestKurso) -> (CourseId, Vec<(Viewer, String)>) {
    let owner = kurso.person("owner").await;
    let shape: &[&[&[_]]] = &[&[&[Content, Quiz, Content], &[]], &[], &[&[Quiz], &[Content, Content]]];
    let course = kurso.course(&owner, shape).await;
    let odd = "«Кавычки» \"\\ \u{7}\u{8}\n\r\t\u{c}\u{2028}😀";
    for text in [
        "UPDATE modules SET title = $1, description = $1 WHERE position = 0",
        "UPDATE lessons SET title = $1 WHERE position = 0",
        "UPDATE courses SET title = $1, description = $1",
    ] {
        sql!(text, odd).execute(&kurso.db).await.unwrap();
    }
    sql!("UPDATE pages SET title = NULL WHERE position = 1")
        .execute(&kurso.db)
        .await
        .unwrap();
    let shared = courses::generate_share_code(kurso, &owner, course).await.unwrap();
    let code = shared.share_code.unwrap();
    let view = learning::view::CourseView::load(kurso, &owner, course, kurso_core::access::Right::Edit)
        .await
        .unwrap();
    let pages: Vec<_> = view.tree.pages.iter().map(|page| page.id).collect();
    let limited = json!({"pass_percent": 100, "max_attempts": 3, "questions": [{"type": "short_text", "prompt": "?", "accepted": ["да"]}]});
    kurso.set_quiz(pages[1], &limited).await;
    page::update(kurso, &owner, pages[2], None, command(json!({"published": false})))
        .await
        .unwrap();
    let mut people = Vec::new();
    for name in ["anna", "boris"] {
        let learner = kurso.person(name).await;
        learning::enroll(kurso, &learner, &Default::default(), &code)
            .await
            .unwrap();
        people.push(learner);
    }
    learning::mark_page_visited(kurso, &people[0], pages[0]).await.unwrap();
    learning::mark_page_visited(kurso, &people[0], pages[1]).await.unwrap();
    let stored = attempts::for_author(&kurso.db, &[pages[1]])
        .await
        .unwrap()
        .remove(&pages[1])
        .unwrap();
    let stored: Value = serde_json::from_str(&stored).unwrap();
    let wrong = json!({"answers": [{"question_id": stored["questions"][0]["id"], "text": "нет"}]});
    attempts::submit(kurso, &people[0], pages[1], submission(&wrong))
        .await
        .unwrap();
    dated::date(kurso, pages[1], pages[3]).await;
    dated::override_dates(kurso, &owner, course, &people[1], [pages[1], pages[3]]).await;
    people.insert(0, owner);
    let mut people_and_tokens = Vec::new();
    for person in people {
        let token = kurso.token(&person.user.email).await;
        people_and_tokens.push((person, token));
    }
    (course, people_and_tokens)
}

both! {
    async fn the_fast_path_answers_as_the_executor(kurso: TestKurso) {
        let (course, people) = class(&kurso).await;
        let schema = crate::builder().limit_complexity(usize::MAX).limit_depth(usize::MAX).finish();
        let compiled = CompiledOperations::default();
        let mut dice = Dice::new(20_261_123);
        let planned = planned_fields();
        let mut fields: HashMap<&str, usize> = HashMap::new();
        for round in 0..80 {
            let query = Operation::text(&mut dice);
            if round == 50 {
                let hide = "UPDATE courses SET hide_locked_titles = TRUE, structure_version = structure_version + 1";
                sql!(hide).execute(&kurso.db).await.unwrap();
            }
            if round == 65 {
                let sequential = "UPDATE courses SET sequential = TRUE, structure_version = structure_version + 1";
                sql!(sequential).execute(&kurso.db).await.unwrap();
            }
            if [50, 65].contains(&round) {
                // The executor writes what waits for a statement last: the tree must be cached.
                let right = kurso_core::access::Right::Read;
                learning::view::CourseView::load(&kurso, &people[0].0, course, right).await.unwrap();
            }
            for (person, token) in &people {
                let mut sent = request(&kurso, &query, course, person);
                let mut planned = CompiledOperation::of(sent.parsed_query().unwrap());
                assert!(planned.is_some(), "{query}");
                let general = crate::batching::execute(&schema, sent).await;
                assert!(general.is_ok(), "{query}: {:?}", general.errors);
                if round % 10 == 0 || compiled.answer(&kurso, &request(&kurso, &query, course, person), Some(token)).await.is_none() {
                    compiled.insert(query.clone(), planned.take().unwrap());
                }
                let general = serde_json::to_string(&general).unwrap();
                for _ in 0..2 {
                    let sent = request(&kurso, &query, course, person);
                    let written = compiled.answer(&kurso, &sent, Some(token)).await.unwrap();
                    assert_same(&query, &written, &general);
                }
            }
            for (_, of_type) in planned.iter().filter(|(ty, _)| **ty != "MarkPageVisitedPayload") {
                for (field, _) in of_type {
                    *fields.entry(field).or_default() += usize::from(query.contains(field.as_str()));
                }
            }
        }
        assert!(fields.values().all(|times| *times > 3), "{fields:?}");
    }

    async fn failures_are_left_to_the_executor(kurso: TestKurso) {
        let (course, people) = class(&kurso).await;
        let (learner, token) = &people[1];
        let compiled = CompiledOperations::default();
        let query = "query Tree($id: ID!) { course(id: $id) { title modules { id } } }";
        let ask = async |sent: Request, token: Option<&str>| compiled.answer(&kurso, &sent, token).await;
        let plain = || request(&kurso, query, course, learner);
        assert!(ask(plain(), Some(token)).await.is_none(), "not known yet");
        compiled.insert(query.into(), CompiledOperation::of(plain().parsed_query().unwrap()).unwrap());
        assert!(ask(plain(), Some(token)).await.is_some());
        assert!(ask(plain(), None).await.is_none());
        assert!(ask(plain(), Some("no token")).await.is_none());
        assert!(ask(plain().operation_name("Tree"), Some(token)).await.is_some());
        assert!(ask(plain().operation_name("Other"), Some(token)).await.is_none());
        for variables in [json!({}), json!({"id": 5}), json!({"id": "x"}), json!({"id": null}), json!({"id": CourseId::new()})] {
            let sent = plain().variables(Variables::from_json(variables));
            assert!(ask(sent, Some(token)).await.is_none());
        }
        let stranger = kurso.person("stranger").await;
        let strange = kurso.token(&stranger.user.email).await;
        assert!(ask(plain(), Some(&strange)).await.is_none());
        // The general path updates the last use of a session from time to time.
        kurso.clock.advance(chrono::Duration::minutes(6));
        assert!(ask(plain(), Some(token)).await.is_none());
        kurso_core::auth::authenticate(&kurso, token).await.unwrap();
        assert!(ask(plain(), Some(token)).await.is_some());
        let viewer = kurso_core::auth::authenticate(&kurso, token).await.unwrap();
        kurso_core::auth::logout(&kurso, &viewer).await.unwrap();
        assert!(ask(plain(), Some(token)).await.is_none());
    }

    async fn the_next_request_sees_a_change(kurso: TestKurso) {
        let (course, people) = class(&kurso).await;
        let ((owner, _), (learner, token)) = (&people[0], &people[1]);
        let compiled = CompiledOperations::default();
        let query = "query ($id: ID!) { course(id: $id) { title myRole modules { title lessons { pages { id title isVisited } } } } }";
        compiled.insert(query.into(), CompiledOperation::of(request(&kurso, query, course, learner).parsed_query().unwrap()).unwrap());
        let ask = async || {
            let sent = request(&kurso, query, course, learner);
            let json = compiled.answer(&kurso, &sent, Some(token)).await.unwrap();
            serde_json::from_str::<Value>(&json).unwrap()["data"]["course"].take()
        };
        let before = ask().await;
        let page: kurso_base::ids::PageId =
            before["modules"][2]["lessons"][1]["pages"][0]["id"].as_str().unwrap().parse().unwrap();
        page::update(&kurso, owner, page, None, command(json!({"title": "Новое"}))).await.unwrap();
        courses::course::update(&kurso, owner, course, command(json!({"title": "Курс"}))).await.unwrap();
        learning::mark_page_visited(&kurso, learner, page).await.unwrap();
        let after = ask().await;
        assert_eq!(after["title"], "Курс");
        assert_eq!(after["modules"][2]["lessons"][1]["pages"][0]["title"], "Новое");
        assert_eq!(after["modules"][2]["lessons"][1]["pages"][0]["isVisited"], true);
        page::delete(&kurso, owner, page).await.unwrap();
        assert_eq!(ask().await["modules"][2]["lessons"][1]["pages"].as_array().unwrap().len(), 1);
    }
}

#[test]
fn other_operations_take_the_general_path() {
    for query in [
        "{ course(id: \"x\") { id } }",
        "query ($id: ID!) { page(id: $id) { id content } }",
        "query ($id: ID!) { page(id: $id) { id lesson { module { id } } } }",
        "query ($id: ID!) { course(id: $id) { modules { lessons { pages { content } } } } }",
        "query ($id: ID!) { course(id: $id) { modules { lessons { pages { lesson { id } } } } } }",
        "query ($id: ID!) { course(id: $id) { id } me { id } }",
        "query ($id: ID!) { course(id: $id) @skip(if: true) { id } }",
        "query ($id: ID!) { course(id: $id) { id title @include(if: false) } }",
        "query ($id: ID!) { course(id: $id) { id ... @include(if: false) { title } } }",
        "query ($id: ID! = \"x\") { course(id: $id) { id } }",
        "query ($id: ID!, $b: Int) { course(id: $id) { id } }",
        "query A($id: ID!) { course(id: $id) { id } } query B($id: ID!) { course(id: $id) { id } }",
        "mutation ($id: ID!) { course(id: $id) { id } }",
        "query ($id: ID!) { markPageVisited(input: {pageId: $id}) { page { id } } }",
        "mutation ($id: ID!) { markPageVisited(input: {pageId: $id}) { page { content } } }",
        "mutation ($id: ID!, $b: Int) { markPageVisited(input: {pageId: $id}) { page { id } } }",
        "mutation ($input: MarkPageVisitedInput) { markPageVisited(input: $input) { page { id } } }",
        "mutation ($id: ID!) { markPageVisited(input: {pageId: $id}) { page { id } } logout { id } }",
        "query ($id: ID!) { course(id: $id) { students(first: 1) { nodes { id } } } }",
    ] {
        let document = async_graphql::parser::parse_query(query).unwrap();
        assert!(CompiledOperation::of(&document).is_none(), "{query}");
    }
}
