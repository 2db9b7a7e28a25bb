mod choices;
mod open_questions;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::parse::{escaped, items, unescaped};
use super::read::course;
use super::write;
use crate::content;
use crate::quiz::{self, Choice, ChoiceDraft, Kind, Question, Quiz, samples};
use crate::{CourseDraft, LessonDraft, ModuleDraft, PageDraft, Report};
use kurso_base::messages::Lang;

fn lines(report: &Report) -> Vec<String> {
    report
        .entries
        .iter()
        .map(|entry| {
            assert!(!entry.to_line(Lang::Ru).is_empty());
            entry.to_line(Lang::En)
        })
        .collect()
}

/// The questions of a text as JSON without ids, and the lines of the report.
fn questions(text: &str) -> (Vec<Value>, Vec<String>) {
    let (course, report) = course(text, "a.gift", "a", &mut crate::unwatched).unwrap();
    let mut found = Vec::new();
    for page in course.pages() {
        assert_eq!(content::validate(&page.content.read()), Ok(()));
        for question in page.quiz.iter().flat_map(|quiz| &quiz.questions) {
            let mut json = serde_json::to_value(question).unwrap();
            strip_ids(&mut json);
            found.push(json);
        }
    }
    (found, lines(&report))
}

/// Replaces documents by their text and removes ids.
fn strip_ids(value: &mut Value) {
    if value["type"] == "doc" {
        *value = content::text(value).into();
        return;
    }
    match value {
        Value::Object(fields) => {
            fields.remove("id");
            fields.values_mut().for_each(strip_ids);
        }
        Value::Array(list) => list.iter_mut().for_each(strip_ids),
        _ => {}
    }
}

/// An option with feedback.
fn said(words: &str, correct: bool, feedback: &str) -> Value {
    json!({ "content": words, "correct": correct, "feedback": feedback })
}

/// A single question, without default fields.
fn single(text: &str) -> Value {
    let (mut found, _) = questions(text);
    assert_eq!(found.len(), 1, "{text}: {found:?}");
    let mut question = found.remove(0);
    let fields = question.as_object_mut().unwrap();
    fields.remove("points");
    if fields["explanation"].is_null() {
        fields.remove("explanation");
    }
    question
}

#[test]
fn missing_separators_are_recovered() {
    // Missing blank lines and an unclosed brace.
    let (found, told) =
        questions("::A:: a {=1\n~2}\n::B:: b {=3 ~4}\n\n::C:: c {=5\n~6\n\n::D:: d {=7 ~8}\n\nE {=9 ~0\n\nF {=x ~y}");
    let prompts: Vec<_> = found
        .iter()
        .map(|question| question["prompt"].as_str().unwrap())
        .collect();
    assert_eq!(prompts, ["a", "b", "c", "d", "E", "F"], "{found:?}");
    for question in &found {
        assert_eq!(question["options"].as_array().map(Vec::len), Some(2), "{question}");
    }
    let unclosed = told.iter().filter(|line| line.contains("incomplete")).count();
    assert_eq!(unclosed, 2, "{told:?}");
    // A blank line inside braces does not end the question.
    assert_eq!(single("Q {=a\n\n~b}")["options"].as_array().map(Vec::len), Some(2));
}

#[test]
fn text_formats_follow_moodle() {
    let made = single("[html]<p>Ask</p> {=<p>Да</p>#<b>yes</b> ~<p>Нет</p>#no}");
    assert_eq!(
        made["options"],
        json!([said("Да", true, "yes"), said("Нет", false, "no")])
    );
    // In the explanation, feedback is labelled with the text of the answer, without tags.
    let made = single("[html]<p>Ask</p> {=<p>Да</p>#<b>yes</b> =<p>Нет</p>#no}");
    assert_eq!(made["explanation"], "Да:\nyes\nНет:\nno");
    assert_eq!(single("Salt &amp; pepper {T}")["prompt"], "Salt & pepper");
    let (course, _) = course("One <b>line</b>\nand another {T}", "a.gift", "a", &mut crate::unwatched).unwrap();
    let page = course.pages().next().unwrap();
    assert!(
        page.quiz.as_ref().unwrap().questions[0]
            .prompt
            .to_string()
            .contains("hardBreak")
    );
    assert_eq!(single("Snow is white {true}")["options"][0]["correct"], true);
    // Slashes within category names are doubled.
    let (course, _) = super::read::course(
        "$CATEGORY: top/And//or/Not\n\nQ {T}",
        "a.gift",
        "a",
        &mut crate::unwatched,
    )
    .unwrap();
    assert_eq!(course.pages().next().unwrap().title.as_deref(), Some("And/or / Not"));
}

