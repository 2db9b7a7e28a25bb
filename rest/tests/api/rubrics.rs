//! Rubrics, marks and pinned comments over HTTP. The table of rights says what each role may do.

use kurso_core::both;
use serde_json::{Value, json};

use crate::quiz::Exam;
use crate::support::Server;

const ESSAY: &str = "0198f000-0000-7000-8000-0000000000e1";
const CRITERION: &str = "0198f000-0000-7000-8000-0000000000c1";
const GOOD: &str = "0198f000-0000-7000-8000-0000000000d1";
const BAD: &str = "0198f000-0000-7000-8000-0000000000d2";

fn rubric(is_shown: bool) -> Value {
    json!({"is_shown": is_shown, "criteria": [{"id": CRITERION, "name": "rubric-731973", "description": "", "levels": [
        {"id": GOOD, "name": "Good", "description": "All is there", "points": 3.5},
        {"id": BAD, "name": "Bad", "description": "", "points": 0},
    ]}]})
}

fn quiz(release: &str, is_shown: bool) -> Value {
    json!({"pass_percent": 50, "release": release, "questions": [
        {"type": "essay", "id": ESSAY, "prompt": "Why?", "points": 3.5, "guide": "guide-731973", "rubric": rubric(is_shown)},
    ]})
}

fn answer() -> Value {
    json!({"answers": [{"question_id": ESSAY, "content": "Because of it"}]})
}

fn marks(level: &str) -> Value {
    json!([{"criterion_id": CRITERION, "level_id": level, "comment": "mark-731973"}])
}

