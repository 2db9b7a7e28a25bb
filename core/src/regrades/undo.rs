//! Undoes a regrading.

use kurso_base::error::{Error, Result};
use kurso_base::ids::{CourseId, EnrollmentId, PageId, RegradeId};
use kurso_base::messages::Message;
use kurso_db::events::Event;
use kurso_db::sql;

use super::{Regrade, history, notify, undo_time};
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::audit::{Act, Entry};
use crate::courses::{self, Scope};
use crate::learning;
use crate::learning::stored_progress::results;

/// Outcome of an undoing.
#[derive(Clone, Debug)]
pub struct Undone {
    pub course_id: CourseId,
    pub regrade: Regrade,
    /// The number of results that were not restored, because somebody has changed them since.
    pub left: i64,
}

/// Restores the results that the attempts of a regrade had before, also those of ended enrollments. The pages keep their quizzes. Owner and
/// editors. Fails with 404 without a relation to the course, and with 409 after 30 days, if it was undone, and
/// while a later regrading of the same pages is not undone, because results return in the reverse order.
pub async fn undo(kurso: &Kurso, viewer: &Viewer, id: RegradeId) -> Result<Undone> {
    let missing = || Error::NotFound(Message::RegradeNotFound);
    let course = sql!("SELECT course_id FROM regrades WHERE id = $1", id);
    let course = course.fetch_optional::<(CourseId,)>(&kurso.db).await?;
    let (course,) = course.ok_or_else(missing)?;
    let course = match courses::find(&kurso.db, viewer, course, Right::Edit).await {
        Err(Error::NotFound(_)) => return Err(missing()),
        found => found?.id,
    };
    let now = kurso.clock.now();
    let mut tx = courses::begin(&kurso.db, course, Scope::Unchanged).await?;
    let undone = sql!(
        "UPDATE regrades SET undone_at = $2 WHERE id = $1 AND undone_at IS NULL AND at > $3",
        id,
        now,
        now - undo_time()
    );
    if undone.execute(&mut tx).await? == 0 {
        tx.rollback().await?;
        return Err(Error::Conflict(Message::RegradeIsFinal));
    }
    let followed = sql!(
        concat!("SELECT ", history::is_followed!(), " FROM regrades r WHERE r.id = $1"),
        id
    );
    if followed.fetch_one::<(bool,)>(&mut tx).await?.0 {
        tx.rollback().await?;
        return Err(Error::Conflict(Message::RegradeIsFollowed));
    }
    let enrollments = sql!(
        "SELECT DISTINCT a.enrollment_id FROM regraded_attempts r JOIN attempts a ON a.id = r.attempt_id WHERE r.regrade_id = $1
         ORDER BY a.enrollment_id",
        id
    );
    let enrollments = enrollments.fetch_all::<(EnrollmentId,)>(&mut tx).await?;
    let enrollments: Vec<EnrollmentId> = enrollments.into_iter().map(|(enrollment,)| enrollment).collect();
    learning::lock_all(&mut tx, &enrollments).await?;
    // The results differ if a person has graded the attempt since, and the quiz differs if it was regraded again.
    macro_rules! as_regraded {
        ($table:literal) => {
            concat!(
                "EXISTS (SELECT 1 FROM ",
                $table,
                " a WHERE a.id = regraded_attempts.attempt_id AND a.quiz_version = regraded_attempts.quiz_after
                   AND a.results = regraded_attempts.results_after)"
            )
        };
    }
    sql!(
        concat!(
            "UPDATE regraded_attempts SET is_undone = TRUE WHERE regrade_id = $1 AND (",
            as_regraded!("attempts"),
            " OR ",
            as_regraded!("ended_attempts"),
            ")"
        ),
        id
    )
    .execute(&mut tx)
    .await?;
    macro_rules! restore {
        ($table:literal) => {
            concat!(
                "UPDATE ",
                $table,
                " SET quiz_version = r.quiz_before, results = r.results_before, score = r.score_before, max_score = r.max_before,
                   percent = r.percent_before, passed = r.passed_before
                 FROM regraded_attempts r WHERE r.attempt_id = ",
                $table,
                ".id AND r.regrade_id = $1 AND r.is_undone"
            )
        };
    }
    sql!(restore!("attempts"), id).execute(&mut tx).await?;
    sql!(restore!("ended_attempts"), id).execute(&mut tx).await?;
    let left = sql!(
        "SELECT COUNT(*) FROM regraded_attempts r WHERE r.regrade_id = $1 AND NOT r.is_undone
         AND (EXISTS (SELECT 1 FROM attempts a WHERE a.id = r.attempt_id) OR EXISTS (SELECT 1 FROM ended_attempts a WHERE a.id = r.attempt_id))",
        id
    );
    let (left,) = left.fetch_one::<(i64,)>(&mut tx).await?;
    let pages = sql!("SELECT page_id FROM regraded_pages WHERE regrade_id = $1", id);
    let pages = pages.fetch_all::<(PageId,)>(&mut tx).await?;
    let pages: Vec<PageId> = pages.into_iter().map(|(page,)| page).collect();
    results::store(&mut tx, &enrollments, &pages).await?;
    notify::undone(&mut tx, id).await?;
    let entry = Entry::new(Act::RegradeUndone).by(viewer.id()).in_course(course);
    entry.write(&mut tx, now).await?;
    tx.publish(Event::Grades { course });
    tx.commit().await?;
    let regrade = history::find(kurso, id).await?.ok_or_else(missing)?;
    Ok(Undone {
        course_id: course,
        regrade,
        left,
    })
}
