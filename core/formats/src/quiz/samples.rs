//! Random quizzes and answers for tests. Every value that learners must not see contains [`SECRET`].

mod draws;

use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Number, Value, json};
use uuid::Uuid;

use super::choice::Choice;
use super::formula::Parameter;
use super::limits::{MAX_GRACE, MAX_TIME_LIMIT, MIN_TIME_LIMIT};
use super::model::{Blank, Checking, Filling, Item, Kind, Pair, Question, Quiz, Release, Reveal, Source};
use super::number::Points;
use super::read::paragraph;
use super::rubric::{Criterion, Level, Rubric};
use super::units::Unit;
use super::weight::Weight;
pub use answers::{files, full_grade, right_answers, sent, some_answers};
pub use draws::drawing_quiz;

mod answers;
pub mod zones;

/// Long enough not to occur in a random id.
pub const SECRET: &str = "731973197319";

/// Complete quizzes, some of them of assignments.
pub fn quiz() -> impl Strategy<Value = Quiz> {
    prop_oneof![
        8 => quiz_of(vec(question_of(kind()), 1..7)),
        1 => assignment(),
    ]
}

/// Complete quizzes of assignments.
pub fn assignment() -> impl Strategy<Value = Quiz> {
    quiz_of(vec(question_of(hand_in()), 1))
}

fn quiz_of(questions: impl Strategy<Value = Vec<Question>>) -> impl Strategy<Value = Quiz> {
    let reveal = prop_oneof![Just(Reveal::AfterSubmit), Just(Reveal::AfterPass), Just(Reveal::Never)];
    let settings = (
        0u8..=100,
        proptest::option::of(1u32..5),
        any::<bool>(),
        any::<bool>(),
        (reveal, prop_oneof![Just(Checking::AtEnd), Just(Checking::EachQuestion)]),
        (proptest::option::of(MIN_TIME_LIMIT..=MAX_TIME_LIMIT), 0..=MAX_GRACE),
    );
    (settings, questions).prop_map(
        |((pass_percent, max_attempts, shuffle_questions, shuffle_options, (reveal, checking), time), questions)| {
            Quiz {
                pass_percent,
                max_attempts,
                shuffle_questions,
                shuffle_options,
                reveal,
                release: Release::AtOnce,
                checking,
                time_limit_seconds: time.0,
                grace_seconds: time.1,
                full_points: vec![],
                questions,
            }
        },
    )
}

fn question_of(kind: impl Strategy<Value = Kind>) -> impl Strategy<Value = Question> {
    // Sums of thirds and sevenths of such points are not exact in floating point.
    let points = prop_oneof![
        Just(json!(1)),
        Just(json!(0.1)),
        Just(json!(2.5)),
        Just(json!(0.0001)),
        Just(json!(3))
    ];
    (document(), points, vec(document(), 0..3), any::<bool>(), kind).prop_map(
        |(prompt, points, hints, is_copy, kind)| Question {
            id: Uuid::now_v7(),
            prompt: match kind {
                Kind::Formula { .. } => paragraph("Дано {a} и {b_2}, но не {c} и не {{a}}"),
                _ => prompt,
            },
            points: match kind.rubric() {
                Some(rubric) => rubric.max_points(),
                None => Points::new(points.as_number().unwrap()).unwrap(),
            },
            explanation: Some(paragraph(&format!("because {SECRET}"))),
            hints: match kind {
                Kind::Formula { .. } => vec![paragraph("Сложите {a} и {b_2}")],
                _ => hints,
            },
            source: is_copy.then(|| Source {
                question_id: Uuid::from_u128(0x7319_7319_7319 << 64 | 0x8000_7319_7319_7319),
                version: 3,
            }),
            kind,
        },
    )
}

/// Few different documents, so that some are equal.
fn document() -> impl Strategy<Value = Value> {
    "[абв]{1,2}".prop_map(|text| paragraph(&text))
}

