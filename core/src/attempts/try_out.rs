//! Trying out a quiz: staff answer it like learners, and nothing is stored.

use super::review::{Attempt, AttemptRow};
use super::standing::{Standing, standing};
use super::submit::{Stored, stale};
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::draws::Drawer;
use crate::files::answers;
use crate::learning::view::CourseView;
use kurso_base::error::{Error, Result};
use kurso_base::ids::PageId;
use kurso_base::messages::Message;
use kurso_formats::quiz::{Quiz, Submission, grade};
use uuid::Uuid;

/// The result of a try-out.
#[derive(Clone, Debug)]
pub struct TriedOut {
    /// The attempt as a learner would see it after their first submission.
    pub attempt: Attempt,
    /// The attempts that a learner would have left; None when there is no limit.
    pub attempts_left: Option<i64>,
}

/// Grades the answers of staff to a quiz, which need be neither published nor complete. Ids are those that the viewer reads.
/// Fails with 404 for a page that the viewer cannot see, 403 for learners, 409 when the quiz has changed since the `version`
/// of the submission, and 422 for answers that do not fit the quiz. Ignores a `submission_id`. With `draft`, the quiz is that of the page's
/// draft, if it has one; this requires the right to read drafts.
pub async fn try_out(
    kurso: &Kurso,
    viewer: &Viewer,
    page: PageId,
    submission: Submission,
    draft: bool,
) -> Result<TriedOut> {
    let right = if draft { Right::ReadDrafts } else { Right::ReadAsAuthor };
    let (view, place) = CourseView::load_by_page(kurso, viewer, page, right).await?;
    view.page(place).kind.require_quiz()?;
    let stored = match draft {
        true => Stored::find_drafted(&kurso.db, page).await?,
        false => Stored::find(&kurso.db, page).await?,
    };
    let quiz = stored.quiz()?;
    let aliases = kurso.quiz_key.aliases(reader(&view, page));
    let quiz = sampled(kurso, &view, page, quiz).await?;
    if stored.is_another_quiz(submission.version) {
        return Err(stale(&view, place, stored, quiz, &Standing::default(), &aliases)?);
    }
    if quiz.questions.is_empty() {
        return Err(Error::NotFound(Message::NoQuiz));
    }
    // The values of formula questions are those that the viewer read.
    let enrolled = view.course.enrollment.as_ref().filter(|_| quiz.has_formulas());
    let attempt_no = match enrolled {
        Some(enrollment) => standing(&kurso.db, enrollment.id, page).await?.last_no + 1,
        None => 1,
    };
    let values = quiz.values(&aliases, attempt_no);
    let files = answers::uploaded(&kurso.db, viewer.id(), page, &submission.file_ids()).await?;
    let answers = submission.answers(&quiz, &aliases, &files)?;
    // An author's patterns may take long, so they do not run on the threads of the async runtime.
    let asked = quiz.clone().with_values(&values);
    let grading = tokio::task::spawn_blocking(move || (grade(&asked, &answers), answers));
    let (grade, answers) = grading.await.map_err(Error::internal)?;
    let graded = (&grade, &values);
    let row = AttemptRow::new((page, stored.version), 1, &quiz, &answers, graded, kurso.clock.now())?;
    let passed = row.passed;
    Ok(TriedOut {
        attempt: row.for_learner(Some(&quiz), quiz.reveal, passed, &aliases, &kurso.file_urls())?,
        attempts_left: quiz.max_attempts.map(|max| i64::from(max) - 1),
    })
}

/// Staff who are enrolled as well read the quiz in the ids of their enrollment.
fn reader(view: &CourseView, page: PageId) -> Uuid {
    view.course
        .enrollment
        .as_ref()
        .map_or(page.0, |enrollment| enrollment.id.0)
}

/// The quiz with questions in place of its draws, as staff read it and try it out.
pub(super) async fn sampled(kurso: &Kurso, view: &CourseView, page: PageId, quiz: Quiz) -> Result<Quiz> {
    let drawer = Drawer {
        aliases: kurso.quiz_key.aliases(reader(view, page)),
        page,
        attempt_no: 1,
    };
    drawer.sampled(&kurso.db, quiz).await
}
