//! Grading: pure functions over exact fractions.
//!
//! The credit of a question is between 0 and 1 and is multiplied by its points:
//!
//! - single_choice: 1 for the right option;
//! - multiple_choice: right ticks minus wrong ticks, divided by the number of right options, at least 0;
//! - short_text: 1 when the text is accepted or matches the pattern; numeric: 1 when the number is within the tolerance;
//! - matching: right pairs divided by all pairs; ordering: right neighbours divided by all neighbours; fill_blank: right blanks
//!   divided by all blanks.
//!
//! Right sides of pairs, and items of an ordering, that look the same are interchangeable.

use std::collections::{HashMap, VecDeque};

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One as _, ToPrimitive as _, Zero as _};
use serde_json::Number;
use uuid::Uuid;

use super::answers::{Answer, FilledBlank, FilledWith, Given, Match};
use super::model::{Blank, Choice, Filling, Item, Kind, Pair, Question, Quiz, right_ones};
use super::number::{self, Points};
use super::text;

/// A quiz, graded.
#[derive(Clone, Debug, PartialEq)]
pub struct Grade {
    pub score: BigRational,
    pub max: BigRational,
    /// In the order of the quiz.
    pub questions: Vec<QuestionGrade>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct QuestionGrade {
    pub question_id: Uuid,
    pub points: BigRational,
    pub max_points: Points,
    /// Full credit.
    pub correct: bool,
}

impl Grade {
    /// Whole percent, rounded down: 100 only when all is right.
    pub fn percent(&self) -> u8 {
        let percent = number::percent(&self.score, &self.max).floor().to_integer();
        percent.to_u8().unwrap_or(0)
    }

