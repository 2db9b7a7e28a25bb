//! Releases the points and comments of all graded answers at a quiz, so that learners see them.

use kurso_base::error::{Error, Result};
use kurso_base::ids::{AttemptId, EnrollmentId, PageId, UserId};
use kurso_base::messages::Message;
use kurso_db::events::Event;
use kurso_db::{Executor, sql};
use kurso_formats::quiz::{Quiz, Release};

use super::notify::Decision;
use super::regrade::Graded;
use crate::access::{Right, Viewer};
use crate::audit::{Act, Entry};
use crate::courses::tree::PageKind;
use crate::courses::{self, Course, Scope};
use crate::notices::Receiver;
use crate::{Kurso, learning};

/// The maximum number of attempts in one transaction.
const CHUNK: usize = 100;

/// Outcome of a release.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Released {
    /// The number of answers whose points learners see now.
    pub answers: u64,
}

/// Shows learners the points and comments of the graded answers at a quiz; for the owner and teachers. Answers that nobody has graded keep
/// waiting. An interrupted release shows only part of the points; the next one shows the rest. Fails with 404 for a page without a quiz.
pub async fn release(kurso: &Kurso, viewer: &Viewer, page: PageId) -> Result<Released> {
    let course = courses::find(&kurso.db, viewer, page, Right::ManageStudents).await?;
    require_quiz(kurso, page).await?;
    let attempts = sql!(
        "SELECT DISTINCT a.id, a.enrollment_id, o.user_id FROM open_answers o JOIN attempts a ON a.id = o.attempt_id
         WHERE o.page_id = $1 AND o.state = 'graded' ORDER BY a.enrollment_id, a.id",
        page
    );
    let attempts = attempts
        .fetch_all::<(AttemptId, EnrollmentId, UserId)>(&kurso.db)
        .await?;
    let mut released = Released { answers: 0 };
    for chunk in attempts.chunks(CHUNK) {
        released.answers += release_some(kurso, viewer, (&course, page), chunk).await?;
    }
    Ok(released)
}

async fn release_some(
    kurso: &Kurso,
    viewer: &Viewer,
    (course, page): (&Course, PageId),
    attempts: &[(AttemptId, EnrollmentId, UserId)],
) -> Result<u64> {
    let mut loaded = Vec::with_capacity(attempts.len());
    for (attempt, enrollment, user) in attempts {
        // The attempt is gone if the learner has left, or if the attempts were reset.
        if let Some(graded) = Graded::load(kurso, *attempt).await? {
            loaded.push((*attempt, *enrollment, *user, graded));
        }
    }
    // As in `assess`.
    let mut tx = courses::begin(&kurso.db, course.id, Scope::Unchanged).await?;
    let mut answers = 0;
    let (mut enrollments, mut learners) = (vec![], vec![]);
    // In the order of the enrollments, so that two releases lock them in the same order.
    for (attempt, enrollment, user, graded) in loaded {
        match learning::lock(&mut tx, enrollment, None).await {
            Err(Error::Forbidden(_)) => continue, // has just left
            locked => locked?,
        }
        let shown = sql!(
            "UPDATE open_answers SET state = 'released' WHERE attempt_id = $1 AND state = 'graded'",
            attempt
        )
        .execute(&mut tx)
        .await?;
        answers += shown;
        graded.store(&mut tx).await?;
        learning::stored_progress::store(&mut tx, enrollment).await?;
        enrollments.push(enrollment);
        if shown > 0 {
            learners.push(Receiver::new(user, attempt).at(page));
        }
    }
    let now = kurso.clock.now();
    let decision = Decision {
        course: course.id,
        by: viewer.id(),
        at: now,
    };
    decision.graded(&mut tx, learners).await?;
    if answers > 0 {
        let entry = Entry::new(Act::AssessmentsReleased)
            .by(viewer.id())
            .in_course(course.id);
        let entry = entry.about(page).detail(answers);
        entry.write(&mut tx, now).await?;
        tx.publish(Event::Grades { course: course.id });
    }
    tx.commit().await?;
    learning::completion::record_complete(kurso, course, &enrollments).await?;
    Ok(answers)
}

async fn require_quiz(kurso: &Kurso, page: PageId) -> Result<()> {
    let kind = sql!("SELECT kind FROM pages WHERE id = $1", page);
    let kind = kind.fetch_optional::<(PageKind,)>(&kurso.db).await?;
    let (kind,) = kind.ok_or(Error::NotFound(Message::PageNotFound))?;
    kind.require_quiz()
}

/// When the current quiz of a page shows the points of graders; None if the page does not exist.
pub(super) async fn release_of(on: impl Executor, page: PageId) -> Result<Option<Release>> {
    let found = sql!("SELECT quiz FROM page_contents WHERE page_id = $1", page);
    let Some((text,)) = found.fetch_optional::<(Option<String>,)>(on).await? else {
        return Ok(None);
    };
    let quiz = text.as_deref().map_or_else(|| Ok(Quiz::default()), Quiz::from_text)?;
    Ok(Some(quiz.release))
}
