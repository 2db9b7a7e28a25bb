//! Resets a learner's attempts at a page.

use crate::access::{Right, Viewer};
use crate::audit::{Act, Entry};
use crate::courses::{self, tree::PageKind};
use crate::{Kurso, learning};
use kurso_base::error::{Error, Result};
use kurso_base::ids::{CourseId, EnrollmentId, PageId, UserId};
use kurso_base::messages::Message;
use kurso_db::sql;

/// Removes the attempts of a learner at a page and returns their number. Completion dates stay; the progress decreases. Fails
/// with 404 for an enrollment that the viewer cannot see, a page of another course or one without a quiz, and with 403
/// without the right to manage progress.
pub async fn reset(kurso: &Kurso, viewer: &Viewer, enrollment: EnrollmentId, page: PageId) -> Result<u64> {
    let found = sql!("SELECT course_id, user_id FROM enrollments WHERE id = $1", enrollment)
        .fetch_optional::<(CourseId, UserId)>(&kurso.db)
        .await?;
    let (course, student) = found.ok_or(Error::NotFound(Message::EnrollmentNotFound))?;
    match courses::find(&kurso.db, viewer, course, Right::ManageProgress).await {
        Err(Error::NotFound(_)) => return Err(Error::NotFound(Message::EnrollmentNotFound)),
        found => found?,
    };
    let kind = sql!("SELECT kind FROM pages WHERE id = $1 AND course_id = $2", page, course)
        .fetch_optional::<(PageKind,)>(&kurso.db)
        .await?;
    match kind {
        Some((PageKind::Quiz,)) => {}
        Some((PageKind::Content,)) => return Err(Error::NotFound(Message::NoQuiz)),
        None => return Err(Error::NotFound(Message::PageNotFound)),
    }
    let mut tx = kurso.db.begin().await?;
    // A submission takes the same lock. No time, because this is not the learner's activity.
    learning::lock(&mut tx, enrollment, None).await?;
    let removed = sql!(
        "DELETE FROM attempts WHERE enrollment_id = $1 AND page_id = $2",
        enrollment,
        page
    )
    .execute(&mut tx)
    .await?;
    learning::stored_progress::store(&mut tx, enrollment).await?;
    let entry = Entry::new(Act::AttemptsReset)
        .by(viewer.id())
        .to(student)
        .in_course(course);
    entry.detail(removed).write(&mut tx, kurso.clock.now()).await?;
    tx.commit().await?;
    Ok(removed)
}
