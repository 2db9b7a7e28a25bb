use async_graphql::{Context, Enum, ID, Object, Result, SimpleObject};
use kurso_core::learning::facts;
use kurso_core::learning::progress;

use super::{DateTime, Lesson, Page, View, id_of, int};
use crate::cost;

pub struct Progress(pub View);

/// How far the caller is in a course.
#[Object]
impl Progress {
    /// Of which course.
    async fn course_id(&self) -> ID {
        id_of(self.0.course.id)
    }
    /// Whole percent of pages, rounded down: 100 only when all is done.
    async fn percent(&self) -> i32 {
        self.0.progress.percent().into()
    }
    /// Visited, or passed.
    async fn pages_done(&self) -> i32 {
        int(self.0.progress.pages_done)
    }
    /// Published pages.
    async fn pages_total(&self) -> i32 {
        int(self.0.progress.pages_total)
    }
    /// Lessons all of whose pages are done.
    async fn lessons_done(&self) -> i32 {
        int(self.0.progress.lessons_done)
    }
    /// Lessons without pages do not count.
    async fn lessons_total(&self) -> i32 {
        int(self.0.progress.lessons_total)
    }
    /// When 100 % was first reached; kept when the course grows.
    async fn completed_at(&self) -> Option<DateTime> {
        self.0.progress.completed_at.map(DateTime)
    }
    /// The lessons that count, in order: those with pages.
    #[graphql(complexity = "cost::list(cost::ALL_LESSONS, child_complexity)")]
    async fn lessons(&self, ctx: &Context<'_>) -> Result<Vec<Lesson>> {
        cost::spend(ctx, self.0.progress.lessons.len())?;
        let counts = self.0.progress.lessons.iter().enumerate();
        Ok(counts
            .filter(|(_, counts)| counts.pages_total > 0)
            .map(|(place, _)| Lesson::at(&self.0, place))
            .collect())
    }
}

/// Why a page is not done.
#[derive(SimpleObject)]
pub struct Reason {
    /// What is missing.
    kind: ReasonKind,
    /// Of the best attempt at the quiz; null when there is none, and on content pages.
    best_percent: Option<i32>,
    /// Null when there is no limit, and on content pages.
    attempts_left: Option<i32>,
}

/// What is missing for a page to be done.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
pub enum ReasonKind {
    /// A content page.
    NotVisited,
    /// A quiz page.
    QuizNotPassed,
}

impl From<progress::Reason> for Reason {
    fn from(reason: progress::Reason) -> Self {
        match reason {
            progress::Reason::NotVisited => Reason {
                kind: ReasonKind::NotVisited,
                best_percent: None,
                attempts_left: None,
            },
            progress::Reason::QuizNotPassed {
                best_percent,
                attempts_left,
            } => Reason {
                kind: ReasonKind::QuizNotPassed,
                best_percent: best_percent.map(int),
                attempts_left: attempts_left.map(int),
            },
        }
    }
}

pub struct ProgressFacts {
    pub(crate) view: View,
    pub(crate) pages: Vec<facts::PageFacts>,
}

/// The caller's progress in a course and what it is derived from.
#[Object]
impl ProgressFacts {
    /// What came of it.
    async fn progress(&self) -> Progress {
        Progress(self.view.clone())
    }
    /// Every page the caller sees, in reading order.
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

/// What is known of the caller at a page.
#[Object]
impl PageFacts {
    /// Which page.
    async fn page(&self) -> Page {
        Page::at(&self.view, self.facts.place)
    }
    /// The first visit; null when there was none.
    async fn visited_at(&self) -> Option<DateTime> {
        self.facts.visited_at.map(DateTime)
    }
    /// How many attempts at its quiz there are.
    async fn attempts_count(&self) -> i32 {
        int(self.facts.attempts)
    }
    /// Of the best attempt.
    async fn best_percent(&self) -> Option<i32> {
        self.facts.best_percent.map(int)
    }
    /// Has any attempt passed?
    async fn passed(&self) -> bool {
        self.facts.passed
    }
    /// Visited, if it is a content page; passed, if it is a quiz.
    async fn done(&self) -> bool {
        self.facts.done
    }
    /// Why it is not done; null when it is, and for a page that counts nowhere.
    async fn reason(&self) -> Option<Reason> {
        self.facts.reason.map(Reason::from)
    }
}
