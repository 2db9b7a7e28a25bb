//! Operations on answers to open questions: queue, claims, assessments, release.

pub mod remarks;
pub mod shapes;

use axum::Json;
use axum::extract::State;
use kurso_base::ids::{AttemptId, CourseId, PageId};
use kurso_base::messages::{Lang, Message as Text};
use kurso_core::access::Viewer;
use kurso_core::assessments::{self as core, AnswerId, Assessed};
use uuid::Uuid;

use crate::KursoState;
use crate::error::{Error, Result};
use crate::extract::{AnswersQuery, NextAnswerQuery, Path, Path2, with_path};
use crate::fields::Command;
use crate::message::Message;
use crate::openapi_parts::{AnswerParams, CourseRefusals, GroupParams, PagingParams};
use remarks::UsedRubric;
use shapes::{AnswerAssess, AssessmentConflict, GradingQueue, OpenAnswer};

/// Read the grading queue of a course
///
/// Returns answers to open questions, the oldest first. Owner, editors, teachers and superusers.
#[utoipa::path(
    get, path = "/api/v1/courses/grading_queue/{course_id}", operation_id = "courses-grading_queue", tag = "courses",
    params(
        PagingParams,
        AnswerParams,
        GroupParams,
        ("state" = Option<String>, Query, description = "`waiting` (default), `graded` or `released`", pattern = "^(waiting|graded|released)$"),
    ),
    responses(CourseRefusals, (status = 200, description = "The answers", body = GradingQueue))
)]
pub async fn grading_queue(
    State(kurso): KursoState,
    viewer: Viewer,
    path: Result<Path<CourseId>>,
    query: Result<AnswersQuery>,
) -> Result<Json<GradingQueue>> {
    let (course, query) = with_path(path, query)?;
    let queue = core::grading_queue(&kurso, &viewer, course, &query.filter, query.state, query.page).await?;
    Ok(Json(queue.into()))
}

/// Read the rubrics of a course
///
/// Returns the rubrics of its questions in the order of the course, at most 200, so that another question can take one over. Owner, editors,
/// teachers and superusers.
#[utoipa::path(
    get, path = "/api/v1/courses/rubrics/{course_id}", operation_id = "courses-rubrics", tag = "courses",
    responses(CourseRefusals, (status = 200, description = "The rubrics", body = Vec<UsedRubric>))
)]
pub async fn rubrics(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(course): Path<CourseId>,
) -> Result<Json<Vec<UsedRubric>>> {
    let rubrics = core::course_rubrics(&kurso, &viewer, course).await?;
    Ok(Json(rubrics.into_iter().map(UsedRubric::from).collect()))
}

/// Read an answer to an open question
///
/// Returns the question, the answer and its assessments. Owner, editors, teachers and superusers.
#[utoipa::path(
    get, path = "/api/v1/courses/open_answer/{attempt_id}/{question_id}", operation_id = "courses-open_answer", tag = "courses",
    responses(CourseRefusals, (status = 200, description = "The answer", body = OpenAnswer))
)]
pub async fn open_answer(
    State(kurso): KursoState,
    viewer: Viewer,
    Path2(attempt, question): Path2<AttemptId, Uuid>,
) -> Result<Json<OpenAnswer>> {
    let answer = core::open_answer(&kurso, &viewer, AnswerId { attempt, question }).await?;
    Ok(Json(answer.into()))
}

/// Claim an answer to an open question
///
/// Claims the answer for two minutes, unless another grader has it open, whom `opened_by` then names. Owner and teachers.
#[utoipa::path(
    post, path = "/api/v1/courses/claim_answer/{attempt_id}/{question_id}", operation_id = "courses-claim_answer", tag = "courses",
    responses(CourseRefusals, (status = 200, description = "The answer", body = OpenAnswer))
)]
pub async fn claim_answer(
    State(kurso): KursoState,
    viewer: Viewer,
    Path2(attempt, question): Path2<AttemptId, Uuid>,
) -> Result<Json<OpenAnswer>> {
    let answer = core::claim(&kurso, &viewer, AnswerId { attempt, question }).await?;
    Ok(Json(answer.into()))
}

/// Claim the next answer of the grading queue
///
/// Claims the oldest waiting answer that no other grader has open, and returns it; null when there is none. Owner and teachers.
#[utoipa::path(
    post, path = "/api/v1/courses/claim_next_answer/{course_id}", operation_id = "courses-claim_next_answer", tag = "courses",
    params(AnswerParams, GroupParams),
    responses(CourseRefusals, (status = 200, description = "The answer", body = Option<OpenAnswer>))
)]
pub async fn claim_next_answer(
    State(kurso): KursoState,
    viewer: Viewer,
    path: Result<Path<CourseId>>,
    query: Result<NextAnswerQuery>,
) -> Result<Json<Option<OpenAnswer>>> {
    let (course, NextAnswerQuery(filter)) = with_path(path, query)?;
    let answer = core::claim_next(&kurso, &viewer, course, &filter).await?;
    Ok(Json(answer.map(OpenAnswer::from)))
}

/// Grade an answer to an open question
///
/// The learner sees points, marks and comments at once, or when the points of the quiz are released together. `version` is the version of the
/// answer that the assessment is based on. It takes `points`, or `marks` of the rubric with which the question was asked. Owner and teachers.
#[utoipa::path(
    put, path = "/api/v1/courses/assess_answer/{attempt_id}/{question_id}", operation_id = "courses-assess_answer", tag = "courses",
    request_body = AnswerAssess,
    responses(
        CourseRefusals,
        (status = 200, description = "The answer", body = OpenAnswer),
        (
            status = 409,
            description = "Somebody else has graded it meanwhile, or it has 500 assessments or too many comments in them; `answer` is present in the first case",
            body = AssessmentConflict,
        ),
    )
)]
pub async fn assess_answer(
    State(kurso): KursoState,
    viewer: Viewer,
    Path2(attempt, question): Path2<AttemptId, Uuid>,
    Command(command): Command<AnswerAssess>,
) -> Result<Json<OpenAnswer>> {
    match core::assess(&kurso, &viewer, AnswerId { attempt, question }, command).await? {
        Assessed::Stored(answer) => Ok(Json(answer.into())),
        Assessed::Stale(answer) => Err(Error::outdated(Text::AnswerGraded, "answer", &OpenAnswer::from(answer))),
    }
}

/// Release the points of a quiz
///
/// Shows learners the points and comments of the graded answers at the quiz. Answers that nobody has graded keep waiting. Owner and teachers.
#[utoipa::path(
    post, path = "/api/v1/courses/release_assessments/{page_id}", operation_id = "courses-release_assessments", tag = "courses",
    responses(CourseRefusals, (status = 200, description = "Released", body = Message))
)]
pub async fn release_assessments(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(page): Path<PageId>,
    lang: Lang,
) -> Result<Json<Message>> {
    let released = core::release(&kurso, &viewer, page).await?;
    Ok(Message::say(Text::AssessmentsReleased(released.answers), lang))
}
