//! Tests checking question by question over GraphQL. The core tests cover its rules.

use kurso_base::ids::PageId;
use kurso_core::both;
use kurso_core::courses::tree::PageKind::Quiz;
use kurso_core::testing::TestKurso;
use serde_json::{Value, json};

use crate::support::{School, Server};

const SUM: &str = "0198f000-0000-7000-8000-0000000000c1";
const ESSAY: &str = "0198f000-0000-7000-8000-0000000000c2";
const LAST: &str = "0198f000-0000-7000-8000-0000000000c3";

const RESULT: &str =
    "questionId points correct isWaiting explanation correctAnswer { questionId ... on NumberAnswer { number } }";
const START: &str = "mutation($i: StartAttemptInput!) { startAttempt(input: $i) { attempt { ticket checked { questionId } } page { quiz { checking } } } }";
const SAVE: &str = "mutation($i: SaveAnswersInput!) { saveAnswers(input: $i) { outcome fixedQuestionIds } }";
const SUBMIT: &str = "mutation($i: SubmitQuizInput!) { submitQuiz(input: $i) { attempt { score waitingAnswers } } }";

fn check() -> String {
    format!(
        "mutation($i: CheckAnswerInput!) {{ checkAnswer(input: $i) {{ outcome error elapsedSeconds answer {{ questionId ... on NumberAnswer {{ number }} }} \
         result {{ {RESULT} }} }} }}"
    )
}

async fn class(kurso: &TestKurso, checking: &str) -> (School, PageId) {
    let school = School::open(kurso).await;
    let page = kurso.page(school.course, school.lessons[0], 2, Quiz, true).await;
    let quiz = json!({"checking": checking, "reveal": "after_submit", "time_limit_seconds": 60, "questions": [
        {"type": "numeric", "id": SUM, "prompt": "2 + 2?", "value": 4},
        {"type": "essay", "id": ESSAY, "prompt": "Why?"},
        {"type": "short_text", "id": LAST, "prompt": "Who?", "accepted": ["answer-731973"], "explanation": "because-731973"},
    ]});
    kurso.set_quiz(page, &quiz).await;
    (school, page)
}

both! {
    async fn answers_are_checked_one_by_one_and_fixed(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let (school, page) = class(&kurso, "each_question").await;
        let started = server.data(&school.learner, START, json!({"i": {"pageId": page}})).await;
        assert_eq!((&started["page"]["quiz"]["checking"], &started["attempt"]["checked"]), (&json!("EACH_QUESTION"), &json!([])));
        let ticket = &started["attempt"]["ticket"];
        let check = async |answer: Value| {
            let input = json!({"pageId": page, "ticket": ticket, "elapsedSeconds": 0.0, "answer": answer});
            server.data(&school.learner, &check(), json!({"i": input})).await
        };
        let wrong = check(json!({"questionId": SUM, "number": "5"})).await;
        assert_eq!((&wrong["outcome"], &wrong["error"], &wrong["elapsedSeconds"]), (&json!("CHECKED"), &Value::Null, &json!(0.0)));
        assert_eq!(wrong["answer"], json!({"questionId": SUM, "number": "5"}));
        let key = json!({"questionId": SUM, "number": "4"});
        assert_eq!((&wrong["result"]["correct"], &wrong["result"]["correctAnswer"]), (&json!(false), &key));
        assert_eq!(check(json!({"questionId": SUM, "number": "4"})).await, wrong);
        let manual = check(json!({"questionId": ESSAY, "content": "Because."})).await;
        assert_eq!((&manual["result"]["isWaiting"], &manual["result"]["correct"]), (&json!(true), &Value::Null));

        let save = json!({"pageId": page, "ticket": ticket, "elapsedSeconds": 0.0, "answers": [{"questionId": SUM, "number": "4"}]});
        let saved = server.data(&school.learner, SAVE, json!({"i": save})).await;
        assert_eq!(saved, json!({"outcome": "SAVED", "fixedQuestionIds": [SUM]}));
        let query = format!("query($id: ID!) {{ page(id: $id) {{ quiz {{ questions {{ id }} }} runningAttempt {{ checked {{ {RESULT} }} }} }} }}");
        let read = server.data(&school.learner, &query, json!({"id": page})).await;
        assert_eq!(read["runningAttempt"]["checked"], json!([wrong["result"], manual["result"]]));
        assert!(!read.to_string().contains("731973"), "{read}");
        let submitted = server.data(&school.learner, SUBMIT, json!({"i": {"pageId": page, "answers": [{"questionId": SUM, "number": "4"}]}})).await;
        assert_eq!(submitted["attempt"], json!({"score": 0.0, "waitingAnswers": 1}));
        let ended = check(json!({"questionId": LAST, "text": "x"})).await;
        assert_eq!((&ended["outcome"], &ended["result"], ended["error"].is_string()), (&json!("ENDED"), &Value::Null, true));
    }

    async fn wrong_checks_are_refused(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let (school, page) = class(&kurso, "each_question").await;
        let started = server.data(&school.learner, START, json!({"i": {"pageId": page}})).await;
        let ticket = &started["attempt"]["ticket"];
        let input = |ticket: &Value, elapsed: f64, answer: Value| json!({"i": {"pageId": page, "ticket": ticket, "elapsedSeconds": elapsed, "answer": answer}});
        let text = json!({"questionId": LAST, "text": "x"});
        let empty = json!({"questionId": LAST, "text": " "});
        assert_eq!(server.bad_fields(&school.learner, &check(), input(ticket, 0.0, empty)).await, ["answer nothing_to_check"]);
        assert_eq!(server.bad_fields(&school.learner, &check(), input(ticket, -1.0, text.clone())).await, ["elapsedSeconds value_error"]);
        assert_eq!(server.refusal(&school.learner, &check(), input(&json!("forged"), 0.0, text.clone())).await, "FORBIDDEN");
        assert_eq!(server.refusal(&school.owner, &check(), input(ticket, 0.0, text.clone())).await, "FORBIDDEN");
        kurso.clock.advance(chrono::Duration::seconds(200));
        let late = server.data(&school.learner, &check(), input(ticket, 0.0, text)).await;
        assert_eq!((&late["outcome"], &late["answer"]), (&json!("TIME_OVER"), &Value::Null));
    }

    async fn a_quiz_that_is_checked_at_the_end_rejects_single_checks(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let (school, page) = class(&kurso, "at_end").await;
        let started = server.data(&school.learner, START, json!({"i": {"pageId": page}})).await;
        let input = json!({"pageId": page, "ticket": started["attempt"]["ticket"], "elapsedSeconds": 0.0, "answer": {"questionId": LAST, "text": "x"}});
        assert_eq!(server.refusal(&school.learner, &check(), json!({"i": input})).await, "CONFLICT");
    }
}
