//! Reads and writes the weights of the options of a choice question.

use super::parse::Answer;
use crate::quiz::{Choice, Weight, is_weighted};

/// The largest difference between percentages that count as equal: three times 33.33 is meant to be 100.
const CLOSE: f64 = 0.01;

/// The weight of an answer in percent: the written one, or 100 for `=` and 0 for `~`.
pub fn percent(answer: &Answer) -> f64 {
    answer.weight.unwrap_or(if answer.right { 100.0 } else { 0.0 })
}

/// The weights of the options, one for each answer. None if Kurso grades the same without weights, or cannot grade that way at all.
pub fn weights(list: &[Answer], single: bool) -> Option<Vec<Option<Weight>>> {
    let percents: Vec<f64> = list.iter().map(percent).collect();
    if percents.iter().any(|percent| percent.abs() > 100.0) {
        return None;
    }
    let earns = |percent: &&f64| **percent > 0.0;
    let is_kept = match single {
        true => {
            let full = percents.iter().filter(|percent| **percent >= 100.0).count();
            full == 1 && percents.iter().filter(earns).count() > 1
        }
        false => {
            let sum: f64 = percents.iter().filter(earns).sum();
            is_close(sum, 100.0) && !is_usual(&percents)
        }
    };
    // The right option of a single choice has 100 percent without a weight, any other option 0.
    let is_told = |percent: f64| percent != 0.0 && !(single && percent >= 100.0);
    let weight = |percent: f64| is_told(percent).then(|| Weight::nearest(percent));
    is_kept.then(|| percents.into_iter().map(weight).collect())
}

/// What one of several right options earns, in percent, if all earn the same. A wrong one then costs as much.
pub fn share(right: usize) -> f64 {
    100.0 / right.max(1) as f64
}

/// Whether all right answers earn the same, and each wrong one costs as much.
fn is_usual(percents: &[f64]) -> bool {
    let share = share(percents.iter().filter(|percent| **percent > 0.0).count());
    percents
        .iter()
        .all(|percent| is_close(*percent, if *percent > 0.0 { share } else { -share }))
}

pub fn is_close(a: f64, b: f64) -> bool {
    (a - b).abs() < CLOSE
}

/// The weights of the options of a multiple choice, scaled so that the positive ones sum to 100, as Moodle requires. Without weights, those
/// that grade alike.
pub fn written(options: &[Choice]) -> Vec<Weight> {
    if !is_weighted(options) {
        let share = share(options.iter().filter(|option| option.correct).count());
        let usual = |option: &Choice| Weight::nearest(if option.correct { share } else { -share });
        return options.iter().map(usual).collect();
    }
    let weights = options.iter().filter_map(|option| option.weight);
    let best = weights.filter(|weight| weight.is_positive());
    let sum: f64 = best.map(Weight::as_f64).sum();
    let weight = |option: &Choice| match option.weight.unwrap_or(Weight::ZERO) {
        weight if is_close(sum, 100.0) || sum <= 0.0 => weight,
        weight => Weight::nearest(weight.as_f64() * 100.0 / sum),
    };
    options.iter().map(weight).collect()
}
