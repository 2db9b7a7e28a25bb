//! Saving drafts of the work for assignments.

use async_graphql::{Context, ID, InputObject, Object, Result, SimpleObject};
use kurso_base::ids::PageId;
use kurso_base::messages::Message;
use kurso_core::attempts::{self, SavedDraft};
use kurso_formats::quiz::WorkDraft;

use crate::context::{self, kurso, viewer};
use crate::error::wrap;
use crate::language::say;
use crate::types::{AnswerDraft, Document};

#[derive(Default)]
pub struct WorkMutation;

/// What the caller has written for an assignment so far. Without text, file and link the draft is discarded.
#[derive(InputObject)]
pub struct SaveAnswerDraftInput {
    /// ID of the assignment page.
    page_id: ID,
    /// Version of the draft that it is based on; 0 without one.
    version: i32,
    /// Document without files, at most 256 KiB; a text counts as one paragraph.
    content: Option<Document>,
    /// IDs of at most 20 files, as the REST call `upload_answer_file` returned them.
    file_ids: Option<Vec<ID>>,
    /// At most 20 texts of at most 2000 characters: links may be incomplete until they are handed in.
    links: Option<Vec<String>>,
}

/// A conflict is an expected outcome: nothing was changed, and `conflict` holds what is stored.
#[derive(SimpleObject)]
pub struct SaveAnswerDraftPayload {
    /// The saved draft; null when it was discarded, and with a `conflict`.
    draft: Option<AnswerDraft>,
    /// Why nothing was changed; null when the draft was saved.
    conflict: Option<AnswerDraftConflict>,
}

/// The draft was changed since the `version` of the input.
#[derive(SimpleObject)]
pub struct AnswerDraftConflict {
    /// Why nothing was changed, in the language of the request.
    message: String,
    /// The stored draft; null when it was handed in or discarded.
    draft: Option<AnswerDraft>,
}

#[Object]
impl WorkMutation {
    /// Stores what the caller has written for an assignment, also while the page takes no attempts. It may break the rules of a submission, but not
    /// its sizes. A save that is based on an older version is a `conflict`. FORBIDDEN without an enrollment.
    async fn save_answer_draft(
        &self,
        ctx: &Context<'_>,
        input: SaveAnswerDraftInput,
    ) -> Result<SaveAnswerDraftPayload> {
        let viewer = viewer(ctx)?;
        let page: PageId = context::id(ctx, "page_id", &input.page_id)?;
        let ids = input.file_ids.map(|ids| ids.into_iter().map(String::from).collect());
        let content = input.content.map(serde_json::Value::from);
        let draft = WorkDraft::new(input.version.into(), content, ids, input.links).map_err(wrap(ctx))?;
        let saved = attempts::save_draft(kurso(ctx), viewer, page, draft)
            .await
            .map_err(wrap(ctx))?;
        Ok(match saved {
            SavedDraft::Stored(draft) => SaveAnswerDraftPayload {
                draft: draft.as_ref().map(AnswerDraft::from),
                conflict: None,
            },
            SavedDraft::Stale(draft) => SaveAnswerDraftPayload {
                draft: None,
                conflict: Some(AnswerDraftConflict {
                    message: say(ctx, Message::DraftChanged),
                    draft: draft.as_ref().map(AnswerDraft::from),
                }),
            },
        })
    }
}
