//! Restores enrollments that `courses::ended` set aside.

use chrono::{DateTime, Utc};

use super::{lock, stored_progress};
use crate::courses::ended::copy_rows;
use kurso_base::error::Result;
use kurso_base::ids::{CourseId, EnrollmentId, UserId};
use kurso_db::Tx;
use kurso_db::sql;

/// Restores the ended enrollment of a learner, with its group, visits, attempts and granted attempts. The caller holds the lock of the course,
/// which keeps its pages. Returns None if there is no ended enrollment, or the learner is enrolled.
pub(crate) async fn restore(
    tx: &mut Tx,
    course: CourseId,
    user: UserId,
    now: DateTime<Utc>,
) -> Result<Option<EnrollmentId>> {
    let restored = sql!(
        "INSERT INTO enrollments (id, course_id, user_id, group_id, enrolled_at, last_activity_at, completed_at, last_page_id,
           reading_place)
         SELECT id, course_id, user_id, group_id, enrolled_at, $3, completed_at, last_page_id, reading_place FROM ended_enrollments
         WHERE course_id = $1 AND user_id = $2 ON CONFLICT (course_id, user_id) DO NOTHING RETURNING id",
        course,
        user,
        now
    )
    .fetch_optional::<(EnrollmentId,)>(&mut *tx)
    .await?;
    let Some((enrollment,)) = restored else { return Ok(None) };
    lock(tx, enrollment, None).await?;
    copy_rows!(tx, enrollment, "ended_" => "");
    sql!("DELETE FROM ended_enrollments WHERE id = $1", enrollment)
        .execute(&mut *tx)
        .await?;
    stored_progress::store(tx, enrollment).await?;
    Ok(Some(enrollment))
}
