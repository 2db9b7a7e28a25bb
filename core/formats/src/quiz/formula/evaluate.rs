//! Evaluates formulas. Rational operations on exact fractions stay exact; all others use floating-point numbers.

use std::cmp::Ordering;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{FromPrimitive as _, One as _, Signed as _, ToPrimitive as _, Zero as _};

use super::expression::{Constant, Expression, Function, Node, Operator};

/// The maximum size of a numerator or denominator in bits. Larger fractions become floating-point numbers.
const MAX_BITS: u64 = 256;
/// The maximum of the second argument of `round`, the number of decimals.
const MAX_ROUND: i32 = 12;

/// The value of a formula or of a part of it.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Exact(BigRational),
    /// A finite number.
    Float(f64),
}

/// Why a formula has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueError {
    DivisionByZero,
    /// An operation is undefined, such as the square root of a negative number.
    NotANumber,
    TooLarge,
}

impl Expression {
    /// The value for these values of the parameters, by index.
    pub(super) fn evaluate(&self, parameters: &[BigRational]) -> Result<Value, ValueError> {
        evaluate(&self.0, parameters)
    }
}

impl Value {
    pub fn to_f64(&self) -> f64 {
        match self {
            Value::Exact(exact) => exact.to_f64().unwrap_or(f64::NAN),
            Value::Float(float) => *float,
        }
    }

    /// The exact value; every finite float has one.
    fn exact(&self) -> Result<BigRational, ValueError> {
        match self {
            Value::Exact(exact) => Ok(exact.clone()),
            Value::Float(float) => BigRational::from_f64(*float).ok_or(ValueError::NotANumber),
        }
    }

    fn is_zero(&self) -> bool {
        match self {
            Value::Exact(exact) => exact.is_zero(),
            Value::Float(float) => *float == 0.0,
        }
    }
}

fn float(float: f64) -> Result<Value, ValueError> {
    match float {
        float if float.is_nan() => Err(ValueError::NotANumber),
        float if float.is_infinite() => Err(ValueError::TooLarge),
        float => Ok(Value::Float(float)),
    }
}

/// The number of bits of the numerator or the denominator, whichever is larger.
fn bits(number: &BigRational) -> u64 {
    number.numer().bits().max(number.denom().bits())
}

/// The fraction, or the nearest float if the fraction is too large.
fn exact(number: BigRational) -> Result<Value, ValueError> {
    match bits(&number) <= MAX_BITS {
        true => Ok(Value::Exact(number)),
        false => float(number.to_f64().unwrap_or(f64::NAN)),
    }
}

fn evaluate(node: &Node, parameters: &[BigRational]) -> Result<Value, ValueError> {
    match node {
        Node::Number(number) => exact(number.clone()),
        Node::Constant(Constant::Pi) => Ok(Value::Float(std::f64::consts::PI)),
        Node::Constant(Constant::E) => Ok(Value::Float(std::f64::consts::E)),
        Node::Parameter(index) => match parameters.get(*index) {
            Some(value) => exact(value.clone()),
            None => Err(ValueError::NotANumber),
        },
        Node::Negative(inner) => Ok(match evaluate(inner, parameters)? {
            Value::Exact(exact) => Value::Exact(-exact),
            Value::Float(float) => Value::Float(-float),
        }),
        Node::Chain(first, rest) => {
            let first = evaluate(first, parameters)?;
            rest.iter().try_fold(first, |left, (operator, right)| {
                binary(*operator, &left, &evaluate(right, parameters)?)
            })
        }
        Node::Power(base, exponent) => power(&evaluate(base, parameters)?, &evaluate(exponent, parameters)?),
        Node::Call(function, arguments) => {
            let values: Result<Vec<Value>, ValueError> = arguments
                .iter()
                .map(|argument| evaluate(argument, parameters))
                .collect();
            call(*function, values?)
        }
    }
}

fn binary(operator: Operator, left: &Value, right: &Value) -> Result<Value, ValueError> {
    if operator == Operator::Divide && right.is_zero() {
        return Err(ValueError::DivisionByZero);
    }
    match (left, right) {
        (Value::Exact(left), Value::Exact(right)) => exact(match operator {
            Operator::Add => left + right,
            Operator::Subtract => left - right,
            Operator::Multiply => left * right,
            Operator::Divide => left / right,
        }),
        _ => {
            let (left, right) = (left.to_f64(), right.to_f64());
            float(match operator {
                Operator::Add => left + right,
                Operator::Subtract => left - right,
                Operator::Multiply => left * right,
                Operator::Divide => left / right,
            })
        }
    }
}

fn power(base: &Value, exponent: &Value) -> Result<Value, ValueError> {
    let whole = match exponent {
        Value::Exact(exponent) if exponent.is_integer() => exponent.to_integer().to_i32(),
        _ => None,
    };
    if base.is_zero() && exponent.to_f64() < 0.0 {
        return Err(ValueError::DivisionByZero);
    }
    if let (Value::Exact(base), Some(whole)) = (base, whole) {
        let size = bits(base).saturating_mul(whole.unsigned_abs().into());
        if size <= MAX_BITS {
            return Ok(Value::Exact(match base.is_zero() {
                true if whole == 0 => BigRational::one(),
                true => base.clone(),
                false => base.pow(whole),
            }));
        }
    }
    float(base.to_f64().powf(exponent.to_f64()))
}

fn call(function: Function, values: Vec<Value>) -> Result<Value, ValueError> {
    let mut values = values.into_iter();
    let first = values.next().ok_or(ValueError::NotANumber)?;
    let of_float = |calculate: fn(f64) -> f64| float(calculate(first.to_f64()));
    match function {
        Function::Sqrt => of_float(f64::sqrt),
        Function::Sin => of_float(f64::sin),
        Function::Cos => of_float(f64::cos),
        Function::Tan => of_float(f64::tan),
        Function::Ln if first.is_zero() => Err(ValueError::NotANumber),
        Function::Log10 if first.is_zero() => Err(ValueError::NotANumber),
        Function::Ln => of_float(f64::ln),
        Function::Log10 => of_float(f64::log10),
        Function::Exp => of_float(f64::exp),
        Function::Abs => Ok(match first {
            Value::Exact(exact) => Value::Exact(exact.abs()),
            Value::Float(float) => Value::Float(float.abs()),
        }),
        Function::Floor => exact(first.exact()?.floor()),
        Function::Ceil => exact(first.exact()?.ceil()),
        Function::Round => match values.next() {
            None => exact(first.exact()?.round()),
            Some(decimals) => rounded(&first, &decimals),
        },
        Function::Min | Function::Max => {
            let wanted = match function {
                Function::Min => Ordering::Less,
                _ => Ordering::Greater,
            };
            let mut best = first;
            for value in values {
                if value.exact()?.cmp(&best.exact()?) == wanted {
                    best = value;
                }
            }
            Ok(best)
        }
    }
}

/// Rounds to a number of decimals, half away from zero.
fn rounded(value: &Value, decimals: &Value) -> Result<Value, ValueError> {
    let decimals = decimals.exact()?;
    let decimals = decimals.is_integer().then(|| decimals.to_integer().to_i32()).flatten();
    let decimals = decimals.filter(|decimals| (0..=MAX_ROUND).contains(decimals));
    let decimals = decimals.ok_or(ValueError::NotANumber)?;
    let scale = BigRational::from(BigInt::from(10)).pow(decimals);
    exact((value.exact()? * &scale).round() / scale)
}
