//! Gives pages the drafts that they had.

use chrono::{DateTime, Utc};
use kurso_base::error::Result;
use kurso_base::ids::{PageId, UserId};
use kurso_db::Tx;
use kurso_db::events::Change;

use super::draft;
use super::stored::{self, Author, Text};

/// The texts of a draft.
pub(crate) struct DraftText {
    pub title: Option<String>,
    pub content: String,
    pub quiz: Option<String>,
}

/// Replaces the draft of a page by this one, or deletes it. The new draft is based on the page's present text. The caller has locked the course.
pub(crate) async fn set_draft(
    tx: &mut Tx,
    page: PageId,
    text: Option<DraftText>,
    by: UserId,
    now: DateTime<Utc>,
) -> Result<()> {
    let stored = stored::stored(tx, page).await?;
    let draft = draft::of_page(&mut *tx, page).await?;
    let by = Author {
        user: by,
        session: None,
    };
    let text = text.map(|text| Text {
        title: text.title,
        content: text.content,
        quiz: text.quiz,
    });
    // A draft differs from the text of its page.
    let Some(text) = text.filter(|text| !text.same_as(&stored.page)) else {
        if draft.is_some() {
            draft::delete(tx, page).await?;
            draft::tell(tx, page, Change::DraftDiscarded, stored.page.version, by, now);
        }
        return Ok(());
    };
    if draft.is_some() && text.same_as(&stored.page.with_draft(draft.as_ref())) {
        return Ok(());
    }
    let base = stored.page.version;
    let version = draft::write(tx, &stored, draft.as_ref(), (&text, base), by, now).await?;
    draft::tell(tx, page, Change::DraftSaved, version, by, now);
    Ok(())
}
