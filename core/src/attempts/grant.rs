//! What teachers do about a learner's attempts at a quiz: give one more, take it back, or remove all.

use super::AttemptGrant;
use super::running;
use super::standing::{Standing, standing};
use crate::access::{Right, Viewer};
use crate::audit::{Act, Entry};
use crate::courses::{self, Scope, overrides, tree::PageKind};
use crate::files::answers;
use crate::notices::{self, Kind, Notice, Receiver};
use crate::{Kurso, learning};
use kurso_base::error::{Error, Result};
use kurso_base::ids::{CourseId, EnrollmentId, PageId, UserId};
use kurso_base::messages::Message;
use kurso_db::events::Event;
use kurso_db::{Tx, sql};

/// The kinds of notices about a learner's attempts.
const OF_ATTEMPTS: [Kind; 4] = [Kind::Graded, Kind::Returned, Kind::ResultChanged, Kind::AttemptGiven];

/// Gives a learner one attempt beyond the limit of a quiz and beyond the extra attempts of overrides; nothing is removed. It stays
/// when overrides change, and goes with the attempts when they are reset. Returns what [`take_back`] takes. Fails like [`reset`], and with 409 while the
/// learner has attempts left or the quiz has no limit, so that a request sent twice gives one attempt.
pub async fn grant(kurso: &Kurso, viewer: &Viewer, enrollment: EnrollmentId, page: PageId) -> Result<AttemptGrant> {
    let quiz = find(kurso, viewer, enrollment, page).await?;
    let mut tx = kurso.db.begin().await?;
    // A submission takes the same lock. The time is None, because this is not an activity of the learner.
    learning::lock(&mut tx, enrollment, None).await?;
    let (standing, limit) = quiz.usage(&mut tx, enrollment, page).await?;
    let used = standing.attempts_used;
    // The limit may be below the attempts used, because it was lowered later.
    let given = match limit {
        Some(max) if used >= max => used - max + 1,
        _ => return Err(Error::Conflict(Message::AttemptsRemain)),
    };
    let granted = sql!(
        "INSERT INTO extra_attempts (enrollment_id, page_id, granted) SELECT $1, id, $3 FROM pages WHERE id = $2
         ON CONFLICT (enrollment_id, page_id) DO UPDATE SET granted = extra_attempts.granted + excluded.granted
         RETURNING granted",
        enrollment,
        page,
        given
    )
    .fetch_optional::<(i64,)>(&mut tx)
    .await?;
    let Some((granted,)) = granted else {
        return Err(Error::NotFound(Message::PageNotFound)); // deleted since it was read
    };
    learning::stored_progress::store(&mut tx, enrollment).await?;
    let now = kurso.clock.now();
    let entry = quiz.entry(Act::AttemptGranted, viewer, page);
    entry.write(&mut tx, now).await?;
    let notice = Notice::in_course(Kind::AttemptGiven, quiz.course, viewer.id(), now);
    let learner = Receiver::new(quiz.student, page).at(page);
    notices::record(&mut tx, notice, vec![learner]).await?;
    tx.commit().await?;
    Ok(AttemptGrant {
        given,
        granted,
        last_no: standing.last_no,
    })
}

/// Takes back all attempts of a grant, or without one, one unused attempt that [`grant`] gave. Fails like [`reset`], and with 409 if none was given or
/// the learner has used it; with a grant, also if an attempt was submitted, given or taken back since. Attempts that the quiz or an override allows are
/// never taken back.
pub async fn take_back(
    kurso: &Kurso,
    viewer: &Viewer,
    enrollment: EnrollmentId,
    page: PageId,
    grant: Option<AttemptGrant>,
) -> Result<()> {
    let quiz = find(kurso, viewer, enrollment, page).await?;
    let mut tx = kurso.db.begin().await?;
    learning::lock(&mut tx, enrollment, None).await?;
    let (standing, limit) = quiz.usage(&mut tx, enrollment, page).await?;
    let is_running = running::is_running(&mut tx, enrollment, page).await?;
    let is_unused = limit.is_none_or(|max| standing.attempts_used + i64::from(is_running) < max);
    let stored = sql!(
        "SELECT granted FROM extra_attempts WHERE enrollment_id = $1 AND page_id = $2",
        enrollment,
        page
    );
    let stored = stored.fetch_optional::<(i64,)>(&mut tx).await?;
    let is_last = |granted: i64| grant.is_none_or(|one| one.granted == granted && one.last_no == standing.last_no);
    let left = match stored {
        Some((granted,)) if is_unused && is_last(granted) => granted - grant.map_or(1, |one| one.given),
        _ => {
            tx.rollback().await?; // waits for the rows that the refusal is based on
            return Err(Error::Conflict(Message::NoUnusedAttempt));
        }
    };
    // A row exists only while at least one attempt is granted.
    if left > 0 {
        let update = "UPDATE extra_attempts SET granted = $3 WHERE enrollment_id = $1 AND page_id = $2";
        sql!(update, enrollment, page, left).execute(&mut tx).await?;
    } else {
        let delete = "DELETE FROM extra_attempts WHERE enrollment_id = $1 AND page_id = $2";
        sql!(delete, enrollment, page).execute(&mut tx).await?;
    }
    learning::stored_progress::store(&mut tx, enrollment).await?;
    let entry = quiz.entry(Act::AttemptTakenBack, viewer, page);
    entry.write(&mut tx, kurso.clock.now()).await?;
    let about = (quiz.course, Some(page));
    notices::withdraw_from(&mut tx, quiz.student, about, &[Kind::AttemptGiven]).await?;
    tx.commit().await?;
    Ok(())
}

