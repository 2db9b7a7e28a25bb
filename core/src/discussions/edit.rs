//! Changes and deletes posts.

use chrono::{DateTime, Utc};
use kurso_base::error::{Error, Result};
use kurso_base::ids::{PageId, PostId};
use kurso_base::messages::Message;
use kurso_db::{Tx, sql};
use kurso_formats::content::PostBody;

use super::stored::{self, Participant, Stored};
use super::{ChangedPost, Discussion, list, notify, posts, start};
use crate::Kurso;
use crate::access::Viewer;
use crate::audit::{Act, Entry};
use crate::courses::{self, Scope};
use crate::deletion;

/// The new text of a post.
#[derive(Clone, Debug)]
#[cfg_attr(any(test, feature = "testing"), derive(serde::Deserialize))]
pub struct PostEdit {
    pub body: PostBody,
}

/// Changes the text of a post of the viewer. Fails with 403 for posts of others, and with 409 if it is hidden or deleted, or if the discussion is
/// locked for learners.
pub async fn edit(kurso: &Kurso, viewer: &Viewer, id: PostId, new: PostEdit) -> Result<ChangedPost> {
    let (Participant { course, reader }, _) = stored::participant_by(kurso, viewer, id).await?;
    let mut tx = courses::begin(&kurso.db, course.id, Scope::Unchanged).await?;
    let now = kurso.clock.now();
    let stored = stored::reload(&mut tx, &reader, id).await?;
    if stored.author_id != Some(viewer.id()) {
        return Err(Error::Forbidden(Message::PostOfAnother));
    }
    stored.require_shown()?;
    start::require_open(&reader, &stored)?;
    let text = new.body.as_json().to_string();
    if text == stored.body {
        tx.rollback().await?;
        return posts::changed(kurso, &reader, (stored.id, id)).await;
    }
    start::check(&mut tx, viewer, &reader, course.id, &new.body, Some(&stored.body)).await?;
    sql!(
        "UPDATE discussion_posts SET body = $2, edited_at = $3 WHERE id = $1",
        id,
        text,
        now
    )
    .execute(&mut tx)
    .await?;
    start::keep_files(&mut tx, id, &new.body).await?;
    start::count(kurso, &reader, now)?;
    stored::publish(&mut tx, course.id, &stored, viewer.id(), now);
    tx.commit().await?;
    posts::changed(kurso, &reader, (stored.id, id)).await
}

/// Deletes a post: one's own, or any for the owner and teachers. A question that others have answered keeps its place without a text; one
/// that nobody has answered is deleted with its discussion: then there is none to return. Also returns the page.
pub async fn delete(kurso: &Kurso, viewer: &Viewer, id: PostId) -> Result<(PageId, Option<Discussion>)> {
    let (Participant { course, reader }, _) = stored::participant_by(kurso, viewer, id).await?;
    let mut tx = courses::begin(&kurso.db, course.id, Scope::Unchanged).await?;
    let now = kurso.clock.now();
    let stored = stored::reload(&mut tx, &reader, id).await?;
    let is_own = stored.author_id == Some(viewer.id());
    if !is_own && !reader.is_moderator() {
        return Err(Error::Forbidden(Message::PostOfAnother));
    }
    if is_own && !reader.is_moderator() && stored.hidden_at.is_some() {
        return Err(Error::Conflict(Message::PostHidden));
    }
    notify::withdraw(&mut tx, stored.id, id).await?;
    remove(&mut tx, &stored, now).await?;
    stored::renew(&mut tx, [stored.id]).await?;
    if !is_own {
        let entry = Entry::new(Act::PostDeleted).by(viewer.id()).in_course(course.id);
        let entry = entry.to(stored.named_author()).about(stored.page_id).detail(id);
        entry.write(&mut tx, now).await?;
    }
    stored::publish(&mut tx, course.id, &stored, viewer.id(), now);
    tx.commit().await?;
    let discussion = list::found(kurso, &reader, stored.id).await?;
    Ok((stored.page_id, discussion))
}

/// Deletes a post with all that belongs to it. A question that others have answered keeps its place without a text.
async fn remove(tx: &mut Tx, stored: &Stored, now: DateTime<Utc>) -> Result<()> {
    if !stored.is_opening {
        let delete = sql!("DELETE FROM discussion_posts WHERE id = $1", stored.post_id);
        delete.execute(tx).await?;
        return Ok(());
    }
    let delete = sql!(
        "DELETE FROM discussions WHERE id = $1 AND NOT EXISTS (
           SELECT 1 FROM discussion_posts a WHERE a.discussion_id = discussions.id AND NOT a.by_asker)",
        stored.id
    );
    if delete.execute(&mut *tx).await? == 0 {
        deletion::posts::empty(tx, &[stored.post_id], Some(now)).await?;
    }
    Ok(())
}
