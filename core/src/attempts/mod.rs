//! Attempts at quizzes: reading a quiz as an author or a learner, submitting answers, and showing attempts, where `review.rs`
//! alone decides what is revealed.

pub mod analysis;
mod changes;
mod grant;
mod granted;
mod hardest;
mod list;
mod open_answers;
pub mod practice;
mod record;
mod regrading;
mod returns;
mod review;
pub mod running;
mod single;
mod standing;
mod submit;
mod taken;
mod try_out;
mod upload;
mod work;

use std::collections::{HashMap, HashSet};

pub use changes::{ResultChange, ResultChangeKind};
pub use grant::{grant, reset, take_back};
pub use granted::AttemptGrant;
pub(crate) use hardest::prompt;
pub use hardest::{HARDEST, HardQuestion, hardest};
pub use list::{SHOWN_ATTEMPTS, TakenAttempt, attempts_for_staff, attempts_of, attempts_of_each};
pub(crate) use regrading::{Given, regraded};
pub(crate) use returns::settle as settle_returned;
pub use review::{Attempt, OptionFeedback, QuestionResult};
pub(crate) use review::{AttemptRow, Remark, attempt_columns, kept_times, kept_values};
pub(crate) use running::answer_from_text as running_answer_from_text;
pub(crate) use running::is_result as is_running_result;
pub use running::{Allowance, RunningAttempt};
pub use standing::{Standing, standings};
pub use submit::{Submitted, submit};
pub(crate) use taken::{PastDraw, past_draws};
pub use try_out::{TriedOut, try_out};
pub use upload::AnswerUpload;
pub(crate) use work::from_text as work_from_text;
pub use work::{SavedDraft, SavedWork, draft, drafts, save_draft};

use crate::Kurso;
use crate::courses::page::draft;
use crate::draws::Drawer;
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
    /// Without questions before the learner's first attempt if the time is limited, and before each attempt if it draws questions.
    pub quiz: LearnerQuiz,
    /// The attempt that is running, whose quiz is shown.
    pub running: Option<RunningAttempt>,
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

/// A page that someone reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Seen {
    pub page: PageId,
    /// The reader's enrollment in the course of the page. Without one the quiz is as staff see it in the learner's view.
    pub enrollment: Option<EnrollmentId>,
    /// How much of the usual time the reader has.
    pub allowance: Allowance,
    /// Whether it is the draft of the page, for those who may edit it.
    pub drafts: bool,
}

impl Seen {
    /// The page at a place, as the viewer of the course reads it.
    pub fn at(view: &CourseView, place: usize) -> Self {
        Seen {
            page: view.page(place).id,
            enrollment: view.course.enrollment.as_ref().map(|enrollment| enrollment.id),
            allowance: running::allowance(view, place),
            drafts: view.shows_drafts,
        }
    }

    /// Whether the questions are hidden while no attempt is running. Those of a quiz with draws are always: the next attempt draws anew.
    fn hides(&self, quiz: &Quiz, last_no: i64) -> bool {
        let is_timed = self.allowance.duration(quiz.time_limit()).is_some();
        self.enrollment.is_some() && (quiz.has_draws() || (is_timed && last_no == 0))
    }
}

