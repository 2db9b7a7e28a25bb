//! A coordinate or a length on a picture.

use num_bigint::BigInt;
use num_traits::ToPrimitive as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::Number;

use crate::quiz::number::exact;

/// Percent of the width or the height of a picture: 0 to 100, with at most three decimals.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Coordinate(u32);

/// The parts of one percent.
const PARTS: u32 = 1000;

impl Coordinate {
    /// The largest coordinate in percent.
    pub const MAX: u32 = 100;

    /// None when it is out of bounds or has too many decimals.
    pub fn new(percent: &Number) -> Option<Self> {
        let parts = exact(percent)? * BigInt::from(PARTS);
        let parts = parts.is_integer().then(|| parts.to_integer().to_u32()).flatten()?;
        (parts <= Self::MAX * PARTS).then_some(Coordinate(parts))
    }

    /// The nearest coordinate to a percentage of a course file.
    pub fn nearest(percent: f64) -> Self {
        let parts = percent.clamp(0.0, f64::from(Self::MAX)) * f64::from(PARTS);
        Coordinate(parts.round() as u32) // in bounds; `as` makes 0 of NaN
    }

    /// In thousandths of a percent.
    pub fn parts(self) -> i64 {
        self.0.into()
    }

    /// A coordinate from thousandths of a percent, limited to the picture.
    pub fn of_parts(parts: i64) -> Self {
        let most = Self::MAX * PARTS;
        Coordinate(u32::try_from(parts.clamp(0, most.into())).unwrap_or(most))
    }

    pub fn as_f64(self) -> f64 {
        f64::from(self.0) / f64::from(PARTS)
    }

    pub fn is_zero(self) -> bool {
        self.0 == 0
    }
}

/// The shortest decimal of the percentage, without a percent sign.
impl std::fmt::Display for Coordinate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.as_f64().fmt(f)
    }
}

impl Serialize for Coordinate {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        if self.0.is_multiple_of(PARTS) {
            to.serialize_u32(self.0 / PARTS)
        } else {
            to.serialize_f64(self.as_f64())
        }
    }
}

impl<'de> Deserialize<'de> for Coordinate {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Coordinate::new(&Number::deserialize(from)?).ok_or_else(|| de::Error::custom("coordinate out of bounds"))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn coordinates_have_three_decimals_and_bounds() {
        let coordinate = |value: serde_json::Value| Coordinate::new(value.as_number().unwrap());
        assert_eq!(coordinate(json!(0)), Some(Coordinate(0)));
        assert_eq!(coordinate(json!(100.0)), Some(Coordinate(100_000)));
        assert_eq!(serde_json::to_value(coordinate(json!(33.333))).unwrap(), json!(33.333));
        for bad in [json!(-0.001), json!(100.001), json!(0.0001), json!(1e300)] {
            assert_eq!(coordinate(bad.clone()), None, "{bad}");
        }
    }

    proptest! {
        #[test]
        fn coordinates_keep_their_value(parts in 0u32..=100_000) {
            let coordinate = Coordinate(parts);
            prop_assert_eq!(Coordinate::nearest(coordinate.as_f64()), coordinate);
            let stored = serde_json::to_value(coordinate).unwrap();
            prop_assert_eq!(serde_json::from_value::<Coordinate>(stored).unwrap(), coordinate);
            prop_assert_eq!(Coordinate::new(&coordinate.to_string().parse().unwrap()), Some(coordinate));
        }
    }
}
