//! Reads and writes QTI 1.2 quizzes: the Common Cartridge profile, and Canvas's format for what the profile lacks.

mod bank_file;
mod blanks;
mod canvas;
mod feedback;
mod hotspot;
mod item;
mod kind;
mod kurso_field;
mod numbers;
mod profile;
mod question;
mod read;
mod write;

pub use bank_file::{BankFile, bank_files};
pub use blanks::insert_blank;
pub use kurso_field::read_quiz;
pub use question::id_of;
pub use read::{DrawnGroup, Read, count, read};
pub use write::{Names, prompt_html, write, write_bank};

/// The item field that holds the whole question if QTI cannot express it.
pub const QUESTION_FIELD: &str = "kurso_question";
/// Assessment fields for settings that Canvas lacks.
pub const PASS_FIELD: &str = "kurso_pass_percent";
pub const SHUFFLE_FIELD: &str = "kurso_shuffle_questions";
pub const REVEAL_FIELD: &str = "kurso_reveal";
pub const RELEASE_FIELD: &str = "kurso_release";
pub const CHECKING_FIELD: &str = "kurso_checking";
/// Seconds; Canvas counts in minutes.
pub const TIME_FIELD: &str = "kurso_time_limit_seconds";
pub const GRACE_FIELD: &str = "kurso_grace_seconds";
