//! Submitting and trying quizzes, resetting attempts.

mod answers;
mod author;
mod kinds;
mod learner;
mod write;

use axum::Json;
use axum::extract::State;
use kurso_base::ids::{EnrollmentId, PageId};
use kurso_base::messages::{Lang, Message as Text};
use kurso_core::access::Viewer;
use kurso_core::attempts;
use kurso_formats::quiz::Submission;

use crate::KursoState;
use crate::body::JsonBody;
use crate::error::Result;
use crate::extract::{Path, Path2};
use crate::fields::Fields;
use crate::message::Message;
use crate::openapi_parts::{CourseRefusals, HTTPError};
pub use answers::QuizAttempt;
use answers::{QuizConflict, SubmitQuiz};
pub use author::AuthorQuiz;
pub use learner::LearnerQuiz;

/// Submit Quiz
///
/// Takes a learner's answers to the quiz of a page. A body that does not fit uses no attempt, nor does the same
/// `submission_id` again, which is answered with its attempt.
#[utoipa::path(
    post, path = "/api/v1/courses/submit_quiz/{page_id}", operation_id = "courses-submit_quiz", tag = "courses",
    params(("page_id" = Uuid, Path)), request_body = SubmitQuiz,
    security(("OAuth2PasswordBearer" = [])),
    responses(
        CourseRefusals,
        (status = 200, description = "The attempt", body = QuizAttempt),
        (status = 409, description = "No attempts are left, or the page has changed", body = QuizConflict),
    )
)]
pub async fn submit_quiz(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<PageId>,
    body: JsonBody,
) -> Result<Json<QuizAttempt>> {
    let submitted = attempts::submit(&kurso, &viewer, id, submission(&body)?).await?;
    Ok(Json(QuizAttempt::of(submitted.attempt, submitted.attempts_left)))
}

/// Try Quiz
///
/// Grades the answers of staff to the quiz of a page, published or not, and stores nothing: the answer is what a learner
/// would get for their first attempt. A `submission_id` says nothing here. Owner, editors, teachers and superusers.
#[utoipa::path(
    post, path = "/api/v1/courses/try_quiz/{page_id}", operation_id = "courses-try_quiz", tag = "courses",
    params(("page_id" = Uuid, Path)), request_body = SubmitQuiz,
    security(("OAuth2PasswordBearer" = [])),
    responses(
        CourseRefusals,
        (status = 200, description = "The attempt it would be", body = QuizAttempt),
        (status = 409, description = "The page has changed", body = QuizConflict),
    )
)]
pub async fn try_quiz(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<PageId>,
    body: JsonBody,
) -> Result<Json<QuizAttempt>> {
    let tried = attempts::try_out(&kurso, &viewer, id, submission(&body)?).await?;
    Ok(Json(QuizAttempt::of(tried.attempt, tried.attempts_left)))
}

/// Grant Attempt
///
/// Gives a learner who has no attempts left one more at a quiz; nothing is removed. Owner, editors and teachers.
#[utoipa::path(
    post, path = "/api/v1/courses/grant_attempt/{enrollment_id}/{page_id}",
    operation_id = "courses-grant_attempt", tag = "courses",
    params(("enrollment_id" = Uuid, Path), ("page_id" = Uuid, Path)),
    security(("OAuth2PasswordBearer" = [])),
    responses(
        CourseRefusals,
        (status = 200, description = "Granted", body = Message),
        (status = 409, description = "The learner has attempts left, or the quiz has no limit", body = HTTPError),
    )
)]
pub async fn grant_attempt(
    State(kurso): KursoState,
    viewer: Viewer,
    Path2(enrollment, page): Path2<EnrollmentId, PageId>,
    lang: Lang,
) -> Result<Json<Message>> {
    attempts::grant(&kurso, &viewer, enrollment, page).await?;
    Ok(Message::say(Text::AttemptGranted, lang))
}

/// Reset Attempts
///
/// Removes a learner's attempts at a page. What was completed stays completed. Owner, editors and teachers.
#[utoipa::path(
    post, path = "/api/v1/courses/reset_attempts/{enrollment_id}/{page_id}",
    operation_id = "courses-reset_attempts", tag = "courses",
    params(("enrollment_id" = Uuid, Path), ("page_id" = Uuid, Path)),
    security(("OAuth2PasswordBearer" = [])),
    responses(
        CourseRefusals,
        (status = 200, description = "Removed", body = Message),
    )
)]
pub async fn reset_attempts(
    State(kurso): KursoState,
    viewer: Viewer,
    Path2(enrollment, page): Path2<EnrollmentId, PageId>,
    lang: Lang,
) -> Result<Json<Message>> {
    let removed = attempts::reset(&kurso, &viewer, enrollment, page).await?;
    Ok(Message::say(Text::AttemptsReset(removed), lang))
}

fn submission(body: &JsonBody) -> Result<Submission> {
    Fields::of(&body.0)?; // refuses anything but an object as every body does
    Ok(Submission::read(&body.0)?)
}
