//! A collaborator leaves a course.

use super::{find, hold};
use crate::Kurso;
use crate::access::{Right, Role, Viewer};
use crate::audit::{Act, Entry};
use kurso_base::error::{Error, Result};
use kurso_base::ids::CourseId;
use kurso_base::messages::Message;
use kurso_db::events::Event;
use kurso_db::sql;

/// Gives up the viewer's highest role in the course: an editor or a teacher leaves the team, and an enrollment of theirs
/// stays; a learner goes with all visits and attempts. 409 for the owner, who can hand the course over; 403 for an admin, who
/// has nothing to leave. Answers with what was left.
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
    let mut tx = kurso.db.begin_in_course(id).await?;
    hold(&mut tx, id).await?;
    if sql!(delete, id, viewer.id()).execute(&mut tx).await? == 0 {
        return Err(Error::NotFound(Message::CourseNotFound)); // taken out in between
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
