//! The response of operations without a result: `{"message": …}`.

use axum::Json;
use kurso_base::messages::{Lang, Message as Text};
use serde::Serialize;
use utoipa::ToSchema;

/// The result in words, in the language of the request.
#[derive(Serialize, ToSchema)]
pub struct Message {
    message: String,
}

impl Message {
    pub fn say(text: Text, lang: Lang) -> Json<Self> {
        Json(Message {
            message: text.text(lang),
        })
    }
}
