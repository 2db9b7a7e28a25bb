//! Finds the courses that the search for deadlines must read.

use chrono::{DateTime, Utc};
use kurso_base::error::Result;
use kurso_base::ids::CourseId;
use kurso_db::sql;

use crate::Kurso;
use crate::notices::Kind;

/// Returns the courses with a stored date in this period, in any part or override, and those with unread reminders. Every deadline is a stored
/// date. One statement.
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
