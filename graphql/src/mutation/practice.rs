//! Answering practice questions.

use async_graphql::{Context, ID, InputObject, Object, Result, SimpleObject};
use kurso_base::ids::CardId;
use kurso_core::attempts::practice::{self, SetPractice};
use kurso_formats::quiz::{AnswerDraft, PracticeReview};

use super::quiz::QuizAnswerInput;
use crate::context::{self, kurso, viewer};
use crate::error::wrap;
use crate::types::{Answer, DateTime, QuestionResult, given, id_of, int};

#[derive(Default)]
pub struct PracticeMutation;

/// An answer to a practice question.
#[derive(InputObject)]
pub struct AnswerPracticeInput {
    /// ID of the `PracticeQuestion`.
    card_id: ID,
    /// The `reviews` of the question as it was read.
    reviews: i32,
    /// The answer. It may not be empty. Without it, the caller does not remember.
    answer: Option<QuizAnswerInput>,
}

/// The question is answered.
#[derive(SimpleObject)]
pub struct AnswerPracticePayload {
    /// ID of the `PracticeQuestion`.
    card_id: ID,
    /// The answer that counts: that of the first request. Null if the caller did not remember.
    answer: Option<Answer>,
    /// With the correct answer and the explanation.
    result: QuestionResult,
    /// The number of reviews, including this one.
    reviews: i32,
    /// When the question comes again.
    due_at: DateTime,
}

/// Whether a question is practised.
#[derive(InputObject)]
pub struct SetPracticeInput {
    /// ID of the `PracticeQuestion`.
    card_id: ID,
    /// Whether the question is no longer asked.
    is_stopped: bool,
}

/// The question is no longer asked, or asked again.
#[derive(SimpleObject)]
pub struct SetPracticePayload {
    /// ID of the `PracticeQuestion`.
    card_id: ID,
}

#[Object]
impl PracticeMutation {
    /// Answers a practice question. Without an answer, the caller does not remember. A repeated call, with the same `reviews`, returns the first result,
    /// even if it sends another answer. CONFLICT if the question was answered meanwhile or cannot be asked now, and while an attempt at its page is
    /// running.
    async fn answer_practice(&self, ctx: &Context<'_>, input: AnswerPracticeInput) -> Result<AnswerPracticePayload> {
        let id: CardId = context::id(ctx, "card_id", &input.card_id)?;
        let review = PracticeReview {
            reviews: input.reviews.into(),
            answer: input.answer.map(AnswerDraft::from),
        };
        let practised = Box::pin(practice::answer(kurso(ctx), viewer(ctx)?, id, review)).await;
        let practised = practised.map_err(wrap(ctx))?;
        Ok(AnswerPracticePayload {
            card_id: id_of(id),
            answer: practised.answer.map(|answer| given(answer.question_id, &answer.given)),
            result: QuestionResult::from(&practised.result),
            reviews: int(practised.reviews),
            due_at: DateTime(practised.due_at),
        })
    }

    /// Stops practising a question, or practises it again.
    async fn set_practice(&self, ctx: &Context<'_>, input: SetPracticeInput) -> Result<SetPracticePayload> {
        let id: CardId = context::id(ctx, "card_id", &input.card_id)?;
        let set = SetPractice {
            is_stopped: input.is_stopped,
        };
        let set = Box::pin(practice::set(kurso(ctx), viewer(ctx)?, id, set)).await;
        set.map_err(wrap(ctx))?;
        Ok(SetPracticePayload { card_id: id_of(id) })
    }
}
