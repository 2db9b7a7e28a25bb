//! Marks notices as read.

use kurso_base::error::Result;
use kurso_base::ids::NoticeId;
use kurso_db::events::Event;
use kurso_db::{Sql, sql};

use super::MarkAllRead;
use super::list::unread;
use crate::Kurso;
use crate::access::Viewer;

/// Marks notices of the viewer as read; others are ignored. Returns the number of unread ones.
pub async fn mark_read(kurso: &Kurso, viewer: &Viewer, ids: &[NoticeId]) -> Result<usize> {
    let mark = sql!(
        "UPDATE notices SET read_at = $2, mail_at = NULL, push_at = NULL WHERE user_id = $1 AND read_at IS NULL AND id IN ",
        viewer.id(),
        kurso.clock.now()
    );
    mark_by(kurso, viewer, mark.push_in(ids.iter().copied())).await
}

/// Marks the viewer's notices up to this one as read. Later ones stay unread. Returns the number of unread ones.
pub async fn mark_all_read(kurso: &Kurso, viewer: &Viewer, MarkAllRead { before }: MarkAllRead) -> Result<usize> {
    let mark = sql!(
        "UPDATE notices SET read_at = $2, mail_at = NULL, push_at = NULL WHERE user_id = $1 AND read_at IS NULL AND in_app AND id <= $3",
        viewer.id(),
        kurso.clock.now(),
        before
    );
    mark_by(kurso, viewer, mark).await
}

async fn mark_by(kurso: &Kurso, viewer: &Viewer, mark: Sql<'_>) -> Result<usize> {
    let user = viewer.id();
    if mark.execute(&kurso.db).await? > 0 {
        kurso.db.publish(Event::Notices { user, newest: None }).await;
    }
    unread(kurso, viewer).await
}
