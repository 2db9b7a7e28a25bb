//! Quizzes with a time limit. The rules are tested in the core.

use chrono::Duration;
use kurso_base::ids::PageId;
use kurso_core::attempts::running::{MARGIN, finish_due};
use kurso_core::both;
use kurso_core::courses::tree::PageKind::Quiz;
use kurso_core::testing::TestKurso;
use serde_json::{Value, json};

use crate::support::{School, Server};

const QUESTION: &str = "0198f000-0000-7000-8000-0000000000b1";

const RUNNING: &str = "attemptNo startedAt endsAt durationSeconds elapsedSeconds graceSeconds ticket answers { questionId ... on NumberAnswer { number } }";
const SAVE: &str = "mutation($i: SaveAnswersInput!) { saveAnswers(input: $i) { outcome error elapsedSeconds } }";

fn page_fields() -> String {
    format!(
        "attemptsLeft quiz {{ timeLimitSeconds graceSeconds questionCount questions {{ id }} }} runningAttempt {{ {RUNNING} }} attempts {{ percent }}"
    )
}

fn start() -> String {
    format!(
        "mutation($i: StartAttemptInput!) {{ startAttempt(input: $i) {{ error attempt {{ {RUNNING} }} page {{ {} }} }} }}",
        page_fields()
    )
}

async fn class(kurso: &TestKurso) -> (School, PageId) {
    let school = School::open(kurso).await;
    let page = kurso.page(school.course, school.lessons[0], 2, Quiz, true).await;
    let quiz = json!({"max_attempts": 1, "time_limit_seconds": 60, "grace_seconds": 5, "questions": [
        {"type": "numeric", "id": QUESTION, "prompt": "2 + 2?", "value": 4},
    ]});
    kurso.set_quiz(page, &quiz).await;
    (school, page)
}

both! {
    async fn an_attempt_is_started_saved_and_ended_by_the_server(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let (school, page) = class(&kurso).await;
        let query = format!("query($id: ID!) {{ page(id: $id) {{ {} }} }}", page_fields());
        let read = async || server.data(&school.learner, &query, json!({"id": page})).await;
        let start = async || server.data(&school.learner, &start(), json!({"i": {"pageId": page}})).await;
        let before = read().await;
        assert_eq!(before["quiz"], json!({"timeLimitSeconds": 60, "graceSeconds": 5, "questionCount": 1, "questions": []}));
        assert_eq!(before["runningAttempt"], Value::Null);

        let started = start().await;
        let attempt = started["attempt"].clone();
        assert_eq!((&attempt["attemptNo"], &attempt["durationSeconds"], &attempt["elapsedSeconds"]), (&json!(1), &json!(60.0), &json!(0.0)));
        assert_eq!((&started["page"]["runningAttempt"], &started["page"]["quiz"]["questions"]), (&attempt, &json!([{"id": QUESTION}])));
        let save = async |elapsed: f64, number: &str| {
            let input = json!({"pageId": page, "ticket": attempt["ticket"], "elapsedSeconds": elapsed,
                "answers": [{"questionId": QUESTION, "number": number}]});
            server.data(&school.learner, SAVE, json!({"i": input})).await
        };
        kurso.clock.advance(Duration::seconds(10));
        assert_eq!(save(10.0, "4").await, json!({"outcome": "SAVED", "error": null, "elapsedSeconds": 10.0}));
        assert_eq!(read().await["runningAttempt"]["answers"], json!([{"questionId": QUESTION, "number": "4"}]));
        kurso.clock.advance(Duration::seconds(52));
        let late = save(61.0, "5").await;
        assert_eq!((&late["outcome"], &late["elapsedSeconds"]), (&json!("TIME_OVER"), &json!(62.0)));
        kurso.clock.advance(Duration::seconds(4) + MARGIN);
        assert_eq!(finish_due(&kurso).await.unwrap(), 1);
        assert_eq!(save(1.0, "5").await["outcome"], "ENDED");
        let after = read().await;
        assert_eq!((&after["runningAttempt"], &after["attempts"]), (&Value::Null, &json!([{"percent": 100}])));
        let none_left = start().await;
        assert_eq!((&none_left["attempt"], none_left["error"].is_string()), (&Value::Null, true));
    }

    async fn wrong_saves_are_refused(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let (school, page) = class(&kurso).await;
        let started = server.data(&school.learner, &start(), json!({"i": {"pageId": page}})).await;
        let ticket = &started["attempt"]["ticket"];
        let input = |ticket: &Value, elapsed: f64, number: &str| {
            json!({"i": {"pageId": page, "ticket": ticket, "elapsedSeconds": elapsed, "answers": [{"questionId": QUESTION, "number": number}]}})
        };
        let bad = server.bad_fields(&school.learner, SAVE, input(ticket, -1.0, "4")).await;
        assert_eq!(bad, ["elapsedSeconds value_error"]);
        let bad = server.bad_fields(&school.learner, SAVE, input(ticket, 1.0, "four")).await;
        assert_eq!(bad.len(), 1);
        for forged in ["forged".to_owned(), "x".repeat(300)] {
            let refusal = server.refusal(&school.learner, SAVE, input(&json!(forged), 1.0, "4")).await;
            assert_eq!(refusal, "FORBIDDEN");
        }
    }
}
