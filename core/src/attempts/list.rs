//! Lists of attempts, for their learner and for those who may see students.

use std::collections::HashMap;
use std::sync::Arc;

use super::changes::{Listed, changes_of, has_changes};
use super::review::{Attempt, AttemptRow, attempt_columns, shows_answers};
use super::standing::standings;
use super::taken::TakenQuizzes;
use crate::Kurso;
use kurso_base::error::{Error, Result};
use kurso_base::ids::{EnrollmentId, PageId};
use kurso_db::sql;
use kurso_formats::quiz::Quiz;

/// An attempt for those who may see students.
#[derive(Clone, Debug)]
pub struct TakenAttempt {
    pub page_id: PageId,
    pub attempt: Attempt,
    /// The quiz in the version that was taken, with what the attempt has drawn, in the author's form; attempts without draws at one version
    /// share it.
    pub quiz: Arc<str>,
}

/// The most attempts at a page that a list contains: the last ones.
pub const SHOWN_ATTEMPTS: i64 = 100;

/// The most bytes that the attempts of a student have together, each counted with its quiz: REST repeats the quiz in each attempt.
const MAX_BYTES: i64 = 32 << 20;

/// The ids of the attempts of an enrollment ($1) that staff see: at each page the last $2; of these the latest that have $3 bytes
/// together. The text of a quiz with draws has the questions of all attempts, so those of one attempt are estimated: they are about 20 times as
/// long as the list of their ids (`drawn`).
macro_rules! shown_to_staff {
    () => {
        "(SELECT s.id FROM (
            SELECT a.id, SUM(OCTET_LENGTH(a.answers) + OCTET_LENGTH(a.results)
                + CASE WHEN a.drawn IS NULL THEN OCTET_LENGTH(t.quiz) ELSE 20 * OCTET_LENGTH(a.drawn) END)
                OVER (ORDER BY a.submitted_at DESC, a.page_id, a.attempt_no DESC) AS bytes
            FROM attempts a JOIN taken_quizzes t ON t.page_id = a.page_id AND t.version = a.quiz_version
            WHERE a.enrollment_id = $1 AND a.attempt_no + $2 > (
              SELECT MAX(b.attempt_no) FROM attempts b WHERE b.enrollment_id = a.enrollment_id AND b.page_id = a.page_id)
          ) s WHERE s.bytes <= $3)"
    };
}
pub(super) use shown_to_staff;

/// The attempts of an enrollment at a page, as [`attempts_of_each`].
pub async fn attempts_of(kurso: &Kurso, enrollment: EnrollmentId, page: PageId) -> Result<Vec<Attempt>> {
    let mut found = attempts_of_each(kurso, &[(page, enrollment)]).await?;
    Ok(found.remove(&page).unwrap_or_default())
}

