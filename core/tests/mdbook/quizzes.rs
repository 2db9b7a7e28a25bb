//! Quizzes of mdbook-quiz: alone, named in a book, and beside the Russian Rust book. What to expect is written in
//! `../shared/courses/SOURCES.md`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use kurso_core::content;
use kurso_core::exchange::{CourseDraft, Report, mdbook, mdbook_quiz, read, unwatched};
use kurso_core::quiz::{Kind, Question, require_complete};
use tempfile::TempDir;

use crate::{Book, lines};

fn courses() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared/courses")
}

fn questions(course: &CourseDraft) -> Vec<&Question> {
    course
        .pages()
        .flat_map(|page| &page.quiz)
        .flat_map(|quiz| &quiz.questions)
        .collect()
}

/// How many there are of each type, and that each is ready for learners.
fn types(course: &CourseDraft) -> BTreeMap<&'static str, usize> {
    for page in course.pages() {
        if let Some(quiz) = &page.quiz {
            require_complete(quiz).unwrap_or_else(|error| panic!("{}: {error}", page.source));
        }
    }
    let mut found = BTreeMap::new();
    for question in questions(course) {
        let name = match question.kind {
            Kind::SingleChoice { .. } => "single_choice",
            Kind::MultipleChoice { .. } => "multiple_choice",
            Kind::ShortText { .. } => "short_text",
            Kind::FillBlank { .. } => "fill_blank",
            _ => "other",
        };
        *found.entry(name).or_insert(0) += 1;
    }
    found
}

fn expected() -> BTreeMap<&'static str, usize> {
    BTreeMap::from([
        ("single_choice", 102),
        ("multiple_choice", 39),
        ("short_text", 17),
        ("fill_blank", 64),
    ])
}

fn keys(report: &Report) -> BTreeMap<&'static str, usize> {
    let mut found = BTreeMap::new();
    for entry in &report.entries {
        *found.entry(entry.note.key()).or_insert(0) += 1;
    }
    found
}

#[test]
fn all_222_questions_come_in() {
    let scratch = TempDir::new().unwrap();
    let (course, report) = read(
        &courses().join("rust-book-quizzes"),
        None,
        scratch.path(),
        &mut unwatched,
    )
    .unwrap();
    assert_eq!((report.counts.pages, report.counts.questions), (93, 222));
    assert_eq!(types(&course), expected());
    let refused = ["question", "question_refused", "bad_front_matter", "unknown_tag"];
    let found = keys(&report);
    assert!(
        refused.iter().all(|key| !found.contains_key(key)),
        "{:#?}",
        lines(&report)
    );
    assert_eq!(course.modules.len(), 5, "four parts, and the example that is in none");
    let mut ids: Vec<_> = questions(&course).iter().map(|question| question.id).collect();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 222);

    let by_source = |name: &str| {
        course
            .pages()
            .find(|page| page.source == format!("quizzes/{name}.toml"))
            .unwrap()
    };
    let variables = &by_source("ch03-01-variables-and-mutability-sec1-variables")
        .quiz
        .as_ref()
        .unwrap()
        .questions;
    assert_eq!(variables[0].id.to_string(), "8bd8d8bc-e61e-48c7-ba78-0c89339e5995");
    let Kind::FillBlank { text, blanks } = &variables[2].kind else {
        panic!()
    };
    assert_eq!((blanks.len(), content::text(text).lines().count()), (2, 2));
    assert!(content::text(&variables[2].prompt).contains("let x = 1;\n  println!"));
    let words = content::text(variables[2].explanation.as_ref().unwrap());
    assert!(words.starts_with("This is a compiler error because line 4"));
}

#[test]
fn the_russian_book_and_its_quizzes_make_one_course() {
    let (mut course, mut report) = mdbook::read(&courses().join("rust-book-ru"), &mut unwatched).unwrap();
    mdbook_quiz::add(
        &mut course,
        &courses().join("rust-book-quizzes"),
        &mut report,
        &mut unwatched,
    )
    .unwrap();
    assert_eq!((report.counts.pages, report.counts.questions), (104 + 93, 222));
    assert_eq!(types(&course), expected());
    // 76 have their page, as the table says; the others are at the end.
    assert_eq!(keys(&report)["quiz_apart"], 93 - 76);
    let pages: Vec<_> = course.pages().collect();
    let at = pages
        .iter()
        .position(|page| page.source == "src/ch01-03-hello-cargo.md")
        .unwrap();
    assert_eq!(pages[at + 1].source, "quizzes/ch01-03-hello-cargo.toml");
    assert_eq!(
        pages[at + 1].title,
        Some(format!("Тест: {}", pages[at].title.as_ref().unwrap()))
    );
}

#[test]
fn a_quiz_named_in_a_page_follows_it() {
    let book = Book::new(&[
        ("src/SUMMARY.md", "- [A](a.md)\n- [B](b.md)"),
        (
            "src/a.md",
            "# Alpha\n\nbefore {{#quiz ../quizzes/q.toml}} after\n\n{{#quiz ../quizzes/gone.toml}}\n",
        ),
        ("src/b.md", "# Beta\n\nwords"),
        (
            "quizzes/q.toml",
            "[[questions]]\ntype = \"ShortAnswer\"\nprompt.prompt = \"?\"\nanswer.answer = \"a\"\n\n[[questions]]\ntype = \"Essay\"\n",
        ),
    ]);
    let (course, report) = book.read_well();
    let pages: Vec<_> = course
        .pages()
        .map(|page| {
            (
                page.title.clone().unwrap(),
                page.quiz.as_ref().map(|quiz| quiz.questions.len()),
            )
        })
        .collect();
    assert_eq!(
        pages,
        [
            ("Alpha".into(), None),
            ("Quiz: Alpha".into(), Some(1)),
            ("Beta".into(), None)
        ]
    );
    assert_eq!(report.counts.questions, 1);
    let said = lines(&report);
    assert!(
        said.iter()
            .any(|line| line.contains("{{#quiz ../quizzes/gone.toml}}: there is no such file")),
        "{said:?}"
    );
    assert!(
        said.iter().any(|line| line.contains("quizzes/q.toml: line \"Essay\"")),
        "{said:?}"
    );
}
