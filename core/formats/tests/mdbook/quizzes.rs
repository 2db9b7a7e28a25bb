//! mdbook-quiz: a folder of quizzes, quizzes named by pages, and quizzes added to a book.

use std::collections::BTreeMap;

use kurso_formats::content;
use kurso_formats::quiz::{Kind, Question, require_complete};
use kurso_formats::testing::real_courses;
use kurso_formats::{CourseDraft, Report, mdbook, read, unwatched};
use tempfile::TempDir;

use crate::{Book, lines};

fn questions(course: &CourseDraft) -> Vec<&Question> {
    course
        .pages()
        .flat_map(|page| &page.quiz)
        .flat_map(|quiz| &quiz.questions)
        .collect()
}

/// Counts questions by type and checks that each is complete.
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
#[ignore = "reads real courses: set KURSO_TEST_COURSES"]
fn all_222_questions_come_in() {
    let scratch = TempDir::new().unwrap();
    let (course, report) = read(
        &real_courses().join("rust-book-quizzes"),
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
#[ignore = "reads real courses: set KURSO_TEST_COURSES"]
fn a_book_and_its_quizzes_form_one_course() {
    let (mut course, mut report) = mdbook::read(&real_courses().join("rust-book-ru"), &mut unwatched).unwrap();
    mdbook::quizzes::add(
        &mut course,
        &real_courses().join("rust-book-quizzes"),
        &mut report,
        &mut unwatched,
    )
    .unwrap();
    assert_eq!((report.counts.pages, report.counts.questions), (104 + 93, 222));
    assert_eq!(types(&course), expected());
    // 76 follow their page according to the table; the rest is at the end.
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
            .any(|line| line.contains("{{#quiz ../quizzes/gone.toml}}: the file does not exist")),
        "{said:?}"
    );
    assert!(
        said.iter().any(|line| line.contains("quizzes/q.toml: line \"Essay\"")),
        "{said:?}"
    );
}

/// Two quizzes with every question type and setting of mdbook-quiz.
const QUIZZES: &[(&str, &str)] = &[
    (
        "quizzes/ch01-types.toml",
        r#"
[[questions]]
id = "8bd8d8bc-e61e-48c7-ba78-0c89339e5995"
type = "MultipleChoice"
prompt.prompt = "Which keyword declares a constant?"
prompt.distractors = ["`let`", "`static mut`"]
answer.answer = "`const`"
prompt.answerIndex = 1
context = "A constant is declared with `const`."

[[questions]]
id = "6bd8d8bc-e61e-48c7-ba78-0c89339e5996"
type = "MultipleChoice"
prompt.prompt = "Which are integer types?"
prompt.distractors = ["`f64`"]
prompt.sortAnswers = true
answer.answer = ["`u8`", "`i64`"]

[[questions]]
id = "5bd8d8bc-e61e-48c7-ba78-0c89339e5997"
type = "ShortAnswer"
prompt.prompt = "Name the macro that prints a line."
answer.answer = "println!"
answer.alternatives = ["println"]
"#,
    ),
    (
        "quizzes/ch02-tracing.toml",
        r#"
[multipart]
shared = "Read the function `f`."

[[questions]]
id = "4bd8d8bc-e61e-48c7-ba78-0c89339e5998"
type = "Tracing"
multipart = "shared"
prompt.program = """
fn main() {
  println!("{}", 1 + 2);
}
"""
answer.doesCompile = true
answer.stdout = "3\n"

[[questions]]
id = "3bd8d8bc-e61e-48c7-ba78-0c89339e5999"
type = "Tracing"
prompt.program = "fn main() {\n  let x: u8 = \"a\";\n}"
answer.doesCompile = false
answer.lineNumber = 2
"#,
    ),
];

#[test]
fn a_folder_of_quizzes_keeps_every_question_type() {
    let book = Book::new(QUIZZES);
    let scratch = TempDir::new().unwrap();
    let (course, report) = read(&book.root().join("quizzes"), None, scratch.path(), &mut unwatched).unwrap();
    assert_eq!(
        (report.counts.pages, report.counts.questions),
        (2, 5),
        "{:#?}",
        lines(&report)
    );
    let kinds = [
        ("single_choice", 1),
        ("multiple_choice", 1),
        ("short_text", 1),
        ("fill_blank", 2),
    ];
    assert_eq!(types(&course), BTreeMap::from(kinds));

    let [single, several, short, compiles, fails] = questions(&course)[..] else {
        panic!()
    };
    assert_eq!(single.id.to_string(), "8bd8d8bc-e61e-48c7-ba78-0c89339e5995");
    let options = |question: &Question| -> Vec<(String, bool)> {
        let (Kind::SingleChoice { options } | Kind::MultipleChoice { options, .. }) = &question.kind else {
            panic!()
        };
        options
            .iter()
            .map(|option| (content::text(&option.content), option.correct))
            .collect()
    };
    let listed =
        |list: &[(&str, bool)]| -> Vec<_> { list.iter().map(|(text, right)| ((*text).to_owned(), *right)).collect() };
    assert_eq!(
        options(single),
        listed(&[("let", false), ("const", true), ("static mut", false)])
    );
    assert_eq!(options(several), listed(&[("f64", false), ("i64", true), ("u8", true)]));
    assert_eq!(
        content::text(single.explanation.as_ref().unwrap()),
        "A constant is declared with const."
    );
    let Kind::ShortText { accepted, .. } = &short.kind else {
        panic!()
    };
    assert_eq!(accepted, &["println!", "println"]);
    let blanks = |question: &Question| -> usize {
        let Kind::FillBlank { blanks, .. } = &question.kind else {
            panic!()
        };
        blanks.len()
    };
    assert_eq!((blanks(compiles), blanks(fails)), (2, 2));
    assert!(content::text(&compiles.prompt).starts_with("Read the function f."));
}

#[test]
fn quizzes_beside_a_book_follow_the_pages_of_the_same_name() {
    let book = Book::new(&[
        ("src/SUMMARY.md", "- [Types](ch01-types.md)\n- [Loops](ch02-loops.md)"),
        ("src/ch01-types.md", "# Types\n\nwords"),
        ("src/ch02-loops.md", "# Loops\n\nwords"),
    ]);
    let quizzes = Book::new(QUIZZES);
    let table = "quiz_file\tru_chapter_file\nch01-types.toml\tch01-types.md\n";
    quizzes.write("quiz-chapters.tsv", table);
    let (mut course, mut report) = book.read_well();
    mdbook::quizzes::add(&mut course, &quizzes.root(), &mut report, &mut unwatched).unwrap();
    let sources: Vec<_> = course.pages().map(|page| page.source.as_str()).collect();
    assert_eq!(
        sources,
        [
            "src/ch01-types.md",
            "quizzes/ch01-types.toml",
            "src/ch02-loops.md",
            "quizzes/ch02-tracing.toml"
        ]
    );
    assert_eq!(keys(&report)["quiz_apart"], 1, "{:#?}", lines(&report));
}
