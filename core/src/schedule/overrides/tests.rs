//! Properties of overrides together with the resolver, and their equality with a slow reference.

use chrono::{DateTime, TimeDelta, Utc};
use proptest::prelude::*;

use super::*;
use crate::schedule::samples::{self, at};
use crate::schedule::{State, Timing, resolve};

type At = Option<DateTime<Utc>>;

fn instant() -> impl Strategy<Value = DateTime<Utc>> {
    (-60_i64..60).prop_map(at)
}

fn change() -> impl Strategy<Value = Change<DateTime<Utc>>> {
    prop_oneof![Just(Change::Keep), Just(Change::Clear), instant().prop_map(Change::Set)]
}

/// An override of dates that leaves nothing to inherit.
fn whole() -> impl Strategy<Value = Override> {
    let change = || prop_oneof![Just(Change::Clear), instant().prop_map(Change::Set)];
    samples::over(change)
}

fn over() -> impl Strategy<Value = Override> {
    samples::over(change)
}

/// A course, a module, a lesson and a quiz page, outermost first; the dates of the course are its start and end.
#[derive(Clone, Debug)]
struct Base {
    dates: [Dates; 4],
    late: Late,
}

fn base() -> impl Strategy<Value = Base> {
    let time = || prop::option::of(instant());
    (prop::array::uniform4(samples::dates(time)), samples::late(time())).prop_map(|(dates, late)| Base { dates, late })
}

/// The overrides of one target, for the parts of a [`Base`].
type Layer = [Override; 4];

fn layer() -> impl Strategy<Value = Layer> {
    prop::array::uniform4(prop_oneof![Just(Override::default()), over()])
}

/// As `courses::timeline` merges and resolves.
fn merged_and_resolved(base: &Base, group: &Layer, learner: &Layer, now: DateTime<Utc>) -> Timing {
    let [course, module, lesson, page] = [0, 1, 2, 3].map(|part| learner[part].over(group[part]));
    let dates = CourseDates {
        starts_at: base.dates[0].available_from,
        ends_at: base.dates[0].available_until,
        ..CourseDates::default()
    };
    let chain = merged([(base.dates[1], module), (base.dates[2], lesson), (base.dates[3], page)]);
    let chain: Vec<&Dates> = chain.iter().collect();
    resolve(&course.course(&dates), &chain, Some(&page.late(base.late)), now)
}

/// What layers say of a field, most specific first: None if all inherit it.
fn said(layers: [Change<DateTime<Utc>>; 2]) -> Option<At> {
    for change in layers {
        match change {
            Change::Keep => {}
            Change::Clear => return Some(None),
            Change::Set(at) => return Some(Some(at)),
        }
    }
    None
}

/// The state, the due date and the end, from their definitions: every start is past, no end is, the nearest statement about the due date
/// counts, and attempts end at the due date unless late ones are accepted.
fn reference(base: &Base, group: &Layer, learner: &Layer, now: DateTime<Utc>) -> (State, At, At) {
    let field = |part: usize, of: fn(&Override) -> Change<DateTime<Utc>>, own: At| {
        said([of(&learner[part]), of(&group[part])]).unwrap_or(own)
    };
    let parts = || base.dates.iter().enumerate();
    let starts: Vec<_> = parts()
        .filter_map(|(i, own)| field(i, |o| o.available_from, own.available_from))
        .collect();
    let ends: Vec<_> = parts()
        .filter_map(|(i, own)| field(i, |o| o.available_until, own.available_until))
        .collect();
    let mut due = None;
    for part in [3, 2, 1] {
        match said([learner[part].due_at, group[part].due_at]) {
            Some(decided) => {
                due = decided;
                break;
            }
            None if base.dates[part].due_at.is_some() => {
                due = base.dates[part].due_at;
                break;
            }
            None => {}
        }
    }
    let end_of_attempts = due.and_then(|due| match said([learner[3].late_until, group[3].late_until]) {
        Some(Some(end)) => Some(end.max(due)),
        Some(None) => None,
        None => match (base.late.late_until, base.late.late_penalty_per_day) {
            (Some(end), _) => Some(end.max(due)),
            (None, Some(_)) => None,
            (None, None) => Some(due),
        },
    });
    let closes = ends.iter().copied().chain(end_of_attempts).min();
    let is_before = |start: &DateTime<Utc>| *start > now;
    let state = if starts
        .iter()
        .any(|start| is_before(start) || ends.iter().any(|end| start > end))
    {
        State::Locked
    } else if closes.is_some_and(|end| end < now) {
        State::Closed
    } else {
        State::Open
    };
    (state, due, closes)
}

