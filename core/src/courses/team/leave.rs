//! Leaving a course, as a collaborator or a learner.

use super::{Scope, begin, find};
use crate::Kurso;
use crate::access::{Right, Role, Viewer};
use crate::audit::{Act, Entry};
use kurso_base::error::{Error, Result};
use kurso_base::ids::CourseId;
use kurso_base::messages::Message;
use kurso_db::events::Event;
use kurso_db::sql;

/// Gives up the viewer's highest role in the course, and returns that role. An editor or a teacher leaves the team but stays enrolled;
/// a learner's enrollment is deleted with all visits and attempts. Fails with 409 for the owner, who can transfer the course, and with
/// 403 for an admin without a role.
pub async fn leave(kurso: &Kurso, viewer: &Viewer, id: CourseId) -> Result<Message> {
    let course = find(&kurso.db, viewer, id, Right::Read).await?;
    let (delete, left) = match course.role {
        Role::Owner => return Err(Error::Conflict(Message::OwnerCannotLeave)),
        Role::Admin => return Err(Error::Forbidden(Message::NotEnrolled)),
        Role::Editor | Role::Teacher => (
            "DELETE FROM collaborators WHERE course_id = $1 AND user_id = $2",
            Message::TeamLeft,
        ),
        Role::Learner => (
            "DELETE FROM enrollments WHERE course_id = $1 AND user_id = $2",
            Message::CourseLeft,
        ),
    };
    let mut tx = begin(&kurso.db, id, Scope::Unchanged).await?;
    if sql!(delete, id, viewer.id()).execute(&mut tx).await? == 0 {
        return Err(Error::NotFound(Message::CourseNotFound)); // the role was removed meanwhile
    }
    let entry = Entry::new(Act::MemberLeft)
        .by(viewer.id())
        .to(viewer.id())
        .in_course(id);
    entry.write(&mut tx, kurso.clock.now()).await?;
    tx.publish(Event::Person { user: viewer.id() });
    tx.commit().await?;
    Ok(left)
}
