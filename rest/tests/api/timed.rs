//! Quizzes with a time limit over HTTP. The rules are tested in the core.

use chrono::Duration;
use kurso_base::ids::PageId;
use kurso_core::attempts::running::{MARGIN, finish_due};
use kurso_core::both;
use kurso_core::courses::tree::PageKind::Quiz;
use serde_json::{Value, json};

use crate::support::{Answer, School, Server};
use crate::walk::{Ids, plain_calls};

const QUESTION: &str = "0198f000-0000-7000-8000-0000000000b1";

struct Class<'a> {
    server: &'a Server,
    school: School<'a>,
    page: PageId,
}

impl<'a> Class<'a> {
    async fn open(server: &'a Server) -> Self {
        let school = School::open(server).await;
        let page = server.kurso.page(school.course, school.lesson, 3, Quiz, true).await;
        let quiz = json!({"pass_percent": 60, "max_attempts": 2, "time_limit_seconds": 60, "grace_seconds": 5, "questions": [
            {"type": "numeric", "id": QUESTION, "prompt": "hidden-731973", "value": 4},
        ]});
        server.kurso.set_quiz(page, &quiz).await;
        Class { server, school, page }
    }

    async fn read(&self) -> Value {
        let path = format!("/courses/enrolled_page/{}", self.page);
        self.school.learner.get(&path).await.ok()
    }

    async fn start(&self) -> Answer {
        let path = format!("/courses/start_attempt/{}", self.page);
        self.school.learner.post(&path).await
    }

    async fn save(&self, ticket: &Value, elapsed: f64, number: &str) -> Answer {
        let body = json!({"ticket": ticket, "elapsed_seconds": elapsed, "answers": [{"question_id": QUESTION, "number": number}]});
        let path = format!("/courses/save_answers/{}", self.page);
        self.school.learner.put_json(&path, body).await
    }

    async fn submit(&self) -> Answer {
        let path = format!("/courses/submit_quiz/{}", self.page);
        self.school.learner.post_json(&path, json!({"answers": []})).await
    }
}

both! {
    async fn an_attempt_is_started_saved_and_ended_by_the_server(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let class = Class::open(&server).await;
        let clock = &class.server.kurso.clock;
        let before = class.read().await;
        assert_eq!((&before["quiz"]["questions"], &before["quiz"]["question_count"]), (&json!([]), &json!(1)));
        assert_eq!((&before["quiz"]["time_limit_seconds"], &before["quiz"]["grace_seconds"]), (&json!(60), &json!(5)));
        assert_eq!(before["running_attempt"], Value::Null);
        class.submit().await.refused(409, "No attempt at this quiz is running: start one, unless its time is over");

        let started = class.start().await.ok();
        assert_eq!(started["quiz"]["questions"][0]["id"], QUESTION);
        let attempt = &started["attempt"];
        assert_eq!((&attempt["attempt_no"], &attempt["duration_seconds"], &attempt["elapsed_seconds"], &attempt["grace_seconds"]),
            (&json!(1), &json!(60.0), &json!(0.0), &json!(5)));
        assert_eq!((&attempt["started_at"], &attempt["ends_at"]), (&json!("2026-11-21T09:00:00Z"), &json!("2026-11-21T09:01:00Z")));
        clock.advance(Duration::milliseconds(12_500));
        assert_eq!(class.save(&attempt["ticket"], 12.5, "4").await.ok(), json!({"elapsed_seconds": 12.5, "fixed_question_ids": []}));
        let running = class.read().await["running_attempt"].take();
        assert_eq!(running["answers"], json!([{"question_id": QUESTION, "number": "4"}]));
        assert_eq!((&running["ticket"], &running["elapsed_seconds"]), (&attempt["ticket"], &json!(12.5)));

        clock.advance(Duration::seconds(50));
        class.save(&attempt["ticket"], 61.0, "5").await.refused(409, "The time is over. The answers saved before count");
        clock.advance(Duration::seconds(3) + MARGIN);
        assert_eq!(finish_due(&class.server.kurso).await.unwrap(), 1);
        class.save(&attempt["ticket"], 1.0, "5").await.refused(409, "The attempt has ended");
        let after = class.read().await;
        assert_eq!(after["running_attempt"], Value::Null);
        assert_eq!((&after["attempts"][0]["percent"], &after["attempts"][0]["submitted_at"]), (&json!(100), &json!("2026-11-21T09:01:00Z")));
        assert_eq!(after["attempts_left"], json!(1));

        class.start().await.ok();
        class.submit().await.ok();
        assert_eq!(class.start().await.status, 409);
    }

    async fn bad_saves_name_every_wrong_field(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let class = Class::open(&server).await;
        let path = format!("/courses/save_answers/{}", class.page);
        let wrong = class.school.learner.put_json(&path, json!({"ticket": 1, "elapsed_seconds": -1, "answers": [{"number": "1"}]})).await;
        assert_eq!(wrong.fields(), [
            "string_type at body.ticket", "value_error at body.elapsed_seconds", "missing at body.answers.0.question_id",
        ]);
        let forged = class.save(&json!("forged"), 1.0, "4").await;
        assert_eq!(forged.status, 403);
        let started = class.start().await.ok();
        let unreadable = class.save(&started["attempt"]["ticket"], 1.0, "four").await;
        assert_eq!(unreadable.status, 422);
        let stored = class.school.owner.get(&format!("/courses/get_page/{}", class.page)).await.ok();
        assert_eq!((&stored["quiz"]["time_limit_seconds"], &stored["quiz"]["grace_seconds"]), (&json!(60), &json!(5)));
        let update = format!("/courses/update_page/{}", class.page);
        for (field, value) in [("time_limit_seconds", 9), ("time_limit_seconds", 86_401), ("grace_seconds", 3601)] {
            let answer = class.school.owner.put_json(&update, json!({"quiz": {field: value, "questions": []}})).await;
            assert_eq!(answer.fields().len(), 1, "{field} {value}");
        }
    }

    async fn no_operation_shows_a_question_before_the_start(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let class = Class::open(&server).await;
        let school = &class.school;
        let courses = school.learner.get("/courses/my_enrolled_courses").await.ok();
        let course = school.learner.get(&format!("/courses/enrolled_course/{}", school.course)).await.ok();
        let ids: Ids = vec![
            ("course_id", vec![school.course.to_string()]),
            ("lesson_id", vec![school.lesson.to_string()]),
            ("module_id", vec![course["modules"][0]["id"].as_str().unwrap().to_owned()]),
            ("page_id", vec![class.page.to_string()]),
            ("enrollment_id", vec![courses["data"][0]["enrollment_id"].as_str().unwrap_or_default().to_owned()]),
        ];
        for call in plain_calls(&ids) {
            if call.path.contains("/start_attempt/") {
                continue;
            }
            let answer = school.learner.send(&call).await;
            assert!(!answer.text().contains("hidden-731973"), "{} {}", call.method, call.path);
        }
        assert!(class.start().await.text().contains("hidden-731973"));
    }
}
