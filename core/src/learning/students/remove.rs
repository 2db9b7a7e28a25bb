//! Taking somebody out of a course.

use crate::access::{Right, Viewer};
use crate::error::{Error, Result};
use crate::ids::{CourseId, EnrollmentId};
use crate::messages::Message;
use crate::{Kurso, courses, sql};

/// Removes a student with all visits and attempts. The owner and teachers; the share code lets the person in again.
/// Answers with the course they have left.
pub async fn remove(kurso: &Kurso, viewer: &Viewer, enrollment: EnrollmentId) -> Result<CourseId> {
    let course = courses::find_by_enrollment(&kurso.db, viewer, enrollment, Right::ManageStudents).await?;
    let mut tx = kurso.db.begin_in(course.id).await?;
    courses::hold(&mut tx, course.id).await?;
    let removed = sql!("DELETE FROM enrollments WHERE id = $1", enrollment)
        .execute(&mut tx)
        .await?;
    if removed == 0 {
        return Err(Error::NotFound(Message::StudentNotFound));
    }
    tx.commit().await?;
    Ok(course.id)
}
