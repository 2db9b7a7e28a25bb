//! Tests of Common Cartridge and Canvas: real packages, small packages for one purpose each, and round trips.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may stop at the first surprise, its helpers too"
)]

mod assignments;
mod assignments_out;
mod canvas;
mod canvas_dates;
mod canvas_dates_out;
mod canvas_export;
mod export;
mod hostile;
mod producers;
mod small;

use std::path::Path;

use kurso_base::messages::Lang;
use kurso_formats::content;
use kurso_formats::{CourseDraft, ImportError, Report, read};
use tempfile::TempDir;

/// Reads the package at `path`. Its files exist as long as the returned folder.
pub fn try_read(path: &Path) -> Result<(CourseDraft, Report, TempDir), ImportError> {
    let scratch = TempDir::new().unwrap();
    let (course, report) = read(path, None, scratch.path(), &mut kurso_formats::unwatched)?;
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

pub fn read_ok(path: &Path) -> (CourseDraft, Report, TempDir) {
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
