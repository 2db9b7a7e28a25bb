//! Saves answers of a running attempt as they are given.

use super::allowance::Given;
use super::answer_from_text;
use super::request::{AnswerRequest, takes_files};
use crate::Kurso;
use crate::access::Viewer;
use crate::files::answers;
use kurso_base::error::{Error, Result};
use kurso_base::ids::{AttemptId, PageId};
use kurso_db::{Executor, Tx, sql};
use kurso_formats::quiz::{Answer, AnswersSave, ChangedAnswer, Seconds};
use uuid::Uuid;

/// How often answers are saved when one of their files is deleted meanwhile.
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
/// none replaces an answer that was checked. Fails with 404 for a page that the viewer cannot see, 403 without an enrollment or with a ticket that is not theirs, and 422 for answers that
/// do not fit the quiz.
pub async fn save(kurso: &Kurso, viewer: &Viewer, page: PageId, save: AnswersSave) -> Result<Saved> {
    let Some(request) = AnswerRequest::find(kurso, viewer, page, &save.ticket).await? else {
        return Ok(Saved::Ended);
    };
    let Some(given) = request.span.accepted(save.given_after, request.arrives_at) else {
        let elapsed = request.elapsed();
        return Ok(Saved::TimeIsOver { elapsed });
    };
    let Some(quiz) = request.running.quiz(kurso).await? else {
        return Ok(Saved::Ended);
    };
    let quiz = quiz.without_lengths();
    let aliases = kurso.quiz_key.aliases(request.at.enrollment.0);
    let saving = Saving {
        request: &request,
        given,
        checks_each_question: quiz.checks_each_question(),
    };
    for _ in 0..TRIES {
        let ids = save.file_ids();
        let files = answers::uploaded(&kurso.db, viewer.id(), page, &ids).await?;
        let saved = match ids.is_empty() {
            true => vec![],
            false => saved_answers(&kurso.db, request.running.id).await?,
        };
        let changes = save.changes(&quiz, &aliases, &files, &saved)?;
        let mut changed = changes.iter().filter_map(|change| quiz.question(change.question_id));
        match saving.store(&changes, changed.any(takes_files)).await? {
            Stored::Done { fixed } => {
                let elapsed = request.elapsed();
                return Ok(Saved::Stored { elapsed, fixed });
            }
            Stored::Ended => return Ok(Saved::Ended),
            Stored::FileDeleted => {}
        }
    }
    Err(Error::Busy)
}

struct Saving<'a> {
    request: &'a AnswerRequest<'a>,
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
        let id = self.request.running.id;
        let Some(mut tx) = self.request.begin(takes_files).await? else {
            return Ok(Stored::Ended);
        };
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
        if takes_files && !self.request.keep_files(&mut tx).await? {
            tx.rollback().await?;
            return Ok(Stored::FileDeleted);
        }
        let fixed = match self.checks_each_question {
            true => fixed(&mut tx, id, changes).await?,
            false => vec![],
        };
        tx.commit().await?;
        Ok(Stored::Done { fixed })
    }
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
