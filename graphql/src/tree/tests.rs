//! Whatever is asked, the written answer is byte by byte that of the general executor.

mod visits;

use std::collections::HashMap;

use async_graphql::{Request, Variables};
use kurso_core::access::Viewer;
use kurso_core::courses::page;
use kurso_core::courses::tree::PageKind::{Content, Quiz};
use kurso_core::ids::CourseId;
use kurso_core::learning;
use kurso_core::messages::Lang;
use kurso_core::testing::{Dice, TestKurso};
use kurso_core::{both, courses, quiz, sql};
use serde_json::{Value, json};

use super::whole::{Whole, Wholes};
use crate::context::Asker;

/// The fields of each type that may be selected, with the type of those that are objects.
const FIELDS: &[(&str, &[(&str, &str)])] = &[
    (
        "MarkPageVisitedPayload",
        &[("page", "Page"), ("lesson", "Lesson"), ("course", "Course")],
    ),
    (
        "Course",
        &[
            ("id", ""),
            ("title", ""),
            ("description", ""),
            ("myRole", ""),
            ("shareCode", ""),
            ("createdAt", ""),
            ("updatedAt", ""),
            ("owner", "CourseOwner"),
            ("progress", "Progress"),
            ("enrollment", "Enrollment"),
            ("modules", "Module"),
            ("modules", "Module"),
        ],
    ),
    ("CourseOwner", &[("id", ""), ("fullName", ""), ("email", "")]),
    (
        "Progress",
        &[
            ("courseId", ""),
            ("percent", ""),
            ("pagesDone", ""),
            ("pagesTotal", ""),
            ("lessonsDone", ""),
            ("lessonsTotal", ""),
            ("completedAt", ""),
        ],
    ),
    (
        "Enrollment",
        &[
            ("id", ""),
            ("enrolledAt", ""),
            ("lastActivityAt", ""),
            ("completedAt", ""),
            ("nextPage", "Page"),
        ],
    ),
    (
        "Module",
        &[
            ("id", ""),
            ("title", ""),
            ("description", ""),
            ("position", ""),
            ("avatarUrl", ""),
            ("lessons", "Lesson"),
            ("lessons", "Lesson"),
        ],
    ),
    (
        "Lesson",
        &[
            ("id", ""),
            ("title", ""),
            ("position", ""),
            ("isCompleted", ""),
            ("pagesDone", ""),
            ("pagesTotal", ""),
            ("pages", "Page"),
            ("pages", "Page"),
        ],
    ),
    (
        "Page",
        &[
            ("id", ""),
            ("title", ""),
            ("number", ""),
            ("kind", ""),
            ("position", ""),
            ("published", ""),
            ("isVisited", ""),
            ("isCompleted", ""),
            ("bestPercent", ""),
            ("attemptsLeft", ""),
            ("reason", "Reason"),
        ],
    ),
    ("Reason", &[("kind", ""), ("bestPercent", ""), ("attemptsLeft", "")]),
];

/// An operation made up at random.
#[derive(Default)]
struct Operation {
    fragments: Vec<String>,
}

impl Operation {
    fn text(dice: &mut Dice) -> String {
        let mut operation = Operation::default();
        let mut course = operation.selection(dice, "Course", 0);
        while !course.contains("modules") {
            operation = Operation::default();
            course = operation.selection(dice, "Course", 0);
        }
        let (alias, name) = (["", "the_course: "][dice.roll(2)], ["", "Tree"][dice.roll(2)]);
        let inner = format!("{alias}course(id: $id) {{ {course} }}");
        let inner = if dice.roll(4) == 0 {
            format!("... on Query {{ {inner} }}")
        } else {
            inner
        };
        format!("query {name}($id: ID!) {{ {inner} }} {}", operation.fragments.join(" "))
    }

