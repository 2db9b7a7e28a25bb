//! Returning work for revision: the learner sees a comment in place of points, at once, and may hand in again.

use kurso_base::error::{FieldError, Result, require_no_errors};
use kurso_base::messages::Message;
use serde_json::Value;

use super::Assess;

/// Fails with 422 unless the assessment returns work that was handed in, with a comment and without points.
pub(super) fn require_returnable(command: &Assess, is_hand_in: bool) -> Result<()> {
    let refused = |name: &'static str, message: Message| FieldError::body("value_error", name, message, Value::Null);
    let mut errors = vec![];
    if !is_hand_in {
        errors.push(refused("is_returned", Message::OnlyWorkIsReturned));
    }
    if command.points.is_some() {
        errors.push(refused("points", Message::ReturnedWithoutPoints));
    }
    if command.marks.is_some() {
        errors.push(refused("marks", Message::ReturnedWithoutPoints));
    }
    if command.comment.is_none() {
        errors.push(FieldError::body(
            "missing",
            "comment",
            Message::ReturnedWithComment,
            Value::Null,
        ));
    }
    require_no_errors(errors)
}
