//! Adds, changes and deletes comments.

use chrono::{DateTime, Utc};
use kurso_base::error::{Error, Result};
use kurso_base::ids::{CommentId, PageId, ThreadId, UserId};
use kurso_base::messages::Message;
use kurso_base::values::CommentText;
use kurso_db::events::{Change, Event};
use kurso_db::{Tx, sql};

use super::notify::{self, Place};
use super::{MAX_COMMENTS, Thread, list, mentions};
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::audit::{Act, Entry};
use crate::auth::limits;
use crate::courses::{self, Course, Scope};

/// A comment with its thread and page.
#[derive(sqlx::FromRow)]
struct Stored {
    thread_id: ThreadId,
    page_id: PageId,
    version: i64,
    author_id: Option<UserId>,
    text: String,
}

/// The page to which a thread belongs, with its version.
pub(super) async fn page_of(tx: &mut Tx, thread: ThreadId) -> Result<(PageId, i64)> {
    let page = sql!(
        "SELECT p.id, p.version FROM comment_threads t JOIN pages p ON p.id = t.page_id WHERE t.id = $1",
        thread
    );
    let page = page.fetch_optional(tx).await?;
    page.ok_or(Error::NotFound(Message::ThreadNotFound))
}

/// Publishes that the threads of the page have changed.
pub(super) fn publish_change(tx: &mut Tx, (page, version): (PageId, i64), by: UserId, at: DateTime<Utc>) {
    tx.publish(Event::Page {
        page,
        what: Change::Commented,
        version,
        by,
        session: None,
        at,
    });
}

/// Stores a comment, and notifies the participants of the thread and the people it mentions. The caller has locked the course.
pub(super) async fn insert(
    kurso: &Kurso,
    tx: &mut Tx,
    place: Place,
    viewer: &Viewer,
    (text, now): (&CommentText, DateTime<Utc>),
) -> Result<()> {
    let (id, thread) = (CommentId::new(), place.thread);
    sql!(
        "INSERT INTO page_comments (id, thread_id, author_id, text, created_at) VALUES ($1, $2, $3, $4, $5)",
        id,
        thread,
        viewer.id(),
        text.as_str(),
        now
    )
    .execute(&mut *tx)
    .await?;
    sql!("UPDATE comment_threads SET active_at = $2 WHERE id = $1", thread, now)
        .execute(&mut *tx)
        .await?;
    let mentioned = mention(kurso, tx, (place, id), viewer, (text.as_str(), now)).await?;
    notify::answered(tx, (place, id), &mentioned, (viewer.id(), now)).await
}

/// Stores the mentions of a comment, and notifies the people who were not mentioned before, except the author. Returns them.
async fn mention(
    kurso: &Kurso,
    tx: &mut Tx,
    (place, comment): (Place, CommentId),
    viewer: &Viewer,
    (text, now): (&str, DateTime<Utc>),
) -> Result<Vec<UserId>> {
    let mut new = mentions::store(tx, place.course, comment, text).await?;
    new.retain(|user| *user != viewer.id());
    kurso.limits.acquire(&limits::mentions(viewer.id(), new.len()), now)?;
    notify::mentioned(tx, (place, comment), &new, (viewer.id(), now)).await?;
    Ok(new)
}

/// Adds a comment to a thread. Fails with 409 if the thread has [`MAX_COMMENTS`].
pub async fn add(kurso: &Kurso, viewer: &Viewer, thread: ThreadId, text: CommentText) -> Result<Thread> {
    let course = courses::find(&kurso.db, viewer, thread, Right::Comment).await?;
    let now = kurso.clock.now();
    let mut tx = courses::begin(&kurso.db, course.id, Scope::Unchanged).await?;
    let page = page_of(&mut tx, thread).await?;
    let count = sql!("SELECT COUNT(*) FROM page_comments WHERE thread_id = $1", thread);
    let (count,) = count.fetch_one::<(i64,)>(&mut tx).await?;
    if count >= MAX_COMMENTS {
        return Err(Error::Conflict(Message::TooManyComments(MAX_COMMENTS)));
    }
    let place = Place {
        course: course.id,
        page: page.0,
        thread,
    };
    insert(kurso, &mut tx, place, viewer, (&text, now)).await?;
    publish_change(&mut tx, page, viewer.id(), now);
    tx.commit().await?;
    changed(kurso, viewer, &course, thread).await
}

