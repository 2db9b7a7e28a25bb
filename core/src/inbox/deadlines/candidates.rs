//! The courses in which a learner may have a deadline soon, or has an unread reminder of one.

use chrono::{DateTime, Utc};
use kurso_base::error::Result;
use kurso_base::ids::CourseId;
use kurso_db::sql;

use crate::Kurso;
use crate::notices::Kind;

/// Courses with a stored date in this time, whatever part or override has it, and those with unread reminders. Every deadline is one of these
/// dates. One statement.
pub(super) async fn courses(kurso: &Kurso, from: DateTime<Utc>, until: DateTime<Utc>) -> Result<Vec<CourseId>> {
    let found = sql!(
        "SELECT id FROM courses WHERE ends_at BETWEEN $1 AND $2
         UNION SELECT course_id FROM modules WHERE available_until BETWEEN $1 AND $2 OR due_at BETWEEN $1 AND $2
         UNION SELECT course_id FROM lessons WHERE available_until BETWEEN $1 AND $2 OR due_at BETWEEN $1 AND $2
         UNION SELECT course_id FROM pages WHERE available_until BETWEEN $1 AND $2 OR due_at BETWEEN $1 AND $2 OR late_until BETWEEN $1 AND $2
         UNION SELECT course_id FROM schedule_overrides
           WHERE available_until BETWEEN $1 AND $2 OR due_at BETWEEN $1 AND $2 OR late_until BETWEEN $1 AND $2
         UNION SELECT course_id FROM notices WHERE kind = $3 AND read_at IS NULL AND course_id IS NOT NULL",
        from,
        until,
        Kind::DeadlineNear
    );
    let found = found.fetch_all::<(CourseId,)>(&kurso.db).await?;
    Ok(found.into_iter().map(|(course,)| course).collect())
}
