//! Operations on answers to open questions over HTTP. The table of rights says what each role may do.

use kurso_core::both;
use serde_json::{Value, json};

use crate::quiz::Exam;
use crate::support::Server;

const ESSAY: &str = "0198f000-0000-7000-8000-0000000000e1";

fn quiz(release: &str) -> Value {
    json!({"pass_percent": 50, "release": release, "reveal": "never", "questions": [
        {"type": "essay", "id": ESSAY, "prompt": "Why?", "points": 4, "min_words": 2, "max_words": 5, "guide": "guide-731973"},
    ]})
}

fn answer(words: &str) -> Value {
    json!({"answers": [{"question_id": ESSAY, "content": words}]})
}

both! {
    async fn an_essay_is_queued_claimed_graded_and_read(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let exam = Exam::open(&server, &quiz("at_once")).await;
        let (school, course) = (&exam.school, exam.school.course);
        let read = exam.read().await;
        let question = &read["quiz"]["questions"][0];
        assert_eq!((&question["type"], &question["min_words"], &question["max_words"]), (&json!("essay"), &json!(2), &json!(5)));
        assert!(!read.to_string().contains("guide-731973"));
        let attempt = exam.submit(&answer("Because of it")).await.ok();
        assert_eq!((&attempt["percent"], &attempt["passed"], &attempt["waiting_answers"]), (&json!(0), &json!(false), &json!(1)));
        assert_eq!(attempt["results"], json!([{"question_id": ESSAY, "points": null, "max_points": 4, "correct": null, "is_waiting": true, "is_returned": false}]));

        let queue = school.editor.get(&format!("/courses/grading_queue/{course}")).await.ok();
        assert_eq!((&queue["count"], &queue["waiting"], &queue["unreleased"]), (&json!(1), &json!(1), &json!(0)));
        let row = &queue["data"][0];
        assert_eq!((&row["state"], &row["number"], &row["opened_by"]), (&json!("waiting"), &json!(1), &Value::Null));
        assert_eq!(queue["questions"][0]["prompt"], "Why?");
        let id = row["attempt_id"].as_str().unwrap();
        let path = |operation: &str| format!("/courses/{operation}/{id}/{ESSAY}");
        let claimed = school.teacher.post_json(&path("claim_answer"), json!({})).await.ok();
        assert_eq!((&claimed["words"], &claimed["version"]), (&json!(3), &json!(0)));
        assert!(claimed["guide"].to_string().contains("guide-731973"));
        let seen = school.owner.get(&path("open_answer")).await.ok();
        assert!(seen["opened_by"]["id"].is_string());
        let none = school.owner.post_json(&format!("/courses/claim_next_answer/{course}"), json!({})).await.ok();
        assert_eq!(none, Value::Null);
        let next = format!("/courses/claim_next_answer/{course}?question_id={ESSAY}&group_id=none");
        assert_eq!(school.teacher.post_json(&next, json!({})).await.ok()["attempt_id"], id);

        for (body, fields) in [
            (json!({}), vec!["missing at body.version"]),
            (json!({"version": 0}), vec!["missing at body.points"]),
            (json!({"version": 0, "points": "2"}), vec!["value_error at body.points"]),
            (json!({"version": 0, "points": 2.00001}), vec!["value_error at body.points"]),
            (json!({"version": 0, "points": 4.5}), vec!["less_than_equal at body.points"]),
            (json!({"version": -1, "points": 1, "comment": ""}), vec!["greater_than_equal at body.version", "string_too_short at body.comment"]),
        ] {
            assert_eq!(school.teacher.put_json(&path("assess_answer"), body.clone()).await.fields(), fields, "{body}");
        }
        let graded = school.teacher.put_json(&path("assess_answer"), json!({"version": 0, "points": 2.5, "comment": "Almost"})).await.ok();
        assert_eq!((&graded["state"], &graded["version"], &graded["points"]), (&json!("released"), &json!(1), &json!(2.5)));
        let stale = school.owner.put_json(&path("assess_answer"), json!({"version": 0, "points": 1})).await;
        stale.refused(409, "Somebody else has graded this answer meanwhile");
        let stale = stale.json();
        assert_eq!((&stale["answer"]["points"], &stale["answer"]["comment"]), (&json!(2.5), &json!("Almost")));

        // A quiz that never reveals answers hides the points, but not the grader's comment.
        let read = exam.read().await;
        let attempt = &read["attempts"][0];
        assert_eq!((&attempt["percent"], &attempt["passed"], &attempt["waiting_answers"]), (&json!(62), &json!(true), &json!(0)));
        assert_eq!(attempt["results"][0], json!({
            "question_id": ESSAY, "points": null, "max_points": 4, "correct": null, "is_waiting": false, "is_returned": false, "comment": "Almost",
        }));
        let queue = school.owner.get(&format!("/courses/grading_queue/{course}?state=released&limit=5")).await.ok();
        assert_eq!((&queue["count"], &queue["data"][0]["points"]), (&json!(1), &json!(2.5)));
        let wrong = school.owner.get(&format!("/courses/grading_queue/{course}?state=lost&page_id=x")).await;
        assert_eq!(wrong.fields(), ["uuid_parsing at query.page_id", "enum at query.state"]);
    }

    async fn essays_out_of_bounds_are_refused_and_use_no_attempt(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let exam = Exam::open(&server, &quiz("at_once")).await;
        let image = json!({"type": "doc", "content": [
            {"type": "paragraph", "content": [{"type": "text", "text": "two words"}]},
            {"type": "image", "attrs": {"src": "/files/0123456789abcdef0123456789abcdef/a.png"}},
        ]});
        let long = "word ".repeat(60_000);
        for (content, message) in [
            (json!("one"), "The answer has 1 words and needs at least 2"),
            (json!("one two three four five six"), "The answer has 6 words and may have at most 5"),
            (image, "An answer can have no images, files, audio or video"),
            (json!(long), "The answer is larger than 256 KiB"),
        ] {
            let body = json!({"answers": [{"question_id": ESSAY, "content": content}]});
            let refused = exam.submit(&body).await;
            assert_eq!(refused.fields(), ["value_error at body.answers.0.content"]);
            assert_eq!(refused.json()["detail"][0]["msg"], message);
        }
        let text = exam.submit(&json!({"answers": [{"question_id": ESSAY, "text": "two words"}]})).await;
        assert_eq!(text.fields(), ["wrong_answer_type at body.answers.0.text"]);
        let broken = exam.submit(&json!({"answers": [{"question_id": ESSAY, "content": {"type": "page"}}]})).await;
        assert_eq!(broken.fields().len(), 1);
        assert_eq!(exam.read().await["attempts"], json!([]));
    }

    async fn points_are_released_together(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let exam = Exam::open(&server, &quiz("together")).await;
        let school = &exam.school;
        let attempt = exam.submit(&answer("Because of it")).await.ok();
        let path = format!("/courses/assess_answer/{}/{ESSAY}", attempt["attempt_id"].as_str().unwrap());
        let before = exam.read().await;
        let graded = school.teacher.put_json(&path, json!({"version": 0, "points": 4, "comment": "secret-comment"})).await.ok();
        assert_eq!(graded["state"], "graded");
        let now = exam.read().await;
        assert_eq!((&now["attempts"], &now["best_percent"]), (&before["attempts"], &before["best_percent"]));
        assert!(!now.to_string().contains("secret-comment"));
        let own = school.learner.get(&format!("/courses/my_grades/{}", school.course)).await.ok();
        assert_eq!(own["grades"][0]["source"], "waiting");
        let release = format!("/courses/release_assessments/{}", exam.page);
        assert_eq!(school.teacher.post_json(&release, json!({})).await.ok(), json!({"message": "Grades released: 1"}));
        assert_eq!(school.owner.post_json(&release, json!({})).await.ok()["message"], "There is nothing to release: no new grades");
        assert_eq!(exam.read().await["attempts"][0]["percent"], 100);
    }

    async fn blind_grading_names_nobody(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let exam = Exam::open(&server, &quiz("at_once")).await;
        let (school, course) = (&exam.school, exam.school.course);
        exam.submit(&answer("Because of it")).await.ok();
        let settings = school.teacher.put_json(&format!("/courses/update_grade_settings/{course}"), json!({"is_blind": true})).await.ok();
        assert_eq!(settings["is_blind"], true);
        let queue = school.teacher.get(&format!("/courses/grading_queue/{course}")).await.ok();
        let next = school.teacher.post_json(&format!("/courses/claim_next_answer/{course}"), json!({})).await.ok();
        assert_eq!((&queue["is_blind"], &queue["data"][0]["student"], &next["student"]), (&json!(true), &Value::Null, &Value::Null));
        for answer in [queue, next] {
            assert!(!answer.to_string().contains("learner"), "{answer}");
        }
    }
}
