//! Moves one enrollment of a guest to an account.

use chrono::{DateTime, Utc};

use crate::attempts::{running, settle_returned};
use crate::courses::enrollment::ReadingPlace;
use crate::courses::overrides;
use crate::learning::{self, stored_progress};
use kurso_base::error::{Result, is_unique_violation};
use kurso_base::ids::{AttemptId, CourseId, EnrollmentId, PageId, UserId};
use kurso_db::{Tx, sql};
use uuid::Uuid;

/// What a merge of two enrollments changed.
pub(super) struct MergedEnrollment {
    pub enrollment: EnrollmentId,
    /// The attempts beyond the limit.
    pub surplus: i64,
}

/// Moves an enrollment. An account that is not enrolled gets it as it is; an ended enrollment of the account is restored first. The caller has locked the
/// course, its enrollments and both people, and moved the overrides. None if the account has just enrolled, or the guest has started an attempt that must be ended first.
pub(super) async fn merge(
    tx: &mut Tx,
    (account, guest): (UserId, UserId),
    course: CourseId,
    from: EnrollmentId,
    now: DateTime<Utc>,
) -> Result<Option<MergedEnrollment>> {
    learning::restore_ended(&mut *tx, course, account, now).await?;
    let own = sql!(
        "SELECT id FROM enrollments WHERE course_id = $1 AND user_id = $2",
        course,
        account
    );
    let Some((own,)) = own.fetch_optional::<(EnrollmentId,)>(&mut *tx).await? else {
        let moved = sql!("UPDATE enrollments SET user_id = $2 WHERE id = $1", from, account);
        return match moved.execute(&mut *tx).await {
            Err(error) if is_unique_violation(&error) => Ok(None),
            moved => {
                moved?;
                move_running(tx, (account, guest), course).await?;
                Ok(Some(MergedEnrollment {
                    enrollment: from,
                    surplus: 0,
                }))
            }
        };
    };
    learning::lock(&mut *tx, own, None).await?;
    let running = sql!(
        "SELECT r.id FROM running_attempts r JOIN pages p ON p.id = r.page_id WHERE p.course_id = $1 AND r.user_id = $2 LIMIT 1",
        course,
        guest
    );
    if running.fetch_optional::<(Uuid,)>(&mut *tx).await?.is_some() {
        return Ok(None);
    }
    // First: the group may have overrides of limits.
    sql!(
        "UPDATE enrollments SET group_id = COALESCE(group_id, (SELECT g.group_id FROM enrollments g WHERE g.id = $2)) WHERE id = $1",
        own,
        from
    )
    .execute(&mut *tx)
    .await?;
    unite_visits(&mut *tx, own, from).await?;
    let surplus = add_attempts(&mut *tx, own, from).await?;
    add_cards(&mut *tx, own, from).await?;
    unite_enrollments(&mut *tx, own, from, surplus == 0).await?;
    stored_progress::store(&mut *tx, own).await?;
    Ok(Some(MergedEnrollment {
        enrollment: own,
        surplus,
    }))
}

