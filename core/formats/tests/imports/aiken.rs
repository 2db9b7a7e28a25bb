//! Import of questions in Aiken.

use kurso_formats::content;
use kurso_formats::quiz::{Kind, Question};

use super::{import, lines};

const TEXT: &str = "\
Столица России?
A. Тверь
B. Москва
C) Омск
ANSWER: B

Какие числа чётные?
Выберите все.

А) 1
В) 2
С) 4
ANSWER: B, C

A question without an answer
A. Yes
B. No

Is A. an option
A. Yes, over
two lines
B. No
Answer: a
A question whose answer is no option
A. Yes
B. No
ANSWER: Z
";

fn options(question: &Question) -> Vec<(String, bool)> {
    match &question.kind {
        Kind::SingleChoice { options } | Kind::MultipleChoice { options, .. } => options
            .iter()
            .map(|option| (content::text(&option.content), option.correct))
            .collect(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn aiken_text_becomes_questions() {
    let (course, report) = import("Вопросы.txt", TEXT.as_bytes()).unwrap();
    assert_eq!(course.title, "Вопросы");
    let page = course.pages().next().unwrap();
    let questions = &page.quiz.as_ref().unwrap().questions;
    let prompts: Vec<String> = questions
        .iter()
        .map(|question| content::text(&question.prompt))
        .collect();
    assert_eq!(
        prompts,
        [
            "Столица России?",
            "Какие числа чётные?\nВыберите все.",
            "Is A. an option"
        ]
    );
    let owned = |list: &[(&str, bool)]| {
        list.iter()
            .map(|(text, right)| ((*text).to_owned(), *right))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        options(&questions[0]),
        owned(&[("Тверь", false), ("Москва", true), ("Омск", false)])
    );
    assert_eq!(options(&questions[1]), owned(&[("1", false), ("2", true), ("4", true)]));
    assert!(matches!(questions[1].kind, Kind::MultipleChoice { .. }));
    assert_eq!(
        options(&questions[2]),
        owned(&[("Yes, over\ntwo lines", true), ("No", false)])
    );
    assert_eq!(
        lines(&report),
        [
            "not_carried Вопросы.txt:15: a question: it is incomplete or not a valid question",
            "not_carried Вопросы.txt:24: a question: it is incomplete or not a valid question",
        ]
    );
    assert_eq!(report.counts.questions, 3);
}

#[test]
fn gift_text_is_not_taken_for_aiken() {
    let (course, _) = import("a.txt", b"A. Which? {=one ~two}\n\nANSWER: B {=b}\n").unwrap();
    let questions: usize = course
        .pages()
        .filter_map(|page| page.quiz.as_ref())
        .map(|quiz| quiz.questions.len())
        .sum();
    assert_eq!(questions, 2);
}

#[test]
fn a_long_list_of_questions_becomes_several_pages() {
    let text = "Question?\nA. a\nB. b\nANSWER: A\n\n".repeat(501);
    let (course, _) = import("many.txt", text.as_bytes()).unwrap();
    let titles: Vec<_> = course.pages().filter_map(|page| page.title.clone()).collect();
    assert_eq!(titles, ["many", "many (2)"]);
}
