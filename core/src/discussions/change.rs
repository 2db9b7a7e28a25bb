//! Changes discussions: resolved, pinned, locked, moved, read, followed.

use chrono::{DateTime, Utc};
use kurso_base::error::{Error, Result};
use kurso_base::ids::{DiscussionId, PageId, PostId};
use kurso_base::messages::Message;
use kurso_db::{Tx, sql};

use super::stored::{self, Participant, Stored};
use super::{Discussion, list, notify, start};
use crate::Kurso;
use crate::access::Viewer;
use crate::audit::{Act, Entry};
use crate::comments::start::refused;
use crate::courses::{self, Course, Scope};

/// What becomes of a discussion. None: as it is.
#[derive(Clone, Copy, Debug, Default)]
#[cfg_attr(any(test, feature = "testing"), derive(serde::Deserialize), serde(default))]
pub struct ChangeDiscussion {
    /// The asker and the staff.
    pub is_resolved: Option<bool>,
    /// The answer that solved it, which also resolves it. The asker and the staff.
    pub accepted_post_id: Option<PostId>,
    /// Owner and teachers.
    pub is_pinned: Option<bool>,
    /// Owner and teachers.
    pub is_locked: Option<bool>,
    /// Another page of the course. Owner and teachers.
    pub page_id: Option<PageId>,
}

/// Fails with 403 without the right to one of the changes, with 409 if the page has too many open discussions, and with 422 for an answer of
/// another discussion or a page of another course.
pub async fn change(kurso: &Kurso, viewer: &Viewer, id: DiscussionId, to: ChangeDiscussion) -> Result<Discussion> {
    let (Participant { course, reader }, _) = stored::participant_by(kurso, viewer, id).await?;
    let mut tx = courses::begin(&kurso.db, course.id, Scope::Unchanged).await?;
    let now = kurso.clock.now();
    let stored = stored::reload(&mut tx, &reader, id).await?;
    if to.is_pinned.is_some() || to.is_locked.is_some() || to.page_id.is_some() {
        stored::require_moderator(&reader)?;
    }
    let resolves = to.is_resolved.is_some() || to.accepted_post_id.is_some();
    if resolves && !reader.is_staff() && stored.asker_id != Some(viewer.id()) {
        return Err(Error::Forbidden(Message::DiscussionOfAnother));
    }
    let mut stored = stored;
    if let Some(page) = to.page_id.filter(|page| *page != stored.page_id) {
        stored = move_to(&mut tx, (viewer, &course), stored, page, now).await?;
    }
    if let Some(post) = to.accepted_post_id {
        accept(&mut tx, id, post).await?;
    }
    let is_resolved = to.is_resolved.unwrap_or(stored.resolved_at.is_some()) || to.accepted_post_id.is_some();
    if is_resolved != stored.resolved_at.is_some() {
        resolve(&mut tx, &stored, is_resolved, now).await?;
    }
    sql!(
        "UPDATE discussions SET is_pinned = $2, is_locked = $3 WHERE id = $1",
        id,
        to.is_pinned.unwrap_or(stored.is_pinned),
        to.is_locked.unwrap_or(stored.is_locked)
    )
    .execute(&mut tx)
    .await?;
    stored::publish(&mut tx, course.id, &stored, viewer.id(), now);
    tx.commit().await?;
    list::one(kurso, &reader, id).await
}

/// Accepts an answer in place of any other.
async fn accept(tx: &mut Tx, id: DiscussionId, post: PostId) -> Result<()> {
    let accept = sql!(
        "UPDATE discussion_posts SET is_accepted = (id = $2) WHERE discussion_id = $1 AND (is_accepted OR id = $2)
         AND NOT is_opening AND EXISTS (SELECT 1 FROM discussion_posts a
           WHERE a.id = $2 AND a.discussion_id = $1 AND NOT a.is_opening AND a.hidden_at IS NULL)",
        id,
        post
    );
    match accept.execute(tx).await? {
        0 => Err(refused("accepted_post_id", Message::NoSuchReply)),
        _ => Ok(()),
    }
}