    /// Any of the three ways to say which page.
    fn visit_text(dice: &mut Dice) -> String {
        let mut operation = Operation::default();
        let payload = operation.selection(dice, "MarkPageVisitedPayload", 0);
        let (definition, argument) = [
            ("$input: MarkPageVisitedInput!", "$input"),
            ("$page: ID!", "{pageId: $page}"),
        ][dice.roll(2)];
        let (alias, name) = (["", "read: "][dice.roll(2)], ["", "Visit"][dice.roll(2)]);
        let fragments = operation.fragments.join(" ");
        format!(
            "mutation {name}({definition}) {{ {alias}markPageVisited(input: {argument}) {{ {payload} }} }} {fragments}"
        )
    }

    fn selection(&mut self, dice: &mut Dice, of: &str, depth: usize) -> String {
        let fields = FIELDS.iter().find(|(name, _)| *name == of).unwrap().1;
        let mut text = String::new();
        for _ in 0..1 + dice.roll(5) {
            match dice.roll(12) {
                0 => text.push_str(" __typename "),
                1 if depth < 6 => {
                    let inner = self.selection(dice, of, depth + 1);
                    text.push_str(&format!(" ... on {of} {{ {inner} }} "));
                }
                2 if depth < 6 => {
                    let inner = self.selection(dice, of, depth + 1);
                    text.push_str(&format!(" ... {{ {inner} }} "));
                }
                3 if depth < 6 => {
                    let inner = self.selection(dice, of, depth + 1);
                    let name = format!("F{}", self.fragments.len());
                    self.fragments.push(format!("fragment {name} on {of} {{ {inner} }}"));
                    text.push_str(&format!(" ...{name} "));
                }
                _ => {
                    let (field, object) = fields[dice.roll(fields.len())];
                    // An alias that is always the same for a field is never in conflict.
                    let alias = if dice.roll(5) == 0 {
                        format!("a_{field}: ")
                    } else {
                        String::new()
                    };
                    let below = match object {
                        "" => String::new(),
                        _ if depth >= 7 => "{ __typename }".to_owned(),
                        of => format!("{{ {} }}", self.selection(dice, of, depth + 1)),
                    };
                    text.push_str(&format!(" {alias}{field} {below} "));
                }
            }
        }
        text
    }
}

fn request(kurso: &TestKurso, query: &str, course: CourseId, viewer: &Viewer) -> Request {
    Request::new(query)
        .variables(Variables::from_json(json!({"id": course})))
        .data(kurso.kurso.clone())
        .data(Lang::Ru)
        .data(Asker(Some(viewer.clone())))
}

/// A course with everything that the fields tell apart, and three people who see it in different ways, with their tokens.
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
    page::update(kurso, &owner, pages[2], None, &json!({"published": false}))
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
    let stored = quiz::for_author(&kurso.db, &[pages[1]])
        .await
        .unwrap()
        .remove(&pages[1])
        .unwrap();
    let stored: Value = serde_json::from_str(&stored).unwrap();
    let wrong = json!({"answers": [{"question_id": stored["questions"][0]["id"], "text": "нет"}]});
    quiz::submit(kurso, &people[0], pages[1], &wrong).await.unwrap();
    people.insert(0, owner);
    let mut seen = Vec::new();
    for person in people {
        let token = kurso.token(&person.user.email).await;
        seen.push((person, token));
    }
    (course, seen)
}

