//! The sample's quiz.

use kurso_formats::quiz::{
    Blank, Checking, Choice, Criterion, Filling, Item, Kind, Level, Pair, Parameter, Points, Question, Quiz, Release,
    Reveal, Rubric, Shape, Source, Unit, Weight, Zone,
};
use serde_json::{Number, Value, json};
use uuid::Uuid;

use super::{doc, said, text};

/// A quiz with every setting and type of question; `image` is an address, or empty for none.
pub fn quiz(image: &str) -> Quiz {
    let choice = |words: &str, correct| Choice {
        id: Uuid::now_v7(),
        content: doc(json!([said(words)])),
        correct,
        feedback: None,
        weight: None,
    };
    let with_feedback = |option: Choice, blocks: Value| Choice {
        feedback: Some(doc(blocks)),
        ..option
    };
    let weighted = |option: Choice, percent: i64| Choice {
        weight: Weight::new(&percent.into()),
        ..option
    };
    let choices = || vec![choice("да", true), choice("нет", false), choice("возможно", false)];
    let number = |value: f64| serde_json::Number::from_f64(value).unwrap();
    let blank = |filling| Blank {
        id: Uuid::now_v7(),
        filling,
    };
    let blanks = vec![
        blank(Filling::Accepted(vec!["Париж".into(), "Paris".into()])),
        blank(Filling::Options(choices())),
    ];
    let holes = |n: usize| json!({ "type": "blank", "attrs": { "blank_id": blanks[n].id } });
    let gaps = doc(json!([{ "type": "paragraph", "content": [text("Столица "), holes(0), text(" и "), holes(1)] }]));
    let kinds = vec![
        Kind::SingleChoice {
            options: vec![
                with_feedback(choice("да", true), json!([said("Именно так")])),
                with_feedback(
                    choice("нет", false),
                    json!([said("Посмотрите на схему"), said("и ещё раз")]),
                ),
                choice("возможно", false),
            ],
        },
        Kind::SingleChoice {
            options: vec![weighted(choice("почти", false), 50), choice("точно", true)],
        },
        Kind::choice(
            true,
            vec![
                weighted(choice("раз", true), 60),
                weighted(choice("два", true), 40),
                weighted(choice("три", false), -25),
            ],
        ),
        Kind::MultipleChoice {
            all_or_nothing: true,
            options: vec![
                choice("раз", true),
                with_feedback(choice("два", true), json!([said("# и ~ =")])),
                with_feedback(choice("три", false), json!([said("Считайте до двух")])),
            ],
        },
        Kind::ShortText {
            accepted: vec!["Ответ".into(), " с пробелом".into()],
            case_sensitive: true,
            regex: Some("О.*т".into()),
        },
        Kind::ShortText {
            accepted: vec!["ответ".into()],
            case_sensitive: false,
            regex: None,
        },
        Kind::Numeric {
            value: Some(number(2.75)),
            tolerance: number(0.01),
            tolerance_percent: None,
            units: vec![],
        },
        Kind::Numeric {
            value: Some(100.into()),
            tolerance: 0.into(),
            tolerance_percent: Some(number(2.5)),
            units: vec![
                unit("м", 1.into()),
                unit("кв. см", number(0.01)),
                unit("\"км\"", 1000.into()),
            ],
        },
        Kind::Matching {
            pairs: (1..4)
                .map(|n| Pair {
                    id: Uuid::now_v7(),
                    left: doc(json!([said(&format!("левое {n}"))])),
                    right: doc(json!([said(&format!("правое {n}"))])),
                })
                .collect(),
        },
        Kind::Ordering {
            items: (1..4)
                .map(|n| Item {
                    id: Uuid::now_v7(),
                    content: doc(json!([said(&format!("шаг {n}"))])),
                })
                .collect(),
        },
        Kind::FillBlank { text: gaps, blanks },
        Kind::Essay {
            min_words: Some(5),
            max_words: Some(300),
            guide: Some(doc(json!([said("Ищите выводы")]))),
            rubric: Some(rubric(true, &[&[8.5, 2.25, 0.0], &[4.0]])),
        },
        Kind::FileUpload {
            max_files: 3,
            extensions: vec!["pdf".into(), "docx".into()],
            guide: Some(doc(json!([said("Проверьте оформление")]))),
            rubric: Some(rubric(false, &[&[13.5, 0.0]])),
        },
        Kind::FileUpload {
            max_files: 1,
            extensions: vec![],
            guide: None,
            rubric: None,
        },
        Kind::Essay {
            min_words: None,
            max_words: None,
            guide: None,
            rubric: None,
        },
        Kind::Formula {
            parameters: vec![
                parameter("a", number(-1.5), 100.into(), 2),
                parameter("b", 1.into(), 9.into(), 0),
            ],
            expression: "sqrt(a^2) / b".into(),
            tolerance: number(0.05),
            tolerance_percent: None,
            units: vec![unit("с", 1.into()), unit("мин", 60.into())],
        },
        Kind::Formula {
            parameters: vec![parameter("x_1", 1.into(), 9.into(), 1)],
            expression: "x_1 +-1 * pi".into(),
            tolerance: 0.into(),
            tolerance_percent: Some(number(2.5)),
            units: vec![],
        },
        hotspot(image),
    ];
    let questions = (1..).zip(kinds).map(|(number, kind)| {
        let mut prompt = vec![said(&format!("Вопрос {number}"))];
        if let Kind::Formula { parameters, .. } = &kind {
            prompt.extend(
                parameters
                    .iter()
                    .map(|one| said(&format!("Дано {{{}}}, но не {{{{a}}}}", one.name))),
            );
        }
        if !image.is_empty() && number == 1 {
            prompt.push(json!({ "type": "image", "attrs": { "src": image } }));
        }
        Question {
            id: Uuid::now_v7(),
            prompt: doc(json!(prompt)),
            points: Points::new(&serde_json::Number::from_f64(f64::from(number) + 0.5).unwrap()).unwrap(),
            explanation: Some(doc(json!([said(&format!("Потому что {number}"))]))),
            hints: vec![
                doc(json!([said(&format!("Подсказка {number}"))])),
                doc(json!([said("? да {a}")])),
            ],
            source: Some(source(number)),
            kind,
        }
    });
    Quiz {
        pass_percent: 55,
        max_attempts: Some(3),
        shuffle_questions: true,
        shuffle_options: true,
        reveal: Reveal::AfterSubmit,
        release: Release::Together,
        checking: Checking::EachQuestion,
        time_limit_seconds: Some(45 * 60),
        grace_seconds: 90,
        questions: questions.collect(),
        full_points: vec![],
    }
}

