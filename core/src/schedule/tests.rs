//! Properties of the resolver, and its equality with a slow reference.

use chrono::{DateTime, TimeDelta, Utc};
use proptest::prelude::*;

use super::samples::{self, at};
use super::*;

type At = Option<DateTime<Utc>>;

fn time() -> impl Strategy<Value = At> {
    prop_oneof![Just(None), (-60_i64..60).prop_map(|hours| Some(at(hours)))]
}

#[derive(Clone, Debug)]
struct Case {
    course: CourseDates,
    chain: Vec<Dates>,
    late: Option<Late>,
}

impl Case {
    fn resolve(&self, now: DateTime<Utc>) -> Timing {
        resolve(
            &self.course,
            &self.chain.iter().collect::<Vec<_>>(),
            self.late.as_ref(),
            now,
        )
    }

    /// Every date of the case, and the ends of the days after each due date.
    fn boundaries(&self) -> Vec<DateTime<Utc>> {
        let mut all: Vec<At> = vec![self.course.starts_at, self.course.ends_at];
        for dates in &self.chain {
            all.extend([dates.available_from, dates.available_until, dates.due_at]);
            all.extend((1..4).map(|days| Some(dates.due_at? + TimeDelta::days(days))));
        }
        all.extend(self.late.iter().map(|late| late.late_until));
        all.into_iter().flatten().collect()
    }
}

fn case() -> impl Strategy<Value = Case> {
    let late = prop::option::of(samples::late(time()));
    let course = (time(), time()).prop_map(|(starts_at, ends_at)| CourseDates {
        starts_at,
        ends_at,
        ..CourseDates::default()
    });
    (course, prop::collection::vec(samples::dates(time), 0..4), late).prop_map(|(course, chain, late)| Case {
        course,
        chain,
        late,
    })
}

/// A slow reference, written from the rules: it asks of single moments whether all windows contain them.
fn reference(case: &Case, now: DateTime<Utc>) -> (State, i64) {
    let course = Dates {
        available_from: case.course.starts_at,
        available_until: case.course.ends_at,
        due_at: None,
    };
    let windows: Vec<Dates> = std::iter::once(course).chain(case.chain.clone()).collect();
    let in_all = |moment: DateTime<Utc>| {
        windows.iter().all(|window| {
            window.available_from.is_none_or(|from| from <= moment)
                && window.available_until.is_none_or(|until| moment <= until)
        })
    };
    let due = windows.iter().rev().find_map(|window| window.due_at);
    // If the windows have a moment in common, then one of the starts or ends is such a moment, or there is no date at all.
    let mut moments: Vec<_> = windows
        .iter()
        .flat_map(|window| [window.available_from, window.available_until])
        .flatten()
        .collect();
    moments.push(now);
    let ever = moments.iter().any(|moment| in_all(*moment));
    let began = windows
        .iter()
        .all(|window| window.available_from.is_none_or(|from| from <= now));
    let takes_attempts = match (due, &case.late) {
        (Some(due), Some(late)) if now > due => {
            let allowed = late.late_until.is_some() || late.late_penalty_per_day.is_some();
            allowed && late.late_until.is_none_or(|end| now <= end)
        }
        _ => true,
    };
    let state = if !ever || !began {
        State::Locked
    } else if in_all(now) && takes_attempts {
        State::Open
    } else {
        State::Closed
    };
    let mut lost = 0;
    if let (Some(due), Some(late)) = (due, &case.late)
        && (late.late_until.is_some() || late.late_penalty_per_day.is_some())
    {
        let mut begins = due;
        while begins < now {
            lost += late.late_penalty_per_day.unwrap_or(0);
            begins += TimeDelta::days(1);
        }
        lost = lost.min(late.late_penalty_max.unwrap_or(100)).min(100);
    }
    (state, lost)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn the_resolver_agrees_with_the_reference_at_every_boundary(case in case()) {
        for boundary in case.boundaries() {
            for shift in [-1, 0, 1] {
                let now = boundary + TimeDelta::microseconds(shift);
                let timing = case.resolve(now);
                prop_assert_eq!((timing.state, timing.penalty_percent), reference(&case, now), "at {}", now);
            }
        }
    }

    #[test]
    fn later_never_locks_again_what_time_has_opened(case in case()) {
        let mut boundaries = case.boundaries();
        boundaries.sort();
        let mut moments: Vec<_> = boundaries
            .iter()
            .flat_map(|at| [-1, 0, 1].map(|shift| *at + TimeDelta::microseconds(shift)))
            .collect();
        moments.sort();
        let order = |state| match state {
            State::Locked => 0,
            State::Open => 1,
            State::Closed => 2,
        };
        let states: Vec<_> = moments.iter().map(|now| order(case.resolve(*now).state)).collect();
        prop_assert!(states.is_sorted(), "{states:?}");
        let penalties: Vec<_> = moments.iter().map(|now| case.resolve(*now).penalty_percent).collect();
        prop_assert!(penalties.is_sorted(), "{penalties:?}");
    }

    #[test]
    fn a_part_is_never_open_where_one_above_it_is_locked(case in case(), hour in -61_i64..61) {
        let now = at(hour);
        for length in 0..case.chain.len() {
            let above = Case { chain: case.chain[..length].to_vec(), ..case.clone() };
            if above.resolve(now).state == State::Locked {
                prop_assert_eq!(case.resolve(now).state, State::Locked);
            }
        }
    }

    #[test]
    fn once_the_ends_before_a_deadline_are_moved_to_it_none_comes_before_it(case in case(), hour in -61_i64..61) {
        let last = at(hour);
        let chain: Vec<&Dates> = case.chain.iter().collect();
        let found = ends_before(&case.course, &chain, last);
        prop_assert_eq!(found.len(), 1 + chain.len());
        let moved = |found: &At, own: At| if found.is_some() { Some(last) } else { own };
        let course = CourseDates { ends_at: moved(&found[0], case.course.ends_at), ..case.course.clone() };
        let parts: Vec<Dates> = case.chain.iter().zip(&found[1..]).map(|(own, found)| {
            Dates { available_until: moved(found, own.available_until), ..*own }
        }).collect();
        let ends = joined(&course, &parts.iter().collect::<Vec<_>>()).available_until;
        prop_assert!(ends.is_none_or(|end| end >= last));
        // Exactly the ends before the deadline are returned, unchanged.
        let own = std::iter::once(case.course.ends_at).chain(case.chain.iter().map(|dates| dates.available_until));
        for (found, own) in found.iter().zip(own) {
            prop_assert_eq!(*found, own.filter(|end| *end < last));
        }
    }

    #[test]
    fn a_state_has_a_reason_unless_it_is_open(case in case(), hour in -61_i64..61) {
        let timing = case.resolve(at(hour));
        prop_assert_eq!(timing.state == State::Open, timing.reason.is_none());
        prop_assert_eq!(timing.state == State::Locked, timing.require_readable().is_err());
        prop_assert_eq!(timing.state == State::Open, timing.require_open().is_ok());
    }
}

