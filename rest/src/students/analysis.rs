//! Response schema of the item analysis of a quiz.

use kurso_core::attempts::analysis as core;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::response::from_fields;

/// The item analysis of a quiz by the first attempts of its students. Statistics that the attempts do not define are null.
#[derive(Serialize, ToSchema)]
pub struct QuizAnalysis {
    pub course_id: Uuid,
    pub page_id: Uuid,
    /// Number of students with an attempt. The newest attempts of at most 16 million characters are analysed.
    pub tried: i64,
    /// Number of attempts with points for every question. The statistics cover these attempts.
    pub attempts: i64,
    /// Number of attempts with an answer that waits for a grader. The statistics exclude them.
    pub waiting: i64,
    /// Number of attempts that are older than a question of the quiz. The statistics exclude them.
    pub outdated: i64,
    /// Sum of the points of all questions.
    pub max_points: f64,
    /// Mean points.
    #[schema(required)]
    pub mean: Option<f64>,
    /// Standard deviation of the points.
    #[schema(required)]
    pub deviation: Option<f64>,
    /// Cronbach's alpha.
    #[schema(required, maximum = 1)]
    pub alpha: Option<f64>,
    /// Standard error of measurement, in points.
    #[schema(required)]
    pub standard_error: Option<f64>,
    /// Number of attempts in each range of the percentage: 0 to 9, 10 to 19, …, 90 to 100.
    pub histogram: [i64; core::statistics::BARS],
    pub flags: Vec<QuizFlag>,
    /// In order.
    pub questions: Vec<QuestionAnalysis>,
}

/// Flag of a quiz. `few_attempts`: fewer than ten, so nothing else is flagged. `low_alpha`: less than 0.7.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum QuizFlag {
    FewAttempts,
    LowAlpha,
}

/// A question with the results of first attempts.
#[derive(Serialize, ToSchema)]
pub struct QuestionAnalysis {
    pub question_id: Uuid,
    /// Number in the quiz, from 1.
    pub number: usize,
    /// Plain text in one line, at most 200 characters. Empty when the prompt has only images.
    pub prompt: String,
    pub max_points: f64,
    /// Number of attempts that contained the question.
    pub asked: i64,
    /// Number of attempts without an answer to it. They have 0 points.
    pub unanswered: i64,
    /// Number of attempts with points for the question. `facility` is their mean.
    pub attempts: i64,
    /// Facility: mean share of the points; null also for a question without points.
    #[schema(required, minimum = 0, maximum = 1)]
    pub facility: Option<f64>,
    /// Average share of the points that guessing earns; null if it is unknown.
    #[schema(required, minimum = 0, maximum = 1)]
    pub chance: Option<f64>,
    /// Standard deviation of the points.
    #[schema(required)]
    pub deviation: Option<f64>,
    /// Discrimination: correlation with the points of the other questions.
    #[schema(required, minimum = -1, maximum = 1)]
    pub discrimination: Option<f64>,
    /// Discriminative efficiency: covariance with the points of the other questions, divided by the largest possible covariance.
    #[schema(required, maximum = 1)]
    pub efficiency: Option<f64>,
    pub flags: Vec<QuestionFlag>,
    /// Options of a choice question, in order.
    pub options: Vec<OptionCount>,
    /// The pairs of a matching question or the blanks of a text, in order.
    pub parts: Vec<PartCount>,
    /// The most frequent wrong texts or numbers, at most ten.
    pub wrong_answers: Vec<WrongAnswer>,
    /// Median of the seconds that the attempts spent on the question; null without a time.
    #[schema(required, minimum = 0)]
    pub median_seconds: Option<f64>,
    /// Number of attempts with a time.
    pub timed_count: i64,
}

/// Flag of a question: weak students do better than strong ones, the facility is above 0.95 or below that of guessing, or nobody chose one of the options.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum QuestionFlag {
    NegativeDiscrimination,
    TooEasy,
    BelowChance,
    UnusedOption,
}

#[derive(Serialize, ToSchema)]
pub struct OptionCount {
    pub option_id: Uuid,
    /// Plain text in one line, at most 200 characters. Empty when the option has only images.
    pub text: String,
    pub is_correct: bool,
    /// Number of attempts that chose the option.
    pub taken: i64,
}

#[derive(Serialize, ToSchema)]
pub struct PartCount {
    pub part_id: Uuid,
    /// Left side of the pair as plain text in one line, at most 200 characters; empty for a blank.
    pub text: String,
    /// Number of attempts that got the part right.
    pub right: i64,
}

#[derive(Serialize, ToSchema)]
pub struct WrongAnswer {
    /// One line, at most 200 characters. In lower case with single spaces, unless case matters in the question.
    pub text: String,
    /// Number of attempts with this answer.
    pub times: i64,
}

impl From<core::Analysis> for QuizAnalysis {
    fn from(analysis: core::Analysis) -> Self {
        let of = analysis.statistics;
        QuizAnalysis {
            course_id: analysis.course_id.0,
            page_id: analysis.page_id.0,
            tried: analysis.tried,
            attempts: of.attempts,
            waiting: analysis.waiting,
            outdated: analysis.outdated,
            max_points: analysis.max_points,
            mean: of.mean,
            deviation: of.deviation,
            alpha: of.alpha,
            standard_error: of.standard_error,
            histogram: of.histogram,
            flags: analysis.flags.into_iter().map(QuizFlag::from).collect(),
            questions: analysis.questions.into_iter().map(QuestionAnalysis::from).collect(),
        }
    }
}

impl From<core::QuestionAnalysis> for QuestionAnalysis {
    fn from(question: core::QuestionAnalysis) -> Self {
        let of = question.statistics;
        QuestionAnalysis {
            question_id: question.question_id,
            number: question.number,
            prompt: question.prompt,
            max_points: question.max_points,
            asked: question.asked,
            unanswered: question.unanswered,
            attempts: of.attempts,
            facility: of.facility,
            chance: question.chance,
            deviation: of.deviation,
            discrimination: of.discrimination,
            efficiency: of.efficiency,
            flags: question.flags.into_iter().map(QuestionFlag::from).collect(),
            options: question.options.into_iter().map(OptionCount::from).collect(),
            parts: question.parts.into_iter().map(PartCount::from).collect(),
            wrong_answers: question.wrong_answers.into_iter().map(WrongAnswer::from).collect(),
            median_seconds: question.times.median,
            timed_count: question.times.count,
        }
    }
}

from_fields! {
    OptionCount from core::OptionCount { option_id, text, is_correct, taken }
    PartCount from core::PartCount { part_id, text, right }
    WrongAnswer from core::WrongAnswer { text, times }
}

impl From<core::QuizFlag> for QuizFlag {
    fn from(flag: core::QuizFlag) -> Self {
        match flag {
            core::QuizFlag::FewAttempts => QuizFlag::FewAttempts,
            core::QuizFlag::LowAlpha => QuizFlag::LowAlpha,
        }
    }
}

impl From<core::QuestionFlag> for QuestionFlag {
    fn from(flag: core::QuestionFlag) -> Self {
        match flag {
            core::QuestionFlag::NegativeDiscrimination => QuestionFlag::NegativeDiscrimination,
            core::QuestionFlag::TooEasy => QuestionFlag::TooEasy,
            core::QuestionFlag::BelowChance => QuestionFlag::BelowChance,
            core::QuestionFlag::UnusedOption => QuestionFlag::UnusedOption,
        }
    }
}
