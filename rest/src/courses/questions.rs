//! The operation that reads questions from a pasted text.

use axum::Json;
use kurso_base::messages::Lang;
use kurso_base::values::PastedQuestions;
use kurso_core::access::Viewer;
use kurso_core::imports;
use kurso_formats::quiz::Question;
use serde::Serialize;
use utoipa::ToSchema;

use super::imports::shapes::ImportReportEntry;
use crate::error::Result;
use crate::fields::{Command, body};
use crate::openapi_parts::SignedInRefusals;
use crate::quiz::AuthorQuestion;

body! {
    QuestionsText -> PastedQuestions {
        /// Questions in GIFT or Aiken.
        text: PastedQuestions,
    } => |_fields| text;
}

/// The questions of a text.
#[derive(Serialize, ToSchema)]
pub struct ReadQuestions {
    /// At most as many as a quiz may have.
    #[schema(value_type = Vec<AuthorQuestion>)]
    questions: Vec<Question>,
    /// What was changed or left out, at most 1,000 entries; `where` is a line of the text, or empty.
    report: Vec<ImportReportEntry>,
}

/// Read questions from a text
///
/// Reads questions in GIFT or Aiken and returns them in the author's form, for `update_page` or `create_page`. Stores nothing.
#[utoipa::path(
    post, path = "/api/v1/courses/read_questions", operation_id = "courses-read_questions", tag = "courses",
    request_body = QuestionsText,
    responses(SignedInRefusals, (status = 200, description = "The questions", body = ReadQuestions))
)]
pub async fn read_questions(
    _viewer: Viewer,
    lang: Lang,
    Command(text): Command<QuestionsText>,
) -> Result<Json<ReadQuestions>> {
    let read = imports::read_questions(text).await?;
    Ok(Json(ReadQuestions {
        questions: read.questions,
        report: read
            .report
            .iter()
            .map(|line| ImportReportEntry::of(line, lang))
            .collect(),
    }))
}
