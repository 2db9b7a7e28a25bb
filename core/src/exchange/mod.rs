//! Courses coming from other programs. A reader turns a folder into a [`CourseDraft`] and a [`Report`] of what could not be
//! carried over as it was, without touching database or network; [`store`] writes the draft.

mod course;
mod error;
mod folder;
mod html;
mod markdown;
pub mod mdbook;
mod note;
mod report;
pub mod store;

pub use crate::files::sniff::{ImageSize, content_type, image_size};
pub use course::{CourseDraft, FileDraft, LessonDraft, ModuleDraft, PageDraft};
pub use error::ImportError;
pub use note::{FileTrouble, Note};
pub use report::{Counts, Entry, Outcome, Report};

/// How far a reader has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    pub done: usize,
    pub total: usize,
    /// The file that was just read.
    pub file: &'a str,
}
