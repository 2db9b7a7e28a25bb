//! Courses coming from other programs. A reader turns a folder into a [`CourseDraft`] and a [`Report`] of what could not be
//! carried over as it was, without touching database or network; [`store`] writes the draft.

pub mod archive;
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
mod keys;
mod load;
mod markdown;
pub mod mdbook;
pub mod mdbook_quiz;
pub mod native;
mod note;
pub mod olx;
mod pending;
mod report;
mod source;
pub mod store;
mod tarball;
mod unpack;
mod update;
mod xml;

pub use crate::files::sniff::{ImageSize, content_type, image_size};
pub use course::{CourseDraft, FileDraft, LessonDraft, ModuleDraft, PageDraft};
pub use error::{ExportError, ImportError, XmlTrouble};
pub use export::{export, export_gift};
pub use load::load;
pub use note::{FileTrouble, Note};
pub use report::{Counts, Entry, Outcome, Report};
pub use source::{Format, read};
pub use update::update;

/// How far a reader has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    pub done: usize,
    pub total: usize,
    /// The file that was just read.
    pub file: &'a str,
}
