use num_traits::Signed as _;
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::quiz::{HandIn, Weight, is_weighted, samples};

fn ratio(part: i64, whole: i64) -> BigRational {
    BigRational::new(part.into(), whole.into())
}

proptest! {
    #[test]
    fn scores_stay_between_zero_and_the_maximum(quiz in samples::quiz(), bits in vec(any::<u8>(), 1..60)) {
        let grade = grade(&quiz, &samples::some_answers(&quiz, &bits));
        let mut sum = BigRational::zero();
        for question in &grade.questions {
            let max = question.max_points.exact();
            prop_assert!(!question.points.is_negative() && question.points <= max);
            prop_assert_eq!(question.correct, question.points == max);
            sum += &question.points;
        }
        prop_assert_eq!(&sum, &grade.score);
        prop_assert!(grade.score <= grade.max && grade.percent() <= 100);
        prop_assert_eq!(grade.percent() == 100, grade.score == grade.max);
        prop_assert!(grade.passes(0));
        prop_assert!(grade.passes(grade.percent()));
        prop_assert!(grade.percent() == 100 || !grade.passes(grade.percent() + 1));
    }

    #[test]
    fn grading_ignores_the_order_of_answers_and_of_their_parts(
        quiz in samples::quiz(), bits in vec(any::<u8>(), 1..60), seed in any::<u64>()
    ) {
        let answers = samples::some_answers(&quiz, &bits);
        let mut other = answers.clone();
        let turn = usize::try_from(seed % 7).unwrap();
        let len = other.len().max(1);
        other.rotate_left(turn % len);
        if seed % 2 == 0 {
            other.reverse();
        }
        for answer in &mut other {
            match &mut answer.given {
                Given::Options(ids) => ids.reverse(),
                Given::Pairs(pairs) => pairs.reverse(),
                Given::Blanks(blanks) => blanks.reverse(),
                Given::Places(places) => places.reverse(),
                Given::Text(_) | Given::Number(_) | Given::Order(_) | Given::Essay(_) | Given::Files(_) | Given::HandIn(_) => {}
            }
        }
        prop_assert_eq!(grade(&quiz, &answers), grade(&quiz, &other));
    }

    #[test]
    fn grading_is_deterministic_and_survives_storage(quiz in samples::quiz(), bits in vec(any::<u8>(), 1..60)) {
        let answers = samples::some_answers(&quiz, &bits);
        let first = grade(&quiz, &answers);
        prop_assert_eq!(&first, &grade(&quiz, &answers));
        let stored = Quiz::from_text(&quiz.to_text().unwrap()).unwrap();
        prop_assert_eq!(&stored, &quiz);
        let kept = crate::quiz::answers_from_text(&serde_json::to_string(&answers).unwrap()).unwrap();
        prop_assert_eq!(&kept, &answers);
        prop_assert_eq!(first, grade(&stored, &kept));
    }

    #[test]
    fn correct_answers_get_full_credit_and_missing_ones_none(quiz in samples::quiz()) {
        let whole = samples::full_grade(&quiz);
        prop_assert_eq!(&whole.score, &whole.max);
        prop_assert!(whole.percent() == 100 && whole.passes(100) && whole.questions.iter().all(|q| q.correct));
        let nothing = grade(&quiz, &[]);
        prop_assert!(nothing.score.is_zero() && nothing.percent() == 0 && !nothing.passes(1));
        prop_assert_eq!(nothing.max, whole.max);
    }

    #[test]
    fn empty_answers_get_no_credit(quiz in samples::quiz()) {
        let empty = |given: Given| match given {
            Given::Options(_) => Given::Options(vec![]),
            Given::Text(_) => Given::Text(" ".into()),
            Given::Number(_) => Given::Number(String::new().into()),
            Given::Pairs(_) => Given::Pairs(vec![]),
            Given::Order(_) => Given::Order(vec![]),
            Given::Blanks(_) => Given::Blanks(vec![]),
            Given::Essay(_) => Given::Essay(crate::content::empty()),
            Given::Files(_) => Given::Files(vec![]),
            Given::Places(_) => Given::Places(vec![]),
            Given::HandIn(_) => Given::HandIn(HandIn::default()),
        };
        let answers = samples::right_answers(&quiz).into_iter().map(|a| Answer { given: empty(a.given), ..a });
        prop_assert!(grade(&quiz, &answers.collect::<Vec<_>>()).score.is_zero());
    }

    #[test]
    fn points_of_graders_add_to_the_others(quiz in samples::quiz(), bits in vec(any::<u8>(), 1..60), parts in vec(0u32..=10_000, 7)) {
        let answers = samples::some_answers(&quiz, &bits);
        let before = grade(&quiz, &answers);
        let open: Vec<Uuid> = before.questions.iter().filter(|q| q.is_waiting).map(|q| q.question_id).collect();
        let given: HashMap<Uuid, Points> = open.iter().zip(&parts).map(|(id, part)| {
            let max = quiz.question(*id).unwrap().points.as_f64();
            (*id, Points::nearest(max * f64::from(*part) / 10_000.0))
        }).collect();
        let mut one_by_one = before.clone();
        for (id, points) in &given {
            let waiting = one_by_one.waiting();
            one_by_one = one_by_one.with_given(&HashMap::from([(*id, *points)]));
            prop_assert_eq!(one_by_one.waiting(), waiting - 1);
        }
        let after = before.clone().with_given(&given);
        prop_assert_eq!(&after, &one_by_one);
        let sum: BigRational = given.values().map(|points| points.exact()).sum();
        prop_assert_eq!(&after.score, &(&before.score + sum));
        prop_assert!(after.score <= after.max && after.waiting() == 0);
        // Points that were given stay: only grading again replaces them. Automatic grades do not change.
        prop_assert_eq!(&after.clone().with_given(&HashMap::new()), &after);
        for (now, then) in after.questions.iter().zip(&before.questions) {
            prop_assert!(then.is_waiting || now == then);
        }
    }

    #[test]
    fn choosing_every_option_never_beats_the_correct_answer(quiz in samples::quiz()) {
        let right = grade(&quiz, &samples::right_answers(&quiz));
        let answers: Vec<Answer> = quiz.questions.iter().filter_map(|question| {
            let Kind::MultipleChoice { options, .. } = &question.kind else { return None };
            let given = Given::Options(options.iter().map(|option| option.id).collect());
            Some(Answer { question_id: question.id, given })
        }).collect();
        let all = grade(&quiz, &answers);
        for ((all, right), question) in all.questions.iter().zip(&right.questions).zip(&quiz.questions) {
            prop_assert!(all.points <= right.points);
            // Every sample has a wrong option, which may cost nothing if there are weights.
            let options = question.kind.options().unwrap_or_default();
            let is_free = is_weighted(options) && options.iter().all(|option| option.weight.is_none_or(Weight::is_positive));
            prop_assert!(!all.correct || is_free);
        }
    }

    #[test]
    fn a_correct_choice_never_lowers_the_score_and_a_wrong_one_never_raises_it(quiz in samples::quiz(), bits in vec(any::<u8>(), 1..60)) {
        let answers = samples::some_answers(&quiz, &bits);
        for answer in &answers {
            let question = quiz.question(answer.question_id).unwrap();
            let (Kind::MultipleChoice { options, all_or_nothing: false }, Given::Options(chosen)) = (&question.kind, &answer.given) else {
                continue
            };
            let before = choices::several(options, chosen);
            for option in options.iter().filter(|option| !chosen.contains(&option.id)) {
                let more: Vec<Uuid> = chosen.iter().copied().chain([option.id]).collect();
                let after = choices::several(options, &more);
                let fair = if option.correct { after >= before } else { after <= before };
                prop_assert!(fair);
            }
        }
    }

    #[test]
    fn the_credit_of_any_choice_is_between_0_and_1(quiz in samples::quiz(), bits in vec(any::<u8>(), 1..60)) {
        for answer in samples::some_answers(&quiz, &bits) {
            let kind = &quiz.question(answer.question_id).unwrap().kind;
            if kind.options().is_some() {
                let credit = credit(kind, &answer.given);
                prop_assert!(credit >= BigRational::zero() && credit <= BigRational::one(), "{}", credit);
            }
        }
    }

    #[test]
    fn all_or_nothing_is_full_credit_for_exactly_the_right_options(correct in vec(any::<bool>(), 1..8), ticks in vec(any::<bool>(), 8)) {
        let options: Vec<Value> = correct.iter().map(|correct| json!({"content": "a", "correct": correct})).collect();
        let question = json!({"type": "multiple_choice", "options": options, "all_or_nothing": true});
        let got = credit_of(question, |kind| {
            let options = kind.options().unwrap().iter().zip(&ticks);
            Given::Options(options.filter(|(_, ticked)| **ticked).map(|(option, _)| option.id).collect())
        });
        let is_exact = correct.contains(&true) && correct.iter().zip(&ticks).all(|(correct, ticked)| correct == ticked);
        prop_assert_eq!(got, ratio(is_exact.into(), 1));
    }

    #[test]
    fn equal_weights_and_penalties_give_the_credit_of_no_weights(correct in vec(any::<bool>(), 1..8), ticks in vec(any::<bool>(), 8)) {
        let credit = |weighted: bool| {
            let option = |correct: &bool| match weighted {
                true => json!({"content": "a", "correct": correct, "weight": if *correct { 12.5 } else { -12.5 }}),
                false => json!({"content": "a", "correct": correct}),
            };
            let options: Vec<Value> = correct.iter().map(option).collect();
            credit_of(json!({"type": "multiple_choice", "options": options}), |kind| {
                let options = kind.options().unwrap().iter().zip(&ticks);
                Given::Options(options.filter(|(_, ticked)| **ticked).map(|(option, _)| option.id).collect())
            })
        };
        prop_assert_eq!(credit(true), credit(false));
    }

    #[test]
    fn a_number_is_graded_alike_in_each_unit(value in -1000i64..1000, off in -3i64..3, tolerance in 0i64..3, factor in 1i64..1000, decimals in 0u32..4) {
        let parts = 10_i64.pow(decimals);
        let question = json!({"type": "numeric", "value": value, "tolerance": tolerance,
            "units": [{"name": "a", "factor": 1}, {"name": "b", "factor": factor}, {"name": "c", "factor": 1.0 / parts as f64}]});
        let credit = |number: BigRational, unit: &str| {
            let kind = &crate::quiz::read(&json!({"questions": [with_prompt(question.clone())]})).unwrap().questions[0].kind.clone();
            let written = format!("{}e-12", (number * BigInt::from(10_i64.pow(12))).to_integer());
            credit(kind, &Given::Number(Quantity { number: written, unit: Some(unit.into()) }))
        };
        let exact = ratio(value + off, 1);
        let expected = ratio((off.abs() <= tolerance).into(), 1);
        prop_assert_eq!(credit(exact.clone(), "a"), expected.clone());
        prop_assert_eq!(credit(exact.clone() * BigInt::from(parts), "c"), expected.clone());
        // One of "b" is `factor` of "a".
        if (value + off) % factor == 0 {
            prop_assert_eq!(credit(exact / BigInt::from(factor), "b"), expected);
        }
    }

    #[test]
    fn identical_looking_items_are_interchangeable(quiz in samples::quiz()) {
        for question in &quiz.questions {
            match &question.kind {
                Kind::Ordering { items } => {
                    // The right order, but the later of two same items first.
                    let mut order: Vec<&Item> = items.iter().collect();
                    for i in 0..order.len() {
                        let same = (i + 1..order.len()).find(|j| order[*j].content == order[i].content);
                        if let Some(j) = same {
                            order.swap(i, j);
                        }
                    }
                    let order: Vec<Uuid> = order.into_iter().map(|item| item.id).collect();
                    prop_assert!(ordering(items, &order).is_one());
                }
                Kind::Matching { pairs } => {
                    let same = |pair: &Pair| pairs.iter().rev().find(|other| other.right == pair.right).unwrap().id;
                    let matches = pairs.iter().map(|pair| Match { left_id: pair.id, right_id: same(pair) });
                    prop_assert_eq!(right_pairs(pairs, &matches.collect::<Vec<_>>()).len(), pairs.len());
                }
                _ => {}
            }
        }
    }
}

