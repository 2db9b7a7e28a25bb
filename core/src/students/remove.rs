//! Removing a student from a course.

use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::audit::{Act, Entry};
use crate::courses::{self, Scope};
use kurso_base::error::{Error, Result};
use kurso_base::ids::{CourseId, EnrollmentId, UserId};
use kurso_base::messages::Message;
use kurso_db::sql;

/// Removes a student with all visits and attempts; for the owner and teachers. The share code lets the person enroll
/// again. Returns the course.
pub async fn remove(kurso: &Kurso, viewer: &Viewer, enrollment: EnrollmentId) -> Result<CourseId> {
    let course = courses::find(&kurso.db, viewer, enrollment, Right::ManageStudents).await?;
    let mut tx = courses::begin(&kurso.db, course.id, Scope::Unchanged).await?;
    let (student,) = sql!("DELETE FROM enrollments WHERE id = $1 RETURNING user_id", enrollment)
        .fetch_optional::<(UserId,)>(&mut tx)
        .await?
        .ok_or(Error::NotFound(Message::StudentNotFound))?;
    let entry = Entry::new(Act::StudentRemoved)
        .by(viewer.id())
        .to(student)
        .in_course(course.id);
    entry.write(&mut tx, kurso.clock.now()).await?;
    tx.commit().await?;
    Ok(course.id)
}
