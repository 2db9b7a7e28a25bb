use async_graphql::{Enum, ID, SimpleObject};
use kurso_core::attempts::analysis;

use super::{id_of, int};
use crate::cost;

/// Item analysis of a quiz by the first attempts of its students. Statistics that the attempts do not define are null.
#[derive(SimpleObject)]
pub struct QuizAnalysis {
    /// ID of the course.
    course_id: ID,
    /// ID of the page with the quiz.
    page_id: ID,
    /// Number of students with an attempt. The newest attempts of at most 16 million characters are analysed.
    tried: i32,
    /// Number of attempts with points for every question. The statistics cover these attempts.
    attempts: i32,
    /// Number of attempts with an answer that waits for a grader. The statistics exclude them.
    waiting: i32,
    /// Number of attempts that are older than a question of the quiz. The statistics exclude them.
    outdated: i32,
    /// Sum of the points of all questions.
    max_points: f64,
    /// Mean points.
    mean: Option<f64>,
    /// Standard deviation of the points.
    deviation: Option<f64>,
    /// Cronbach's alpha, at most 1.
    alpha: Option<f64>,
    /// Standard error of measurement, in points.
    standard_error: Option<f64>,
    /// Number of attempts in each range of the percentage: 0 to 9, 10 to 19, …, 90 to 100.
    histogram: Vec<i32>,
    /// Flags of what looks wrong.
    flags: Vec<QuizFlag>,
    /// In order.
    #[graphql(complexity = "cost::list(cost::QUESTIONS, child_complexity)")]
    questions: Vec<QuestionAnalysis>,
}

/// Flag of a quiz whose statistics look wrong.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "analysis::QuizFlag")]
pub enum QuizFlag {
    /// There are fewer than ten attempts: nothing else is flagged.
    FewAttempts,
    /// Cronbach's alpha is less than 0.7.
    LowAlpha,
}

/// A question with the results of first attempts.
#[derive(SimpleObject)]
pub struct QuestionAnalysis {
    /// ID of the question, unique in the quiz.
    question_id: ID,
    /// Number in the quiz, from 1.
    number: i32,
    /// Prompt as plain text on one line, cut at 200 characters; empty when it has only images.
    prompt: String,
    /// Points of a right answer.
    max_points: f64,
    /// Number of attempts that contained the question.
    asked: i32,
    /// Number of attempts without an answer to it. They have 0 points.
    unanswered: i32,
    /// Number of attempts with points for the question. `facility` is their mean.
    attempts: i32,
    /// Facility: mean share of the points, 0 to 1; null also for a question without points.
    facility: Option<f64>,
    /// Average share of the points that guessing earns; null if it is unknown.
    chance: Option<f64>,
    /// Standard deviation of the points.
    deviation: Option<f64>,
    /// Discrimination: correlation with the points of the other questions, -1 to 1.
    discrimination: Option<f64>,
    /// Discriminative efficiency: covariance with the points of the other questions, divided by the largest possible covariance; at most 1.
    efficiency: Option<f64>,
    /// Flags of what looks wrong.
    flags: Vec<QuestionFlag>,
    /// Options of a choice question, in order.
    #[graphql(complexity = "cost::list(cost::PARTS, child_complexity)")]
    options: Vec<OptionCount>,
    /// The pairs of a matching question or the blanks of a text, in order.
    #[graphql(complexity = "cost::list(cost::PARTS, child_complexity)")]
    parts: Vec<PartCount>,
    /// The most frequent wrong texts or numbers, at most ten.
    #[graphql(complexity = "cost::list(cost::PARTS, child_complexity)")]
    wrong_answers: Vec<WrongAnswer>,
    /// Median of the seconds that the attempts spent on the question; null without a time.
    median_seconds: Option<f64>,
    /// Number of attempts with a time.
    timed_count: i32,
}

