//! No response to a learner contains the answers of a quiz before the quiz reveals them, or data of other people. The test calls
//! every operation of the OpenAPI document, so it covers later ones too.

use kurso_base::ids::{
    BankId, BankQuestionId, CommentId, DiscussionId, EnrollmentId, LessonId, ModuleId, NoteId, PostId, ThreadId,
};
use kurso_core::access::Viewer;
use kurso_core::announcements;
use kurso_core::attempts;
use kurso_core::auth::Origin;
use kurso_core::banks;
use kurso_core::comments;
use kurso_core::courses::{lesson, page};
use kurso_core::discussions;
use kurso_core::gradebook;
use kurso_core::learning;
use kurso_core::notes;
use kurso_core::snapshots;
use kurso_core::testing::exam::{REVEALED, SECRET, answers, exam};
use kurso_core::testing::{Backend, TestKurso, command, submission};
use kurso_db::sql;
use kurso_formats::quiz;
use serde_json::{Value, json};

use crate::quiz::Exam;
use crate::support::{School, Server};
use crate::walk::{Ids, plain_calls};

/// Markers of another learner and of the owner, of an unpublished page, of unpublished changes, of author comments, of an earlier version of a page, and of the contents of
/// locked pages: their texts, questions and files.
const OTHERS: &[&str] = &[
    "nosy-neighbour",
    "owner@example.com",
    "neighbourly guess",
    "neighbourly excuse",
    "draft-731973",
    "changes-731973",
    "comment-731973",
    "question-731973",
    "note-731973",
    "withdrawn-731973",
    "locked-731973",
    "banked-731973",
];

/// The fields of a question that a learner may see.
const QUESTION: &[&str] = &[
    "id",
    "type",
    "prompt",
    "points",
    "hints",
    "options",
    "units",
    "all_or_nothing",
    "left",
    "right",
    "items",
    "text",
    "blanks",
    "min_words",
    "max_words",
    "rubric",
    "picture",
    "max_places",
];

#[tokio::test]
async fn learners_receive_neither_hidden_answers_nor_data_of_others() {
    let server = Server::start(TestKurso::new(Backend::Sqlite).await).await;
    let exam_page = Exam::open(&server, &exam("never")).await;
    let neighbour = submit_as_neighbour(&server, &exam_page).await;
    write_hidden_content(&server, &exam_page).await;
    let locked = write_locked_pages(&server.kurso, &exam_page.school).await;
    let ids = ids(&server, &exam_page, neighbour, locked).await;
    let mut passed = false;
    // No attempt, a failed one, a passed one: with each setting.
    for taken in [None, Some(false), Some(true)] {
        for reveal in ["never", "after_pass", "after_submit"] {
            server.kurso.set_quiz(exam_page.page, &exam(reveal)).await;
            let mut watch = Watch {
                reveal,
                shown: false,
                seen: String::new(),
            };
            if let Some(right) = taken {
                passed |= right;
                watch.shown = reveal == "after_submit" || (reveal == "after_pass" && passed);
                let answer = exam_page.submit(&exam_page.body(right).await).await;
                assert_eq!(answer.ok()["passed"], right);
                watch.check("submit_quiz", &answer.text());
            }
            let mut stale = exam_page.body(true).await;
            stale["version"] = json!(1);
            let refused = exam_page.submit(&stale).await;
            assert_eq!(refused.status, 409);
            watch.check("a stale submit_quiz", &refused.text());
            walk(&exam_page, &ids, &mut watch).await;
            for marker in REVEALED {
                assert_eq!(watch.seen.contains(marker), watch.shown, "{reveal} {taken:?}: {marker}");
            }
        }
    }
}

/// Enrolls another learner, who submits the quiz.
async fn submit_as_neighbour(server: &Server, exam: &Exam<'_>) -> EnrollmentId {
    let kurso = &server.kurso;
    let neighbour = kurso.person("nosy-neighbour").await;
    let course = learning::enroll(kurso, &neighbour, &Origin::default(), &exam.school.share_code)
        .await
        .unwrap();
    let enrollment = course.enrollment.unwrap().id;
    let found = attempts::for_learner(kurso, Some(enrollment), &[exam.page])
        .await
        .unwrap();
    let mut list = answers(&found[&exam.page].quiz, false);
    list[2]["text"] = json!("neighbourly guess");
    attempts::submit(kurso, &neighbour, exam.page, submission(&json!({ "answers": list })))
        .await
        .unwrap();
    let excused = json!({"page_id": exam.page, "version": 0, "kind": "excused", "reason": "neighbourly excuse"});
    gradebook::decide(kurso, &exam.school.owner_viewer, enrollment, command(&excused))
        .await
        .unwrap();
    enrollment
}

