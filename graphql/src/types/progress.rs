use async_graphql::{Context, Enum, ID, Object, Result, SimpleObject};
use kurso_core::learning::facts;
use kurso_core::learning::progress;

use super::{DateTime, Lesson, Page, View, id_of, int};
use crate::cost;

pub struct Progress(pub View);

/// The caller's progress in a course.
#[Object]
impl Progress {
    /// ID of the course.
    async fn course_id(&self) -> ID {
        id_of(self.0.course.id)
    }
    #[graphql(flatten)]
    async fn counts(&self) -> Counts<'_> {
        Counts(&self.0.progress)
    }
    /// Lessons with pages, in order.
    #[graphql(complexity = "cost::list(cost::ALL_LESSONS, child_complexity)")]
    async fn lessons(&self, ctx: &Context<'_>) -> Result<Vec<Lesson>> {
        cost::spend(ctx, self.0.progress.lessons.len())?;
        let counts = self.0.progress.lessons.iter().enumerate();
        Ok(counts
            .filter(|(_, counts)| counts.pages_total > 0)
            .map(|(index, _)| Lesson::at(&self.0, index))
            .collect())
    }
}

/// What progress shows in numbers, of the caller and of a student.
pub struct Counts<'a>(pub &'a progress::Progress);

#[Object]
impl Counts<'_> {
    /// Percentage of published pages that are done, rounded down: 100 only when all are.
    async fn percent(&self) -> i32 {
        self.0.percent().into()
    }
    /// Number of pages that are done: content pages visited, quizzes passed.
    async fn pages_done(&self) -> i32 {
        int(self.0.pages_done)
    }
    /// Number of published pages.
    async fn pages_total(&self) -> i32 {
        int(self.0.pages_total)
    }
    /// Number of lessons with all pages done.
    async fn lessons_done(&self) -> i32 {
        int(self.0.lessons_done)
    }
    /// Number of lessons with pages.
    async fn lessons_total(&self) -> i32 {
        int(self.0.lessons_total)
    }
    /// When progress first reached 100 %; kept when pages are added later.
    async fn completed_at(&self) -> Option<DateTime> {
        self.0.completed_at.map(DateTime)
    }
}

/// Why a page is not done.
#[derive(SimpleObject)]
pub struct Reason {
    /// What is missing.
    kind: ReasonKind,
    /// Percentage of the best attempt at the quiz; null when there is none, and on content pages.
    best_percent: Option<i32>,
    /// Number of attempts left; null when there is no limit, and on content pages.
    attempts_left: Option<i32>,
    /// Whether answers of an attempt at the quiz wait for a grader, or for the release of their points. Not for returned work.
    is_waiting: bool,
    /// Whether work was returned for revision and nothing was handed in since. The learner can hand in again.
    is_returned: bool,
    /// When a locked page opens; null if time does not open it, and for other kinds.
    opens_at: Option<DateTime>,
    /// Titles of what must be completed before a locked page opens; of many, the first ones.
    needs: Vec<String>,
}

/// Why a page is not done.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
pub enum ReasonKind {
    /// A content page was not visited.
    NotVisited,
    /// A quiz was not passed.
    QuizNotPassed,
    /// The page is not open for the learner.
    Locked,
}

impl From<progress::Reason> for Reason {
    fn from(reason: progress::Reason) -> Self {
        let of_kind = |kind| Reason {
            kind,
            best_percent: None,
            attempts_left: None,
            is_waiting: false,
            is_returned: false,
            opens_at: None,
            needs: vec![],
        };
        match reason {
            progress::Reason::Locked { opens_at, needs } => Reason {
                opens_at: opens_at.map(DateTime),
                needs,
                ..of_kind(ReasonKind::Locked)
            },
            progress::Reason::NotVisited => of_kind(ReasonKind::NotVisited),
            progress::Reason::QuizNotPassed {
                best_percent,
                attempts_left,
                is_waiting,
                is_returned,
            } => Reason {
                best_percent: best_percent.map(int),
                attempts_left: attempts_left.map(int),
                is_waiting,
                is_returned,
                ..of_kind(ReasonKind::QuizNotPassed)
            },
        }
    }
}

pub struct ProgressFacts {
    pub(crate) view: View,
    pub(crate) pages: Vec<facts::PageFacts>,
}

/// The caller's progress in a course with the facts it is derived from.
#[Object]
impl ProgressFacts {
    /// The derived progress.
    async fn progress(&self) -> Progress {
        Progress(self.view.clone())
    }
    /// All pages that the caller sees, in reading order.
    #[graphql(complexity = "cost::list(cost::ALL_PAGES, child_complexity)")]
    async fn pages(&self, ctx: &Context<'_>) -> Result<Vec<PageFacts>> {
        cost::spend(ctx, self.pages.len())?;
        let facts = self.pages.iter().cloned();
        Ok(facts
            .map(|facts| PageFacts {
                view: self.view.clone(),
                facts,
            })
            .collect())
    }
}

pub struct PageFacts {
    view: View,
    facts: facts::PageFacts,
}

/// The facts about the caller on a page.
#[Object]
impl PageFacts {
    /// ID of the page.
    async fn page(&self) -> Page {
        Page::at(&self.view, self.facts.place)
    }
    /// Time of the first visit; null when there was none.
    async fn visited_at(&self) -> Option<DateTime> {
        self.facts.visited_at.map(DateTime)
    }
    /// Number of attempts at its quiz.
    async fn attempts_count(&self) -> i32 {
        int(self.facts.attempts)
    }
    /// Percentage of the best attempt.
    async fn best_percent(&self) -> Option<i32> {
        self.facts.best_percent.map(int)
    }
    /// Whether an attempt has passed.
    async fn passed(&self) -> bool {
        self.facts.passed
    }
    /// Whether it is done: a content page visited, a quiz passed.
    async fn done(&self) -> bool {
        self.facts.done
    }
    /// Why it is not done; null when it is done, and for an unpublished page.
    async fn reason(&self) -> Option<Reason> {
        self.facts.reason.clone().map(Reason::from)
    }
}
