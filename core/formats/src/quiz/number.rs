//! Exact decimal numbers.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed as _, ToPrimitive as _, Zero as _};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::{Number, Value};

use kurso_base::values::{Checked, Problem};

/// The most characters and the largest exponent of a number. Every JSON number fits; larger ones would take long to compute.
const MAX_DIGITS: usize = 400;
const MAX_EXPONENT: u64 = 400;

/// What a question is worth: 0 to 1000, with at most four decimals.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Points(u32);

/// The parts of one point.
const PARTS: u32 = 10_000;

impl Points {
    pub const MAX: u32 = 1000;
    pub const ZERO: Points = Points(0);
    pub const ONE: Points = Points(PARTS);
    pub const TEN: Points = Points(10 * PARTS);

    /// None when it is out of bounds or has too many decimals.
    pub fn new(number: &Number) -> Option<Self> {
        let parts = exact(number)? * BigInt::from(PARTS);
        let parts = parts.is_integer().then(|| parts.to_integer().to_u32()).flatten()?;
        (parts <= Self::MAX * PARTS).then_some(Points(parts))
    }

    /// The nearest points to a number of a course file.
    pub fn nearest(number: f64) -> Self {
        let parts = number.clamp(0.0, f64::from(Self::MAX)) * f64::from(PARTS);
        Points(parts.round() as u32) // in bounds; `as` makes 0 of NaN
    }

    /// In ten-thousandths of a point.
    pub fn parts(self) -> i64 {
        self.0.into()
    }

    /// Points from ten-thousandths of a point, limited to the valid range.
    pub fn of_parts(parts: i64) -> Self {
        let most = Self::MAX * PARTS;
        Points(u32::try_from(parts.clamp(0, most.into())).unwrap_or(most))
    }

    /// These points, which are some of `most`, as points of a question that is worth `worth`; rounded half up.
    #[must_use]
    pub fn scaled(self, most: Points, worth: Points) -> Self {
        if most == worth {
            return self;
        }
        let (of, half) = (most.parts(), most.parts() / 2);
        Self::of_parts((self.parts() * worth.parts() + half).checked_div(of).unwrap_or(0)).min(worth)
    }

    pub fn exact(self) -> BigRational {
        BigRational::new(self.0.into(), PARTS.into())
    }

    pub fn as_f64(self) -> f64 {
        f64::from(self.0) / f64::from(PARTS)
    }

    pub fn is_zero(self) -> bool {
        self.0 == 0
    }
}

impl Checked for Points {
    type Plain = Value;

    fn check(plain: Value) -> Result<Self, Problem> {
        plain.as_number().and_then(Points::new).ok_or_else(Self::wrong_type)
    }

    fn wrong_type() -> Problem {
        super::problem::Problem::BadPoints.value_error()
    }
}

impl Serialize for Points {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        if self.0.is_multiple_of(PARTS) {
            to.serialize_u32(self.0 / PARTS)
        } else {
            to.serialize_f64(self.as_f64())
        }
    }
}

impl<'de> Deserialize<'de> for Points {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Points::new(&Number::deserialize(from)?).ok_or_else(|| de::Error::custom("points out of bounds"))
    }
}

/// The exact value of a JSON number.
pub fn exact(number: &Number) -> Option<BigRational> {
    decimal(&number.to_string())
}

/// Reads a number as people write it: with a comma or a point, spaces between digits, a minus or a dash, an exponent.
pub fn decimal(text: &str) -> Option<BigRational> {
    let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    if text.len() > MAX_DIGITS {
        return None;
    }
    let (negative, rest) = match text.strip_prefix(['-', '−', '–']) {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(&text)),
    };
    let (mantissa, exponent) = match rest.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i64>().ok()?),
        None => (rest, 0),
    };
    let (whole, fraction) = mantissa.split_once(['.', ',']).unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) || exponent.unsigned_abs() > MAX_EXPONENT {
        return None;
    }
    let digits: BigInt = digits.parse().ok()?;
    let scale = exponent - i64::try_from(fraction.len()).ok()?;
    let power = BigRational::from(BigInt::from(10)).pow(i32::try_from(scale).ok()?);
    let number = BigRational::from(digits) * power;
    Some(if negative { -number } else { number })
}

/// Whether `answer` differs from `value` by at most `tolerance`, or by `percent` of the value if given.
pub fn is_close(
    answer: &BigRational,
    value: &BigRational,
    tolerance: &BigRational,
    percent: Option<&BigRational>,
) -> bool {
    let allowed = match percent {
        Some(percent) => value.abs() * percent / BigInt::from(100),
        None => tolerance.clone(),
    };
    (answer - value).abs() <= allowed
}

