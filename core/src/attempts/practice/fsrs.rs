//! FSRS-6: when a question comes again, from how well it was remembered before
//! ([the algorithm](https://github.com/open-spaced-repetition/awesome-fsrs/wiki/The-Algorithm)), with the published weights. Questions are asked
//! again by whole days, so there are no steps of minutes.

/// The default weights of FSRS-6.
const WEIGHTS: [f64; 21] = [
    0.212, 1.2931, 2.3065, 8.2956, 6.4133, 0.8334, 3.0194, 0.001, 1.8722, 0.1666, 0.796, 1.4835, 0.0614, 0.2629,
    1.6483, 0.6014, 1.8729, 0.5425, 0.0912, 0.0658, 0.1542,
];
/// The probability of a right answer at which a question comes again.
const RETENTION: f64 = 0.9;
const MIN_STABILITY: f64 = 0.001;
/// A question comes again at least once a year.
const MAX_INTERVAL: f64 = 365.0;

/// How well a question was remembered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rating {
    /// The answer was wrong.
    Again,
    /// The answer was partly right.
    Hard,
    /// The answer was right.
    Good,
}

impl Rating {
    const fn number(self) -> f64 {
        match self {
            Rating::Again => 1.0,
            Rating::Hard => 2.0,
            Rating::Good => 3.0,
        }
    }
}

/// How well a learner remembers a question.
#[derive(Clone, Copy, PartialEq, Debug, sqlx::FromRow)]
pub struct Memory {
    /// The number of days in which the probability of a right answer falls to 90 %; at least 0.001.
    pub stability: f64,
    /// From 1 to 10.
    pub difficulty: f64,
}

impl Memory {
    /// After the first review.
    pub fn first(rating: Rating) -> Self {
        let [again, hard, good, ..] = WEIGHTS;
        Memory {
            stability: match rating {
                Rating::Again => again,
                Rating::Hard => hard,
                Rating::Good => good,
            },
            difficulty: first_difficulty(rating.number()).clamp(1.0, 10.0),
        }
    }

    /// After one more review, so many whole days after the last one.
    #[must_use]
    pub fn reviewed(self, rating: Rating, days: i64) -> Self {
        let stability = match (days < 1, rating) {
            (true, _) => self.same_day(rating),
            (false, Rating::Again) => self.forgotten(days),
            (false, _) => self.recalled(rating, days),
        };
        Memory {
            stability: stability.max(MIN_STABILITY),
            difficulty: self.next_difficulty(rating),
        }
    }

    /// The number of days until the question comes again, from 1 to 365: the stability, because that is the time in which the probability of a right
    /// answer falls to [`RETENTION`].
    pub fn interval(self) -> i64 {
        // The bounds fit into the type.
        self.stability.round_ties_even().clamp(1.0, MAX_INTERVAL) as i64
    }

    /// The probability of a right answer after so many days.
    fn retrievability(self, days: i64) -> f64 {
        (1.0 + factor() * days as f64 / self.stability).powf(decay())
    }

    fn same_day(self, rating: Rating) -> f64 {
        let gain = (WEIGHTS[17] * (rating.number() - 3.0 + WEIGHTS[18])).exp() * self.stability.powf(-WEIGHTS[19]);
        let gain = match rating {
            Rating::Again => gain,
            Rating::Hard | Rating::Good => gain.max(1.0),
        };
        self.stability * gain
    }

    fn forgotten(self, days: i64) -> f64 {
        let stability = WEIGHTS[11]
            * self.difficulty.powf(-WEIGHTS[12])
            * ((self.stability + 1.0).powf(WEIGHTS[13]) - 1.0)
            * ((1.0 - self.retrievability(days)) * WEIGHTS[14]).exp();
        stability.min(self.stability / (WEIGHTS[17] * WEIGHTS[18]).exp())
    }

