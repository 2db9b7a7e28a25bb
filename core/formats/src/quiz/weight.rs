//! The weight of an option of a choice.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::ToPrimitive as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::Number;

use super::choice::Choice;
use super::number::exact;

/// What an option earns or costs in percent of the points: -100 to 100, with at most five decimals.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Weight(i32);

/// The parts of one percent.
const PARTS: i32 = 100_000;

impl Weight {
    /// The largest weight in percent. The smallest one is its negative.
    pub const MAX: i32 = 100;
    pub const ZERO: Weight = Weight(0);
    pub const FULL: Weight = Weight(Self::MAX * PARTS);

    /// None when it is out of bounds or has too many decimals.
    pub fn new(percent: &Number) -> Option<Self> {
        let parts = exact(percent)? * BigInt::from(PARTS);
        let parts = parts.is_integer().then(|| parts.to_integer().to_i32()).flatten()?;
        let most = Self::MAX * PARTS;
        (-most..=most).contains(&parts).then_some(Weight(parts))
    }

    /// The nearest weight to a percentage of a course file.
    pub fn nearest(percent: f64) -> Self {
        let most = f64::from(Self::MAX);
        Weight((percent.clamp(-most, most) * f64::from(PARTS)).round() as i32) // in bounds; `as` makes 0 of NaN
    }

    /// As a part of the whole: 1 for 100 percent.
    pub fn exact(self) -> BigRational {
        BigRational::new(self.0.into(), BigInt::from(PARTS) * Self::MAX)
    }

    pub fn as_f64(self) -> f64 {
        f64::from(self.0) / f64::from(PARTS)
    }

    pub fn is_positive(self) -> bool {
        self.0 > 0
    }
}

/// The shortest decimal of the percentage, without a percent sign.
impl std::fmt::Display for Weight {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.as_f64().fmt(f)
    }
}

impl Serialize for Weight {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        if self.0 % PARTS == 0 {
            to.serialize_i32(self.0 / PARTS)
        } else {
            to.serialize_f64(self.as_f64())
        }
    }
}

impl<'de> Deserialize<'de> for Weight {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Weight::new(&Number::deserialize(from)?).ok_or_else(|| de::Error::custom("weight out of bounds"))
    }
}

/// Whether the options are graded by weights, which is the case if any of them has one.
pub fn is_weighted(options: &[Choice]) -> bool {
    options.iter().any(|option| option.weight.is_some())
}

/// Whether the weights of a single choice agree with its right option: only that one may be worth all points.
pub fn agree_with_one(options: &[Choice]) -> bool {
    let agrees = |option: &Choice| {
        option
            .weight
            .is_none_or(|weight| option.correct == (weight == Weight::FULL))
    };
    options.iter().all(agrees)
}

/// Whether the weights of a multiple choice agree with its right options: exactly these earn something.
pub fn agree_with_several(options: &[Choice]) -> bool {
    let earns = |option: &Choice| option.weight.is_some_and(Weight::is_positive);
    !is_weighted(options) || options.iter().all(|option| option.correct == earns(option))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn weights_have_five_decimals_and_bounds() {
        let weight = |value: serde_json::Value| Weight::new(value.as_number().unwrap());
        assert_eq!(weight(json!(100)), Some(Weight::FULL));
        assert_eq!(weight(json!(0)), Some(Weight::ZERO));
        assert_eq!(serde_json::to_value(weight(json!(-50.0))).unwrap(), json!(-50));
        assert_eq!(serde_json::to_value(weight(json!(33.33333))).unwrap(), json!(33.33333));
        for bad in [json!(100.00001), json!(-101), json!(0.000_001), json!(1e300)] {
            assert_eq!(weight(bad.clone()), None, "{bad}");
        }
    }

    proptest! {
        #[test]
        fn weights_keep_their_value(parts in -10_000_000i32..=10_000_000) {
            let weight = Weight(parts);
            prop_assert_eq!(Weight::nearest(weight.as_f64()), weight);
            let stored = serde_json::to_value(weight).unwrap();
            prop_assert_eq!(serde_json::from_value::<Weight>(stored).unwrap(), weight);
            prop_assert_eq!(Weight::new(&weight.to_string().parse().unwrap()), Some(weight));
        }
    }
}
