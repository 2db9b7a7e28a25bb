//! Attempts at quizzes: reading a quiz as an author or a learner, submitting answers, and showing attempts, where `review.rs`
//! alone decides what is revealed.

pub mod analysis;
mod grant;
mod granted;
mod hardest;
mod list;
mod open_answers;
mod returns;
mod review;
mod standing;
mod submit;
mod taken;
mod try_out;
mod upload;
mod work;

use std::collections::{HashMap, HashSet};

pub use grant::{grant, reset, take_back};
pub use granted::AttemptGrant;
pub(crate) use hardest::prompt;
pub use hardest::{HARDEST, HardQuestion, hardest};
pub use list::{SHOWN_ATTEMPTS, TakenAttempt, attempts_for_staff, attempts_of, attempts_of_each};
pub use review::{Attempt, OptionFeedback, QuestionResult};
pub(crate) use review::{AttemptRow, Remark, attempt_columns};
pub use standing::{Standing, standings};
pub use submit::{Submitted, submit};
pub use try_out::{TriedOut, try_out};
pub use upload::AnswerUpload;
pub(crate) use work::from_text as work_from_text;
pub use work::{SavedDraft, SavedWork, draft, drafts, save_draft};

use crate::Kurso;
use crate::learning::view::CourseView;
use kurso_base::error::{Error, Result};
use kurso_base::ids::{EnrollmentId, PageId};
use kurso_base::messages::Message;
use kurso_db::Executor;
use kurso_db::sql;
use kurso_formats::quiz::{Aliases, LearnerQuiz, Quiz};

/// A quiz and a learner's standing in it.
#[derive(Clone, Debug)]
pub struct QuizPage {
    pub quiz: LearnerQuiz,
    /// The percentage of the best attempt.
    pub best_percent: Option<i64>,
    pub passed: bool,
}

/// The quizzes of those of `pages` that take attempts, as JSON text in the author's form. One statement; at most
/// [`crate::db::LIST_LIMIT`] pages. Does not check the reader's rights.
pub async fn for_author(on: impl Executor, pages: &[PageId]) -> Result<HashMap<PageId, String>> {
    let rows = sql!(
        "SELECT c.page_id, c.quiz FROM page_contents c JOIN pages p ON p.id = c.page_id
         WHERE p.kind <> 'content' AND c.page_id IN "
    )
    .push_in(pages.iter().copied())
    .fetch_all::<(PageId, Option<String>)>(on)
    .await?;
    rows.into_iter()
        .map(|(page, text)| Ok((page, text.map_or_else(|| Quiz::default().to_text(), Ok)?)))
        .collect()
}

/// The quizzes of those of `pages` that take attempts, as the learner of the enrollment sees them. Without an enrollment they are as
/// staff see them in the learner's view. Two statements; at most [`crate::db::LIST_LIMIT`] pages. Does not check the
/// reader's rights.
pub async fn for_learner(
    kurso: &Kurso,
    enrollment: Option<EnrollmentId>,
    pages: &[PageId],
) -> Result<HashMap<PageId, QuizPage>> {
    let seen: Vec<_> = pages.iter().map(|page| (*page, enrollment)).collect();
    for_reader(kurso, &seen).await
}

/// As [`for_learner`] for pages of several courses, each with the reader's enrollment in its course.
pub async fn for_reader(kurso: &Kurso, seen: &[(PageId, Option<EnrollmentId>)]) -> Result<HashMap<PageId, QuizPage>> {
    let pages: Vec<PageId> = seen.iter().map(|(page, _)| *page).collect();
    let enrolled: HashMap<PageId, EnrollmentId> = seen.iter().filter_map(|(page, e)| Some((*page, (*e)?))).collect();
    let texts = for_author(&kurso.db, &pages).await?;
    let standings = match enrolled.is_empty() {
        true => HashMap::new(),
        false => standings(&kurso.db, &distinct(enrolled.values()), &pages).await?,
    };
    let mut found = HashMap::with_capacity(texts.len());
    for (page, text) in texts {
        let quiz = Quiz::from_text(&text)?;
        let standing = standings.get(&page).cloned().unwrap_or_default();
        let aliases = kurso.quiz_key.aliases(enrolled.get(&page).map_or(page.0, |of| of.0));
        found.insert(page, QuizPage::of(quiz, &standing, &aliases));
    }
    Ok(found)
}

/// The enrollments without duplicates. A person has one enrollment per course, so a page belongs to at most one of them.
fn distinct<'a>(enrollments: impl Iterator<Item = &'a EnrollmentId>) -> Vec<EnrollmentId> {
    enrollments.copied().collect::<HashSet<_>>().into_iter().collect()
}

/// The quiz at a place as its reader takes it, and their attempts in order. Staff who are not enrolled see the quiz as a
/// learner does, without attempts.
pub async fn for_reading(kurso: &Kurso, view: &CourseView, place: usize) -> Result<(QuizPage, Vec<Attempt>)> {
    let page = view.page(place).id;
    let enrollment = view.course.enrollment.as_ref().map(|enrollment| enrollment.id);
    let mut found = for_learner(kurso, enrollment, &[page]).await?;
    // The page was deleted after its place was found.
    let quiz = found.remove(&page).ok_or(Error::NotFound(Message::PageNotFound))?;
    let attempts = match enrollment {
        Some(enrollment) => attempts_of(kurso, enrollment, page).await?,
        None => vec![],
    };
    Ok((quiz, attempts))
}

impl QuizPage {
    fn of(quiz: Quiz, standing: &Standing, aliases: &Aliases<'_>) -> Self {
        QuizPage {
            best_percent: standing.best_percent,
            passed: standing.passed,
            quiz: LearnerQuiz::of(quiz, aliases, standing.last_no + 1),
        }
    }
}
