//! Reader and writer of GIFT, a text format for questions used by Moodle and others (docs/gift.md).

mod addresses;
mod blanks;
mod parse;
mod question;
mod read;
mod weights;
mod write;

pub use read::{is_gift, questions, read};
pub use write::write;

#[cfg(test)]
mod tests;
