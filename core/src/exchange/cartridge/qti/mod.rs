//! Quizzes of QTI 1.2: as the Common Cartridge profile has them, and as Canvas writes what the profile has no word for.

mod blanks;
mod canvas;
mod item;
mod kind;
mod numbers;
mod ours;
mod profile;
mod question;
mod read;
mod write;

pub use blanks::put_blank;
pub use read::{Read, count, read};
pub use write::{Names, prompt_html, write};

/// The field of an item in which the whole question stands when QTI has no words for all of it.
pub const QUESTION_FIELD: &str = "kurso_question";
/// Fields of an assessment with what Canvas has no setting for.
pub const PASS_FIELD: &str = "kurso_pass_percent";
pub const SHUFFLE_FIELD: &str = "kurso_shuffle_questions";
pub const REVEAL_FIELD: &str = "kurso_reveal";
