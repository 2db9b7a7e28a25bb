//! The reader of mdBook: small books made for one purpose each, and the whole Rust book.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may stop at the first surprise, its helpers too"
)]

mod folder;
mod includes;
mod limits;
mod quizzes;
mod rust_book;
mod text;

use std::fs;

use kurso_core::content::{self, Lang};
use kurso_core::exchange::{CourseDraft, ImportError, Report, mdbook, unwatched};
use serde_json::{Value, json};
use tempfile::TempDir;

pub struct Book {
    dir: TempDir,
}

impl Book {
    /// A book in English of one page, `src/a.md`.
    fn of_page(text: &str) -> Self {
        Self::new(&[("src/SUMMARY.md", "- [A](a.md)"), ("src/a.md", text)])
    }

    fn new(files: &[(&str, &str)]) -> Self {
        let book = Self {
            dir: TempDir::new().unwrap(),
        };
        for (path, text) in files {
            book.write(path, text);
        }
        book
    }

    fn write(&self, path: &str, bytes: impl AsRef<[u8]>) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    fn root(&self) -> std::path::PathBuf {
        self.dir.path().join("book")
    }

    fn read(&self) -> Result<(CourseDraft, Report), ImportError> {
        let result = mdbook::read(&self.root(), &mut unwatched);
        if let Ok((course, _)) = &result {
            for page in course.pages() {
                assert_eq!(
                    content::validate(&page.content.read()),
                    Ok(()),
                    "{}: {}",
                    page.source,
                    page.content
                );
            }
        }
        result
    }

    fn read_well(&self) -> (CourseDraft, Report) {
        self.read().unwrap_or_else(|error| panic!("{error}"))
    }
}

/// The blocks of the one page of such a book, and the lines of the report.
fn blocks(text: &str) -> (Value, Vec<String>) {
    let (course, report) = Book::of_page(text).read_well();
    (
        course.pages().next().unwrap().content.read()["content"].clone(),
        lines(&report),
    )
}

fn lines(report: &Report) -> Vec<String> {
    report
        .entries
        .iter()
        .map(|entry| {
            assert!(!entry.to_line(Lang::Ru).is_empty());
            format!("{} {}", entry.note.outcome().name(), entry.to_line(Lang::En))
        })
        .collect()
}

fn paragraph(text: &str) -> Value {
    json!({ "type": "paragraph", "content": [{ "type": "text", "text": text }] })
}
