//! Containers that select some of their components become question banks with draws where that is possible.

use std::path::Path;

use kurso_formats::CourseDraft;
use kurso_formats::quiz::{Kind, Points};
use tempfile::TempDir;

use super::course::lay_out;
use super::{lines, page, read_at, text};

/// Returns a problem with one response that is worth `weight` points.
fn problem(name: &str, weight: &str) -> String {
    format!(
        r#"<problem display_name="{name}" weight="{weight}" max_attempts="2"><p>Столица?</p><stringresponse answer="{name}"><textline/></stringresponse></problem>"#
    )
}

/// A course whose only unit has `container`.
fn read_unit(dir: &Path, container: &str) -> (CourseDraft, Vec<String>) {
    let course = format!(
        r#"<course url_name="1" org="O" course="C" display_name="Курс" language="ru"><chapter display_name="Глава"><sequential display_name="Урок"><vertical display_name="Тест">{container}</vertical></sequential></chapter></course>"#
    );
    lay_out(dir, &[("course.xml", course.as_str())]);
    let (course, report) = read_at(dir);
    (course, lines(&report))
}

fn bank_of(attributes: &str, inside: &str) -> (CourseDraft, Vec<String>) {
    let dir = TempDir::new().unwrap();
    read_unit(
        dir.path(),
        &format!("<itembank display_name=\"Города\" {attributes}>{inside}</itembank>"),
    )
}

fn three() -> String {
    [("Омск", "2"), ("Томск", "2"), ("Курск", "2")]
        .map(|(name, weight)| problem(name, weight))
        .concat()
}

#[test]
fn an_item_bank_of_questions_becomes_a_bank_with_a_draw() {
    let (course, told) = bank_of(r#"max_count="2""#, &three());
    let quiz = page(&course, "Тест").quiz.clone().unwrap();
    let [draw] = quiz.questions.as_slice() else {
        panic!("{:?}", quiz.questions)
    };
    let [bank] = course.banks.as_slice() else {
        panic!("{:?}", course.banks)
    };
    assert!(matches!(draw.kind, Kind::Draw { bank_id, count: 2, .. } if bank_id == bank.id));
    assert_eq!((draw.points, quiz.max_attempts), (Points::nearest(2.0), Some(2)));
    assert_eq!(bank.title, "Города");
    let words: Vec<String> = bank
        .questions
        .iter()
        .map(|one| text(&one.question.as_question().prompt))
        .collect();
    assert_eq!(words.len(), 3);
    assert!(
        words
            .iter()
            .zip(["Омск", "Томск", "Курск"])
            .all(|(text, name)| text.contains(name)),
        "{words:?}"
    );
    let line = "carried course.xml: itembank, 2 of 3: its questions are in the question bank \"Города\", from which each attempt draws";
    assert!(told.iter().any(|one| one == line), "{told:#?}");
}

#[test]
fn an_item_bank_draws_one_question_unless_it_says_otherwise() {
    let (course, _) = bank_of("", &three());
    let quiz = page(&course, "Тест").quiz.clone().unwrap();
    assert!(matches!(quiz.questions.as_slice(), [draw] if draw.kind.count() == 1));
}

#[test]
fn the_same_item_bank_has_the_same_key_each_time() {
    let key = |course: &CourseDraft| course.banks.first().unwrap().key;
    let (first, second) = (bank_of("", &three()).0, bank_of("", &three()).0);
    assert_eq!(key(&first), key(&second));
    let (other, _) = bank_of(r#"url_name="x""#, &three());
    assert_ne!(key(&first), key(&other));
}

#[test]
fn different_weights_in_an_item_bank_are_reported() {
    let (course, told) = bank_of("", &[problem("Омск", "1"), problem("Томск", "3")].concat());
    let quiz = page(&course, "Тест").quiz.clone().unwrap();
    assert_eq!(quiz.questions.first().unwrap().points, Points::ONE);
    assert!(
        told.iter()
            .any(|line| line.contains("each question drawn gives the points of the first one")),
        "{told:#?}"
    );
}

#[test]
fn an_item_bank_that_cannot_be_drawn_from_keeps_all_its_components() {
    let missing = r#"<problem url_name="nowhere"/>"#;
    let mixed = format!("{}<html>Подсказка</html>", three());
    let broken = format!("{}{missing}", three());
    for (attributes, inside, questions) in [
        (r#"max_count="-1""#, three(), 3),
        (r#"max_count="3""#, three(), 3),
        (r#"max_count="two""#, three(), 3),
        ("", mixed, 3),
        ("", broken, 3),
    ] {
        let (course, told) = bank_of(attributes, &inside);
        assert!(course.banks.is_empty(), "{attributes}");
        let asked: usize = course
            .pages()
            .filter_map(|page| page.quiz.as_ref())
            .map(|quiz| quiz.question_count())
            .sum();
        assert_eq!(asked, questions, "{attributes} {told:#?}");
        assert!(
            told.iter()
                .any(|line| line.contains("itembank: selection of components")),
            "{told:#?}"
        );
    }
}

#[test]
fn questions_of_an_item_bank_do_not_link_to_pages() {
    let linked = r#"<problem><p>См. <a href="/jump_to_id/other">урок</a> и <a href="https://example.com/">сайт</a></p><stringresponse answer="да"><textline/></stringresponse></problem>"#;
    let (course, told) = bank_of("", &format!("{linked}{}", problem("Омск", "1")));
    let bank = course.banks.first().unwrap();
    let prompt = bank
        .questions
        .first()
        .unwrap()
        .question
        .as_question()
        .prompt
        .to_string();
    assert!(
        prompt.contains("https://example.com/") && !prompt.contains("page:"),
        "{prompt}"
    );
    assert!(told.iter().any(|line| line.contains("/jump_to_id/other")), "{told:#?}");
}
