//! Notices that tests record directly.

use kurso_base::ids::{CourseId, NoticeId, PageId, UserId};
use kurso_db::sql;
use uuid::Uuid;

use super::TestKurso;
use crate::notices::Kind;
use crate::notices::choices::{Channels, channels_of};

/// The contents of such a notice.
#[derive(Clone, Copy, Debug)]
pub struct About {
    pub kind: Kind,
    pub subject: Uuid,
    pub course: Option<CourseId>,
    pub page: Option<PageId>,
    pub actor: Option<UserId>,
}

impl TestKurso {
    /// Records a notice of an event that happens now, delivered as the person has chosen.
    pub async fn notice(&self, user: UserId, about: About) -> (NoticeId, Channels) {
        let (id, now) = (NoticeId::new(), self.clock.now());
        let mut tx = self.db.begin().await.unwrap();
        let channels = channels_of(&mut tx, &[user], about.kind, about.course, now).await;
        let channels = channels.unwrap()[&user];
        sql!(
            "INSERT INTO notices (id, user_id, kind, subject, course_id, page_id, actor_id, happened_at, mail_at, push_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
            id,
            user,
            about.kind,
            about.subject,
            about.course,
            about.page,
            about.actor,
            now,
            channels.mail_at,
            channels.push_at
        )
        .execute(&mut tx)
        .await
        .unwrap();
        tx.commit().await.unwrap();
        (id, channels)
    }
}