/// The quizzes of those of the pages that take attempts, as their reader sees them. Three statements, and two more if
/// attempts are running, or for each quiz with draws that staff read; at most [`crate::db::LIST_LIMIT`] pages. Does not check the reader's rights.
pub async fn for_reader(kurso: &Kurso, seen: &[Seen]) -> Result<HashMap<PageId, QuizPage>> {
    let pages: Vec<PageId> = seen.iter().map(|seen| seen.page).collect();
    let enrolled = seen.iter().filter_map(|seen| seen.enrollment);
    let by_page: HashMap<PageId, &Seen> = seen.iter().map(|seen| (seen.page, seen)).collect();
    let mut texts = for_author(&kurso.db, &pages).await?;
    let drafted: Vec<PageId> = seen.iter().filter(|seen| seen.drafts).map(|seen| seen.page).collect();
    if !drafted.is_empty() {
        let drafts = draft::of_pages(&kurso.db, &drafted).await?;
        texts.extend(drafts.into_iter().filter_map(|(page, draft)| Some((page, draft.quiz?))));
    }
    let enrollments = distinct(enrolled);
    let standings = match enrollments.is_empty() {
        true => HashMap::new(),
        false => standings(&kurso.db, &enrollments, &pages).await?,
    };
    let mut quizzes = Vec::with_capacity(texts.len());
    let mut learners = vec![];
    for (page, text) in texts {
        let quiz = Quiz::from_text(&text)?;
        let Some(seen) = by_page.get(&page) else { continue };
        // An attempt goes on when the limit is lifted meanwhile.
        // It has the questions of the quiz as it was taken, never those of a draft.
        let may_run = !quiz.is_assignment() && !seen.drafts;
        learners.extend(seen.enrollment.filter(|_| may_run).map(|own| (page, own)));
        quizzes.push((*seen, quiz));
    }
    let mut running = running::running_of(kurso, &learners).await?;
    let mut found = HashMap::with_capacity(quizzes.len());
    for (seen, quiz) in quizzes {
        let standing = standings.get(&seen.page).cloned().unwrap_or_default();
        let aliases = kurso.quiz_key.aliases(seen.enrollment.map_or(seen.page.0, |of| of.0));
        let running = seen.enrollment.and_then(|own| running.remove(&(seen.page, own)));
        let page = match running {
            Some(running) => {
                let attempt = running.shown(kurso, &aliases, standing.passed, kurso.clock.now());
                QuizPage::of(running.quiz, &standing, &aliases, seen.allowance).during(attempt)
            }
            None if seen.hides(&quiz, standing.last_no) => {
                QuizPage::of(quiz, &standing, &aliases, seen.allowance).without_questions()
            }
            None => {
                let drawer = Drawer {
                    aliases,
                    page: seen.page,
                    attempt_no: 1,
                };
                let quiz = drawer.sampled(&kurso.db, quiz).await?;
                QuizPage::of(quiz, &standing, &aliases, seen.allowance)
            }
        };
        found.insert(seen.page, page);
    }
    Ok(found)
}

/// As [`for_reader`] for pages of one course, whose reader has the usual time.
pub async fn for_learner(
    kurso: &Kurso,
    enrollment: Option<EnrollmentId>,
    pages: &[PageId],
) -> Result<HashMap<PageId, QuizPage>> {
    let seen = |page: &PageId| Seen {
        page: *page,
        enrollment,
        allowance: Allowance::default(),
        drafts: false,
    };
    for_reader(kurso, &pages.iter().map(seen).collect::<Vec<_>>()).await
}

/// The enrollments without duplicates. A person has one enrollment per course, so a page belongs to at most one of them.
fn distinct(enrollments: impl Iterator<Item = EnrollmentId>) -> Vec<EnrollmentId> {
    enrollments.collect::<HashSet<_>>().into_iter().collect()
}

/// The quiz at a place as its reader takes it, and their attempts in order. Staff who are not enrolled see the quiz as a
/// learner does, without attempts.
pub async fn for_reading(kurso: &Kurso, view: &CourseView, place: usize) -> Result<(QuizPage, Vec<Attempt>)> {
    let seen = Seen::at(view, place);
    let Seen { page, enrollment, .. } = seen;
    let mut found = for_reader(kurso, &[seen]).await?;
    // The page was deleted after its place was found.
    let quiz = found.remove(&page).ok_or(Error::NotFound(Message::PageNotFound))?;
    let attempts = match enrollment {
        Some(enrollment) => attempts_of(kurso, enrollment, page).await?,
        None => vec![],
    };
    Ok((quiz, attempts))
}

impl QuizPage {
    fn of(quiz: Quiz, standing: &Standing, aliases: &Aliases<'_>, allowance: Allowance) -> Self {
        let time = allowance.duration(quiz.time_limit());
        let seconds = time.map(|time| u32::try_from(time.num_seconds()).unwrap_or(u32::MAX));
        QuizPage {
            best_percent: standing.best_percent,
            passed: standing.passed,
            running: None,
            quiz: LearnerQuiz {
                time_limit_seconds: seconds,
                ..LearnerQuiz::of(quiz, aliases, standing.last_no + 1)
            },
        }
    }

    /// The page during an attempt.
    fn during(self, running: RunningAttempt) -> Self {
        QuizPage {
            running: Some(running),
            ..self
        }
    }

    fn without_questions(self) -> Self {
        QuizPage {
            quiz: self.quiz.without_questions(),
            ..self
        }
    }
}
