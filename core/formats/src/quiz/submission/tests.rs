use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::quiz::alias::{QuizKey, Side};
use crate::quiz::answers::{FileLocation, Given};
use crate::quiz::model::Kind;
use crate::quiz::samples;
use kurso_base::error::Error;

fn key() -> QuizKey {
    QuizKey::new(b"0123456789abcdef0123456789abcdef").unwrap()
}

const LEARNER: Uuid = Uuid::from_u128(7);

/// The files that the learner has uploaded: 1 to 4, each a PDF but the last.
fn uploaded() -> AnswerFiles {
    let file = |n: u128| AnswerFile {
        id: Uuid::from_u128(n),
        filename: if n == 4 { "photo.HEIC" } else { "Report.PDF" }.into(),
        content_type: "application/octet-stream".into(),
        size: 1,
        location: FileLocation::Key("0".repeat(32)),
    };
    (1..=4).map(|n| (Uuid::from_u128(n), file(n))).collect()
}

/// The errors of answers to a quiz of one question, as `kind at loc`, the loc from the first answer on.
fn errors(question: Value, answer: impl Fn(&Question, &Aliases<'_>) -> Value) -> Vec<String> {
    let mut question = question;
    question["prompt"] = json!("?");
    let quiz = crate::quiz::read(&json!({ "questions": [question] })).unwrap();
    let key = key();
    let aliases = key.aliases(LEARNER);
    let mut answer = answer(&quiz.questions[0], &aliases);
    if answer.get("question_id").is_none() {
        answer["question_id"] = json!(quiz.questions[0].id);
    }
    let body = json!({ "answers": [answer] });
    match Submission::read(&body).and_then(|submission| submission.answers(&quiz, &aliases, &uploaded())) {
        Ok(_) => vec![],
        Err(Error::Invalid(errors)) => errors
            .iter()
            .map(|error| {
                assert_eq!(error.loc[..3], At::BODY.name("answers").index(0).loc());
                let loc = serde_json::to_string(&error.loc[3..]).unwrap();
                format!("{} {}", error.kind, loc.replace('"', ""))
            })
            .collect(),
        Err(other) => panic!("{other}"),
    }
}

proptest! {
    /// What a learner sends in aliases is read as the quiz's own ids, and shown back as it was sent.
    #[test]
    fn aliases_in_answers_round_trip(quiz in samples::quiz(), bits in vec(any::<u8>(), 1..60)) {
        let key = key();
        let aliases = key.aliases(LEARNER);
        let answers: Vec<Answer> = samples::some_answers(&quiz, &bits)
            .into_iter()
            .map(|a| Answer { given: a.given.clone().with_aliases(&aliases, a.question_id), ..a })
            .collect();
        let body = json!({ "answers": answers.iter().map(samples::sent).collect::<Vec<_>>() });
        let read = Submission::read(&body).unwrap().answers(&quiz, &aliases, &samples::files(&answers)).unwrap();
        let back: Vec<Answer> = read
            .iter()
            .cloned()
            .map(|a| Answer { given: a.given.with_aliases(&aliases, a.question_id), ..a })
            .collect();
        prop_assert_eq!(back, answers);
        prop_assert_eq!(read, samples::some_answers(&quiz, &bits));
    }

    #[test]
    fn another_learners_aliases_and_the_quizzes_own_ids_are_unknown(quiz in samples::quiz()) {
        let key = key();
        let aliases = key.aliases(LEARNER);
        for answer in samples::right_answers(&quiz) {
            let hidden = matches!(answer.given, Given::Pairs(_) | Given::Order(_));
            let others = answer.given.clone().with_aliases(&key.aliases(Uuid::from_u128(8)), answer.question_id);
            for given in [answer.given, others] {
                let answer = Answer { given, ..answer };
                let body = json!({"answers": [samples::sent(&answer)]});
                let read = Submission::read(&body).unwrap().answers(&quiz, &aliases, &samples::files(&[answer]));
                prop_assert_eq!(read.is_err(), hidden);
            }
        }
    }

    #[test]
    fn never_panics_on_any_json(answers in vec(json(), 0..4)) {
        let quiz = crate::quiz::read(&json!({"questions": [
            {"id": Uuid::from_u128(1), "type": "matching", "prompt": "?", "pairs": [{"left": "a", "right": "b"}]},
            {"id": Uuid::from_u128(2), "type": "fill_blank", "prompt": "?", "blanks": [{"accepted": ["a"]}]},
        ]}))
        .unwrap();
        let key = key();
        let body = json!({ "answers": answers });
        if let Ok(submission) = Submission::read(&body) {
            let _ = submission.answers(&quiz, &key.aliases(LEARNER), &uploaded());
        }
    }
}

fn json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,9}".prop_map(Value::from),
        Just(json!(Uuid::from_u128(1))),
        Just(json!(Uuid::from_u128(2))),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        let name = prop::sample::select(vec![
            "question_id",
            "pairs",
            "blanks",
            "left_id",
            "right_id",
            "blank_id",
            "text",
            "order",
        ]);
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            vec((name, inner), 0..6).prop_map(|fields| fields.into_iter().map(|(k, v)| (k.to_owned(), v)).collect()),
        ]
    })
}

