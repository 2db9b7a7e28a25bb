//! Mutations of question banks.

use async_graphql::{Context, ID, InputObject, Object, Result, SimpleObject};
use kurso_base::ids::{BankId, BankQuestionId, UserId};
use kurso_base::messages::Message;
use kurso_core::banks::{
    self, AddQuestions, BankTitle, DeleteQuestions, ShareBank, TagQuestions, UpdateQuestion, Updated,
};
use serde_json::{Value, json};

use crate::context::{self, kurso, origin, viewer};
use crate::cost;
use crate::error::wrap;
use crate::input::{command, ids};
use crate::language::say;
use crate::types::{Bank, BankQuestion, BankRole, Document, id_of};

#[derive(Default)]
pub struct BanksMutation;

/// A new bank.
#[derive(InputObject)]
pub struct CreateBankInput {
    /// 1 to 255 characters.
    title: String,
}

/// A bank to rename.
#[derive(InputObject)]
pub struct UpdateBankInput {
    /// ID of the bank.
    bank_id: ID,
    /// 1 to 255 characters.
    title: String,
}

/// A bank.
#[derive(InputObject)]
pub struct BankInput {
    /// ID of the bank.
    bank_id: ID,
}

/// A bank as it is now.
#[derive(SimpleObject)]
pub struct BankPayload {
    /// The bank.
    bank: Bank,
}

/// Outcome of deleting a bank.
#[derive(SimpleObject)]
pub struct DeleteBankPayload {
    /// ID of the deleted bank.
    bank_id: ID,
    /// The result in words, in the language of the request.
    message: String,
}

/// A question to add to a bank.
#[derive(InputObject)]
pub struct NewBankQuestionInput {
    /// The question in the author's form; its `id` is ignored.
    question: Document,
    /// At most 20 tags of 1 to 50 characters.
    tags: Option<Vec<String>>,
}

/// Questions to add to a bank.
#[derive(InputObject)]
pub struct AddBankQuestionsInput {
    /// ID of the bank.
    bank_id: ID,
    /// 1 to 500 questions.
    questions: Vec<NewBankQuestionInput>,
}

/// The added questions.
#[derive(SimpleObject)]
pub struct AddBankQuestionsPayload {
    /// In the order of the input.
    #[graphql(complexity = "cost::list(cost::QUESTIONS, child_complexity)")]
    questions: Vec<BankQuestion>,
    /// The bank.
    bank: Bank,
}

/// Changes of a question of a bank. Absent fields keep their values.
#[derive(InputObject)]
pub struct UpdateBankQuestionInput {
    /// ID of the question.
    question_id: ID,
    /// The version that the change is based on.
    version: i32,
    /// The question in the author's form.
    question: Option<Document>,
    /// All its tags.
    tags: Option<Vec<String>>,
}

/// Outcome of changing a question of a bank.
#[derive(SimpleObject)]
pub struct UpdateBankQuestionPayload {
    /// The question as it is now.
    question: BankQuestion,
    /// Whether nothing was saved because somebody has changed the question since the `version` of the input.
    is_conflict: bool,
}

/// Tags to give to questions or to take from them.
#[derive(InputObject)]
pub struct TagBankQuestionsInput {
    /// ID of the bank.
    bank_id: ID,
    /// 1 to 500 questions of it.
    question_ids: Vec<ID>,
    /// Tags to give.
    add: Option<Vec<String>>,
    /// Tags to take away.
    remove: Option<Vec<String>>,
}

/// Questions to delete.
#[derive(InputObject)]
pub struct DeleteBankQuestionsInput {
    /// ID of the bank.
    bank_id: ID,
    /// 1 to 500 questions of it.
    question_ids: Vec<ID>,
}

/// A colleague to share a bank with.
#[derive(InputObject)]
pub struct ShareBankInput {
    /// ID of the bank.
    bank_id: ID,
    /// Email address of an active account.
    email: String,
    /// EDITOR or VIEWER.
    role: BankRole,
}

/// A colleague who no longer uses a bank.
#[derive(InputObject)]
pub struct UnshareBankInput {
    /// ID of the bank.
    bank_id: ID,
    /// ID of the colleague; members may remove themselves.
    user_id: ID,
}

/// Outcome of ending the sharing of a bank.
#[derive(SimpleObject)]
pub struct UnshareBankPayload {
    /// The bank; null when the caller can no longer read it.
    bank: Option<Bank>,
}

impl From<banks::Bank> for BankPayload {
    fn from(bank: banks::Bank) -> Self {
        BankPayload { bank: bank.into() }
    }
}

impl From<NewBankQuestionInput> for Value {
    fn from(new: NewBankQuestionInput) -> Self {
        json!({"question": Value::from(new.question), "tags": new.tags})
    }
}

#[Object]
impl BanksMutation {
    /// Creates a question bank; CONFLICT when the caller has 200.
    async fn create_bank(&self, ctx: &Context<'_>, input: CreateBankInput) -> Result<BankPayload> {
        let viewer = viewer(ctx)?;
        let new = command!(
            ctx,
            BankTitle {
                title: required(input.title)
            }
        );
        let bank = banks::create(kurso(ctx), viewer, new).await.map_err(wrap(ctx))?;
        Ok(bank.into())
    }

