//! What saving and checking answers share: the running attempt that a ticket names, and a transaction that changes its answers.

use super::save::saved_answers;
use super::{Running, Span};
use crate::Kurso;
use crate::access::Viewer;
use crate::courses::{self, Scope};
use crate::files::answers;
use crate::learning::LearnerAt;
use chrono::{DateTime, Utc};
use kurso_base::error::{Error, Result};
use kurso_base::ids::PageId;
use kurso_base::messages::Message;
use kurso_db::{Tx, sql};
use kurso_formats::quiz::{AnswerFile, Kind, Question, files_of};

/// A request that changes answers of the viewer's running attempt.
pub(super) struct AnswerRequest<'a> {
    pub kurso: &'a Kurso,
    pub at: LearnerAt,
    pub running: Running,
    pub span: Span,
    pub arrives_at: DateTime<Utc>,
}

impl<'a> AnswerRequest<'a> {
    /// Finds the attempt; None if it has ended. Fails with 404 for a page that the viewer cannot see, 403 without an enrollment or with a ticket
    /// that is not theirs, and with [`Error::Locked`].
    pub async fn find(kurso: &'a Kurso, viewer: &Viewer, page: PageId, ticket: &str) -> Result<Option<Self>> {
        let arrives_at = kurso.clock.now();
        let at = LearnerAt::load(kurso, viewer, page).await?;
        at.view.page(at.place).kind.require_quiz()?;
        let attempt = kurso.tickets.attempt(ticket, viewer.id());
        let attempt = attempt.ok_or(Error::Forbidden(Message::WrongTicket))?;
        let running = Running::find(&kurso.db, page, viewer.id()).await?;
        let Some(running) = running.filter(|running| running.id == attempt) else {
            return Ok(None);
        };
        let timing = at.view.timeline_at(arrives_at).page(at.place);
        let span = running.span().ending(timing.closes_at);
        Ok(Some(AnswerRequest {
            kurso,
            at,
            running,
            span,
            arrives_at,
        }))
    }

    /// Seconds from the start of the attempt to now.
    pub fn elapsed(&self) -> f64 {
        self.span.elapsed(self.kurso.clock.now()).as_seconds_f64()
    }

    /// Begins to change answers; None if the attempt has ended meanwhile. The end of the attempt and other changes wait for the transaction.
    /// `takes_files` says whether answers with files change.
    pub async fn begin(&self, takes_files: bool) -> Result<Option<Tx>> {
        // Deleting a page locks its files before its running attempts. Locking the course first prevents a deadlock.
        let mut tx = match takes_files {
            true => courses::begin(&self.kurso.db, self.at.view.course.id, Scope::Unchanged).await?,
            false => self.kurso.db.begin().await?,
        };
        // Locks the row. The end of the attempt then finds that something was saved.
        let counted = sql!(
            "UPDATE running_attempts SET saves = saves + 1 WHERE id = $1",
            self.running.id
        );
        if counted.execute(&mut tx).await? == 0 {
            tx.rollback().await?;
            return Ok(None);
        }
        Ok(Some(tx))
    }

    /// Keeps the files of the saved answers, and only those. False if one of them was deleted meanwhile.
    pub async fn keep_files(&self, tx: &mut Tx) -> Result<bool> {
        let Running {
            id, page_id, user_id, ..
        } = self.running;
        let files: Vec<AnswerFile> = files_of(&saved_answers(&mut *tx, id).await?).cloned().collect();
        answers::keep_drafted(tx, (user_id, page_id), &files).await
    }
}

/// Whether the answer to a question has uploaded files.
pub(super) fn takes_files(question: &Question) -> bool {
    matches!(question.kind, Kind::FileUpload { .. })
}