    /// By the exact score: 69.99 % is not 70.
    pub fn passes(&self, pass_percent: u8) -> bool {
        number::percent(&self.score, &self.max) >= BigRational::from(BigInt::from(pass_percent))
    }
}

/// Grades answers that were read for this very quiz; a question without one gets nothing.
pub fn grade(quiz: &Quiz, answers: &[Answer]) -> Grade {
    let answers: HashMap<Uuid, &Given> = answers.iter().map(|a| (a.question_id, &a.given)).collect();
    let mut grade = Grade {
        score: BigRational::zero(),
        max: BigRational::zero(),
        questions: Vec::with_capacity(quiz.questions.len()),
    };
    for question in &quiz.questions {
        let credit = answers
            .get(&question.id)
            .map_or_else(BigRational::zero, |given| credit(&question.kind, given));
        let max = question.points.exact();
        let points = &credit * &max;
        grade.score += &points;
        grade.max += max;
        grade.questions.push(QuestionGrade {
            question_id: question.id,
            points,
            max_points: question.points,
            correct: credit.is_one(),
        });
    }
    grade
}

fn credit(kind: &Kind, given: &Given) -> BigRational {
    let all_or_nothing = |right: bool| share(usize::from(right), 1);
    match (kind, given) {
        (Kind::SingleChoice { options }, Given::Options(chosen)) => {
            let right = matches!(chosen.as_slice(), [id] if right_ones(options).any(|option| option.id == *id));
            all_or_nothing(right)
        }
        (Kind::MultipleChoice { options }, Given::Options(chosen)) => multiple_choice(options, chosen),
        (
            Kind::ShortText {
                accepted,
                case_sensitive,
                regex,
            },
            Given::Text(answer),
        ) => all_or_nothing(
            text::is_accepted(answer, accepted, *case_sensitive)
                || regex
                    .as_ref()
                    .is_some_and(|pattern| text::matches(answer, pattern, *case_sensitive)),
        ),
        (
            Kind::Numeric {
                value,
                tolerance,
                tolerance_percent,
            },
            Given::Number(answer),
        ) => all_or_nothing(numeric(value.as_ref(), tolerance, tolerance_percent.as_ref(), answer).unwrap_or(false)),
        (Kind::Matching { pairs }, Given::Pairs(matches)) => matching(pairs, matches),
        (Kind::Ordering { items }, Given::Order(order)) => ordering(items, order),
        (Kind::FillBlank { blanks, .. }, Given::Blanks(filled)) => {
            let right = filled.iter().filter(|filled| fills(blanks, filled)).count();
            share(right, blanks.len())
        }
        // Answers of another type are refused when they are read.
        _ => BigRational::zero(),
    }
}

/// `part` of `whole`; nothing of nothing.
fn share(part: usize, whole: usize) -> BigRational {
    if whole == 0 {
        return BigRational::zero();
    }
    BigRational::new(part.into(), whole.into())
}

fn multiple_choice(options: &[Choice], chosen: &[Uuid]) -> BigRational {
    let right = right_ones(options).filter(|option| chosen.contains(&option.id)).count();
    let wrong = chosen.len().saturating_sub(right);
    share(right.saturating_sub(wrong), right_ones(options).count())
}

fn numeric(value: Option<&Number>, tolerance: &Number, percent: Option<&Number>, answer: &str) -> Option<bool> {
    let percent = percent.map(number::exact);
    Some(number::is_close(
        &number::decimal(answer)?,
        &number::exact(value?)?,
        &number::exact(tolerance)?,
        match &percent {
            Some(percent) => Some(percent.as_ref()?),
            None => None,
        },
    ))
}

fn matching(pairs: &[Pair], matches: &[Match]) -> BigRational {
    let by_id: HashMap<Uuid, &Pair> = pairs.iter().map(|pair| (pair.id, pair)).collect();
    let right = matches.iter().filter(|matched| {
        let sides = by_id.get(&matched.left_id).zip(by_id.get(&matched.right_id));
        sides.is_some_and(|(left, right)| left.right == right.right)
    });
    share(right.count(), pairs.len())
}

fn ordering(items: &[Item], order: &[Uuid]) -> BigRational {
    // Of items that look the same, the first one given stands for the first one of the right order.
    let mut places: HashMap<String, VecDeque<usize>> = HashMap::new();
    let mut contents: HashMap<Uuid, String> = HashMap::new();
    for (place, item) in items.iter().enumerate() {
        let content = item.content.to_string();
        places.entry(content.clone()).or_default().push_back(place);
        contents.insert(item.id, content);
    }
    let given: Vec<Option<usize>> = order
        .iter()
        .map(|id| places.get_mut(contents.get(id)?)?.pop_front())
        .collect();
    let neighbours = given.windows(2).filter(|pair| match pair {
        [Some(a), Some(b)] => a + 1 == *b,
        _ => false,
    });
    share(neighbours.count(), items.len().saturating_sub(1))
}

fn fills(blanks: &[Blank], filled: &FilledBlank) -> bool {
    let Some(blank) = blanks.iter().find(|blank| blank.id == filled.blank_id) else {
        return false;
    };
    match (&blank.filling, &filled.with) {
        (Filling::Accepted(accepted), FilledWith::Text(answer)) => text::is_accepted(answer, accepted, false),
        (Filling::Options(options), FilledWith::OptionId(id)) => right_ones(options).any(|option| option.id == *id),
        _ => false,
    }
}

/// An answer that gets full credit, in the shape of a learner's; None where only a pattern knows.
pub fn right_answer(question: &Question) -> Option<Given> {
    let says_something = |text: &&String| !text::folded(text, true).is_empty();
    match &question.kind {
        Kind::SingleChoice { options } | Kind::MultipleChoice { options } => {
            Some(Given::Options(right_ones(options).map(|option| option.id).collect()))
        }
        Kind::ShortText { accepted, .. } => accepted.iter().find(says_something).cloned().map(Given::Text),
        Kind::Numeric { value, .. } => value.as_ref().map(|value| Given::Number(value.to_string())),
        Kind::Matching { pairs } => {
            let pair = |pair: &Pair| Match {
                left_id: pair.id,
                right_id: pair.id,
            };
            Some(Given::Pairs(pairs.iter().map(pair).collect()))
        }
        Kind::Ordering { items } => Some(Given::Order(items.iter().map(|item| item.id).collect())),
        Kind::FillBlank { blanks, .. } => {
            let filled = blanks.iter().filter_map(|blank| {
                let with = match &blank.filling {
                    Filling::Accepted(accepted) => FilledWith::Text(accepted.iter().find(says_something)?.clone()),
                    Filling::Options(options) => FilledWith::OptionId(right_ones(options).next()?.id),
                };
                Some(FilledBlank {
                    blank_id: blank.id,
                    with,
                })
            });
            Some(Given::Blanks(filled.collect()))
        }
    }
}

#[cfg(test)]
mod tests {
    use num_traits::Signed as _;
    use proptest::collection::vec;
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;
    use crate::quiz::samples;

    fn ratio(part: i64, whole: i64) -> BigRational {
        BigRational::new(part.into(), whole.into())
    }

    proptest! {
        #[test]
        fn never_below_nothing_or_above_everything(quiz in samples::quiz(), bits in vec(any::<u8>(), 1..60)) {
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
        fn the_order_of_answers_and_of_their_parts_changes_nothing(
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
                    Given::Text(_) | Given::Number(_) | Given::Order(_) => {}
                }
            }
            prop_assert_eq!(grade(&quiz, &answers), grade(&quiz, &other));
        }

        #[test]
        fn again_and_from_storage_it_is_the_same(quiz in samples::quiz(), bits in vec(any::<u8>(), 1..60)) {
            let answers = samples::some_answers(&quiz, &bits);
            let first = grade(&quiz, &answers);
            prop_assert_eq!(&first, &grade(&quiz, &answers));
            let stored = Quiz::from_text(&quiz.to_text().unwrap()).unwrap();
            prop_assert_eq!(&stored, &quiz);
            let kept: Vec<Answer> = serde_json::from_str(&serde_json::to_string(&answers).unwrap()).unwrap();
            prop_assert_eq!(&kept, &answers);
            prop_assert_eq!(first, grade(&stored, &kept));
        }

