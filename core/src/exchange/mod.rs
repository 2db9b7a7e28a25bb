//! Courses coming from other programs. A reader turns a folder into a [`CourseDraft`] and a [`Report`] of what could not be
//! carried over as it was, without touching database or network; [`store`] writes the draft.

pub mod archive;
mod blocks;
mod body;
pub mod cartridge;
mod changes;
mod course;
pub mod documents;
pub mod encoding;
mod error;
mod export;
mod files;
mod folder;
pub mod gift;
mod hosting;
mod html;
pub(crate) mod keys;
mod latex;
mod load;
mod markdown;
pub mod mdbook;
pub mod mdbook_quiz;
pub mod native;
mod note;
mod offline;
pub mod olx;
mod pending;
mod reason;
mod report;
mod results;
mod source;
pub mod store;
mod tarball;
#[cfg(test)]
mod texts_tests;
mod unpack;
mod update;
mod xml;

use std::ops::ControlFlow;

pub use crate::files::sniff::{ImageSize, content_type, image_size};
pub use body::Body;
pub use changes::{Change, PageChange, compare};
pub use course::{CourseDraft, FileDraft, LessonDraft, ModuleDraft, PageDraft};
pub use error::{ExportError, ImportError, XmlTrouble};
pub use export::{export, export_cartridge, export_gift};
pub use load::load;
pub use note::{FileTrouble, Note};
pub use offline::{HtmlExport, export_html, write_html};
pub use reason::{Reason, TomlTrouble};
pub use report::{Counts, Entry, Outcome, Report};
pub use results::Results;
pub use source::{Format, read};
pub use update::{ForJob, update, update_as};

/// How far a reader has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    pub done: usize,
    /// 0 while it is not known.
    pub total: usize,
    /// The file that was just read, or is being unpacked.
    pub file: &'a str,
}

/// Who is told of each step of a reader, and stops it with [`ControlFlow::Break`]: it then ends with
/// [`ImportError::Cancelled`] at once. Every reader tells at least once a page, and for every few megabytes of a file.
pub type Watcher<'a> = dyn FnMut(Progress<'_>) -> ControlFlow<()> + 'a;

/// The watcher nobody needs: `&mut unwatched`.
pub fn unwatched(_: Progress<'_>) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

impl Progress<'_> {
    /// Tells the watcher, and refuses to go on when it wants no more.
    pub fn tell(self, watcher: &mut Watcher<'_>) -> Result<(), ImportError> {
        match watcher(self) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(ImportError::Cancelled),
        }
    }
}
