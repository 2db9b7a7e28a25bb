//! How long a learner has spent on a question.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_traits::ToPrimitive as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::Number;
use uuid::Uuid;

use super::number::exact;

/// The times by question.
pub type Times = BTreeMap<Uuid, Seconds>;

/// 0 to 86400 seconds, with at most one decimal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Seconds(u32);

/// The parts of a second.
const PARTS: u32 = 10;

impl Seconds {
    /// A day.
    pub const MAX: u32 = 24 * 60 * 60;

    /// None when it is out of bounds or has too many decimals.
    pub fn new(seconds: &Number) -> Option<Self> {
        let parts = exact(seconds)? * BigInt::from(PARTS);
        let parts = parts.is_integer().then(|| parts.to_integer().to_u32()).flatten()?;
        (parts <= Self::MAX * PARTS).then_some(Seconds(parts))
    }

    /// In tenths of a second.
    pub fn tenths(self) -> i64 {
        self.0.into()
    }

    /// From tenths of a second, limited to the bounds.
    pub fn of_tenths(tenths: i64) -> Self {
        let most = Self::MAX * PARTS;
        Seconds(u32::try_from(tenths.clamp(0, most.into())).unwrap_or(most))
    }

    pub fn as_f64(self) -> f64 {
        f64::from(self.0) / f64::from(PARTS)
    }
}

impl Serialize for Seconds {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        if self.0.is_multiple_of(PARTS) {
            to.serialize_u32(self.0 / PARTS)
        } else {
            to.serialize_f64(self.as_f64())
        }
    }
}

impl<'de> Deserialize<'de> for Seconds {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Seconds::new(&Number::deserialize(from)?).ok_or_else(|| de::Error::custom("seconds out of bounds"))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn seconds_have_one_decimal_and_bounds() {
        let seconds = |value: serde_json::Value| Seconds::new(value.as_number().unwrap());
        assert_eq!(seconds(json!(12.5)), Some(Seconds(125)));
        assert_eq!(seconds(json!(86400)), Some(Seconds(864_000)));
        for bad in [json!(-0.1), json!(86400.1), json!(0.25), json!(1e300)] {
            assert_eq!(seconds(bad.clone()), None, "{bad}");
        }
    }

    proptest! {
        #[test]
        fn seconds_keep_their_value(tenths in 0u32..=864_000) {
            let stored = serde_json::to_value(Seconds(tenths)).unwrap();
            prop_assert_eq!(serde_json::from_value::<Seconds>(stored).unwrap(), Seconds(tenths));
            prop_assert_eq!(Seconds::of_tenths(tenths.into()).tenths(), i64::from(tenths));
        }
    }
}
