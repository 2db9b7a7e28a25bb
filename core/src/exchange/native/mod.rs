//! Kurso Markdown, the native form of a course: a folder of readable texts (docs/markdown-format.md).

mod addresses;
pub(super) mod document;
mod front;
mod names;
mod quiz;
mod read;
mod write;

pub(super) use names::{FileNames, slug, title_of};
pub(super) use quiz::number;
pub(super) use quiz::write as written;
pub use read::read;
pub use write::{Body, Layout, layout};

/// Of the form, in `course.toml`.
const VERSION: u32 = 1;

/// What is said of a course, a module, a lesson.
pub const COURSE: &str = "course.toml";
const MODULE: &str = "module.toml";
const LESSON: &str = "lesson.toml";

/// The folder of the files that pages show.
const FILES: &str = "files";
