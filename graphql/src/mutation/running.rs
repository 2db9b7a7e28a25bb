//! Running attempts: starting one, saving its answers and checking them.

use async_graphql::{Context, Enum, ID, InputObject, Object, Result, SimpleObject};
use kurso_base::error::Error;
use kurso_base::ids::PageId;
use kurso_base::messages::Message;
use kurso_core::access::Right;
use kurso_core::attempts::running::{self, Checked, Saved};
use kurso_core::learning::view::CourseView;
use kurso_formats::quiz::{AnswerCheck, AnswerDraft, AnswersSave};

use super::quiz::QuizAnswerInput;
use crate::context::{self, kurso, viewer};
use crate::error::wrap;
use crate::language::say;
use crate::types::{Answer, Page, QuestionResult, RunningAttempt, View, given, id_of};

#[derive(Default)]
pub struct RunningMutation;

/// An attempt to start.
#[derive(InputObject)]
pub struct StartAttemptInput {
    /// ID of the quiz page.
    page_id: ID,
}

/// The running attempt, and the page with its questions.
#[derive(SimpleObject)]
pub struct StartAttemptPayload {
    /// The running attempt; null when no attempts are left.
    attempt: Option<RunningAttempt>,
    /// Reason why nothing was started, in the language of the request.
    error: Option<String>,
    /// The current page.
    page: Page,
}

/// Answers of a running attempt.
#[derive(InputObject)]
pub struct SaveAnswersInput {
    /// ID of the quiz page.
    page_id: ID,
    /// The `ticket` of the running attempt.
    ticket: String,
    /// Seconds between the start of the attempt and the moment when the last of these answers was given.
    elapsed_seconds: f64,
    /// The changed answers, at most one per question. An empty answer removes the saved one.
    answers: Vec<QuizAnswerInput>,
}

/// Outcome of saving answers.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
pub enum SaveAnswersOutcome {
    /// The answers are saved.
    Saved,
    /// The answers were given after the end of the time, or arrived after the grace period; nothing was saved.
    TimeOver,
    /// The attempt was submitted or graded; nothing was saved.
    Ended,
}

/// Outcome of saving answers.
#[derive(SimpleObject)]
pub struct SaveAnswersPayload {
    /// Outcome.
    outcome: SaveAnswersOutcome,
    /// Reason why nothing was saved, in the language of the request.
    error: Option<String>,
    /// Seconds from the start of the attempt to this response; null when it has ended.
    elapsed_seconds: Option<f64>,
    /// IDs of those of the questions whose answers were not saved, because they were checked before.
    fixed_question_ids: Vec<ID>,
}

/// An answer of a running attempt to check.
#[derive(InputObject)]
pub struct CheckAnswerInput {
    /// ID of the quiz page.
    page_id: ID,
    /// The `ticket` of the running attempt.
    ticket: String,
    /// Seconds from the start of the attempt to the learner's request for the check.
    elapsed_seconds: f64,
    /// The answer, which is fixed from then on. It may not be empty.
    answer: QuizAnswerInput,
}

/// Outcome of checking an answer.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
pub enum CheckAnswerOutcome {
    /// The answer is checked and fixed.
    Checked,
    /// The answer was given after the end of the time, or arrived after the grace period; nothing was checked.
    TimeOver,
    /// The attempt was submitted or graded; nothing was checked.
    Ended,
}

/// Outcome of checking an answer.
#[derive(SimpleObject)]
pub struct CheckAnswerPayload {
    /// Outcome.
    outcome: CheckAnswerOutcome,
    /// Reason why nothing was checked, in the language of the request.
    error: Option<String>,
    /// Seconds from the start of the attempt to this response; null when it has ended.
    elapsed_seconds: Option<f64>,
    /// The answer that counts, that of the first check; null when nothing was checked.
    answer: Option<Answer>,
    /// Its result; null when nothing was checked.
    result: Option<QuestionResult>,
}