fn with_prompt(mut question: Value) -> Value {
    question["prompt"] = json!("?");
    question
}

#[test]
fn a_number_needs_a_unit_of_its_question() {
    let question = json!({"type": "numeric", "value": 1.5, "tolerance": 0.01, "units": [
        {"name": " м ", "factor": 1}, {"name": "см", "factor": 0.01}, {"name": "км", "factor": 1000},
    ]});
    for (number, unit, right) in [
        ("1,5", Some("м"), true),
        ("150", Some("см"), true),
        ("151", Some("см"), true),
        ("151.1", Some("см"), false),
        ("0.0015", Some("км"), true),
        ("1.5", Some("км"), false),
        ("1.5", Some("мм"), false),
        ("1.5", None, false),
    ] {
        let unit = unit.map(str::to_owned);
        let got = credit_of(question.clone(), |_| {
            Given::Number(Quantity {
                number: number.into(),
                unit: unit.clone(),
            })
        });
        assert_eq!(got.is_one(), right, "{number} {unit:?}");
    }
}

/// The credit for a question of an author's JSON.
fn credit_of(question: Value, given: impl Fn(&Kind) -> Given) -> BigRational {
    let mut question = question;
    question["prompt"] = json!("?");
    let quiz = crate::quiz::read(&json!({ "questions": [question] })).unwrap();
    let kind = &quiz.questions[0].kind;
    credit(kind, &given(kind))
}

