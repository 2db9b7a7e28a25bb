//! Moves what a guest did to an account.

use super::{enrollment, rows};
use crate::Kurso;
use crate::access::Viewer;
use crate::attempts::running;
use crate::audit::{Act, Entry};
use crate::courses::{self, lock_all};
use crate::learning;
use crate::learning::view::CourseView;
use kurso_base::error::{Error, Result};
use kurso_base::ids::{CourseId, EnrollmentId, UserId};
use kurso_base::messages::Message;
use kurso_db::events::Event;
use kurso_db::{Tx, sql};

/// The result of moving a guest to an account.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Merged {
    /// The courses of the guest, in the order of their ids.
    pub courses: Vec<CourseId>,
    /// The attempts beyond the limit of their quizzes, which were deleted: those of the account count first.
    pub uncounted_attempts: i64,
}

/// How often a merge is tried again after the guest enrolled or started an attempt meanwhile.
const TRIES: usize = 5;

/// Moves the enrollments of a guest with visits, attempts, notes and everything else to the viewer's account, and deletes the guest; one transaction.
/// `token` is the access token of the guest. Where the account is enrolled too, visits are united, attempts are added up to the limit of their quiz, and
/// running attempts of the guest end with their saved answers. Calling it again is harmless: a guest that no longer exists has nothing to move. Fails
/// with 400 if the token is not one of a guest whose session is open.
pub async fn merge(kurso: &Kurso, viewer: &Viewer, token: &str) -> Result<Merged> {
    viewer.require_account()?;
    let no_guest = || Error::BadRequest(Message::NotAGuest);
    let (guest, session) = kurso.tokens.read(token, kurso.clock.now()).map_err(|_| no_guest())?;
    let found = sql!(
        "SELECT u.is_guest AND s.id IS NOT NULL FROM users u LEFT JOIN sessions s ON s.user_id = u.id AND s.id = $2 AND s.ended_at IS NULL
         WHERE u.id = $1",
        guest,
        session
    );
    match found.fetch_optional::<(bool,)>(&kurso.db).await? {
        None => return Ok(Merged::default()),
        Some((false,)) => return Err(no_guest()),
        Some((true,)) => {}
    }
    for _ in 0..TRIES {
        match try_to_merge(kurso, viewer.id(), guest).await {
            Ok(Some(merged)) => return Ok(merged),
            Ok(None) | Err(Error::Busy) => {} // a deadlock with another request of one of the two is resolved by trying again
            Err(error) => return Err(error),
        }
    }
    Err(Error::Busy)
}

/// The courses of a guest, also those that they left.
async fn courses_of(kurso: &Kurso, guest: UserId) -> Result<Vec<CourseId>> {
    let rows = sql!(
        "SELECT course_id FROM enrollments WHERE user_id = $1 UNION SELECT course_id FROM ended_enrollments WHERE user_id = $1",
        guest
    );
    let rows = rows.fetch_all::<(CourseId,)>(&kurso.db).await?;
    Ok(rows.into_iter().map(|(course,)| course).collect())
}

