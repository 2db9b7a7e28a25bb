//! GIFT, the text form of questions that Moodle and others read: in and out (docs/gift.md).

mod blanks;
mod parse;
mod question;
mod read;
mod write;

pub use read::read;
pub use write::write;

#[cfg(test)]
mod tests;
