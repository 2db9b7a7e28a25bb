//! Random hand-ins, grades and returns against a slow model of what they come to.

use kurso_base::pagination::Page;
use kurso_core::both;
use kurso_core::gradebook::{self, Source};
use kurso_core::learning::my_progress;
use kurso_core::students;
use kurso_core::testing::Dice;

use super::*;

#[derive(Clone, Copy, PartialEq)]
enum State {
    Waiting,
    Graded(i64),
    Returned,
}

/// What is true of a learner whose attempts have these states, with this attempt limit.
#[derive(Debug, PartialEq)]
struct Facts {
    left: i64,
    best: Option<i64>,
    passed: bool,
    waiting: bool,
    /// Only the learner can go on.
    returned: bool,
}

fn facts(states: &[State], limit: i64) -> Facts {
    let used = states.iter().filter(|state| **state != State::Returned).count() as i64;
    let percents = states.iter().map(|state| match state {
        State::Graded(points) => points * 10,
        State::Waiting | State::Returned => 0,
    });
    let best = percents.max();
    Facts {
        left: (limit - used).max(0),
        best,
        passed: best.is_some_and(|best| best >= 60),
        waiting: states.contains(&State::Waiting) || states.last() == Some(&State::Returned),
        returned: states.last() == Some(&State::Returned),
    }
}

both! {
    async fn returns_agree_with_a_slow_reference(kurso: TestKurso) {
        const LIMIT: i64 = 3;
        let class = class(&kurso, &json!({"max_attempts": LIMIT})).await;
        let (anna, enrollment) = class.learner(&kurso, "anna").await;
        let mut dice = Dice::new(0x5eed);
        let (mut states, mut ids): (Vec<State>, Vec<AttemptId>) = (vec![], vec![]);
        for step in 0..60 {
            let at = dice.roll(ids.len());
            match (dice.roll(3), ids.get(at)) {
                (0, _) | (_, None) => {
                    let handed_in = class.hand_in(&kurso, &anna, json!({"content": format!("Version {step}")})).await;
                    let may = facts(&states, LIMIT).left > 0;
                    assert_eq!(handed_in.is_ok(), may, "step {step}: {handed_in:?}");
                    if let Ok(attempt) = handed_in {
                        states.push(State::Waiting);
                        ids.push(attempt.id);
                    }
                }
                (1, Some(id)) => {
                    let points = dice.roll(11) as u32;
                    class.give(&kurso, *id, points).await;
                    states[at] = State::Graded(points.into());
                }
                (_, Some(id)) => {
                    class.return_it(&kurso, *id).await;
                    states[at] = State::Returned;
                }
            }
            let expected = facts(&states, LIMIT);
            let view = my_progress(&kurso, &anna, class.course).await.unwrap();
            let found = Facts {
                left: view.attempts_left(0).unwrap(),
                best: view.best_percent(0),
                passed: view.marks.is_passed(0),
                waiting: view.marks.tried.get(&0).is_some_and(|tried| tried.is_waiting),
                returned: view.marks.tried.get(&0).is_some_and(|tried| tried.is_returned),
            };
            assert_eq!(found, expected, "step {step}");
            let of = attempts::standings(&kurso.db, &[enrollment], &[class.page]).await.unwrap();
            let standing = of.get(&class.page).cloned().unwrap_or_default();
            let found = Facts {
                left: standing.attempts_left(Some(LIMIT)).unwrap(),
                best: standing.best_percent,
                passed: standing.passed,
                waiting: standing.is_waiting,
                returned: standing.is_returned,
            };
            assert_eq!(found, expected, "step {step}");
            let detail = students::detail(&kurso, &class.teacher, enrollment).await.unwrap();
            assert_eq!(detail.attempts_left(0), Some(expected.left), "step {step}");
            let query = gradebook::Query::default();
            let book = gradebook::gradebook(&kurso, &class.teacher, class.course, &query, Page::default());
            let cell = book.await.unwrap().rows.data[0].grades.cells.0[0];
            assert_eq!(cell.source == Source::Waiting, expected.waiting, "step {step}");
            assert_eq!(cell.automatic, expected.best.map(|best| best * 100), "step {step}");
            if step % 10 == 9 {
                assert_consistent(&kurso).await;
            }
        }
        assert!(states.contains(&State::Returned) && ids.len() > 3);
    }
}