both! {
    async fn an_answer_is_graded_by_a_rubric(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let exam = Exam::open(&server, &quiz("together", true)).await;
        let school = &exam.school;
        assert_eq!(exam.read().await["quiz"]["questions"][0]["rubric"], rubric(true));
        let attempt = exam.submit(&answer()).await.ok();
        let path = |operation: &str| format!("/courses/{operation}/{}/{ESSAY}", attempt["attempt_id"].as_str().unwrap());
        let open = school.editor.get(&path("open_answer")).await.ok();
        assert_eq!((&open["rubric"], &open["marks"], &open["pins"]), (&rubric(true), &json!([]), &json!([])));
        for (body, fields) in [
            (json!({"marks": [], "pins": []}), vec!["missing at body.points"]),
            (json!({"marks": [{"criterion_id": 1}]}), vec!["uuid_type at body.marks.0.criterion_id", "missing at body.marks.0.level_id"]),
            (json!({"marks": marks(CRITERION)}), vec!["value_error at body.marks"]),
            (json!({"marks": marks(GOOD), "points": 3}), vec!["value_error at body.points"]),
            (json!({"points": 1, "pins": [{"start": 0, "end": 14, "comment": "x"}]}), vec!["value_error at body.pins.0"]),
            (json!({"points": 1, "pins": [{"start": 2, "end": 2, "comment": "x"}]}), vec!["value_error at body.pins.0"]),
            (json!({"points": 1, "pins": [{"start": 0, "end": 1}]}), vec!["missing at body.pins.0.comment"]),
        ] {
            let mut body = body;
            body["version"] = json!(0);
            assert_eq!(school.teacher.put_json(&path("assess_answer"), body.clone()).await.fields(), fields, "{body}");
        }
        let before = exam.read().await;
        let pin = json!({"start": 0, "end": 13, "comment": "pin-731973"});
        let body = json!({"version": 0, "marks": marks(GOOD), "pins": [pin], "points": 3.5});
        let graded = school.teacher.put_json(&path("assess_answer"), body).await.ok();
        assert_eq!((&graded["points"], &graded["marks"], &graded["pins"]), (&json!(3.5), &marks(GOOD), &json!([pin])));
        let now = exam.read().await;
        assert_eq!(now["attempts"], before["attempts"]);
        for secret in ["mark-731973", "pin-731973"] {
            assert!(!now.to_string().contains(secret), "{secret}");
        }
        let release = format!("/courses/release_assessments/{}", exam.page);
        school.teacher.post_json(&release, json!({})).await.ok();
        let result = exam.read().await["attempts"][0]["results"][0].clone();
        assert_eq!(result["marks"], json!([{"criterion": "rubric-731973", "level": "Good", "description": "All is there", "points": 3.5,
            "max_points": 3.5, "comment": "mark-731973"}]));
        assert_eq!((&result["pins"], &result["points"]), (&json!([pin]), &json!(3.5)));
        let again = school.owner.put_json(&path("assess_answer"), json!({"version": 1, "points": 1, "marks": [], "pins": []})).await.ok();
        assert_eq!((&again["marks"], &again["history"][1]["marks"], &again["history"][1]["pins"]), (&json!([]), &marks(GOOD), &json!([pin])));
        let result = exam.read().await["attempts"][0]["results"][0].clone();
        assert_eq!((result.get("marks"), result.get("pins")), (None, None));
    }

    async fn a_hidden_rubric_is_for_staff_only(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let exam = Exam::open(&server, &quiz("at_once", false)).await;
        let school = &exam.school;
        let read = exam.read().await;
        assert_eq!(read["quiz"]["questions"][0]["rubric"], Value::Null);
        let attempt = exam.submit(&answer()).await.ok();
        let again = exam.read().await;
        let preview = school.editor.get(&format!("/courses/preview_page/{}", exam.page)).await.ok();
        for seen in [read, attempt, again, preview] {
            assert!(!seen.to_string().contains("731973"), "{seen}");
        }
        let author = school.editor.get(&format!("/courses/get_page/{}", exam.page)).await.ok();
        assert_eq!(author["quiz"]["questions"][0]["rubric"], rubric(false));
        let used = school.teacher.get(&format!("/courses/rubrics/{}", school.course)).await.ok();
        assert_eq!(used, json!([{"page_id": exam.page, "page_title": used[0]["page_title"], "number": 1, "prompt": "Why?", "rubric": rubric(false)}]));
    }

    async fn a_published_question_is_worth_what_its_rubric_gives(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let exam = Exam::open(&server, &quiz("at_once", true)).await;
        let path = format!("/courses/update_page/{}", exam.page);
        for (change, place, message) in [
            (json!({"points": 3}), "criteria", "Question 1: the points of the question are not the sum of the best levels of its rubric"),
            (json!({"rubric": {"criteria": []}}), "criteria", "Question 1: the rubric has no criteria"),
            (json!({"points": 0, "rubric": {"criteria": [{"name": "x", "levels": []}]}}), "criteria.0.levels", "Question 1: the criterion has no levels"),
            (json!({"points": 1, "rubric": {"criteria": [{"name": " ", "levels": [{"name": "x", "points": 1}]}]}}), "criteria.0.name", "Question 1: this is empty"),
            (json!({"points": 1, "rubric": {"criteria": [{"name": "x", "levels": [{"name": "", "points": 1}]}]}}), "criteria.0.levels.0.name", "Question 1: this is empty"),
        ] {
            let mut quiz = quiz("at_once", true);
            for (name, value) in change.as_object().unwrap() {
                quiz["questions"][0][name] = value.clone();
            }
            // Another question has points, so that the quiz as a whole is worth something.
            quiz["questions"].as_array_mut().unwrap().push(json!({"type": "numeric", "prompt": "?", "value": 1}));
            let refused = exam.school.owner.put_json(&path, json!({"quiz": quiz})).await;
            assert_eq!(refused.fields(), [format!("quiz_incomplete at body.quiz.questions.0.rubric.{place}")], "{change}");
            assert_eq!(refused.json()["detail"][0]["msg"], message);
        }
        let many = json!({"criteria": vec![json!({"name": "x", "levels": []}); 21]});
        let mut quiz = quiz("at_once", true);
        quiz["questions"][0]["rubric"] = many;
        let refused = exam.school.owner.put_json(&path, json!({"quiz": quiz})).await;
        assert_eq!(refused.fields(), ["too_long at body.quiz.questions.0.rubric.criteria"]);
    }
}
