//! Grades an answer without the rest of its attempt.

use kurso_base::error::{Error, Result};
use kurso_formats::quiz::{Aliases, Answer, Quiz, grade};

use super::review::{KeptResult, Remark};

/// The result of an answer, or of none, to the only question of a quiz, in the attempt with this number.
pub(super) async fn graded(
    only: &Quiz,
    aliases: &Aliases<'_>,
    attempt_no: i64,
    answer: Option<Answer>,
) -> Result<KeptResult> {
    let mut values = only.values(aliases, attempt_no);
    let asked = only.clone().with_values(&values);
    // An author's pattern may take long, so it does not run on the threads of the async runtime.
    let grading = tokio::task::spawn_blocking(move || {
        let grade = grade(&asked, answer.as_slice());
        let result = grade.questions.first()?;
        let values = values.remove(&result.question_id).unwrap_or_default();
        Some(KeptResult::new(result, values, Remark::default()))
    });
    grading.await.map_err(Error::internal)?.ok_or(Error::Busy)
}
