use std::collections::HashMap;

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use crate::quiz::samples;
use crate::quiz::{Aliases, LearnerQuiz, QuizKey};

fn key() -> QuizKey {
    QuizKey::new(b"0123456789abcdef0123456789abcdef").unwrap()
}

fn id(number: usize) -> Uuid {
    Uuid::from_u128(1000 + number as u128)
}

fn drawable(place: usize, count: usize, candidates: impl IntoIterator<Item = usize>) -> Drawable {
    Drawable {
        draw_id: Uuid::from_u128(place as u128),
        count,
        candidates: candidates.into_iter().map(id).collect(),
    }
}

fn ids(numbers: impl IntoIterator<Item = usize>) -> HashSet<Uuid> {
    numbers.into_iter().map(id).collect()
}

fn ranks<'a>(aliases: &'a Aliases<'a>, attempt_no: i64) -> impl Fn(Uuid, Uuid) -> [u8; 32] + 'a {
    move |draw, question| aliases.rank(Uuid::nil(), draw, question, attempt_no)
}

/// Draws that compete for a few questions, the seen questions, and the excluded ones.
fn competing() -> impl Strategy<Value = (Vec<Drawable>, HashSet<Uuid>, HashSet<Uuid>)> {
    let one = (0usize..4, vec(0usize..7, 0..6));
    (vec(one, 1..4), vec(0usize..7, 0..4), vec(0usize..7, 0..2)).prop_map(|(draws, seen, excluded)| {
        let draws = draws.into_iter().enumerate();
        let draws = draws.map(|(place, (count, candidates))| drawable(place, count, candidates));
        (draws.collect(), ids(seen), ids(excluded))
    })
}

/// Whether the draws from `place` on can be filled without the `taken` questions, by trying all combinations.
fn can_fill(draws: &[Drawable], place: usize, missing: usize, taken: &mut HashSet<Uuid>) -> bool {
    let Some(draw) = draws.get(place) else { return true };
    if missing == 0 {
        return can_fill(
            draws,
            place + 1,
            draws.get(place + 1).map_or(0, |next| next.count),
            taken,
        );
    }
    draw.candidates.iter().any(|question| {
        let fits = taken.insert(*question);
        let filled = fits && can_fill(draws, place, missing - 1, taken);
        if fits {
            taken.remove(question);
        }
        filled
    })
}

proptest! {
    #[test]
    fn draws_are_filled_exactly_if_that_is_possible((draws, seen, excluded) in competing(), attempt_no in 1i64..5) {
        let key = key();
        let aliases = key.aliases(Uuid::nil());
        let possible = can_fill(&draws, 0, draws[0].count, &mut excluded.clone());
        let drawn = draw(&draws, &seen, &excluded, ranks(&aliases, attempt_no));
        prop_assert_eq!(drawn.is_ok(), possible);
        let most = draw_most(&draws, &seen, &excluded, ranks(&aliases, attempt_no));
        prop_assert_eq!(&most, &draw_most(&draws, &seen, &excluded, ranks(&aliases, attempt_no)));
        if let Ok(drawn) = drawn {
            prop_assert_eq!(&drawn, &most);
        }
        let mut taken = HashSet::new();
        for (draw, questions) in draws.iter().zip(&most) {
            prop_assert!(questions.len() <= draw.count);
            for question in questions {
                prop_assert!(taken.insert(*question), "drawn twice");
                prop_assert!(draw.candidates.contains(question) && !excluded.contains(question));
            }
        }
    }

    #[test]
    fn unseen_questions_come_first(count in 1usize..8, seen in vec(0usize..10, 0..9)) {
        let key = key();
        let aliases = key.aliases(Uuid::now_v7());
        let seen = ids(seen);
        let drawn = draw(&[drawable(0, count, 0..10)], &seen, &HashSet::new(), ranks(&aliases, 1)).unwrap();
        let again = drawn[0].iter().filter(|question| seen.contains(question)).count();
        prop_assert_eq!(again, count.saturating_sub(10 - seen.len()));
    }

    #[test]
    fn competing_draws_take_as_many_unseen_questions_as_possible(seen in vec(0usize..6, 0..6)) {
        // The first draw could take what the second one needs.
        let draws = [drawable(0, 2, 0..6), drawable(1, 1, 0..2)];
        let key = key();
        let aliases = key.aliases(Uuid::now_v7());
        let seen = ids(seen);
        let drawn = draw(&draws, &seen, &HashSet::new(), ranks(&aliases, 1)).unwrap();
        let fresh = drawn.iter().flatten().filter(|question| !seen.contains(question)).count();
        let unseen = 6 - seen.len();
        let of_second = usize::from((0..2).any(|number| !seen.contains(&id(number))));
        let most = of_second + 2.min(unseen - of_second);
        prop_assert_eq!(fresh, most);
    }

    #[test]
    fn the_quiz_of_an_attempt_has_the_drawn_questions(quiz in samples::drawing_quiz(), other in samples::quiz()) {
        let mut drawn = Vec::new();
        for question in &quiz.questions {
            if let Kind::Draw { count, .. } = question.kind {
                drawn.extend((0..count).map(|_| DrawnQuestion {
                    draw_id: question.id,
                    question_id: Uuid::now_v7(),
                    version: 2,
                }));
            }
        }
        let texts: Vec<(DrawnQuestion, Question)> =
            drawn.iter().zip(other.questions.iter().cycle()).map(|(one, text)| (*one, text.clone())).collect();
        let mut taken = quiz.clone();
        prop_assert_eq!(taken.has_drawn(&drawn), drawn.is_empty());
        taken.pool(&texts);
        taken.pool(&texts);
        prop_assert!(taken.has_drawn(&drawn));
        let taken = Quiz::from_text(&taken.to_text().unwrap()).unwrap();
        let whole = taken.with_drawn(&drawn);
        prop_assert!(!whole.has_draws());
        prop_assert_eq!(whole.questions.len(), quiz.question_count());
        for (one, text) in &texts {
            let asked = whole.question(one.question_id).unwrap();
            let points = quiz.question(one.draw_id).unwrap().points;
            prop_assert_eq!((asked.points, &asked.prompt, asked.source), (points, &text.prompt, None));
            prop_assert!(asked.kind.rubric().is_none_or(|rubric| rubric.sums_up_to(points)));
        }
        prop_assert_eq!(taken.without_draws(), quiz.without_draws());

        // Learners see neither draws nor pools.
        let key = key();
        let shown = LearnerQuiz::of(taken.clone(), &key.aliases(Uuid::nil()), 1);
        prop_assert_eq!(shown.question_count, quiz.question_count());
        let text = serde_json::to_string(&shown).unwrap();
        for draw in quiz.questions.iter().filter(|question| question.kind.is_draw()) {
            let Kind::Draw { bank_id, .. } = &draw.kind else { unreachable!() };
            prop_assert!(!text.contains(&bank_id.to_string()) && !text.contains(&draw.id.to_string()));
        }
        prop_assert!(!text.contains(samples::SECRET) && !text.contains("pool"));
    }
}

