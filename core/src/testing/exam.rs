//! A quiz with all kinds of questions that are answered without a stored file. Its answers contain unique markers, for tests that search
//! for them in what learners receive.
#![allow(clippy::panic)]

use serde_json::{Value, json};
use uuid::Uuid;

use super::{TestKurso, submission};
use crate::access::Viewer;
use crate::attempts::{self, AnswerUpload};
use crate::files::upload::Sink as _;
use kurso_base::ids::{EnrollmentId, PageId};
use kurso_formats::quiz::{LearnerKind, LearnerQuestion, LearnerQuiz, Shown};

/// Markers that learners may see once `reveal` allows it.
pub const REVEALED: &[&str] = &[
    "answer-731973",
    "731973197319",
    "blank-731973",
    "because-731973",
    "73197319-7319-7319-8319-000000000009",
];

/// Markers that no learner may ever see: other accepted answers, patterns, tolerances, weights, ids of pairs and items.
pub const SECRET: &[&str] = &[
    "second-731973",
    "pattern-731973",
    "guide-731973",
    "x_731973",
    "rubric-731973",
    "73197.3",
    "73.19731",
    "73197319-7319-7319-8319-000000000001",
    "73197319-7319-7319-8319-000000000002",
    "73197319-7319-7319-8319-000000000003",
    "73197319-7319-7319-8319-000000000004",
    "73197319-7319-7319-8319-000000000005",
    "73197319-7319-7319-8319-000000000006",
];

/// The numeric question of [`exam`].
pub const NUMBER: Uuid = Uuid::from_u128(0x0198_f000_0000_7000_8000_0000_0000_0004);

/// The essay of [`exam`], and the criterion and the level of its rubric.
pub const ESSAY: Uuid = Uuid::from_u128(0x0198_f000_0000_7000_8000_0000_0000_0008);
pub const CRITERION: Uuid = Uuid::from_u128(0x7319_7319_7319_7319_8319_0000_0000_0007);
pub const LEVEL: Uuid = Uuid::from_u128(0x7319_7319_7319_7319_8319_0000_0000_0008);

/// The quiz as its author's JSON. [`answers`] knows the correct answers.
pub fn exam(reveal: &str) -> Value {
    let id = |n: u8| format!("73197319-7319-7319-8319-00000000000{n}");
    let question = |n: u8| format!("0198f000-0000-7000-8000-00000000000{n:x}");
    let blank = "0198f000-0000-7000-8000-0000000000b1";
    let other = "0198f000-0000-7000-8000-0000000000b2";
    let text = json!({"type": "doc", "content": [{"type": "paragraph", "content": [
        {"type": "blank", "attrs": {"blank_id": blank}}, {"type": "blank", "attrs": {"blank_id": other}},
    ]}]});
    let feedback = "chosen-731973";
    let options = |weight: Option<f64>| {
        json!([
            {"content": "wrong", "feedback": feedback, "weight": -73.19731},
            {"content": "right", "correct": true, "feedback": feedback, "weight": weight},
        ])
    };
    let blank_options = json!([{"content": "wrong"}, {"content": "right", "correct": true}]);
    // Hidden, and without points as its question.
    let rubric = json!({"criteria": [
        {"id": CRITERION, "name": "rubric-731973", "levels": [{"id": LEVEL, "name": "rubric-731973", "points": 0}]},
    ]});
    let picture = json!({"type": "doc", "content": [
        {"type": "image", "attrs": {"src": "/files/0123456789abcdef0123456789abcdef/map.png"}},
    ]});
    let mut questions = json!([
        {"type": "single_choice", "options": options(None)},
        {"type": "multiple_choice", "options": options(Some(73.19731))},
        {"type": "short_text", "accepted": ["answer-731973", "second-731973"], "regex": "pattern-731973"},
        {"type": "numeric", "value": 731_973_197_319_i64, "tolerance": 73197.3},
        {"type": "matching", "pairs": [
            {"id": id(1), "left": "1", "right": "1"}, {"id": id(2), "left": "2", "right": "2"}, {"id": id(3), "left": "3", "right": "3"},
        ]},
        {"type": "ordering", "items": [
            {"id": id(4), "content": "1"}, {"id": id(5), "content": "2"}, {"id": id(6), "content": "3"},
        ]},
        {"type": "fill_blank", "text": text, "blanks": [
            {"id": blank, "accepted": ["blank-731973", "second-731973"]}, {"id": other, "options": blank_options},
        ]},
        // It has no points, so that a perfect attempt passes before a person has graded it.
        {"type": "essay", "points": 0, "guide": "guide-731973", "rubric": rubric},
        {"type": "formula", "prompt": "Question 9 {x_731973}", "expression": "0 * x_731973 + 731973197319", "tolerance": 73197.3,
         "parameters": [{"name": "x_731973", "min": 1, "max": 73_197.319, "decimals": 3}]},
        // It has no points either, so that the sum of those of the other questions is round.
        {"type": "hotspot", "points": 0, "picture": picture, "zones": [
            {"id": id(9), "shape": "rectangle", "x": 20, "y": 20, "width": 20, "height": 20},
            {"shape": "polygon", "corners": [{"x": 60, "y": 60}, {"x": 70, "y": 60}, {"x": 60, "y": 70}]},
        ]},
    ]);
    for (n, entry) in (1..).zip(questions.as_array_mut().into_iter().flatten()) {
        if let Some(entry) = entry.as_object_mut() {
            entry.insert("id".into(), question(n).into());
            entry.entry("prompt").or_insert_with(|| format!("Question {n}").into());
            entry.insert("explanation".into(), "because-731973".into());
        }
    }
    json!({"pass_percent": 100, "reveal": reveal, "questions": questions})
}

