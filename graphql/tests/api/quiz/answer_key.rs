//! No query of a learner reveals the answers of a quiz early, or data of other users:
//! the test generates queries for all fields of the schema, on all paths to them.

use kurso_base::ids::{BankId, BankQuestionId, EnrollmentId, LessonId, PageId};
use kurso_core::access::{Right, Viewer};
use kurso_core::attempts;
use kurso_core::banks;
use kurso_core::courses::tree::PageKind::Content;
use kurso_core::courses::{lesson, page};
use kurso_core::discussions;
use kurso_core::gradebook;
use kurso_core::learning::view::CourseView;
use kurso_core::testing::exam::{ESSAY, REVEALED, SECRET, answers, exam};
use kurso_core::testing::{Backend, TestKurso, command, submission};
use kurso_formats::quiz;
use serde_json::{Value, json};

use super::{Exam, join};
use crate::schema_walk::{Arguments, Ids, Operation};

/// Secrets: values of another learner and of the owner, of unpublished pages, of old versions, and
/// of the contents of locked pages: their texts, questions and files.
const OTHERS: &[&str] = &[
    "nosy-neighbour",
    "owner@example.com",
    "neighbourly guess",
    "neighbourly excuse",
    "draft-731973",
    "changes-731973",
    "withdrawn-731973",
    "locked-731973",
    "banked-731973",
    "question-731973",
];

