//! Queries over whole books, each with the page that it must find among the first three. Those over the Russian Rust book need the book
//! (`docs/testing.md`), those over the demo course need nothing.

use std::path::Path;

use kurso_core::drafts::store;
use kurso_core::testing::Backend;
use kurso_formats::testing::real_courses;
use kurso_formats::{mdbook, unwatched};

use super::*;

/// How many of the queries over the Rust book must succeed.
const LEAST: usize = 57;

const RUST_BOOK: [(&str, &str); 60] = [
    // Forms of words
    ("установить rust", "ch01-01-installation"),
    ("переменная неизменяема", "ch03-01-variables-and-mutability"),
    ("целочисленные типы", "ch03-02-data-types"),
    ("параметр функции", "ch03-03-how-functions-work"),
    ("комментарий", "ch03-04-comments"),
    ("циклы и условия", "ch03-05-control-flow"),
    ("владением", "ch04-01-what-is-ownership"),
    ("заимствовать ссылку", "ch04-02-references-and-borrowing"),
    ("строковый срез", "ch04-03-slices"),
    ("экземпляр структуры", "ch05-01-defining-structs"),
    ("методы структур", "ch05-03-method-syntax"),
    ("варианты перечислений", "ch06-01-defining-an-enum"),
    ("крейт и пакет", "ch07-01-packages-and-crates"),
    ("вектора", "ch08-01-vectors"),
    ("хеш-карта", "ch08-03-hash-maps"),
    ("неустранимая ошибка", "ch09-01-unrecoverable-errors-with-panic"),
    ("обобщённый тип", "ch10-01-syntax"),
    ("время жизни", "ch10-03-lifetime-syntax"),
    ("замыканий", "ch13-01-closures"),
    ("итератор", "ch13-02-iterators"),
    ("утечки памяти", "ch15-06-reference-cycles"),
    ("макрос", "ch19-06-macros"),
    ("редакция языка", "appendix-05-editions"),
    ("ключевые слова", "appendix-01-keywords"),
    // Phrases
    ("умный указатель с подсчётом ссылок", "ch15-04-rc"),
    ("внутренняя изменяемость", "ch15-05-interior-mutability"),
    ("передача сообщений между потоками", "ch16-02-message-passing"),
    ("объектно-ориентированное программирование", "ch17-00-oop"),
    (
        "разработка через тестирование",
        "ch12-04-testing-the-librarys-functionality",
    ),
    ("переменные окружения", "ch12-05-working-with-environment-variables"),
    ("рабочее пространство", "ch14-03-cargo-workspaces"),
    ("профили релиза", "ch14-01-release-profiles"),
    ("трейт объекты", "ch17-02-trait-objects"),
    ("опровержимые шаблоны", "ch18-02-refutability"),
    ("многопоточный сервер", "ch20-02-multithreaded"),
    ("сырые указатели", "ch19-01-unsafe-rust"),
    // Typos
    ("заимстование", "ch04-02-references-and-borrowing"),
    ("замыкаине", "ch13-01-closures"),
    ("итиратор", "ch13-02-iterators"),
    ("перечесление", "ch06-01-defining-an-enum"),
    ("перменные", "ch03-01-variables-and-mutability"),
    ("разыменовывние", "ch15-02-deref"),
    // Identifiers
    ("HashMap::new", "ch08-03-hash-maps"),
    ("cargo test", "ch11-02-running-tests"),
    ("cargo install", "ch14-04-installing-binaries"),
    ("String::from_utf8", "ch08-02-strings"),
    ("RefCell", "ch15-05-interior-mutability"),
    ("Rc::clone", "ch15-04-rc"),
    ("thread::spawn", "ch16-01-threads"),
    ("mpsc::channel", "ch16-02-message-passing"),
    ("Mutex<T>", "ch16-03-shared-state"),
    ("impl Drop for", "ch15-03-drop"),
    ("env::args", "ch12-01-accepting-command-line-arguments"),
    ("eprintln!", "ch12-06-writing-to-stderr-instead-of-stdout"),
    ("proc_macro_derive", "ch19-06-macros"),
    ("unwrap_or_else", "ch13-01-closures"),
    // Stop words and questions
    ("что такое владение", "ch04-01-what-is-ownership"),
    (
        "как и где я могу использовать шаблоны",
        "ch18-01-all-the-places-for-patterns",
    ),
    ("if let", "ch06-03-if-let"),
    (
        "как вернуть замыкание из функции",
        "ch19-05-advanced-functions-and-closures",
    ),
];

