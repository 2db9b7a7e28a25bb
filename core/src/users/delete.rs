//! Deletes accounts. A course with students goes to its first editor, otherwise to the oldest superuser; so does a
//! question bank that colleagues edit or pages draw from. Everything else that belongs to the account is deleted.

use chrono::{DateTime, Utc};

use super::{change, delete_banks};
use crate::Kurso;
use crate::access::Viewer;
use crate::audit::{Act, Entry};
use crate::deletion;
use kurso_base::error::{Error, Result};
use kurso_base::ids::{CourseId, UserId};
use kurso_base::messages::Message;
use kurso_db::Tx;
use kurso_db::events::Event;
use kurso_db::sql;

/// Deletes the viewer's own account; superusers get 403.
pub async fn delete_me(kurso: &Kurso, viewer: &Viewer) -> Result<()> {
    if viewer.user.is_superuser {
        return Err(Error::Forbidden(Message::SuperuserDeletesSelf));
    }
    delete_account(kurso, viewer.id(), viewer.id()).await
}

/// Deletes another person's account; superusers only.
pub async fn delete(kurso: &Kurso, viewer: &Viewer, id: UserId) -> Result<()> {
    viewer.require_superuser()?;
    if id == viewer.id() {
        return Err(Error::Forbidden(Message::SuperuserDeletesSelf));
    }
    delete_account(kurso, id, viewer.id()).await
}

/// Deletes a guest who stayed away. Fails with 404 if the guest is gone.
pub(crate) async fn delete_guest(kurso: &Kurso, id: UserId) -> Result<()> {
    delete_account(kurso, id, id).await
}

/// If a course is created, or a new owner deleted, between the transfer and the deletion, a foreign key is violated; the next attempt
/// sees the change.
const ATTEMPTS: usize = 5;

async fn delete_account(kurso: &Kurso, id: UserId, actor: UserId) -> Result<()> {
    let mut last = None;
    for _ in 0..ATTEMPTS {
        match try_to_delete(kurso, id, actor).await {
            Err(Refused::Raced(error)) => last = Some(error),
            Err(Refused::Failed(error)) => return Err(error),
            Ok(()) => return Ok(()),
        }
    }
    Err(last.map_or(Error::Busy, Error::internal))
}

enum Refused {
    /// A concurrent change violated a foreign key.
    Raced(sqlx::Error),
    Failed(Error),
}

impl From<sqlx::Error> for Refused {
    fn from(error: sqlx::Error) -> Self {
        if kurso_base::error::is_foreign_key_violation(&error) {
            Refused::Raced(error)
        } else {
            Refused::Failed(error.into())
        }
    }
}

async fn try_to_delete(kurso: &Kurso, id: UserId, actor: UserId) -> Result<(), Refused> {
    let mut tx = kurso.db.begin().await?;
    let found = if actor == id {
        change::lock(&mut tx, id).await?
    } else {
        let locked = change::lock_with_superuser(&mut tx, id, actor).await;
        locked.map_err(Refused::Failed)?
    };
    if found.is_none() {
        return Err(Refused::Failed(Error::NotFound(Message::UserGone)));
    }
    // The key of the row changes, so on PostgreSQL this waits for transactions that refer to the account, such as a claim of a certificate, and later ones
    // fail. Otherwise a row that nobody has seen would be deleted with the account, and what depends on it, such as its badge, would stay valid.
    sql!("UPDATE users SET email_key = 'deleted:' || email_key WHERE id = $1", id)
        .execute(&mut tx)
        .await?;
    let now = kurso.clock.now();
    transfer_courses(&mut tx, id, actor, now).await?;
    let deleted = sql!("DELETE FROM courses WHERE owner_id = $1 RETURNING id", id)
        .fetch_all::<(CourseId,)>(&mut tx)
        .await?;
    let courses: Vec<CourseId> = deleted.iter().map(|(course,)| *course).collect();
    deletion::delete_of_owner(&mut tx, id, &courses).await?;
    for (course,) in deleted {
        let entry = Entry::new(Act::CourseDeleted).by(actor).in_course(course);
        entry.write(&mut tx, now).await?;
        tx.publish(Event::Removed { course });
    }
    // After the courses: only pages that remain keep a bank.
    delete_banks::transfer(&mut tx, id, actor, now).await?;
    let left = sql!("SELECT course_id FROM enrollments WHERE user_id = $1", id)
        .fetch_all::<(CourseId,)>(&mut tx)
        .await?;
    deletion::posts::forget(&mut tx, id, now).await?;
    deletion::badges::revoke_of_user(&mut tx, id).await?;
    sql!("DELETE FROM users WHERE id = $1", id).execute(&mut tx).await?;
    deletion::posts::forget_late(&mut tx).await?;
    for (course,) in left {
        tx.publish(Event::Groups { course }); // its groups and overrides have one learner less
        tx.publish(Event::Grades { course });
    }
    Entry::new(Act::UserDeleted)
        .by(actor)
        .to(id)
        .write(&mut tx, now)
        .await?;
    tx.publish(Event::Person { user: id });
    tx.commit().await?;
    Ok(())
}

/// Transfers the courses that others are enrolled in. Without an editor and another superuser, a course stays and is deleted.
async fn transfer_courses(tx: &mut Tx, owner: UserId, actor: UserId, now: DateTime<Utc>) -> Result<(), Refused> {
    let courses = sql!(
        "SELECT c.id, COALESCE(
           (SELECT k.user_id FROM collaborators k JOIN users u ON u.id = k.user_id
            WHERE k.course_id = c.id AND k.role = 'editor' ORDER BY u.is_active DESC, k.created_at, k.user_id LIMIT 1),
           (SELECT u.id FROM users u WHERE u.is_superuser AND u.id <> $1
            ORDER BY u.is_active DESC, u.created_at, u.id LIMIT 1)) AS new_owner
         FROM courses c
         WHERE c.owner_id = $1 AND EXISTS (SELECT 1 FROM enrollments e WHERE e.course_id = c.id AND e.user_id <> $1)",
        owner
    )
    .fetch_all::<(CourseId, Option<UserId>)>(&mut *tx)
    .await?;
    for (course, new_owner) in courses {
        let Some(new_owner) = new_owner else { continue };
        sql!("UPDATE courses SET owner_id = $2 WHERE id = $1", course, new_owner)
            .execute(&mut *tx)
            .await?;
        let entry = Entry::new(Act::CourseHandedOver)
            .by(actor)
            .to(new_owner)
            .in_course(course);
        entry.write(&mut *tx, now).await?;
        // The owner of a course is not one of its collaborators.
        sql!(
            "DELETE FROM collaborators WHERE course_id = $1 AND user_id = $2",
            course,
            new_owner
        )
        .execute(&mut *tx)
        .await?;
    }
    Ok(())
}
