//! Leaving a course, as a collaborator or a learner.

use chrono::{DateTime, Utc};

use super::{Scope, begin, find};
use crate::Kurso;
use crate::access::{Right, Role, Viewer};
use crate::audit::{Act, Entry};
use crate::courses::ended;
use kurso_base::error::{Error, Result};
use kurso_base::ids::{CourseId, EnrollmentId, UserId};
use kurso_base::messages::Message;
use kurso_db::Tx;
use kurso_db::events::Event;
use kurso_db::sql;

/// Gives up the viewer's highest role in the course, and returns that role. A collaborator leaves the team but stays enrolled;
/// a learner's enrollment
/// ends, and its visits and attempts return if the learner enrolls again. Fails with 409 for the owner, who can transfer the
/// course, and with 403 for an admin without a role.
pub async fn leave(kurso: &Kurso, viewer: &Viewer, id: CourseId) -> Result<Message> {
    let course = find(&kurso.db, viewer, id, Right::Read).await?;
    let is_learner = match course.role {
        Role::Owner => return Err(Error::Conflict(Message::OwnerCannotLeave)),
        Role::Admin => return Err(Error::Forbidden(Message::NotEnrolled)),
        Role::Editor | Role::Teacher | Role::Reviewer => false,
        Role::Learner => true,
    };
    let now = kurso.clock.now();
    let mut tx = begin(&kurso.db, id, Scope::Unchanged).await?;
    let is_left = if is_learner {
        end_enrollment(&mut tx, id, viewer.id(), now).await?
    } else {
        let deleted = sql!(
            "DELETE FROM collaborators WHERE course_id = $1 AND user_id = $2",
            id,
            viewer.id()
        );
        deleted.execute(&mut tx).await? > 0
    };
    if !is_left {
        return Err(Error::NotFound(Message::CourseNotFound)); // the role was removed meanwhile
    }
    let entry = Entry::new(Act::MemberLeft)
        .by(viewer.id())
        .to(viewer.id())
        .in_course(id);
    entry.write(&mut tx, now).await?;
    tx.publish(Event::Person { user: viewer.id() });
    tx.commit().await?;
    Ok(if is_learner {
        Message::CourseLeft
    } else {
        Message::TeamLeft
    })
}

async fn end_enrollment(tx: &mut Tx, course: CourseId, learner: UserId, now: DateTime<Utc>) -> Result<bool> {
    let enrollment = sql!(
        "SELECT id FROM enrollments WHERE course_id = $1 AND user_id = $2",
        course,
        learner
    );
    match enrollment.fetch_optional::<(EnrollmentId,)>(&mut *tx).await? {
        Some((enrollment,)) => Ok(ended::end(tx, enrollment, now).await?.is_some()),
        None => Ok(false),
    }
}