/// A hotspot question with a zone of each shape. Without an address, its picture is one that is not stored.
fn hotspot(image: &str) -> Kind {
    let src = match image {
        "" => "/files/0123456789abcdef0123456789abcdef/a.png",
        image => image,
    };
    let zones = json!([
        {"shape": "rectangle", "x": 10.5, "y": 20, "width": 30, "height": 12.25},
        {"shape": "ellipse", "x": 50, "y": 50.001, "radius_x": 10, "radius_y": 12},
        {"shape": "polygon", "corners": [{"x": 1, "y": 2}, {"x": 30, "y": 2}, {"x": 10, "y": 40.125}]},
    ]);
    let zones = zones.as_array().unwrap().iter();
    let shape = |zone: &Value| serde_json::from_value::<Shape>(zone.clone()).unwrap();
    Kind::Hotspot {
        picture: Some(doc(
            json!([{ "type": "image", "attrs": { "src": src, "alt": "Схема" } }]),
        )),
        zones: zones
            .map(|zone| Zone {
                id: Uuid::now_v7(),
                shape: shape(zone),
            })
            .collect(),
        mark_all: true,
        all_or_nothing: true,
    }
}

/// What a question was copied from.
fn source(number: u32) -> Source {
    Source {
        question_id: Uuid::from_u128(u128::from(number)),
        version: 2,
    }
}

fn unit(name: &str, factor: Number) -> Unit {
    Unit {
        name: name.into(),
        factor,
    }
}

fn parameter(name: &str, min: Number, max: Number, decimals: u8) -> Parameter {
    Parameter {
        name: name.into(),
        min: Some(min),
        max: Some(max),
        decimals,
    }
}

/// A rubric with the points of the levels of each criterion. Its texts look like Markdown.
fn rubric(is_shown: bool, points: &[&[f64]]) -> Rubric {
    let level = |points: &f64| Level {
        id: Uuid::now_v7(),
        name: format!("на {points} *балла*"),
        description: if *points > 2.0 {
            "Всё верно.\n\n- без ошибок".into()
        } else {
            String::new()
        },
        points: Points::nearest(*points),
    };
    let criterion = |(number, levels): (usize, &&[f64])| Criterion {
        id: Uuid::now_v7(),
        name: format!("{number}. Ясность"),
        description: if number > 0 {
            String::new()
        } else {
            "Понятно ли\nчитателю".into()
        },
        levels: levels.iter().map(level).collect(),
    };
    Rubric {
        is_shown,
        criteria: points.iter().enumerate().map(criterion).collect(),
    }
}

/// The quiz of an assignment with a value in each field.
pub fn assignment() -> Quiz {
    let kind = Kind::HandIn {
        takes_text: true,
        min_words: Some(10),
        max_words: Some(400),
        max_files: 4,
        extensions: vec!["pdf".into(), "zip".into()],
        max_links: 2,
        guide: Some(doc(json!([said("Сверьте с планом")]))),
        rubric: Some(rubric(true, &[&[7.5, 3.0, 0.0], &[4.5, 0.0]])),
    };
    let mut question = Question::new(doc(json!([said("Сдайте отчёт")])), kind);
    question.points = Points::of_parts(120_000);
    question.source = Some(source(100));
    question.explanation = Some(doc(json!([said("Оценивается по критериям")])));
    question.hints = vec![doc(json!([said("Начните с плана")]))];
    Quiz {
        pass_percent: 55,
        max_attempts: Some(4),
        release: Release::Together,
        questions: vec![question],
        ..Quiz::default()
    }
}
