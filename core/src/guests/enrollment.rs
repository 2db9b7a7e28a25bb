//! Moves one enrollment of a guest to an account.

use chrono::{DateTime, Utc};

use crate::courses::enrollment::ReadingPlace;
use crate::courses::overrides;
use crate::learning::{self, stored_progress};
use kurso_base::error::Result;
use kurso_base::ids::{AttemptId, CourseId, EnrollmentId, PageId, UserId};
use kurso_db::{Tx, sql};
use uuid::Uuid;

/// Moves an enrollment. An account that is not enrolled gets it as it is; an ended enrollment of the account is restored first. The caller has locked the
/// course. Returns the number of attempts beyond the limit; None if the guest has started an attempt that must be ended first.
pub(super) async fn merge(
    tx: &mut Tx,
    (account, guest): (UserId, UserId),
    course: CourseId,
    from: EnrollmentId,
    now: DateTime<Utc>,
) -> Result<Option<i64>> {
    learning::restore_ended(&mut *tx, course, account, now).await?;
    let own = sql!(
        "SELECT id FROM enrollments WHERE course_id = $1 AND user_id = $2",
        course,
        account
    );
    let Some((own,)) = own.fetch_optional::<(EnrollmentId,)>(&mut *tx).await? else {
        sql!("UPDATE enrollments SET user_id = $2 WHERE id = $1", from, account)
            .execute(&mut *tx)
            .await?;
        return Ok(Some(0));
    };
    let running = sql!(
        "SELECT r.id FROM running_attempts r JOIN pages p ON p.id = r.page_id WHERE p.course_id = $1 AND r.user_id = $2 LIMIT 1",
        course,
        guest
    );
    if running.fetch_optional::<(Uuid,)>(&mut *tx).await?.is_some() {
        return Ok(None);
    }
    // In one order, so that two devices that merge at once do not wait for each other.
    for enrollment in [own.min(from), own.max(from)] {
        learning::lock(&mut *tx, enrollment, None).await?;
    }
    unite_visits(&mut *tx, own, from).await?;
    let surplus = add_attempts(&mut *tx, own, from).await?;
    add_cards(&mut *tx, own, from).await?;
    unite_enrollments(&mut *tx, own, from).await?;
    stored_progress::store(&mut *tx, own).await?;
    Ok(Some(surplus))
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
    is_returned: bool,
}

/// Adds the attempts of the guest after those of the account, the earliest first, until the limit of their quiz is reached. Returns the number of those
/// beyond it, which stay with the guest.
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
        "SELECT a.id, a.page_id, p.max_attempts, a.is_returned FROM attempts a JOIN pages p ON p.id = a.page_id WHERE a.enrollment_id = $1
         ORDER BY a.page_id, a.submitted_at, a.attempt_no",
        from
    );
    let made = made.fetch_all::<Made>(&mut *tx).await?;
    let mut surplus = 0;
    for of_page in made.chunk_by(|a, b| a.page_id == b.page_id) {
        let Some(Made {
            page_id, max_attempts, ..
        }) = of_page.first()
        else {
            continue;
        };
        let limit = overrides::at_page(&mut *tx, own, *page_id)
            .await?
            .attempts(*max_attempts);
        let mut used = used_at(&mut *tx, own, *page_id).await?;
        for attempt in of_page {
            let counts = i64::from(!attempt.is_returned);
            if limit.is_some_and(|limit| used.counted + counts > limit) {
                surplus += 1;
                continue;
            }
            used.counted += counts;
            used.last_no += 1;
            // A device that sent the same submission for both made one submission of the guest; its id is taken.
            sql!(
                "UPDATE attempts SET enrollment_id = $2, attempt_no = $3, submission_id = CASE WHEN EXISTS (
                   SELECT 1 FROM attempts o WHERE o.enrollment_id = $2 AND o.submission_id = attempts.submission_id)
                   THEN NULL ELSE submission_id END WHERE id = $1",
                attempt.id,
                own,
                used.last_no
            )
            .execute(&mut *tx)
            .await?;
        }
    }
    Ok(surplus)
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
    group_id: Option<Uuid>,
}

/// The earlier enrollment and completion, and the later activity and place. The account stays in its group.
async fn unite_enrollments(tx: &mut Tx, own: EnrollmentId, from: EnrollmentId) -> Result<()> {
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
    let completed = [own_dates.completed_at, guest.completed_at];
    sql!(
        "UPDATE enrollments SET enrolled_at = $2, last_activity_at = $3, completed_at = $4, last_page_id = $5, reading_place = $6, group_id = $7
         WHERE id = $1",
        own,
        own_dates.enrolled_at.min(guest.enrolled_at),
        own_dates.last_activity_at.max(guest.last_activity_at),
        completed.into_iter().flatten().min(),
        last_page,
        reading_place,
        own_dates.group_id.or(guest.group_id)
    )
    .execute(tx)
    .await?;
    Ok(())
}

async fn dates(tx: &mut Tx, enrollment: EnrollmentId) -> Result<Dates> {
    let dates = sql!(
        "SELECT enrolled_at, last_activity_at, completed_at, last_page_id, reading_place, group_id FROM enrollments WHERE id = $1",
        enrollment
    );
    Ok(dates.fetch_one(tx).await?)
}
