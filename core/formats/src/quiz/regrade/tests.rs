use num_rational::BigRational;
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::json;

use super::super::{Answer, DrawnQuestion, Grade, PooledQuestion, grade, samples};
use super::*;

const POLICIES: [RemovedQuestions; 2] = [RemovedQuestions::Exclude, RemovedQuestions::FullPoints];

/// The quiz with the points and the questions that the bits choose, in another order, and with a question that nobody was asked.
fn changed(quiz: &Quiz, added: &Quiz, bits: &[u8]) -> Quiz {
    let bit = |at: usize| bits.get(at % bits.len().max(1)).copied().unwrap_or_default();
    let kept = quiz.questions.iter().enumerate().filter(|(at, _)| bit(*at) % 3 != 0);
    let mut questions: Vec<Question> = kept
        .map(|(at, question)| Question {
            points: Points::of_parts(i64::from(bit(at)) * 1000),
            ..question.clone()
        })
        .collect();
    questions.reverse();
    questions.extend(added.questions.iter().take(1).cloned());
    Quiz {
        questions,
        pass_percent: added.pass_percent,
        ..quiz.clone()
    }
}

/// The grade without some of its questions.
fn without(grade: &Grade, removed: impl Fn(&uuid::Uuid) -> bool) -> (BigRational, BigRational) {
    let kept = grade
        .questions
        .iter()
        .filter(|question| !removed(&question.question_id));
    kept.fold(Default::default(), |(score, max), question| {
        (score + &question.points, max + question.max_points.exact())
    })
}

fn answers(quiz: &Quiz, bits: &[u8]) -> Vec<Answer> {
    samples::some_answers(quiz, bits)
}

proptest! {
    #[test]
    fn an_unchanged_quiz_changes_nothing(quiz in samples::quiz()) {
        for removed in POLICIES {
            prop_assert_eq!(&quiz.regraded_by(&quiz, removed), &quiz);
        }
    }

    #[test]
    fn regrading_twice_is_regrading_once(
        quiz in samples::quiz(), added in samples::quiz(), bits in vec(any::<u8>(), 1..8)
    ) {
        let new = changed(&quiz, &added, &bits);
        for removed in POLICIES {
            let once = quiz.regraded_by(&new, removed);
            for again in POLICIES {
                prop_assert_eq!(&once.regraded_by(&new, again), &once);
            }
            prop_assert_eq!(Quiz::from_text(&once.to_text().unwrap()).unwrap(), once);
        }
    }

    /// The attempt has the result that it would have had if it had been made at the new quiz without the added questions.
    #[test]
    fn excluded_questions_are_as_if_they_had_never_been_asked(
        quiz in samples::quiz(), added in samples::quiz(), bits in vec(any::<u8>(), 1..20)
    ) {
        let new = changed(&quiz, &added, &bits);
        let answers = answers(&quiz, &bits);
        let regraded = grade(&quiz.regraded_by(&new, RemovedQuestions::Exclude), &answers);
        let never = Quiz {
            questions: new.questions.iter().filter(|question| quiz.question(question.id).is_some()).cloned().collect(),
            ..new.clone()
        };
        let expected = grade(&never, &answers);
        prop_assert_eq!((&regraded.score, &regraded.max, regraded.percent()), (&expected.score, &expected.max, expected.percent()));
        prop_assert_eq!(regraded.passes(new.pass_percent), expected.passes(never.pass_percent));
        prop_assert_eq!(regraded.questions.len(), quiz.questions.len(), "no question of the attempt is lost");
    }

    #[test]
    fn full_points_add_the_points_of_removed_questions_to_score_and_total(
        quiz in samples::quiz(), added in samples::quiz(), bits in vec(any::<u8>(), 1..20)
    ) {
        let new = changed(&quiz, &added, &bits);
        let answers = answers(&quiz, &bits);
        let is_removed = |id: &uuid::Uuid| new.question(*id).is_none();
        let full = grade(&quiz.regraded_by(&new, RemovedQuestions::FullPoints), &answers);
        let out = grade(&quiz.regraded_by(&new, RemovedQuestions::Exclude), &answers);
        prop_assert_eq!(without(&full, is_removed), without(&out, is_removed));
        for question in full.questions.iter().filter(|question| is_removed(&question.question_id)) {
            let taken = quiz.question(question.question_id).unwrap();
            prop_assert_eq!((&question.points, question.max_points), (&taken.points.exact(), taken.points));
            prop_assert!(question.correct && !question.is_waiting);
        }
        prop_assert!(full.percent() >= out.percent() || out.max == BigRational::default());
    }

    #[test]
    fn a_question_that_returns_counts_again(quiz in samples::quiz(), bits in vec(any::<u8>(), 1..20)) {
        let none = Quiz { questions: vec![], ..quiz.clone() };
        for removed in POLICIES {
            let back = quiz.regraded_by(&none, removed).regraded_by(&quiz, removed);
            prop_assert_eq!(&back, &quiz);
            prop_assert_eq!(grade(&back, &answers(&quiz, &bits)), grade(&quiz, &answers(&quiz, &bits)));
        }
    }

    #[test]
    fn scaled_points_keep_their_part(points in 0i64..=10_000_000, most in 1i64..=10_000_000, worth in 0i64..=10_000_000) {
        let points = points.min(most);
        let [points, most, worth] = [points, most, worth].map(Points::of_parts);
        prop_assert_eq!(points.scaled(most, most), points);
        prop_assert_eq!(most.scaled(most, worth), worth);
        prop_assert_eq!(Points::ZERO.scaled(most, worth), Points::ZERO);
        let scaled = points.scaled(most, worth);
        prop_assert!(scaled <= worth);
        let exact = points.exact() * worth.exact() / most.exact();
        let off = (scaled.exact() - exact) * BigRational::from_integer(20_000.into());
        prop_assert!(off <= BigRational::from_integer(1.into()) && off >= BigRational::from_integer((-1).into()));
    }
}

