//! Flags for questions and quizzes whose statistics look wrong.

use super::answers::Counts;
use super::statistics::{ItemStatistics, QuizStatistics};
use kurso_formats::quiz::{Blank, Choice, Filling, Kind};

/// The minimum number of attempts for a flag. With fewer, chance alone could explain the statistics.
pub const FEW_ATTEMPTS: i64 = 10;
/// Questions with a higher facility do not distinguish learners.
const TOO_EASY: f64 = 0.95;
/// The lowest alpha that is usually considered acceptable (J. C. Nunnally, Psychometric Theory, 1978).
const RELIABLE: f64 = 0.7;

/// What looks wrong in a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum QuestionFlag {
    /// Weak learners do better than strong ones: the key may be wrong, or the prompt misleading.
    NegativeDiscrimination,
    TooEasy,
    /// Learners do worse than by guessing.
    BelowChance,
    /// Nobody chose one of the options.
    UnusedOption,
}

/// What looks wrong in a quiz.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum QuizFlag {
    /// There are too few attempts to flag anything else.
    FewAttempts,
    /// The scores depend strongly on chance.
    LowAlpha,
}

pub(super) fn of_quiz(quiz: &QuizStatistics) -> Vec<QuizFlag> {
    match quiz.alpha {
        _ if quiz.attempts < FEW_ATTEMPTS => vec![QuizFlag::FewAttempts],
        Some(alpha) if alpha < RELIABLE => vec![QuizFlag::LowAlpha],
        _ => vec![],
    }
}

/// `complete` is the number of attempts behind the discrimination.
pub(super) fn of_question(
    item: &ItemStatistics,
    complete: i64,
    chance: Option<f64>,
    counts: &Counts,
) -> Vec<QuestionFlag> {
    let measured = item.facility.filter(|_| item.attempts >= FEW_ATTEMPTS);
    let unused = counts.options.iter().any(|option| option.taken == 0);
    let flags = [
        (
            complete >= FEW_ATTEMPTS && item.discrimination.is_some_and(|value| value < 0.0),
            QuestionFlag::NegativeDiscrimination,
        ),
        (measured.is_some_and(|share| share > TOO_EASY), QuestionFlag::TooEasy),
        (
            measured.zip(chance).is_some_and(|(share, chance)| share < chance),
            QuestionFlag::BelowChance,
        ),
        (
            counts.asked - counts.unanswered >= FEW_ATTEMPTS && unused,
            QuestionFlag::UnusedOption,
        ),
    ];
    flags
        .into_iter()
        .filter_map(|(is_set, flag)| is_set.then_some(flag))
        .collect()
}

/// The credit for choosing only this option, at least 0.
fn credit(option: &Choice) -> f64 {
    let usual = f64::from(u8::from(option.correct));
    option.weight.map_or(usual, |weight| weight.as_f64().max(0.0) / 100.0)
}

/// The average share of the points that a random answer earns: 0 for texts and numbers, and None if it depends on how many options are chosen,
/// places are marked, or a person grades the answer.
pub(super) fn chance(kind: &Kind) -> Option<f64> {
    let one_of = |parts: usize| (parts > 1).then(|| 1.0 / parts as f64);
    match kind {
        Kind::SingleChoice { options } => {
            let credits = options.iter().map(credit);
            (options.len() > 1).then(|| credits.sum::<f64>() / options.len() as f64)
        }
        Kind::ShortText { .. } | Kind::Numeric { .. } | Kind::Formula { .. } => Some(0.0),
        // Of a random permutation one side stands right on average, and one item in `items` has the right neighbour.
        Kind::Matching { pairs } => one_of(pairs.len()),
        Kind::Ordering { items } => one_of(items.len()),
        Kind::FillBlank { blanks, .. } => {
            let guessed = |blank: &Blank| match &blank.filling {
                Filling::Options(options) => one_of(options.len()),
                Filling::Accepted(_) => Some(0.0),
            };
            let guessed: Option<Vec<f64>> = blanks.iter().map(guessed).collect();
            guessed
                .filter(|all| !all.is_empty())
                .map(|all| all.iter().sum::<f64>() / all.len() as f64)
        }
        // The zones would have to be measured.
        Kind::MultipleChoice { .. }
        | Kind::Hotspot { .. }
        | Kind::Essay { .. }
        | Kind::FileUpload { .. }
        | Kind::HandIn { .. }
        | Kind::Draw { .. } => None,
    }
}
