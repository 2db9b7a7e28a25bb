//! Schemas of results.

use chrono::{DateTime, Utc};
use kurso_base::wire;
use kurso_core::attempts as core;
use kurso_formats::quiz;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use super::learner::{LearnerQuestion, LearnerQuiz};
use super::rubric::{MarkResult, PinnedComment};
use super::write::{FilledBlank, MarkedPlace, MatchedPair};
use super::zones::Zone;
use crate::page_kind::PageKind;

/// A graded attempt at a quiz.
#[derive(Serialize, ToSchema)]
pub struct QuizAttempt {
    pub attempt_id: Uuid,
    /// Number of the attempt, from 1.
    pub attempt_no: i64,
    /// Number of attempts left at this quiz; null when there is no limit.
    #[schema(required)]
    pub attempts_left: Option<i64>,
    /// Rounded to four decimal places.
    pub score: f64,
    pub max_score: f64,
    /// Score as a percentage, rounded down.
    #[schema(minimum = 0, maximum = 100)]
    pub percent: i64,
    /// Whether the exact score reaches the pass mark.
    pub passed: bool,
    /// Percent of the score that was lost because the attempt was late. Score, percent and `passed` are without them.
    #[schema(minimum = 0, maximum = 100)]
    pub penalty_percent: i64,
    /// Number of answers that wait for a grader, or for the release of their points. Until then, score and percent contain only what has been
    /// earned so far.
    pub waiting_answers: i64,
    /// Whether it was returned for revision. Then it does not count against the limit, and waits until there is a later attempt.
    pub is_returned: bool,
    #[serde(serialize_with = "wire::time")]
    pub submitted_at: DateTime<Utc>,
    /// In the order of the quiz.
    #[schema(value_type = Vec<QuestionResult>)]
    pub results: Vec<core::QuestionResult>,
    /// The questions of an attempt that drew them, as its learner saw them; absent for others.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<Vec<LearnerQuestion>>)]
    pub questions: Option<Vec<quiz::LearnerQuestion>>,
    /// The changes of its result, newest first; absent without any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false, value_type = Vec<ResultChange>)]
    pub result_changes: Vec<core::ResultChange>,
}

/// A change of the result of an attempt, after a changed quiz was published.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the JSON of the core")]
pub struct ResultChange {
    #[schema(format = DateTime)]
    at: String,
    /// `regraded`: computed again by the changed quiz; `regrade_undone`: that was undone.
    #[schema(pattern = "^(regraded|regrade_undone)$")]
    kind: String,
    /// Rounded to four decimal places.
    score_before: f64,
    max_score_before: f64,
    passed_before: bool,
    /// Rounded to four decimal places.
    score_after: f64,
    max_score_after: f64,
    passed_after: bool,
}

/// The result of a question.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the JSON of the core")]
pub struct QuestionResult {
    question_id: Uuid,
    /// Rounded to four decimal places; null if the quiz never reveals which answers are correct, and while the answer is waiting.
    #[schema(required)]
    points: Option<f64>,
    max_points: f64,
    /// Null if the quiz never reveals it, and while the answer is waiting.
    #[schema(required)]
    correct: Option<bool>,
    /// Whether the answer waits for a grader, for the release of its points, or for the next version of work that was returned.
    is_waiting: bool,
    /// Whether a grader returned the answer for revision.
    is_returned: bool,
    /// The grader's comment: plain text with line breaks.
    #[schema(nullable = false)]
    comment: Option<String>,
    /// What the grader chose in the rubric; absent without one, and if the quiz never reveals which answers are correct.
    #[schema(nullable = false)]
    marks: Option<Vec<MarkResult>>,
    /// The grader's comments at places of the answer; absent without one.
    #[schema(nullable = false)]
    pins: Option<Vec<PinnedComment>>,
    /// ProseMirror document: the prompt of a formula question with the values of the attempt; absent for other questions.
    #[schema(value_type = Option<Object>, nullable = false)]
    prompt: Option<Value>,
    /// ProseMirror document; present once the quiz reveals its answers, if the question has an explanation.
    #[schema(value_type = Option<Object>, nullable = false)]
    explanation: Option<Value>,
    /// Feedback of the chosen options; present once the quiz reveals its answers, if they have any.
    #[schema(nullable = false)]
    option_feedback: Option<Vec<OptionFeedback>>,
    /// Present once the quiz reveals its answers, unless a regular expression alone decides.
    #[schema(nullable = false)]
    correct_answer: Option<CorrectAnswer>,
    /// The zones of a hotspot question; present once the quiz reveals its answers.
    #[schema(nullable = false)]
    zones: Option<Vec<Zone>>,
    /// Whether each place of the answer to a hotspot question is right; present with `zones` if any place was marked.
    #[schema(nullable = false)]
    right_places: Option<Vec<bool>>,
}

