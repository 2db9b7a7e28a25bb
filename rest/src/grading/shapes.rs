//! Request bodies and response schemas for grading.

use chrono::{DateTime, Utc};
use kurso_base::values::{CellVersion, GraderComment};
use kurso_base::wire;
use kurso_core::assessments::{self as core, Assess, Marks, Pins};
use kurso_core::subscriptions;
use kurso_formats::quiz::Points;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;
use utoipa::openapi::{ObjectBuilder, RefOr, Schema, Type};
use uuid::Uuid;

use crate::fields::{Field, Flag, body};
use crate::quiz::answers::AnswerFile;
use crate::quiz::rubric::{Mark, PinnedComment, Rubric};

body! {
    AnswerAssess -> Assess {
        /// The version of the answer that the assessment is based on; 0 before the first assessment.
        version: CellVersion,
        /// Returns work for revision: the learner sees the comment at once, gets no points and may hand in again. Only for assignments, with
        /// `comment` and without `points` and `marks`.
        is_returned: Flag<false>,
        /// At most the points of the question, with at most four decimal places.
        /// Left out beside `marks`, unless they are their sum.
        points: Option<Points>,
        /// One level of each criterion of the rubric with which the question was asked. They give the points. Left out or empty: no marks, also
        /// none of an earlier assessment.
        marks: Option<Marks>,
        /// They replace earlier ones: left out or empty, no earlier ones are shown.
        pins: Option<Pins>,
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
    /// Whether it was returned for revision. It is then `released` without points.
    pub is_returned: bool,
    /// Null while it waits, and if it was returned.
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
    /// A ProseMirror document: the text of the answer; null without one.
    #[schema(required, value_type = Option<Object>)]
    pub content: Option<Value>,
    /// Number of words of `content`.
    pub words: u32,
    /// The files of the answer. In a blind course, numbers replace their names.
    pub files: Vec<AnswerFile>,
    /// The links of work that was handed in: addresses on the web.
    pub links: Vec<String>,
    /// Whether it was returned for revision. It is then `released` without points.
    pub is_returned: bool,
    /// Null while it waits, and if it was returned.
    #[schema(required, value_type = Option<f64>)]
    pub points: Option<Points>,
    #[schema(value_type = f64)]
    pub max_points: Points,
    /// The comment that the learner sees, or will see after the release.
    #[schema(required)]
    pub comment: Option<String>,
    /// The rubric of the question as it was asked.
    #[schema(required)]
    pub rubric: Option<Rubric>,
    /// The levels of the rubric that the points come from; empty if they were given without.
    pub marks: Vec<Mark>,
    /// The grader's comments at places of the answer.
    pub pins: Vec<PinnedComment>,
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
    /// Whether it returned the answer for revision.
    pub is_returned: bool,
    /// Null if it returned the answer.
    #[schema(required, value_type = Option<f64>)]
    pub points: Option<Points>,
    #[schema(required)]
    pub comment: Option<String>,
    pub marks: Vec<Mark>,
    pub pins: Vec<PinnedComment>,
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
            is_returned: answer.is_returned,
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
            is_returned: assessment.is_returned,
            points: assessment.points,
            comment: assessment.comment,
            marks: assessment.marks.into_iter().map(Mark::from).collect(),
            pins: assessment.pins.into_iter().map(PinnedComment::from).collect(),
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
            links: answer.links,
            is_returned: answer.is_returned,
            words: answer.words,
            points: answer.points,
            max_points: answer.max_points,
            comment: answer.comment,
            rubric: answer.rubric.map(Rubric::from),
            marks: answer.marks.into_iter().map(Mark::from).collect(),
            pins: answer.pins.into_iter().map(PinnedComment::from).collect(),
            version: answer.version,
            history: answer.history.into_iter().map(assessment).collect(),
            opened_by: answer.opened_by.map(PersonName::from),
        }
    }
}
