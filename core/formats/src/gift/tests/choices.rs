//! Weights and feedback of the options of choices.

use serde_json::{Value, json};

use super::{course_with, lines, questions, said, single, strip_ids};
use crate::gift::write;
use crate::quiz;

#[test]
fn weights_are_kept_if_they_differ_from_the_usual_ones() {
    let read = |text: &str| {
        let (found, said) = questions(text);
        let options = found[0]["options"].as_array().unwrap();
        let weights: Vec<Value> = options.iter().map(|option| option["weight"].clone()).collect();
        let is_told = said.iter().any(|line| line.contains("weights of single answers"));
        (
            found[0]["type"].as_str().unwrap() == "multiple_choice",
            Value::from(weights),
            is_told,
        )
    };
    let none = Value::Null;
    for (text, expected) in [
        ("Which? {~%50%A ~%50%B ~%-100%C}", (true, json!([50, 50, -100]), false)),
        ("Which? {~%50%A ~%50%B ~C}", (true, json!([50, 50, none]), false)),
        (
            "Which? {~%70%A ~%30%B ~%-12.5%C}",
            (true, json!([70, 30, -12.5]), false),
        ),
        (
            "Which? {~%33.33333%A ~%33.33333%B ~%33.33333%C ~%-50%D}",
            (true, json!([33.33333, 33.33333, 33.33333, -50]), false),
        ),
        (
            "Which? {=A ~%50%B ~%-20%C ~D}",
            (false, json!([none, 50, -20, none]), false),
        ),
        // As without weights.
        (
            "Which? {~%50%A ~%50%B ~%-50%C}",
            (true, json!([none, none, none]), false),
        ),
        (
            "Which? {~%33.333%A ~%33.333%B ~%33.333%C ~%-33.333%D}",
            (true, json!([none, none, none, none]), false),
        ),
        ("Which? {=A ~%-50%B}", (false, json!([none, none]), false)),
        // Moodle would grade these in another way.
        ("Which? {~%70%A ~%50%B ~C}", (true, json!([none, none, none]), true)),
        ("Which? {=A =B ~C}", (true, json!([none, none, none]), true)),
    ] {
        assert_eq!(read(text), expected, "{text}");
    }
}

#[test]
fn weights_round_trip() {
    let quiz = quiz::read(&json!({ "questions": [
        { "type": "single_choice", "prompt": "?", "options": [{ "content": "a", "correct": true }, { "content": "b", "weight": 33.33333 }, { "content": "c", "weight": -5 }] },
        { "type": "multiple_choice", "prompt": "?", "options": [{ "content": "a", "correct": true, "weight": 80 }, { "content": "b", "correct": true, "weight": 20 }, { "content": "c" }] },
    ] }))
    .unwrap();
    let (text, report) = write(&course_with(quiz.clone()));
    assert_eq!(lines(&report), Vec::<String>::new());
    let mut before = serde_json::to_value(&quiz.questions).unwrap();
    strip_ids(&mut before);
    let (back, said) = questions(&text);
    assert_eq!((Value::from(back), said), (before, vec![]), "{text}");
    // Moodle requires the positive weights of a question to sum to 100.
    let quiz = quiz::read(&json!({ "questions": [
        { "type": "multiple_choice", "prompt": "?", "options": [{ "content": "a", "correct": true, "weight": 30 }, { "content": "b", "correct": true, "weight": 10 }, { "content": "c", "weight": -60 }] },
        { "type": "multiple_choice", "prompt": "?", "all_or_nothing": true, "options": [{ "content": "a", "correct": true }, { "content": "b" }] },
    ] }))
    .unwrap();
    let (text, report) = write(&course_with(quiz));
    assert!(text.contains("{ ~%75%a ~%25%b ~%-100%c}"), "{text}");
    let said = lines(&report);
    assert!(said.len() == 1 && said[0].contains("all or nothing"), "{said:?}");
}

#[test]
fn comments_of_a_true_or_false_question_are_those_of_its_options() {
    let made = single("The sun is a star. {TRUE#It is one.#Indeed.####See the book.}");
    assert_eq!(
        made["options"],
        json!([said("True", true, "Indeed."), said("False", false, "It is one.")])
    );
    assert_eq!(made["explanation"], "See the book.");
}

#[test]
fn feedback_of_single_answers_is_reported_only_without_options() {
    let told = |text: &str| {
        questions(text)
            .1
            .iter()
            .any(|line| line.contains("feedback for single answers"))
    };
    assert!(!told("Which? {=a#yes ~b#no}") && !told("Which? {~%50%a#yes ~%50%b ~c#no}"));
    assert!(told("How many? {#3#yes}") && told("It is {=a#yes ~b#no}, I say."));
}

#[test]
fn empty_comments_are_dropped() {
    let made = single("Which? {=Server#[html] ~Client#}");
    assert_eq!(made["explanation"], Value::Null);
    assert!(made["options"][0].get("feedback").is_none() && made["options"][1].get("feedback").is_none());
}

#[test]
fn a_multiple_choice_with_one_right_option_stays_one() {
    let made = single("Which? {~%100%a ~%-100%b}");
    assert_eq!(made["type"], "multiple_choice");
    assert_eq!(single("Which? {=a ~%50%b ~c}")["type"], "single_choice");
}