/// Flag of a question whose statistics look wrong.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "analysis::QuestionFlag")]
pub enum QuestionFlag {
    /// Weak students do better than strong ones.
    NegativeDiscrimination,
    /// The facility is above 0.95.
    TooEasy,
    /// The facility is below that of guessing.
    BelowChance,
    /// Nobody chose one of the options.
    UnusedOption,
}

/// An option of a choice.
#[derive(SimpleObject)]
pub struct OptionCount {
    /// ID of the option, unique in the question.
    option_id: ID,
    /// Plain text on one line, cut at 200 characters; empty when the option has only images.
    text: String,
    /// Whether it is right.
    is_correct: bool,
    /// Number of attempts that chose the option.
    taken: i32,
}

/// A pair of a matching question, or a blank.
#[derive(SimpleObject)]
pub struct PartCount {
    /// ID of the pair or blank, unique in the question.
    part_id: ID,
    /// Left side of the pair as plain text on one line, cut at 200 characters; empty for a blank.
    text: String,
    /// Number of attempts that got the part right.
    right: i32,
}

/// A wrong text or number.
#[derive(SimpleObject)]
pub struct WrongAnswer {
    /// One line, cut at 200 characters. In lower case with single spaces, unless case matters in the question.
    text: String,
    /// Number of attempts with this answer.
    times: i32,
}

impl QuizAnalysis {
    /// The number of rows of all lists below the questions, which are made with them.
    pub fn rows(analysis: &analysis::Analysis) -> usize {
        let parts = |one: &analysis::QuestionAnalysis| one.options.len() + one.parts.len() + one.wrong_answers.len();
        analysis.questions.iter().map(|question| 1 + parts(question)).sum()
    }
}

impl From<analysis::Analysis> for QuizAnalysis {
    fn from(of: analysis::Analysis) -> Self {
        QuizAnalysis {
            course_id: id_of(of.course_id),
            page_id: id_of(of.page_id),
            tried: int(of.tried),
            attempts: int(of.statistics.attempts),
            waiting: int(of.waiting),
            outdated: int(of.outdated),
            max_points: of.max_points,
            mean: of.statistics.mean,
            deviation: of.statistics.deviation,
            alpha: of.statistics.alpha,
            standard_error: of.statistics.standard_error,
            histogram: of.statistics.histogram.into_iter().map(int).collect(),
            flags: of.flags.into_iter().map(QuizFlag::from).collect(),
            questions: of.questions.into_iter().map(QuestionAnalysis::from).collect(),
        }
    }
}

impl From<analysis::QuestionAnalysis> for QuestionAnalysis {
    fn from(of: analysis::QuestionAnalysis) -> Self {
        let option = |one: analysis::OptionCount| OptionCount {
            option_id: id_of(one.option_id),
            text: one.text,
            is_correct: one.is_correct,
            taken: int(one.taken),
        };
        let part = |one: analysis::PartCount| PartCount {
            part_id: id_of(one.part_id),
            text: one.text,
            right: int(one.right),
        };
        let wrong = |one: analysis::WrongAnswer| WrongAnswer {
            text: one.text,
            times: int(one.times),
        };
        QuestionAnalysis {
            question_id: id_of(of.question_id),
            number: int(of.number),
            prompt: of.prompt,
            max_points: of.max_points,
            asked: int(of.asked),
            unanswered: int(of.unanswered),
            attempts: int(of.statistics.attempts),
            facility: of.statistics.facility,
            chance: of.chance,
            deviation: of.statistics.deviation,
            discrimination: of.statistics.discrimination,
            efficiency: of.statistics.efficiency,
            flags: of.flags.into_iter().map(QuestionFlag::from).collect(),
            options: of.options.into_iter().map(option).collect(),
            parts: of.parts.into_iter().map(part).collect(),
            wrong_answers: of.wrong_answers.into_iter().map(wrong).collect(),
            median_seconds: of.times.median,
            timed_count: int(of.times.count),
        }
    }
}
