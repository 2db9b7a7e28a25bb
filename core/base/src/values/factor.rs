//! The factor of the time for a timed quiz.

use serde_json::json;

use super::{Checked, Problem};
use crate::messages::Message;

/// How many times the usual time someone has, from 1 to 5.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeFactor(f64);

impl TimeFactor {
    /// The smallest value.
    pub const MIN: i32 = 1;
    /// The largest value.
    pub const MAX: i32 = 5;

    pub fn get(self) -> f64 {
        self.0
    }
}

impl Checked for TimeFactor {
    type Plain = f64;

    fn check(plain: f64) -> Result<Self, Problem> {
        let (min, max) = (Self::MIN, Self::MAX);
        if plain > max.into() {
            Err(Problem::new("less_than_equal", Message::IntegerTooLarge(max.into())).with(json!({"le": max})))
        } else if plain >= min.into() {
            Ok(TimeFactor(plain))
        } else {
            Err(Problem::new("greater_than_equal", Message::IntegerTooSmall(min.into())).with(json!({"ge": min})))
        }
    }

    fn wrong_type() -> Problem {
        Problem::new("float_type", Message::NotANumber)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_factor_is_from_one_to_five() {
        let kind = |plain| {
            TimeFactor::check(plain)
                .map(TimeFactor::get)
                .map_err(|problem| problem.kind)
        };
        for plain in [1.0, 1.5, 5.0] {
            assert_eq!(kind(plain), Ok(plain));
        }
        for plain in [0.0, 0.999, -1.0, f64::NAN, f64::NEG_INFINITY] {
            assert_eq!(kind(plain), Err("greater_than_equal"), "{plain}");
        }
        for plain in [5.001, f64::INFINITY] {
            assert_eq!(kind(plain), Err("less_than_equal"), "{plain}");
        }
    }
}