#[test]
fn multiple_choice_credit_is_correct_minus_wrong_choices() {
    let options = json!([
        {"content": "a", "correct": true}, {"content": "b", "correct": true}, {"content": "c", "correct": true},
        {"content": "d"}, {"content": "e"},
    ]);
    for (ticks, credit) in [
        ("", ratio(0, 1)),
        ("a", ratio(1, 3)),
        ("ab", ratio(2, 3)),
        ("abc", ratio(1, 1)),
        ("abd", ratio(1, 3)),
        ("abcde", ratio(1, 3)),
        ("d", ratio(0, 1)),
        ("ade", ratio(0, 1)),
    ] {
        let got = credit_of(json!({"type": "multiple_choice", "options": options}), |kind| {
            let Kind::MultipleChoice { options, .. } = kind else {
                panic!()
            };
            let at = |tick: char| options["abcde".find(tick).unwrap()].id;
            Given::Options(ticks.chars().map(at).collect())
        });
        assert_eq!(got, credit, "{ticks}");
    }
}

#[test]
fn weights_are_the_credit_of_options() {
    let several = json!([
        {"content": "a", "correct": true, "weight": 33.33333}, {"content": "b", "correct": true, "weight": 33.33333},
        {"content": "c", "correct": true, "weight": 33.33333}, {"content": "d", "weight": -50}, {"content": "e"},
    ]);
    let one = json!([{"content": "a", "correct": true}, {"content": "b", "weight": 40}, {"content": "c", "weight": -20}, {"content": "d"}]);
    for (kind, options, ticks, credit) in [
        ("multiple_choice", &several, "abc", ratio(1, 1)),
        ("multiple_choice", &several, "ab", ratio(2, 3)),
        ("multiple_choice", &several, "abce", ratio(1, 1)),
        ("multiple_choice", &several, "abcd", ratio(4_999_999, 9_999_999)),
        ("multiple_choice", &several, "ad", ratio(0, 1)),
        ("multiple_choice", &several, "", ratio(0, 1)),
        ("single_choice", &one, "a", ratio(1, 1)),
        ("single_choice", &one, "b", ratio(2, 5)),
        ("single_choice", &one, "c", ratio(0, 1)),
        ("single_choice", &one, "d", ratio(0, 1)),
        ("single_choice", &one, "", ratio(0, 1)),
    ] {
        let got = credit_of(json!({"type": kind, "options": options}), |kind| {
            let options = kind.options().unwrap();
            Given::Options(
                ticks
                    .chars()
                    .map(|tick| options["abcde".find(tick).unwrap()].id)
                    .collect(),
            )
        });
        assert_eq!(got, credit, "{kind} {ticks}");
    }
}

