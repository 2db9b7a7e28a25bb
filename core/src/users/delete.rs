//! Deleting an account: a course with students left behind passes to its first editor, otherwise to the oldest superuser;
//! everything else of the person is deleted.

use chrono::{DateTime, Utc};

use super::change;
use crate::Kurso;
use crate::access::Viewer;
use crate::audit::{Act, Entry};
use kurso_base::error::{Error, Result};
use kurso_base::ids::{CourseId, UserId};
use kurso_base::messages::Message;
use kurso_db::Tx;
use kurso_db::events::Event;
use kurso_db::sql;

/// Deletes one's own account; superusers may not.
pub async fn delete_me(kurso: &Kurso, viewer: &Viewer) -> Result<()> {
    if viewer.user.is_superuser {
        return Err(Error::Forbidden(Message::SuperuserDeletesSelf));
    }
    remove(kurso, viewer.id(), viewer.id()).await
}

/// Deletes anybody's account but one's own; superusers only.
pub async fn delete(kurso: &Kurso, viewer: &Viewer, id: UserId) -> Result<()> {
    viewer.require_superuser()?;
    if id == viewer.id() {
        return Err(Error::Forbidden(Message::SuperuserDeletesSelf));
    }
    remove(kurso, id, viewer.id()).await
}

/// A course made, or an heir deleted, between the handing over and the deletion breaks a foreign key; a second try sees it.
const TRIES: usize = 5;

async fn remove(kurso: &Kurso, id: UserId, actor: UserId) -> Result<()> {
    let mut last = None;
    for _ in 0..TRIES {
        match try_to_remove(kurso, id, actor).await {
            Err(Attempt::Outrun(error)) => last = Some(error),
            Err(Attempt::Failed(error)) => return Err(error),
            Ok(()) => return Ok(()),
        }
    }
    Err(last.map_or(Error::Busy, Error::internal))
}

enum Attempt {
    Outrun(sqlx::Error),
    Failed(Error),
}

impl From<sqlx::Error> for Attempt {
    fn from(error: sqlx::Error) -> Self {
        if kurso_base::error::is_foreign_key_violation(&error) {
            Attempt::Outrun(error)
        } else {
            Attempt::Failed(error.into())
        }
    }
}

async fn try_to_remove(kurso: &Kurso, id: UserId, actor: UserId) -> Result<(), Attempt> {
    let mut tx = kurso.db.begin().await?;
    if change::lock(&mut tx, id).await?.is_none() {
        return Err(Attempt::Failed(Error::NotFound(Message::UserGone)));
    }
    let now = kurso.clock.now();
    hand_courses_over(&mut tx, id, actor, now).await?;
    let deleted = sql!("DELETE FROM courses WHERE owner_id = $1 RETURNING id", id)
        .fetch_all::<(CourseId,)>(&mut tx)
        .await?;
    for (course,) in deleted {
        let entry = Entry::new(Act::CourseDeleted).by(actor).in_course(course);
        entry.write(&mut tx, now).await?;
        tx.publish(Event::Removed { course });
    }
    sql!("DELETE FROM users WHERE id = $1", id).execute(&mut tx).await?;
    Entry::new(Act::UserDeleted)
        .by(actor)
        .to(id)
        .write(&mut tx, now)
        .await?;
    tx.publish(Event::Person { user: id });
    tx.commit().await?;
    Ok(())
}

/// Passes on the courses that somebody else learns. With no editor and no superuser there is nobody to pass one to.
async fn hand_courses_over(tx: &mut Tx, owner: UserId, actor: UserId, now: DateTime<Utc>) -> Result<(), Attempt> {
    let learnt = sql!(
        "SELECT c.id, COALESCE(
           (SELECT k.user_id FROM collaborators k JOIN users u ON u.id = k.user_id
            WHERE k.course_id = c.id AND k.role = 'editor' ORDER BY u.is_active DESC, k.created_at, k.user_id LIMIT 1),
           (SELECT u.id FROM users u WHERE u.is_superuser AND u.id <> $1
            ORDER BY u.is_active DESC, u.created_at, u.id LIMIT 1)) AS heir
         FROM courses c
         WHERE c.owner_id = $1 AND EXISTS (SELECT 1 FROM enrollments e WHERE e.course_id = c.id AND e.user_id <> $1)",
        owner
    )
    .fetch_all::<(CourseId, Option<UserId>)>(&mut *tx)
    .await?;
    for (course, heir) in learnt {
        let Some(heir) = heir else { continue };
        sql!("UPDATE courses SET owner_id = $2 WHERE id = $1", course, heir)
            .execute(&mut *tx)
            .await?;
        let entry = Entry::new(Act::CourseHandedOver).by(actor).to(heir).in_course(course);
        entry.write(&mut *tx, now).await?;
        // An owner is no collaborator any more.
        sql!(
            "DELETE FROM collaborators WHERE course_id = $1 AND user_id = $2",
            course,
            heir
        )
        .execute(&mut *tx)
        .await?;
    }
    Ok(())
}
