//! Saves answers of a running attempt as they are given.

use super::{Running, RunningQuiz, answer_from_text, running_at};
use crate::Kurso;
use crate::access::Viewer;
use crate::files::answers;
use crate::learning::LearnerAt;
use kurso_base::error::{Error, Result};
use kurso_base::ids::{AttemptId, PageId};
use kurso_base::messages::Message;
use kurso_db::{Tx, sql};
use kurso_formats::quiz::{AnswerFile, AnswersSave, ChangedAnswer, Kind, Quiz};

/// How often answers are saved when a file of theirs is deleted meanwhile.
const TRIES: usize = 5;

/// Outcome of saving answers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Saved {
    /// The answers are saved. Seconds since the start, at the moment of the response.
    Stored { elapsed: f64 },
    /// They were given after the end of the time, or arrive after the grace period; nothing was saved.
    TimeIsOver { elapsed: f64 },
    /// The attempt was submitted or graded; nothing was saved.
    Ended,
}

/// Saves answers of the viewer's running attempt. A save that is repeated, or that arrives after a later one, never replaces a later answer.
/// Fails with 404 for a page that the viewer cannot see, 403 without an enrollment or with a ticket that is not theirs, and 422 for answers that
/// do not fit the quiz.
pub async fn save(kurso: &Kurso, viewer: &Viewer, page: PageId, save: AnswersSave) -> Result<Saved> {
    let arrives_at = kurso.clock.now();
    let at = LearnerAt::load(kurso, viewer, page).await?;
    at.view.page(at.place).kind.require_quiz()?;
    let attempt = kurso.tickets.attempt(&save.ticket, viewer.id());
    let attempt = attempt.ok_or(Error::Forbidden(Message::WrongTicket))?;
    let running = running_at(kurso, page, viewer.id()).await?;
    let Some(running) = running.filter(|running| running.row.id == attempt) else {
        return Ok(Saved::Ended);
    };
    let span = running.row.span();
    let elapsed = || span.elapsed(kurso.clock.now()).as_seconds_f64();
    let Some(given_after) = span.accepted(save.given_after, arrives_at) else {
        return Ok(Saved::TimeIsOver { elapsed: elapsed() });
    };
    let aliases = kurso.quiz_key.aliases(at.enrollment.0);
    for _ in 0..TRIES {
        let files = answers::uploaded(&kurso.db, viewer.id(), page, &save.file_ids()).await?;
        let changes = save.changes(&running.quiz, &aliases, &files)?;
        match store(kurso, &running, &changes, given_after).await? {
            Stored::Done => return Ok(Saved::Stored { elapsed: elapsed() }),
            Stored::Ended => return Ok(Saved::Ended),
            Stored::FileDeleted => {}
        }
    }
    Err(Error::Busy)
}

enum Stored {
    Done,
    Ended,
    FileDeleted,
}

async fn store(kurso: &Kurso, running: &RunningQuiz, changes: &[ChangedAnswer], given_after: i64) -> Result<Stored> {
    let Running {
        id, page_id, user_id, ..
    } = running.row;
    let mut tx = kurso.db.begin().await?;
    // Locks the row: the end of the attempt waits, and then finds that something was saved.
    let counted = sql!("UPDATE running_attempts SET saves = saves + 1 WHERE id = $1", id);
    if counted.execute(&mut tx).await? == 0 {
        tx.rollback().await?;
        return Ok(Stored::Ended);
    }
    for change in changes {
        let answer = change.answer.as_ref().map(serde_json::to_string).transpose();
        sql!(
            "INSERT INTO running_answers (running_id, question_id, answer, given_after) VALUES ($1, $2, $3, $4)
             ON CONFLICT (running_id, question_id) DO UPDATE SET answer = excluded.answer, given_after = excluded.given_after
             WHERE running_answers.given_after <= excluded.given_after",
            id,
            change.question_id,
            answer.map_err(Error::internal)?,
            given_after
        )
        .execute(&mut tx)
        .await?;
    }
    if takes_files(&running.quiz, changes) {
        let files = saved_files(&mut tx, id).await?;
        if !answers::keep_drafted(&mut tx, (user_id, page_id), &files).await? {
            tx.rollback().await?;
            return Ok(Stored::FileDeleted);
        }
    }
    tx.commit().await?;
    Ok(Stored::Done)
}

fn takes_files(quiz: &Quiz, changes: &[ChangedAnswer]) -> bool {
    let mut questions = changes.iter().filter_map(|change| quiz.question(change.question_id));
    questions.any(|question| matches!(question.kind, Kind::FileUpload { .. }))
}

async fn saved_files(tx: &mut Tx, running: AttemptId) -> Result<Vec<AnswerFile>> {
    let rows = sql!(
        "SELECT answer FROM running_answers WHERE running_id = $1 AND answer IS NOT NULL",
        running
    );
    let mut files = Vec::new();
    for (text,) in rows.fetch_all::<(String,)>(tx).await? {
        files.extend(answer_from_text(&text)?.given.files().iter().cloned());
    }
    Ok(files)
}
