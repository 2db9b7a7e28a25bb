//! Uploads a file as an answer. The file is private to its learner and the staff of the course.

use std::sync::Arc;

use bytes::Bytes;
use kurso_base::error::{Error, Result};
use kurso_base::ids::PageId;
use kurso_base::messages::Message;
use kurso_formats::quiz::{AnswerFile, Kind, require_kind};
use uuid::Uuid;

use super::running;
use super::standing::standing;
use super::submit::{Stored, limit};
use super::try_out::sampled;
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::files::clean_name;
use crate::files::upload::{Sink, Upload, refused};
use crate::learning::LearnerAt;
use crate::learning::view::CourseView;

/// An upload in progress. Dropped before `finish`, it leaves nothing.
#[derive(Debug)]
pub struct AnswerUpload {
    upload: Upload,
    kurso: Arc<Kurso>,
    extensions: Vec<String>,
}

impl AnswerUpload {
    /// Starts an upload for a question of a quiz: for a learner while the page takes attempts or an attempt is running, and for staff who try the quiz out.
    /// `announced` is the length of the form stated by the client. Fails with 404 for a page that the viewer cannot see and for a
    /// question that is not answered with files, with 403 without an enrollment, with [`Error::Locked`] and [`Error::Closed`] as the
    /// schedule says, with 409 if the learner has no attempts left, or has not started the attempt at a quiz with a time limit or draws, or its time is over, with 413 if the file will not fit.
    pub async fn begin(
        kurso: &Arc<Kurso>,
        viewer: &Viewer,
        (page, question): (PageId, Uuid),
        announced: Option<u64>,
    ) -> Result<Self> {
        viewer.require_account()?;
        let taking = require_taking(kurso, viewer, page).await?;
        let mut quiz = Stored::find(&kurso.db, page).await?.quiz()?;
        if let Some(running) = running::running_at(kurso, page, viewer.id())
            .await?
            .filter(|_| matches!(taking, Taking::Learner(_)))
        {
            if running.row.ends_at.is_some_and(|end| kurso.clock.now() > end) {
                return Err(Error::Conflict(Message::TimeIsOver));
            }
            quiz = running.quiz;
        } else if let Taking::Learner(at) = taking {
            at.view.timeline_at(kurso.clock.now()).page(at.place).require_open()?;
            if running::must_start(running::allowance(&at.view, at.place), &quiz) {
                return Err(Error::Conflict(Message::AttemptNotStarted));
            }
            let standing = standing(&kurso.db, at.enrollment, page).await?;
            if standing.attempts_left(limit(&at.view, at.place, &quiz)) == Some(0) {
                return Err(Error::Conflict(Message::OutOfAttempts));
            }
        } else if let Taking::Staff(view) = taking {
            quiz = sampled(kurso, &view, page, quiz).await?;
        }
        let extensions = match quiz.question(question).map(|question| &question.kind) {
            Some(Kind::FileUpload { extensions, .. }) => extensions,
            Some(Kind::HandIn {
                extensions, max_files, ..
            }) if *max_files > 0 => extensions,
            _ => return Err(Error::NotFound(Message::NoUploadQuestion)),
        };
        Ok(AnswerUpload {
            upload: Upload::begin_answer(kurso, viewer, page, announced).await?,
            kurso: kurso.clone(),
            extensions: extensions.clone(),
        })
    }

    /// Stores the complete file. Fails with 422 for an empty one.
    pub async fn finish(self, filename: &str) -> Result<AnswerFile> {
        let file = self.upload.finish(filename).await?;
        Ok(self.kurso.file_urls().of(file.into()))
    }
}

impl Sink for AnswerUpload {
    fn max_size(&self) -> u64 {
        self.upload.max_size()
    }

    /// Fails with 422 for a file of another kind than the question accepts.
    fn name(&mut self, filename: &str) -> Result<()> {
        let checked = require_kind(&clean_name(filename), &self.extensions);
        checked.map_err(|problem| refused(problem.message()))
    }

    async fn write(&mut self, bytes: Bytes) -> Result<()> {
        self.upload.write(bytes).await
    }
}

/// Who answers a quiz: a learner, or staff who try it out.
enum Taking {
    Learner(LearnerAt),
    Staff(CourseView),
}

/// Fails unless the viewer may take the quiz, or try it out.
async fn require_taking(kurso: &Kurso, viewer: &Viewer, page: PageId) -> Result<Taking> {
    let (view, place) = CourseView::load_by_page(kurso, viewer, page, Right::Read).await?;
    if view.course.role.may(Right::ReadAsAuthor) {
        view.page(place).kind.require_quiz()?;
        return Ok(Taking::Staff(view));
    }
    let at = LearnerAt::of(view, place)?;
    at.view.page(at.place).kind.require_quiz()?;
    Ok(Taking::Learner(at))
}
