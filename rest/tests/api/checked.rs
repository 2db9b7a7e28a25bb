//! Tests checking question by question over REST. The core tests cover its rules.

use chrono::Duration;
use kurso_base::ids::PageId;
use kurso_core::both;
use kurso_core::courses::tree::PageKind::Quiz;
use serde_json::{Value, json};

use crate::support::{Answer, Persona, School, Server};

const RIGHT: &str = "0198f000-0000-7000-8000-0000000000c1";
const PARTIAL: &str = "0198f000-0000-7000-8000-0000000000c2";
const ESSAY: &str = "0198f000-0000-7000-8000-0000000000c3";
const LAST: &str = "0198f000-0000-7000-8000-0000000000c4";
const OPTIONS: [&str; 3] = [
    "0198f000-0000-7000-8000-0000000000d1",
    "0198f000-0000-7000-8000-0000000000d2",
    "0198f000-0000-7000-8000-0000000000d3",
];

struct Class<'a> {
    school: School<'a>,
    page: PageId,
}

impl<'a> Class<'a> {
    async fn open(server: &'a Server, settings: &Value) -> Self {
        let school = School::open(server).await;
        let page = server.kurso.page(school.course, school.lesson, 3, Quiz, true).await;
        let option = |n: usize, is_right: bool| json!({"id": OPTIONS[n], "content": format!("{n}"), "correct": is_right, "feedback": format!("chosen-{n}")});
        let mut quiz = json!({"reveal": "after_submit", "questions": [
            {"type": "numeric", "id": RIGHT, "prompt": "2 + 2?", "value": 4, "explanation": "because-731973"},
            {"type": "multiple_choice", "id": PARTIAL, "prompt": "Which?", "points": 2, "options": [option(0, true), option(1, true), option(2, false)]},
            {"type": "essay", "id": ESSAY, "prompt": "Why?"},
            {"type": "short_text", "id": LAST, "prompt": "Who?", "accepted": ["answer-731973"], "explanation": "because-731973"},
        ]});
        quiz.as_object_mut()
            .unwrap()
            .extend(settings.as_object().unwrap().clone());
        server.kurso.set_quiz(page, &quiz).await;
        Class { school, page }
    }

    async fn start(&self) -> String {
        let path = format!("/courses/start_attempt/{}", self.page);
        let started = self.school.learner.post(&path).await.ok();
        assert!(!started.to_string().contains("731973"));
        started["attempt"]["ticket"].as_str().unwrap().to_owned()
    }

    async fn check(&self, by: &Persona<'_>, ticket: &str, answer: Value) -> Answer {
        let path = format!("/courses/check_answer/{}", self.page);
        let body = json!({"ticket": ticket, "elapsed_seconds": 0, "answer": answer});
        by.post_json(&path, body).await
    }

    async fn read(&self) -> Value {
        let path = format!("/courses/enrolled_page/{}", self.page);
        self.school.learner.get(&path).await.ok()
    }
}

