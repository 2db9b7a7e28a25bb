use proptest::prelude::*;

use super::*;
use crate::quiz::model::Filling;
use crate::quiz::{MAX_PATTERNS, samples};
use kurso_base::error::{Error, Loc};
use kurso_base::messages::Lang;

/// The errors of a quiz as `kind at loc`, the loc from the quiz on.
fn errors(quiz: Value) -> Vec<String> {
    match read(&quiz) {
        Ok(quiz) => panic!("{quiz:?}"),
        Err(Error::Invalid(errors)) => errors
            .iter()
            .map(|error| {
                assert_eq!(error.loc[..2], [Loc::from("body"), Loc::from("quiz")]);
                let loc = serde_json::to_string(&error.loc[2..]).unwrap();
                format!("{} {}", error.kind, loc.replace('"', ""))
            })
            .collect(),
        Err(other) => panic!("{other}"),
    }
}

fn one(question: Value) -> Value {
    let mut question = question;
    if question.get("prompt").is_none() {
        question["prompt"] = json!("?");
    }
    json!({ "questions": [question] })
}

#[test]
fn missing_fields_get_defaults() {
    let quiz = read(&json!({"questions": [{"type": "short_text", "prompt": "Как?", "unknown": 1}]})).unwrap();
    assert_eq!(
        quiz,
        Quiz {
            questions: quiz.questions.clone(),
            ..Quiz::default()
        }
    );
    assert_eq!(
        (quiz.pass_percent, quiz.max_attempts, quiz.reveal),
        (70, None, Reveal::AfterPass)
    );
    let question = serde_json::to_value(&quiz.questions[0]).unwrap();
    let id = question["id"].as_str().unwrap();
    assert_eq!(Uuid::parse_str(id).unwrap().get_version_num(), 7);
    assert_eq!(
        question,
        json!({
            "id": id, "type": "short_text", "points": 1, "explanation": null, "accepted": [], "case_sensitive": false, "regex": null,
            "prompt": {"type": "doc", "content": [{"type": "paragraph", "content": [{"type": "text", "text": "Как?"}]}]},
        })
    );
    assert_eq!(read(&Value::Null).unwrap(), Quiz::default());
    assert_eq!(read(&json!({})).unwrap(), Quiz::default());
}

#[test]
fn ids_are_kept_and_repeated_ones_refused() {
    let id = "01890000-0000-7000-8000-00000000000A";
    let question =
        json!({"id": id, "type": "ordering", "prompt": "?", "items": [{"id": id, "content": "a"}, {"content": "b"}]});
    let quiz = read(&json!({ "questions": [question] })).unwrap();
    assert_eq!(quiz.questions[0].id, Uuid::parse_str(id).unwrap());
    let mut twice = json!({ "questions": [question.clone(), question] });
    twice["questions"][1]["items"][1]["id"] = json!(id);
    assert_eq!(
        errors(twice),
        ["value_error [questions,1,id]", "value_error [questions,1,items,1,id]"]
    );
}

#[test]
fn generated_ids_do_not_reveal_the_order_of_options() {
    let contents: Vec<_> = (0..40).map(|i| json!({"content": i.to_string()})).collect();
    let quiz = read(&one(json!({"type": "multiple_choice", "options": contents}))).unwrap();
    let Kind::MultipleChoice { options, .. } = &quiz.questions[0].kind else {
        panic!()
    };
    assert!(!options.is_sorted_by_key(|option| option.id));
}

