//! Import of real-world files: wrong names, unsupported formats, EPUB, Aiken, and the completeness of the report.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "a test may stop at the first surprise, its helpers too"
)]

mod aiken;
mod defects;
mod docx;
mod epub;
mod headings;
mod losses;
mod olx;
mod open_responses;
mod prerequisites;
mod real;
mod relative;
mod truth;
mod unread;
mod unsupported;

use std::io::Write as _;
use std::path::Path;

use kurso_base::messages::Lang;
use kurso_formats::{CourseDraft, ImportError, Report, content, read, unwatched};
use tempfile::TempDir;

pub const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89\0\0\0\rIDATx\x9cc\xf8\xff\xff?\0\x05\xfe\x02\xfe\xa75\x81\x84\0\0\0\0IEND\xaeB`\x82";

/// A zip of these files, in this order.
pub fn zipped(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    for (name, bytes) in entries {
        zip.start_file(*name, options).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// Reads a file of this name and content.
pub fn import(name: &str, bytes: &[u8]) -> Result<(CourseDraft, Report), ImportError> {
    let dir = TempDir::new().unwrap();
    let path = dir.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    import_at(&path)
}

pub fn import_at(path: &Path) -> Result<(CourseDraft, Report), ImportError> {
    let scratch = TempDir::new().unwrap();
    let (course, report) = read(path, None, scratch.path(), &mut unwatched)?;
    for page in course.pages() {
        assert_eq!(content::validate(&page.content.read()), Ok(()), "{}", page.content);
    }
    Ok((course, report))
}

pub fn lines(report: &Report) -> Vec<String> {
    let line = |entry: &kurso_formats::Entry| format!("{} {}", entry.note.outcome().name(), entry.to_line(Lang::En));
    report.entries.iter().map(line).collect()
}

/// Paths of the form `module / lesson / page`.
pub fn tree(course: &CourseDraft) -> Vec<String> {
    let mut tree = Vec::new();
    for module in &course.modules {
        for lesson in &module.lessons {
            for page in &lesson.pages {
                let title = page.title.as_deref().unwrap_or("-");
                tree.push(format!("{} / {} / {title}", module.title, lesson.title));
            }
        }
    }
    tree
}

/// The words of all pages.
pub fn course_text(course: &CourseDraft) -> String {
    let texts: Vec<String> = course.pages().map(|page| content::text(&page.content.read())).collect();
    texts.join("\n")
}
