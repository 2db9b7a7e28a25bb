use std::sync::Arc;

use async_graphql::{ID, Json, Object, SimpleObject};
use kurso_core::courses::tree::{LessonNode, ModuleNode, PageNode};
use kurso_core::learning::progress::LessonProgress;
use kurso_core::learning::students::Detail;
use kurso_core::quiz::{Answer, QuestionResult, TakenAttempt};

use super::page::PageKind;
use super::scalars::Document;
use super::{Course, DateTime, Student, id_of, int};

/// What one student did, page by page; unpublished pages are shown and count nowhere.
pub struct StudentProgress(Arc<Detail>);

impl StudentProgress {
    pub fn of(detail: Detail) -> Self {
        StudentProgress(Arc::new(detail))
    }
}

#[Object]
impl StudentProgress {
    async fn student(&self) -> Student {
        Student(self.0.student.clone())
    }
    async fn course(&self) -> Course {
        Course::from_row(self.0.course.clone())
    }
    /// In order.
    async fn modules(&self) -> Vec<StudentModule> {
        let places = 0..self.0.tree.modules.len();
        places
            .map(|place| StudentModule {
                detail: self.0.clone(),
                place,
            })
            .collect()
    }
}

/// A module and what the student did in it.
pub struct StudentModule {
    detail: Arc<Detail>,
    place: usize,
}

impl StudentModule {
    fn node(&self) -> &ModuleNode {
        self.detail.tree.module(self.place)
    }
}

#[Object]
impl StudentModule {
    async fn id(&self) -> ID {
        id_of(self.node().id)
    }
    async fn title(&self) -> &str {
        &self.node().title
    }
    /// From 0.
    async fn position(&self) -> i32 {
        int(self.node().position)
    }
    /// In order.
    async fn lessons(&self) -> Vec<StudentLesson> {
        let places = self.node().lessons.clone();
        places
            .map(|place| StudentLesson {
                detail: self.detail.clone(),
                place,
            })
            .collect()
    }
}

/// A lesson and what the student did in it.
pub struct StudentLesson {
    detail: Arc<Detail>,
    place: usize,
}

impl StudentLesson {
    fn node(&self) -> &LessonNode {
        self.detail.tree.lesson(self.place)
    }

    fn counts(&self) -> LessonProgress {
        let lessons = &self.detail.student.progress.lessons;
        lessons.get(self.place).copied().unwrap_or_default()
    }
}

#[Object]
impl StudentLesson {
    async fn id(&self) -> ID {
        id_of(self.node().id)
    }
    async fn title(&self) -> &str {
        &self.node().title
    }
    /// From 0.
    async fn position(&self) -> i32 {
        int(self.node().position)
    }
    async fn is_completed(&self) -> bool {
        self.counts().is_completed()
    }
    /// Published pages only.
    async fn pages_done(&self) -> i32 {
        int(self.counts().pages_done)
    }
    /// Published pages only.
    async fn pages_total(&self) -> i32 {
        int(self.counts().pages_total)
    }
    /// In order.
    async fn pages(&self) -> Vec<StudentPage> {
        let places = self.node().pages.clone();
        places
            .map(|place| StudentPage {
                detail: self.detail.clone(),
                place,
            })
            .collect()
    }
}

/// A page and what the student did on it.
pub struct StudentPage {
    detail: Arc<Detail>,
    place: usize,
}

impl StudentPage {
    fn node(&self) -> &PageNode {
        self.detail.tree.page(self.place)
    }
}

#[Object]
impl StudentPage {
    async fn id(&self) -> ID {
        id_of(self.node().id)
    }
    /// Null: interfaces show 'Страница {n}'.
    async fn title(&self) -> Option<&str> {
        self.node().title.as_deref()
    }
    async fn kind(&self) -> PageKind {
        self.node().kind.into()
    }
    /// From 0.
    async fn position(&self) -> i32 {
        int(self.node().position)
    }
    /// A page that is not counts nowhere.
    async fn published(&self) -> bool {
        self.node().published
    }
    /// The first visit.
    async fn visited_at(&self) -> Option<DateTime> {
        self.detail.visited_at(self.place).map(DateTime)
    }
    /// A content page is done when visited, a quiz page when passed.
    async fn is_done(&self) -> bool {
        self.detail.is_done(self.place)
    }
    /// First to last; empty on content pages.
    async fn attempts(&self) -> Vec<StudentAttempt> {
        self.detail
            .attempts(self.place)
            .iter()
            .map(StudentAttempt::of)
            .collect()
    }
}

/// An attempt at a quiz with everything there is to it.
#[derive(SimpleObject)]
pub struct StudentAttempt {
    id: ID,
    /// From 1.
    attempt_no: i32,
    /// Rounded to four places.
    score: f64,
    max_score: f64,
    /// Rounded down.
    percent: i32,
    passed: bool,
    submitted_at: DateTime,
    /// As they were given, with the ids of `quiz`.
    answers: Json<Vec<Answer>>,
    /// Of each question: `question_id`, `points`, `max_points`, `correct`, `explanation` and `correct_answer`.
    results: Json<Vec<QuestionResult>>,
    /// The quiz as it was taken, with its answers.
    quiz: Document,
}

impl StudentAttempt {
    fn of(taken: &TakenAttempt) -> Self {
        let attempt = taken.attempt.clone();
        StudentAttempt {
            id: id_of(attempt.id),
            attempt_no: int(attempt.attempt_no),
            score: attempt.score,
            max_score: attempt.max_score,
            percent: int(attempt.percent),
            passed: attempt.passed,
            submitted_at: DateTime(attempt.submitted_at),
            answers: Json(attempt.answers),
            results: Json(attempt.results),
            quiz: Document::Stored(taken.quiz.clone()),
        }
    }
}
