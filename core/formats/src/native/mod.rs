//! Reader and writer of Kurso Markdown, the native format: a folder of text files (docs/markdown-format.md).

mod addresses;
mod banks;
pub mod document;
mod fields;
mod front_matter;
mod names;
mod page;
mod prerequisites;
mod quiz;
mod read;
mod write;

pub(super) use names::{FileNames, slug, title_of};
pub use quiz::write as write_quiz;
pub use read::read;
pub use write::{DateForm, FileContent, Layout, layout, start_of};

/// Format version in `course.toml`.
const VERSION: u32 = 1;

/// Files with the fields of a course, module and lesson.
pub const COURSE: &str = "course.toml";
const MODULE: &str = "module.toml";
const LESSON: &str = "lesson.toml";

/// The folder of media and attachments.
const FILES: &str = "files";
/// The folder of the question banks from which quizzes draw.
pub const BANKS: &str = "question-banks";