    /// Renames a question bank. Owner only.
    async fn update_bank(&self, ctx: &Context<'_>, input: UpdateBankInput) -> Result<BankPayload> {
        let viewer = viewer(ctx)?;
        let id: BankId = context::id(ctx, "bank_id", &input.bank_id)?;
        let title = command!(
            ctx,
            BankTitle {
                title: required(input.title)
            }
        );
        let bank = banks::rename(kurso(ctx), viewer, id, title).await.map_err(wrap(ctx))?;
        Ok(bank.into())
    }

    /// Deletes a question bank; CONFLICT while a quiz draws from it. Copies of its questions in quizzes stay. Owner and superusers.
    async fn delete_bank(&self, ctx: &Context<'_>, input: BankInput) -> Result<DeleteBankPayload> {
        let viewer = viewer(ctx)?;
        let id: BankId = context::id(ctx, "bank_id", &input.bank_id)?;
        banks::delete(kurso(ctx), viewer, id).await.map_err(wrap(ctx))?;
        Ok(DeleteBankPayload {
            bank_id: id_of(id),
            message: say(ctx, Message::BankDeleted),
        })
    }

    /// Adds questions to a bank; CONFLICT when it would have more than 5,000. Owner and editors.
    async fn add_bank_questions(
        &self,
        ctx: &Context<'_>,
        input: AddBankQuestionsInput,
    ) -> Result<AddBankQuestionsPayload> {
        let viewer = viewer(ctx)?;
        let id: BankId = context::id(ctx, "bank_id", &input.bank_id)?;
        let questions = Value::from_iter(input.questions);
        let new = command!(
            ctx,
            AddQuestions {
                questions: required(questions)
            }
        );
        let (questions, bank) = banks::add_questions(kurso(ctx), viewer, id, new)
            .await
            .map_err(wrap(ctx))?;
        cost::spend(ctx, questions.len())?;
        Ok(AddBankQuestionsPayload {
            questions: BankQuestion::list(questions),
            bank: bank.into(),
        })
    }

    /// Changes a question of a bank or its tags. Owner and editors.
    async fn update_bank_question(
        &self,
        ctx: &Context<'_>,
        input: UpdateBankQuestionInput,
    ) -> Result<UpdateBankQuestionPayload> {
        let viewer = viewer(ctx)?;
        let id: BankQuestionId = context::id(ctx, "question_id", &input.question_id)?;
        let change = command!(
            ctx,
            UpdateQuestion {
                version: required(input.version),
                question: optional(input.question),
                tags: optional(input.tags),
            }
        );
        let updated = banks::update_question(kurso(ctx), viewer, id, change)
            .await
            .map_err(wrap(ctx))?;
        let (question, is_conflict) = match updated {
            Updated::Saved(question) => (question, false),
            Updated::Conflict(stored) => (stored, true),
        };
        Ok(UpdateBankQuestionPayload {
            question: question.into(),
            is_conflict,
        })
    }

    /// Gives tags to questions of a bank, or takes them away. Owner and editors.
    async fn tag_bank_questions(&self, ctx: &Context<'_>, input: TagBankQuestionsInput) -> Result<BankPayload> {
        let viewer = viewer(ctx)?;
        let id: BankId = context::id(ctx, "bank_id", &input.bank_id)?;
        let change = command!(
            ctx,
            TagQuestions {
                question_ids: required(ids(input.question_ids)),
                add: optional(input.add),
                remove: optional(input.remove),
            }
        );
        let bank = banks::tag_questions(kurso(ctx), viewer, id, change)
            .await
            .map_err(wrap(ctx))?;
        Ok(bank.into())
    }

    /// Deletes questions of a bank. Their copies in quizzes and what attempts drew stay. Owner and editors.
    async fn delete_bank_questions(&self, ctx: &Context<'_>, input: DeleteBankQuestionsInput) -> Result<BankPayload> {
        let viewer = viewer(ctx)?;
        let id: BankId = context::id(ctx, "bank_id", &input.bank_id)?;
        let gone = command!(
            ctx,
            DeleteQuestions {
                question_ids: required(ids(input.question_ids))
            }
        );
        let bank = banks::delete_questions(kurso(ctx), viewer, id, gone)
            .await
            .map_err(wrap(ctx))?;
        Ok(bank.into())
    }

    /// Shares a bank with a colleague, or changes the colleague's role. Owner only.
    async fn share_bank(&self, ctx: &Context<'_>, input: ShareBankInput) -> Result<BankPayload> {
        let viewer = viewer(ctx)?;
        let id: BankId = context::id(ctx, "bank_id", &input.bank_id)?;
        let with = command!(
            ctx,
            ShareBank {
                email: required(input.email),
                role: required(input.role.name().to_owned()),
            }
        );
        let bank = banks::share(kurso(ctx), viewer, &origin(ctx), id, with)
            .await
            .map_err(wrap(ctx))?;
        Ok(bank.into())
    }

    /// Ends the sharing of a bank with a colleague. The owner, and members for themselves.
    async fn unshare_bank(&self, ctx: &Context<'_>, input: UnshareBankInput) -> Result<UnshareBankPayload> {
        let viewer = viewer(ctx)?;
        let bank: BankId = context::id(ctx, "bank_id", &input.bank_id)?;
        let user: UserId = context::id(ctx, "user_id", &input.user_id)?;
        let bank = banks::unshare(kurso(ctx), viewer, bank, user)
            .await
            .map_err(wrap(ctx))?;
        Ok(UnshareBankPayload {
            bank: bank.map(Bank::from),
        })
    }
}
