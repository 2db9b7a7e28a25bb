//! Tests of the time on questions: who reads it, which value counts, and the statistics.

use chrono::Duration;
use kurso_core::attempts::running::{MARGIN, finish_due};
use kurso_core::both;
use serde_json::{Value, json};

use crate::quiz::Exam;
use crate::support::Server;

fn id(n: u32) -> String {
    format!("0198f000-0000-7000-8000-0000000000{n:02}")
}

fn quiz() -> Value {
    json!({"reveal": "after_submit", "questions": [
        {"id": id(1), "type": "numeric", "prompt": "2 + 2?", "value": 4},
        {"id": id(2), "type": "short_text", "prompt": "Capital?", "accepted": ["Paris"]},
        {"id": id(3), "type": "essay", "prompt": "Why?"},
    ]})
}

fn timed(seconds: &Value) -> Value {
    json!({"answers": [
        {"question_id": id(1), "number": "4", "seconds": seconds},
        {"question_id": id(2), "seconds": 7},
    ]})
}

/// The times in the last attempt as staff read it.
async fn read_by_staff(exam: &Exam<'_>) -> Vec<Value> {
    let path = format!("/courses/student_detailed_progress/{}", exam.enrollment);
    let student = exam.school.teacher.get(&path).await.ok();
    let attempts = student["modules"][0]["lessons"][0]["pages"][3]["attempts"]
        .as_array()
        .unwrap();
    let results = attempts.last().unwrap()["results"].as_array().unwrap().iter();
    results
        .map(|result| result.get("seconds").cloned().unwrap_or_default())
        .collect()
}

both! {
    async fn staff_read_the_time_and_learners_do_not(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let exam = Exam::open(&server, &quiz()).await;
        let taken = exam.submit(&timed(&json!(12.5))).await.ok();
        assert_eq!(taken["results"][0]["points"], 1.0);
        assert!(!taken.to_string().contains("seconds"), "{taken}");
        let read = exam.read().await;
        assert!(!read["attempts"].to_string().contains("seconds"), "{read}");
        // The second question has no answer, the third neither answer nor time.
        assert_eq!(read_by_staff(&exam).await, [json!(12.5), json!(7), Value::Null]);

        let analysis = exam.school.editor.get(&format!("/courses/quiz_analysis/{}", exam.page)).await.ok();
        let measured: Vec<(&Value, &Value)> = analysis["questions"].as_array().unwrap().iter()
            .map(|question| (&question["median_seconds"], &question["timed_count"])).collect();
        assert_eq!(measured, [(&json!(12.5), &json!(1)), (&json!(7.0), &json!(1)), (&Value::Null, &json!(0))]);
        assert_eq!(analysis["questions"][1]["unanswered"], 1);
        // A second attempt does not count.
        exam.submit(&timed(&json!(100))).await.ok();
        let again = exam.school.editor.get(&format!("/courses/quiz_analysis/{}", exam.page)).await.ok();
        assert_eq!(again["questions"][0]["median_seconds"], 12.5);
        exam.submit(&timed(&Value::Null)).await.ok();
        assert_eq!(read_by_staff(&exam).await, [Value::Null, json!(7), Value::Null]);

        let tried = exam.school.owner.post_json(&format!("/courses/try_quiz/{}", exam.page), timed(&json!(1))).await.ok();
        assert!(!tried.to_string().contains("seconds"), "{tried}");
    }

    async fn a_time_out_of_bounds_uses_no_attempt(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let exam = Exam::open(&server, &quiz()).await;
        for (seconds, kind) in [
            (json!(-0.1), "value_error"), (json!(86_400.1), "value_error"), (json!(0.25), "value_error"), (json!("1"), "float_type"),
        ] {
            let refused = exam.submit(&timed(&seconds)).await;
            assert_eq!(refused.fields(), [format!("{kind} at body.answers.0.seconds")], "{seconds}");
            assert_eq!(refused.status, 422);
        }
        assert_eq!(exam.read().await["attempts"], json!([]));
        exam.submit(&timed(&json!(0))).await.ok();
        exam.submit(&timed(&json!(86_400.0))).await.ok();
        assert_eq!(read_by_staff(&exam).await[0], json!(86_400));
    }

    async fn the_latest_saved_time_counts(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let mut quiz = quiz();
        (quiz["time_limit_seconds"], quiz["grace_seconds"]) = (json!(60), json!(5));
        let exam = Exam::open(&server, &quiz).await;
        let learner = &exam.school.learner;
        let start = async || learner.post(&format!("/courses/start_attempt/{}", exam.page)).await.ok();
        let started = start().await;
        let save = async |ticket: &Value, elapsed: f64, answer: Value| {
            server.kurso.clock.advance(Duration::seconds(10));
            let body = json!({"ticket": ticket, "elapsed_seconds": elapsed, "answers": [answer]});
            learner.put_json(&format!("/courses/save_answers/{}", exam.page), body).await
        };
        let ticket = &started["attempt"]["ticket"];
        save(ticket, 5.0, json!({"question_id": id(1), "number": "4", "seconds": 3.5})).await.ok();
        save(ticket, 15.0, json!({"question_id": id(1), "number": "5", "seconds": 9})).await.ok();
        // A save without a time keeps it, and one that comes late changes nothing.
        save(ticket, 25.0, json!({"question_id": id(1), "number": "4"})).await.ok();
        save(ticket, 10.0, json!({"question_id": id(1), "number": "6", "seconds": 5})).await.ok();
        save(ticket, 30.0, json!({"question_id": id(2), "seconds": 2})).await.ok();
        let bad = save(ticket, 30.0, json!({"question_id": id(2), "seconds": 1e9})).await;
        assert_eq!(bad.fields(), ["value_error at body.answers.0.seconds"]);
        let running = exam.read().await["running_attempt"].clone();
        assert_eq!(running["answers"], json!([{"question_id": id(1), "number": "4"}]));
        server.kurso.clock.advance(Duration::seconds(20) + MARGIN);
        assert_eq!(finish_due(&server.kurso).await.unwrap(), 1);
        assert_eq!(read_by_staff(&exam).await, [json!(9), json!(2), Value::Null]);

        // A submission in time replaces the times that it has.
        let ticket = start().await["attempt"]["ticket"].clone();
        save(&ticket, 5.0, json!({"question_id": id(1), "number": "4", "seconds": 3})).await.ok();
        save(&ticket, 6.0, json!({"question_id": id(2), "text": "Rome", "seconds": 4})).await.ok();
        exam.submit(&json!({"answers": [{"question_id": id(1), "number": "4", "seconds": 8.1}]})).await.ok();
        assert_eq!(read_by_staff(&exam).await, [json!(8.1), json!(4), Value::Null]);
    }
}