/// The running attempts of an enrollment that moved as it is.
async fn move_running(tx: &mut Tx, (account, guest): (UserId, UserId), course: CourseId) -> Result<()> {
    sql!(
        "UPDATE running_attempts SET user_id = $1 WHERE user_id = $2 AND page_id IN (SELECT id FROM pages WHERE course_id = $3)
         AND NOT EXISTS (SELECT 1 FROM running_attempts o WHERE o.user_id = $1 AND o.page_id = running_attempts.page_id)",
        account,
        guest,
        course
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// The first visit counts, and the newest version that was read.
async fn unite_visits(tx: &mut Tx, own: EnrollmentId, from: EnrollmentId) -> Result<()> {
    sql!(
        "INSERT INTO visits (enrollment_id, page_id, visited_at, read_version, reread_at, is_claimed)
         SELECT $1, page_id, visited_at, read_version, reread_at, is_claimed FROM visits WHERE enrollment_id = $2
         ON CONFLICT (enrollment_id, page_id) DO UPDATE SET
           visited_at = CASE WHEN excluded.visited_at < visits.visited_at THEN excluded.visited_at ELSE visits.visited_at END,
           reread_at = CASE WHEN COALESCE(excluded.read_version, 0) > COALESCE(visits.read_version, 0)
             THEN excluded.reread_at ELSE visits.reread_at END,
           is_claimed = CASE WHEN COALESCE(excluded.read_version, 0) > COALESCE(visits.read_version, 0)
             THEN excluded.is_claimed ELSE visits.is_claimed END,
           read_version = CASE WHEN COALESCE(excluded.read_version, 0) > COALESCE(visits.read_version, 0)
             THEN excluded.read_version ELSE visits.read_version END",
        own,
        from
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// How many attempts an enrollment has at a page.
#[derive(sqlx::FromRow)]
struct Used {
    /// Those that count against the limit.
    counted: i64,
    last_no: i64,
}

/// An attempt of the guest.
#[derive(sqlx::FromRow)]
struct Made {
    id: AttemptId,
    page_id: PageId,
    max_attempts: Option<i64>,
    waiting: i64,
    is_returned: bool,
}

/// Adds the attempts of the guest after those of the account, the earliest first, until the limit of their quiz is reached. Returns the number of those
/// that stay with the guest, and deletes the notices about them.
async fn add_attempts(tx: &mut Tx, own: EnrollmentId, from: EnrollmentId) -> Result<i64> {
    // What the staff gave the guest, they gave this person.
    sql!(
        "INSERT INTO extra_attempts (enrollment_id, page_id, granted)
         SELECT $1, page_id, granted FROM extra_attempts WHERE enrollment_id = $2
         ON CONFLICT (enrollment_id, page_id) DO UPDATE SET granted = extra_attempts.granted + excluded.granted",
        own,
        from
    )
    .execute(&mut *tx)
    .await?;
    let made = sql!(
        "SELECT a.id, a.page_id, p.max_attempts, a.waiting, a.is_returned FROM attempts a JOIN pages p ON p.id = a.page_id
         WHERE a.enrollment_id = $1 ORDER BY a.page_id, a.submitted_at, a.attempt_no",
        from
    );
    let made = made.fetch_all::<Made>(&mut *tx).await?;
    let mut surplus = made.len();
    for of_page in made.chunk_by(|a, b| a.page_id == b.page_id) {
        surplus -= add_attempts_at(&mut *tx, own, of_page).await?;
    }
    sql!(
        "DELETE FROM notices WHERE subject IN (SELECT id FROM attempts WHERE enrollment_id = $1)",
        from
    )
    .execute(&mut *tx)
    .await?;
    Ok(i64::try_from(surplus).unwrap_or(i64::MAX))
}

/// Adds the attempts at one page; returns how many fit.
async fn add_attempts_at(tx: &mut Tx, own: EnrollmentId, made: &[Made]) -> Result<usize> {
    let Some(Made {
        page_id, max_attempts, ..
    }) = made.first()
    else {
        return Ok(0);
    };
    let limit = overrides::at_page(&mut *tx, own, *page_id)
        .await?
        .attempts(*max_attempts);
    let Used { mut counted, last_no } = used_at(&mut *tx, own, *page_id).await?;
    // A running attempt of the account becomes one when it ends.
    counted += i64::from(running::is_running(&mut *tx, own, *page_id).await?);
    let mut added: Vec<&Made> = vec![];
    for attempt in made {
        let counts = i64::from(!attempt.is_returned);
        if limit.is_none_or(|limit| counted + counts <= limit) {
            counted += counts;
            added.push(attempt);
        }
    }
    // Returned work counts as 0 points because of the attempt after it, which may be beyond the limit.
    while added.last().is_some_and(|last| last.is_returned && last.waiting == 0) {
        added.pop();
    }
    if !added.is_empty() {
        settle_returned(&mut *tx, own, *page_id).await?;
    }
    for (number, attempt) in (last_no + 1..).zip(&added) {
        // A device that sent the same submission for both made one submission of the guest; its id is taken.
        sql!(
            "UPDATE attempts SET enrollment_id = $2, attempt_no = $3, submission_id = CASE WHEN EXISTS (
               SELECT 1 FROM attempts o WHERE o.enrollment_id = $2 AND o.submission_id = attempts.submission_id)
               THEN NULL ELSE submission_id END WHERE id = $1",
            attempt.id,
            own,
            number
        )
        .execute(&mut *tx)
        .await?;
    }
    Ok(added.len())
}

async fn used_at(tx: &mut Tx, enrollment: EnrollmentId, page: PageId) -> Result<Used> {
    let used = sql!(
        "SELECT CAST(COALESCE(SUM(CASE WHEN is_returned THEN 0 ELSE 1 END), 0) AS BIGINT)
             - COALESCE((SELECT granted FROM extra_attempts WHERE enrollment_id = $1 AND page_id = $2), 0) AS counted,
           COALESCE(MAX(attempt_no), 0) AS last_no
         FROM attempts WHERE enrollment_id = $1 AND page_id = $2",
        enrollment,
        page
    );
    Ok(used.fetch_one::<Used>(tx).await?)
}

/// Of two cards of a question, the one that was reviewed last remains.
async fn add_cards(tx: &mut Tx, own: EnrollmentId, from: EnrollmentId) -> Result<()> {
    // The card that both have and that was reviewed earlier; of cards reviewed at the same time, the guest's.
    for (older, newer, is_strict) in [(own, from, true), (from, own, false)] {
        sql!(
            "DELETE FROM practice_cards WHERE enrollment_id = $1 AND EXISTS (
               SELECT 1 FROM practice_cards n WHERE n.enrollment_id = $2 AND n.page_id = practice_cards.page_id
               AND n.question_id = practice_cards.question_id
               AND (n.reviewed_at > practice_cards.reviewed_at OR (n.reviewed_at = practice_cards.reviewed_at AND NOT $3)))",
            older,
            newer,
            is_strict
        )
        .execute(&mut *tx)
        .await?;
    }
    sql!(
        "UPDATE practice_cards SET enrollment_id = $1 WHERE enrollment_id = $2",
        own,
        from
    )
    .execute(tx)
    .await?;
    Ok(())
}

#[derive(sqlx::FromRow)]
struct Dates {
    enrolled_at: DateTime<Utc>,
    last_activity_at: DateTime<Utc>,
    completed_at: Option<DateTime<Utc>>,
    last_page_id: Option<PageId>,
    reading_place: Option<String>,
}

/// The earlier enrollment and completion, and the later activity and place. The guest may have completed the course by attempts that do not count
/// (`all_count`): then the completion is derived again.
async fn unite_enrollments(tx: &mut Tx, own: EnrollmentId, from: EnrollmentId, all_count: bool) -> Result<()> {
    let own_dates = dates(&mut *tx, own).await?;
    let guest = dates(&mut *tx, from).await?;
    let is_later = guest.last_activity_at > own_dates.last_activity_at;
    let read_at = |dates: &Dates| {
        dates
            .reading_place
            .as_deref()
            .and_then(ReadingPlace::parse)
            .map(|place| place.at)
    };
    let reading_place = match read_at(&guest) > read_at(&own_dates) {
        true => guest.reading_place,
        false => own_dates.reading_place,
    };
    let last_page = match is_later {
        true => guest.last_page_id.or(own_dates.last_page_id),
        false => own_dates.last_page_id.or(guest.last_page_id),
    };
    let completed = [own_dates.completed_at, guest.completed_at.filter(|_| all_count)];
    sql!(
        "UPDATE enrollments SET enrolled_at = $2, last_activity_at = $3, completed_at = $4, last_page_id = $5, reading_place = $6
         WHERE id = $1",
        own,
        own_dates.enrolled_at.min(guest.enrolled_at),
        own_dates.last_activity_at.max(guest.last_activity_at),
        completed.into_iter().flatten().min(),
        last_page,
        reading_place
    )
    .execute(tx)
    .await?;
    Ok(())
}

async fn dates(tx: &mut Tx, enrollment: EnrollmentId) -> Result<Dates> {
    let dates = sql!(
        "SELECT enrolled_at, last_activity_at, completed_at, last_page_id, reading_place FROM enrollments WHERE id = $1",
        enrollment
    );
    Ok(dates.fetch_one(tx).await?)
}
