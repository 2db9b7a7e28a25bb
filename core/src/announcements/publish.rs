//! The worker that publishes scheduled announcements, and notifies the learners of published ones.
//!
//! The rows are the queue. If several nodes publish the same announcement, the conditional update succeeds on one of them. Learners are notified in
//! chunks, in the order of their enrollment IDs. The transaction that stores the notices of a chunk also advances `notified_after` from the value
//! that its node has read: of several nodes one succeeds, and after a crash another node continues with the next chunk. So each learner gets exactly
//! one notice.

use std::sync::Arc;
use std::time::Duration;

use kurso_base::error::Result;
use kurso_base::ids::{AnnouncementId, CourseId, EnrollmentId, UserId};
use kurso_db::sql;
use tokio::sync::{Notify, watch};
use tokio::time::sleep;
use uuid::Uuid;

use super::counts::is_receiver;
use super::write::{BEFORE_ALL, note_publication};
use crate::Kurso;
use crate::notices::{self, Kind, Notice, Receiver};

/// The poll interval, and thus the maximum delay of a scheduled announcement.
const POLL_INTERVAL: Duration = Duration::from_secs(5);
/// The number of learners per transaction.
pub const CHUNK: usize = 200;
/// The pause between two chunks, because the apps of the notified learners then read their notices.
const PAUSE: Duration = Duration::from_millis(100);
/// The number of announcements read at a time.
const ANNOUNCEMENTS: i64 = 100;

/// Wakes the worker of this process.
#[derive(Debug, Default)]
pub struct Publishing {
    /// Notified when an announcement is published.
    pub(crate) wake: Notify,
}

/// Publishes and notifies until `stop` is true.
pub async fn work(kurso: Arc<Kurso>, mut stop: watch::Receiver<bool>) {
    while !*stop.borrow() {
        let pause = match round(&kurso).await {
            Ok(0) => POLL_INTERVAL,
            Ok(_) => PAUSE,
            Err(error) => {
                tracing::warn!(%error, "announcements could not be published");
                POLL_INTERVAL
            }
        };
        tokio::select! {
            () = sleep(pause) => {}
            () = kurso.announcements.wake.notified() => {}
            Ok(()) = stop.changed() => {}
        }
    }
}

/// Publishes the due announcements, and notifies all learners of published ones.
pub async fn publish_due(kurso: &Kurso) -> Result<()> {
    while round(kurso).await? > 0 {}
    Ok(())
}

/// Publishes the due announcements, and notifies the next chunk of learners of each published one. Returns the number of announcements whose
/// learners were notified; an announcement that fails does not stop the others. Two statements if there is nothing to do.
pub async fn round(kurso: &Kurso) -> Result<usize> {
    let now = kurso.clock.now();
    let due = sql!(
        "SELECT id FROM announcements WHERE publish_at <= $1 ORDER BY publish_at, id LIMIT $2",
        now,
        ANNOUNCEMENTS
    );
    for (id,) in due.fetch_all::<(AnnouncementId,)>(&kurso.db).await? {
        if let Err(error) = publish(kurso, id).await {
            tracing::warn!(%id, %error, "an announcement could not be published");
        }
    }
    let published = sql!(
        "SELECT id, course_id, author_id, notified_after FROM announcements WHERE notified_after IS NOT NULL
         ORDER BY published_at, id LIMIT $1",
        ANNOUNCEMENTS
    );
    let published = published.fetch_all::<Published>(&kurso.db).await?;
    let mut notified = 0;
    for announcement in &published {
        match notify(kurso, announcement).await {
            Ok(()) => notified += 1,
            Err(error) => {
                tracing::warn!(id = %announcement.id, %error, "learners could not be notified of an announcement")
            }
        }
    }
    Ok(notified)
}

/// Publishes a due announcement, unless another node has published it or its time has changed.
async fn publish(kurso: &Kurso, id: AnnouncementId) -> Result<()> {
    let now = kurso.clock.now();
    let mut tx = kurso.db.begin().await?;
    let published = sql!(
        "UPDATE announcements SET publish_at = NULL, published_at = $2, notified_after = $3 WHERE id = $1 AND publish_at <= $2
         RETURNING course_id, author_id",
        id,
        now,
        BEFORE_ALL
    );
    let published = published.fetch_optional::<(CourseId, Option<UserId>)>(&mut tx).await?;
    if let Some((course, author)) = published {
        note_publication(&mut tx, now, course, author).await?;
    }
    tx.commit().await?;
    Ok(())
}

/// A published announcement that not all learners have been notified of.
#[derive(sqlx::FromRow)]
struct Published {
    id: AnnouncementId,
    course_id: CourseId,
    author_id: Option<UserId>,
    notified_after: Uuid,
}

/// Notifies the next [`CHUNK`] learners, unless another node has notified them.
async fn notify(kurso: &Kurso, announcement: &Published) -> Result<()> {
    let learners = sql!(
        concat!(
            "SELECT e.id, e.user_id FROM announcements a JOIN courses c ON c.id = a.course_id
             JOIN enrollments e ON e.course_id = a.course_id JOIN users u ON u.id = e.user_id
             WHERE a.id = $1 AND e.id > $2 AND ",
            is_receiver!(),
            " AND NOT EXISTS (SELECT 1 FROM announcement_reads r WHERE r.announcement_id = a.id AND r.user_id = e.user_id)
             ORDER BY e.id LIMIT $3"
        ),
        announcement.id,
        announcement.notified_after,
        i64::try_from(CHUNK).unwrap_or(i64::MAX)
    );
    let learners = learners.fetch_all::<(EnrollmentId, UserId)>(&kurso.db).await?;
    let last = learners.last().filter(|_| learners.len() == CHUNK);
    let mut tx = kurso.db.begin().await?;
    let moved = sql!(
        "UPDATE announcements SET notified_after = $3 WHERE id = $1 AND notified_after = $2",
        announcement.id,
        announcement.notified_after,
        last.map(|(enrollment, _)| enrollment.0)
    );
    if moved.execute(&mut tx).await? == 0 {
        tx.rollback().await?;
        return Ok(());
    }
    let notice = Notice {
        kind: Kind::Announcement,
        course: Some(announcement.course_id),
        by: announcement.author_id,
        at: kurso.clock.now(),
    };
    let receivers = learners.iter().map(|(_, user)| Receiver::new(*user, announcement.id));
    notices::record_new(&mut tx, notice, receivers.collect()).await?;
    tx.commit().await?;
    Ok(())
}
