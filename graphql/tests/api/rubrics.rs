//! Rubrics, marks and pinned comments.

use kurso_core::both;
use kurso_core::courses::tree::PageKind::Quiz;
use kurso_core::testing::TestKurso;
use serde_json::{Value, json};

use crate::support::{School, Server};

const ESSAY: &str = "0198f000-0000-7000-8000-0000000000e1";
const CRITERION: &str = "0198f000-0000-7000-8000-0000000000c1";
const GOOD: &str = "0198f000-0000-7000-8000-0000000000d1";
const RUBRIC: &str =
    "rubric { isShown criteria { id name description maxPoints levels { id name description points } } }";
const PINS: &str = "pins { start end fileId x y comment }";
const MARKS: &str = "marks { criterionId levelId comment }";

fn assess() -> String {
    format!(
        "mutation($i: AssessAnswerInput!) {{ assessAnswer(input: $i) {{ answer {{ points {RUBRIC} {MARKS} {PINS} history {{ {MARKS} {PINS} }} }} }} }}"
    )
}

fn own() -> String {
    format!(
        "query($id: ID!) {{ page(id: $id) {{ body {{ ... on QuizContent {{ quiz {{ questions {{ ... on EssayQuestion {{ {RUBRIC} }} }} }}
         attempts {{ results {{ points marks {{ criterion level description points maxPoints comment }} {PINS} }} }} }} }} }} }}"
    )
}

fn rubric(is_shown: bool) -> Value {
    json!({"is_shown": is_shown, "criteria": [{"id": CRITERION, "name": "rubric-731973", "levels": [
        {"id": GOOD, "name": "Good", "description": "All is there", "points": 4}, {"name": "Bad", "points": 0},
    ]}]})
}

/// A school with a quiz of one essay in its first lesson, which its learner has answered. Returns the page and the attempt.
async fn submitted(kurso: &TestKurso, server: &Server, release: &str, is_shown: bool) -> (School, Value, Value) {
    let school = School::open(kurso).await;
    let page = kurso.page(school.course, school.lessons[0], 2, Quiz, true).await;
    let essay = json!({"type": "essay", "id": ESSAY, "prompt": "Why?", "points": 4, "rubric": rubric(is_shown)});
    kurso
        .set_quiz(
            page,
            &json!({"release": release, "reveal": "after_submit", "questions": [essay]}),
        )
        .await;
    let content = json!({"type": "doc", "content": [{"type": "paragraph", "content": [{"type": "text", "text": "Because of it"}]}]});
    let input = json!({"pageId": page, "answers": [{"questionId": ESSAY, "content": content}]});
    let submit = "mutation($i: SubmitQuizInput!) { submitQuiz(input: $i) { attempt { id } } }";
    let taken = server.data(&school.learner, submit, json!({"i": input})).await;
    (school, json!(page), taken["attempt"]["id"].clone())
}

both! {
    async fn an_answer_is_graded_by_a_rubric(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let (school, page, attempt) = submitted(&kurso, &server, "together", true).await;
        let shown = server.data(&school.learner, &own(), json!({"id": page})).await["body"].clone();
        let rubric = &shown["quiz"]["questions"][0]["rubric"];
        assert_eq!((&rubric["isShown"], &rubric["criteria"][0]["maxPoints"]), (&json!(true), &json!(4.0)));
        assert_eq!(rubric["criteria"][0]["levels"][0], json!({"id": GOOD, "name": "Good", "description": "All is there", "points": 4.0}));

        let mark = json!({"criterionId": CRITERION, "levelId": GOOD, "comment": "mark-731973"});
        let pin = json!({"start": 0, "end": 7, "comment": "pin-731973"});
        let input = |fields: Value| {
            let mut input = json!({"attemptId": attempt, "questionId": ESSAY, "version": 0});
            input.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
            json!({ "i": input })
        };
        for (fields, wrong) in [
            (json!({}), "points missing"),
            (json!({"marks": [], "pins": []}), "points missing"),
            (json!({"marks": [{"criterionId": "x", "levelId": GOOD}]}), "marks[0].criterionId uuid_parsing"),
            (json!({"marks": [mark], "points": 1}), "points value_error"),
            (json!({"points": 1, "pins": [{"start": 0, "end": 99, "comment": "x"}]}), "pins[0] value_error"),
            (json!({"points": 1, "pins": [{"fileId": "x", "x": 1, "y": 1, "comment": "x"}]}), "pins[0].fileId uuid_parsing"),
            (json!({"points": 1, "pins": [{"start": 0, "end": 1, "comment": ""}]}), "pins[0].comment string_too_short"),
        ] {
            let found = server.bad_fields(&school.teacher, &assess(), input(fields.clone())).await;
            assert_eq!(found[0], wrong, "{fields}");
        }
        let graded = server.data(&school.teacher, &assess(), input(json!({"marks": [mark], "pins": [pin]}))).await["answer"].clone();
        assert_eq!((&graded["points"], &graded["marks"], &graded["rubric"]), (&json!(4.0), &json!([mark]), rubric));
        let shown_pin = json!({"start": 0, "end": 7, "fileId": null, "x": null, "y": null, "comment": "pin-731973"});
        assert_eq!((&graded["pins"], &graded["history"][0]["pins"], &graded["history"][0]["marks"]), (&json!([shown_pin]), &json!([shown_pin]), &json!([mark])));
        let read = server.data(&school.learner, &own(), json!({"id": page})).await;
        assert_eq!(read["body"]["attempts"], json!([{"results": [{"points": null, "marks": [], "pins": []}]}]));
        let release = "mutation($i: ReleaseAssessmentsInput!) { releaseAssessments(input: $i) { released } }";
        server.data(&school.teacher, release, json!({"i": {"pageId": page}})).await;
        let read = server.data(&school.learner, &own(), json!({"id": page})).await;
        assert_eq!(read["body"]["attempts"][0]["results"][0], json!({"points": 4.0, "pins": [shown_pin], "marks": [
            {"criterion": "rubric-731973", "level": "Good", "description": "All is there", "points": 4.0, "maxPoints": 4.0, "comment": "mark-731973"},
        ]}));
    }

    async fn a_hidden_rubric_is_for_staff_only(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let (school, page, _) = submitted(&kurso, &server, "at_once", false).await;
        let read = server.data(&school.learner, &own(), json!({"id": page})).await;
        assert_eq!(read["body"]["quiz"]["questions"][0]["rubric"], Value::Null);
        assert!(!read.to_string().contains("731973"));
        let rubrics = format!("query($id: ID!) {{ courseRubrics(courseId: $id) {{ pageId pageTitle number prompt {RUBRIC} }} }}");
        for staff in [&school.owner, &school.editor, &school.teacher] {
            let found = server.data(staff, &rubrics, json!({"id": school.course})).await;
            assert_eq!((&found[0]["pageId"], &found[0]["number"], &found[0]["prompt"]), (&page, &json!(1), &json!("Why?")));
            assert_eq!(found[0]["rubric"]["criteria"][0]["name"], "rubric-731973");
        }
        let denied = server.refusal(&school.learner, &rubrics, json!({"id": school.course})).await;
        assert_eq!(denied, "FORBIDDEN");
    }
}
