//! What becomes of the questions and answers under pages of an account that is deleted, and what is derived from those that are left.

use chrono::{DateTime, Utc};
use kurso_base::ids::{DiscussionId, PageId, PostId, UserId};
use kurso_db::{Tx, sql};
use kurso_formats::content;

/// Discussions per statement.
const CHUNK: usize = 1_000;

/// Deletes the answers of a person and the questions that nobody else has answered. Other questions of the person keep their place without their
/// text.
pub(crate) async fn forget(tx: &mut Tx, user: UserId, now: DateTime<Utc>) -> Result<(), sqlx::Error> {
    let written = sql!(
        "SELECT DISTINCT discussion_id FROM discussion_posts WHERE author_id = $1",
        user
    );
    let written: Vec<DiscussionId> = ids(written.fetch_all(&mut *tx).await?);
    sql!(
        "DELETE FROM discussion_posts WHERE author_id = $1 AND NOT is_opening",
        user
    )
    .execute(&mut *tx)
    .await?;
    for written in written.chunks(CHUNK) {
        lock(tx, written).await?;
        clear(tx, written, Some(user), Some(now)).await?;
    }
    Ok(())
}

/// Does the same with what came out of the trash of people who have deleted their accounts meanwhile.
pub(crate) async fn forget_restored(tx: &mut Tx, pages: &[PageId]) -> Result<(), sqlx::Error> {
    for pages in pages.chunks(CHUNK) {
        let orphaned = sql!(
            "SELECT DISTINCT r.discussion_id FROM discussion_posts r JOIN discussions d ON d.id = r.discussion_id
             WHERE r.author_id IS NULL AND (r.deleted_at IS NULL OR NOT r.is_opening) AND d.page_id IN "
        );
        let orphaned: Vec<DiscussionId> = ids(orphaned.push_in(pages.iter().copied()).fetch_all(&mut *tx).await?);
        for orphaned in orphaned.chunks(CHUNK) {
            let answers =
                sql!("DELETE FROM discussion_posts WHERE author_id IS NULL AND NOT is_opening AND discussion_id IN ");
            answers.push_in(orphaned.iter().copied()).execute(&mut *tx).await?;
            clear(tx, orphaned, None, None).await?;
        }
    }
    Ok(())
}

/// Does the same with posts that the person wrote while the account was being deleted; it is gone now.
pub(crate) async fn forget_late(tx: &mut Tx) -> Result<(), sqlx::Error> {
    let late = "SELECT DISTINCT d.page_id FROM discussion_posts r JOIN discussions d ON d.id = r.discussion_id
        WHERE r.author_id IS NULL AND r.deleted_at IS NULL";
    let pages = sql!(late).fetch_all::<(PageId,)>(&mut *tx).await?;
    let pages: Vec<PageId> = pages.into_iter().map(|(page,)| page).collect();
    forget_restored(tx, &pages).await
}

/// Waits for answers that are being written, so that none is deleted with its question.
async fn lock(tx: &mut Tx, discussions: &[DiscussionId]) -> Result<(), sqlx::Error> {
    let rows = sql!("SELECT id FROM discussions WHERE id IN ").push_in(discussions.iter().copied());
    let rows = tx.for_update(rows.push(" ORDER BY id"));
    rows.fetch_all::<(DiscussionId,)>(tx).await?;
    Ok(())
}

fn ids(rows: Vec<(DiscussionId,)>) -> Vec<DiscussionId> {
    rows.into_iter().map(|(id,)| id).collect()
}

/// Of these discussions that the person has asked, deletes those without answers, and clears the questions of the others.
async fn clear(
    tx: &mut Tx,
    discussions: &[DiscussionId],
    asker: Option<UserId>,
    now: Option<DateTime<Utc>>,
) -> Result<(), sqlx::Error> {
    let unanswered = sql!(
        "DELETE FROM discussions WHERE EXISTS (SELECT 1 FROM discussion_posts o WHERE o.discussion_id = discussions.id AND o.is_opening
           AND (o.author_id = $1 OR (o.author_id IS NULL AND $1 IS NULL)))
         AND NOT EXISTS (SELECT 1 FROM discussion_posts a WHERE a.discussion_id = discussions.id AND NOT a.by_asker) AND id IN ",
        asker
    );
    unanswered
        .push_in(discussions.iter().copied())
        .execute(&mut *tx)
        .await?;
    let left = sql!(
        "SELECT o.id FROM discussion_posts o WHERE o.is_opening AND (o.author_id = $1 OR (o.author_id IS NULL AND $1 IS NULL))
         AND o.discussion_id IN ",
        asker
    );
    let left = left
        .push_in(discussions.iter().copied())
        .fetch_all::<(PostId,)>(&mut *tx)
        .await?;
    let left: Vec<PostId> = left.into_iter().map(|(post,)| post).collect();
    empty(tx, &left, now).await?;
    renew(tx, discussions.iter().copied()).await
}

/// Deletes what belongs to questions that keep their place, and their texts. Without a time, they count as deleted since they were asked.
pub(crate) async fn empty(tx: &mut Tx, questions: &[PostId], now: Option<DateTime<Utc>>) -> Result<(), sqlx::Error> {
    for of_post in [
        "DELETE FROM discussion_files WHERE post_id IN ",
        "DELETE FROM discussion_marks WHERE post_id IN ",
        "DELETE FROM discussion_reports WHERE post_id IN ",
    ] {
        let delete = sql!(of_post).push_in(questions.iter().copied());
        delete.execute(&mut *tx).await?;
    }
    let empty = sql!(
        "UPDATE discussion_posts SET body = $1, deleted_at = COALESCE($2, created_at), edited_at = NULL WHERE deleted_at IS NULL AND id IN ",
        content::EMPTY,
        now
    );
    empty.push_in(questions.iter().copied()).execute(tx).await?;
    Ok(())
}

/// Derives the time of the newest post, the number of answers, and since when the asking learner waits.
const RENEW: &str = "UPDATE discussions SET
      active_at = COALESCE((SELECT MAX(r.created_at) FROM discussion_posts r WHERE r.discussion_id = discussions.id AND r.hidden_at IS NULL),
        created_at),
      reply_count = (SELECT COUNT(*) FROM discussion_posts r WHERE r.discussion_id = discussions.id AND NOT r.is_opening AND r.hidden_at IS NULL),
      waiting_since = (SELECT MIN(q.created_at) FROM discussion_posts q WHERE q.discussion_id = discussions.id AND q.by_asker AND NOT q.by_staff
        AND q.deleted_at IS NULL AND q.hidden_at IS NULL AND NOT EXISTS (SELECT 1 FROM discussion_posts a
          WHERE a.discussion_id = q.discussion_id AND NOT a.by_asker AND a.hidden_at IS NULL AND a.id > q.id))
      WHERE id IN ";

/// Renews what is derived from the posts of discussions.
pub(crate) async fn renew(tx: &mut Tx, discussions: impl IntoIterator<Item = DiscussionId>) -> Result<(), sqlx::Error> {
    sql!(RENEW).push_in(discussions).execute(tx).await?;
    Ok(())
}
