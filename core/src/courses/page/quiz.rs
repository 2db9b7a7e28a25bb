//! The stored quiz of a page.

use crate::courses::tree::PageKind;
use kurso_base::error::{Error, FieldError, Result};
use kurso_base::messages::Message;
use kurso_formats::quiz::{self, Quiz, QuizDraft};

/// The quiz of a page before its author has changed it; None on a content page.
fn first_quiz(kind: PageKind) -> Option<Quiz> {
    match kind {
        PageKind::Content => None,
        PageKind::Quiz => Some(Quiz::default()),
        PageKind::Assignment => Some(Quiz::assignment()),
    }
}

/// The text to store for the quiz that an author sent, or without one, for the first. None on a content page.
/// 422 when the quiz does not fit the page, or is not complete although learners would see it.
pub(super) fn quiz_text(kind: PageKind, published: bool, sent: Option<&QuizDraft>) -> Result<Option<String>> {
    let Some(first) = first_quiz(kind) else {
        return if sent.is_none() { Ok(None) } else { Err(misplaced()) };
    };
    let quiz = sent.map_or(first, |sent| sent.as_quiz().clone());
    match kind {
        PageKind::Assignment => quiz.require_assignment()?,
        PageKind::Content | PageKind::Quiz => quiz.require_no_hand_in()?,
    }
    if published {
        quiz::require_complete(&quiz)?;
    }
    quiz.to_text().map(Some)
}

/// 422 when the stored quiz of a page is not complete.
pub(super) fn require_ready(kind: PageKind, stored: Option<&str>) -> Result<()> {
    if !kind.takes_attempts() {
        return Ok(());
    }
    let quiz = stored.map_or_else(|| Ok(Quiz::default()), Quiz::from_text)?;
    quiz::require_complete(&quiz)
}

/// How often learners may take a stored quiz; None when there is no limit. It is stored beside the page too, for the tree.
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