const DEMO: [(&str, &str); 12] = [
    ("интервальное повторение", "spacing"),
    ("нагрузка на память", "cognitive-load"),
    ("обратной связи", "feedback"),
    ("цели обучения", "goals"),
    ("записаться на курс", "enroll"),
    ("код приглашения", "share-code"),
    ("резервную копию", "backup"),
    ("настройка сервера", "settings"),
    ("отчёт импорта", "import-report"),
    ("прогрес", "progress"),
    ("SUMMARY.md", "summary-file"),
    ("клавиши", "keys-and-theme"),
];

/// Imports an mdBook, and returns its pages by the names of their files.
async fn imported(kurso: &TestKurso, owner: &Viewer, book: &Path) -> Vec<(String, Uuid)> {
    let (draft, mut report) = mdbook::read(book, &mut unwatched).unwrap();
    let sources: Vec<String> = draft.pages().map(|page| page.source.clone()).collect();
    let stored = store::store(kurso, owner.id(), draft, &mut report).await.unwrap();
    let tree = CourseView::load(kurso, owner, stored.course_id, Right::Read)
        .await
        .unwrap()
        .tree;
    assert_eq!(sources.len(), tree.pages.len());
    let name = |source: &String| Path::new(source).file_stem().unwrap().to_str().unwrap().to_owned();
    sources
        .iter()
        .zip(&tree.pages)
        .map(|(source, page)| (name(source), page.id.0))
        .collect()
}

/// The queries that do not find their page among the first three, with what they find instead.
async fn failures(kurso: &TestKurso, book: &Path, queries: &[(&str, &str)]) -> Vec<String> {
    let owner = kurso.person("owner").await;
    let pages = imported(kurso, &owner, book).await;
    let mut failures = Vec::new();
    for (query, expected) in queries {
        let known = pages.iter().any(|(name, _)| name == expected);
        assert!(known, "there is no page {expected}");
        let ids = found(kurso, &owner, query).await;
        let first = ids
            .iter()
            .take(3)
            .filter_map(|id| pages.iter().find(|(_, page)| page == id));
        let first: Vec<&str> = first.map(|(name, _)| name.as_str()).collect();
        if !first.contains(expected) {
            failures.push(format!("{query}: {first:?} of {}, not {expected}", ids.len()));
        }
    }
    failures
}

async fn the_rust_book_is_searched(backend: Backend) -> Vec<String> {
    let kurso = TestKurso::new(backend).await;
    let failures = failures(&kurso, &real_courses().join("rust-book-ru"), &RUST_BOOK).await;
    assert!(RUST_BOOK.len() - failures.len() >= LEAST, "{failures:#?}");
    failures
}

#[tokio::test]
#[ignore = "reads real courses: set KURSO_TEST_COURSES"]
async fn queries_over_the_rust_book_find_their_pages_on_both_databases() {
    let sqlite = the_rust_book_is_searched(Backend::Sqlite).await;
    let postgres = the_rust_book_is_searched(Backend::Postgres).await;
    assert_eq!(sqlite, postgres);
}

both! {
    async fn queries_over_the_demo_course_find_their_pages(kurso: TestKurso) {
        let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("../demo");
        assert_eq!(failures(&kurso, &demo, &DEMO).await, Vec::<String>::new());
        assert_eq!(index::problems(&kurso).await, Vec::<String>::new(), "an import is indexed");
    }
}