#[test]
fn answers_of_the_wrong_form_are_refused() {
    let choice = json!({"type": "single_choice", "options": [{"content": "a", "correct": true}, {"content": "b"}]});
    let option = |question: &Question, i: usize| match &question.kind {
        Kind::SingleChoice { options } | Kind::MultipleChoice { options, .. } => json!(options[i].id),
        _ => panic!(),
    };
    let unknown = Uuid::now_v7();
    assert_eq!(
        errors(choice.clone(), |q, _| json!({"option_ids": [option(q, 1)]})),
        Vec::<String>::new()
    );
    assert_eq!(
        errors(choice.clone(), |_, _| json!({"option_ids": null, "text": null})),
        Vec::<String>::new()
    );
    assert_eq!(errors(choice.clone(), |_, _| json!({})), Vec::<String>::new());
    assert_eq!(
        errors(
            choice.clone(),
            |q, _| json!({"option_ids": [option(q, 0), option(q, 1)]})
        ),
        ["too_long [option_ids]"]
    );
    assert_eq!(
        errors(
            choice.clone(),
            |q, _| json!({"option_ids": [option(q, 0), option(q, 0)]})
        ),
        ["value_error [option_ids,1]", "too_long [option_ids]"]
    );
    assert_eq!(
        errors(choice.clone(), |_, _| json!({"option_ids": [unknown]})),
        ["unknown_id [option_ids,0]"]
    );
    assert_eq!(
        errors(choice.clone(), |_, _| json!({"option_ids": ["x"]})),
        ["uuid_parsing [option_ids,0]"]
    );
    assert_eq!(
        errors(choice.clone(), |q, _| json!({"option_ids": option(q, 0)})),
        ["list_type [option_ids]"]
    );
    assert_eq!(
        errors(choice.clone(), |_, _| json!({"text": "a"})),
        ["wrong_answer_type [text]"]
    );
    assert_eq!(
        errors(choice.clone(), |_, _| json!({"question_id": unknown})),
        ["unknown_question [question_id]"]
    );
    assert_eq!(
        errors(choice, |_, _| json!({"question_id": 1})),
        ["string_type [question_id]"]
    );

    let number = json!({"type": "numeric", "value": 1});
    for good in [json!(1), json!(1.5), json!("1,5"), json!(" "), json!(null)] {
        assert_eq!(
            errors(number.clone(), |_, _| json!({ "number": good })),
            Vec::<String>::new(),
            "{good}"
        );
    }
    assert_eq!(
        errors(number.clone(), |_, _| json!({"number": "one"})),
        ["float_parsing [number]"]
    );
    assert_eq!(errors(number, |_, _| json!({"number": true})), ["string_type [number]"]);
    let text = json!({"type": "short_text", "accepted": ["a"]});
    assert_eq!(errors(text.clone(), |_, _| json!({"text": 1})), ["string_type [text]"]);
    assert_eq!(
        errors(text, |_, _| json!({"text": "x".repeat(1001)})),
        ["string_too_long [text]"]
    );

    let pairs = json!({"type": "matching", "pairs": [{"left": "a", "right": "b"}, {"left": "c", "right": "d"}]});
    let side = |question: &Question, aliases: &Aliases<'_>, i: usize, side: Side| match &question.kind {
        Kind::Matching { pairs } => json!(aliases.alias(question.id, pairs[i].id, side)),
        _ => panic!(),
    };
    let pair = |q: &Question, aliases: &Aliases<'_>, left: usize, right: usize| json!({"left_id": side(q, aliases, left, Side::Left), "right_id": side(q, aliases, right, Side::Right)});
    assert_eq!(
        errors(
            pairs.clone(),
            |q, v| json!({"pairs": [pair(q, v, 0, 0), pair(q, v, 1, 0)]})
        ),
        Vec::<String>::new()
    );
    assert_eq!(
        errors(
            pairs.clone(),
            |q, v| json!({"pairs": [pair(q, v, 0, 0), pair(q, v, 0, 1)]})
        ),
        ["value_error [pairs,1,left_id]"]
    );
    assert_eq!(
        errors(
            pairs.clone(),
            |q, v| json!({"pairs": [{"left_id": side(q, v, 0, Side::Right), "right_id": side(q, v, 0, Side::Left)}]})
        ),
        ["unknown_id [pairs,0,left_id]", "unknown_id [pairs,0,right_id]"]
    );
    assert_eq!(
        errors(pairs, |_, _| json!({"pairs": [{}]})),
        ["missing [pairs,0,left_id]", "missing [pairs,0,right_id]"]
    );

    let blanks = json!({"type": "fill_blank", "blanks": [
        {"id": Uuid::from_u128(1), "accepted": ["a"]},
        {"id": Uuid::from_u128(2), "options": [{"id": Uuid::from_u128(3), "content": "a", "correct": true}]},
    ]});
    for (fields, expected) in [
        (
            json!([{"blank_id": Uuid::from_u128(1), "text": "a"}, {"blank_id": Uuid::from_u128(2), "option_id": Uuid::from_u128(3)}]),
            vec![],
        ),
        (json!([{"blank_id": Uuid::from_u128(1)}]), vec![]),
        (
            json!([{"blank_id": Uuid::from_u128(1), "option_id": Uuid::from_u128(3)}]),
            vec!["wrong_answer_type [blanks,0,option_id]"],
        ),
        (
            json!([{"blank_id": Uuid::from_u128(2), "text": "a"}]),
            vec!["wrong_answer_type [blanks,0,text]"],
        ),
        (
            json!([{"blank_id": Uuid::from_u128(2), "option_id": unknown}]),
            vec!["unknown_id [blanks,0,option_id]"],
        ),
        (
            json!([{"blank_id": unknown, "text": "a"}]),
            vec!["unknown_id [blanks,0,blank_id]"],
        ),
        (
            json!([{"blank_id": Uuid::from_u128(1), "text": "a"}, {"blank_id": Uuid::from_u128(1), "text": "b"}]),
            vec!["value_error [blanks,1,blank_id]"],
        ),
    ] {
        assert_eq!(
            errors(blanks.clone(), |_, _| json!({ "blanks": fields })),
            expected,
            "{fields}"
        );
    }
}

