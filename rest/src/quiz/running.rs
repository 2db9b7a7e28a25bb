//! Attempts at quizzes with a time limit or with draws from question banks: starting one, and saving its answers.

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

use super::answers::QuizConflict;
use super::learner::LearnerQuiz;
use super::write::SaveAnswers;
use crate::KursoState;
use crate::error::{Error, Result};
use crate::extract::Path;
use crate::fields::Command;
use crate::openapi_parts::{CourseRefusals, HTTPError};

/// A running attempt at a quiz with a time limit or with draws from question banks.
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
    /// Proof of the start, which `save_answers` needs.
    pub ticket: String,
    /// The saved answers, in the form in which they are sent, with files in place of their IDs.
    #[schema(value_type = Vec<Object>)]
    pub answers: Vec<quiz::Answer>,
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
    /// Seconds since the start of the attempt, at the moment of this response.
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
        }
    }
}

/// Start an attempt at a quiz with a time limit or with draws
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
            description = "The quiz has neither draws nor a time limit for the learner, no attempts are left, a bank has too few questions to draw \
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
/// Saves answers as they are given. A repeated or delayed request never replaces a later answer. The answers may break the rules of a submission,
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
        running::Saved::Stored { elapsed } => Ok(Json(SavedAnswers {
            elapsed_seconds: elapsed,
        })),
        running::Saved::TimeIsOver { .. } => Err(conflict(Text::TimeIsOver)),
        running::Saved::Ended => Err(conflict(Text::AttemptEnded)),
    }
}

fn conflict(message: Text) -> Error {
    kurso_base::error::Error::Conflict(message).into()
}