#[test]
fn several_blanks_are_read() {
    assert_eq!(
        single("The {=sun =Sun} rises in the {~west =east}, [0]."),
        json!({ "type": "fill_blank", "prompt": "", "text": "The  rises in the , [0].", "blanks": [
            { "accepted": ["sun", "Sun"] },
            { "options": [{ "content": "west", "correct": false }, { "content": "east", "correct": true }] },
        ] })
    );
}

#[test]
fn repeated_braces_take_bounded_time() {
    let started = std::time::Instant::now();
    let (found, _) = questions(&"{=a}".repeat(200_000));
    assert!(found.len() <= 1 && started.elapsed().as_secs() < 20);
}

#[test]
fn all_question_types_of_the_manual_are_read() {
    let option = |words: &str, correct: bool| json!({ "content": words, "correct": correct });
    let weighted =
        |words: &str, correct: bool, weight: i64| json!({ "content": words, "correct": correct, "weight": weight });
    for (text, expected) in [
        (
            "// a comment\n::Q1:: 1+1\\=2 {T}",
            json!({ "type": "single_choice", "prompt": "1+1=2", "options": [option("True", true), option("False", false)] }),
        ),
        (
            "Снег чёрный{FALSE#Нет#Да}",
            json!({ "type": "single_choice", "prompt": "Снег чёрный", "options": [said("Верно", false, "Нет"), said("Неверно", true, "Да")] }),
        ),
        (
            "::Q2:: What's between orange and green?\n{\n  =yellow # right; good!\n  ~red # wrong, it's yellow\n  ~blue\n}",
            json!({
            "type": "single_choice", "prompt": "What's between orange and green?",
            "options": [said("yellow", true, "right; good!"), said("red", false, "wrong, it's yellow"), option("blue", false)] }),
        ),
        (
            "Two plus {=two =2} equals four.",
            json!({ "type": "fill_blank", "prompt": "", "text": "Two plus  equals four.", "blanks": [{ "accepted": ["two", "2"] }] }),
        ),
        (
            "Mahatma was born in {~Paris =India}.",
            json!({ "type": "fill_blank", "prompt": "", "text": "Mahatma was born in .", "blanks": [{ "options": [option("Paris", false), option("India", true)] }] }),
        ),
        (
            "Three plus {#5} equals eight.",
            json!({ "type": "numeric", "prompt": "Three plus _____ equals eight.", "value": 5, "tolerance": 0, "tolerance_percent": null }),
        ),
        (
            "When was Ulysses born? {#1822:5}",
            json!({ "type": "numeric", "prompt": "When was Ulysses born?", "value": 1822, "tolerance": 5, "tolerance_percent": null }),
        ),
        (
            "Pi? {#9.8..9.9}",
            json!({ "type": "numeric", "prompt": "Pi?", "value": 9.85, "tolerance": 0.05, "tolerance_percent": null }),
        ),
        (
            "Which? {\n=subquestion1 -> subanswer1\n=sub2 -> \\~ans2\n}",
            json!({ "type": "matching", "prompt": "Which?",
            "pairs": [{ "left": "subquestion1", "right": "subanswer1" }, { "left": "sub2", "right": "~ans2" }] }),
        ),
        (
            "What two people?{\n~%-100%No one\n~%50%Grant\n~%50%Grant's wife\n~%-100%Grant's father\n}",
            json!({
            "type": "multiple_choice", "prompt": "What two people?",
            "options": [weighted("No one", false, -100), weighted("Grant", true, 50), weighted("Grant's wife", true, 50), weighted("Grant's father", false, -100)] }),
        ),
        (
            "[markdown]Ask **this** {=a ####because \\{x\\}}",
            json!({ "type": "short_text", "prompt": "Ask this", "accepted": ["a"], "case_sensitive": false, "regex": null, "explanation": "because {x}" }),
        ),
        (
            "[html]<p>Ask <b>this</b></p> {=colo*r}",
            json!({ "type": "short_text", "prompt": "Ask this", "accepted": [], "case_sensitive": false, "regex": "colo.*r" }),
        ),
    ] {
        assert_eq!(single(text), expected, "{text}");
    }
}