async fn write_hidden_content(server: &Server, exam: &Exam<'_>) {
    let (school, kurso) = (&exam.school, &server.kurso);
    for (page, text) in [
        (school.draft, "draft-731973"),
        (school.pages[0], "withdrawn-731973"),
        (school.pages[0], "the current content"),
    ] {
        let body = json!({"content": quiz::paragraph(text)});
        page::update(kurso, &school.owner_viewer, page, None, command(&body))
            .await
            .unwrap();
    }
    let changes = json!({"draft": true, "title": "changes-731973", "content": quiz::paragraph("changes-731973")});
    page::update(kurso, &school.owner_viewer, school.pages[1], None, command(&changes))
        .await
        .unwrap();
    for page in [exam.page, school.pages[0]] {
        let version = page::get(kurso, &school.owner_viewer, page).await.unwrap().version;
        let suggestion = quiz::paragraph("comment-731973")["content"].clone();
        let new = json!({"text": "comment-731973", "version": version, "block": 0, "quote": "comment-731973", "suggestion": suggestion});
        comments::start(kurso, &school.owner_viewer, page, command(&new))
            .await
            .unwrap();
    }
    // A question that is for the teachers alone, one that is hidden, and one under a page that the learner does not see.
    let question = json!({"body": quiz::paragraph("question-731973"), "to_teachers": true});
    let owner = &school.owner_viewer;
    for page in [exam.page, school.pages[0], school.draft] {
        discussions::start(kurso, owner, page, command(&question))
            .await
            .unwrap();
    }
    let question = json!({"body": quiz::paragraph("question-731973")});
    discussions::start(kurso, owner, school.draft, command(&question))
        .await
        .unwrap();
    let hidden = discussions::start(kurso, owner, school.pages[0], command(&question))
        .await
        .unwrap();
    let note = json!({"color": "green", "body": "note-731973"});
    notes::create(kurso, owner, school.pages[0], command(&note))
        .await
        .unwrap();
    let hide = command(json!({"action": "hide", "reason": "x"}));
    discussions::moderate(kurso, owner, hidden.question.id, hide)
        .await
        .unwrap();
}

