use async_graphql::{ID, SimpleObject};
use kurso_core::attempts;
use kurso_formats::quiz::Seconds;

use super::answer::{Answer, given};
use super::quiz::{Question, document};
use super::regrade::ResultChange;
use super::rubric::{MarkResult, PinnedComment};
use super::zones::Zone;
use super::{DateTime, Document, id_of, int};
use crate::cost;

/// A learner's attempt at a quiz.
#[derive(SimpleObject)]
pub struct Attempt {
    /// Unique ID.
    id: ID,
    /// Number of the attempt, from 1.
    attempt_no: i32,
    /// Score, rounded to four decimal places.
    score: f64,
    /// Sum of the points of all questions.
    max_score: f64,
    /// Score as a percentage, rounded down.
    percent: i32,
    /// Whether the exact score reaches the pass mark.
    passed: bool,
    /// Percent of the score that was lost because the attempt was late. Score, percent and `passed` are without them.
    penalty_percent: i32,
    /// Number of answers that wait for a grader, or for the release of their points. Until then, score and percent contain only what has been
    /// earned so far.
    waiting_answers: i32,
    /// Whether it was returned for revision. Then it does not count against the limit, and waits until there is a later attempt.
    is_returned: bool,
    /// Submission time.
    submitted_at: DateTime,
    /// Submitted answers.
    #[graphql(complexity = "cost::list(cost::QUESTIONS, child_complexity)")]
    answers: Vec<Answer>,
    /// Results of the questions, in the order of the quiz.
    #[graphql(complexity = "cost::list(cost::QUESTIONS, child_complexity)")]
    results: Vec<QuestionResult>,
    /// The questions of an attempt that drew them, as its learner saw them; null for others.
    #[graphql(complexity = "cost::list(cost::DRAWN, child_complexity)")]
    questions: Option<Vec<Question>>,
    /// The changes of its result since it was handed in, newest first.
    #[graphql(complexity = "cost::list(cost::RESULT_CHANGES, child_complexity)")]
    result_changes: Vec<ResultChange>,
}

/// A running attempt at a quiz that has a time limit or draws or is checked question by question.
#[derive(SimpleObject)]
pub struct RunningAttempt {
    /// From 1.
    attempt_no: i32,
    /// When it started.
    started_at: DateTime,
    /// When its time ends; null when it has no end.
    ends_at: Option<DateTime>,
    /// Seconds between its start and its end; null when it has no end.
    duration_seconds: Option<f64>,
    /// Seconds since its start, at the moment of this response.
    elapsed_seconds: f64,
    /// Seconds after the end in which answers given in time are still accepted.
    grace_seconds: i32,
    /// Proof of the start, which `saveAnswers` and `checkAnswer` need.
    ticket: String,
    /// The saved answers.
    #[graphql(complexity = "cost::list(cost::QUESTIONS, child_complexity)")]
    answers: Vec<Answer>,
    /// Results of the checked questions. Their answers are fixed. Explanations and correct answers are included as `reveal` allows: with
    /// AFTER_PASS, once an earlier attempt has passed.
    #[graphql(complexity = "cost::list(cost::CHECKED, child_complexity)")]
    checked: Vec<QuestionResult>,
}

impl From<&attempts::RunningAttempt> for RunningAttempt {
    fn from(attempt: &attempts::RunningAttempt) -> Self {
        RunningAttempt {
            attempt_no: int(attempt.attempt_no),
            started_at: DateTime(attempt.started_at),
            ends_at: attempt.ends_at.map(DateTime),
            duration_seconds: attempt.duration,
            elapsed_seconds: attempt.elapsed,
            grace_seconds: int(attempt.grace),
            ticket: attempt.ticket.clone(),
            answers: (attempt
                .answers
                .iter()
                .map(|answer| given(answer.question_id, &answer.given)))
            .collect(),
            checked: attempt.checked.iter().map(QuestionResult::from).collect(),
        }
    }
}

