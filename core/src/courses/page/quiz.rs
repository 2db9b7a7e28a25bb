//! What is stored as the quiz of a page.

use serde_json::Value;

use crate::courses::tree::PageKind;
use crate::error::{Error, FieldError, Result};
use crate::messages::Message;
use crate::quiz::{self, Quiz};

/// The quiz as the text that is stored, from what an author sent: absent and null are a quiz without questions. None on a
/// content page. 422 when it does not fit the page, or is not ready for the learners who would see it.
pub(super) fn quiz_text(kind: PageKind, published: bool, sent: Option<&Value>) -> Result<Option<String>> {
    let sent = sent.unwrap_or(&Value::Null);
    if kind == PageKind::Content {
        return if sent.is_null() { Ok(None) } else { Err(misplaced()) };
    }
    let quiz = quiz::read(sent)?;
    if published {
        quiz::require_complete(&quiz)?;
    }
    quiz.to_text().map(Some)
}

/// 422 when what is stored as the quiz of a page is not ready for learners.
pub(super) fn require_ready(kind: PageKind, stored: Option<&str>) -> Result<()> {
    if kind == PageKind::Content {
        return Ok(());
    }
    let quiz = stored.map_or_else(|| Ok(Quiz::default()), Quiz::from_text)?;
    quiz::require_complete(&quiz)
}

/// How often learners may take what is stored as the quiz of a page: kept beside the page, for the tree. None: no limit.
pub(super) fn max_attempts(stored: Option<&str>) -> Result<Option<i64>> {
    #[derive(serde::Deserialize)]
    struct Limit {
        max_attempts: Option<i64>,
    }
    let Some(text) = stored else { return Ok(None) };
    let limit: Limit = serde_json::from_str(text).map_err(Error::internal)?;
    Ok(limit.max_attempts)
}

fn misplaced() -> Error {
    Error::invalid(FieldError::inside("value_error", "quiz", Message::QuizOnContentPage))
}
