//! Computes the credit for the chosen options of a choice question.

use num_rational::BigRational;
use num_traits::{One as _, Zero as _};
use uuid::Uuid;

use super::share;
use crate::quiz::choice::{Choice, right_ones};
use crate::quiz::weight::{Weight, is_weighted};

/// The credit for the one option of a single choice. Without weights, the right option has a weight of 100 and the others have none.
pub fn one(options: &[Choice], chosen: &[Uuid]) -> BigRational {
    let [id] = chosen else {
        return BigRational::zero();
    };
    let Some(option) = options.iter().find(|option| option.id == *id) else {
        return BigRational::zero();
    };
    let usual = if option.correct { Weight::FULL } else { Weight::ZERO };
    within_bounds(option.weight.unwrap_or(usual).exact())
}

/// The credit for the options of a multiple choice that is not all or nothing.
pub fn several(options: &[Choice], chosen: &[Uuid]) -> BigRational {
    if is_weighted(options) {
        return weighted(options, chosen);
    }
    let right = right_ones(options).filter(|option| chosen.contains(&option.id)).count();
    let wrong = chosen.len().saturating_sub(right);
    share(right.saturating_sub(wrong), right_ones(options).count())
}

/// Whether exactly the right options are chosen.
pub fn are_exact(options: &[Choice], chosen: &[Uuid]) -> bool {
    // Without a right option nothing is right.
    let has_right = right_ones(options).next().is_some();
    let agrees = |option: &Choice| option.correct == chosen.contains(&option.id);
    has_right && options.iter().all(agrees)
}

fn weighted(options: &[Choice], chosen: &[Uuid]) -> BigRational {
    let weights = || options.iter().filter_map(|option| Some((option.id, option.weight?)));
    let best: BigRational = weights()
        .filter(|(_, weight)| weight.is_positive())
        .map(|(_, weight)| weight.exact())
        .sum();
    if best.is_zero() {
        return best;
    }
    let sum: BigRational = weights()
        .filter(|(id, _)| chosen.contains(id))
        .map(|(_, weight)| weight.exact())
        .sum();
    within_bounds(sum / best)
}

fn within_bounds(credit: BigRational) -> BigRational {
    credit.clamp(BigRational::zero(), BigRational::one())
}
