//! Formula questions: each attempt gets its own values for the parameters of the question, and an expression computes the right answer
//! from them ([decision 104](../../../../docs/decisions/0104-formula-questions.md)).
//!
//! For an attempt, a formula question becomes a numeric one: [`Question::with_values`].

mod evaluate;
mod expression;
mod template;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashMap};

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::ToPrimitive as _;
use serde::{Deserialize, Serialize};
use serde_json::Number;
use uuid::Uuid;

pub use evaluate::ValueError;
pub use expression::{Expression, FormulaError, Unreadable};

use super::alias::Aliases;
use super::model::{Kind, Question, Quiz};
use super::number;

/// The maximum number of parameters of a question.
pub const MAX_PARAMETERS: usize = 20;
/// The maximum length of the name of a parameter in characters.
pub const MAX_PARAMETER_NAME: usize = 32;
/// The maximum number of decimals of the values of a parameter.
pub const MAX_DECIMALS: u8 = 6;
/// The largest value of a parameter; the smallest is its negative.
pub const MAX_VALUE: u32 = 1_000_000_000;
/// The maximum length of an expression in characters.
pub const MAX_EXPRESSION: usize = 1000;
/// How many times values are drawn to find some for which the expression has a result.
const DRAWS: u32 = 20;
/// How many sets of spread values a question is tried with before it counts as complete.
const SAMPLES: u32 = 60;
/// A result with at most `SHORT_DIGITS` significant digits is kept; any other is rounded to `ROUNDED_DIGITS`.
const ROUNDED_DIGITS: usize = 12;
const SHORT_DIGITS: usize = 15;

/// A parameter of a formula question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Parameter {
    pub name: String,
    /// The bounds of its values, inclusive. None while the quiz is incomplete.
    pub min: Option<Number>,
    pub max: Option<Number>,
    /// Its values are multiples of 10 to the minus this.
    pub decimals: u8,
}

/// The values of the parameters of a question by name. They are decimal numbers with a point.
pub type Values = BTreeMap<String, String>;

/// What makes a formula question incomplete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    NoParameters,
    /// The parameter of this index has an invalid name.
    BadName(usize),
    /// The parameter of this index has the name of an earlier one.
    RepeatedName(usize),
    /// The parameter of this index has no bounds, or there is no value between them.
    NoValues(usize),
    NoExpression,
    Unreadable(FormulaError),
    /// The expression uses the parameter of this index, but the prompt does not show it.
    NotShown(usize),
    /// For some values the expression has no result.
    NoResult(ValueError),
}

/// Whether a parameter may have this name: a Latin letter, then Latin letters, digits and `_`, and not the name of a constant or a function.
pub fn is_parameter_name(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes.next().is_some_and(|first| first.is_ascii_alphabetic())
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && name.len() <= MAX_PARAMETER_NAME
        && !expression::is_reserved(name)
}

/// The values of a parameter in units of their last decimal: the integers from `first` to `last`.
#[derive(Clone, Copy)]
struct Grid {
    first: i64,
    last: i64,
}

impl Grid {
    fn size(self) -> u128 {
        u128::from(self.last.abs_diff(self.first)) + 1
    }
}

fn names(parameters: &[Parameter]) -> Vec<&str> {
    parameters.iter().map(|parameter| parameter.name.as_str()).collect()
}

impl Parameter {
    /// None without bounds or a value between them.
    fn grid(&self) -> Option<Grid> {
        let scale = BigInt::from(10).pow(u32::from(self.decimals.min(MAX_DECIMALS)));
        let min = number::exact(self.min.as_ref()?)? * &scale;
        let max = number::exact(self.max.as_ref()?)? * &scale;
        let (first, last) = (min.ceil().to_integer().to_i64()?, max.floor().to_integer().to_i64()?);
        (first <= last).then_some(Grid { first, last })
    }

    /// The value at a place of the grid, counted from 0. After the last place comes the first one again.
    fn value(&self, place: u128) -> Option<String> {
        let grid = self.grid()?;
        let units = i128::from(grid.first) + i128::try_from(place % grid.size()).ok()?;
        Some(decimal_text(units, self.decimals.min(MAX_DECIMALS).into()))
    }
}

/// Writes `units` of the last decimal as a decimal number, such as `-0.50` for −50 units and 2 decimals.
fn decimal_text(units: i128, decimals: usize) -> String {
    let sign = if units < 0 { "-" } else { "" };
    let digits = format!("{:0>width$}", units.unsigned_abs(), width = decimals + 1);
    let (whole, fraction) = digits.split_at(digits.len() - decimals);
    match fraction {
        "" => format!("{sign}{whole}"),
        _ => format!("{sign}{whole}.{fraction}"),
    }
}

/// The values at the places of the grids that `place` returns for the index of a parameter. Leaves out parameters without a grid.
fn values_at(parameters: &[Parameter], mut place: impl FnMut(usize) -> u128) -> Values {
    let values = parameters.iter().enumerate();
    values
        .filter_map(|(index, parameter)| Some((parameter.name.clone(), parameter.value(place(index))?)))
        .collect()
}

