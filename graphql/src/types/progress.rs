use std::sync::Arc;

use async_graphql::{Enum, ID, Object, SimpleObject};
use kurso_core::learning::facts;
use kurso_core::learning::progress;

use super::{DateTime, Lesson, Page, View, id_of, int};

/// How far the caller is in a course.
pub struct Progress(pub Arc<View>);

#[Object]
impl Progress {
    async fn course_id(&self) -> ID {
        id_of(self.0.course.id)
    }
    /// Whole percent of pages, rounded down: 100 only when all is done.
    async fn percent(&self) -> i32 {
        self.0.progress.percent().into()
    }
    async fn pages_done(&self) -> i32 {
        int(self.0.progress.pages_done)
    }
    async fn pages_total(&self) -> i32 {
        int(self.0.progress.pages_total)
    }
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
    async fn lessons(&self) -> Vec<Lesson> {
        let counts = self.0.progress.lessons.iter().enumerate();
        counts
            .filter(|(_, counts)| counts.pages_total > 0)
            .map(|(place, _)| Lesson::alone(self.0.clone(), place))
            .collect()
    }
}

/// Why a page is not done.
#[derive(SimpleObject)]
pub struct Reason {
    kind: ReasonKind,
    /// Of the best attempt at the quiz; null when there is none, and on content pages.
    best_percent: Option<i32>,
    /// Null when there is no limit, and on content pages.
    attempts_left: Option<i32>,
}

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

/// The caller's progress in a course and what it is derived from.
pub struct ProgressFacts {
    pub(crate) view: Arc<View>,
    pub(crate) pages: Vec<facts::PageFacts>,
}

#[Object]
impl ProgressFacts {
    async fn progress(&self) -> Progress {
        Progress(self.view.clone())
    }
    /// Every page the caller sees, in reading order.
    async fn pages(&self) -> Vec<PageFacts> {
        let facts = self.pages.iter().cloned();
        facts
            .map(|facts| PageFacts {
                view: self.view.clone(),
                facts,
            })
            .collect()
    }
}

/// What is known of the caller at a page.
pub struct PageFacts {
    view: Arc<View>,
    facts: facts::PageFacts,
}

#[Object]
impl PageFacts {
    async fn page(&self) -> Page {
        Page::alone(self.view.clone(), self.facts.place)
    }
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