/// Removes the attempts of a learner at a page and returns their number. Completion dates stay; the progress decreases. Fails
/// with 404 for an enrollment that the viewer cannot see, a page of another course or one without a quiz, and with 403
/// without the right to manage progress.
pub async fn reset(kurso: &Kurso, viewer: &Viewer, enrollment: EnrollmentId, page: PageId) -> Result<u64> {
    let quiz = find(kurso, viewer, enrollment, page).await?;
    // Deleting the page locks the same rows in another order. The lock on the course prevents a deadlock.
    let mut tx = courses::begin(&kurso.db, quiz.course, Scope::Unchanged).await?;
    learning::lock(&mut tx, enrollment, None).await?;
    sql!(
        "DELETE FROM open_answers WHERE attempt_id IN (SELECT id FROM attempts WHERE enrollment_id = $1 AND page_id = $2)",
        enrollment,
        page
    )
    .execute(&mut tx)
    .await?;
    sql!(
        "DELETE FROM regraded_attempts WHERE attempt_id IN (SELECT id FROM attempts WHERE enrollment_id = $1 AND page_id = $2)",
        enrollment,
        page
    )
    .execute(&mut tx)
    .await?;
    let running = running::discard(&mut tx, enrollment, page).await?;
    answers::release(&mut tx, enrollment, page).await?;
    let removed = sql!(
        "DELETE FROM attempts WHERE enrollment_id = $1 AND page_id = $2",
        enrollment,
        page
    )
    .execute(&mut tx)
    .await?;
    let removed = removed + running;
    // The learner sees the questions and their answers only after the next attempt.
    sql!(
        "DELETE FROM practice_cards WHERE enrollment_id = $1 AND page_id = $2",
        enrollment,
        page
    )
    .execute(&mut tx)
    .await?;
    sql!(
        "DELETE FROM extra_attempts WHERE enrollment_id = $1 AND page_id = $2",
        enrollment,
        page
    )
    .execute(&mut tx)
    .await?;
    learning::stored_progress::store(&mut tx, enrollment).await?;
    let entry = quiz.entry(Act::AttemptsReset, viewer, page);
    entry.detail(removed).write(&mut tx, kurso.clock.now()).await?;
    notices::withdraw_from(&mut tx, quiz.student, (quiz.course, Some(page)), &OF_ATTEMPTS).await?;
    tx.publish(Event::Grades { course: quiz.course });
    tx.commit().await?;
    Ok(removed)
}

/// A quiz and a learner of its course.
struct LearnersQuiz {
    course: CourseId,
    student: UserId,
    max_attempts: Option<i64>,
}

impl LearnersQuiz {
    fn entry(&self, act: Act, viewer: &Viewer, page: PageId) -> Entry {
        Entry::new(act)
            .by(viewer.id())
            .to(self.student)
            .in_course(self.course)
            .about(page)
    }

    /// The learner's standing, and how many attempts overrides and the quiz allow; None without a limit.
    async fn usage(&self, tx: &mut Tx, enrollment: EnrollmentId, page: PageId) -> Result<(Standing, Option<i64>)> {
        let standing = standing(&mut *tx, enrollment, page).await?;
        let limit = overrides::at_page(tx, enrollment, page)
            .await?
            .attempts(self.max_attempts);
        Ok((standing, limit))
    }
}

async fn find(kurso: &Kurso, viewer: &Viewer, enrollment: EnrollmentId, page: PageId) -> Result<LearnersQuiz> {
    let found = sql!("SELECT course_id, user_id FROM enrollments WHERE id = $1", enrollment)
        .fetch_optional::<(CourseId, UserId)>(&kurso.db)
        .await?;
    let (course, student) = found.ok_or(Error::NotFound(Message::EnrollmentNotFound))?;
    match courses::find(&kurso.db, viewer, course, Right::ManageProgress).await {
        Err(Error::NotFound(_)) => return Err(Error::NotFound(Message::EnrollmentNotFound)),
        found => found?,
    };
    let quiz = sql!(
        "SELECT kind, max_attempts FROM pages WHERE id = $1 AND course_id = $2",
        page,
        course
    )
    .fetch_optional::<(PageKind, Option<i64>)>(&kurso.db)
    .await?;
    let (kind, max_attempts) = quiz.ok_or(Error::NotFound(Message::PageNotFound))?;
    kind.require_quiz()?;
    Ok(LearnersQuiz {
        course,
        student,
        max_attempts,
    })
}
