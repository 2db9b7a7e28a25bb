//! The full-text search in tests that write pages without a save.

use kurso_base::ids::{BankQuestionId, PageId};
use uuid::Uuid;

use super::TestKurso;
use crate::search_index;

impl TestKurso {
    /// Indexes a page for the search, as a save does.
    pub async fn index(&self, page: PageId) {
        search_index::reindex_page(&self.db, page).await.unwrap();
    }

    /// Indexes a question of a bank for the search, as a save does.
    pub async fn index_bank_question(&self, question: Uuid) {
        search_index::reindex_question(&self.db, BankQuestionId(question))
            .await
            .unwrap();
    }
}
