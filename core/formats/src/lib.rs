//! Course files: the content model, quizzes and grading, course drafts, and readers and writers of all formats. A reader turns a
//! file or folder into a [`CourseDraft`] and a [`Report`] of what changed or was lost. No database, network or async runtime.

mod aiken;
pub mod archive;
mod blocks;
mod body;
pub mod cartridge;
pub mod content;
mod course;
pub mod documents;
pub mod encoding;
mod epub;
mod error;
mod export;
pub mod files;
mod folder;
pub mod gift;
mod headings;
mod html;
mod html_host;
pub mod keys;
mod language;
mod latex;
mod links;
mod markdown;
pub mod mdbook;
#[cfg(test)]
mod message_tests;
pub mod native;
mod note;
mod numbers;
mod offline;
pub mod olx;
mod page;
mod pasted;
pub mod quiz;
mod recognize;
mod report;
mod rubric;
pub mod sniff;
mod source;
mod start;
mod tarball;
#[cfg(feature = "testing")]
pub mod testing;
mod unpack;
mod unsupported;
mod xml;

use std::ops::ControlFlow;

pub use body::Body;
pub use course::{BankDraft, CourseDraft, FileDraft, LessonDraft, ModuleDraft, PageDraft, TaggedQuestion, UnreadDates};
pub use error::{ExportError, ImportError, XmlTrouble};
pub use export::{export, export_cartridge, export_gift, export_with, report_cartridge, report_gift, report_markdown};
pub use headings::{Headings, Part};
pub use native::DateForm;
pub use note::{FileTrouble, Note, Outcome, Reason, TomlTrouble};
pub use offline::{HtmlExport, export_html, report_html, write_html};
pub use pasted::pasted_questions;
pub use report::{Counts, Entry, Report};
pub use sniff::{ImageSize, content_type, image_size, known_type};
pub use source::{Format, Options, read, read_with};
pub use unsupported::Unsupported;
pub use xml::escaped;

/// The progress of a reader.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    pub done: usize,
    /// 0 if unknown.
    pub total: usize,
    /// The file that was read or is being extracted.
    pub file: &'a str,
}

/// Receives the progress of a reader. Returning [`ControlFlow::Break`] makes it fail with [`ImportError::Cancelled`].
/// Readers call it at least once per page and per few megabytes of a file.
pub type Watcher<'a> = dyn FnMut(Progress<'_>) -> ControlFlow<()> + 'a;

/// A watcher that ignores progress.
pub fn unwatched(_: Progress<'_>) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

impl Progress<'_> {
    /// Calls the watcher; fails if it requests cancellation.
    pub fn tell(self, watcher: &mut Watcher<'_>) -> Result<(), ImportError> {
        match watcher(self) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(ImportError::Cancelled),
        }
    }
}