#[tokio::test]
async fn no_query_reveals_answers_or_data_of_others() {
    let kurso = TestKurso::new(Backend::Sqlite).await;
    let room = Exam::open(kurso, &exam("never")).await;
    let neighbour = take_as_neighbour(&room).await;
    let schema = room.schema(ids(&room, neighbour).await).await;
    let mut passed = false;
    // No attempt, failed attempts only, a passed attempt: for each setting.
    for taken in [None, Some(false), Some(true)] {
        let reveals = ["never", "after_pass", "after_submit"];
        for (round, reveal) in reveals
            .into_iter()
            .skip(if taken.is_none() { 2 } else { 0 })
            .enumerate()
        {
            room.kurso.set_quiz(room.pages[1], &exam(reveal)).await;
            let mut watch = Watch {
                reveal,
                shown: false,
                seen: String::new(),
                ways: 0,
            };
            passed |= taken == Some(true);
            watch.shown = taken.is_some() && (reveal == "after_submit" || (reveal == "after_pass" && passed));
            for selection in schema.ways(schema.named("Mutation", "submitQuiz"), Arguments::Required) {
                // Fields of the attempt are queried on an accepted one, the others on a refused one.
                let mut input = room.input(taken == Some(true)).await;
                let selection = selection.to_string();
                if taken.is_none() || !selection.starts_with("{ attempt") {
                    input["version"] = json!(1);
                }
                let query = format!("mutation($input: SubmitQuizInput!) {{ submitQuiz(input: $input) {selection} }}");
                watch.ask(&room, &query, json!({"input": input})).await;
            }
            // Mutations return the objects of queries: once for no attempt, a failed one and a passed one, because they take most of the time.
            let operations = schema.operations(Arguments::Required).into_iter();
            for operation in operations.filter(|operation| round == 0 || operation.is_query()) {
                watch.walk(&room, &operation).await;
            }
            assert!(watch.ways > 1000, "the walk has come nowhere: {}", watch.ways);
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
async fn ids(room: &Exam, neighbour: EnrollmentId) -> Ids {
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
    let changes = json!({"draft": true, "title": "changes-731973", "content": quiz::paragraph("changes-731973")});
    page::update(kurso, &room.owner, room.pages[1], None, command(&changes))
        .await
        .unwrap();
    let locked = write_locked_pages(kurso, &room.owner, lesson).await;
    let pages = room.pages.iter().chain([&draft]).chain(&locked);
    let (discussions, posts) = ask(room, &[&[room.pages[0], draft][..], &locked].concat()).await;
    let (bank, question) = write_bank(kurso, &room.owner).await;
    let by_id = format!("{{ bankQuestions(ids: [\"{question}\"]) {{ id question }} }}");
    let found = room.server.data(&room.learner, &by_id, json!({})).await;
    assert_eq!(found, json!([]));
    vec![
        ("bank", vec![bank.to_string()]),
        ("question", vec![question.to_string()]),
        ("course", vec![room.course.to_string()]),
        ("module", vec![module.to_string()]),
        ("lesson", vec![lesson.to_string()]),
        ("page", pages.map(ToString::to_string).collect()),
        ("enrollment", vec![room.enrollment.to_string(), neighbour.to_string()]),
        ("student", vec![room.enrollment.to_string(), neighbour.to_string()]),
        ("user", vec![room.owner.id().to_string()]),
        ("discussion", discussions),
        ("post", posts),
    ]
}

/// Questions that the learner may not read: to the teachers alone and hidden ones, and any under the pages that the learner may not read. The
/// first page is one that the learner reads. Returns their IDs and those of their posts.
async fn ask(room: &Exam, pages: &[PageId]) -> (Vec<String>, Vec<String>) {
    let kurso = &room.kurso;
    let (mut asked, mut posts) = (vec![], vec![]);
    for (index, page) in pages.iter().enumerate() {
        for to_teachers in [true, false] {
            let new = json!({"body": quiz::paragraph("question-731973"), "to_teachers": to_teachers});
            let new = discussions::start(kurso, &room.owner, *page, command(new))
                .await
                .unwrap();
            if index == 0 && !to_teachers {
                let hide = command(json!({"action": "hide", "reason": "question-731973"}));
                discussions::moderate(kurso, &room.owner, new.question.id, hide)
                    .await
                    .unwrap();
            }
            asked.push(new.id.to_string());
            posts.push(new.question.id.to_string());
        }
    }
    (asked, posts)
}

/// A bank of the owner with a question.
async fn write_bank(kurso: &TestKurso, owner: &Viewer) -> (BankId, BankQuestionId) {
    let bank = banks::create(kurso, owner, command(json!({"title": "banked-731973"})))
        .await
        .unwrap();
    let question = json!({"type": "short_text", "prompt": "banked-731973", "accepted": ["banked-731973"]});
    let new = json!({"questions": [{"question": question, "tags": ["banked-731973"]}]});
    let (added, _) = banks::add_questions(kurso, owner, bank.id, command(new)).await.unwrap();
    (bank.id, added[0].id)
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

/// Checks an answer to a learner.
struct Watch<'a> {
    reveal: &'a str,
    /// Whether the quiz reveals its answers.
    shown: bool,
    /// The whole answer.
    seen: String,
    /// The number of selections that were answered.
    ways: usize,
}

/// The number of selections in one query. The test would take minutes with a query for each selection.
const AT_ONCE: usize = 24;

impl Watch<'_> {
    /// Asks for all selections below a field.
    async fn walk(&mut self, room: &Exam, operation: &Operation) {
        for (merged, ways) in operation.merged(AT_ONCE) {
            let answer = room.server.ask(&room.learner, &merged, json!({})).await;
            if answer.get("errors").is_none() {
                self.check(&merged, &answer);
                self.ways += ways.len();
                continue;
            }
            // An error may hide the fields beside it, and a query may be too complex. Each is then asked for alone.
            for query in ways {
                // A refusal does not depend on the selection.
                if !self.ask(room, &query, json!({})).await {
                    return;
                }
            }
        }
    }

    /// False when the query was refused.
    async fn ask(&mut self, room: &Exam, query: &str, variables: Value) -> bool {
        let answer = room.server.ask(&room.learner, query, variables).await;
        self.ways += 1;
        self.check(query, &answer)
    }

    /// False when the query was refused.
    fn check(&mut self, query: &str, answer: &Value) -> bool {
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
        self.look_into(query, answer);
        self.seen.push_str(&text);
        // A page that is locked refuses its contents only; other fields below it are still to be asked for.
        let path = answer["errors"][0]["path"].as_array().map_or(0, Vec::len);
        refused.is_empty() || (refused == "LOCKED" && path > 1)
    }

    fn look_into(&self, query: &str, value: &Value) {
        match value {
            Value::Array(list) => list.iter().for_each(|value| self.look_into(query, value)),
            Value::Object(map) => {
                // Only results tell whether an answer is correct, and not when the quiz never reveals it.
                if let Some(correct) = map.get("correct") {
                    assert_eq!(map["__typename"], "QuestionResult", "{query}: {value}");
                    // The essay waits for a grader.
                    let waits = map["questionId"] == json!(ESSAY);
                    assert_eq!(correct.is_null(), waits || self.reveal == "never", "{query}: {value}");
                    assert_eq!(
                        map["points"].is_null(),
                        waits || self.reveal == "never",
                        "{query}: {value}"
                    );
                    assert_eq!(map["explanation"].is_null(), !self.shown, "{query}: {value}");
                    // The walk asks for it below the results; the first question is a choice.
                    let feedback = map.get("optionFeedback").and_then(Value::as_array);
                    assert!(
                        feedback.is_none_or(|feedback| self.shown || feedback.is_empty()),
                        "{query}: {value}"
                    );
                }
                for key in ["authorQuiz", "correctAnswer"] {
                    let found = map.get(key).is_some_and(|found| !found.is_null());
                    assert!(!found || (key == "correctAnswer" && self.shown), "{query}: {value}");
                }
                for key in ["zones", "rightPlaces"] {
                    let found = map.get(key).and_then(Value::as_array);
                    assert!(
                        found.is_none_or(|found| self.shown || found.is_empty()),
                        "{query}: {value}"
                    );
                }
                map.values().for_each(|value| self.look_into(query, value));
            }
            _ => {}
        }
    }
}
