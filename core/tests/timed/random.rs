//! Random histories of starts, saves, submissions and moves of the clock against a slow reference.

use std::collections::BTreeMap;

use kurso_core::both;
use kurso_core::testing::Dice;

use super::*;

/// A learner's running attempt as the reference sees it. Times are seconds since the start of the history.
struct Model {
    started: i64,
    /// By question: when the answer was given, and the answer; empty after it was removed.
    answers: BTreeMap<u128, (i64, String)>,
}

impl Model {
    fn score(&self) -> f64 {
        let right = self.answers.iter().filter(|(n, (_, answer))| n.to_string() == *answer);
        right.count() as f64
    }

    /// Saves an answer; false if it comes too late.
    fn save(&mut self, now: i64, given_after: i64, n: u128, answer: &str) -> bool {
        let given = given_after.min(now - self.started);
        if given > LIMIT || now > self.started + LIMIT + GRACE {
            return false;
        }
        let stored = self.answers.entry(n).or_insert((-1, String::new()));
        if given >= stored.0 {
            *stored = (given, answer.to_owned());
        }
        true
    }
}

both! {
    async fn random_histories_end_as_the_reference_says(kurso: TestKurso) {
        let class = class(&kurso, &json!({})).await;
        for seed in 0..12 {
            history(&kurso, &class, seed).await;
        }
        assert_consistent(&kurso).await;
    }
}

async fn history(kurso: &TestKurso, class: &Class, seed: u64) {
    let mut dice = Dice::new(seed);
    let (learner, enrollment) = class.learner(kurso, &format!("learner{seed}")).await;
    let begun = kurso.clock.now();
    let now = || (kurso.clock.now() - begun).num_seconds();
    let mut running: Option<(Model, Started)> = None;
    let mut scores = vec![];
    for _ in 0..40 {
        match dice.roll(6) {
            0 => {
                let started = class.start(kurso, &learner).await.unwrap();
                match &running {
                    Some((_, earlier)) => assert_eq!(started.attempt.ends_at, earlier.attempt.ends_at),
                    None => {
                        let model = Model {
                            started: now(),
                            answers: BTreeMap::new(),
                        };
                        running = Some((model, started));
                    }
                }
            }
            1..=3 => {
                let n = 1 + dice.roll(3) as u128;
                let text = ["", "1", "2", "3"][dice.roll(4)];
                let given_after = dice.roll(800) as i64;
                if let Some((model, started)) = &mut running {
                    let answers = json!([answer(n, text)]);
                    let saved = class
                        .save_late(kurso, &learner, started, given_after as f64, answers)
                        .await;
                    let expected = model.save(now(), given_after, n, text);
                    assert_eq!(
                        matches!(saved, Saved::Stored { .. }),
                        expected,
                        "seed {seed}: {saved:?}"
                    );
                }
            }
            4 => {
                if dice.roll(3) == 0
                    && let Some((mut model, _)) = running.take()
                {
                    let n = 1 + dice.roll(3) as u128;
                    let text = n.to_string();
                    class.submit(kurso, &learner, json!([answer(n, &text)])).await.unwrap();
                    if now() <= model.started + LIMIT {
                        model.answers.insert(n, (i64::MAX, text));
                    }
                    scores.push(model.score());
                }
            }
            _ => kurso.clock.advance(Duration::seconds(dice.roll(120) as i64)),
        }
        if dice.roll(4) == 0 {
            finish_due(kurso).await.unwrap();
            if let Some((model, _)) =
                running.take_if(|(model, _)| now() > model.started + LIMIT + GRACE + MARGIN.num_seconds())
            {
                scores.push(model.score());
            }
        }
    }
    kurso.clock.advance(over());
    finish_due(kurso).await.unwrap();
    scores.extend(running.take().map(|(model, _)| model.score()));
    let attempts = class.own(kurso, enrollment).await;
    let found: Vec<f64> = attempts.iter().map(|attempt| attempt.score).collect();
    assert_eq!(found, scores, "seed {seed}");
    let numbers: Vec<i64> = attempts.iter().map(|attempt| attempt.attempt_no).collect();
    assert_eq!(numbers, (1..=scores.len() as i64).collect::<Vec<_>>());
}