#[test]
fn ordering_credit_counts_correct_neighbours() {
    let items = json!([{"content": "a"}, {"content": "b"}, {"content": "c"}, {"content": "d"}]);
    for (order, credit) in [
        ("abcd", ratio(1, 1)),
        ("dabc", ratio(2, 3)),
        ("cdab", ratio(2, 3)),
        ("dcba", ratio(0, 1)),
        ("ab", ratio(1, 3)),
        ("a", ratio(0, 1)),
    ] {
        let got = credit_of(json!({"type": "ordering", "items": items}), |kind| {
            let Kind::Ordering { items } = kind else { panic!() };
            Given::Order(order.chars().map(|c| items["abcd".find(c).unwrap()].id).collect())
        });
        assert_eq!(got, credit, "{order}");
    }
    // A B A C A and A C A B A have the same neighbours, but one order is right.
    let items = json!([{"content": "a"}, {"content": "b"}, {"content": "a"}, {"content": "c"}, {"content": "a"}]);
    let got = credit_of(json!({"type": "ordering", "items": items}), |kind| {
        let Kind::Ordering { items } = kind else { panic!() };
        Given::Order([0, 3, 2, 1, 4].map(|i| items[i].id).to_vec())
    });
    assert!(!got.is_one());
}

#[test]
fn numbers_are_read_and_compared_exactly() {
    for (question, answer, right) in [
        (json!({"value": 0.3, "tolerance": 0.1}), "0,2", true),
        (json!({"value": 0.3, "tolerance": 0.1}), "0.19999999999999999999", false),
        (json!({"value": 1000000}), "1 000 000", true),
        (json!({"value": -40, "tolerance_percent": 5}), "−42", true),
        (json!({"value": -40, "tolerance_percent": 5}), "-42.01", false),
        (json!({"value": 0.1}), "1e-1", true),
        (json!({}), "0", false),
    ] {
        let mut question = question;
        question["type"] = json!("numeric");
        let got = credit_of(question.clone(), |_| Given::Number(answer.into()));
        assert_eq!(got.is_one(), right, "{question} {answer}");
    }
}