/// Returns `count` sets of values that are spread over the ranges of the parameters.
pub fn sample_values(parameters: &[Parameter], count: u32) -> Vec<Values> {
    (1..=count).map(|sample| spread_values(parameters, sample)).collect()
}

fn spread_values(parameters: &[Parameter], sample: u32) -> Values {
    values_at(parameters, spread(parameters, sample))
}

/// The right answer for these values: the result of the expression. An integer or a decimal of at most 15 digits is exact; any other
/// result is rounded to 12 significant digits.
pub fn result(parameters: &[Parameter], expression: &str, values: &Values) -> Result<Number, ResultError> {
    let names = names(parameters);
    let expression = Expression::parse(expression, &names).map_err(ResultError::Unreadable)?;
    result_of(&expression, &names, values)
}

fn result_of(expression: &Expression, names: &[&str], values: &Values) -> Result<Number, ResultError> {
    let numbers = names.iter().map(|name| number::decimal(values.get(*name)?));
    let numbers: Option<Vec<BigRational>> = numbers.collect();
    let numbers = numbers.ok_or(ResultError::NoValues)?;
    let result = expression.evaluate(&numbers).map_err(ResultError::NoResult)?;
    settled(&result).ok_or(ResultError::NoResult(ValueError::TooLarge))
}

/// Why a formula has no result for some values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultError {
    Unreadable(FormulaError),
    /// A parameter has no value.
    NoValues,
    NoResult(ValueError),
}

/// The result as it is stored and graded, rounded if necessary. None if it is too large.
fn settled(result: &evaluate::Value) -> Option<Number> {
    let exact = match result {
        evaluate::Value::Exact(exact) => Some(exact),
        evaluate::Value::Float(_) => None,
    };
    let whole = exact.filter(|exact| exact.is_integer());
    if let Some(whole) = whole.and_then(|whole| whole.to_integer().to_i64()) {
        return Some(Number::from(whole));
    }
    let float = result.to_f64();
    // The shortest decimal of this float, if it is short and equals the exact result.
    let short = Number::from_f64(float).filter(|short| {
        let digits = short.to_string();
        let digits = digits.split(['e', 'E']).next().unwrap_or_default();
        digits.bytes().filter(u8::is_ascii_digit).count() <= SHORT_DIGITS
            && exact.is_some_and(|exact| number::exact(short).as_ref() == Some(exact))
    });
    let rounded = || {
        let text = format!("{float:.digits$e}", digits = ROUNDED_DIGITS - 1);
        let rounded = number::decimal(&text)?;
        match rounded.is_integer().then(|| rounded.to_integer().to_i64()).flatten() {
            Some(whole) => Some(Number::from(whole)),
            None => Number::from_f64(text.parse().ok()?),
        }
    };
    short.or_else(rounded)
}

/// Everything that makes a formula question incomplete.
pub fn flaws(prompt: &serde_json::Value, parameters: &[Parameter], expression: &str) -> Vec<Flaw> {
    if parameters.is_empty() {
        return vec![Flaw::NoParameters];
    }
    let mut flaws = Vec::new();
    for (index, parameter) in parameters.iter().enumerate() {
        if !is_parameter_name(&parameter.name) {
            flaws.push(Flaw::BadName(index));
        } else if parameters.iter().take(index).any(|other| other.name == parameter.name) {
            flaws.push(Flaw::RepeatedName(index));
        }
        if parameter.grid().is_none() {
            flaws.push(Flaw::NoValues(index));
        }
    }
    if expression.trim().is_empty() {
        flaws.push(Flaw::NoExpression);
        return flaws;
    }
    let names = names(parameters);
    let parsed = match Expression::parse(expression, &names) {
        Ok(parsed) => parsed,
        Err(error) => {
            flaws.push(Flaw::Unreadable(error));
            return flaws;
        }
    };
    let shown = template::shown(prompt, &names);
    let hidden = parsed.parameters().into_iter().filter(|index| !shown.contains(index));
    flaws.extend(hidden.map(Flaw::NotShown));
    if flaws.is_empty() {
        flaws.extend(failing_sample(parameters, &parsed, &names).map(Flaw::NoResult));
    }
    flaws
}

/// The first error of the expression for many values: the ends of the ranges, zeros, and values that are spread over the ranges.
fn failing_sample(parameters: &[Parameter], expression: &Expression, names: &[&str]) -> Option<ValueError> {
    let fails = |values: &Values| match result_of(expression, names, values) {
        Err(ResultError::NoResult(error)) => Some(error),
        _ => None,
    };
    let grids: Vec<Grid> = parameters.iter().filter_map(Parameter::grid).collect();
    let last = |index: usize| grids.get(index).map_or(0, |grid| grid.size() - 1);
    // The place of zero, if it is a value.
    let zero = |index: usize| match grids.get(index) {
        Some(grid) if grid.first <= 0 && grid.last >= 0 => grid.first.unsigned_abs().into(),
        _ => 0,
    };
    let corners = (0..SAMPLES).filter_map(|sample| {
        fails(&values_at(parameters, |index| {
            let choice = sample
                .wrapping_mul(2_654_435_761)
                .rotate_left(u32::try_from(index % 32).unwrap_or(0))
                % 3;
            match choice {
                0 => 0,
                1 => last(index),
                _ => zero(index),
            }
        }))
    });
    let spread = (0..SAMPLES).filter_map(|sample| fails(&spread_values(parameters, sample)));
    corners.chain(spread).next()
}

