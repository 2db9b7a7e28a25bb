//! Accepts and rejects suggested changes.

use kurso_base::error::{Error, Result};
use kurso_base::ids::{CourseId, PageId, ThreadId};
use kurso_base::messages::Message;
use kurso_base::values::{Checked as _, PageVersion};
use kurso_db::{Tx, sql};
use kurso_formats::content::{self, Document};
use serde_json::{Value, json};

use super::list::stored_blocks;
use super::{Thread, anchor, comment};
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::audit::{Act, Entry};
use crate::courses::page::{self, UpdateError, UpdatePage};
use crate::courses::{self, Scope};

#[derive(sqlx::FromRow)]
struct Stored {
    page_id: PageId,
    block: Option<i64>,
    old_blocks: Option<String>,
    new_blocks: Option<String>,
    suggestion: Option<String>,
}

/// Makes a suggested change in the text that editors see, as a save of the page with `draft`, and resolves the thread. `version` is that of the
/// text that the viewer was shown. Fails with 409 if the page has another one now, if the block has changed since the suggestion, and if the suggestion is
/// decided; with 422 if the page would not be valid. Owner and editors.
pub async fn accept(kurso: &Kurso, viewer: &Viewer, id: ThreadId, version: PageVersion) -> Result<Thread> {
    let course = courses::find(&kurso.db, viewer, id, Right::Edit).await?;
    let stored = pending(kurso, id).await?;
    let texts = anchor::texts(&kurso.db, &[stored.page_id]).await?.pop();
    let texts = texts.ok_or(Error::NotFound(Message::PageNotFound))?;
    let (present, content) = texts.seen(true);
    if present != version.get() {
        return Err(Error::Conflict(Message::PageChanged));
    }
    let content = with_suggestion(content, &stored)?;
    let update = UpdatePage {
        content: Some(content),
        version: Some(version),
        draft: true,
        ..UpdatePage::default()
    };
    let updated = Box::pin(page::update_uncommitted(kurso, viewer, stored.page_id, None, update)).await;
    let (_, tx) = updated.map_err(|error| match error {
        UpdateError::Conflict(_) => Error::Conflict(Message::PageChanged),
        UpdateError::Refused(error) => error,
    })?;
    let tx = match tx {
        Some(tx) => tx,
        None => courses::begin(&kurso.db, course.id, Scope::Unchanged).await?,
    };
    decide(kurso, viewer, tx, (course.id, id), "accepted").await?;
    comment::changed(kurso, viewer, &course, id).await
}

/// Rejects a suggested change, and resolves the thread. Fails with 409 if it is decided. Owner and editors.
pub async fn reject(kurso: &Kurso, viewer: &Viewer, id: ThreadId) -> Result<Thread> {
    let course = courses::find(&kurso.db, viewer, id, Right::Edit).await?;
    pending(kurso, id).await?;
    let tx = courses::begin(&kurso.db, course.id, Scope::Unchanged).await?;
    decide(kurso, viewer, tx, (course.id, id), "rejected").await?;
    comment::changed(kurso, viewer, &course, id).await
}

/// The suggestion of a thread. Fails with 409 if it is decided.
async fn pending(kurso: &Kurso, id: ThreadId) -> Result<Stored> {
    let stored = sql!(
        "SELECT page_id, block, old_blocks, new_blocks, suggestion FROM comment_threads WHERE id = $1",
        id
    );
    let stored = stored.fetch_optional::<Stored>(&kurso.db).await?;
    let stored = stored.ok_or(Error::NotFound(Message::ThreadNotFound))?;
    match stored.suggestion.as_deref() {
        None => Err(Error::Conflict(Message::NoSuggestion)),
        Some("pending") => Ok(stored),
        Some(_) => Err(Error::Conflict(Message::SuggestionDecided)),
    }
}

/// The document with the suggested blocks in place of the nearest block that equals the one for which they were suggested.
fn with_suggestion(content: &str, stored: &Stored) -> Result<Document> {
    let blocks = |text: &Option<String>| stored_blocks(text.as_deref().unwrap_or("[]"));
    let (before, after) = (blocks(&stored.old_blocks)?, blocks(&stored.new_blocks)?);
    let mut present = anchor::blocks(content)?;
    let index = usize::try_from(stored.block.unwrap_or(0)).unwrap_or(usize::MAX);
    let equal = present.iter().enumerate().filter(|(_, block)| before.contains(block));
    let place = equal.map(|(place, _)| place).min_by_key(|place| place.abs_diff(index));
    let place = place.ok_or(Error::Conflict(Message::SuggestionOutdated))?;
    present.splice(place..=place, after);
    let document = match present.is_empty() {
        true => content::empty(),
        false => json!({"type": "doc", "content": present}),
    };
    Document::check(document).map_err(|problem| {
        let loc = vec!["body".into(), "suggestion".into()];
        Error::invalid(problem.at(loc, Value::Null))
    })
}

/// Stores the decision and commits. Fails with 409 if another one was made meanwhile.
async fn decide(
    kurso: &Kurso,
    viewer: &Viewer,
    mut tx: Tx,
    (course, id): (CourseId, ThreadId),
    state: &'static str,
) -> Result<()> {
    let now = kurso.clock.now();
    let decided = sql!(
        "UPDATE comment_threads SET suggestion = $2, decided_at = $3, decided_by = $4, active_at = $3,
           resolved_by = CASE WHEN resolved_at IS NULL THEN $4 ELSE resolved_by END, resolved_at = COALESCE(resolved_at, $3)
         WHERE id = $1 AND suggestion = 'pending'",
        id,
        state,
        now,
        viewer.id()
    );
    if decided.execute(&mut tx).await? == 0 {
        tx.rollback().await?;
        return Err(Error::Conflict(Message::SuggestionDecided));
    }
    let page = comment::page_of(&mut tx, id).await?;
    if state == "accepted" {
        let entry = Entry::new(Act::SuggestionAccepted).by(viewer.id());
        entry.in_course(course).about(page.0).write(&mut tx, now).await?;
    }
    comment::publish_change(&mut tx, page, viewer.id(), now);
    tx.commit().await?;
    Ok(())
}