both! {
    async fn answers_are_checked_one_by_one_and_fixed(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let class = Class::open(&server, &json!({"checking": "each_question"})).await;
        let learner = &class.school.learner;
        assert_eq!(class.read().await["quiz"]["checking"], "each_question");
        let ticket = class.start().await;
        let right = class.check(learner, &ticket, json!({"question_id": RIGHT, "number": "4"})).await.ok();
        assert_eq!((&right["elapsed_seconds"], &right["answer"]), (&json!(0.0), &json!({"question_id": RIGHT, "number": "4"})));
        assert_eq!((&right["result"]["correct"], &right["result"]["points"]), (&json!(true), &json!(1.0)));
        assert!(right["result"]["explanation"].to_string().contains("because-731973"));
        let partial = class.check(learner, &ticket, json!({"question_id": PARTIAL, "option_ids": [OPTIONS[1]]})).await.ok();
        assert_eq!((&partial["result"]["correct"], &partial["result"]["points"]), (&json!(false), &json!(1.0)));
        assert_eq!(partial["result"]["correct_answer"]["option_ids"], json!([OPTIONS[0], OPTIONS[1]]));
        assert_eq!(partial["result"]["option_feedback"].as_array().unwrap().len(), 1);
        let manual = class.check(learner, &ticket, json!({"question_id": ESSAY, "content": "Because."})).await.ok();
        assert_eq!((&manual["result"]["is_waiting"], &manual["result"]["points"]), (&json!(true), &Value::Null));

        // Twice, and after the check.
        let again = class.check(learner, &ticket, json!({"question_id": RIGHT, "number": "5"})).await.ok();
        assert_eq!((&again["answer"], &again["result"]), (&right["answer"], &right["result"]));
        let save = json!({"ticket": ticket, "elapsed_seconds": 0, "answers": [{"question_id": RIGHT, "number": "5"}, {"question_id": LAST, "text": "me"}]});
        let saved = learner.put_json(&format!("/courses/save_answers/{}", class.page), save).await.ok();
        assert_eq!(saved["fixed_question_ids"], json!([RIGHT]));
        let page = class.read().await;
        assert_eq!(page["running_attempt"]["checked"], json!([right["result"], partial["result"], manual["result"]]));
        assert_eq!(page["running_attempt"]["answers"].as_array().unwrap().len(), 4);
        assert!(!page.to_string().contains("answer-731973"), "the key of a question that was not checked");
        assert_eq!(page.to_string().matches("because-731973").count(), 1);

        let answers = json!([{"question_id": RIGHT, "number": "5"}, {"question_id": LAST, "text": "answer-731973"}]);
        let submitted = learner.post_json(&format!("/courses/submit_quiz/{}", class.page), json!({"answers": answers})).await.ok();
        assert_eq!((&submitted["score"], &submitted["waiting_answers"]), (&json!(3.0), &json!(1)));
        class.check(learner, &ticket, json!({"question_id": RIGHT, "number": "4"})).await.refused(409, "The attempt has ended");
    }

    async fn a_check_is_refused_where_it_would_give_keys_away(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let class = Class::open(&server, &json!({"checking": "each_question", "time_limit_seconds": 60, "grace_seconds": 5})).await;
        let school = &class.school;
        let ticket = class.start().await;
        let answer = json!({"question_id": LAST, "text": "me"});
        for (by, status) in [(&school.owner, 403), (&school.teacher, 403), (&school.stranger, 404), (&school.anonymous, 401)] {
            let refusal = class.check(by, &ticket, answer.clone()).await;
            assert_eq!(refusal.status, status);
            assert!(!refusal.text().contains("731973"));
        }
        let forged = class.check(&school.learner, "forged", answer.clone()).await;
        assert_eq!(forged.status, 403);
        let empty = class.check(&school.learner, &ticket, json!({"question_id": LAST, "text": ""})).await;
        assert_eq!(empty.fields(), ["nothing_to_check at body.answer"]);
        let unknown = class.check(&school.learner, &ticket, json!({"question_id": OPTIONS[0], "text": "x"})).await;
        assert_eq!(unknown.fields(), ["unknown_question at body.answer.question_id"]);
        let path = format!("/courses/check_answer/{}", class.page);
        let wrong = school.learner.post_json(&path, json!({"ticket": 1, "elapsed_seconds": -1, "answer": {}})).await;
        assert_eq!(wrong.fields(), [
            "string_type at body.ticket", "value_error at body.elapsed_seconds", "missing at body.answer.question_id",
        ]);
        server.kurso.clock.advance(Duration::seconds(66));
        class.check(&school.learner, &ticket, answer).await.refused(409, "The time is over. The answers saved before count");
        assert_eq!(class.read().await["running_attempt"]["checked"], json!([]));
    }

    async fn a_quiz_that_is_checked_at_the_end_rejects_single_checks(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let class = Class::open(&server, &json!({"time_limit_seconds": 60})).await;
        let ticket = class.start().await;
        let answer = json!({"question_id": LAST, "text": "me"});
        let refusal = class.check(&class.school.learner, &ticket, answer).await;
        assert!(!refusal.text().contains("731973"));
        refusal.refused(409, "This quiz is checked at the end, not question by question");
        let update = format!("/courses/update_page/{}", class.page);
        let bad = class.school.owner.put_json(&update, json!({"quiz": {"checking": "sometimes", "questions": []}})).await;
        assert_eq!(bad.fields().len(), 1);
    }
}
