//! Question banks in tests.

use kurso_db::sql;
use kurso_formats::quiz;
use serde_json::{Value, json};
use uuid::Uuid;

use super::TestKurso;
use crate::access::Viewer;

impl TestKurso {
    /// A new question bank.
    pub async fn bank(&self, owner: &Viewer) -> Uuid {
        let bank = Uuid::now_v7();
        let now = self.clock.now();
        sql!(
            "INSERT INTO question_banks (id, owner_id, title, created_at, updated_at) VALUES ($1, $2, 'Bank', $3, $3)",
            bank,
            owner.id(),
            now
        )
        .execute(&self.db)
        .await
        .unwrap();
        bank
    }

    /// Adds a question, in the author's form, to a bank.
    pub async fn bank_question(&self, bank: Uuid, question: &Value, tags: &[&str]) -> Uuid {
        let mut quiz = quiz::read(&json!({ "questions": [question] })).expect("a question");
        let is_complete = quiz::require_complete(&quiz).is_ok();
        let mut question = quiz.questions.remove(0);
        question.id = Uuid::now_v7();
        let kind = serde_json::to_value(&question).unwrap()["type"]
            .as_str()
            .unwrap()
            .to_owned();
        sql!(
            "INSERT INTO bank_questions (id, bank_id, version, question, kind, is_complete, folded, created_at, changed_at)
             VALUES ($1, $2, 1, $3, $4, $5, '', $6, $6)",
            question.id,
            bank,
            serde_json::to_string(&question).unwrap(),
            kind,
            is_complete,
            self.clock.now()
        )
        .execute(&self.db)
        .await
        .unwrap();
        for tag in tags {
            sql!(
                "INSERT INTO bank_question_tags (question_id, tag) VALUES ($1, $2)",
                question.id,
                *tag
            )
            .execute(&self.db)
            .await
            .unwrap();
        }
        question.id
    }

    /// Replaces a question of a bank by its next version.
    pub async fn change_bank_question(&self, id: Uuid, question: &Value) {
        let mut quiz = quiz::read(&json!({ "questions": [question] })).expect("a question");
        let mut question = quiz.questions.remove(0);
        question.id = id;
        sql!(
            "UPDATE bank_questions SET version = version + 1, question = $2 WHERE id = $1",
            id,
            serde_json::to_string(&question).unwrap()
        )
        .execute(&self.db)
        .await
        .unwrap();
    }

    /// Shares a bank with a colleague.
    pub async fn share_bank(&self, bank: Uuid, with: &Viewer) {
        sql!(
            "INSERT INTO bank_members (bank_id, user_id, role, created_at) VALUES ($1, $2, 'viewer', $3)",
            bank,
            with.id(),
            self.clock.now()
        )
        .execute(&self.db)
        .await
        .unwrap();
    }
}