/// The thread after a change.
pub(super) async fn changed(kurso: &Kurso, viewer: &Viewer, course: &Course, thread: ThreadId) -> Result<Thread> {
    let thread = list::one(kurso, viewer, course, thread).await?;
    thread.ok_or(Error::NotFound(Message::ThreadNotFound))
}

/// Changes the text of a comment of the viewer, and notifies the people it newly mentions. Fails with 403 for comments of others.
pub async fn edit(kurso: &Kurso, viewer: &Viewer, id: CommentId, text: CommentText) -> Result<Thread> {
    let course = courses::find(&kurso.db, viewer, id, Right::Comment).await?;
    let now = kurso.clock.now();
    let mut tx = courses::begin(&kurso.db, course.id, Scope::Unchanged).await?;
    let stored = stored(&mut tx, id).await?;
    if stored.author_id != Some(viewer.id()) {
        return Err(Error::Forbidden(Message::CommentOfAnother));
    }
    if stored.text != text.as_str() {
        sql!(
            "UPDATE page_comments SET text = $2, edited_at = $3 WHERE id = $1",
            id,
            text.as_str(),
            now
        )
        .execute(&mut tx)
        .await?;
        let place = Place {
            course: course.id,
            page: stored.page_id,
            thread: stored.thread_id,
        };
        mention(kurso, &mut tx, (place, id), viewer, (text.as_str(), now)).await?;
        publish_change(&mut tx, (stored.page_id, stored.version), viewer.id(), now);
        tx.commit().await?;
    } else {
        tx.rollback().await?;
    }
    changed(kurso, viewer, &course, stored.thread_id).await
}

/// Deletes a comment: one's own, or any for the owner and editors. The last comment of a thread deletes it: then there is no thread to return.
/// Also returns the page.
pub async fn delete(kurso: &Kurso, viewer: &Viewer, id: CommentId) -> Result<(PageId, Option<Thread>)> {
    let course = courses::find(&kurso.db, viewer, id, Right::Comment).await?;
    let now = kurso.clock.now();
    let mut tx = courses::begin(&kurso.db, course.id, Scope::Unchanged).await?;
    let stored = stored(&mut tx, id).await?;
    let is_own = stored.author_id == Some(viewer.id());
    if !is_own && !course.role.may(Right::Edit) {
        return Err(Error::Forbidden(Message::CommentOfAnother));
    }
    notify::deleted(&mut tx, id).await?;
    sql!("DELETE FROM page_comments WHERE id = $1", id)
        .execute(&mut tx)
        .await?;
    sql!(
        "DELETE FROM comment_threads WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM page_comments WHERE thread_id = $1)",
        stored.thread_id
    )
    .execute(&mut tx)
    .await?;
    if !is_own {
        let entry = Entry::new(Act::CommentDeleted).by(viewer.id()).to(stored.author_id);
        let entry = entry.in_course(course.id).about(stored.page_id);
        entry.write(&mut tx, now).await?;
    }
    publish_change(&mut tx, (stored.page_id, stored.version), viewer.id(), now);
    tx.commit().await?;
    let thread = list::one(kurso, viewer, &course, stored.thread_id).await?;
    Ok((stored.page_id, thread))
}

async fn stored(tx: &mut Tx, id: CommentId) -> Result<Stored> {
    let stored = sql!(
        "SELECT c.thread_id, t.page_id, p.version, c.author_id, c.text FROM page_comments c
         JOIN comment_threads t ON t.id = c.thread_id JOIN pages p ON p.id = t.page_id WHERE c.id = $1",
        id
    );
    let stored = stored.fetch_optional(tx).await?;
    stored.ok_or(Error::NotFound(Message::CommentNotFound))
}