#[test]
fn only_options_of_a_choice_have_feedback() {
    let options = json!([
        {"content": "a", "correct": true, "feedback": "Да"}, {"content": "b", "feedback": " \n "}, {"content": "c", "feedback": null},
    ]);
    let blank = "01890000-0000-7000-8000-00000000000a";
    let text = json!({"type": "doc", "content": [{"type": "paragraph", "content": [{"type": "blank", "attrs": {"blank_id": blank}}]}]});
    let quiz = read(&json!({"questions": [
        {"type": "single_choice", "prompt": "?", "options": options},
        {"type": "multiple_choice", "prompt": "?", "options": options},
        {"type": "fill_blank", "text": text, "blanks": [{"id": blank, "options": options}]},
    ]}))
    .unwrap();
    let said = |options: &[Choice]| -> Vec<Option<String>> {
        let feedback = options.iter().map(|option| option.feedback.as_ref());
        feedback.map(|document| document.map(content::text)).collect()
    };
    for question in &quiz.questions {
        match &question.kind {
            Kind::SingleChoice { options } | Kind::MultipleChoice { options, .. } => {
                assert_eq!(
                    said(options),
                    [Some("Да".to_owned()), None, None],
                    "a text of spaces is none"
                );
            }
            Kind::FillBlank { blanks, .. } => {
                let Filling::Options(options) = &blanks[0].filling else {
                    panic!("{blanks:?}")
                };
                assert_eq!(said(options), [None, None, None]);
            }
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(Quiz::from_text(&quiz.to_text().unwrap()).unwrap(), quiz);
    let json = quiz.to_json().unwrap();
    assert!(json["questions"][0]["options"][1].get("feedback").is_none(), "{json}");

    let broken =
        one(json!({"type": "single_choice", "options": [{"content": "a", "feedback": {"type": "paragraph"}}]}));
    assert_eq!(errors(broken).len(), 1);
}

#[test]
fn a_quiz_has_the_files_of_feedback() {
    let key = "0123456789abcdef0123456789abcdef";
    let image = json!({"type": "image", "attrs": {"src": format!("/files/{key}/map.png"), "alt": "карта"}});
    let feedback = json!({"type": "doc", "content": [image]});
    let quiz = read(&one(
        json!({"type": "single_choice", "options": [{"content": "a", "feedback": feedback}]}),
    ))
    .unwrap();
    assert_eq!(quiz.files().into_iter().collect::<Vec<_>>(), [key]);
}

#[test]
fn line_breaks_of_a_string_are_kept() {
    assert_eq!(content::text(&paragraph("a\r\nb")), "a\nb");
    assert_eq!(paragraph(""), content::empty());
    assert!(content::validate(&paragraph("\n\n")).is_ok());
}

#[test]
fn blanks_are_normalised_to_nodes() {
    let id = "01890000-0000-7000-8000-00000000000A";
    let text = json!({"type": "doc", "content": [{"type": "paragraph", "content": [{"type": "blank", "attrs": {"blank_id": id}}]}]});
    let quiz =
        read(&json!({"questions": [{"type": "fill_blank", "text": text, "blanks": [{"id": id, "accepted": ["a"]}]}]}))
            .unwrap();
    assert!(quiz.to_text().unwrap().matches(&id.to_lowercase()).count() == 2);
    // Elsewhere a blank is no node of a document.
    assert_eq!(errors(one(json!({"type": "numeric", "prompt": text}))).len(), 1);
}

#[test]
fn errors_have_a_location_and_a_kind() {
    for (quiz, expected) in [
        (json!([]), vec!["model_attributes_type []"]),
        (json!({"questions": 1}), vec!["list_type [questions]"]),
        (
            json!({"pass_percent": 101, "max_attempts": 0, "shuffle_options": "yes", "reveal": "soon"}),
            vec![
                "value_error [pass_percent]",
                "value_error [max_attempts]",
                "bool_type [shuffle_options]",
                "literal_error [reveal]",
            ],
        ),
        (json!({"pass_percent": 1.5}), vec!["int_from_float [pass_percent]"]),
        (
            json!({"questions": [1, {}]}),
            vec![
                "model_attributes_type [questions,0]",
                "missing [questions,1,type]",
                "missing [questions,1,prompt]",
            ],
        ),
        (one(json!({"type": "poem"})), vec!["literal_error [questions,0,type]"]),
        (
            one(json!({"type": "numeric", "points": -1})),
            vec!["value_error [questions,0,points]"],
        ),
        (
            one(json!({"type": "numeric", "points": 0.00001})),
            vec!["value_error [questions,0,points]"],
        ),
        (
            one(json!({"type": "numeric", "value": "1", "tolerance": -1})),
            vec![
                "float_type [questions,0,value]",
                "greater_than_equal [questions,0,tolerance]",
            ],
        ),
        (
            one(json!({"type": "numeric", "tolerance": 1, "tolerance_percent": 1})),
            vec!["value_error [questions,0,tolerance_percent]"],
        ),
        (
            one(json!({"type": "short_text", "accepted": ["a", 1, "x".repeat(1001)]})),
            vec![
                "string_type [questions,0,accepted,1]",
                "string_too_long [questions,0,accepted,2]",
            ],
        ),
        (
            one(json!({"type": "short_text", "regex": "("})),
            vec!["value_error [questions,0,regex]"],
        ),
        (
            one(json!({"type": "short_text", "regex": "\\w{900}{900}"})),
            vec!["value_error [questions,0,regex]"],
        ),
        (
            one(
                json!({"type": "single_choice", "options": [{"content": {"type": "doc", "content": [{"type": "script"}]}}]}),
            ),
            vec!["content_unknown_node [questions,0,options,0,content,content,0,type]"],
        ),
        (
            one(json!({"type": "matching", "pairs": [{"left": "a"}]})),
            vec!["missing [questions,0,pairs,0,right]"],
        ),
        (
            one(json!({"type": "fill_blank", "blanks": [{"accepted": [], "options": []}]})),
            vec!["value_error [questions,0,blanks,0,options]"],
        ),
        (
            one(json!({"type": "ordering", "items": vec![json!({"content": "a"}); 101]})),
            vec!["too_long [questions,0,items]"],
        ),
        (
            one(json!({"type": "essay", "min_words": 20_001, "max_words": 0, "guide": 1})),
            vec![
                "value_error [questions,0,min_words]",
                "value_error [questions,0,max_words]",
                "content_not_a_document [questions,0,guide]",
            ],
        ),
        (
            one(json!({"type": "file_upload", "max_files": 21, "extensions": ["pdf", "tar.gz", "", 1], "guide": 1})),
            vec![
                "value_error [questions,0,max_files]",
                "value_error [questions,0,extensions,1]",
                "value_error [questions,0,extensions,2]",
                "string_type [questions,0,extensions,3]",
                "content_not_a_document [questions,0,guide]",
            ],
        ),
        (
            one(
                json!({"type": "hand_in", "takes_text": 1, "max_files": 21, "max_links": -1, "extensions": ["tar.gz"], "min_words": 5, "max_words": 4}),
            ),
            vec![
                "bool_type [questions,0,takes_text]",
                "value_error [questions,0,max_files]",
                "value_error [questions,0,extensions,0]",
                "value_error [questions,0,max_links]",
                "value_error [questions,0,max_words]",
            ],
        ),
        (
            one(json!({"type": "essay", "min_words": 5, "max_words": 4})),
            vec!["value_error [questions,0,max_words]"],
        ),
        (json!({"questions": vec![json!({}); 501]}), vec!["too_long [questions]"]),
    ] {
        assert_eq!(errors(quiz.clone()), expected, "{quiz}");
    }
}

#[test]
fn the_number_of_patterns_is_limited() {
    let question = json!({"type": "short_text", "prompt": "?", "regex": "a+"});
    assert!(read(&json!({"questions": vec![question.clone(); MAX_PATTERNS]})).is_ok());
    let found = errors(json!({"questions": vec![question; MAX_PATTERNS + 1]}));
    assert_eq!(found, ["value_error [questions,50,regex]"]);
}

#[test]
fn an_oversized_quiz_is_refused_and_the_error_list_is_bounded() {
    let long = "я".repeat(100_000);
    let questions: Vec<_> = (0..11).map(|_| json!({"type": "numeric", "prompt": long})).collect();
    assert_eq!(errors(json!({ "questions": questions })), ["value_error []"]);
    assert_eq!(errors(json!({"questions": vec![json!(1); 500]})).len(), 50);
}

#[test]
fn a_draw_has_a_bank_tags_and_a_count_within_bounds() {
    let bank = "01890000-0000-7000-8000-00000000000a";
    let draw = |fields: Value| {
        let mut draw = json!({"type": "draw", "bank_id": bank});
        draw.as_object_mut()
            .unwrap()
            .extend(fields.as_object().unwrap().clone());
        json!({ "questions": [draw] })
    };
    // A draw has neither the fields of other questions nor a pool, which only the quizzes of attempts have: the reader ignores them.
    let pool = json!([{"version": 1, "question": {"type": "numeric", "prompt": "?"}}]);
    let source = json!({"question_id": bank, "version": 1});
    let whole = json!({"tags": [" a ", "a", "b"], "count": 100, "points": 2, "prompt": "?", "explanation": "!", "source": source, "pool": pool});
    let quiz = read(&draw(whole)).unwrap();
    let stored = &quiz.to_json().unwrap()["questions"][0];
    assert_eq!(
        (&stored["tags"], &stored["count"], &stored["points"]),
        (&json!(["a", "b"]), &json!(100), &json!(2))
    );
    assert_eq!(
        (stored.get("source"), stored.get("pool"), &stored["explanation"]),
        (None, None, &Value::Null)
    );
    assert!(content::is_empty(&stored["prompt"]));
    assert_eq!(quiz.question_count(), 100);
    assert_eq!(read(&draw(json!({}))).unwrap().question_count(), 1);

    let long = "x".repeat(51);
    for (fields, place) in [
        (json!({"bank_id": null}), "bank_id"),
        (json!({"bank_id": "?"}), "bank_id"),
        (json!({"count": 0}), "count"),
        (json!({"count": 101}), "count"),
        (json!({"tags": [" "]}), "tags,0"),
        (json!({"tags": [long]}), "tags,0"),
        (
            json!({"tags": (0..21).map(|n| n.to_string()).collect::<Vec<_>>()}),
            "tags",
        ),
    ] {
        let found = errors(draw(fields));
        assert!(found.len() == 1 && found[0].contains(place), "{found:?}");
    }
    let many = |count: usize| json!({"questions": vec![json!({"type": "draw", "bank_id": bank, "count": count}); 6]});
    assert!(read(&many(83)).is_ok());
    assert!(errors(many(84))[0].contains("questions"));
}

proptest! {
    #[test]
    fn an_authors_quiz_round_trips(quiz in samples::quiz()) {
        prop_assert_eq!(read(&quiz.to_json().unwrap()).unwrap(), quiz);
    }

    #[test]
    fn a_quiz_within_the_limits_is_kept_whole(quiz in samples::quiz()) {
        let mut fitted = quiz.clone();
        prop_assert_eq!(fitted.fit(), vec![]);
        prop_assert_eq!(&fitted, &quiz);
        prop_assert_eq!(quiz.check(), Ok(()));
    }

    #[test]
    fn an_authors_quiz_with_draws_round_trips(quiz in samples::drawing_quiz()) {
        prop_assert_eq!(read(&quiz.to_json().unwrap()).unwrap(), quiz);
    }

    #[test]
    fn documents_lists_every_rich_text(quiz in samples::quiz()) {
        let mut quiz = quiz;
        let count = quiz.documents().len();
        prop_assert_eq!(quiz.documents_mut().len(), count);
        let in_text = quiz.to_text().unwrap().matches(r#""type":"doc""#).count();
        prop_assert_eq!(in_text, count);
    }
}

#[test]
fn all_or_nothing_cannot_be_combined_with_weights() {
    let errors = |question: Value| match read(&json!({ "questions": [question] })) {
        Err(Error::Invalid(errors)) => errors.iter().map(|error| error.message.text(Lang::En)).collect(),
        Err(other) => panic!("{other}"),
        Ok(_) => vec![],
    };
    let question = |all_or_nothing: bool, weight: Value| {
        json!({"type": "multiple_choice", "prompt": "?", "all_or_nothing": all_or_nothing,
            "options": [{"content": "a", "correct": true, "weight": weight}]})
    };
    assert_eq!(errors(question(true, Value::Null)), Vec::<String>::new());
    assert_eq!(errors(question(false, json!(100))), Vec::<String>::new());
    assert_eq!(
        errors(question(true, json!(100))),
        ["A question that is graded all or nothing cannot have weights"]
    );
    for bad in [json!(100.5), json!(0.000_001), json!("50"), json!(true)] {
        assert_eq!(
            errors(question(false, bad)),
            ["A weight is a number from -100 to 100 with at most 5 decimals"]
        );
    }
}

/// Quizzes without these fields are stored as they were before the fields existed.
#[test]
fn scoring_is_stored_only_if_it_is_set() {
    let quiz = read(&json!({"questions": [{"type": "multiple_choice", "prompt": "?", "options": [{"content": "a"}]}]}))
        .unwrap();
    let text = quiz.to_text().unwrap();
    assert!(!text.contains("weight") && !text.contains("all_or_nothing"), "{text}");
    assert_eq!(Quiz::from_text(&text).unwrap(), quiz);
}

#[test]
fn hints_are_few_and_show_something() {
    let hints = |hints: Value| read(&json!({"questions": [{"type": "numeric", "prompt": "?", "hints": hints}]}));
    let kept = |given: Value| hints(given).unwrap().questions.remove(0).hints;
    assert_eq!(kept(json!(["a", " ", "b"])), [paragraph("a"), paragraph("b")]);
    assert_eq!(kept(Value::Null), Vec::<Value>::new());
    assert!(hints(json!(["a", "b", "c", "d", "e"])).is_ok());
    for bad in [json!(["a", "b", "c", "d", "e", "f"]), json!([1]), json!("a")] {
        assert!(matches!(hints(bad), Err(Error::Invalid(_))));
    }
    let plain = hints(json!([])).unwrap().to_text().unwrap();
    assert!(!plain.contains("hints"), "{plain}");
}
