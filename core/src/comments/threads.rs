//! Resolves and reopens threads, and notes what was read of them.

use kurso_base::error::{Error, Result};
use kurso_base::ids::{CommentId, ThreadId, UserId};
use kurso_base::messages::Message;
use kurso_db::sql;

use super::start::require_room;
use super::{Thread, comment};
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::courses::{self, Scope};

/// Resolves a thread. The owner, editors and who started it; nothing happens if it is resolved.
pub async fn resolve(kurso: &Kurso, viewer: &Viewer, id: ThreadId) -> Result<Thread> {
    set_resolved(kurso, viewer, id, true).await
}

/// Reopens a thread. The owner, editors and who started it; nothing happens if it is open. Fails with 409 if the page has
/// [`super::MAX_OPEN`] open threads.
pub async fn reopen(kurso: &Kurso, viewer: &Viewer, id: ThreadId) -> Result<Thread> {
    set_resolved(kurso, viewer, id, false).await
}

async fn set_resolved(kurso: &Kurso, viewer: &Viewer, id: ThreadId, resolved: bool) -> Result<Thread> {
    let course = courses::find(&kurso.db, viewer, id, Right::Comment).await?;
    let now = kurso.clock.now();
    let mut tx = courses::begin(&kurso.db, course.id, Scope::Unchanged).await?;
    let page = comment::page_of(&mut tx, id).await?;
    let state = sql!(
        "SELECT started_by, resolved_at IS NOT NULL FROM comment_threads WHERE id = $1",
        id
    );
    let (starter, is_resolved) = state.fetch_one::<(Option<UserId>, bool)>(&mut tx).await?;
    if !course.role.may(Right::Edit) && starter != Some(viewer.id()) {
        return Err(Error::Forbidden(Message::ThreadOfAnother));
    }
    if is_resolved == resolved {
        tx.rollback().await?;
        return comment::changed(kurso, viewer, &course, id).await;
    }
    if !resolved {
        require_room(&mut tx, page.0).await?;
    }
    sql!(
        "UPDATE comment_threads SET resolved_at = $2, resolved_by = $3, active_at = $4 WHERE id = $1",
        id,
        resolved.then_some(now),
        resolved.then_some(viewer.id()),
        now
    )
    .execute(&mut tx)
    .await?;
    comment::publish_change(&mut tx, page, viewer.id(), now);
    tx.commit().await?;
    comment::changed(kurso, viewer, &course, id).await
}

/// Notes that the viewer has read a thread up to a comment. What was read later stays read.
pub async fn mark_read(kurso: &Kurso, viewer: &Viewer, id: ThreadId, comment: CommentId) -> Result<Thread> {
    let course = courses::find(&kurso.db, viewer, id, Right::Comment).await?;
    let read = sql!(
        "INSERT INTO thread_reads (thread_id, user_id, read_at)
         SELECT thread_id, $3, created_at FROM page_comments WHERE id = $2 AND thread_id = $1
         ON CONFLICT (thread_id, user_id) DO UPDATE SET read_at = CASE
           WHEN thread_reads.read_at < excluded.read_at THEN excluded.read_at ELSE thread_reads.read_at END",
        id,
        comment,
        viewer.id()
    );
    if read.execute(&kurso.db).await? == 0 {
        return Err(Error::NotFound(Message::CommentNotFound));
    }
    comment::changed(kurso, viewer, &course, id).await
}
