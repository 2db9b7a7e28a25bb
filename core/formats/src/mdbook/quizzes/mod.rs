//! Reads mdbook-quiz files (TOML): alone, with a book, or referenced by its pages (docs/import-mdbook.md).

mod index;
mod question;
mod read;

pub(super) use question::quiz_title;
pub(super) use read::{Reader, page};
pub use read::{add, is_quiz, read};