#[test]
fn the_due_date_is_the_nearest_upwards() {
    let due = |hours: Option<i64>| Dates {
        due_at: hours.map(at),
        ..Dates::default()
    };
    let course = CourseDates::default();
    let (module, lesson, page) = (due(Some(1)), due(Some(2)), due(None));
    let timing = resolve(&course, &[&module, &lesson, &page], None, at(0));
    assert_eq!(timing.due_at, Some(at(2)));
    assert_eq!(timing.closes_at, None, "only attempts end at a due date");
}

#[test]
fn each_begun_day_costs_and_the_maximum_holds() {
    let page = Dates {
        due_at: Some(at(0)),
        ..Dates::default()
    };
    let late = Late {
        late_until: Some(at(240)),
        late_penalty_per_day: Some(10),
        late_penalty_max: Some(25),
    };
    let moment = TimeDelta::microseconds(1);
    for (now, lost) in [
        (at(0), 0),
        (at(0) + moment, 10),
        (at(24), 10),
        (at(24) + moment, 20),
        (at(72), 25),
    ] {
        let timing = resolve(&CourseDates::default(), &[&page], Some(&late), now);
        assert_eq!((timing.penalty_percent, timing.state), (lost, State::Open), "{now}");
    }
    let after = at(240) + moment;
    let timing = resolve(&CourseDates::default(), &[&page], Some(&late), after);
    assert_eq!((timing.state, timing.reason), (State::Closed, Some(Reason::Over)));
}

#[test]
fn without_a_late_policy_attempts_end_at_the_due_date() {
    let page = Dates {
        due_at: Some(at(0)),
        ..Dates::default()
    };
    let resolved = |now| resolve(&CourseDates::default(), &[&page], Some(&Late::default()), now);
    assert_eq!(resolved(at(0)).state, State::Open);
    let closed = resolved(at(0) + TimeDelta::microseconds(1));
    assert_eq!((closed.state, closed.closes_at), (State::Closed, Some(at(0))));
    assert!(closed.require_readable().is_ok());
}

#[test]
fn windows_without_a_common_moment_never_open() {
    let dates = |from: Option<i64>, until: Option<i64>| Dates {
        available_from: from.map(at),
        available_until: until.map(at),
        due_at: None,
    };
    let (module, lesson) = (dates(None, Some(1)), dates(Some(2), None));
    for hours in [0, 1, 2, 3] {
        let timing = resolve(&CourseDates::default(), &[&module, &lesson], None, at(hours));
        assert_eq!((timing.state, timing.opens_at), (State::Locked, None), "{hours}");
        assert_eq!(timing.reason, Some(Reason::Over));
    }
}