/// A content page and a quiz page that open tomorrow, and two in a lesson that needs theirs; all with a file.
async fn write_locked_pages(kurso: &TestKurso, school: &School<'_>) -> Vec<String> {
    let owner = &school.owner_viewer;
    let file = kurso
        .file(owner.id(), "locked-731973.png", "image/png", &b"x"[..])
        .await;
    let image = json!({"type": "image", "attrs": {"src": file.url()}});
    let mut content = quiz::paragraph("locked-731973");
    content["content"].as_array_mut().unwrap().push(image);
    let question = json!({"type": "numeric", "prompt": "locked-731973", "hints": ["locked-731973"], "value": 1});
    let module = lesson::get(kurso, owner, school.lesson).await.unwrap().module_id;
    let waiting = lesson::create(kurso, owner, module, command(json!({"title": "Waiting"})))
        .await
        .unwrap();
    let needs = json!({"prerequisites": [school.lesson]});
    lesson::update(kurso, owner, waiting.id, command(needs)).await.unwrap();
    let mut written = Vec::new();
    for (lesson, opens) in [
        (school.lesson, json!("2026-11-22T09:00:00Z")),
        (waiting.id, Value::Null),
    ] {
        for quiz in [Value::Null, json!({"questions": [question]})] {
            let mut body = json!({"title": "Later", "content": content, "available_from": opens});
            if !quiz.is_null() {
                (body["kind"], body["quiz"]) = (json!("quiz"), quiz);
            }
            let page = page::create(kurso, owner, lesson, command(&body)).await.unwrap();
            written.push(page.id.to_string());
        }
    }
    written
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

/// The values of each path parameter.
async fn ids(server: &Server, exam: &Exam<'_>, neighbour: EnrollmentId, locked: Vec<String>) -> Ids {
    let db = &server.kurso.db;
    let modules = sql!("SELECT id FROM modules")
        .fetch_all::<(ModuleId,)>(db)
        .await
        .unwrap();
    let lessons = sql!("SELECT id FROM lessons")
        .fetch_all::<(LessonId,)>(db)
        .await
        .unwrap();
    let threads = sql!("SELECT id FROM comment_threads")
        .fetch_all::<(ThreadId,)>(db)
        .await
        .unwrap();
    let written = sql!("SELECT id FROM page_comments")
        .fetch_all::<(CommentId,)>(db)
        .await
        .unwrap();
    let asked = sql!("SELECT id FROM discussions")
        .fetch_all::<(DiscussionId,)>(db)
        .await
        .unwrap();
    let posts = sql!("SELECT id FROM discussion_posts")
        .fetch_all::<(PostId,)>(db)
        .await
        .unwrap();
    let noted = sql!("SELECT id FROM notes").fetch_all::<(NoteId,)>(db).await.unwrap();
    let me = exam.school.learner.get("/users/me").await.ok();
    let (bank, question) = write_bank(&server.kurso, &exam.school.owner_viewer).await;
    let by_id = format!("/banks/questions_by_id?id={question}");
    assert_eq!(exam.school.learner.get(&by_id).await.ok(), json!({"data": []}));
    let owner = &exam.school.owner_viewer;
    let taken = snapshots::take(&server.kurso, owner, exam.school.course, command(json!({"name": "x"})));
    let snapshot = taken.await.unwrap().id;
    let new = json!({"title": "x", "content": {"type": "doc", "content": [{"type": "paragraph"}]}});
    let made = announcements::create(&server.kurso, owner, exam.school.course, command(new));
    let announcement = made.await.unwrap().id;
    vec![
        ("snapshot_id", vec![snapshot.to_string()]),
        ("course_id", vec![exam.school.course.to_string()]),
        ("module_id", modules.iter().map(|(id,)| id.to_string()).collect()),
        ("lesson_id", lessons.iter().map(|(id,)| id.to_string()).collect()),
        (
            "page_id",
            [
                vec![
                    exam.page.to_string(),
                    exam.school.pages[0].to_string(),
                    exam.school.draft.to_string(),
                ],
                locked,
            ]
            .concat(),
        ),
        (
            "enrollment_id",
            vec![exam.enrollment.to_string(), neighbour.to_string()],
        ),
        (
            "user_id",
            vec![
                me["id"].as_str().unwrap().to_owned(),
                exam.school.owner_viewer.id().to_string(),
            ],
        ),
        ("bank_id", vec![bank.to_string()]),
        ("question_id", vec![question.to_string()]),
        ("thread_id", threads.iter().map(|(id,)| id.to_string()).collect()),
        ("comment_id", written.iter().map(|(id,)| id.to_string()).collect()),
        ("announcement_id", vec![announcement.to_string()]),
        ("discussion_id", asked.iter().map(|(id,)| id.to_string()).collect()),
        ("post_id", posts.iter().map(|(id,)| id.to_string()).collect()),
        ("note_id", noted.iter().map(|(id,)| id.to_string()).collect()),
        ("version", vec!["1".into(), "2".into()]),
        ("email", vec!["somebody@example.com".into()]),
    ]
}

/// Calls every operation with all values of its parameters.
async fn walk(exam: &Exam<'_>, ids: &Ids, watch: &mut Watch<'_>) {
    for call in plain_calls(ids) {
        let at = format!("{} {}", call.method, call.path);
        let answer = exam.school.learner.send(&call).await;
        assert!(answer.status < 500, "{at}: {}", answer.text());
        if !call.path.ends_with("/openapi.json") {
            watch.check(&at, &answer.text());
        }
    }
}

/// Checks the responses to a learner.
struct Watch<'a> {
    reveal: &'a str,
    /// Does the quiz reveal its answers?
    shown: bool,
    /// All responses so far.
    seen: String,
}

impl Watch<'_> {
    #[track_caller]
    fn check(&mut self, at: &str, text: &str) {
        for marker in SECRET.iter().chain(OTHERS) {
            assert!(!text.contains(marker), "{marker} at {at}: {text}");
        }
        if !self.shown {
            for marker in REVEALED {
                assert!(!text.contains(marker), "{marker} at {at}, {}: {text}", self.reveal);
            }
        }
        if let Ok(value) = serde_json::from_str(text) {
            self.check_value(at, &value);
        }
        self.seen.push_str(text);
    }

    fn check_value(&self, at: &str, value: &Value) {
        match value {
            Value::Array(list) => list.iter().for_each(|value| self.check_value(at, value)),
            Value::Object(map) => {
                // The result of a formula question has its prompt as well.
                if map.contains_key("prompt") && !map.contains_key("max_points") {
                    for key in map.keys() {
                        assert!(QUESTION.contains(&key.as_str()), "a question with `{key}` at {at}");
                    }
                }
                // Only results tell whether an answer was correct, and not in a quiz that never reveals it.
                if let Some(correct) = map.get("correct") {
                    assert!(map.contains_key("max_points"), "`correct` at {at}: {value}");
                    // The essay, the last question, has no points and waits for a grader.
                    let waits = map["is_waiting"] == true;
                    assert_eq!(correct.is_null(), waits || self.reveal == "never", "{at}");
                    assert_eq!(map["points"].is_null(), waits || self.reveal == "never", "{at}");
                }
                if ["correct_answer", "explanation", "option_feedback"]
                    .iter()
                    .any(|key| map.contains_key(*key))
                {
                    assert!(
                        self.shown && map.contains_key("max_points"),
                        "an answer at {at}: {value}"
                    );
                }
                map.values().for_each(|value| self.check_value(at, value));
            }
            _ => {}
        }
    }
}
