//! Running attempts: starting one, saving its answers and checking them.

use axum::Json;
use axum::extract::State;
use chrono::{DateTime, Utc};
use kurso_base::ids::PageId;
use kurso_base::messages::Message as Text;
use kurso_base::wire;
use kurso_core::access::Viewer;
use kurso_core::attempts::{self, running};
use kurso_formats::quiz;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::answers::{QuestionResult, QuizConflict};
use super::learner::LearnerQuiz;
use super::write::{CheckAnswer, SaveAnswers};
use crate::KursoState;
use crate::error::{Error, Result};
use crate::extract::Path;
use crate::fields::Command;
use crate::openapi_parts::{CourseRefusals, HTTPError};

/// A running attempt at a quiz that has a time limit or draws or is checked question by question.
#[derive(Serialize, ToSchema)]
pub struct RunningAttempt {
    /// Number of the attempt, from 1.
    pub attempt_no: i64,
    #[serde(serialize_with = "wire::time")]
    pub started_at: DateTime<Utc>,
    /// Null when it has no end.
    #[serde(serialize_with = "wire::optional_time")]
    #[schema(required)]
    pub ends_at: Option<DateTime<Utc>>,
    /// Seconds between the start and the end; null when it has no end.
    #[schema(required)]
    pub duration_seconds: Option<f64>,
    /// Seconds since the start, at the moment of this response.
    pub elapsed_seconds: f64,
    /// Seconds after the end in which answers that were given in time are still accepted; 0 when it has no end.
    pub grace_seconds: i64,
    /// Proof of the start, which `save_answers` and `check_answer` need.
    pub ticket: String,
    /// The saved answers, in the form in which they are sent, with files in place of their IDs.
    #[schema(value_type = Vec<Object>)]
    pub answers: Vec<quiz::Answer>,
    /// The results of the checked questions. Their answers are fixed. Explanations and correct answers are included as `reveal` allows:
    /// with `after_pass`, once an earlier attempt has passed.
    #[schema(value_type = Vec<QuestionResult>)]
    pub checked: Vec<attempts::QuestionResult>,
}

/// A started attempt.
#[derive(Serialize, ToSchema)]
pub struct StartedAttempt {
    pub attempt: RunningAttempt,
    #[schema(value_type = LearnerQuiz)]
    pub quiz: quiz::LearnerQuiz,
}

/// Answers were saved.
#[derive(Serialize, ToSchema)]
pub struct SavedAnswers {
    /// Seconds from the start of the attempt to this response.
    pub elapsed_seconds: f64,
    /// Those of the questions whose answers were not saved, because they were checked before.
    pub fixed_question_ids: Vec<Uuid>,
}

/// A checked answer.
#[derive(Serialize, ToSchema)]
pub struct CheckedAnswer {
    /// The answer that counts: that of the first check.
    #[schema(value_type = Object)]
    pub answer: quiz::Answer,
    #[schema(value_type = QuestionResult)]
    pub result: attempts::QuestionResult,
    /// Seconds from the start of the attempt to this response.
    pub elapsed_seconds: f64,
}

impl From<attempts::RunningAttempt> for RunningAttempt {
    fn from(attempt: attempts::RunningAttempt) -> Self {
        RunningAttempt {
            attempt_no: attempt.attempt_no,
            started_at: attempt.started_at,
            ends_at: attempt.ends_at,
            duration_seconds: attempt.duration,
            elapsed_seconds: attempt.elapsed,
            grace_seconds: attempt.grace,
            ticket: attempt.ticket,
            answers: attempt.answers,
            checked: attempt.checked,
        }
    }
}

/// Start a running attempt
///
/// Returns the attempt and the questions; if an attempt is running, that one. Its time ends on the server, which then grades the saved answers.
/// Learners only.
#[utoipa::path(
    post, path = "/api/v1/courses/start_attempt/{page_id}", operation_id = "courses-start_attempt", tag = "courses",
    responses(
        CourseRefusals,
        (status = 200, description = "The running attempt", body = StartedAttempt),
        (
            status = 409,
            description = "Attempts at the quiz are not started: it has neither draws nor a time limit for the learner, and is checked at the end. Or no attempts are left, a bank has too few questions to draw \
                           from, or the page is locked or closed",
            body = QuizConflict,
        ),
    )
)]
pub async fn start_attempt(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<PageId>,
) -> Result<Json<StartedAttempt>> {
    let started = running::start(&kurso, &viewer, id).await?;
    Ok(Json(StartedAttempt {
        attempt: started.attempt.into(),
        quiz: started.quiz.quiz,
    }))
}

/// Save answers of a running attempt
///
/// Saves answers as they are given. A repeated or delayed request never replaces a later answer, and none replaces a checked one. The answers may break the rules of a submission,
/// but not its sizes. Learners only.
#[utoipa::path(
    put, path = "/api/v1/courses/save_answers/{page_id}", operation_id = "courses-save_answers", tag = "courses",
    request_body = SaveAnswers,
    responses(
        CourseRefusals,
        (status = 200, description = "Saved", body = SavedAnswers),
        (
            status = 409,
            description = "The answers were given too late or arrive after the grace period, the attempt has ended, or the page is locked",
            body = HTTPError,
        ),
    )
)]
pub async fn save_answers(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<PageId>,
    Command(save): Command<SaveAnswers>,
) -> Result<Json<SavedAnswers>> {
    match running::save(&kurso, &viewer, id, save).await? {
        running::Saved::Stored { elapsed, fixed } => Ok(Json(SavedAnswers {
            elapsed_seconds: elapsed,
            fixed_question_ids: fixed,
        })),
        running::Saved::TimeIsOver { .. } => Err(conflict(Text::TimeIsOver)),
        running::Saved::Ended => Err(conflict(Text::AttemptEnded)),
    }
}

/// Check an answer of a running attempt
///
/// Fixes the answer to one question of a quiz that is checked question by question, and returns its result. A repeated check returns
/// the first result, even if it sends another answer. The answer must follow the rules of a submission and may not be empty. Learners only.
#[utoipa::path(
    post, path = "/api/v1/courses/check_answer/{page_id}", operation_id = "courses-check_answer", tag = "courses",
    request_body = CheckAnswer,
    responses(
        CourseRefusals,
        (status = 200, description = "Checked", body = CheckedAnswer),
        (
            status = 409,
            description = "The quiz of the attempt is checked at the end, the answer was given too late or arrives after the grace period, the \
                           attempt has ended, or the page is locked",
            body = HTTPError,
        ),
    )
)]
pub async fn check_answer(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<PageId>,
    Command(check): Command<CheckAnswer>,
) -> Result<Json<CheckedAnswer>> {
    match running::check(&kurso, &viewer, id, check).await? {
        running::Checked::Done(checked) => Ok(Json(CheckedAnswer {
            answer: checked.answer,
            result: checked.result,
            elapsed_seconds: checked.elapsed,
        })),
        running::Checked::TimeIsOver { .. } => Err(conflict(Text::TimeIsOver)),
        running::Checked::Ended => Err(conflict(Text::AttemptEnded)),
    }
}

fn conflict(message: Text) -> Error {
    kurso_base::error::Error::Conflict(message).into()
}
