use async_graphql::{ID, Interface, SimpleObject};
use kurso_core::quiz::{self, FilledWith, Given};
use uuid::Uuid;

use super::quiz::document;
use super::{DateTime, Document, id_of, int};
use crate::cost;

/// One go of a learner at a quiz.
#[derive(SimpleObject)]
pub struct Attempt {
    /// A UUID, unlike that of any other.
    id: ID,
    /// From 1.
    attempt_no: i32,
    /// Rounded to four places.
    score: f64,
    /// What all questions together are worth.
    max_score: f64,
    /// Rounded down.
    percent: i32,
    /// By the exact score.
    passed: bool,
    /// When it was handed in.
    submitted_at: DateTime,
    /// What was answered.
    #[graphql(complexity = "cost::list(cost::QUESTIONS, child_complexity)")]
    answers: Vec<Answer>,
    /// In the order of the quiz.
    #[graphql(complexity = "cost::list(cost::QUESTIONS, child_complexity)")]
    results: Vec<QuestionResult>,
}

/// What the answer to a question was worth.
#[derive(SimpleObject)]
pub struct QuestionResult {
    /// Which question.
    question_id: ID,
    /// Rounded to four places; null where the quiz never says which answers were right.
    points: Option<f64>,
    /// What a right answer is worth.
    max_points: f64,
    /// Null where the quiz never says it.
    correct: Option<bool>,
    /// Null until the quiz reveals its answers, and where there is none.
    #[graphql(complexity = "cost::DOCUMENT")]
    explanation: Option<Document>,
    /// Null until the quiz reveals its answers, and where only a pattern knows what is right.
    correct_answer: Option<Answer>,
}

/// What was answered to a question, by its kind.
#[derive(Interface)]
#[graphql(field(name = "question_id", ty = "&ID", desc = "Which question."))]
pub enum Answer {
    Choice(ChoiceAnswer),
    Text(TextAnswer),
    Number(NumberAnswer),
    Matching(MatchingAnswer),
    Ordering(OrderingAnswer),
    Blanks(BlanksAnswer),
}

/// To a question with options, of which one or several are right.
#[derive(SimpleObject)]
pub struct ChoiceAnswer {
    /// Which question.
    question_id: ID,
    /// The options picked.
    option_ids: Vec<ID>,
}

/// To a question for a short text.
#[derive(SimpleObject)]
pub struct TextAnswer {
    /// Which question.
    question_id: ID,
    /// As it was written.
    text: String,
}

/// To a question for a number.
#[derive(SimpleObject)]
pub struct NumberAnswer {
    /// Which question.
    question_id: ID,
    /// As it was written.
    number: String,
}

/// To a question of two sides.
#[derive(SimpleObject)]
pub struct MatchingAnswer {
    /// Which question.
    question_id: ID,
    /// What was put together.
    #[graphql(complexity = "cost::list(cost::PARTS, child_complexity)")]
    pairs: Vec<MatchedPair>,
}

/// To a question for an order.
#[derive(SimpleObject)]
pub struct OrderingAnswer {
    /// Which question.
    question_id: ID,
    /// The items, first to last.
    order: Vec<ID>,
}

/// To a text with blanks.
#[derive(SimpleObject)]
pub struct BlanksAnswer {
    /// Which question.
    question_id: ID,
    /// What they were filled with.
    #[graphql(complexity = "cost::list(cost::PARTS, child_complexity)")]
    blanks: Vec<FilledBlank>,
}

/// Two sides put together.
#[derive(SimpleObject)]
pub struct MatchedPair {
    /// One of the left sides.
    left_id: ID,
    /// One of the right sides.
    right_id: ID,
}

/// What is in a blank: a text or an option.
#[derive(SimpleObject)]
pub struct FilledBlank {
    /// Which blank.
    blank_id: ID,
    /// What was written into it; null when an option was picked.
    text: Option<String>,
    /// What was picked for it; null when a text was written.
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

/// As the schema has it, with the ids its reader knows.
pub(super) fn given(question: Uuid, given: &Given) -> Answer {
    let ids = |ids: &[Uuid]| ids.iter().map(id_of).collect();
    let question_id = id_of(question);
    match given {
        Given::Options(options) => {
            let option_ids = ids(options);
            Answer::Choice(ChoiceAnswer {
                question_id,
                option_ids,
            })
        }
        Given::Text(text) => {
            let text = text.clone();
            Answer::Text(TextAnswer { question_id, text })
        }
        Given::Number(number) => {
            let number = number.clone();
            Answer::Number(NumberAnswer { question_id, number })
        }
        Given::Pairs(pairs) => {
            let pairs = pairs.iter().map(|pair| MatchedPair {
                left_id: id_of(pair.left_id),
                right_id: id_of(pair.right_id),
            });
            let pairs = pairs.collect();
            Answer::Matching(MatchingAnswer { question_id, pairs })
        }
        Given::Order(items) => {
            let order = ids(items);
            Answer::Ordering(OrderingAnswer { question_id, order })
        }
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
            let blanks = blanks.collect();
            Answer::Blanks(BlanksAnswer { question_id, blanks })
        }
    }
}
