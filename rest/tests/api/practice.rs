//! Tests practice over REST. The core tests cover its rules.

use chrono::Duration;
use kurso_core::both;
use kurso_core::courses::tree::PageKind::Quiz;
use serde_json::{Value, json};

use crate::support::{School, Server};

const NUMBER: &str = "0198f000-0000-7000-8000-0000000000c1";
const TEXT: &str = "0198f000-0000-7000-8000-0000000000c2";

both! {
    async fn missed_questions_come_again_and_show_their_keys_after_the_answer(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let learner = &school.learner;
        let page = server.kurso.page(school.course, school.lesson, 3, Quiz, true).await;
        server.kurso.set_quiz(page, &json!({"reveal": "after_submit", "questions": [
            {"type": "numeric", "id": NUMBER, "prompt": "2 + 2?", "value": 4, "explanation": "because-731973"},
            {"type": "short_text", "id": TEXT, "prompt": "Who?", "accepted": ["answer-731973"]},
        ]})).await;
        let answers = json!([{"question_id": NUMBER, "number": "4"}, {"question_id": TEXT, "text": "me"}]);
        learner.post_json(&format!("/courses/submit_quiz/{page}"), json!({ "answers": answers })).await.ok();
        let later = learner.get("/courses/practice").await.ok();
        assert_eq!((&later["due_count"], &later["questions"]), (&json!(0), &json!([])));
        assert!(later["next_due_at"].is_string());
        server.kurso.clock.advance(Duration::days(1));
        let due = learner.get("/courses/practice").await.ok();
        assert!(!due.to_string().contains("731973"), "{due}");
        assert_eq!((&due["due_count"], &due["next_due_at"]), (&json!(1), &Value::Null));
        let question = &due["questions"][0];
        assert_eq!(question["question"]["type"], "short_text");
        assert_eq!((&question["page_id"], &question["course_id"], &question["reviews"]), (&json!(page), &json!(school.course), &json!(1)));
        assert!(question["course_title"].is_string() && question["page_title"].is_string());

        let path = format!("/courses/answer_practice/{}", question["id"].as_str().unwrap());
        let body = |text: &str| json!({"reviews": 1, "answer": {"question_id": TEXT, "text": text}});
        for (by, status) in [(&school.owner, 404), (&school.stranger, 404), (&school.anonymous, 401)] {
            assert_eq!(by.post_json(&path, body("x")).await.status, status);
        }
        assert_eq!(learner.post_json(&path, body("")).await.fields(), ["nothing_to_check at body.answer"]);
        let wrong = learner.post_json(&path, json!({"reviews": 0, "answer": {}})).await;
        assert_eq!(wrong.fields(), ["value_error at body.reviews", "missing at body.answer.question_id"]);
        let practised = learner.post_json(&path, body("wrong")).await.ok();
        assert_eq!((&practised["result"]["correct"], &practised["reviews"]), (&json!(false), &json!(2)));
        assert_eq!(practised["result"]["correct_answer"]["text"], "answer-731973");
        assert_eq!(learner.post_json(&path, body("answer-731973")).await.ok(), practised);
        let other = json!({"reviews": 7, "answer": {"question_id": TEXT, "text": "x"}});
        learner.post_json(&path, other).await.refused(409, "You have answered this question in another window");
    }

    async fn a_question_can_be_stopped_and_asked_again(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let learner = &school.learner;
        let page = server.kurso.page(school.course, school.lesson, 3, Quiz, true).await;
        let quiz = json!({"reveal": "after_submit", "questions": [{"type": "numeric", "id": NUMBER, "prompt": "2 + 2?", "value": 4}]});
        server.kurso.set_quiz(page, &quiz).await;
        learner.post_json(&format!("/courses/submit_quiz/{page}"), json!({"answers": []})).await.ok();
        server.kurso.clock.advance(Duration::days(1));
        let due = learner.get("/courses/practice").await.ok();
        let path = format!("/courses/set_practice/{}", due["questions"][0]["id"].as_str().unwrap());
        let count = async || learner.get("/courses/practice").await.ok()["due_count"].clone();
        let stopped = learner.put_json(&path, json!({"is_stopped": true})).await.ok();
        assert_eq!((stopped["message"].as_str(), count().await), (Some("This question will not come back"), json!(0)));
        learner.put_json(&path, json!({"is_stopped": false})).await.ok();
        assert_eq!(count().await, 1);
        school.teacher.put_json(&path, json!({"is_stopped": true})).await.refused(404, "Practice question not found");
        assert_eq!(learner.put_json(&path, json!({})).await.fields(), ["missing at body.is_stopped"]);
    }
}