/// Places in the grids of the parameters by index, which differ from sample to sample. If the parameters have few combinations of values,
/// the samples go through all of them. Otherwise steps of the golden ratio spread the places over each grid.
fn spread(parameters: &[Parameter], sample: u32) -> impl FnMut(usize) -> u128 {
    let size = |parameter: &Parameter| parameter.grid().map_or(1, Grid::size);
    let sizes: Vec<u128> = parameters.iter().map(size).collect();
    let all = sizes.iter().fold(1u128, |all, size| all.saturating_mul(*size));
    let mut rest = u128::from(sample);
    move |index| {
        let size = sizes.get(index).copied().unwrap_or(1);
        if all <= u128::from(SAMPLES) {
            let place = rest % size;
            rest /= size;
            return place;
        }
        let turn = u32::try_from(index * 7 % 64).unwrap_or(0);
        let step = u128::from(0x9e37_79b9_7f4a_7c15_u64.rotate_left(turn));
        let at = u128::from(sample).wrapping_mul(step) & u128::from(u64::MAX);
        (at * size) >> 64
    }
}

impl Question {
    /// The values of a formula question in an attempt; None for other questions. Attempts are counted from 1. The values depend only on the
    /// key, the learner, the question and the attempt. Values for which the expression has no result are drawn again.
    pub fn values(&self, aliases: &Aliases<'_>, attempt_no: i64) -> Option<Values> {
        let Kind::Formula {
            parameters, expression, ..
        } = &self.kind
        else {
            return None;
        };
        let draw = |draw: u32| {
            values_at(parameters, |index| {
                let place = u128::try_from(index).unwrap_or_default() << 32 | u128::from(draw);
                aliases.draw(self.id, place, attempt_no)
            })
        };
        let has_result = |values: &Values| result(parameters, expression, values).is_ok();
        Some((0..DRAWS).map(draw).find(has_result).unwrap_or_else(|| draw(0)))
    }

    /// The numeric question that a formula question becomes with these values. Other questions are returned unchanged.
    #[must_use]
    pub fn with_values(&self, values: &Values) -> Question {
        let Kind::Formula {
            parameters,
            expression,
            tolerance,
            tolerance_percent,
            units,
        } = &self.kind
        else {
            return self.clone();
        };
        Question {
            prompt: template::filled(&self.prompt, values),
            hints: self.hints.iter().map(|hint| template::filled(hint, values)).collect(),
            explanation: self
                .explanation
                .as_ref()
                .map(|explanation| template::filled(explanation, values)),
            kind: Kind::Numeric {
                value: result(parameters, expression, values).ok(),
                tolerance: tolerance.clone(),
                tolerance_percent: tolerance_percent.clone(),
                units: units.clone(),
            },
            ..*self
        }
    }

    /// Whether this is a valid and complete formula question.
    pub fn is_complete_formula(&self) -> bool {
        match &self.kind {
            Kind::Formula {
                parameters, expression, ..
            } => self.check().is_ok() && flaws(&self.prompt, parameters, expression).is_empty(),
            _ => false,
        }
    }

    /// The prompt with `[name]` instead of each placeholder.
    pub fn bracketed_prompt(&self) -> serde_json::Value {
        match &self.kind {
            Kind::Formula { parameters, .. } => template::bracketed(&self.prompt, &names(parameters)),
            _ => self.prompt.clone(),
        }
    }

    /// The question for readers outside of attempts: a formula question becomes a numeric one with values that are always the same.
    #[must_use]
    pub fn with_sample(&self) -> Question {
        let Kind::Formula {
            parameters, expression, ..
        } = &self.kind
        else {
            return self.clone();
        };
        let sample = |sample: u32| spread_values(parameters, sample);
        let has_result = |values: &Values| result(parameters, expression, values).is_ok();
        let values = (1..=SAMPLES).map(sample).find(has_result);
        self.with_values(&values.unwrap_or_else(|| sample(1)))
    }
}

impl Quiz {
    pub fn has_formulas(&self) -> bool {
        self.questions.iter().any(|question| question.kind.is_formula())
    }

    /// The values of the formula questions in an attempt, by the id of the question.
    pub fn values(&self, aliases: &Aliases<'_>, attempt_no: i64) -> HashMap<Uuid, Values> {
        let values = self.questions.iter();
        values
            .filter_map(|question| Some((question.id, question.values(aliases, attempt_no)?)))
            .collect()
    }

    /// The quiz of an attempt with these values: see [`Question::with_values`].
    #[must_use]
    pub fn with_values(mut self, values: &HashMap<Uuid, Values>) -> Quiz {
        for question in &mut self.questions {
            if let Some(values) = values.get(&question.id) {
                *question = question.with_values(values);
            }
        }
        self
    }
}
