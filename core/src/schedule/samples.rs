//! Random dates, late policies and overrides for property tests. Each test chooses its times and how often they are absent.

use chrono::{DateTime, Utc};
use kurso_base::schedule::{Dates, Late};
use kurso_base::values::Change;
use proptest::prelude::*;

use super::overrides::Override;

type At = Option<DateTime<Utc>>;

/// The time this many hours after a fixed one. Tests draw from few hours, so that dates coincide.
pub fn at(hours: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(1_800_000_000 + hours * 3600, 0).unwrap()
}

pub fn dates<S: Strategy<Value = At>>(time: impl Fn() -> S) -> impl Strategy<Value = Dates> {
    (time(), time(), time()).prop_map(|(available_from, available_until, due_at)| Dates {
        available_from,
        available_until,
        due_at,
    })
}

pub fn late(late_until: impl Strategy<Value = At>) -> impl Strategy<Value = Late> {
    let percent = || prop::option::of(0_i64..=100);
    (late_until, percent(), percent()).prop_map(|(late_until, per_day, max)| Late {
        late_until,
        late_penalty_per_day: per_day,
        late_penalty_max: max,
    })
}

pub fn over<S: Strategy<Value = Change<DateTime<Utc>>>>(change: impl Fn() -> S) -> impl Strategy<Value = Override> {
    (change(), change(), change(), change()).prop_map(|(from, until, due, late)| override_of([from, until, due, late]))
}

/// An override of the dates in the order of the fields of [`Override`].
pub fn override_of([available_from, available_until, due_at, late_until]: [Change<DateTime<Utc>>; 4]) -> Override {
    Override {
        available_from,
        available_until,
        due_at,
        late_until,
        ..Override::default()
    }
}