/// The attempts of a learner at the pages, in order, as the learner may see them now. Each page comes with the enrollment in its
/// course; pages without attempts are missing. At most five statements. Does not check that the reader is the learner.
pub async fn attempts_of_each(
    kurso: &Kurso,
    taken: &[(PageId, EnrollmentId)],
) -> Result<HashMap<PageId, Vec<Attempt>>> {
    let pages: Vec<PageId> = taken.iter().map(|(page, _)| *page).collect();
    let enrolled: HashMap<PageId, EnrollmentId> = taken.iter().copied().collect();
    let enrollments = super::distinct(enrolled.values().copied());
    let rows = sql!(
        concat!(
            "SELECT ",
            attempt_columns!(),
            has_changes!(),
            " FROM attempts a WHERE attempt_no > $1 + (
               SELECT MAX(b.attempt_no) FROM attempts b WHERE b.enrollment_id = a.enrollment_id AND b.page_id = a.page_id)
             AND enrollment_id IN "
        ),
        -SHOWN_ATTEMPTS
    )
    .push_in(enrollments.iter().copied())
    .push(" AND page_id IN ")
    .push_in(pages.iter().copied())
    .push(" ORDER BY page_id, attempt_no")
    .fetch_all::<Listed>(&kurso.db)
    .await?;
    let mut found: HashMap<PageId, Vec<Attempt>> = HashMap::new();
    if rows.is_empty() {
        return Ok(found);
    }
    let mut changes = changes_of(&kurso.db, &rows).await?;
    let rows: Vec<AttemptRow> = rows.into_iter().map(|listed| listed.row).collect();
    let standings = standings(&kurso.db, &enrollments, &pages).await?;
    let mut reveals = HashMap::new();
    for (page, quiz) in super::for_author(&kurso.db, &pages).await? {
        reveals.insert(page, Quiz::from_text(&quiz)?.reveal);
    }
    let has_passed = |page| standings.get(&page).is_some_and(|standing| standing.passed);
    // While answers are hidden, the quiz is read only for attempts with questions of their own: drawn ones, or formula questions.
    let is_revealed = |page: PageId| {
        let reveal = reveals.get(&page);
        reveal.is_some_and(|reveal| shows_answers(*reveal, has_passed(page)))
    };
    let has_own = |row: &AttemptRow| row.drawn.is_some() || row.has_values();
    let needed = rows.iter().filter(|row| has_own(row) || is_revealed(row.page_id));
    let mut needed: Vec<PageId> = needed.map(|row| row.page_id).collect();
    needed.dedup();
    let quizzes = TakenQuizzes::of(&kurso.db, &enrollments, &needed).await?;
    let urls = kurso.file_urls();
    for row in rows {
        // The page was deleted meanwhile, and its attempts with it.
        let (Some(reveal), Some(enrollment)) = (reveals.get(&row.page_id), enrolled.get(&row.page_id)) else {
            continue;
        };
        let taken = quizzes.find(&row)?;
        let taken = taken.as_ref().map(|taken| taken.quiz.as_ref());
        let (page, has_passed) = (row.page_id, has_passed(row.page_id));
        let changes = changes.remove(&row.id);
        let mut attempt = row.for_learner(taken, *reveal, has_passed, &kurso.quiz_key.aliases(enrollment.0), &urls)?;
        attempt.result_changes = changes.unwrap_or_default();
        found.entry(page).or_default().push(attempt);
    }
    Ok(found)
}

/// The attempts of an enrollment by page and number, for those who may see students: the last [`SHOWN_ATTEMPTS`] at each page,
/// fewer if all together would have more than 32 MiB. At most three statements.
pub async fn attempts_for_staff(kurso: &Kurso, enrollment: EnrollmentId) -> Result<Vec<TakenAttempt>> {
    let db = &kurso.db;
    let rows = sql!(
        concat!(
            "SELECT ",
            attempt_columns!(),
            has_changes!(),
            " FROM attempts a WHERE id IN ",
            shown_to_staff!(),
            " ORDER BY page_id, attempt_no"
        ),
        enrollment,
        SHOWN_ATTEMPTS,
        MAX_BYTES
    )
    .fetch_all::<Listed>(db)
    .await?;
    if rows.is_empty() {
        return Ok(vec![]);
    }
    let mut changes = changes_of(db, &rows).await?;
    let quizzes = TakenQuizzes::shown_to_staff(db, enrollment, SHOWN_ATTEMPTS, MAX_BYTES).await?;
    let urls = kurso.file_urls();
    // There may be thousands, whose answers are parsed away from the threads of the async runtime.
    let reading = tokio::task::spawn_blocking(move || {
        let mut attempts = Vec::with_capacity(rows.len());
        for Listed { row, .. } in rows {
            // The page was deleted meanwhile, and its attempts with it.
            if let Some(taken) = quizzes.find(&row)? {
                let changes = changes.remove(&row.id);
                let (page_id, quiz) = (row.page_id, taken.text()?);
                let mut attempt = row.for_staff(&taken.quiz, &urls)?;
                attempt.result_changes = changes.unwrap_or_default();
                attempts.push(TakenAttempt { page_id, attempt, quiz });
            }
        }
        Ok(attempts)
    });
    reading.await.map_err(Error::internal)?
}