/// Rounds to four decimals, half away from zero, as scores are shown.
pub fn rounded(exact: &BigRational) -> f64 {
    let parts = (exact * BigInt::from(PARTS)).round().to_integer();
    parts.to_f64().unwrap_or_default() / f64::from(PARTS)
}

/// `part` of `whole` in percent; 0 when `whole` is 0.
pub fn percent(part: &BigRational, whole: &BigRational) -> BigRational {
    if whole.is_zero() {
        return BigRational::zero();
    }
    part * BigInt::from(100) / whole
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn ratio(n: i64, d: i64) -> BigRational {
        BigRational::new(n.into(), d.into())
    }

    #[test]
    fn numbers_are_parsed_in_common_spellings() {
        for (text, number) in [
            ("0,1", ratio(1, 10)),
            (" 1 000 000.50 ", ratio(2_000_001, 2)),
            ("1\u{a0}000\u{202f}000", ratio(1_000_000, 1)),
            ("−3", ratio(-3, 1)),
            ("-,5", ratio(-1, 2)),
            ("+7.", ratio(7, 1)),
            ("1e3", ratio(1000, 1)),
            ("25E-1", ratio(5, 2)),
            ("1e+2", ratio(100, 1)),
        ] {
            assert_eq!(decimal(text), Some(number), "{text}");
        }
        let long = "9".repeat(MAX_DIGITS + 1);
        for text in [
            "",
            "-",
            ".",
            "1.2.3",
            "1,000.5",
            "--1",
            "1e",
            "e5",
            "1e401",
            "1e-9223372036854775808",
            "0x10",
            "NaN",
            "inf",
            "½",
            "1/2",
            &long,
        ] {
            assert_eq!(decimal(text), None, "{text}");
        }
    }

    #[test]
    fn json_numbers_keep_their_written_value() {
        assert_eq!(exact(json!(0.1).as_number().unwrap()), Some(ratio(1, 10)));
        assert!(exact(json!(f64::MAX).as_number().unwrap()).is_some());
        assert!(exact(json!(f64::MIN_POSITIVE).as_number().unwrap()).is_some());
    }

    #[test]
    fn points_have_four_decimals_and_bounds() {
        let points = |value: serde_json::Value| Points::new(value.as_number().unwrap());
        assert_eq!(points(json!(1)), Some(Points::ONE));
        assert_eq!(serde_json::to_value(points(json!(2.0))).unwrap(), json!(2));
        assert_eq!(serde_json::to_value(points(json!(0.3333))).unwrap(), json!(0.3333));
        assert_eq!(points(json!(1000)).map(Points::as_f64), Some(1000.0));
        for bad in [json!(-1), json!(1000.1), json!(0.33333), json!(1e300)] {
            assert_eq!(points(bad.clone()), None, "{bad}");
        }
    }

    #[test]
    fn tolerances_are_inclusive_and_exact() {
        let [zero, tenth, three_tenths, two_tenths] = [ratio(0, 1), ratio(1, 10), ratio(3, 10), ratio(2, 10)];
        assert!(
            is_close(&three_tenths, &two_tenths, &tenth, None),
            "0.3 − 0.2 is not 0.09999…"
        );
        assert!(!is_close(&decimal("0.3000001").unwrap(), &two_tenths, &tenth, None));
        assert!(is_close(&ratio(-90, 1), &ratio(-100, 1), &zero, Some(&ratio(10, 1))));
        assert!(!is_close(&ratio(-89, 1), &ratio(-100, 1), &zero, Some(&ratio(10, 1))));
    }

    #[test]
    fn rounding_is_to_four_places_away_from_zero() {
        assert_eq!(rounded(&ratio(2, 3)), 0.6667);
        assert_eq!(rounded(&ratio(5, 100_000)), 0.0001);
        assert_eq!(rounded(&ratio(5, 1)), 5.0);
        assert_eq!(percent(&ratio(1, 1), &ratio(0, 1)), ratio(0, 1));
    }

    proptest! {
        #[test]
        fn never_panics(text in ".{0,40}|[-+−]?[0-9 ]{0,5}[.,][0-9]{0,5}([eE][-+]?[0-9]{1,5})?") {
            decimal(&text);
        }

        #[test]
        fn reads_every_json_number(number in any::<f64>().prop_filter("finite", |n| n.is_finite())) {
            let read = exact(json!(number).as_number().unwrap()).unwrap();
            prop_assert_eq!(read.to_f64(), Some(number));
        }
    }
}
