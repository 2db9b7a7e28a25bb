use async_graphql::{ID, SimpleObject};
use kurso_core::quiz::{self, FilledWith, Given};
use uuid::Uuid;

use super::quiz::document;
use super::{DateTime, Document, id_of, int};

/// One go of a learner at a quiz.
#[derive(SimpleObject)]
pub struct Attempt {
    id: ID,
    /// From 1.
    attempt_no: i32,
    /// Rounded to four places.
    score: f64,
    max_score: f64,
    /// Rounded down.
    percent: i32,
    /// By the exact score.
    passed: bool,
    submitted_at: DateTime,
    /// What was answered.
    answers: Vec<QuizAnswer>,
    /// In the order of the quiz.
    results: Vec<QuestionResult>,
}

/// What the answer to a question was worth.
#[derive(SimpleObject)]
pub struct QuestionResult {
    question_id: ID,
    /// Rounded to four places; null where the quiz never says which answers were right.
    points: Option<f64>,
    max_points: f64,
    /// Null where the quiz never says it.
    correct: Option<bool>,
    /// Null until the quiz reveals its answers, and where there is none.
    explanation: Option<Document>,
    /// Null until the quiz reveals its answers, and where only a pattern knows what is right.
    correct_answer: Option<QuizAnswer>,
}

/// An answer: one of the fields beside `questionId`, by the kind of the question.
#[derive(SimpleObject, Default)]
pub struct QuizAnswer {
    question_id: ID,
    option_ids: Option<Vec<ID>>,
    text: Option<String>,
    /// As it was written.
    number: Option<String>,
    pairs: Option<Vec<MatchedPair>>,
    order: Option<Vec<ID>>,
    blanks: Option<Vec<FilledBlank>>,
}

/// Two sides put together.
#[derive(SimpleObject)]
pub struct MatchedPair {
    left_id: ID,
    right_id: ID,
}

/// What is in a blank: a text or an option.
#[derive(SimpleObject)]
pub struct FilledBlank {
    blank_id: ID,
    text: Option<String>,
    option_id: Option<ID>,
}

impl From<&quiz::Attempt> for Attempt {
    fn from(attempt: &quiz::Attempt) -> Self {
        Attempt {
            id: id_of(attempt.id),
            attempt_no: int(attempt.attempt_no),
            score: attempt.score,
            max_score: attempt.max_score,
            percent: int(attempt.percent),
            passed: attempt.passed,
            submitted_at: DateTime(attempt.submitted_at),
            answers: attempt
                .answers
                .iter()
                .map(|answer| given(answer.question_id, &answer.given))
                .collect(),
            results: attempt.results.iter().map(QuestionResult::from).collect(),
        }
    }
}

impl From<&quiz::QuestionResult> for QuestionResult {
    fn from(result: &quiz::QuestionResult) -> Self {
        QuestionResult {
            question_id: id_of(result.question_id),
            points: result.points,
            max_points: result.max_points.as_f64(),
            correct: result.correct,
            explanation: result.explanation.as_ref().map(document),
            correct_answer: result
                .correct_answer
                .as_ref()
                .map(|right| given(result.question_id, right)),
        }
    }
}

fn given(question: Uuid, given: &Given) -> QuizAnswer {
    let ids = |ids: &[Uuid]| Some(ids.iter().map(id_of).collect());
    let mut answer = QuizAnswer {
        question_id: id_of(question),
        ..QuizAnswer::default()
    };
    match given {
        Given::Options(options) => answer.option_ids = ids(options),
        Given::Text(text) => answer.text = Some(text.clone()),
        Given::Number(number) => answer.number = Some(number.clone()),
        Given::Pairs(pairs) => {
            let pairs = pairs.iter().map(|pair| MatchedPair {
                left_id: id_of(pair.left_id),
                right_id: id_of(pair.right_id),
            });
            answer.pairs = Some(pairs.collect());
        }
        Given::Order(items) => answer.order = ids(items),
        Given::Blanks(blanks) => {
            let blanks = blanks.iter().map(|blank| {
                let (text, option_id) = match &blank.with {
                    FilledWith::Text(text) => (Some(text.clone()), None),
                    FilledWith::OptionId(option) => (None, Some(id_of(option))),
                };
                FilledBlank {
                    blank_id: id_of(blank.blank_id),
                    text,
                    option_id,
                }
            });
            answer.blanks = Some(blanks.collect());
        }
    }
    answer
}
