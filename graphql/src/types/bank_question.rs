use std::sync::Arc;

use async_graphql::{Context, ID, Object, Result};
use kurso_core::banks;

use super::loaders::{Loaders, VersionsOf};
use super::{DateTime, Document, PersonName, id_of, int};
use crate::cost;

pub struct BankQuestion {
    question: banks::Question,
    loaders: Arc<Loaders>,
}

impl BankQuestion {
    /// The questions of a list, which share loaders.
    pub fn list(questions: Vec<banks::Question>) -> Vec<Self> {
        BankQuestion::among(questions, &Arc::default())
    }

    pub(super) fn among(questions: Vec<banks::Question>, loaders: &Arc<Loaders>) -> Vec<Self> {
        let question = |question| BankQuestion {
            question,
            loaders: loaders.clone(),
        };
        questions.into_iter().map(question).collect()
    }
}

impl From<banks::Question> for BankQuestion {
    fn from(question: banks::Question) -> Self {
        BankQuestion {
            question,
            loaders: Arc::default(),
        }
    }
}

/// A question of a bank.
#[Object]
impl BankQuestion {
    /// Unique ID.
    async fn id(&self) -> ID {
        id_of(self.question.id)
    }
    /// ID of its bank.
    async fn bank_id(&self) -> ID {
        id_of(self.question.bank)
    }
    /// Version number, from 1; incremented by each change of the question itself.
    async fn version(&self) -> i32 {
        int(self.question.version)
    }
    /// Kind as in the author's form, such as `single_choice`.
    async fn kind(&self) -> &str {
        &self.question.kind
    }
    /// The question in the author's form, see docs/quizzes.md.
    #[graphql(complexity = "cost::BANK_QUESTION")]
    async fn question(&self) -> Document {
        Document::Stored(self.question.question.as_str().into())
    }
    /// Its tags, by name.
    async fn tags(&self) -> &[String] {
        &self.question.tags
    }
    /// Whether a published quiz could contain it; draws take only such questions.
    async fn is_complete(&self) -> bool {
        self.question.is_complete
    }
    /// When it was changed.
    async fn changed_at(&self) -> DateTime {
        DateTime(self.question.changed_at)
    }
    /// Who changed it; null when the account is deleted.
    async fn changed_by(&self) -> Option<PersonName> {
        self.question.changed_by.as_ref().map(PersonName::from)
    }
    /// Its earlier versions, the newest first, at most 100.
    #[graphql(complexity = "cost::list(cost::BANK_VERSIONS, cost::DOCUMENT.saturating_add(child_complexity))")]
    async fn versions(&self, ctx: &Context<'_>) -> Result<Vec<BankQuestionVersion>> {
        let versions = self.loaders.load(ctx, VersionsOf(self.question.id)).await?;
        let versions = versions.unwrap_or_default();
        cost::spend(ctx, versions.len())?;
        Ok(versions.iter().cloned().map(BankQuestionVersion).collect())
    }
}

pub struct BankQuestionVersion(banks::Version);

/// An earlier version of a question of a bank.
#[Object]
impl BankQuestionVersion {
    /// Version number.
    async fn version(&self) -> i32 {
        int(self.0.version)
    }
    /// The question in the author's form.
    #[graphql(complexity = "cost::BANK_QUESTION")]
    async fn question(&self) -> Document {
        Document::Stored(self.0.question.as_str().into())
    }
    /// When this version was saved.
    async fn changed_at(&self) -> DateTime {
        DateTime(self.0.changed_at)
    }
    /// Who saved it; null when the account is deleted.
    async fn changed_by(&self) -> Option<PersonName> {
        self.0.changed_by.as_ref().map(PersonName::from)
    }
}
