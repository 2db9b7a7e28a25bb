//! Questions in a pasted text.

use kurso_base::error::{Error, Result};
use kurso_base::values::PastedQuestions;
use kurso_formats::pasted_questions;
use kurso_formats::quiz::Question;

use super::{Line, lines};

const MAX_REPORT: usize = 1_000;

/// The questions of a text.
pub struct ReadQuestions {
    pub questions: Vec<Question>,
    /// What changed or was left out, at most 1,000 entries. The place is a line of the text, or empty.
    pub report: Vec<Line>,
}

/// Reads the questions of a text in GIFT or Aiken, as many as fit in one quiz, for the author to add to a quiz. Stores nothing.
pub async fn read_questions(text: PastedQuestions) -> Result<ReadQuestions> {
    // Parsing hundreds of kilobytes would block the async runtime for too long.
    let read = tokio::task::spawn_blocking(move || pasted_questions(text.as_str()));
    let (quiz, mut report) = read.await.map_err(Error::internal)?;
    report.entries.truncate(MAX_REPORT);
    Ok(ReadQuestions {
        questions: quiz.questions,
        report: lines(&report),
    })
}
