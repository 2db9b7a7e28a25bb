//! Request bodies and response schemas for grading.

use chrono::{DateTime, Utc};
use kurso_base::values::{CellVersion, GraderComment};
use kurso_base::wire;
use kurso_core::assessments::{self as core, Assess};
use kurso_core::subscriptions;
use kurso_formats::quiz::Points;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;
use utoipa::openapi::{ObjectBuilder, RefOr, Schema, Type};
use uuid::Uuid;

use crate::fields::{Field, body};
use crate::quiz::answers::AnswerFile;

body! {
    AnswerAssess -> Assess {
        /// The version of the answer that the assessment is based on; 0 before the first assessment.
        version: CellVersion,
        /// At most the points of the question, with at most four decimal places.
        points: Points,
        /// It replaces an earlier comment.
        comment: Option<GraderComment>,
    }
}

impl Field for Points {
    fn schema() -> RefOr<Schema> {
        let number = ObjectBuilder::new().schema_type(Type::Number);
        number.minimum(Some(0)).maximum(Some(Points::MAX)).into()
    }
}

/// Grading state of an answer. `waiting`: nobody has graded it; `graded`: it has points, which its learner does not see yet; `released`: its
/// learner sees the points and the comment.
#[derive(ToSchema)]
#[schema(rename_all = "snake_case")]
#[expect(dead_code, reason = "describes names of the core")]
pub enum AnswerState {
    Waiting,
    Graded,
    Released,
}

/// The name of a user.
#[derive(Serialize, ToSchema)]
pub struct PersonName {
    pub id: Uuid,
    #[schema(required)]
    pub full_name: Option<String>,
}

impl From<subscriptions::PersonName> for PersonName {
    fn from(name: subscriptions::PersonName) -> Self {
        PersonName {
            id: name.id.0,
            full_name: name.full_name,
        }
    }
}

/// A page of the grading queue of a course.
#[derive(Serialize, ToSchema)]
pub struct GradingQueue {
    /// The oldest first.
    pub data: Vec<QueuedAnswer>,
    /// Number of all answers that the query selects, without regard to `skip` and `limit`.
    pub count: i64,
    /// Answers of the whole course that wait for a grader.
    pub waiting: i64,
    /// Answers of the whole course that have points which their learners do not see yet.
    pub unreleased: i64,
    /// Whether graders do not see whose answers they grade.
    pub is_blind: bool,
    /// The open questions that have answers.
    pub questions: Vec<QueuedQuestion>,
}

/// An answer in the grading queue.
#[derive(Serialize, ToSchema)]
pub struct QueuedAnswer {
    pub attempt_id: Uuid,
    pub question_id: Uuid,
    pub page_id: Uuid,
    /// Null when the page is shown by its number.
    #[schema(required)]
    pub page_title: Option<String>,
    /// Number of the question, from 1.
    pub number: i64,
    /// Null where the course grades blindly.
    #[schema(required)]
    pub student: Option<PersonName>,
    /// Number of the attempt, from 1.
    pub attempt_no: i64,
    #[serde(serialize_with = "wire::time")]
    pub submitted_at: DateTime<Utc>,
    #[schema(value_type = AnswerState, inline)]
    pub state: &'static str,
    /// Null while it waits.
    #[schema(required, value_type = Option<f64>)]
    pub points: Option<Points>,
    #[schema(value_type = f64)]
    pub max_points: Points,
    /// Another grader who has it open.
    #[schema(required)]
    pub opened_by: Option<PersonName>,
}

/// An open question, with the numbers of its answers that are not graded or not released.
#[derive(Serialize, ToSchema)]
pub struct QueuedQuestion {
    pub page_id: Uuid,
    /// Null when the page is shown by its number.
    #[schema(required)]
    pub page_title: Option<String>,
    pub question_id: Uuid,
    /// Number in the quiz, from 1.
    pub number: i64,
    /// Plain text on one line, cut at 200 characters; empty when the quiz does not have the question any more.
    pub prompt: String,
    /// Answers that wait for a grader.
    pub waiting: i64,
    /// Answers with points which their learners do not see yet.
    pub unreleased: i64,
}

