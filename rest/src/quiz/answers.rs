//! Schemas of answers and results.

use chrono::{DateTime, Utc};
use kurso_base::wire;
use kurso_core::attempts as core;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use super::learner::LearnerQuiz;
use crate::courses::PageKind;

/// A question without an answer scores 0.
#[derive(ToSchema)]
#[expect(dead_code, reason = "the fields are read from the JSON")]
pub struct SubmitQuiz {
    #[schema(max_items = 500)]
    answers: Vec<QuizAnswer>,
    /// Of this one submission: sent again, it is answered with the same attempt.
    submission_id: Option<Uuid>,
    /// Of the page the answers are to. Of an older one nothing is taken.
    #[schema(minimum = 1)]
    version: Option<i64>,
}

/// By the type of the question.
#[derive(ToSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "the fields are read from the JSON")]
pub enum QuizAnswer {
    Choice(ChoiceAnswer),
    ShortText(TextAnswer),
    Numeric(NumberAnswer),
    Matching(MatchingAnswer),
    Ordering(OrderingAnswer),
    FillBlank(BlanksAnswer),
}

macro_rules! answers {
    ($($(#[$doc:meta])* $name:ident { $(#[$meta:meta])* $field:ident: $type:ty })*) => {$(
        $(#[$doc])*
        #[derive(ToSchema)]
        #[expect(dead_code, reason = "the fields are read from the JSON")]
        pub struct $name {
            question_id: Uuid,
            $(#[$meta])*
            $field: $type,
        }
    )*};
}

answers! {
    /// To `single_choice`, at most one, and `multiple_choice`.
    ChoiceAnswer { option_ids: Vec<Uuid> }
    /// To `short_text`.
    TextAnswer { #[schema(max_length = 1000)] text: String }
    /// To `numeric`.
    NumberAnswer { number: WrittenNumber }
    /// To `matching`.
    MatchingAnswer { pairs: Vec<MatchedPair> }
    /// To `ordering`.
    OrderingAnswer { order: Vec<Uuid> }
    /// To `fill_blank`.
    BlanksAnswer { blanks: Vec<FilledBlank> }
}

/// A number, or one as people write it: with a comma or a point.
#[derive(ToSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "the fields are read from the JSON")]
pub enum WrittenNumber {
    Text(String),
    Number(f64),
}

/// Two sides put together.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the JSON of the core")]
pub struct MatchedPair {
    left_id: Uuid,
    right_id: Uuid,
}

#[derive(ToSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "describes the JSON of the core")]
pub enum FilledBlank {
    Text { blank_id: Uuid, text: String },
    Option { blank_id: Uuid, option_id: Uuid },
}

/// One go at a quiz.
#[derive(Serialize, ToSchema)]
pub struct QuizAttempt {
    pub attempt_id: Uuid,
    /// From 1.
    pub attempt_no: i64,
    /// At this quiz, now; null when there is no limit.
    #[schema(required)]
    pub attempts_left: Option<i64>,
    /// Rounded to four places.
    pub score: f64,
    pub max_score: f64,
    /// Rounded down.
    #[schema(minimum = 0, maximum = 100)]
    pub percent: i64,
    /// By the exact score.
    pub passed: bool,
    #[serde(serialize_with = "wire::time")]
    pub submitted_at: DateTime<Utc>,
    /// In the order of the quiz.
    #[schema(value_type = Vec<QuestionResult>)]
    pub results: Vec<core::QuestionResult>,
}

/// What the answer to a question was worth.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the JSON of the core")]
pub struct QuestionResult {
    question_id: Uuid,
    /// Rounded to four places; null where the quiz never says which answers were right.
    #[schema(required)]
    points: Option<f64>,
    max_points: f64,
    /// Null where the quiz never says it.
    #[schema(required)]
    correct: Option<bool>,
    /// A ProseMirror document; there once the quiz reveals its answers, and the question has one.
    #[schema(value_type = Option<Object>, nullable = false)]
    explanation: Option<Value>,
    /// There once the quiz reveals its answers, unless only a pattern knows what is right.
    #[schema(nullable = false)]
    correct_answer: Option<CorrectAnswer>,
}

/// In the shape of an answer.
#[derive(ToSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "describes the JSON of the core")]
pub enum CorrectAnswer {
    Choice { option_ids: Vec<Uuid> },
    ShortText { text: String },
    Numeric { number: String },
    Matching { pairs: Vec<MatchedPair> },
    Ordering { order: Vec<Uuid> },
    FillBlank { blanks: Vec<FilledBlank> },
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
            submitted_at: attempt.submitted_at,
            results: attempt.results,
        }
    }
}

/// Nothing was taken: no attempts are left, or the page has changed.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes what `error` writes")]
pub struct QuizConflict {
    detail: String,
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