/// Feedback of an option that was chosen.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the JSON of the core")]
pub struct OptionFeedback {
    option_id: Uuid,
    /// ProseMirror document.
    #[schema(value_type = Object)]
    feedback: Value,
}

/// A file that answers a question. Its learner and the staff of the course may read it.
#[derive(Serialize, ToSchema)]
pub struct AnswerFile {
    pub id: Uuid,
    pub filename: String,
    /// Media type, detected from the content.
    pub content_type: String,
    /// Size in bytes.
    pub size: i64,
    /// Path `/files/…`, valid for one to two hours.
    pub url: String,
}

impl From<quiz::AnswerFile> for AnswerFile {
    fn from(file: quiz::AnswerFile) -> Self {
        AnswerFile {
            url: file.url().to_owned(),
            id: file.id,
            filename: file.filename,
            content_type: file.content_type,
            size: file.size,
        }
    }
}

/// The correct answer, with the fields of an answer of this question type.
#[derive(ToSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "describes the JSON of the core")]
pub enum CorrectAnswer {
    Choice {
        option_ids: Vec<Uuid>,
    },
    ShortText {
        text: String,
    },
    Numeric {
        number: String,
        /// The first unit of the question; absent without units.
        #[schema(nullable = false)]
        unit: Option<String>,
    },
    Matching {
        pairs: Vec<MatchedPair>,
    },
    Ordering {
        order: Vec<Uuid>,
    },
    FillBlank {
        blanks: Vec<FilledBlank>,
    },
    /// A place in each zone, or in one of them.
    Hotspot {
        places: Vec<MarkedPlace>,
    },
}

impl QuizAttempt {
    pub fn of(attempt: core::Attempt, attempts_left: Option<i64>) -> Self {
        QuizAttempt {
            attempt_id: attempt.id.0,
            attempt_no: attempt.attempt_no,
            attempts_left,
            score: attempt.score,
            max_score: attempt.max_score,
            percent: attempt.percent,
            passed: attempt.passed,
            penalty_percent: attempt.penalty_percent,
            waiting_answers: attempt.waiting_answers,
            is_returned: attempt.is_returned,
            submitted_at: attempt.submitted_at,
            results: attempt.results,
            questions: attempt.questions,
            result_changes: attempt.result_changes,
        }
    }
}

/// Nothing was taken: no attempts are left, the page has changed, or the schedule refuses it.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes what `error` writes")]
pub struct QuizConflict {
    detail: String,
    /// `LOCKED` or `CLOSED` when the schedule refuses the attempt; `bank_too_small` when a question bank has too few questions to draw from.
    #[schema(nullable = false)]
    code: Option<String>,
    /// With `LOCKED`; null if the page never opens.
    opens_at: Option<DateTime<Utc>>,
    /// With `LOCKED`: `not_yet`, `over` or `course_over`.
    #[schema(nullable = false)]
    reasons: Option<Vec<String>>,
    /// With `CLOSED`.
    closed_at: Option<DateTime<Utc>>,
    /// As it is now; there when it has changed since the `version` of the body.
    #[schema(nullable = false)]
    page: Option<ChangedQuizPage>,
}

/// A quiz page that has changed since it was read.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the JSON of the core")]
pub struct ChangedQuizPage {
    id: Uuid,
    lesson_id: Uuid,
    course_id: Uuid,
    #[schema(required)]
    title: Option<String>,
    #[schema(inline)]
    kind: PageKind,
    position: i64,
    published: bool,
    /// A ProseMirror document.
    #[schema(value_type = Object)]
    content: Value,
    quiz: LearnerQuiz,
    version: i64,
    updated_at: DateTime<Utc>,
    #[schema(required)]
    attempts_left: Option<i64>,
    #[schema(required)]
    best_percent: Option<i64>,
}