#[test]
fn passing_uses_the_exact_score_and_percentages_are_floored() {
    let question = |credit| json!({"type": "single_choice", "prompt": "?", "points": credit, "options": [{"content": "a", "correct": true}]});
    let quiz = crate::quiz::read(&json!({"questions": [question(6.9999), question(3.0001)]})).unwrap();
    let answers = samples::right_answers(&quiz);
    let grade = grade(&quiz, &answers[..1]);
    assert_eq!((grade.percent(), grade.passes(70)), (69, false));
    assert!(grade.passes(69));
    assert_eq!(number::rounded(&grade.score), 6.9999);
}

#[test]
fn a_quiz_of_zero_points_is_never_passed() {
    let quiz = crate::quiz::read(&json!({"questions": [
        {"type": "single_choice", "prompt": "?", "points": 0, "options": [{"content": "a", "correct": true}]}
    ]}))
    .unwrap();
    let grade = grade(&quiz, &samples::right_answers(&quiz));
    assert_eq!(
        (grade.percent(), grade.passes(1), grade.questions[0].correct),
        (0, false, true)
    );
}

#[test]
fn a_short_text_is_accepted_or_matches() {
    let question = json!({"type": "short_text", "accepted": ["Пётр"], "regex": "пётр (i|1|первый)"});
    for (answer, right) in [("петр", true), (" ПЁТР  Первый", true), ("пётр 2", false), ("", false)] {
        assert_eq!(
            credit_of(question.clone(), |_| Given::Text(answer.into())).is_one(),
            right,
            "{answer}"
        );
    }
}