/// An answer to an open question, as graders see it.
#[derive(Serialize, ToSchema)]
pub struct OpenAnswer {
    pub attempt_id: Uuid,
    pub question_id: Uuid,
    pub course_id: Uuid,
    pub page_id: Uuid,
    /// Null when the page is shown by its number.
    #[schema(required)]
    pub page_title: Option<String>,
    /// Number of the question in the quiz as it was taken, from 1.
    pub number: i64,
    /// Null where the course grades blindly.
    #[schema(required)]
    pub student: Option<PersonName>,
    /// Number of the attempt, from 1.
    pub attempt_no: i64,
    #[serde(serialize_with = "wire::time")]
    pub submitted_at: DateTime<Utc>,
    /// Percent of the score that the attempt loses because it was late.
    pub penalty_percent: i64,
    #[schema(value_type = AnswerState, inline)]
    pub state: &'static str,
    /// A ProseMirror document: the prompt in the quiz as it was taken.
    #[schema(value_type = Object)]
    pub prompt: Value,
    /// A ProseMirror document: the current note for graders.
    #[schema(required, value_type = Option<Object>)]
    pub guide: Option<Value>,
    #[schema(required)]
    pub min_words: Option<u32>,
    #[schema(required)]
    pub max_words: Option<u32>,
    /// A ProseMirror document: the answer to an essay question; null for files.
    #[schema(required, value_type = Option<Object>)]
    pub content: Option<Value>,
    /// Number of words of `content`.
    pub words: u32,
    /// The files of the answer. Where the course grades blindly, their names are numbers.
    pub files: Vec<AnswerFile>,
    /// Null while it waits.
    #[schema(required, value_type = Option<f64>)]
    pub points: Option<Points>,
    #[schema(value_type = f64)]
    pub max_points: Points,
    /// The comment that the learner sees, or will see after the release.
    #[schema(required)]
    pub comment: Option<String>,
    /// Number of assessments. A new assessment must name it.
    pub version: i64,
    /// The latest one first. Only the latest one counts.
    pub history: Vec<Assessment>,
    /// Another grader who has it open.
    #[schema(required)]
    pub opened_by: Option<PersonName>,
}

/// An assessment of an answer.
#[derive(Serialize, ToSchema)]
pub struct Assessment {
    pub version: i64,
    #[schema(value_type = f64)]
    pub points: Points,
    #[schema(required)]
    pub comment: Option<String>,
    /// Null when the account is deleted.
    #[schema(required)]
    pub by: Option<PersonName>,
    #[serde(serialize_with = "wire::time")]
    pub at: DateTime<Utc>,
}

/// Nothing was changed.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes what `error` writes")]
pub struct AssessmentConflict {
    detail: String,
    /// What is stored, when somebody else has graded the answer meanwhile.
    answer: Option<OpenAnswer>,
}

impl From<core::GradingQueue> for GradingQueue {
    fn from(queue: core::GradingQueue) -> Self {
        GradingQueue {
            data: queue.answers.into_iter().map(QueuedAnswer::from).collect(),
            count: queue.total,
            waiting: queue.waiting,
            unreleased: queue.unreleased,
            is_blind: queue.is_blind,
            questions: queue.questions.into_iter().map(QueuedQuestion::from).collect(),
        }
    }
}

impl From<core::QueuedAnswer> for QueuedAnswer {
    fn from(answer: core::QueuedAnswer) -> Self {
        QueuedAnswer {
            attempt_id: answer.attempt_id.0,
            question_id: answer.question_id,
            page_id: answer.page_id.0,
            page_title: answer.page_title,
            number: answer.number,
            student: answer.student.map(PersonName::from),
            attempt_no: answer.attempt_no,
            submitted_at: answer.submitted_at,
            state: answer.state.name(),
            points: answer.points,
            max_points: answer.max_points,
            opened_by: answer.opened_by.map(PersonName::from),
        }
    }
}

impl From<core::QueuedQuestion> for QueuedQuestion {
    fn from(question: core::QueuedQuestion) -> Self {
        QueuedQuestion {
            page_id: question.page_id.0,
            page_title: question.page_title,
            question_id: question.question_id,
            number: question.number,
            prompt: question.prompt,
            waiting: question.waiting,
            unreleased: question.unreleased,
        }
    }
}

impl From<core::OpenAnswer> for OpenAnswer {
    fn from(answer: core::OpenAnswer) -> Self {
        let assessment = |assessment: core::Assessment| Assessment {
            version: assessment.version,
            points: assessment.points,
            comment: assessment.comment,
            by: assessment.by.map(PersonName::from),
            at: assessment.at,
        };
        OpenAnswer {
            attempt_id: answer.attempt_id.0,
            question_id: answer.question_id,
            course_id: answer.course_id.0,
            page_id: answer.page_id.0,
            page_title: answer.page_title,
            number: answer.number,
            student: answer.student.map(PersonName::from),
            attempt_no: answer.attempt_no,
            submitted_at: answer.submitted_at,
            penalty_percent: answer.penalty_percent,
            state: answer.state.name(),
            prompt: answer.prompt,
            guide: answer.guide,
            min_words: answer.min_words,
            max_words: answer.max_words,
            content: answer.content,
            files: answer.files.into_iter().map(AnswerFile::from).collect(),
            words: answer.words,
            points: answer.points,
            max_points: answer.max_points,
            comment: answer.comment,
            version: answer.version,
            history: answer.history.into_iter().map(assessment).collect(),
            opened_by: answer.opened_by.map(PersonName::from),
        }
    }
}
