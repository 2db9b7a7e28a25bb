//! Saves answers of a running attempt as they are given.

use super::allowance::Given;
use super::{Running, answer_from_text};
use crate::Kurso;
use crate::access::Viewer;
use crate::courses::{self, Scope};
use crate::files::answers;
use crate::learning::LearnerAt;
use kurso_base::error::{Error, Result};
use kurso_base::ids::{AttemptId, CourseId, PageId};
use kurso_base::messages::Message;
use kurso_db::{Executor, Tx, sql};
use kurso_formats::quiz::{Answer, AnswerFile, AnswersSave, ChangedAnswer, Kind, Quiz, Seconds, files_of};
use uuid::Uuid;

/// How often answers are saved when a file of theirs is deleted meanwhile.
const TRIES: usize = 5;

/// Outcome of saving answers.
#[derive(Clone, Debug, PartialEq)]
pub enum Saved {
    /// The answers are saved, except those to the `fixed` questions, which were checked before: their answers stay. Seconds since the start, at
    /// the moment of the response.
    Stored { elapsed: f64, fixed: Vec<Uuid> },
    /// They were given after the end of the time, or arrive after the grace period; nothing was saved.
    TimeIsOver { elapsed: f64 },
    /// The attempt was submitted or graded; nothing was saved.
    Ended,
}

/// Saves answers of the viewer's running attempt. A save that is repeated, or that arrives after a later one, never replaces a later answer, and
/// none replaces an answer that was checked.
/// Fails with 404 for a page that the viewer cannot see, 403 without an enrollment or with a ticket that is not theirs, and 422 for answers that
/// do not fit the quiz.
pub async fn save(kurso: &Kurso, viewer: &Viewer, page: PageId, save: AnswersSave) -> Result<Saved> {
    let arrives_at = kurso.clock.now();
    let at = LearnerAt::load(kurso, viewer, page).await?;
    at.view.page(at.place).kind.require_quiz()?;
    let attempt = kurso.tickets.attempt(&save.ticket, viewer.id());
    let attempt = attempt.ok_or(Error::Forbidden(Message::WrongTicket))?;
    let running = Running::find(&kurso.db, page, viewer.id()).await?;
    let Some(running) = running.filter(|running| running.id == attempt) else {
        return Ok(Saved::Ended);
    };
    let timing = at.view.timeline_at(arrives_at).page(at.place);
    let span = running.span().ending(timing.closes_at);
    let elapsed = || span.elapsed(kurso.clock.now()).as_seconds_f64();
    let Some(given) = span.accepted(save.given_after, arrives_at) else {
        return Ok(Saved::TimeIsOver { elapsed: elapsed() });
    };
    let Some(quiz) = running.quiz(kurso).await? else {
        return Ok(Saved::Ended);
    };
    let quiz = quiz.without_lengths();
    let aliases = kurso.quiz_key.aliases(at.enrollment.0);
    let saving = Saving {
        kurso,
        course: at.view.course.id,
        running: &running,
        given,
        checks_each_question: quiz.checks_each_question(),
    };
    for _ in 0..TRIES {
        let ids = save.file_ids();
        let files = answers::uploaded(&kurso.db, viewer.id(), page, &ids).await?;
        let saved = match ids.is_empty() {
            true => vec![],
            false => saved_answers(&kurso.db, running.id).await?,
        };
        let changes = save.changes(&quiz, &aliases, &files, &saved)?;
        match saving.store(&changes, takes_files(&quiz, &changes)).await? {
            Stored::Done { fixed } => {
                let elapsed = elapsed();
                return Ok(Saved::Stored { elapsed, fixed });
            }
            Stored::Ended => return Ok(Saved::Ended),
            Stored::FileDeleted => {}
        }
    }
    Err(Error::Busy)
}

struct Saving<'a> {
    kurso: &'a Kurso,
    course: CourseId,
    running: &'a Running,
    given: Given,
    /// Whether some answers may be fixed.
    checks_each_question: bool,
}

