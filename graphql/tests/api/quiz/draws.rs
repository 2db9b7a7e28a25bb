//! Quizzes that draw from question banks. The rules are tested in the core.

use kurso_base::ids::PageId;
use kurso_core::both;
use kurso_core::courses::tree::PageKind::Quiz;
use kurso_core::testing::TestKurso;
use kurso_core::testing::exam::{REVEALED, SECRET, exam};
use kurso_db::sql;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{School, Server};

const DRAW: &str = "73197319-7319-7319-8319-0000000000d1";

const QUESTIONS: &str = "questions { __typename id points prompt
  ... on SingleChoiceQuestion { options { id content } } ... on MatchingQuestion { left { id } right { id } } }";

fn page_fields() -> String {
    format!(
        "quiz {{ questionCount {QUESTIONS} }} runningAttempt {{ endsAt durationSeconds graceSeconds }}
         attempts {{ percent {QUESTIONS} results {{ questionId explanation correctAnswer {{ questionId }} }} }}"
    )
}

fn start() -> String {
    format!(
        "mutation($i: StartAttemptInput!) {{ startAttempt(input: $i) {{ error page {{ {} }} }} }}",
        page_fields()
    )
}

async fn class(kurso: &TestKurso) -> (School, PageId, Uuid) {
    let school = School::open(kurso).await;
    let page = kurso.page(school.course, school.lessons[0], 2, Quiz, true).await;
    let bank = kurso.bank(&kurso.person("banker").await).await;
    for question in exam("never")["questions"].as_array().unwrap() {
        kurso.bank_question(bank, question, &["tag-731973"]).await;
    }
    let draw = json!({"id": DRAW, "type": "draw", "bank_id": bank, "tags": ["tag-731973"], "count": 7});
    kurso
        .set_quiz(page, &json!({"reveal": "never", "questions": [draw]}))
        .await;
    (school, page, bank)
}

both! {
    async fn nothing_of_a_draw_leaks(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let (school, page, bank) = class(&kurso).await;
        let bank = bank.to_string();
        let search = |response: &Value| {
            let text = response.to_string();
            let hidden = SECRET.iter().chain(REVEALED).copied();
            for marker in hidden.chain([bank.as_str(), DRAW, "tag-731973", "chosen-731973"]) {
                assert!(!text.contains(marker), "{marker} in {text}");
            }
        };
        let query = format!("query($id: ID!) {{ page(id: $id) {{ {} }} }}", page_fields());
        let read = async || server.data(&school.learner, &query, json!({"id": page})).await;
        let before = read().await;
        assert_eq!((&before["quiz"]["questions"], &before["quiz"]["questionCount"]), (&json!([]), &json!(7)));

        let started = server.data(&school.learner, &start(), json!({"i": {"pageId": page}})).await["page"].clone();
        search(&started);
        assert_eq!(started["runningAttempt"], json!({"endsAt": null, "durationSeconds": null, "graceSeconds": 0}));
        let questions = &started["quiz"]["questions"];
        assert_eq!(questions.as_array().unwrap().len(), 7);
        assert_eq!(&read().await["quiz"]["questions"], questions);

        let submit = "mutation($i: SubmitQuizInput!) { submitQuiz(input: $i) { outcome } }";
        let input = json!({"i": {"pageId": page, "answers": []}});
        server.data(&school.learner, submit, input).await;
        let after = read().await;
        search(&after);
        assert_eq!((&after["quiz"]["questions"], &after["attempts"][0]["questions"]), (&json!([]), questions));
    }

    async fn a_bank_that_is_too_small_is_a_conflict(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let (school, page, _) = class(&kurso).await;
        sql!("DELETE FROM bank_questions").execute(&kurso.db).await.unwrap();
        let refusal = server.refusal(&school.learner, &start(), json!({"i": {"pageId": page}})).await;
        assert_eq!(refusal, "CONFLICT");
    }
}