/// None if the guest enrolled, or started an attempt, after this read what to lock.
async fn try_to_merge(kurso: &Kurso, account: UserId, guest: UserId) -> Result<Option<Merged>> {
    let courses = courses_of(kurso, guest).await?;
    for course in &courses {
        end_running(kurso, *course, account, guest).await?;
    }
    let now = kurso.clock.now();
    let mut tx = kurso.db.begin().await?;
    // Courses are locked before enrollments, and those before people, as everywhere: a submission locks its enrollment, and then refers to its learner.
    lock_all(&mut tx, &courses).await?;
    let enrollments = sql!(
        "SELECT id FROM enrollments WHERE user_id IN ($1, $2) AND course_id IN ",
        account,
        guest
    )
    .push_in(courses.iter().copied())
    .push(" ORDER BY id");
    let enrollments = enrollments.fetch_all::<(EnrollmentId,)>(&mut tx).await?;
    let enrollments: Vec<EnrollmentId> = enrollments.into_iter().map(|(id,)| id).collect();
    learning::lock_all(&mut tx, &enrollments).await?;
    if !lock_people(&mut tx, account, guest).await? {
        tx.rollback().await?;
        return Ok(Some(Merged::default())); // another request has merged it
    }
    let enrollments = sql!(
        "SELECT id, course_id FROM enrollments WHERE user_id = $1 ORDER BY course_id",
        guest
    );
    let enrollments = enrollments.fetch_all::<(EnrollmentId, CourseId)>(&mut tx).await?;
    if enrollments.iter().any(|(_, course)| !courses.contains(course)) {
        tx.rollback().await?;
        return Ok(None);
    }
    rows::move_overrides(&mut tx, account, guest).await?;
    let mut merged = Merged {
        courses: enrollments.iter().map(|(_, course)| *course).collect(),
        ..Merged::default()
    };
    let mut moved = vec![];
    for (from, course) in enrollments {
        let Some(done) = enrollment::merge(&mut tx, (account, guest), course, from, now).await? else {
            tx.rollback().await?;
            return Ok(None);
        };
        merged.uncounted_attempts += done.surplus;
        moved.push((course, done.enrollment));
        tx.publish(Event::Groups { course });
        tx.publish(Event::Grades { course });
    }
    rows::move_all(&mut tx, account, guest).await?;
    sql!("DELETE FROM users WHERE id = $1", guest).execute(&mut tx).await?;
    let entry = Entry::new(Act::GuestMerged).by(account).to(account).detail(guest);
    entry.write(&mut tx, now).await?;
    tx.publish(Event::Person { user: guest });
    tx.publish(Event::Person { user: account });
    tx.publish(Event::Notices {
        user: account,
        newest: None,
    });
    tx.commit().await?;
    record_completion(kurso, &moved).await;
    Ok(Some(merged))
}

/// Two halves of a course may complete it. Reading it records that; a failure leaves it to the next reading.
async fn record_completion(kurso: &Kurso, enrollments: &[(CourseId, EnrollmentId)]) {
    for (course, enrollment) in enrollments {
        let read = async {
            let course = courses::find_as_learner(&kurso.db, *course, *enrollment).await?;
            CourseView::of(kurso, course).await
        };
        if let Err(error) = read.await {
            tracing::warn!(%error, %enrollment, "a merged enrollment could not be read");
        }
    }
}

/// Locks both in one order. The key of the guest changes: on PostgreSQL this waits for transactions that store rows of the guest, and holds up new ones, which
/// then fail. False if the guest is gone.
async fn lock_people(tx: &mut Tx, account: UserId, guest: UserId) -> Result<bool> {
    let mut is_there = false;
    for id in [account.min(guest), account.max(guest)] {
        let locked = match id == guest {
            true => sql!("UPDATE users SET email_key = 'merged:' || email_key WHERE id = $1", id),
            false => sql!("UPDATE users SET email_key = email_key WHERE id = $1", id),
        };
        let found = locked.execute(&mut *tx).await? > 0;
        match id == guest {
            true => is_there = found,
            false if !found => return Err(Error::NotFound(Message::UserGone)),
            false => {}
        }
    }
    Ok(is_there)
}

/// Ends the running attempts of the guest in a course that the account is or was enrolled in: the questions of an attempt are asked as the enrollment
/// says, which the guest's attempt loses.
async fn end_running(kurso: &Kurso, course: CourseId, account: UserId, guest: UserId) -> Result<()> {
    let both = sql!(
        "SELECT e.id FROM enrollments e WHERE e.course_id = $1 AND e.user_id = $3 AND (
           EXISTS (SELECT 1 FROM enrollments a WHERE a.course_id = $1 AND a.user_id = $2)
           OR EXISTS (SELECT 1 FROM ended_enrollments a WHERE a.course_id = $1 AND a.user_id = $2))",
        course,
        account,
        guest
    );
    if let Some((enrollment,)) = both.fetch_optional::<(EnrollmentId,)>(&kurso.db).await? {
        running::end_all(kurso, course, enrollment).await?;
    }
    Ok(())
}
