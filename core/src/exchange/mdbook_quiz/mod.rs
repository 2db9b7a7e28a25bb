//! Quizzes of mdbook-quiz: files of TOML, alone, beside a book, or named in its pages (docs/import-mdbook.md).

mod index;
mod question;
mod read;

pub(super) use question::quiz_title;
pub(super) use read::{Reader, is_quiz, page};
pub use read::{add, read};