fn kind() -> impl Strategy<Value = Kind> {
    prop_oneof![
        (vec(document(), 2..6), any::<prop::sample::Index>()).prop_map(|(contents, right)| {
            let right = right.index(contents.len());
            let options = contents.into_iter().enumerate();
            Kind::SingleChoice {
                options: options.map(|(i, content)| choice(content, i == right)).collect(),
            }
        }),
        (
            vec((document(), -10_000_000i32..10_000_000), 2..6),
            any::<prop::sample::Index>()
        )
            .prop_map(|(list, right)| {
                let right = right.index(list.len());
                let options = list.into_iter().enumerate().map(|(i, (content, parts))| Choice {
                    weight: (i != right).then(|| weight(parts)),
                    ..choice(content, i == right)
                });
                Kind::SingleChoice {
                    options: options.collect(),
                }
            }),
        (options(), any::<bool>()).prop_map(|(options, all_or_nothing)| Kind::MultipleChoice {
            options,
            all_or_nothing
        }),
        weighted_options().prop_map(|options| Kind::choice(true, options)),
        (accepted(), any::<bool>(), any::<bool>()).prop_map(|(accepted, case_sensitive, regex)| Kind::ShortText {
            accepted,
            case_sensitive,
            regex: regex.then(|| format!("{SECRET}|x")),
        }),
        (any::<bool>(), any::<bool>(), -1000i64..1000, units()).prop_map(|(negative, percent, off, units)| {
            let value = 731_973_197_319_i64 * 1000 + off;
            Kind::Numeric {
                value: Some(Number::from(if negative { -value } else { value })),
                tolerance: if percent {
                    Number::from(0)
                } else {
                    Number::from(731_973_197_319_i64)
                },
                tolerance_percent: percent.then(|| Number::from_f64(1e-3).unwrap()),
                units,
            }
        }),
        (-50i64..50, 0u8..3, any::<bool>(), units()).prop_map(|(min, decimals, percent, units)| Kind::Formula {
            parameters: vec![
                Parameter {
                    name: "a".into(),
                    min: Some(Number::from(min)),
                    max: Some(Number::from(min + 100)),
                    decimals,
                },
                // A range that shows what learners may not see.
                Parameter {
                    name: "b_2".into(),
                    min: Some(Number::from(-900)),
                    max: Some(Number::from(900)),
                    decimals: 1,
                },
            ],
            expression: format!("a^2 / 8 - 3 * b_2 + sqrt(4) + 0 * {SECRET}"),
            tolerance: Number::from(if percent { 0 } else { 1 }),
            tolerance_percent: percent.then(|| Number::from_f64(1e-3).unwrap()),
            units,
        }),
        vec((document(), document()), 2..6).prop_map(|sides| Kind::Matching {
            pairs: sides
                .into_iter()
                .map(|(left, right)| Pair {
                    id: Uuid::now_v7(),
                    left,
                    right,
                })
                .collect(),
        }),
        vec(document(), 2..6).prop_map(|contents| Kind::Ordering {
            items: contents
                .into_iter()
                .map(|content| Item {
                    id: Uuid::now_v7(),
                    content,
                })
                .collect(),
        }),
        zones::hotspot(),
        vec(
            prop_oneof![
                accepted().prop_map(Filling::Accepted),
                options().prop_map(|options| Filling::Options(without_feedback(options)))
            ],
            1..4
        )
        .prop_map(fill_blank),
        (proptest::option::of(1u32..3), rubric()).prop_map(|(min_words, rubric)| Kind::Essay {
            min_words,
            max_words: Some(20),
            guide: Some(paragraph(&format!("look for {SECRET}"))),
            rubric,
        }),
        (1u32..5, vec("[a-z]{2,4}", 0..3), rubric()).prop_map(|(max_files, extensions, rubric)| Kind::FileUpload {
            max_files,
            extensions,
            guide: Some(paragraph(&format!("look for {SECRET}"))),
            rubric,
        }),
    ]
}

/// Units, or none.
fn units() -> impl Strategy<Value = Vec<Unit>> {
    let unit = |name: &str, factor: Number| Unit {
        name: name.into(),
        factor,
    };
    (0usize..4).prop_map(move |count| {
        let all = vec![
            unit("кг", Number::from(1)),
            unit("г", Number::from_f64(0.001).unwrap()),
            unit("\"больших\" т", Number::from(1_007_319_731_973_190_i64)),
        ];
        all.into_iter().take(count).collect()
    })
}

/// Takes a text at least.
fn hand_in() -> impl Strategy<Value = Kind> {
    let files = (0u32..5, vec("[a-z]{2,4}", 0..3));
    (proptest::option::of(1u32..3), files, 0u32..4, rubric()).prop_map(
        |(min_words, (max_files, extensions), max_links, rubric)| Kind::HandIn {
            takes_text: true,
            min_words,
            max_words: Some(20),
            max_files,
            extensions,
            max_links,
            guide: Some(paragraph(&format!("look for {SECRET}"))),
            rubric,
        },
    )
}

/// One in two questions has a rubric. Only a hidden one has secrets.
fn rubric() -> impl Strategy<Value = Option<Rubric>> {
    let levels = vec(1i64..50_000, 1..4);
    let rubric = (any::<bool>(), vec(levels, 1..4)).prop_map(|(is_shown, criteria)| {
        let description = if is_shown {
            "открыто".to_owned()
        } else {
            format!("hidden {SECRET}")
        };
        let level = |parts: i64| Level {
            id: Uuid::now_v7(),
            name: format!("на {parts}"),
            description: description.clone(),
            points: Points::of_parts(parts),
        };
        let criteria = criteria.into_iter().map(|levels| Criterion {
            id: Uuid::now_v7(),
            name: "Ясность".into(),
            description: description.clone(),
            levels: levels.into_iter().map(level).collect(),
        });
        Rubric {
            is_shown,
            criteria: criteria.collect(),
        }
    });
    proptest::option::of(rubric)
}

