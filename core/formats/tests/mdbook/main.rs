//! The mdBook reader: small books written for one purpose each, a published book, and the whole Rust book when it is at hand.

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
mod published_book;
mod quizzes;
mod rust_book;
mod text;

use std::fs;

use kurso_base::messages::Lang;
use kurso_formats::content;
use kurso_formats::{CourseDraft, ImportError, Report, mdbook, unwatched};
use serde_json::{Value, json};
use tempfile::TempDir;

pub struct Book {
    dir: TempDir,
}

impl Book {
    /// An English book with one page, `src/a.md`.
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

/// The blocks of the page of such a book, and the lines of the report.
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

/// All nodes of a type in document order.
fn nodes(node: &Value, kind: &str) -> Vec<Value> {
    let mut found = Vec::new();
    if node["type"] == kind {
        found.push(node.clone());
    }
    for child in node["content"].as_array().into_iter().flatten() {
        found.extend(nodes(child, kind));
    }
    found
}

fn paragraph(text: &str) -> Value {
    json!({ "type": "paragraph", "content": [{ "type": "text", "text": text }] })
}
