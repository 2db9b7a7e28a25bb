//! Consistency checks of learner data: derived data against the visits and attempts it was derived from.

use std::collections::HashSet;

use futures_util::TryStreamExt as _;
use uuid::Uuid;

use super::repair::Remedy;
use super::{Report, Rule, structure};
use crate::courses::enrollment::{AttemptSummaries, ProgressBitmap};
use crate::learning::stored_progress;
use kurso_base::error::Result;
use kurso_base::ids::{CourseId, EnrollmentId, UserId};
use kurso_db::Snapshot;
use kurso_db::sql;

/// Learners whose visits and attempts are read at a time.
const CHUNK: i64 = 200;

pub async fn check(on: &mut Snapshot, report: &mut Report) -> Result<()> {
    attempts(on, report).await?;
    kept_marks(on, report).await?;
    let list = [(
        "enrollments",
        "its course was completed before it began",
        "SELECT id FROM enrollments WHERE completed_at < enrolled_at",
        "SELECT COUNT(*) FROM enrollments",
    )];
    structure::each(on, report, Rule::Completion, &list).await
}

async fn attempts(on: &mut Snapshot, report: &mut Report) -> Result<()> {
    let mut rows = on.records::<(EnrollmentId, Uuid, i64, i64, i64)>(sql!(
        "SELECT enrollment_id, page_id, COUNT(*), MIN(attempt_no), MAX(attempt_no) FROM attempts
         GROUP BY enrollment_id, page_id"
    ))?;
    while let Some((enrollment, page, count, first, last)) = rows.try_next().await? {
        report.checked(Rule::Attempts, count.unsigned_abs());
        if first != 1 || last != count {
            let problem = format!("its {count} attempts at page {page} have the numbers {first} to {last}");
            report.found(Rule::Attempts, format!("enrollments {enrollment}"), problem, None);
        }
    }
    Ok(())
}

#[derive(sqlx::FromRow)]
struct Enrolled {
    id: EnrollmentId,
    course_id: CourseId,
    user_id: UserId,
    marks: Option<ProgressBitmap>,
    tries: Option<AttemptSummaries>,
}

/// Ordered by course, so that only one course's page numbers are in memory.
async fn kept_marks(on: &mut Snapshot, report: &mut Report) -> Result<()> {
    let mut last: Option<(CourseId, UserId)> = None;
    let mut course: Option<(CourseId, i64, HashSet<i64>)> = None;
    loop {
        let columns = "SELECT id, course_id, user_id, marks, tries FROM enrollments";
        let sql = match last {
            None => sql!(columns),
            Some((course, user)) => sql!(columns)
                .push(" WHERE (course_id, user_id) > (")
                .push_bind(course)
                .push(", ")
                .push_bind(user)
                .push(")"),
        };
        let chunk = sql.push(" ORDER BY course_id, user_id LIMIT ").push_bind(CHUNK);
        let chunk = chunk.fetch_all::<Enrolled>(&mut *on).await?;
        let Some(end) = chunk.last() else { return Ok(()) };
        last = Some((end.course_id, end.user_id));
        report.checked(Rule::Marks, chunk.len() as u64);

        let kept: Vec<_> = chunk.iter().filter(|row| row.marks.is_some()).collect();
        if kept.is_empty() {
            continue;
        }
        let ids: Vec<_> = kept.iter().map(|row| row.id).collect();
        let derived = stored_progress::derived(&mut *on, &ids).await?;
        for row in kept {
            let Some(marks) = &row.marks else { continue };
            if course.as_ref().is_none_or(|(id, ..)| *id != row.course_id) {
                course = Some(numbers(on, row.course_id).await?);
            }
            let Some((_, given, present)) = &course else { continue };
            let truth = derived.get(&row.id);
            let problem = if truth.is_some_and(Option::is_none) {
                "marks are kept, though a page that was done has no number"
            } else if !stored_progress::agree(marks, row.tries.as_ref(), truth.and_then(Option::as_ref), present) {
                "the kept marks are not what its visits and attempts come to"
            } else if stored_progress::highest(marks).is_some_and(|highest| highest >= *given) {
                "a number is marked that was never given to a page"
            } else {
                continue;
            };
            report.found(
                Rule::Marks,
                format!("enrollments {}", row.id),
                problem.to_owned(),
                Some(Remedy::Marks(row.id)),
            );
        }
    }
}

/// The course's page counter, and the numbers of its existing pages.
async fn numbers(on: &mut Snapshot, course: CourseId) -> Result<(CourseId, i64, HashSet<i64>)> {
    let given = sql!("SELECT mark_nos FROM courses WHERE id = $1", course);
    let given = given.fetch_optional::<(i64,)>(&mut *on).await?;
    let present = sql!(
        "SELECT mark_no FROM pages WHERE course_id = $1 AND mark_no IS NOT NULL",
        course
    );
    let present = present.fetch_all::<(i64,)>(on).await?;
    Ok((
        course,
        given.map_or(0, |(given,)| given),
        present.into_iter().map(|(no,)| no).collect(),
    ))
}