fn question(kind: serde_json::Value, points: i64) -> Question {
    let mut question = json!({"id": uuid::Uuid::now_v7(), "prompt": {}, "points": points, "explanation": null});
    let (Some(to), Some(from)) = (question.as_object_mut(), kind.as_object()) else {
        panic!("no objects")
    };
    to.extend(from.clone());
    serde_json::from_value(question).unwrap()
}

fn quiz(questions: Vec<Question>) -> Quiz {
    Quiz {
        questions,
        ..Quiz::default()
    }
}

#[test]
fn a_question_with_a_changed_type_counts_as_a_new_question() {
    let short = question(
        json!({"type": "short_text", "accepted": ["a"], "case_sensitive": false, "regex": null}),
        2,
    );
    let essay = question(
        json!({"type": "essay", "min_words": null, "max_words": null, "guide": null}),
        2,
    );
    let new = quiz(vec![Question { id: short.id, ..essay }]);
    let regraded = quiz(vec![short.clone()]).regraded_by(&new, RemovedQuestions::Exclude);
    assert_eq!(
        regraded.questions,
        [Question {
            points: Points::ZERO,
            ..short
        }]
    );
}

#[test]
fn a_formula_with_changed_parameters_counts_as_a_new_question() {
    let formula = |name: &str, expression: &str| {
        let parameters = json!([{"name": name, "min": 1, "max": 9, "decimals": 0}]);
        question(
            json!({"type": "formula", "parameters": parameters, "expression": expression, "tolerance": 0, "tolerance_percent": null}),
            1,
        )
    };
    let taken = formula("a", "a + 1");
    let corrected = Question {
        id: taken.id,
        ..formula("a", "a + 2")
    };
    let other = Question {
        id: taken.id,
        ..formula("b", "b + 1")
    };
    let by = |new: Question| quiz(vec![taken.clone()]).regraded_by(&quiz(vec![new]), RemovedQuestions::FullPoints);
    assert_eq!(by(corrected.clone()), quiz(vec![corrected]));
    assert_eq!(by(other).full_points, [taken.id]);
}

#[test]
fn an_open_question_keeps_what_it_was_graded_by() {
    let essay = |points, words: u32| {
        question(
            json!({"type": "essay", "min_words": words, "max_words": null, "guide": null}),
            points,
        )
    };
    let taken = essay(2, 10);
    let new = Question {
        id: taken.id,
        ..essay(5, 20)
    };
    let regraded = quiz(vec![taken.clone()]).regraded_by(&quiz(vec![new]), RemovedQuestions::Exclude);
    assert_eq!(
        regraded.questions,
        [Question {
            points: Points::of_parts(50_000),
            ..taken
        }]
    );
}

#[test]
fn draws_keep_what_was_drawn() {
    let drawn = question(
        json!({"type": "short_text", "accepted": ["a"], "case_sensitive": false, "regex": null}),
        1,
    );
    let draw = |count: u32, points| {
        question(
            json!({"type": "draw", "bank_id": uuid::Uuid::now_v7(), "tags": [], "count": count}),
            points,
        )
    };
    let mut taken = draw(1, 3);
    if let Kind::Draw { pool, .. } = &mut taken.kind {
        pool.push(PooledQuestion {
            version: 1,
            question: drawn.clone(),
        });
    }
    let new = Question {
        id: taken.id,
        ..draw(2, 4)
    };
    let attempt = [DrawnQuestion {
        draw_id: taken.id,
        question_id: drawn.id,
        version: 1,
    }];
    let answers = [Answer {
        question_id: drawn.id,
        given: super::super::Given::Text("a".into()),
    }];
    let score = |quiz: &Quiz, answers: &[Answer]| {
        let grade = grade(&quiz.with_drawn(&attempt), answers);
        (grade.score, grade.max)
    };
    let points = |earned: i64, of: i64| {
        (
            BigRational::from_integer(earned.into()),
            BigRational::from_integer(of.into()),
        )
    };
    let quiz = quiz(vec![taken]);
    let kept = quiz.regraded_by(
        &Quiz {
            questions: vec![new],
            ..quiz.clone()
        },
        RemovedQuestions::Exclude,
    );
    assert_eq!(score(&kept, &answers), points(4, 4));
    let none = Quiz {
        questions: vec![],
        ..quiz.clone()
    };
    assert_eq!(
        score(&quiz.regraded_by(&none, RemovedQuestions::Exclude), &answers),
        points(0, 0)
    );
    assert_eq!(
        score(&quiz.regraded_by(&none, RemovedQuestions::FullPoints), &[]),
        points(3, 3)
    );
}