        #[test]
        fn right_answers_get_everything_and_none_get_nothing(quiz in samples::quiz()) {
            let whole = grade(&quiz, &samples::right_answers(&quiz));
            prop_assert_eq!(&whole.score, &whole.max);
            prop_assert!(whole.percent() == 100 && whole.passes(100) && whole.questions.iter().all(|q| q.correct));
            let nothing = grade(&quiz, &[]);
            prop_assert!(nothing.score.is_zero() && nothing.percent() == 0 && !nothing.passes(1));
            prop_assert_eq!(nothing.max, whole.max);
        }

        #[test]
        fn empty_answers_get_nothing(quiz in samples::quiz()) {
            let empty = |given: Given| match given {
                Given::Options(_) => Given::Options(vec![]),
                Given::Text(_) => Given::Text(" ".into()),
                Given::Number(_) => Given::Number(String::new()),
                Given::Pairs(_) => Given::Pairs(vec![]),
                Given::Order(_) => Given::Order(vec![]),
                Given::Blanks(_) => Given::Blanks(vec![]),
            };
            let answers = samples::right_answers(&quiz).into_iter().map(|a| Answer { given: empty(a.given), ..a });
            prop_assert!(grade(&quiz, &answers.collect::<Vec<_>>()).score.is_zero());
        }

        #[test]
        fn ticking_everything_never_beats_the_right_answer(quiz in samples::quiz()) {
            let right = grade(&quiz, &samples::right_answers(&quiz));
            let answers: Vec<Answer> = quiz.questions.iter().filter_map(|question| {
                let Kind::MultipleChoice { options } = &question.kind else { return None };
                let given = Given::Options(options.iter().map(|option| option.id).collect());
                Some(Answer { question_id: question.id, given })
            }).collect();
            let all = grade(&quiz, &answers);
            for (all, right) in all.questions.iter().zip(&right.questions) {
                prop_assert!(all.points <= right.points);
                prop_assert!(!all.correct, "every sample has a wrong option");
            }
        }

        #[test]
        fn a_right_tick_more_never_costs_and_a_wrong_one_never_pays(quiz in samples::quiz(), bits in vec(any::<u8>(), 1..60)) {
            let answers = samples::some_answers(&quiz, &bits);
            for answer in &answers {
                let question = quiz.question(answer.question_id).unwrap();
                let (Kind::MultipleChoice { options }, Given::Options(chosen)) = (&question.kind, &answer.given) else { continue };
                let before = multiple_choice(options, chosen);
                for option in options.iter().filter(|option| !chosen.contains(&option.id)) {
                    let more: Vec<Uuid> = chosen.iter().copied().chain([option.id]).collect();
                    let after = multiple_choice(options, &more);
                    let fair = if option.correct { after >= before } else { after <= before };
                    prop_assert!(fair);
                }
            }
        }

        #[test]
        fn things_that_look_the_same_are_as_good_as_each_other(quiz in samples::quiz()) {
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
                        prop_assert!(matching(pairs, &matches.collect::<Vec<_>>()).is_one());
                    }
                    _ => {}
                }
            }
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
    fn multiple_choice_is_right_minus_wrong_over_right() {
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
                let Kind::MultipleChoice { options } = kind else {
                    panic!()
                };
                let at = |tick: char| options["abcde".find(tick).unwrap()].id;
                Given::Options(ticks.chars().map(at).collect())
            });
            assert_eq!(got, credit, "{ticks}");
        }
    }

    #[test]
    fn ordering_pays_for_neighbours() {
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
    fn passing_is_decided_on_exact_values_and_percent_is_floored() {
        let question = |credit| json!({"type": "single_choice", "prompt": "?", "points": credit, "options": [{"content": "a", "correct": true}]});
        let quiz = crate::quiz::read(&json!({"questions": [question(6.9999), question(3.0001)]})).unwrap();
        let answers = samples::right_answers(&quiz);
        let grade = grade(&quiz, &answers[..1]);
        assert_eq!((grade.percent(), grade.passes(70)), (69, false));
        assert!(grade.passes(69));
        assert_eq!(number::rounded(&grade.score), 6.9999);
    }

    #[test]
    fn a_quiz_worth_nothing_is_passed_by_nobody() {
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
        for (answer, right) in [("петр", true), (" ПЁТР  Первый", true), ("пётр 2", false), ("", false)]
        {
            assert_eq!(
                credit_of(question.clone(), |_| Given::Text(answer.into())).is_one(),
                right,
                "{answer}"
            );
        }
    }
}
