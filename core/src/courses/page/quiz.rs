//! What is stored as the quiz of a page.

use serde_json::Value;

use crate::content::schema::MAX_BYTES;
use crate::courses::tree::PageKind;
use crate::error::{Error, FieldError, Result};
use crate::messages::Message;

/// The quiz as the text that is stored, from what an author sent or from what is stored already and is now published.
/// None: no quiz. 422 when it does not fit the page.
pub(super) fn quiz_text(kind: PageKind, _published: bool, value: Option<&Value>) -> Result<Option<String>> {
    let Some(value) = value.filter(|value| !value.is_null()) else {
        return Ok(None);
    };
    let refuse = |kind, message| {
        let error = FieldError::inside(kind, "quiz", message);
        Err(Error::invalid(error))
    };
    if kind == PageKind::Content {
        return refuse("value_error", Message::QuizOnContentPage);
    }
    if !value.is_object() {
        return refuse("model_attributes_type", Message::NotAnObject);
    }
    let text = value.to_string();
    if text.len() > MAX_BYTES {
        return refuse("value_error", Message::QuizTooLarge);
    }
    Ok(Some(text))
}
