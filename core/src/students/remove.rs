//! Removing a student from a course.

use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::audit::{Act, Entry};
use crate::courses::ended;
use crate::courses::{self, Scope};
use kurso_base::error::{Error, Result};
use kurso_base::ids::{CourseId, EnrollmentId};
use kurso_base::messages::Message;

/// Removes a student; for the owner and teachers. The share code lets the person enroll again, with the visits and
/// attempts of before. Returns the course.
pub async fn remove(kurso: &Kurso, viewer: &Viewer, enrollment: EnrollmentId) -> Result<CourseId> {
    let course = courses::find(&kurso.db, viewer, enrollment, Right::ManageStudents).await?;
    let mut tx = courses::begin(&kurso.db, course.id, Scope::Unchanged).await?;
    let now = kurso.clock.now();
    let student = ended::end(&mut tx, enrollment, now).await?;
    let student = student.ok_or(Error::NotFound(Message::StudentNotFound))?;
    let entry = Entry::new(Act::StudentRemoved)
        .by(viewer.id())
        .to(student)
        .in_course(course.id);
    entry.write(&mut tx, now).await?;
    tx.commit().await?;
    Ok(course.id)
}
