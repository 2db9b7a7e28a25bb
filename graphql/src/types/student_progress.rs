use std::sync::Arc;

use async_graphql::{Context, ID, Object, Result, SimpleObject};
use kurso_core::courses::tree::{LessonNode, ModuleNode, PageNode};
use kurso_core::ids::PageId;
use kurso_core::learning::progress::LessonProgress;
use kurso_core::learning::students::Detail;
use kurso_core::quiz::TakenAttempt;

use super::attempt::{Answer, QuestionResult, given};
use super::page::PageKind;
use super::scalars::Document;
use super::{Course, DateTime, Student, id_of, int};
use crate::{context, cost};

pub struct StudentProgress(Arc<Detail>);

impl StudentProgress {
    pub fn of(detail: Detail) -> Self {
        StudentProgress(Arc::new(detail))
    }
}

/// What one student did, page by page; unpublished pages are shown and count nowhere.
#[Object]
impl StudentProgress {
    /// Who it is, and how far.
    async fn student(&self) -> Student {
        Student(self.0.student.clone())
    }
    /// What is learnt, as the caller sees it.
    async fn course(&self) -> Course {
        Course::from_row(self.0.course.clone())
    }
    /// In order.
    #[graphql(complexity = "cost::list(cost::MODULES, child_complexity)")]
    async fn modules(&self, ctx: &Context<'_>) -> Result<Vec<StudentModule>> {
        let places = 0..self.0.tree.modules.len();
        cost::spend(ctx, places.len())?;
        Ok(places
            .map(|place| StudentModule {
                detail: self.0.clone(),
                place,
            })
            .collect())
    }
    /// One page of the course; null when there is no such page in it.
    async fn page(&self, ctx: &Context<'_>, #[graphql(desc = "Of the page.")] id: ID) -> Result<Option<StudentPage>> {
        let id: PageId = context::id(ctx, "id", &id)?;
        Ok(self.0.tree.place(id).map(|place| StudentPage {
            detail: self.0.clone(),
            place,
        }))
    }
}

pub struct StudentModule {
    detail: Arc<Detail>,
    place: usize,
}

impl StudentModule {
    fn node(&self) -> &ModuleNode {
        self.detail.tree.module(self.place)
    }
}

/// A module and what the student did in it.
#[Object]
impl StudentModule {
    /// A UUID, unlike that of any other.
    async fn id(&self) -> ID {
        id_of(self.node().id)
    }
    /// 1 to 255 characters.
    async fn title(&self) -> &str {
        &self.node().title
    }
    /// From 0.
    async fn position(&self) -> i32 {
        int(self.node().position)
    }
    /// In order.
    #[graphql(complexity = "cost::list(cost::LESSONS, child_complexity)")]
    async fn lessons(&self, ctx: &Context<'_>) -> Result<Vec<StudentLesson>> {
        let places = self.node().lessons.clone();
        cost::spend(ctx, places.len())?;
        Ok(places
            .map(|place| StudentLesson {
                detail: self.detail.clone(),
                place,
            })
            .collect())
    }
}

pub struct StudentLesson {
    detail: Arc<Detail>,
    place: usize,
}

impl StudentLesson {
    fn node(&self) -> &LessonNode {
        self.detail.tree.lesson(self.place)
    }

    fn counts(&self) -> LessonProgress {
        self.detail.student.progress.lesson(self.place)
    }
}

/// A lesson and what the student did in it.
#[Object]
impl StudentLesson {
    /// A UUID, unlike that of any other.
    async fn id(&self) -> ID {
        id_of(self.node().id)
    }
    /// 1 to 255 characters.
    async fn title(&self) -> &str {
        &self.node().title
    }
    /// From 0.
    async fn position(&self) -> i32 {
        int(self.node().position)
    }
    /// Are all its pages done? False for a lesson without pages.
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
    #[graphql(complexity = "cost::list(cost::PAGES, child_complexity)")]
    async fn pages(&self, ctx: &Context<'_>) -> Result<Vec<StudentPage>> {
        let places = self.node().pages.clone();
        cost::spend(ctx, places.len())?;
        Ok(places
            .map(|place| StudentPage {
                detail: self.detail.clone(),
                place,
            })
            .collect())
    }
}

pub struct StudentPage {
    detail: Arc<Detail>,
    place: usize,
}

impl StudentPage {
    fn node(&self) -> &PageNode {
        self.detail.tree.page(self.place)
    }
}

/// A page and what the student did on it.
#[Object]
impl StudentPage {
    /// A UUID, unlike that of any other.
    async fn id(&self) -> ID {
        id_of(self.node().id)
    }
    /// Null: interfaces show 'Страница {n}'.
    async fn title(&self) -> Option<&str> {
        self.node().title.as_deref()
    }
    /// What it holds: something to read, or questions.
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
    #[graphql(complexity = "cost::list(cost::ATTEMPTS_OF_STUDENT, child_complexity)")]
    async fn attempts(&self, ctx: &Context<'_>) -> Result<Vec<StudentAttempt>> {
        let attempts = self.detail.attempts(self.place);
        cost::spend(ctx, attempts.len())?;
        Ok(attempts.iter().map(StudentAttempt::of).collect())
    }
}

/// An attempt at a quiz with everything there is to it.
#[derive(SimpleObject)]
pub struct StudentAttempt {
    /// A UUID, unlike that of any other.
    id: ID,
    /// From 1.
    attempt_no: i32,
    /// Rounded to four places.
    score: f64,
    /// What all questions together are worth.
    max_score: f64,
    /// Rounded down.
    percent: i32,
    /// By the exact score.
    passed: bool,
    /// When it was handed in.
    submitted_at: DateTime,
    /// As they were given, with the ids of `quiz`.
    #[graphql(complexity = "cost::list(cost::QUESTIONS, child_complexity)")]
    answers: Vec<Answer>,
    /// In the order of the quiz, with all there is to say of each question.
    #[graphql(complexity = "cost::list(cost::QUESTIONS, child_complexity)")]
    results: Vec<QuestionResult>,
    /// The quiz as it was taken, with its answers.
    #[graphql(complexity = "cost::DOCUMENT")]
    quiz: Document,
}

impl StudentAttempt {
    fn of(taken: &TakenAttempt) -> Self {
        let attempt = &taken.attempt;
        StudentAttempt {
            id: id_of(attempt.id),
            attempt_no: int(attempt.attempt_no),
            score: attempt.score,
            max_score: attempt.max_score,
            percent: int(attempt.percent),
            passed: attempt.passed,
            submitted_at: DateTime(attempt.submitted_at),
            answers: attempt
                .answers
                .iter()
                .map(|one| given(one.question_id, &one.given))
                .collect(),
            results: attempt.results.iter().map(QuestionResult::from).collect(),
            quiz: Document::Stored(taken.quiz.clone()),
        }
    }
}
