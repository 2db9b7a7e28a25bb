//! Deserialises checked values from JSON, for tests. Errors do not name the path of the value.

use serde::de::{Deserialize, Deserializer, Error as _};

use super::*;
use crate::schedule::{DayTime, QuietHours, ScheduleTime, TimeZone};
use crate::{each_decimal, each_integer, each_text};

macro_rules! checked {
    ($($type:ident)*) => {$(
        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let plain = Deserialize::deserialize(deserializer)?;
                <Self as Checked>::check(plain).map_err(|problem| D::Error::custom(problem.message))
            }
        }
    )*};
}

each_text!(checked);
each_integer!(checked);
each_decimal!(checked);
checked! { LinkToken Email ScheduleTime TimeZone DayTime QuietHours TimeFactor HexColor Lang }

impl<'de, T: Checked<Plain = String>, const MAX: usize> Deserialize<'de> for Several<T, MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let plain = Deserialize::deserialize(deserializer)?;
        <Self as Checked>::check(plain).map_err(|problem| D::Error::custom(problem.message))
    }
}

impl<'de, T: Checked<Plain = String>> Deserialize<'de> for Few<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let plain = Deserialize::deserialize(deserializer)?;
        <Self as Checked>::check(plain).map_err(|problem| D::Error::custom(problem.message))
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Change<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Option::deserialize(deserializer)?;
        Ok(value.map_or(Change::Clear, Change::Set))
    }
}