#[test]
fn each_question_is_drawn_equally_often() {
    let key = key();
    let (questions, count, learners) = (10, 3, 4000);
    let mut times: HashMap<Uuid, f64> = HashMap::new();
    for learner in 0..learners {
        let aliases = key.aliases(Uuid::from_u128(learner));
        let draws = [drawable(0, count, 0..questions)];
        for question in &draw(&draws, &HashSet::new(), &HashSet::new(), ranks(&aliases, 1)).unwrap()[0] {
            *times.entry(*question).or_default() += 1.0;
        }
    }
    let expected = learners as f64 * count as f64 / questions as f64;
    let squares = (0..questions).map(|number| (times[&id(number)] - expected).powi(2) / expected);
    // With nine degrees of freedom, one run in a thousand exceeds 27.9. The keys are fixed, so the result does not vary.
    let chi_squared: f64 = squares.sum();
    assert!(chi_squared < 27.9, "{chi_squared}");
}

#[test]
fn ranks_differ_by_learner_page_draw_and_attempt() {
    let key = key();
    let [a, b] = [Uuid::from_u128(1), Uuid::from_u128(2)];
    let mut seen = HashSet::new();
    for of in [a, b] {
        let aliases = key.aliases(of);
        for (page, draw, attempt_no) in [(a, a, 1), (a, b, 1), (b, a, 1), (b, b, 1), (a, a, 2)] {
            assert!(seen.insert(aliases.rank(page, draw, a, attempt_no)));
        }
    }
}

#[test]
fn the_first_draw_that_cannot_be_filled_is_named() {
    let draws = [drawable(0, 2, 0..3), drawable(1, 2, 0..3)];
    let rank = |_, question| question;
    assert_eq!(draw(&draws, &HashSet::new(), &HashSet::new(), rank), Err(Short(1)));
    let most = draw_most(&draws, &HashSet::new(), &HashSet::new(), rank);
    assert_eq!(most.iter().map(Vec::len).collect::<Vec<_>>(), [2, 1]);
}

#[test]
fn a_large_competition_ends() {
    let draws: Vec<Drawable> = (0..100).map(|place| drawable(place, 5, 0..500)).collect();
    let rank = |draw: Uuid, question: Uuid| draw.as_u128() ^ question.as_u128();
    let drawn = draw(&draws, &ids(0..250), &HashSet::new(), rank).unwrap();
    assert_eq!(drawn.iter().flatten().collect::<HashSet<_>>().len(), 500);
}
