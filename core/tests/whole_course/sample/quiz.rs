//! The sample's quiz.

use kurso_formats::quiz::{Blank, Choice, Filling, Item, Kind, Pair, Points, Question, Quiz, Release, Reveal};
use serde_json::json;
use uuid::Uuid;

use super::{doc, said, text};

/// A quiz with every setting and type of question; `image` is an address, or empty for none.
pub fn quiz(image: &str) -> Quiz {
    let choice = |words: &str, correct| Choice {
        id: Uuid::now_v7(),
        content: doc(json!([said(words)])),
        correct,
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
        Kind::SingleChoice { options: choices() },
        Kind::MultipleChoice {
            options: vec![choice("раз", true), choice("два", true), choice("три", false)],
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
        },
        Kind::Numeric {
            value: Some(100.into()),
            tolerance: 0.into(),
            tolerance_percent: Some(number(2.5)),
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
        },
        Kind::FileUpload {
            max_files: 3,
            extensions: vec!["pdf".into(), "docx".into()],
            guide: Some(doc(json!([said("Проверьте оформление")]))),
        },
        Kind::FileUpload {
            max_files: 1,
            extensions: vec![],
            guide: None,
        },
        Kind::Essay {
            min_words: None,
            max_words: None,
            guide: None,
        },
    ];
    let questions = (1..).zip(kinds).map(|(number, kind)| {
        let mut prompt = vec![said(&format!("Вопрос {number}"))];
        if !image.is_empty() && number == 1 {
            prompt.push(json!({ "type": "image", "attrs": { "src": image } }));
        }
        Question {
            id: Uuid::now_v7(),
            prompt: doc(json!(prompt)),
            points: Points::new(&serde_json::Number::from_f64(f64::from(number) + 0.5).unwrap()).unwrap(),
            explanation: Some(doc(json!([said(&format!("Потому что {number}"))]))),
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
        questions: questions.collect(),
    }
}
