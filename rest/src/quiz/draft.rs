//! Drafts of the work for assignments.

use axum::Json;
use axum::extract::State;
use chrono::{DateTime, Utc};
use kurso_base::ids::PageId;
use kurso_base::messages::Message as Text;
use kurso_base::wire;
use kurso_core::access::Viewer;
use kurso_core::attempts::{self, SavedDraft, SavedWork};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use super::answers::AnswerFile;
use super::write::AnswerDraftSave;
use crate::KursoState;
use crate::error::{Error, Result};
use crate::extract::Path;
use crate::fields::Command;
use crate::openapi_parts::CourseRefusals;

/// The caller's draft for an assignment.
#[derive(Serialize, ToSchema)]
pub struct AnswerDraftRead {
    /// Null when nothing is saved: nothing was, or it was discarded or handed in.
    #[schema(required)]
    pub draft: Option<AnswerDraft>,
}

/// What a learner has written for an assignment and not handed in.
#[derive(Serialize, ToSchema)]
pub struct AnswerDraft {
    /// A save that is based on this draft must name it.
    pub version: i64,
    pub answer: DraftedAnswer,
    #[serde(serialize_with = "wire::time")]
    pub saved_at: DateTime<Utc>,
}

/// The answer as it is saved.
#[derive(Serialize, ToSchema)]
pub struct DraftedAnswer {
    /// The question of the assignment when the draft was saved.
    pub question_id: Uuid,
    /// A ProseMirror document.
    #[schema(required, value_type = Option<Object>)]
    pub content: Option<Value>,
    pub files: Vec<AnswerFile>,
    /// They may be incomplete.
    pub links: Vec<String>,
}

/// Nothing was changed.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes what `error` writes")]
pub struct AnswerDraftConflict {
    detail: String,
    /// What is stored, when the draft was changed since the `version` of the body.
    #[schema(nullable = false)]
    stored: Option<AnswerDraftRead>,
    /// `LOCKED`; there when the page is locked for the learner.
    #[schema(nullable = false)]
    code: Option<String>,
}

impl From<Option<SavedWork>> for AnswerDraftRead {
    fn from(saved: Option<SavedWork>) -> Self {
        let draft = saved.map(|saved| AnswerDraft {
            version: saved.version,
            answer: DraftedAnswer {
                question_id: saved.question_id,
                content: saved.work.content,
                files: saved.work.files.into_iter().map(AnswerFile::from).collect(),
                links: saved.work.links,
            },
            saved_at: saved.saved_at,
        });
        AnswerDraftRead { draft }
    }
}

/// Read the draft for an assignment
///
/// Returns what the caller has written for the assignment and not handed in. Learners only.
#[utoipa::path(
    get, path = "/api/v1/courses/answer_draft/{page_id}", operation_id = "courses-answer_draft", tag = "courses",
    responses(
        CourseRefusals,
        (status = 200, description = "The draft", body = AnswerDraftRead),
        (status = 409, description = "The page is locked for the learner", body = AnswerDraftConflict),
    )
)]
pub async fn answer_draft(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<PageId>,
) -> Result<Json<AnswerDraftRead>> {
    let draft = attempts::draft(&kurso, &viewer, id).await?;
    Ok(Json(draft.into()))
}

/// Save the draft for an assignment
///
/// Stores what the caller has written so far, also while the page takes no attempts. It may break the rules of a submission, but not its sizes.
/// A draft without text, file and link is discarded; so is the draft of a learner who submits. Learners only.
#[utoipa::path(
    put, path = "/api/v1/courses/save_answer_draft/{page_id}", operation_id = "courses-save_answer_draft", tag = "courses",
    request_body = AnswerDraftSave,
    responses(
        CourseRefusals,
        (status = 200, description = "The saved draft", body = AnswerDraftRead),
        (
            status = 409,
            description = "The draft was changed since `version`, then `stored` is present; or the page is locked for the learner",
            body = AnswerDraftConflict,
        ),
    )
)]
pub async fn save_answer_draft(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<PageId>,
    Command(draft): Command<AnswerDraftSave>,
) -> Result<Json<AnswerDraftRead>> {
    match attempts::save_draft(&kurso, &viewer, id, draft).await? {
        SavedDraft::Stored(draft) => Ok(Json(draft.into())),
        SavedDraft::Stale(draft) => {
            let stored = AnswerDraftRead::from(draft);
            Err(Error::outdated(Text::DraftChanged, "stored", &stored))
        }
    }
}