    fn recalled(self, rating: Rating, days: i64) -> f64 {
        let penalty = match rating {
            Rating::Hard => WEIGHTS[15],
            Rating::Again | Rating::Good => 1.0,
        };
        let gain = WEIGHTS[8].exp()
            * (11.0 - self.difficulty)
            * self.stability.powf(-WEIGHTS[9])
            * (((1.0 - self.retrievability(days)) * WEIGHTS[10]).exp() - 1.0)
            * penalty;
        self.stability * (1.0 + gain)
    }

    fn next_difficulty(self, rating: Rating) -> f64 {
        const EASY: f64 = 4.0;
        let change = -WEIGHTS[6] * (rating.number() - 3.0);
        let damped = self.difficulty + (10.0 - self.difficulty) * change / 9.0;
        let reverted = WEIGHTS[7] * first_difficulty(EASY) + (1.0 - WEIGHTS[7]) * damped;
        reverted.clamp(1.0, 10.0)
    }
}

fn first_difficulty(rating: f64) -> f64 {
    WEIGHTS[4] - (WEIGHTS[5] * (rating - 1.0)).exp() + 1.0
}

fn decay() -> f64 {
    -WEIGHTS[20]
}

/// Makes the retrievability [`RETENTION`] when as many days have passed as the stability has.
fn factor() -> f64 {
    RETENTION.powf(1.0 / decay()) - 1.0
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Histories with the memory and the interval after each review, computed by the Python package `fsrs` 6.3.2 with
    /// `core/src/attempts/practice/reference.py`.
    #[test]
    fn histories_have_the_memory_and_the_intervals_of_py_fsrs() {
        #[expect(clippy::disallowed_methods, reason = "a setting of this test")]
        let path = std::env::var("KURSO_FSRS_HISTORIES").ok();
        let own = concat!(env!("CARGO_MANIFEST_DIR"), "/src/attempts/practice/reference.csv");
        let text = std::fs::read_to_string(path.as_deref().unwrap_or(own)).unwrap();
        let mut histories = 0;
        for history in text.lines().filter(|line| !line.starts_with('#')) {
            let mut memory: Option<Memory> = None;
            for review in history.split(' ') {
                let fields: Vec<&str> = review.split(',').collect();
                let [rating, days, stability, difficulty, interval] = fields[..] else {
                    panic!("{review}")
                };
                let rating = match rating {
                    "1" => Rating::Again,
                    "2" => Rating::Hard,
                    _ => Rating::Good,
                };
                let days = days.parse().unwrap();
                let now = memory.map_or_else(|| Memory::first(rating), |memory| memory.reviewed(rating, days));
                let is_near = |own: f64, other: &str| {
                    let other: f64 = other.parse().unwrap();
                    (own - other).abs() <= 1e-9 * other.abs()
                };
                assert!(is_near(now.stability, stability), "{history}: {now:?}");
                assert!(is_near(now.difficulty, difficulty), "{history}: {now:?}");
                assert_eq!(now.interval(), interval.parse::<i64>().unwrap(), "{history}: {now:?}");
                memory = Some(now);
            }
            histories += 1;
        }
        assert!(histories >= 200, "{histories}");
    }

    fn ratings() -> impl Strategy<Value = Rating> {
        prop_oneof![Just(Rating::Again), Just(Rating::Hard), Just(Rating::Good)]
    }

    proptest! {
        #[test]
        fn a_better_answer_is_asked_again_no_sooner(
            first in ratings(),
            reviews in proptest::collection::vec((ratings(), 0..2000_i64), 0..30),
            days in 0..2000_i64,
        ) {
            let memory = reviews.into_iter().fold(Memory::first(first), |memory, (rating, days)| memory.reviewed(rating, days));
            let [again, hard, good] = [Rating::Again, Rating::Hard, Rating::Good].map(|rating| memory.reviewed(rating, days));
            prop_assert!(again.interval() <= hard.interval() && hard.interval() <= good.interval());
            for memory in [again, hard, good] {
                prop_assert!((1..=365).contains(&memory.interval()));
                prop_assert!((1.0..=10.0).contains(&memory.difficulty) && memory.stability.is_finite());
            }
        }
    }
}
