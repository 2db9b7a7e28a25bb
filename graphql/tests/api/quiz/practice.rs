//! Tests practice over GraphQL. The core tests cover its rules.

use chrono::Duration;
use kurso_core::both;
use kurso_core::courses::tree::PageKind::Quiz;
use serde_json::{Value, json};

use crate::support::{School, Server};

const NUMBER: &str = "0198f000-0000-7000-8000-0000000000c1";
const QUEUE: &str = "{ practice { dueCount nextDueAt questions { id reviews page { id title course { id } } question { __typename id prompt } } } }";
const ANSWER: &str = "mutation($i: AnswerPracticeInput!) { answerPractice(input: $i) { cardId reviews dueAt answer { ... on NumberAnswer { number } } \
    result { correct explanation correctAnswer { ... on NumberAnswer { number } } } } }";
const SET: &str = "mutation($i: SetPracticeInput!) { setPractice(input: $i) { cardId } }";

both! {
    async fn a_missed_question_comes_again_until_it_is_stopped(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let school = School::open(&kurso).await;
        let page = kurso.page(school.course, school.lessons[0], 2, Quiz, true).await;
        kurso.set_quiz(page, &json!({"reveal": "after_submit", "questions": [
            {"type": "numeric", "id": NUMBER, "prompt": "2 + 2?", "value": 4, "explanation": "because-731973"},
        ]})).await;
        let submit = "mutation($i: SubmitQuizInput!) { submitQuiz(input: $i) { attempt { percent } } }";
        server.data(&school.learner, submit, json!({"i": {"pageId": page, "answers": []}})).await;
        kurso.clock.advance(Duration::days(1));
        let due = server.data(&school.learner, QUEUE, json!({})).await;
        assert_eq!((&due["dueCount"], &due["nextDueAt"]), (&json!(1), &Value::Null));
        assert!(!due.to_string().contains("731973"), "{due}");
        let card = &due["questions"][0];
        assert_eq!((&card["question"]["__typename"], &card["question"]["id"]), (&json!("NumericQuestion"), &json!(NUMBER)));
        assert_eq!((&card["page"]["id"], &card["page"]["course"]["id"]), (&json!(page), &json!(school.course)));
        let input = |number: &str| json!({"i": {"cardId": card["id"], "reviews": 1, "answer": {"questionId": NUMBER, "number": number}}});
        assert_eq!(server.refusal(&school.owner, ANSWER, input("4")).await, "NOT_FOUND");
        assert_eq!(server.bad_fields(&school.learner, ANSWER, input(" ")).await, ["answer nothing_to_check"]);
        let practised = server.data(&school.learner, ANSWER, input("4")).await;
        assert_eq!((&practised["reviews"], &practised["result"]["correct"]), (&json!(2), &json!(true)));
        assert!(practised["result"]["explanation"].to_string().contains("because-731973"));
        assert_eq!(server.data(&school.learner, ANSWER, input("5")).await, practised);

        kurso.clock.advance(Duration::days(4));
        assert_eq!(server.data(&school.learner, QUEUE, json!({})).await["dueCount"], 1);
        let stop = |is_stopped: bool| json!({"i": {"cardId": card["id"], "isStopped": is_stopped}});
        assert_eq!(server.refusal(&school.teacher, SET, stop(true)).await, "NOT_FOUND");
        server.data(&school.learner, SET, stop(true)).await;
        assert_eq!(server.data(&school.learner, QUEUE, json!({})).await["dueCount"], 0);
        server.data(&school.learner, SET, stop(false)).await;
        assert_eq!(server.data(&school.learner, QUEUE, json!({})).await["dueCount"], 1);
    }
}
