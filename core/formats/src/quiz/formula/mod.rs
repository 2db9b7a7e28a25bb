//! Formula questions: each attempt gets values of its own for the parameters of the question, and an expression computes the right answer
//! from them ([decision 104](../../../../docs/decisions/0104-formula-questions.md)).
//!
//! For an attempt, a formula question becomes a numeric one: [`Question::with_values`].

mod evaluate;
mod expression;
mod template;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{FromPrimitive as _, Signed as _, ToPrimitive as _, Zero as _};
use serde::{Deserialize, Serialize};
use serde_json::Number;
use uuid::Uuid;

pub use evaluate::ValueError;
pub use expression::{Expression, FormulaError, Unreadable};

use super::alias::Aliases;
use super::model::{Kind, Question, Quiz};
use super::number;

/// The most parameters of a question.
pub const MAX_PARAMETERS: usize = 20;
/// Characters of the name of a parameter.
pub const MAX_PARAMETER_NAME: usize = 32;
/// The most decimals of the values of a parameter.
pub const MAX_DECIMALS: u8 = 6;
/// The largest value of a parameter; the smallest is its negative.
pub const MAX_VALUE: u32 = 1_000_000_000;
/// Characters of an expression.
pub const MAX_EXPRESSION: usize = 1000;
/// How often values are drawn until the expression has a value.
const DRAWS: u32 = 20;
/// How many random values a complete question is tried with.
const SAMPLES: u32 = 60;
/// Significant digits to which a result that is no short decimal is rounded, and those of a short decimal.
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

/// The values of the parameters of a question by their names, as they are shown: decimals with a point.
pub type Values = BTreeMap<String, String>;

/// What makes a formula question incomplete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    NoParameters,
    /// The parameter of this index has an invalid name.
    BadName(usize),
    /// Its name is that of an earlier one.
    RepeatedName(usize),
    /// It has no bounds, or there is no value between them.
    NoValues(usize),
    NoExpression,
    Unreadable(FormulaError),
    /// The prompt does not show this parameter, which the expression uses.
    NotShown(usize),
    /// For some values the expression has no result.
    NoResult(ValueError),
}

/// Whether a parameter may have this name: a Latin letter, then Latin letters, digits and `_`; no name of the language.
pub fn is_parameter_name(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes.next().is_some_and(|first| first.is_ascii_alphabetic())
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && name.len() <= MAX_PARAMETER_NAME
        && !expression::is_reserved(name)
}

impl Parameter {
    /// The first and the last value in units of the last decimal. None without bounds or a value between them.
    fn grid(&self) -> Option<(i64, i64)> {
        let scale = BigInt::from(10).pow(u32::from(self.decimals.min(MAX_DECIMALS)));
        let min = number::exact(self.min.as_ref()?)? * &scale;
        let max = number::exact(self.max.as_ref()?)? * &scale;
        let (first, last) = (min.ceil().to_integer().to_i64()?, max.floor().to_integer().to_i64()?);
        (first <= last).then_some((first, last))
    }

    /// The value at a place of the grid, which starts again after its end.
    fn value(&self, place: u128) -> Option<String> {
        let (first, last) = self.grid()?;
        let count = u128::try_from(i128::from(last) - i128::from(first) + 1).ok()?;
        let units = i128::from(first) + i128::try_from(place % count).ok()?;
        Some(decimal_text(units, self.decimals.min(MAX_DECIMALS).into()))
    }
}

/// A number of units of the last of `decimals` decimals, such as `-0.50` for −50 and 2.
fn decimal_text(units: i128, decimals: usize) -> String {
    let sign = if units < 0 { "-" } else { "" };
    let digits = format!("{:0>width$}", units.unsigned_abs(), width = decimals + 1);
    let (whole, fraction) = digits.split_at(digits.len() - decimals);
    match fraction {
        "" => format!("{sign}{whole}"),
        _ => format!("{sign}{whole}.{fraction}"),
    }
}

/// The values of parameters, as far as they have some, at the places that `place` gives by their index.
fn values_at(parameters: &[Parameter], mut place: impl FnMut(usize) -> u128) -> Values {
    let values = parameters.iter().enumerate();
    values
        .filter_map(|(index, parameter)| Some((parameter.name.clone(), parameter.value(place(index))?)))
        .collect()
}

/// Values that are spread over the grids of the parameters, `count` times.
pub fn sample_values(parameters: &[Parameter], count: u32) -> Vec<Values> {
    (1..=count)
        .map(|sample| values_at(parameters, spread(parameters, sample)))
        .collect()
}

/// The right answer for these values: the result of the expression as a decimal. An integer, and a decimal of at most 15 digits, is
/// exact; any other result is rounded to 12 significant digits.
pub fn result(parameters: &[Parameter], expression: &str, values: &Values) -> Result<Number, ResultError> {
    let names: Vec<&str> = parameters.iter().map(|parameter| parameter.name.as_str()).collect();
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

/// The number that stands for a result; None if it is too large.
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
    // The shortest text that reads as this float. It has more digits if the result has.
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

/// The indexes of the parameters that a document shows.
fn shown(document: &serde_json::Value, parameters: &[Parameter]) -> BTreeSet<usize> {
    let names: Vec<&str> = parameters.iter().map(|parameter| parameter.name.as_str()).collect();
    template::shown(document, &names)
}

/// Everything that a published question may not have.
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
    let names: Vec<&str> = parameters.iter().map(|parameter| parameter.name.as_str()).collect();
    let parsed = match Expression::parse(expression, &names) {
        Ok(parsed) => parsed,
        Err(error) => {
            flaws.push(Flaw::Unreadable(error));
            return flaws;
        }
    };
    let shown = shown(prompt, parameters);
    let hidden = parsed.parameters().into_iter().filter(|index| !shown.contains(index));
    flaws.extend(hidden.map(Flaw::NotShown));
    if flaws.is_empty() {
        flaws.extend(failing_sample(parameters, &parsed, &names).map(Flaw::NoResult));
    }
    flaws
}