#[Object]
impl RunningMutation {
    /// Starts the caller's attempt at a quiz that has a time limit or draws or is checked question by question, or returns the running attempt. Its
    /// time ends on the server, which then grades the saved answers. FORBIDDEN without an enrollment; CONFLICT for any other quiz, and if a question
    /// bank has too few questions to draw from.
    async fn start_attempt(&self, ctx: &Context<'_>, input: StartAttemptInput) -> Result<StartAttemptPayload> {
        let viewer = viewer(ctx)?;
        let id: PageId = context::id(ctx, "page_id", &input.page_id)?;
        let (attempt, error) = match running::start(kurso(ctx), viewer, id).await {
            Ok(started) => (Some(RunningAttempt::from(&started.attempt)), None),
            Err(Error::Conflict(message @ Message::OutOfAttempts)) => (None, Some(say(ctx, message))),
            Err(error) => return Err(wrap(ctx)(error)),
        };
        let (view, place) = CourseView::load_by_page(kurso(ctx), viewer, id, Right::Read)
            .await
            .map_err(wrap(ctx))?;
        Ok(StartAttemptPayload {
            attempt,
            error,
            page: Page::at(&View::new(view), place),
        })
    }

    /// Saves answers of the running attempt as they are given. A repeated or delayed call never replaces a later answer, and none
    /// replaces a checked one. They may break the rules of a submission, but not its sizes.
    async fn save_answers(&self, ctx: &Context<'_>, input: SaveAnswersInput) -> Result<SaveAnswersPayload> {
        let viewer = viewer(ctx)?;
        let id: PageId = context::id(ctx, "page_id", &input.page_id)?;
        let answers = input.answers.into_iter().map(AnswerDraft::from).collect();
        let save = AnswersSave::new(input.ticket, input.elapsed_seconds, answers).map_err(wrap(ctx))?;
        let saved = running::save(kurso(ctx), viewer, id, save).await.map_err(wrap(ctx))?;
        let mut fixed_question_ids = vec![];
        let (outcome, message, elapsed_seconds) = match saved {
            Saved::Stored { elapsed, fixed } => {
                fixed_question_ids.extend(fixed.into_iter().map(id_of));
                (SaveAnswersOutcome::Saved, None, Some(elapsed))
            }
            Saved::TimeIsOver { elapsed } => (SaveAnswersOutcome::TimeOver, Some(Message::TimeIsOver), Some(elapsed)),
            Saved::Ended => (SaveAnswersOutcome::Ended, Some(Message::AttemptEnded), None),
        };
        Ok(SaveAnswersPayload {
            outcome,
            error: message.map(|message| say(ctx, message)),
            elapsed_seconds,
            fixed_question_ids,
        })
    }

    /// Checks the answer to one question of the running attempt, and fixes it. A repeated check returns the first result, even if it sends another
    /// answer. The answer must follow the rules of a submission and may not be empty. CONFLICT if the quiz of the attempt is checked at the end.
    async fn check_answer(&self, ctx: &Context<'_>, input: CheckAnswerInput) -> Result<CheckAnswerPayload> {
        let viewer = viewer(ctx)?;
        let id: PageId = context::id(ctx, "page_id", &input.page_id)?;
        let answer = AnswerDraft::from(input.answer);
        let check = AnswerCheck::new(input.ticket, input.elapsed_seconds, answer).map_err(wrap(ctx))?;
        let checked = running::check(kurso(ctx), viewer, id, check).await.map_err(wrap(ctx))?;
        let refused = |outcome, message, elapsed_seconds| CheckAnswerPayload {
            outcome,
            error: Some(say(ctx, message)),
            elapsed_seconds,
            answer: None,
            result: None,
        };
        Ok(match checked {
            Checked::Done(checked) => CheckAnswerPayload {
                outcome: CheckAnswerOutcome::Checked,
                error: None,
                elapsed_seconds: Some(checked.elapsed),
                answer: Some(given(checked.answer.question_id, &checked.answer.given)),
                result: Some(QuestionResult::from(&checked.result)),
            },
            Checked::TimeIsOver { elapsed } => {
                refused(CheckAnswerOutcome::TimeOver, Message::TimeIsOver, Some(elapsed))
            }
            Checked::Ended => refused(CheckAnswerOutcome::Ended, Message::AttemptEnded, None),
        })
    }
}
