//! Ends enrollments: the learner left the course or was removed from it. Visits, attempts, granted attempts and practised questions are set
//! aside, and return with the group when the learner enrolls again. Otherwise leaving would be a way to get more attempts or
//! to change the group.

use chrono::{DateTime, Utc};

use kurso_base::error::Result;
use kurso_base::ids::{CourseId, EnrollmentId, UserId};
use kurso_db::Tx;
use kurso_db::events::Event;
use kurso_db::sql;

/// Copies what a learner did between the tables of enrollments and those of ended ones, which are named alike but for a prefix:
/// `copy_rows!(tx, enrollment, "" => "ended_")`. Expands to statements of a function that returns a `Result`.
macro_rules! copy_rows {
    ($tx:expr, $enrollment:expr, $from:literal => $to:literal) => {
        $crate::courses::ended::copy_rows!(@table $tx, $enrollment, $from, $to, "visits",
            "enrollment_id, page_id, visited_at, read_version, reread_at, is_claimed");
        $crate::courses::ended::copy_rows!(@table $tx, $enrollment, $from, $to, "attempts",
            "id, enrollment_id, page_id, attempt_no, submission_id, quiz_version, answers, results, score, max_score, percent,
             passed, penalty_percent, waiting, is_returned, submitted_at, drawn, times");
        $crate::courses::ended::copy_rows!(@table $tx, $enrollment, $from, $to, "extra_attempts",
            "enrollment_id, page_id, granted");
        $crate::courses::ended::copy_rows!(@table $tx, $enrollment, $from, $to, "practice_cards",
            "id, enrollment_id, page_id, question_id, quiz_version, stability, difficulty, reviews, reviewed_at, due_at, last_answer, last_result,
             is_stopped");
    };
    (@table $tx:expr, $enrollment:expr, $from:literal, $to:literal, $table:literal, $columns:literal) => {
        kurso_db::sql!(
            concat!("INSERT INTO ", $to, $table, " (", $columns, ") SELECT ", $columns, " FROM ", $from, $table,
                " WHERE enrollment_id = $1"),
            $enrollment
        )
        .execute(&mut *$tx)
        .await?;
    };
}
pub(crate) use copy_rows;

/// Ends an enrollment. The caller holds the lock of the course and knows that the enrollment exists. Returns its
/// learner; None if the enrollment has just ended.
pub(crate) async fn end(tx: &mut Tx, enrollment: EnrollmentId, now: DateTime<Utc>) -> Result<Option<UserId>> {
    // A submission or visit in progress finishes first.
    let found = sql!(
        "UPDATE enrollments SET marks = NULL, tries = NULL WHERE id = $1 RETURNING course_id, user_id",
        enrollment
    )
    .fetch_optional::<(CourseId, UserId)>(&mut *tx)
    .await?;
    let Some((course, user)) = found else { return Ok(None) };
    // There is an older one only if a previous release enrolled the learner, which restores nothing.
    sql!(
        "DELETE FROM ended_enrollments WHERE course_id = $1 AND user_id = $2",
        course,
        user
    )
    .execute(&mut *tx)
    .await?;
    sql!(
        "INSERT INTO ended_enrollments (id, course_id, user_id, group_id, enrolled_at, completed_at, last_page_id,
           reading_place, ended_at)
         SELECT id, course_id, user_id, group_id, enrolled_at, completed_at, last_page_id, reading_place, $2 FROM enrollments WHERE id = $1",
        enrollment,
        now
    )
    .execute(&mut *tx)
    .await?;
    copy_rows!(tx, enrollment, "" => "ended_");
    sql!("DELETE FROM enrollments WHERE id = $1", enrollment)
        .execute(&mut *tx)
        .await?;
    tx.publish(Event::Groups { course }); // its group has one learner less
    Ok(Some(user))
}