enum Stored {
    /// Except these questions, whose answers are fixed.
    Done {
        fixed: Vec<Uuid>,
    },
    Ended,
    FileDeleted,
}

impl Saving<'_> {
    async fn store(&self, changes: &[ChangedAnswer], takes_files: bool) -> Result<Stored> {
        let Running {
            id, page_id, user_id, ..
        } = *self.running;
        // Deleting the page locks files before running attempts. The lock on the course prevents a deadlock.
        let mut tx = match takes_files {
            true => courses::begin(&self.kurso.db, self.course, Scope::Unchanged).await?,
            false => self.kurso.db.begin().await?,
        };
        // Locks the row: the end of the attempt waits, and then finds that something was saved.
        let counted = sql!("UPDATE running_attempts SET saves = saves + 1 WHERE id = $1", id);
        if counted.execute(&mut tx).await? == 0 {
            tx.rollback().await?;
            return Ok(Stored::Ended);
        }
        let given_after = match self.given.is_cut {
            true => self.given.after.max(last_given(&mut tx, id).await?),
            false => self.given.after,
        };
        for change in changes {
            let answer = change.answer.as_ref().map(serde_json::to_string).transpose();
            sql!(
                "INSERT INTO running_answers (running_id, question_id, answer, given_after, tenths) VALUES ($1, $2, $3, $4, $5)
                 ON CONFLICT (running_id, question_id) DO UPDATE SET answer = excluded.answer, given_after = excluded.given_after,
                   tenths = COALESCE(excluded.tenths, running_answers.tenths)
                 WHERE running_answers.given_after <= excluded.given_after AND running_answers.result IS NULL",
                id,
                change.question_id,
                answer.map_err(Error::internal)?,
                given_after,
                change.seconds.map(Seconds::tenths)
            )
            .execute(&mut tx)
            .await?;
        }
        if takes_files {
            let files: Vec<AnswerFile> = files_of(&saved_answers(&mut tx, id).await?).cloned().collect();
            if !answers::keep_drafted(&mut tx, (user_id, page_id), &files).await? {
                tx.rollback().await?;
                return Ok(Stored::FileDeleted);
            }
        }
        let fixed = match self.checks_each_question {
            true => fixed(&mut tx, id, changes).await?,
            false => vec![],
        };
        tx.commit().await?;
        Ok(Stored::Done { fixed })
    }
}

fn takes_files(quiz: &Quiz, changes: &[ChangedAnswer]) -> bool {
    let mut questions = changes.iter().filter_map(|change| quiz.question(change.question_id));
    questions.any(|question| matches!(question.kind, Kind::FileUpload { .. }))
}

/// When the last saved answer was given, in microseconds since the start; 0 without one.
async fn last_given(tx: &mut Tx, running: AttemptId) -> Result<i64> {
    let last = sql!(
        "SELECT MAX(given_after) FROM running_answers WHERE running_id = $1",
        running
    );
    Ok(last.fetch_one::<(Option<i64>,)>(tx).await?.0.unwrap_or_default())
}

/// The questions among the changed ones whose answers are fixed.
async fn fixed(tx: &mut Tx, running: AttemptId, changes: &[ChangedAnswer]) -> Result<Vec<Uuid>> {
    let rows = sql!(
        "SELECT question_id FROM running_answers WHERE running_id = $1 AND result IS NOT NULL ORDER BY question_id",
        running
    );
    let fixed = rows.fetch_all::<(Uuid,)>(tx).await?.into_iter().map(|(id,)| id);
    let is_changed = |id: &Uuid| changes.iter().any(|change| change.question_id == *id);
    Ok(fixed.filter(is_changed).collect())
}

pub(super) async fn saved_answers(on: impl Executor, running: AttemptId) -> Result<Vec<Answer>> {
    let rows = sql!(
        "SELECT answer FROM running_answers WHERE running_id = $1 AND answer IS NOT NULL",
        running
    );
    let rows = rows.fetch_all::<(String,)>(on).await?;
    rows.iter().map(|(text,)| answer_from_text(text)).collect()
}