fn fill_blank(fillings: Vec<Filling>) -> Kind {
    let blanks: Vec<Blank> = fillings
        .into_iter()
        .map(|filling| Blank {
            id: Uuid::now_v7(),
            filling,
        })
        .collect();
    let nodes = blanks
        .iter()
        .map(|blank| json!({"type": "blank", "attrs": {"blank_id": blank.id}}));
    Kind::FillBlank {
        text: json!({"type": "doc", "content": [{"type": "paragraph", "content": nodes.collect::<Vec<_>>()}]}),
        blanks,
    }
}

/// At least one correct and one wrong option.
fn options() -> impl Strategy<Value = Vec<Choice>> {
    vec((document(), any::<bool>()), 2..6).prop_map(|options| {
        let last = options.len() - 1;
        let options = options.into_iter().enumerate();
        options
            .map(|(i, (content, correct))| choice(content, if i == 0 { true } else { correct && i != last }))
            .collect()
    })
}

/// Options of a multiple choice with weights; at least one correct and one wrong option.
fn weighted_options() -> impl Strategy<Value = Vec<Choice>> {
    (options(), vec(1i32..=10_000_000, 6), any::<bool>()).prop_map(|(options, parts, costs)| {
        let options = options.into_iter().zip(parts);
        let weighted = options.map(|(option, parts)| Choice {
            weight: (option.correct || costs).then(|| weight(if option.correct { parts } else { -parts })),
            ..option
        });
        weighted.collect()
    })
}

/// A weight of this many hundred-thousandths of a percent.
fn weight(parts: i32) -> Weight {
    Weight::nearest(f64::from(parts) / 100_000.0)
}

fn choice(content: Value, correct: bool) -> Choice {
    Choice {
        id: Uuid::now_v7(),
        content,
        correct,
        feedback: Some(paragraph(&format!("chosen {SECRET}"))),
        weight: None,
    }
}

/// The options of a blank, which have no feedback.
fn without_feedback(mut options: Vec<Choice>) -> Vec<Choice> {
    for option in &mut options {
        option.feedback = None;
    }
    options
}

fn accepted() -> impl Strategy<Value = Vec<String>> {
    vec("[a-zа-яё ]{0,5}", 1..4).prop_map(|texts| texts.into_iter().map(|text| format!("{SECRET} {text}")).collect())
}

/// The ids that learners get aliases for.
pub fn hidden_ids(question: &Question) -> Vec<Uuid> {
    match &question.kind {
        Kind::Matching { pairs } => pairs.iter().map(|pair| pair.id).collect(),
        Kind::Ordering { items } => items.iter().map(|item| item.id).collect(),
        _ => vec![],
    }
}

/// A quiz that looks the same to learners but has other correct answers.
pub fn with_other_answers(mut quiz: Quiz) -> Quiz {
    let turn = |options: &mut Vec<Choice>| {
        for option in options {
            (option.correct, option.feedback, option.weight) = (!option.correct, None, None);
        }
    };
    for question in &mut quiz.questions {
        (question.explanation, question.source) = (None, None);
        match &mut question.kind {
            Kind::SingleChoice { options } | Kind::MultipleChoice { options, .. } => turn(options),
            Kind::ShortText {
                accepted,
                case_sensitive,
                regex,
            } => {
                accepted.push("another".into());
                (*case_sensitive, *regex) = (!*case_sensitive, Some("another".into()));
            }
            Kind::Numeric {
                value,
                tolerance,
                tolerance_percent,
                units,
            } => {
                for unit in units.iter_mut().skip(1) {
                    unit.factor = Number::from(3);
                }
                (*value, *tolerance, *tolerance_percent) = (None, Number::from(1), Some(Number::from(2)));
            }
            Kind::Formula {
                expression,
                tolerance,
                tolerance_percent,
                ..
            } => {
                *expression = "a + b_2".into();
                (*tolerance, *tolerance_percent) = (Number::from(5), None);
            }
            Kind::Matching { .. } | Kind::Ordering { .. } | Kind::Draw { .. } => {}
            Kind::Hotspot {
                zones, all_or_nothing, ..
            } => {
                *all_or_nothing = !*all_or_nothing;
                zones::moved(zones);
            }
            Kind::Essay { guide, rubric, .. }
            | Kind::FileUpload { guide, rubric, .. }
            | Kind::HandIn { guide, rubric, .. } => {
                *guide = None;
                *rubric = rubric.take().filter(|rubric| rubric.is_shown);
            }
            Kind::FillBlank { blanks, .. } => {
                for blank in blanks {
                    match &mut blank.filling {
                        Filling::Accepted(accepted) => accepted.clear(),
                        Filling::Options(options) => turn(options),
                    }
                }
            }
        }
    }
    quiz
}
