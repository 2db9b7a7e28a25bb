//! Starting attempts at quizzes with a time limit or with draws, and saving their answers.

use async_graphql::{Context, Enum, ID, InputObject, Object, Result, SimpleObject};
use kurso_base::error::Error;
use kurso_base::ids::PageId;
use kurso_base::messages::Message;
use kurso_core::access::Right;
use kurso_core::attempts::running::{self, Saved};
use kurso_core::learning::view::CourseView;
use kurso_formats::quiz::{AnswerDraft, AnswersSave};

use super::quiz::QuizAnswerInput;
use crate::context::{self, kurso, viewer};
use crate::error::wrap;
use crate::language::say;
use crate::types::{Page, RunningAttempt, View};

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
    /// Seconds since the start of the attempt, at the moment of this response; null when it has ended.
    elapsed_seconds: Option<f64>,
}

#[Object]
impl RunningMutation {
    /// Starts the caller's attempt at a quiz with a time limit or with draws, or returns the one that is running. Its time ends on the server,
    /// which then grades the saved answers. FORBIDDEN without an enrollment; CONFLICT for a quiz without both, and if a question bank has too
    /// few questions to draw from.
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

    /// Saves answers of the running attempt as they are given. A repeated or delayed call never replaces a later answer. They may break
    /// the rules of a submission, but not its sizes.
    async fn save_answers(&self, ctx: &Context<'_>, input: SaveAnswersInput) -> Result<SaveAnswersPayload> {
        let viewer = viewer(ctx)?;
        let id: PageId = context::id(ctx, "page_id", &input.page_id)?;
        let answers = input.answers.into_iter().map(AnswerDraft::from).collect();
        let save = AnswersSave::new(input.ticket, input.elapsed_seconds, answers).map_err(wrap(ctx))?;
        let saved = running::save(kurso(ctx), viewer, id, save).await.map_err(wrap(ctx))?;
        let (outcome, message, elapsed_seconds) = match saved {
            Saved::Stored { elapsed } => (SaveAnswersOutcome::Saved, None, Some(elapsed)),
            Saved::TimeIsOver { elapsed } => (SaveAnswersOutcome::TimeOver, Some(Message::TimeIsOver), Some(elapsed)),
            Saved::Ended => (SaveAnswersOutcome::Ended, Some(Message::AttemptEnded), None),
        };
        Ok(SaveAnswersPayload {
            outcome,
            error: message.map(|message| say(ctx, message)),
            elapsed_seconds,
        })
    }
}
