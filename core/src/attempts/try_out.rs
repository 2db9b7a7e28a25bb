//! Trying a quiz: staff answer it like learners, and nothing is stored.

use serde_json::Value;

use super::review::{Attempt, AttemptRow};
use super::submit::{Standing, Stored, stale};
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::courses::tree::PageKind;
use crate::learning::view::CourseView;
use kurso_base::error::{Error, Result};
use kurso_base::ids::PageId;
use kurso_base::messages::Message;
use kurso_formats::quiz::{Submission, grade};

/// A try-out's answer.
#[derive(Clone, Debug)]
pub struct TriedOut {
    /// What a learner would be shown of it as their first attempt. It is stored nowhere.
    pub attempt: Attempt,
    /// How many a learner would have after it; None: there is no limit.
    pub attempts_left: Option<i64>,
}

/// Grades staff's answers to a quiz, published or not, complete or not, in the ids in which they read it: 422 for a body or
/// answers that do not fit, 404 for what the viewer cannot see, 403 for learners, 409 when the quiz is no longer that
/// of the `version` in the body. A `submission_id` says nothing here.
pub async fn try_out(kurso: &Kurso, viewer: &Viewer, page: PageId, body: &Value) -> Result<TriedOut> {
    let submission = Submission::read(body)?;
    let (view, place) = CourseView::load_by_page(kurso, viewer, page, Right::ReadAsAuthor).await?;
    if view.page(place).kind != PageKind::Quiz {
        return Err(Error::NotFound(Message::NoQuiz));
    }
    let stored = Stored::find(&kurso.db, page).await?;
    let quiz = stored.quiz()?;
    // Staff who are enrolled as well read the quiz in the ids of their enrollment.
    let reader = view
        .course
        .enrollment
        .as_ref()
        .map_or(page.0, |enrollment| enrollment.id.0);
    let veil = kurso.quiz_key.veil(reader);
    if stored.is_another_quiz(submission.version) {
        return Err(stale(&view, place, stored, quiz, &Standing::default(), &veil)?);
    }
    if quiz.questions.is_empty() {
        return Err(Error::NotFound(Message::NoQuiz));
    }
    let answers = submission.answers(&quiz, &veil)?;
    // An author's patterns may take a while: off the threads that serve everyone.
    let grading = tokio::task::spawn_blocking(move || (grade(&quiz, &answers), quiz, answers));
    let (grade, quiz, answers) = grading.await.map_err(Error::internal)?;
    let row = AttemptRow::new((page, stored.version), 1, &quiz, &answers, &grade, kurso.clock.now())?;
    let passed = row.passed;
    Ok(TriedOut {
        attempt: row.for_learner(Some(&quiz), quiz.reveal, passed, &veil)?,
        attempts_left: quiz.max_attempts.map(|max| i64::from(max) - 1),
    })
}