#[test]
fn unsupported_features_are_reported() {
    let (found, said) = questions(
        "::E::Write an essay. {}\n\nJust words.\n\nHalf? {~%70%a ~%50%b ~c}\n\nWhen? {#=1822:0 =%50%1822:2}\n\n[html]See <img src=\"@@PLUGINFILE@@/a.png\"> {=x}\n\n{=only -> one = -> nothing}\n",
    );
    assert_eq!(found.len(), 5);
    for line in [
        "a.gift:5: weights of single answers",
        "a.gift:7: weights of single answers",
        "a.gift:9: image @@PLUGINFILE@@/a.png",
        "a.gift:11: line \"-> nothing\"",
        "a.gift: question titles: 1",
    ] {
        assert!(
            said.iter().any(|said| said.starts_with(line)),
            "{line} is not in {said:#?}"
        );
    }
    let (course, _) = course(
        "::E::Write an essay. {}\n\nJust words.\n",
        "a.gift",
        "a",
        &mut crate::unwatched,
    )
    .unwrap();
    let page = course.pages().next().unwrap();
    let quiz = page.quiz.as_ref().unwrap();
    assert_eq!(content::text(&page.content.read()), "Just words.");
    assert_eq!(content::text(&quiz.questions[0].prompt), "Write an essay.");
    assert!(quiz.questions[0].kind.is_open());
}

#[test]
fn addresses_of_another_course_are_taken_out() {
    let key = "0123456789abcdef0123456789abcdef";
    let text = format!("[markdown]See [notes](/files/{key}/notes.pdf)\\n\\n![a cat](/files/{key}/cat.png){{=yes}}");
    let (found, said) = questions(&text);
    assert_eq!(found[0]["prompt"], "See notes\na cat");
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(
        said[0].contains("/files/") && said[0].contains("it is not in the file of questions"),
        "{said:?}"
    );
}

#[test]
fn an_export_has_no_addresses_of_the_course() {
    let address = "/files/0123456789abcdef0123456789abcdef/cat.png";
    let image = json!({ "type": "image", "attrs": { "src": address, "alt": "a cat" } });
    let mark = json!({ "type": "link", "attrs": { "href": address } });
    let link = json!({ "type": "paragraph", "content": [{ "type": "text", "text": "this", "marks": [mark] }] });
    let document = || json!({ "type": "doc", "content": [image.clone(), link.clone()] });
    let choices = [true, false].map(|correct| ChoiceDraft {
        feedback: Some(document()),
        ..ChoiceDraft::new(document(), correct)
    });
    let choices = Choice::list(choices.into());
    let mut question = Question::new(document(), Kind::SingleChoice { options: choices });
    question.explanation = Some(document());
    let questions = vec![question];
    let (text, report) = write(&course_with(Quiz {
        questions,
        ..Quiz::default()
    }));
    assert!(!text.contains("/files/"), "{text}");
    assert!(text.contains("a cat") && text.contains("this"));
    assert!(
        lines(&report).iter().any(|line| line.contains("files of the question")),
        "{:?}",
        lines(&report)
    );
}

#[test]
fn an_export_without_questions_says_so() {
    let (text, report) = write(&course_with(Quiz::default()));
    assert_eq!(text, "");
    assert_eq!(
        lines(&report),
        ["GIFT: the course: it has no questions, so the file is empty"]
    );
}

#[test]
fn an_export_of_too_many_questions_for_an_import_says_so() {
    let said = |count: usize| {
        let question = Question::new(quiz::paragraph("?"), Kind::SingleChoice { options: vec![] });
        let questions = vec![question; count];
        let (_, report) = write(&course_with(Quiz {
            questions,
            ..Quiz::default()
        }));
        lines(&report)
            .iter()
            .any(|line| line.contains("the way back: 10001 questions"))
    };
    assert!(said(10_001));
    assert!(!said(10_000));
}

#[test]
fn marks_of_an_accepted_answer_are_no_pattern() {
    let made = single("Type {=[markdown]**bold**}");
    assert_eq!(made["accepted"], json!(["bold"]));
    assert_eq!(made["regex"], Value::Null);
}

#[test]
fn identifiers_and_tags_are_reported() {
    let (_, said) = questions("// [id:7] [tag:easy]\nWhich? {=a ~b}\n\n// a comment\nWhich? {=a ~b}\n");
    assert_eq!(
        said,
        ["a.gift: identifiers and tags of questions: 1: questions have none"]
    );
}

#[test]
fn categories_become_pages() {
    let text = "First {T}\n\n$CATEGORY: $course$/top/Ис/Рим\n\nSecond {=a\n\n~b}\nThird {F}\n\n$CATEGORY: two\nFourth {=a}\n\n$CATEGORY: $course$/Ис/Рим\n\nFifth {=a}\n";
    let (course, report) = course(text, "a.gift", "Вопросы", &mut crate::unwatched).unwrap();
    let pages: Vec<_> = course
        .pages()
        .map(|page| (page.title.clone().unwrap(), page.quiz.as_ref().unwrap().questions.len()))
        .collect();
    assert_eq!(
        pages,
        [("Вопросы".into(), 1), ("Ис / Рим".into(), 2), ("two".into(), 1)]
    );
    assert_eq!((report.counts.questions, report.counts.pages), (4, 3));
}