/// The result of an answer.
#[derive(SimpleObject)]
pub struct QuestionResult {
    /// ID of the question.
    question_id: ID,
    /// Points, rounded to four decimal places; null if the quiz never reveals which answers are correct, and while the answer is waiting.
    points: Option<f64>,
    /// Points of a correct answer.
    max_points: f64,
    /// Whether the answer is correct; null if the quiz never reveals it, and while the answer is waiting.
    correct: Option<bool>,
    /// Whether the answer waits for a grader, for the release of its points, or for the next version of work that was returned.
    is_waiting: bool,
    /// Whether a grader returned the answer for revision.
    is_returned: bool,
    /// The grader's comment: plain text with line breaks.
    comment: Option<String>,
    /// What the grader chose in the rubric; empty without one, and if the quiz never reveals which answers are correct.
    #[graphql(complexity = "cost::list(cost::CRITERIA, child_complexity)")]
    marks: Vec<MarkResult>,
    /// The grader's comments at places of the answer.
    #[graphql(complexity = "cost::list(cost::PINS, child_complexity)")]
    pins: Vec<PinnedComment>,
    /// Prompt of a formula question with the values of the attempt; null for other questions.
    #[graphql(complexity = "cost::FORMULA_PROMPT")]
    prompt: Option<Document>,
    /// Explanation; null until the quiz reveals its answers, and when there is none.
    #[graphql(complexity = "cost::DOCUMENT")]
    explanation: Option<Document>,
    /// Feedback of the selected options; empty until the quiz reveals its answers, and without any.
    #[graphql(complexity = "cost::list(cost::CHOSEN, child_complexity)")]
    option_feedback: Vec<OptionFeedback>,
    /// Correct answer; null until the quiz reveals its answers, and when only a pattern defines it.
    correct_answer: Option<Answer>,
    /// Zones of a hotspot question; empty until the quiz reveals its answers.
    #[graphql(complexity = "cost::list(cost::ZONES, child_complexity)")]
    zones: Vec<Zone>,
    /// Whether each marked place of a hotspot question is right, in the order of the answer; empty until the quiz reveals its answers.
    right_places: Vec<bool>,
    /// Seconds that the student spent on the question; null if they are unknown, and for the student.
    seconds: Option<f64>,
}

/// Feedback of an option that was selected.
#[derive(SimpleObject)]
pub struct OptionFeedback {
    /// ID of the option.
    option_id: ID,
    /// What the author says of the option.
    #[graphql(complexity = "cost::DOCUMENT")]
    feedback: Document,
}

impl From<&attempts::Attempt> for Attempt {
    fn from(attempt: &attempts::Attempt) -> Self {
        Attempt {
            id: id_of(attempt.id),
            attempt_no: int(attempt.attempt_no),
            score: attempt.score,
            max_score: attempt.max_score,
            percent: int(attempt.percent),
            passed: attempt.passed,
            penalty_percent: int(attempt.penalty_percent),
            waiting_answers: int(attempt.waiting_answers),
            is_returned: attempt.is_returned,
            submitted_at: DateTime(attempt.submitted_at),
            answers: attempt
                .answers
                .iter()
                .map(|answer| given(answer.question_id, &answer.given))
                .collect(),
            results: attempt.results.iter().map(QuestionResult::from).collect(),
            questions: attempt
                .questions
                .as_ref()
                .map(|questions| questions.iter().map(Question::from).collect()),
            result_changes: attempt.result_changes.iter().map(ResultChange::from).collect(),
        }
    }
}

impl From<&attempts::QuestionResult> for QuestionResult {
    fn from(result: &attempts::QuestionResult) -> Self {
        QuestionResult {
            question_id: id_of(result.question_id),
            points: result.points,
            max_points: result.max_points.as_f64(),
            correct: result.correct,
            is_waiting: result.is_waiting,
            is_returned: result.is_returned,
            comment: result.comment.clone(),
            marks: result.marks.iter().map(MarkResult::from).collect(),
            pins: result.pins.iter().map(PinnedComment::from).collect(),
            prompt: result.prompt.as_ref().map(document),
            explanation: result.explanation.as_ref().map(document),
            option_feedback: result.option_feedback.iter().map(OptionFeedback::from).collect(),
            correct_answer: result
                .correct_answer
                .as_ref()
                .map(|right| given(result.question_id, right)),
            zones: result.zones.iter().map(Zone::from).collect(),
            right_places: result.right_places.clone(),
            seconds: result.seconds.map(Seconds::as_f64),
        }
    }
}

impl From<&attempts::OptionFeedback> for OptionFeedback {
    fn from(of: &attempts::OptionFeedback) -> Self {
        OptionFeedback {
            option_id: id_of(of.option_id),
            feedback: document(&of.feedback),
        }
    }
}