/// Answers to every question of [`exam`], all correct or all wrong, without any of the markers.
pub fn answers(quiz: &LearnerQuiz, right: bool) -> Value {
    quiz.questions.iter().map(|question| answer(question, right)).collect()
}

/// Submits wrong answers to [`exam`] with a file for the question that was added at its end.
pub async fn submit(kurso: &TestKurso, viewer: &Viewer, enrollment: EnrollmentId, page: PageId) {
    let shown = attempts::for_learner(kurso, Some(enrollment), &[page]).await.unwrap();
    let quiz = &shown[&page].quiz;
    let mut answers = answers(quiz, false);
    let question = quiz.questions.last().unwrap().id;
    let upload = AnswerUpload::begin(&kurso.kurso, viewer, (page, question), None).await;
    let mut upload = upload.unwrap();
    upload.write("work".into()).await.unwrap();
    let file = upload.finish("work.txt").await.unwrap();
    *answers.as_array_mut().unwrap().last_mut().unwrap() = json!({"question_id": question, "file_ids": [file.id]});
    let body = json!({ "answers": answers });
    attempts::submit(kurso, viewer, page, submission(&body)).await.unwrap();
}

/// An answer to a question of [`exam`], correct or wrong.
pub fn answer(question: &LearnerQuestion, right: bool) -> Value {
    let mut answer = match &question.kind {
        LearnerKind::SingleChoice { options } | LearnerKind::MultipleChoice { options, .. } => {
            json!({"option_ids": [choice(options, right)]})
        }
        LearnerKind::ShortText => json!({"text": if right { "ANSWER-731973" } else { "no idea" }}),
        LearnerKind::Numeric { .. } => json!({"number": if right { "731 973 197 319" } else { "1" }}),
        LearnerKind::Matching { left, right: sides } => {
            let (left, mut sides) = (sorted(left), sorted(sides));
            if !right {
                sides.rotate_left(1);
            }
            let pair = |(left, right): (String, String)| json!({"left_id": left, "right_id": right});
            json!({"pairs": left.into_iter().zip(sides).map(pair).collect::<Vec<_>>()})
        }
        LearnerKind::Ordering { items } => {
            let mut items = sorted(items);
            if !right {
                items.reverse();
            }
            json!({ "order": items })
        }
        LearnerKind::Essay { .. } => json!({"content": if right { "a thorough answer" } else { "no idea" }}),
        LearnerKind::Hotspot { .. } => {
            let x = if right { 30 } else { 90 };
            json!({"places": [{"x": x, "y": 30}]})
        }
        LearnerKind::FileUpload { .. } => json!({"file_ids": []}),
        LearnerKind::HandIn { .. } => json!({"content": "a thorough answer"}),
        LearnerKind::FillBlank { blanks, .. } => {
            let fill = blanks.iter().map(|blank| match &blank.options {
                Some(options) => json!({"blank_id": blank.id, "option_id": choice(options, right)}),
                None => json!({"blank_id": blank.id, "text": if right { "BLANK-731973" } else { "no idea" }}),
            });
            json!({"blanks": fill.collect::<Vec<_>>()})
        }
    };
    if let Some(answer) = answer.as_object_mut() {
        answer.insert("question_id".into(), json!(question.id));
    }
    answer
}

fn choice(options: &[Shown], right: bool) -> String {
    let wanted = if right { "right" } else { "wrong" };
    let found = options
        .iter()
        .find(|option| option.content.to_string().contains(wanted));
    found.map_or_else(|| panic!("no option says {wanted}"), |option| option.id.to_string())
}

/// The ids, sorted by their texts.
fn sorted(shown: &[Shown]) -> Vec<String> {
    let mut list: Vec<_> = shown
        .iter()
        .map(|s| (s.content.to_string(), s.id.to_string()))
        .collect();
    list.sort_unstable();
    list.into_iter().map(|(_, id)| id).collect()
}
