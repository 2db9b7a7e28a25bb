//! Question banks in tests.

use kurso_db::sql;
use kurso_formats::quiz::{BankQuestionDraft, StoredBankQuestion};
use serde_json::Value;
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
        let id = Uuid::now_v7();
        let stored = stored(question, id);
        sql!(
            "INSERT INTO bank_questions (id, bank_id, version, question, kind, is_complete, folded, created_at, changed_at)
             VALUES ($1, $2, 1, $3, $4, $5, $6, $7, $7)",
            id,
            bank,
            stored.text,
            stored.kind,
            stored.is_complete,
            stored.folded,
            self.clock.now()
        )
        .execute(&self.db)
        .await
        .unwrap();
        for tag in tags {
            sql!(
                "INSERT INTO bank_question_tags (question_id, tag) VALUES ($1, $2)",
                id,
                *tag
            )
            .execute(&self.db)
            .await
            .unwrap();
        }
        self.index_bank_question(id).await;
        id
    }

    /// Replaces a question of a bank by its next version.
    pub async fn change_bank_question(&self, id: Uuid, question: &Value) {
        let stored = stored(question, id);
        sql!(
            "UPDATE bank_questions SET version = version + 1, question = $2, kind = $3, is_complete = $4, folded = $5 WHERE id = $1",
            id,
            stored.text,
            stored.kind,
            stored.is_complete,
            stored.folded
        )
        .execute(&self.db)
        .await
        .unwrap();
        self.index_bank_question(id).await;
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

/// A question in the author's form, as a bank stores it.
fn stored(question: &Value, id: Uuid) -> StoredBankQuestion {
    let draft: BankQuestionDraft = serde_json::from_value(question.clone()).expect("a question of a bank");
    draft.stored_as(id).unwrap()
}
