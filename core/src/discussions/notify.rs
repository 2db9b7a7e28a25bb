//! Notifies people of questions, answers and reports.

use chrono::{DateTime, Utc};
use kurso_base::error::Result;
use kurso_base::ids::{CourseId, DiscussionId, PageId, PostId, UserId};
use kurso_db::{Tx, sql};

use super::reader::Reader;
use super::stored::Stored;
use crate::courses::team;
use crate::notices::{self, Kind, Notice, Receiver};

const KINDS: [Kind; 3] = [Kind::Answered, Kind::Asked, Kind::Reported];

fn receivers(people: Vec<UserId>, post: PostId, stored: &Stored) -> Vec<Receiver> {
    let people = people.into_iter();
    people
        .map(|user| Receiver::new(user, post).at(stored.page_id))
        .collect()
}

/// Notifies the owner and teachers of a learner's question.
pub(super) async fn asked(
    tx: &mut Tx,
    course: CourseId,
    stored: &Stored,
    (asker, now): (&Reader, DateTime<Utc>),
) -> Result<()> {
    if asker.is_staff() {
        return Ok(());
    }
    let people = team::owner_and_teachers(&mut *tx, course).await?;
    let notice = Notice::in_course(Kind::Asked, course, asker.user, now);
    notices::record(tx, notice, receivers(people, stored.post_id, stored)).await
}

/// Notifies those who have written in a discussion or follow it of an answer. Replaces their unread notice of the same discussion. Nobody is told
/// who has answered anonymously.
pub(super) async fn answered(
    tx: &mut Tx,
    course: CourseId,
    (stored, post): (&Stored, PostId),
    (author, is_anonymous): (&Reader, bool),
    now: DateTime<Utc>,
) -> Result<()> {
    let before = sql!(
        "DELETE FROM notices WHERE kind = $2 AND read_at IS NULL AND subject IN (SELECT id FROM discussion_posts WHERE discussion_id = $1)",
        stored.id,
        Kind::Answered
    );
    notices::withdrawn(tx, before).await?;
    let people = sql!(
        "SELECT u.id FROM users u JOIN courses c ON c.id = $2 WHERE u.is_active AND u.id <> $3
         AND (c.owner_id = u.id OR EXISTS (SELECT 1 FROM collaborators k WHERE k.course_id = c.id AND k.user_id = u.id)
           OR EXISTS (SELECT 1 FROM enrollments e WHERE e.course_id = c.id AND e.user_id = u.id))
         AND u.id IN (SELECT author_id FROM discussion_posts WHERE discussion_id = $1 AND author_id IS NOT NULL
           UNION SELECT user_id FROM discussion_reads WHERE discussion_id = $1 AND follows)
         AND NOT EXISTS (SELECT 1 FROM discussion_reads x WHERE x.discussion_id = $1 AND x.user_id = u.id AND NOT x.follows)",
        stored.id,
        course,
        author.user
    );
    let people = people.fetch_all::<(UserId,)>(&mut *tx).await?;
    let people = people.into_iter().map(|(user,)| user).collect();
    let notice = Notice {
        kind: Kind::Answered,
        course: Some(course),
        by: (!is_anonymous).then_some(author.user),
        at: now,
    };
    notices::record(tx, notice, receivers(people, post, stored)).await
}

/// Notifies the owner and teachers of a reported post.
pub(super) async fn reported(
    tx: &mut Tx,
    course: CourseId,
    stored: &Stored,
    (by, now): (UserId, DateTime<Utc>),
) -> Result<()> {
    let people = team::owner_and_teachers(&mut *tx, course).await?;
    let notice = Notice::in_course(Kind::Reported, course, by, now);
    notices::record(tx, notice, receivers(people, stored.post_id, stored)).await
}

/// The newest answer before the post `$1` in the discussion `$2` that the person of a notice has not read.
macro_rules! earlier_answer {
    () => {
        "(SELECT x.id FROM discussion_posts x WHERE x.discussion_id = $2 AND NOT x.is_opening AND x.hidden_at IS NULL AND x.id < $1
            AND x.author_id <> notices.user_id
            AND NOT EXISTS (SELECT 1 FROM discussion_reads r
              WHERE r.discussion_id = x.discussion_id AND r.user_id = notices.user_id AND r.read_at >= x.created_at)
            AND NOT EXISTS (SELECT 1 FROM notices o WHERE o.user_id = notices.user_id AND o.kind = $3 AND o.subject = x.id)
          ORDER BY x.id DESC LIMIT 1)"
    };
}

/// Withdraws the notices of a post that is deleted or hidden, read ones too. An unread notice of an answer had replaced that of an earlier one,
/// which it now is again.
pub(super) async fn withdraw(tx: &mut Tx, discussion: DiscussionId, post: PostId) -> Result<()> {
    let earlier = sql!(
        concat!(
            "UPDATE notices SET subject = ",
            earlier_answer!(),
            ", actor_id = (SELECT CASE WHEN y.is_anonymous THEN NULL ELSE y.author_id END FROM discussion_posts y WHERE y.id = ",
            earlier_answer!(),
            ") WHERE kind = $3 AND subject = $1 AND read_at IS NULL AND ",
            earlier_answer!(),
            " IS NOT NULL"
        ),
        post,
        discussion,
        Kind::Answered
    );
    notices::withdrawn(tx, earlier).await?;
    let about = sql!("DELETE FROM notices WHERE subject = $1 AND kind IN ", post);
    notices::withdrawn(tx, about.push_in(KINDS)).await
}

/// Withdraws the unread notices of reports that were settled.
pub(super) async fn settled(tx: &mut Tx, post: PostId) -> Result<()> {
    notices::withdraw(tx, &[Kind::Reported], post).await
}

/// Leads the notices of a discussion to the page that it moves to.
pub(super) async fn moved(tx: &mut Tx, discussion: DiscussionId, page: PageId) -> Result<()> {
    let moved = sql!(
        "UPDATE notices SET page_id = $2 WHERE subject IN (SELECT id FROM discussion_posts WHERE discussion_id = $1) AND kind IN ",
        discussion,
        page
    );
    moved.push_in(KINDS).execute(tx).await?;
    Ok(())
}