/// Why the expression has no result for some of many values: the ends of the ranges, zeros, and values that are spread over them.
fn failing_sample(parameters: &[Parameter], expression: &Expression, names: &[&str]) -> Option<ValueError> {
    let fails = |values: &Values| match result_of(expression, names, values) {
        Err(ResultError::NoResult(error)) => Some(error),
        _ => None,
    };
    let grids: Vec<(i64, i64)> = parameters.iter().filter_map(Parameter::grid).collect();
    let count = |index: usize| {
        grids
            .get(index)
            .map_or(1, |(first, last)| last.abs_diff(*first).saturating_add(1))
    };
    // The place of zero, if it is a value.
    let zero = |index: usize| match grids.get(index) {
        Some((first, last)) if *first <= 0 && *last >= 0 => first.unsigned_abs(),
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
                1 => u128::from(count(index)) - 1,
                _ => zero(index).into(),
            }
        }))
    });
    let spread = (0..SAMPLES).filter_map(|sample| fails(&values_at(parameters, spread(parameters, sample))));
    corners.chain(spread).next()
}

/// Places in the grids of parameters that differ from sample to sample. Steps of the golden ratio spread over each grid; a few values are
/// tried in all combinations.
fn spread(parameters: &[Parameter], sample: u32) -> impl FnMut(usize) -> u128 {
    let size = |parameter: &Parameter| {
        parameter
            .grid()
            .map_or(1, |(first, last)| u128::from(last.abs_diff(first)) + 1)
    };
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
    /// The values of a formula question in an attempt, counted from 1; None for other questions. They depend on nothing but the key, the
    /// learner, the question and the attempt. Values for which the expression has no result are drawn again.
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

    /// The question as an attempt with these values asks it: a numeric one. Other questions stay as they are.
    #[must_use]
    pub fn with_values(&self, values: &Values) -> Question {
        let Kind::Formula {
            parameters,
            expression,
            tolerance,
            tolerance_percent,
        } = &self.kind
        else {
            return self.clone();
        };
        Question {
            id: self.id,
            points: self.points,
            source: self.source,
            prompt: template::filled(&self.prompt, values),
            explanation: self
                .explanation
                .as_ref()
                .map(|explanation| template::filled(explanation, values)),
            kind: Kind::Numeric {
                value: result(parameters, expression, values).ok(),
                tolerance: tolerance.clone(),
                tolerance_percent: tolerance_percent.clone(),
            },
        }
    }

    /// Whether this is a formula question that lacks nothing and breaks no rule.
    pub fn is_complete_formula(&self) -> bool {
        match &self.kind {
            Kind::Formula {
                parameters, expression, ..
            } => self.check().is_ok() && flaws(&self.prompt, parameters, expression).is_empty(),
            _ => false,
        }
    }

    /// The prompt with `[name]` in place of each placeholder.
    pub fn bracketed_prompt(&self) -> serde_json::Value {
        match &self.kind {
            Kind::Formula { parameters, .. } => {
                let names: Vec<&str> = parameters.iter().map(|parameter| parameter.name.as_str()).collect();
                template::bracketed(&self.prompt, &names)
            }
            _ => self.prompt.clone(),
        }
    }

    /// The question as it is for readers who make no attempt: a formula question with values that are always the same.
    #[must_use]
    pub fn with_sample(&self) -> Question {
        let Kind::Formula {
            parameters, expression, ..
        } = &self.kind
        else {
            return self.clone();
        };
        let sample = |sample: u32| values_at(parameters, spread(parameters, sample));
        let has_result = |values: &Values| result(parameters, expression, values).is_ok();
        let values = (1..=SAMPLES).map(sample).find(has_result);
        self.with_values(&values.unwrap_or_else(|| sample(1)))
    }
}

impl Quiz {
    pub fn has_formulas(&self) -> bool {
        self.questions
            .iter()
            .any(|question| matches!(question.kind, Kind::Formula { .. }))
    }

    /// The values of the formula questions in an attempt, by question.
    pub fn values(&self, aliases: &Aliases<'_>, attempt_no: i64) -> HashMap<Uuid, Values> {
        let values = self.questions.iter();
        values
            .filter_map(|question| Some((question.id, question.values(aliases, attempt_no)?)))
            .collect()
    }

    /// The quiz as an attempt with these values asks it.
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

/// The exact number of a float.
fn of_float(float: f64) -> Option<BigRational> {
    BigRational::from_f64(float)
}

/// Whether a number is 0.
fn is_zero(number: &BigRational) -> bool {
    number.is_zero()
}

/// The number of bits of the larger of numerator and denominator.
fn bits(number: &BigRational) -> u64 {
    number.numer().abs().bits().max(number.denom().bits())
}