both! {
    async fn what_is_written_is_what_the_executor_answers(kurso: TestKurso) {
        let (course, people) = class(&kurso).await;
        let schema = crate::builder().limit_complexity(usize::MAX).limit_depth(usize::MAX).finish();
        let wholes = Wholes::default();
        let mut dice = Dice::new(20_261_121);
        let mut fields: HashMap<&str, usize> = HashMap::new();
        for round in 0..80 {
            let query = Operation::text(&mut dice);
            for (person, token) in &people {
                let mut asked = request(&kurso, &query, course, person);
                let mut planned = Whole::of(asked.parsed_query().unwrap());
                assert!(planned.is_some(), "{query}");
                let general = schema.execute(asked).await;
                assert!(general.is_ok(), "{query}: {:?}", general.errors);
                if round % 10 == 0 || wholes.answer(&kurso, &request(&kurso, &query, course, person), Some(token)).await.is_none() {
                    wholes.keep(query.clone(), planned.take().unwrap());
                }
                let general = serde_json::to_string(&general).unwrap();
                for _ in 0..2 {
                    let asked = request(&kurso, &query, course, person);
                    let written = wholes.answer(&kurso, &asked, Some(token)).await.unwrap();
                    assert_eq!(written, general, "{query}");
                }
            }
            for (_, known) in FIELDS.iter().filter(|(of, _)| *of != "MarkPageVisitedPayload") {
                for (field, _) in *known {
                    *fields.entry(field).or_default() += usize::from(query.contains(field));
                }
            }
        }
        assert!(fields.values().all(|times| *times > 3), "{fields:?}");
    }

    async fn what_is_not_a_plain_success_is_left_to_the_executor(kurso: TestKurso) {
        let (course, people) = class(&kurso).await;
        let (learner, token) = &people[1];
        let wholes = Wholes::default();
        let query = "query Tree($id: ID!) { course(id: $id) { title modules { id } } }";
        let ask = async |asked: Request, token: Option<&str>| wholes.answer(&kurso, &asked, token).await;
        let plain = || request(&kurso, query, course, learner);
        assert!(ask(plain(), Some(token)).await.is_none(), "not known yet");
        wholes.keep(query.into(), Whole::of(plain().parsed_query().unwrap()).unwrap());
        assert!(ask(plain(), Some(token)).await.is_some());
        assert!(ask(plain(), None).await.is_none());
        assert!(ask(plain(), Some("no token")).await.is_none());
        assert!(ask(plain().operation_name("Tree"), Some(token)).await.is_some());
        assert!(ask(plain().operation_name("Other"), Some(token)).await.is_none());
        for variables in [json!({}), json!({"id": 5}), json!({"id": "x"}), json!({"id": null}), json!({"id": CourseId::new()})] {
            let asked = plain().variables(Variables::from_json(variables));
            assert!(ask(asked, Some(token)).await.is_none());
        }
        let stranger = kurso.person("stranger").await;
        let strange = kurso.token(&stranger.user.email).await;
        assert!(ask(plain(), Some(&strange)).await.is_none());
        // A session is written down as used now and then, by the general way.
        kurso.clock.advance(chrono::Duration::minutes(6));
        assert!(ask(plain(), Some(token)).await.is_none());
        kurso_core::auth::authenticate(&kurso, token).await.unwrap();
        assert!(ask(plain(), Some(token)).await.is_some());
        let viewer = kurso_core::auth::authenticate(&kurso, token).await.unwrap();
        kurso_core::auth::logout(&kurso, &viewer).await.unwrap();
        assert!(ask(plain(), Some(token)).await.is_none());
    }

    async fn a_change_is_seen_by_the_next_request(kurso: TestKurso) {
        let (course, people) = class(&kurso).await;
        let ((owner, _), (learner, token)) = (&people[0], &people[1]);
        let wholes = Wholes::default();
        let query = "query ($id: ID!) { course(id: $id) { title myRole modules { title lessons { pages { id title isVisited } } } } }";
        wholes.keep(query.into(), Whole::of(request(&kurso, query, course, learner).parsed_query().unwrap()).unwrap());
        let ask = async || {
            let asked = request(&kurso, query, course, learner);
            let json = wholes.answer(&kurso, &asked, Some(token)).await.unwrap();
            serde_json::from_str::<Value>(&json).unwrap()["data"]["course"].take()
        };
        let before = ask().await;
        let page: kurso_core::ids::PageId =
            before["modules"][2]["lessons"][1]["pages"][0]["id"].as_str().unwrap().parse().unwrap();
        page::update(&kurso, owner, page, None, &json!({"title": "Новое"})).await.unwrap();
        courses::course::update(&kurso, owner, course, &json!({"title": "Курс"})).await.unwrap();
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
fn what_a_plan_does_not_know_goes_the_general_way() {
    for query in [
        "{ course(id: \"x\") { id } }",
        "query ($id: ID!) { course(id: $id) { id modulesCount } }",
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
        assert!(Whole::of(&document).is_none(), "{query}");
    }
}
