//! Units of the answers to numeric questions.

use std::collections::HashSet;

use num_rational::BigRational;
use num_traits::{One as _, Signed as _};
use serde::{Deserialize, Serialize};
use serde_json::Number;

use super::limits::MAX_UNITS;
use super::model::Kind;
use super::number::exact;
use super::{check, problem};
use kurso_base::values::{Problem, check_length, check_zero_byte};

/// Characters of the name of a unit.
pub const MAX_UNIT_NAME: usize = 20;

/// A unit in which a number can be answered. The right answer of a question and its tolerance are in the first one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Unit {
    pub name: String,
    /// How many of the first unit make one of this.
    pub factor: Number,
}

/// Converts a number to the first unit. None if the question has units and `unit` is not one of them.
pub fn in_first_unit(number: BigRational, unit: Option<&str>, units: &[Unit]) -> Option<BigRational> {
    if units.is_empty() {
        return Some(number);
    }
    let unit = units.iter().find(|known| Some(known.name.as_str()) == unit)?;
    Some(number * exact(&unit.factor)?)
}

/// Checks the units of a question: their number, names and factors.
pub fn check_units(units: &[Unit]) -> Result<(), Problem> {
    check::check_count(units.len(), MAX_UNITS)?;
    units.iter().try_for_each(|unit| {
        check_unit_name(&unit.name)?;
        check_factor(&unit.factor)
    })?;
    check_units_together(units)
}

/// Checks that the names are distinct and that the first factor is 1.
pub fn check_units_together(units: &[Unit]) -> Result<(), Problem> {
    let mut seen = HashSet::new();
    if !units.iter().all(|unit| seen.insert(unit.name.as_str())) {
        return Err(problem::Problem::RepeatedUnit.value_error());
    }
    let is_one = |unit: &Unit| exact(&unit.factor).is_some_and(|factor| factor.is_one());
    match units.first().is_none_or(is_one) {
        true => Ok(()),
        false => Err(problem::Problem::FirstFactor.value_error()),
    }
}

/// Checks the name of a unit, which has no spaces at its ends.
pub fn check_unit_name(name: &str) -> Result<(), Problem> {
    check_length(name, 1, MAX_UNIT_NAME)?;
    check_zero_byte(name)
}

/// Checks that a factor is above 0.
pub fn check_factor(factor: &Number) -> Result<(), Problem> {
    match exact(factor).is_some_and(|factor| factor.is_positive()) {
        true => Ok(()),
        false => Err(problem::Problem::BadFactor.value_error()),
    }
}

impl Kind {
    /// The units in which a numeric or formula question is answered; empty for other questions.
    pub fn units(&self) -> &[Unit] {
        match self {
            Kind::Numeric { units, .. } | Kind::Formula { units, .. } => units,
            _ => &[],
        }
    }
}