#[test]
fn files_of_an_answer_are_checked() {
    let ids = |ids: &[u128]| json!({"file_ids": ids.iter().map(|id| Uuid::from_u128(*id)).collect::<Vec<_>>()});
    let question = json!({"type": "file_upload", "max_files": 3, "extensions": [".PDF", "docx"]});
    for (answer, expected) in [
        (ids(&[1, 2, 3]), vec![]),
        (ids(&[]), vec![]),
        (ids(&[1, 2, 3, 4]), vec!["too_long [file_ids]"]),
        (ids(&[1, 1]), vec!["value_error [file_ids,1]"]),
        (ids(&[9]), vec!["unknown_id [file_ids,0]"]),
        (ids(&[1, 4]), vec!["value_error [file_ids,1]"]),
        (json!({"file_ids": ["x"]}), vec!["uuid_parsing [file_ids,0]"]),
        (json!({"content": "text"}), vec!["wrong_answer_type [content]"]),
    ] {
        assert_eq!(errors(question.clone(), |_, _| answer.clone()), expected, "{answer}");
    }
    // A question without extensions accepts any file.
    let any = json!({"type": "file_upload", "max_files": 2});
    assert_eq!(errors(any, |_, _| ids(&[1, 4])), [""; 0]);
}

#[test]
fn a_second_answer_to_a_question_is_refused() {
    let quiz = crate::quiz::read(&json!({"questions": [{"type": "numeric", "prompt": "?", "value": 1}]})).unwrap();
    let answer = json!({"question_id": quiz.questions[0].id, "number": 1});
    let body = json!({ "answers": [answer, answer] });
    let key = key();
    let refused = Submission::read(&body)
        .unwrap()
        .answers(&quiz, &key.aliases(LEARNER), &uploaded());
    let Err(Error::Invalid(errors)) = refused else {
        panic!("{refused:?}")
    };
    assert_eq!((errors.len(), errors[0].kind), (1, "answered_twice"));
}

#[test]
fn a_body_is_an_object_with_answers() {
    for (body, kind) in [
        (json!(null), "model_attributes_type"),
        (json!([]), "model_attributes_type"),
        (json!({}), "missing"),
        (json!({"answers": {}}), "list_type"),
        (json!({"answers": [], "submission_id": "x"}), "uuid_parsing"),
        (json!({"answers": [], "version": "1"}), "int_type"),
        (json!({"answers": vec![1; 501]}), "too_long"),
    ] {
        let refused = Submission::read(&body);
        let Err(Error::Invalid(errors)) = refused else {
            panic!("{refused:?}")
        };
        assert_eq!(errors[0].kind, kind, "{body}");
    }
}
