//! Notifies people of author comments.

use chrono::{DateTime, Utc};
use kurso_base::error::Result;
use kurso_base::ids::{CommentId, CourseId, PageId, ThreadId, UserId};
use kurso_db::{Tx, sql};

use crate::notices::{self, Kind, Notice, Receiver};

/// The course, page and thread of a comment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub course: CourseId,
    pub page: PageId,
    pub thread: ThreadId,
}

impl Place {
    fn notice(self, kind: Kind, (by, at): (UserId, DateTime<Utc>)) -> Notice {
        Notice::in_course(kind, self.course, by, at)
    }
}

/// Notifies people that a comment mentions them.
pub(super) async fn mentioned(
    tx: &mut Tx,
    (place, comment): (Place, CommentId),
    people: &[UserId],
    act: (UserId, DateTime<Utc>),
) -> Result<()> {
    let people = people.iter().map(|user| Receiver::new(*user, comment).at(place.page));
    notices::record(tx, place.notice(Kind::Mention, act), people.collect()).await
}

/// Notifies the other participants of a thread who are members of the team, unless the comment mentions them. Replaces their unread notice of
/// the same thread.
pub(super) async fn answered(
    tx: &mut Tx,
    (place, comment): (Place, CommentId),
    mentioned: &[UserId],
    act: (UserId, DateTime<Utc>),
) -> Result<()> {
    let before = sql!(
        "DELETE FROM notices WHERE kind = $2 AND read_at IS NULL AND subject IN (SELECT id FROM page_comments WHERE thread_id = $1)",
        place.thread,
        Kind::Comment
    );
    notices::withdrawn(tx, before).await?;
    let people = sql!(
        "SELECT u.id FROM users u JOIN courses c ON c.id = $2
         WHERE u.is_active AND (u.id = c.owner_id OR EXISTS (SELECT 1 FROM collaborators k WHERE k.course_id = c.id AND k.user_id = u.id))
         AND u.id IN (SELECT author_id FROM page_comments WHERE thread_id = $1 AND author_id IS NOT NULL
           UNION SELECT started_by FROM comment_threads WHERE id = $1 AND started_by IS NOT NULL)",
        place.thread,
        place.course
    );
    let people = people.fetch_all::<(UserId,)>(&mut *tx).await?.into_iter();
    let people = people.filter(|(user,)| !mentioned.contains(user));
    let people = people.map(|(user,)| Receiver::new(user, comment).at(place.page));
    notices::record(tx, place.notice(Kind::Comment, act), people.collect()).await
}

/// Withdraws the notices of a deleted comment.
pub(super) async fn deleted(tx: &mut Tx, comment: CommentId) -> Result<()> {
    let about = sql!("DELETE FROM notices WHERE subject = $1 AND kind IN ", comment);
    notices::withdrawn(tx, about.push_in([Kind::Mention, Kind::Comment])).await
}
