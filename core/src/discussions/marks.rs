//! What readers say of posts of others: that they are useful, or that the staff should look at them.

use kurso_base::error::{Error, Result};
use kurso_base::ids::PostId;
use kurso_base::messages::Message;
use kurso_base::values::ModerationReason;
use kurso_db::sql;

use super::stored::{self, Participant};
use super::{ChangedPost, notify, posts};
use crate::Kurso;
use crate::access::Viewer;
use crate::auth::limits;
use crate::courses::{self, Scope};

/// Marks a post as useful, or takes the mark back.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(any(test, feature = "testing"), derive(serde::Deserialize))]
pub struct PostMark {
    pub is_useful: bool,
}

/// Marks a post as useful, once per person, or takes the mark back. Fails with 409 for one's own, hidden and deleted posts.
pub async fn mark(kurso: &Kurso, viewer: &Viewer, id: PostId, mark: PostMark) -> Result<ChangedPost> {
    viewer.require_account()?;
    let (Participant { course, reader }, _) = stored::participant_by(kurso, viewer, id).await?;
    let mut tx = courses::begin(&kurso.db, course.id, Scope::Unchanged).await?;
    let stored = stored::reload(&mut tx, &reader, id).await?;
    stored.require_shown()?;
    if stored.author_id == Some(viewer.id()) {
        return Err(Error::Conflict(Message::OwnPost));
    }
    let marked = match mark.is_useful {
        true => {
            "INSERT INTO discussion_marks (post_id, user_id) VALUES ($1, $2) ON CONFLICT (post_id, user_id) DO NOTHING"
        }
        false => "DELETE FROM discussion_marks WHERE post_id = $1 AND user_id = $2",
    };
    if sql!(marked, id, viewer.id()).execute(&mut tx).await? > 0 {
        stored::publish(&mut tx, course.id, &stored, viewer.id(), kurso.clock.now());
    }
    tx.commit().await?;
    posts::changed(kurso, &reader, (stored.id, id)).await
}

/// Why a person reports a post.
#[derive(Clone, Debug)]
#[cfg_attr(any(test, feature = "testing"), derive(serde::Deserialize))]
pub struct PostReport {
    pub reason: ModerationReason,
}

/// Reports a post to the owner and teachers; a second report of a person replaces the first. Fails with 409 for one's own, hidden and deleted
/// posts, and with 429 if the person reports too much.
pub async fn report(kurso: &Kurso, viewer: &Viewer, id: PostId, report: PostReport) -> Result<ChangedPost> {
    viewer.require_account()?;
    let (Participant { course, reader }, _) = stored::participant_by(kurso, viewer, id).await?;
    let mut tx = courses::begin(&kurso.db, course.id, Scope::Unchanged).await?;
    let now = kurso.clock.now();
    let stored = stored::reload(&mut tx, &reader, id).await?;
    stored.require_shown()?;
    if stored.author_id == Some(viewer.id()) {
        return Err(Error::Conflict(Message::OwnPost));
    }
    kurso.limits.acquire(&limits::reports(viewer.id()), now)?;
    sql!(
        "INSERT INTO discussion_reports (post_id, user_id, reason, reported_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (post_id, user_id) DO UPDATE SET reason = excluded.reason, reported_at = excluded.reported_at,
           settled_at = NULL, settled_by = NULL",
        id,
        viewer.id(),
        report.reason.as_str(),
        now
    )
    .execute(&mut tx)
    .await?;
    notify::reported(&mut tx, course.id, &stored, (viewer.id(), now)).await?;
    stored::publish_to_moderators(&mut tx, course.id, &stored, viewer.id(), now);
    tx.commit().await?;
    posts::changed(kurso, &reader, (stored.id, id)).await
}
