//! Questions that the caller practises.

use axum::Json;
use axum::extract::State;
use chrono::{DateTime, Utc};
use kurso_base::ids::CardId;
use kurso_base::messages::{Lang, Message as Text};
use kurso_base::wire;
use kurso_core::access::Viewer;
use kurso_core::attempts;
use kurso_core::attempts::practice::{self, DueQuestion, SetPractice};
use kurso_formats::quiz;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::answers::QuestionResult;
use super::learner::LearnerQuestion;
use super::write::PracticeAnswer;
use crate::KursoState;
use crate::error::Result;
use crate::extract::Path;
use crate::fields::{Command, body};
use crate::message::Message;
use crate::openapi_parts::{CourseRefusals, HTTPError};

body! {
    PracticeSet -> SetPractice {
        /// Whether the question is no longer asked.
        is_stopped: bool,
    }
}

/// What the caller can practise now.
#[derive(Serialize, ToSchema)]
pub struct Practice {
    /// The number of questions that are due now, at most 100.
    #[schema(maximum = 100)]
    pub due_count: usize,
    /// When the next question that is not due yet becomes due; null if there is none.
    #[serde(serialize_with = "wire::optional_time")]
    #[schema(required)]
    pub next_due_at: Option<DateTime<Utc>>,
    /// Questions that are due, at most 20; those that are due the longest come first.
    pub questions: Vec<PracticeQuestion>,
}

/// A question that is due.
#[derive(Serialize, ToSchema)]
pub struct PracticeQuestion {
    pub id: Uuid,
    /// The number of reviews so far: answers of the caller in attempts and in practice.
    pub reviews: i64,
    pub course_id: Uuid,
    pub course_title: String,
    pub page_id: Uuid,
    /// Null for a page without a title.
    #[schema(required)]
    pub page_title: Option<String>,
    #[schema(value_type = LearnerQuestion)]
    pub question: quiz::LearnerQuestion,
}

/// An answered question.
#[derive(Serialize, ToSchema)]
pub struct PractisedQuestion {
    /// The answer that counts: that of the first request. Null if the caller did not remember.
    #[schema(required, value_type = Option<Object>)]
    pub answer: Option<quiz::Answer>,
    /// With the correct answer and the explanation.
    #[schema(value_type = QuestionResult)]
    pub result: attempts::QuestionResult,
    /// The number of reviews, including this one.
    pub reviews: i64,
    /// When the question comes again.
    #[serde(serialize_with = "wire::time")]
    pub due_at: DateTime<Utc>,
}

impl From<DueQuestion> for PracticeQuestion {
    fn from(due: DueQuestion) -> Self {
        let page = due.view.page(due.place);
        PracticeQuestion {
            id: due.id.into(),
            reviews: due.reviews,
            course_id: due.view.course.id.into(),
            course_title: due.view.course.title.clone(),
            page_id: page.id.into(),
            page_title: page.title.clone(),
            question: due.question,
        }
    }
}

/// List the questions that the caller can practise now
///
/// Questions that the caller did not answer right come again by spaced repetition, from all courses that they learn. Practice never counts in
/// grades. Left out are questions of pages that they may not read now or at which their attempt is running, and of quizzes that do not show them
/// the correct answers.
#[utoipa::path(
    get, path = "/api/v1/courses/practice", operation_id = "courses-practice", tag = "courses",
    responses(CourseRefusals, (status = 200, description = "What is due", body = Practice))
)]
pub async fn practice(State(kurso): KursoState, viewer: Viewer) -> Result<Json<Practice>> {
    let found = practice::queue(&kurso, &viewer).await?;
    Ok(Json(Practice {
        due_count: found.due_count,
        next_due_at: found.next_due_at,
        questions: found.questions.into_iter().map(PracticeQuestion::from).collect(),
    }))
}

/// Answer a practice question
///
/// Returns the result and the correct answer, and when the question comes again. Without an answer, the caller does not remember. A repeated request,
/// with the same `reviews`, returns the first result, even if it sends another answer.
#[utoipa::path(
    post, path = "/api/v1/courses/answer_practice/{card_id}", operation_id = "courses-answer_practice", tag = "courses",
    request_body = PracticeAnswer,
    responses(
        CourseRefusals,
        (status = 200, description = "The result", body = PractisedQuestion),
        (
            status = 409,
            description = "The question was answered meanwhile or cannot be asked now, an attempt at its page is running, or the page is locked",
            body = HTTPError,
        ),
    )
)]
pub async fn answer_practice(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<CardId>,
    Command(review): Command<PracticeAnswer>,
) -> Result<Json<PractisedQuestion>> {
    let practised = practice::answer(&kurso, &viewer, id, review).await?;
    Ok(Json(PractisedQuestion {
        answer: practised.answer,
        result: practised.result,
        reviews: practised.reviews,
        due_at: practised.due_at,
    }))
}

/// Stop practising a question, or practise it again
#[utoipa::path(
    put, path = "/api/v1/courses/set_practice/{card_id}", operation_id = "courses-set_practice", tag = "courses",
    request_body = PracticeSet,
    responses(CourseRefusals, (status = 200, description = "Done", body = Message))
)]
pub async fn set_practice(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<CardId>,
    lang: Lang,
    Command(set): Command<PracticeSet>,
) -> Result<Json<Message>> {
    practice::set(&kurso, &viewer, id, set).await?;
    let text = match set.is_stopped {
        true => Text::PracticeStopped,
        false => Text::PracticeResumed,
    };
    Ok(Message::say(text, lang))
}
