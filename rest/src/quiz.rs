//! Submitting and trying quizzes, resetting attempts.

pub mod answers;
mod author;
pub mod draft;
mod kinds;
mod learner;
pub mod practice;
pub mod rubric;
pub mod running;
mod write;
pub mod zones;

use axum::Json;
use axum::extract::{Request, State};
use kurso_base::ids::{EnrollmentId, PageId};
use kurso_base::messages::{Lang, Message as Text};
use kurso_core::access::Viewer;
use kurso_core::attempts::{self, AnswerUpload};
use uuid::Uuid;

use crate::KursoState;
use crate::error::Result;
use crate::extract::{DraftQuery, GrantQuery, Path, Path2, both};
use crate::fields::Command;
use crate::message::Message;
use crate::openapi_parts::{CourseRefusals, HTTPError, UploadRefusals};
use crate::upload::{FileForm, FileUpload};
pub use answers::QuizAttempt;
use answers::{AnswerFile, QuizConflict};
pub use author::{AuthorQuestion, AuthorQuiz};
pub use learner::LearnerQuiz;
use serde::Serialize;
use utoipa::ToSchema;
use write::SubmitQuiz;

/// The learner has one more attempt.
#[derive(Serialize, ToSchema)]
pub struct Granted {
    /// The result in words, in the language of the request.
    message: String,
    /// What `take_back_attempt` needs to take back exactly what was given.
    grant: String,
}

/// Submit answers to a quiz
///
/// Grades and stores an attempt of the learner. An invalid body uses no attempt. A repeated `submission_id` uses no attempt either
/// and returns the attempt of the first submission.
#[utoipa::path(
    post, path = "/api/v1/courses/submit_quiz/{page_id}", operation_id = "courses-submit_quiz", tag = "courses",
    request_body = SubmitQuiz,
    responses(
        CourseRefusals,
        (status = 200, description = "The attempt", body = QuizAttempt),
        (status = 409, description = "No attempts are left, the quiz has a time limit and no attempt is running, the page has changed since `version`, or it is locked or closed", body = QuizConflict),
    )
)]
pub async fn submit_quiz(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<PageId>,
    Command(submission): Command<SubmitQuiz>,
) -> Result<Json<QuizAttempt>> {
    let submitted = attempts::submit(&kurso, &viewer, id, submission).await?;
    Ok(Json(QuizAttempt::of(submitted.attempt, submitted.attempts_left)))
}

/// Upload a file that answers a question
///
/// Accepts a file of the kinds that the question accepts, not empty and not above the server's limit (200 MB by default). It counts
/// towards the quota of the caller. Only the learner and the staff of the course may read it. A file that is not submitted is deleted
/// after a period (7 days by default). Learners while the page takes attempts, and staff who try the quiz out.
#[utoipa::path(
    post, path = "/api/v1/courses/upload_answer_file/{page_id}/{question_id}",
    operation_id = "courses-upload_answer_file", tag = "courses",
    request_body(content = FileUpload, content_type = "multipart/form-data"),
    responses(
        CourseRefusals, UploadRefusals,
        (status = 200, description = "The file; a submission names its ID", body = AnswerFile),
        (status = 409, description = "No attempts are left, or the page is locked or closed", body = QuizConflict),
    )
)]
pub async fn upload_answer_file(
    State(kurso): KursoState,
    viewer: Viewer,
    Path2(page, question): Path2<PageId, Uuid>,
    request: Request,
) -> Result<Json<AnswerFile>> {
    let form = FileForm::of(request)?;
    let upload = AnswerUpload::begin(&kurso, &viewer, (page, question), form.announced()).await;
    let form = form.read_into(upload).await?;
    Ok(Json(form.sink.finish(&form.filename).await?.into()))
}

/// Try out a quiz as staff
///
/// Grades answers to the quiz of a page, published or not, and stores nothing. The response is what a learner would get for their
/// first attempt. `submission_id` is ignored. Owner, editors, teachers and superusers; with `draft`, owner and editors.
#[utoipa::path(
    post, path = "/api/v1/courses/try_quiz/{page_id}", operation_id = "courses-try_quiz", tag = "courses",
    params(
        ("draft" = Option<bool>, Query, nullable = false,
            description = "True: the quiz is that of the unpublished changes of the page, if it has any, and `version` that of these."),
    ),
    request_body = SubmitQuiz,
    responses(
        CourseRefusals,
        (status = 200, description = "The attempt, which is not stored", body = QuizAttempt),
        (status = 409, description = "The page has changed since `version`", body = QuizConflict),
    )
)]
pub async fn try_quiz(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<PageId>,
    draft: Result<DraftQuery>,
    submission: Result<Command<SubmitQuiz>>,
) -> Result<Json<QuizAttempt>> {
    let (DraftQuery(draft), Command(submission)) = both(draft, submission)?;
    let tried = attempts::try_out(&kurso, &viewer, id, submission, draft).await?;
    Ok(Json(QuizAttempt::of(tried.attempt, tried.attempts_left)))
}

/// Give a learner one more attempt
///
/// For a learner without attempts left at a quiz; no attempt is deleted. Owner, editors and teachers.
#[utoipa::path(
    post, path = "/api/v1/courses/grant_attempt/{enrollment_id}/{page_id}",
    operation_id = "courses-grant_attempt", tag = "courses",
    responses(
        CourseRefusals,
        (status = 200, description = "Granted", body = Granted),
        (status = 409, description = "The learner has attempts left, or the quiz has no limit", body = HTTPError),
    )
)]
pub async fn grant_attempt(
    State(kurso): KursoState,
    viewer: Viewer,
    Path2(enrollment, page): Path2<EnrollmentId, PageId>,
    lang: Lang,
) -> Result<Json<Granted>> {
    let grant = attempts::grant(&kurso, &viewer, enrollment, page).await?;
    Ok(Json(Granted {
        message: Text::AttemptGranted.text(lang),
        grant: grant.to_string(),
    }))
}

/// Take back an attempt that was given to a learner
///
/// Undoes `grant_attempt` while the learner has not used the attempt. Owner, editors and teachers.
#[utoipa::path(
    post, path = "/api/v1/courses/take_back_attempt/{enrollment_id}/{page_id}",
    operation_id = "courses-take_back_attempt", tag = "courses",
    params(
        ("grant" = Option<String>, Query,
            description = "The `grant` of the response that gave the attempt: exactly what it gave is taken back, if there have been no attempt \
                and no other grant since. Without it, one attempt is taken back."),
    ),
    responses(
        CourseRefusals,
        (status = 200, description = "Taken back", body = Message),
        (status = 409, description = "The learner was given no attempt, has used it, or was given another one since", body = HTTPError),
    )
)]
pub async fn take_back_attempt(
    State(kurso): KursoState,
    viewer: Viewer,
    path: Result<Path2<EnrollmentId, PageId>>,
    query: Result<GrantQuery>,
    lang: Lang,
) -> Result<Json<Message>> {
    let (Path2(enrollment, page), GrantQuery(grant)) = both(path, query)?;
    attempts::take_back(&kurso, &viewer, enrollment, page, grant).await?;
    Ok(Message::say(Text::AttemptTakenBack, lang))
}

/// Delete the attempts of a learner at a page
///
/// The learner can then attempt the quiz again. A completion that was reached remains. Owner, editors and teachers.
#[utoipa::path(
    post, path = "/api/v1/courses/reset_attempts/{enrollment_id}/{page_id}",
    operation_id = "courses-reset_attempts", tag = "courses",
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
