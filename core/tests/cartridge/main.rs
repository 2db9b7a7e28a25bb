//! Common Cartridge and Canvas, in and out: real packages, small ones made for one purpose each, and courses there and back.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may stop at the first surprise, its helpers too"
)]

mod canvas;
mod hostile;
mod out;
mod producers;
mod small;

use std::path::{Path, PathBuf};

use kurso_core::content::{self, Lang};
use kurso_core::exchange::{CourseDraft, ImportError, Report, read};
use tempfile::TempDir;

pub fn courses() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared/courses")
}

/// Reads what lies at `path`; its files stay as long as the folder that is returned.
pub fn try_read(path: &Path) -> Result<(CourseDraft, Report, TempDir), ImportError> {
    let scratch = TempDir::new().unwrap();
    let (course, report) = read(path, None, scratch.path(), &mut kurso_core::exchange::unwatched)?;
    for page in course.pages() {
        assert_eq!(
            content::validate(&page.content.read()),
            Ok(()),
            "{}: {}",
            page.source,
            page.content
        );
    }
    Ok((course, report, scratch))
}

pub fn read_well(path: &Path) -> (CourseDraft, Report, TempDir) {
    try_read(path).unwrap_or_else(|error| panic!("{error}"))
}

pub fn lines(report: &Report) -> Vec<String> {
    report
        .entries
        .iter()
        .map(|entry| {
            let russian = entry.to_line(Lang::Ru);
            assert!(russian.chars().any(|c| ('а'..='я').contains(&c)), "{russian}");
            format!("{} {}", entry.note.outcome().name(), entry.to_line(Lang::En))
        })
        .collect()
}