/// Reopening also takes back the accepted answer.
async fn resolve(tx: &mut Tx, stored: &Stored, resolved: bool, now: DateTime<Utc>) -> Result<()> {
    if !resolved {
        start::require_room(&mut *tx, stored.page_id).await?;
        let taken_back = sql!(
            "UPDATE discussion_posts SET is_accepted = FALSE WHERE discussion_id = $1 AND is_accepted",
            stored.id
        );
        taken_back.execute(&mut *tx).await?;
    }
    sql!(
        "UPDATE discussions SET resolved_at = $2 WHERE id = $1",
        stored.id,
        resolved.then_some(now)
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Moves a discussion to the whole of another page, together with its notices. Returns it as it is then.
async fn move_to(
    tx: &mut Tx,
    (viewer, course): (&Viewer, &Course),
    stored: Stored,
    page: PageId,
    now: DateTime<Utc>,
) -> Result<Stored> {
    let known = sql!("SELECT id FROM pages WHERE id = $1 AND course_id = $2", page, course.id);
    if known.fetch_optional::<(PageId,)>(&mut *tx).await?.is_none() {
        return Err(refused("page_id", Message::UnknownPage));
    }
    if stored.resolved_at.is_none() {
        start::require_room(&mut *tx, page).await?;
    }
    sql!(
        "UPDATE discussions SET page_id = $2, moved_at = $3, block = NULL, quote = NULL, block_text = NULL WHERE id = $1",
        stored.id,
        page,
        now
    )
    .execute(&mut *tx)
    .await?;
    notify::moved(&mut *tx, stored.id, page).await?;
    let entry = Entry::new(Act::DiscussionMoved).by(viewer.id()).in_course(course.id);
    entry.about(page).detail(stored.id).write(&mut *tx, now).await?;
    let moved = Stored {
        page_id: page,
        ..stored.clone()
    };
    // For those who watch the page that it leaves; the caller tells those of the other one.
    stored::publish(tx, course.id, &stored, viewer.id(), now);
    Ok(moved)
}

/// What a person notes of a discussion for themselves.
#[derive(Clone, Copy, Debug, Default)]
#[cfg_attr(any(test, feature = "testing"), derive(serde::Deserialize), serde(default))]
pub struct NoteDiscussion {
    /// The newest post that was shown. What was read later stays read.
    pub read_post_id: Option<PostId>,
    /// Whether the person gets notices of new answers.
    pub follows: Option<bool>,
}

/// Fails with 404 for a post that the discussion does not have.
pub async fn note(kurso: &Kurso, viewer: &Viewer, id: DiscussionId, note: NoteDiscussion) -> Result<Discussion> {
    let (Participant { reader, .. }, _) = stored::participant_by(kurso, viewer, id).await?;
    let mut tx = kurso.db.begin().await?;
    if let Some(post) = note.read_post_id {
        let read = sql!(
            "INSERT INTO discussion_reads (discussion_id, user_id, read_at)
             SELECT discussion_id, $3, created_at FROM discussion_posts WHERE id = $2 AND discussion_id = $1
             ON CONFLICT (discussion_id, user_id) DO UPDATE SET read_at = CASE
               WHEN discussion_reads.read_at > excluded.read_at THEN discussion_reads.read_at ELSE excluded.read_at END",
            id,
            post,
            viewer.id()
        );
        if read.execute(&mut tx).await? == 0 {
            return Err(Error::NotFound(Message::PostNotFound));
        }
    }
    if let Some(follows) = note.follows {
        sql!(
            "INSERT INTO discussion_reads (discussion_id, user_id, follows) VALUES ($1, $2, $3)
             ON CONFLICT (discussion_id, user_id) DO UPDATE SET follows = excluded.follows",
            id,
            viewer.id(),
            follows
        )
        .execute(&mut tx)
        .await?;
    }
    tx.commit().await?;
    list::one(kurso, &reader, id).await
}