/// Every date that is part of a case.
fn boundaries(base: &Base, layers: [&Layer; 2]) -> Vec<DateTime<Utc>> {
    let own = base
        .dates
        .iter()
        .flat_map(|dates| [dates.available_from, dates.available_until, dates.due_at]);
    let overridden = layers.into_iter().flatten();
    let overridden =
        overridden.flat_map(|over| [over.available_from, over.available_until, over.due_at, over.late_until]);
    own.chain([base.late.late_until])
        .chain(overridden.map(Change::value))
        .flatten()
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn overrides_agree_with_the_reference_at_every_boundary(base in base(), group in layer(), learner in layer()) {
        for boundary in boundaries(&base, [&group, &learner]) {
            for offset in [-1, 0, 1] {
                let now = boundary + TimeDelta::microseconds(offset);
                let timing = merged_and_resolved(&base, &group, &learner, now);
                let found = (timing.state, timing.due_at, timing.closes_at);
                prop_assert_eq!(found, reference(&base, &group, &learner, now), "at {}", now);
            }
        }
    }

    #[test]
    fn an_override_of_a_learner_always_wins(
        one in base(), other in base(), group in layer(), none in layer(), learner in prop::array::uniform4(whole()), now in instant()
    ) {
        // Penalties are not overridden.
        let other = Base { late: Late { late_until: other.late.late_until, ..one.late }, ..other };
        let timing = merged_and_resolved(&one, &group, &learner, now);
        prop_assert_eq!(timing, merged_and_resolved(&other, &none, &learner, now));
    }

    #[test]
    fn an_override_of_a_group_wins_over_the_course(one in base(), other in base(), group in prop::array::uniform4(whole()), now in instant()) {
        let other = Base { late: Late { late_until: other.late.late_until, ..one.late }, ..other };
        let nobody = Layer::default();
        prop_assert_eq!(merged_and_resolved(&one, &group, &nobody, now), merged_and_resolved(&other, &group, &nobody, now));
    }

    #[test]
    fn what_is_absent_is_inherited(base in base(), group in layer(), now in instant()) {
        let nobody = Layer::default();
        let timing = merged_and_resolved(&base, &group, &nobody, now);
        prop_assert_eq!(timing, merged_and_resolved(&base, &nobody, &group, now), "a learner without overrides has those of the group");
        let plain = CourseDates {
            starts_at: base.dates[0].available_from,
            ends_at: base.dates[0].available_until,
            ..CourseDates::default()
        };
        let chain: Vec<&Dates> = base.dates[1..].iter().collect();
        prop_assert_eq!(merged_and_resolved(&base, &nobody, &nobody, now), resolve(&plain, &chain, Some(&base.late), now));
    }

    #[test]
    fn lifted_limits_do_not_apply(base in base(), group in layer(), now in instant()) {
        let lifted = [samples::override_of([Change::Clear; 4]); 4];
        prop_assert_eq!(merged_and_resolved(&base, &group, &lifted, now), Timing::UNLIMITED);
    }

    #[test]
    fn merging_is_associative(one in over(), two in over(), three in over()) {
        prop_assert_eq!(one.over(two).over(three), one.over(two.over(three)));
        prop_assert_eq!(one.over(Override::default()), one);
        prop_assert_eq!(Override::default().over(one), one);
    }
}

#[test]
fn extra_attempts_are_added_to_a_limit() {
    let extra = |extra_attempts| Override {
        extra_attempts,
        ..Override::default()
    };
    for (change, limit, expected) in [
        (Change::Keep, Some(3), Some(3)),
        (Change::Set(2), Some(3), Some(5)),
        (Change::Set(0), Some(3), Some(3)),
        (Change::Set(2), None, None),
        (Change::Clear, Some(3), None),
        (Change::Clear, None, None),
    ] {
        assert_eq!(extra(change).attempts(limit), expected, "{change:?} {limit:?}");
    }
    let learner = extra(Change::Set(1)).over(extra(Change::Set(5)));
    assert_eq!(learner.attempts(Some(3)), Some(4), "those of the group are not added");
    let lifted = extra(Change::Set(1)).over(extra(Change::Clear));
    assert_eq!(lifted.attempts(Some(3)), Some(4));
}