fn course_with(quiz: Quiz) -> CourseDraft {
    let mut page = PageDraft::new(Some("Тест".into()), content::empty(), "");
    page.quiz = Some(quiz);
    let lesson = LessonDraft::new("Урок", vec![page]);
    CourseDraft::new("Курс", vec![ModuleDraft::new("Модуль", vec![lesson])])
}

#[test]
fn questions_round_trip() {
    let rich = json!({ "type": "doc", "content": [{ "type": "codeBlock", "attrs": { "language": "rust" }, "content": [{ "type": "text", "text": "let x = {\n\n};" }] }] });
    let blank = "01890000-0000-7000-8000-00000000000a";
    let quiz = quiz::read(&json!({ "questions": [
        { "type": "single_choice", "prompt": "2 = 2: {да}?", "options": [{ "content": "да # ~", "correct": true, "feedback": "#=~ {верно}" }, { "content": rich, "feedback": rich }, { "content": "нет" }], "explanation": "вот" },
        { "type": "multiple_choice", "prompt": rich, "options": [{ "content": "a", "correct": true }, { "content": "b", "correct": true, "feedback": "[b]" }, { "content": "c", "correct": true }, { "content": "d", "feedback": "%d%" }] },
        { "type": "short_text", "prompt": "Кто?", "accepted": ["я", "мы = вы", "a*b"] },
        { "type": "numeric", "prompt": "Пи?", "value": 9.81, "tolerance": 0.01 },
        { "type": "matching", "prompt": "Пары", "pairs": [{ "left": "a", "right": "b" }, { "left": "c", "right": "d" }] },
        { "type": "fill_blank", "text": { "type": "doc", "content": [{ "type": "paragraph", "content": [
            { "type": "text", "text": "Это " }, { "type": "blank", "attrs": { "blank_id": blank } }, { "type": "text", "text": " да." }] }] },
          "blanks": [{ "id": blank, "accepted": ["так"] }] },
    ] })).unwrap();
    let (text, report) = write(&course_with(quiz.clone()));
    assert_eq!(lines(&report), Vec::<String>::new());
    let (back, said) = questions(&text);
    assert_eq!(said, Vec::<String>::new(), "{text}");
    let mut before = serde_json::to_value(&quiz.questions).unwrap();
    strip_ids(&mut before);
    assert_eq!(Value::from(back), before, "{text}");
}

proptest! {
    #[test]
    fn escapes_round_trip(text in ".{0,40}") {
        prop_assert_eq!(unescaped(&escaped(&text)), text);
    }

    #[test]
    fn any_quiz_can_be_written(quiz in samples::quiz()) {
        let asked = quiz.questions.len();
        let (text, _) = write(&course_with(quiz));
        let (back, _) = questions(&text);
        prop_assert!(back.len() >= asked, "{}", text);
    }

    #[test]
    fn any_text_is_parsed(text in "([=~#{}%:\\\\*\\[\\]$/. \\n0-9a-c>-]|::|####|\\$CATEGORY:|->|TRUE|\\[html\\]|<p>|\\.\\.){0,80}") {
        let _ = items(&text);
        if let Ok((course, _)) = course(&text, "a", "a", &mut crate::unwatched) {
            for page in course.pages() {
                prop_assert_eq!(content::validate(&page.content.read()), Ok(()));
            }
        }
    }
}

#[test]
fn a_question_counts_once_for_each_blank() {
    let ids = [1, 2, 3].map(|n| format!("01890000-0000-7000-8000-{n:012}"));
    let inline = ids
        .each_ref()
        .map(|id| json!({ "type": "blank", "attrs": { "blank_id": id } }));
    let blanks = ids.each_ref().map(|id| json!({ "id": id, "accepted": ["так"] }));
    let text = json!({ "type": "doc", "content": [{ "type": "paragraph", "content": inline }] });
    let quiz = quiz::read(&json!({ "questions": [
        { "type": "fill_blank", "text": text, "blanks": blanks },
        { "type": "short_text", "prompt": "Кто?", "accepted": ["я"] },
    ] }))
    .unwrap();
    let course = course_with(quiz);
    let (text, _) = write(&course);
    assert_eq!((super::write::count(&course), questions(&text).0.len()), (4, 4));
}
