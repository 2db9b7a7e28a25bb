//! Marks announcements as read.

use std::collections::HashSet;

use kurso_base::error::Result;
use kurso_base::ids::{AnnouncementId, CourseId};
use kurso_base::values::Several;
use kurso_db::events::Event;
use kurso_db::sql;

use super::{MarkRead, list};
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::courses;
use crate::notices::Kind;

/// Marks published announcements of a course, and their notices, as read by the viewer. Ignores announcements that the viewer may not read. Returns
/// the number of unread announcements in the course. Fails with 404 without a relation to the course. At most five statements.
pub async fn mark_read(kurso: &Kurso, viewer: &Viewer, course: CourseId, command: MarkRead) -> Result<usize> {
    let MarkRead {
        announcement_ids: Several(ids),
    } = command;
    let course = courses::find(&kurso.db, viewer, course, Right::Read).await?;
    let (user, now) = (viewer.id(), kurso.clock.now());
    let mut keys = list::keys(&kurso.db, user, &course).await?;
    let ids: HashSet<AnnouncementId> = ids.into_iter().collect();
    let mut read: Vec<AnnouncementId> = vec![];
    for key in keys
        .iter_mut()
        .filter(|key| key.is_published() && ids.contains(&key.id))
    {
        key.is_read = true;
        read.push(key.id);
    }
    if !read.is_empty() {
        let mut tx = kurso.db.begin().await?;
        sql!(
            "INSERT INTO announcement_reads (announcement_id, user_id, read_at) SELECT a.id, $1, $2 FROM announcements a WHERE a.id IN ",
            user,
            now
        )
        .push_in(read.iter().copied())
        .push(" ON CONFLICT (announcement_id, user_id) DO NOTHING")
        .execute(&mut tx)
        .await?;
        let notices = sql!(
            "UPDATE notices SET read_at = $2, mail_at = NULL, push_at = NULL WHERE user_id = $1 AND read_at IS NULL AND kind = $3 AND subject IN ",
            user,
            now,
            Kind::Announcement
        );
        if notices.push_in(read.iter().copied()).execute(&mut tx).await? > 0 {
            tx.publish(Event::Notices { user, newest: None });
        }
        tx.commit().await?;
    }
    Ok(list::unread(&keys))
}
