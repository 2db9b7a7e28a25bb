//! Quizzes that draw from question banks over HTTP. The rules are tested in the core.

use kurso_base::ids::PageId;
use kurso_core::both;
use kurso_core::courses::tree::PageKind::Quiz;
use kurso_core::testing::exam::{REVEALED, SECRET, exam};
use kurso_db::sql;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{School, Server};

const DRAW: &str = "73197319-7319-7319-8319-0000000000d1";

struct Class<'a> {
    school: School<'a>,
    page: PageId,
    bank: Uuid,
}

/// A quiz that draws the seven questions of the exam that have points.
async fn class<'a>(server: &'a Server, reveal: &str) -> Class<'a> {
    let kurso = &server.kurso;
    let school = School::open(server).await;
    let page = kurso.page(school.course, school.lesson, 3, Quiz, true).await;
    let bank = kurso.bank(&kurso.person("banker").await).await;
    for question in exam(reveal)["questions"].as_array().unwrap() {
        kurso.bank_question(bank, question, &["tag-731973"]).await;
    }
    let draw = json!({"id": DRAW, "type": "draw", "bank_id": bank, "tags": ["tag-731973"], "count": 7});
    kurso
        .set_quiz(
            page,
            &json!({"pass_percent": 100, "reveal": reveal, "questions": [draw]}),
        )
        .await;
    Class { school, page, bank }
}

impl Class<'_> {
    async fn read(&self) -> Value {
        let path = format!("/courses/enrolled_page/{}", self.page);
        self.school.learner.get(&path).await.ok()
    }

    /// Fails if a response for the learner has what none may see.
    fn search(&self, response: &Value, is_revealed: bool) {
        let text = response.to_string();
        let (bank, draw) = (self.bank.to_string(), DRAW.to_owned());
        let never = SECRET.iter().copied().chain([
            bank.as_str(),
            draw.as_str(),
            "tag-731973",
            "\"draw\"",
            "\"pool\"",
            "\"source\"",
        ]);
        let hidden = REVEALED
            .iter()
            .copied()
            .chain(["chosen-731973"])
            .filter(|_| !is_revealed);
        for marker in never.chain(hidden) {
            assert!(!text.contains(marker), "{marker} in {text}");
        }
    }
}

/// Takes the quiz, and searches every response.
async fn take(server: &Server, reveal: &str) {
    let class = class(server, reveal).await;
    let learner = &class.school.learner;
    let before = class.read().await;
    class.search(&before, false);
    let shown = (&before["quiz"]["questions"], &before["quiz"]["question_count"]);
    assert_eq!(shown, (&json!([]), &json!(7)));
    let submit = format!("/courses/submit_quiz/{}", class.page);
    assert_eq!(learner.post_json(&submit, json!({"answers": []})).await.status, 409);

    let path = format!("/courses/start_attempt/{}", class.page);
    let started = learner.post(&path).await.ok();
    class.search(&started, false);
    let attempt = &started["attempt"];
    assert_eq!(
        (&attempt["ends_at"], &attempt["duration_seconds"]),
        (&Value::Null, &Value::Null)
    );
    let questions = &started["quiz"]["questions"];
    assert_eq!(questions.as_array().unwrap().len(), 7);
    let during = class.read().await;
    class.search(&during, false);
    assert_eq!(&during["quiz"]["questions"], questions);

    let is_revealed = reveal == "after_submit";
    let submitted = learner.post_json(&submit, json!({"answers": []})).await.ok();
    class.search(&submitted, is_revealed);
    assert_eq!(&submitted["questions"], questions);
    let after = class.read().await;
    class.search(&after, is_revealed);
    assert_eq!(after["quiz"]["questions"], json!([]));
    assert_eq!(&after["attempts"][0]["questions"], questions);
}

both! {
    async fn nothing_of_a_draw_leaks_if_answers_are_never_shown(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        take(&server, "never").await;
    }

    async fn nothing_of_a_draw_leaks_before_answers_are_shown(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        take(&server, "after_submit").await;
    }

    async fn a_bank_that_is_too_small_has_a_code(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let class = class(&server, "never").await;
        sql!("DELETE FROM bank_questions").execute(&server.kurso.db).await.unwrap();
        let refused = class.school.learner.post(&format!("/courses/start_attempt/{}", class.page)).await;
        assert_eq!(refused.status, 409);
        let body: Value = serde_json::from_slice(&refused.bytes).unwrap();
        assert_eq!(body["code"], "bank_too_small");
    }
}
