use std::sync::Arc;

use async_graphql::{Context, ID, Object, Result, SimpleObject};
use kurso_base::ids::PageId;
use kurso_core::attempts::TakenAttempt;
use kurso_core::courses::tree::{LessonNode, ModuleNode, PageNode};
use kurso_core::learning::progress::LessonProgress;
use kurso_core::students::Detail;

use super::attempt::Attempt;
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

/// Activity of a student, by page; unpublished pages are listed but do not count.
#[Object]
impl StudentProgress {
    /// The student with their progress.
    async fn student(&self) -> Student {
        Student(self.0.student.clone())
    }
    /// The course, as the caller sees it.
    async fn course(&self) -> Course {
        Course::from_row(self.0.course.clone())
    }
    /// In order.
    #[graphql(complexity = "cost::list(cost::MODULES, child_complexity)")]
    async fn modules(&self, ctx: &Context<'_>) -> Result<Vec<StudentModule>> {
        let indices = 0..self.0.tree.modules.len();
        cost::spend(ctx, indices.len())?;
        Ok(indices
            .map(|index| StudentModule {
                detail: self.0.clone(),
                index,
            })
            .collect())
    }
    /// One page of the course; null when the course has no such page.
    async fn page(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "ID of the page.")] id: ID,
    ) -> Result<Option<StudentPage>> {
        let id: PageId = context::id(ctx, "id", &id)?;
        Ok(self.0.tree.place(id).map(|index| StudentPage {
            detail: self.0.clone(),
            index,
        }))
    }
}

pub struct StudentModule {
    detail: Arc<Detail>,
    index: usize,
}

impl StudentModule {
    fn node(&self) -> &ModuleNode {
        self.detail.tree.module(self.index)
    }
}

/// Activity of a student in a module.
#[Object]
impl StudentModule {
    /// Unique ID.
    async fn id(&self) -> ID {
        id_of(self.node().id)
    }
    /// 1 to 255 characters.
    async fn title(&self) -> &str {
        &self.node().title
    }
    /// Index among its siblings, from 0.
    async fn position(&self) -> i32 {
        int(self.node().position)
    }
    /// In order.
    #[graphql(complexity = "cost::list(cost::LESSONS, child_complexity)")]
    async fn lessons(&self, ctx: &Context<'_>) -> Result<Vec<StudentLesson>> {
        let indices = self.node().lessons.clone();
        cost::spend(ctx, indices.len())?;
        Ok(indices
            .map(|index| StudentLesson {
                detail: self.detail.clone(),
                index,
            })
            .collect())
    }
}

pub struct StudentLesson {
    detail: Arc<Detail>,
    index: usize,
}

impl StudentLesson {
    fn node(&self) -> &LessonNode {
        self.detail.tree.lesson(self.index)
    }

    fn counts(&self) -> LessonProgress {
        self.detail.student.progress.lesson(self.index)
    }
}

/// Activity of a student in a lesson.
#[Object]
impl StudentLesson {
    /// Unique ID.
    async fn id(&self) -> ID {
        id_of(self.node().id)
    }
    /// 1 to 255 characters.
    async fn title(&self) -> &str {
        &self.node().title
    }
    /// Index among its siblings, from 0.
    async fn position(&self) -> i32 {
        int(self.node().position)
    }
    /// Whether all its pages are done. False for a lesson without pages.
    async fn is_completed(&self) -> bool {
        self.counts().is_completed()
    }
    /// Counts published pages only.
    async fn pages_done(&self) -> i32 {
        int(self.counts().pages_done)
    }
    /// Counts published pages only.
    async fn pages_total(&self) -> i32 {
        int(self.counts().pages_total)
    }
    /// In order.
    #[graphql(complexity = "cost::list(cost::PAGES, child_complexity)")]
    async fn pages(&self, ctx: &Context<'_>) -> Result<Vec<StudentPage>> {
        let indices = self.node().pages.clone();
        cost::spend(ctx, indices.len())?;
        Ok(indices
            .map(|index| StudentPage {
                detail: self.detail.clone(),
                index,
            })
            .collect())
    }
}

pub struct StudentPage {
    detail: Arc<Detail>,
    index: usize,
}

impl StudentPage {
    fn node(&self) -> &PageNode {
        self.detail.tree.page(self.index)
    }
}

/// Activity of a student on a page.
#[Object]
impl StudentPage {
    /// Unique ID.
    async fn id(&self) -> ID {
        id_of(self.node().id)
    }
    /// Null for an untitled page: clients show 'Страница {n}'.
    async fn title(&self) -> Option<&str> {
        self.node().title.as_deref()
    }
    /// Kind of the page.
    async fn kind(&self) -> PageKind {
        self.node().kind.into()
    }
    /// Index among its siblings, from 0.
    async fn position(&self) -> i32 {
        int(self.node().position)
    }
    /// Whether it is published. Unpublished pages do not count.
    async fn published(&self) -> bool {
        self.node().published
    }
    /// Time of the first visit.
    async fn visited_at(&self) -> Option<DateTime> {
        self.detail.visited_at(self.index).map(DateTime)
    }
    /// Whether it is done: a content page visited, a quiz passed.
    async fn is_done(&self) -> bool {
        self.detail.is_done(self.index)
    }
    /// Attempts left at the quiz; null without a limit or without a quiz.
    async fn attempts_left(&self) -> Option<i32> {
        self.detail.attempts_left(self.index).map(int)
    }
    /// Attempts in order; empty on content pages. The last 100 at each page, fewer if those of the student have more than 32 MiB.
    #[graphql(complexity = "cost::list(cost::ATTEMPTS_OF_STUDENT, child_complexity)")]
    async fn attempts(&self, ctx: &Context<'_>) -> Result<Vec<StudentAttempt>> {
        let attempts = self.detail.attempts(self.index);
        cost::spend(ctx, attempts.len())?;
        Ok(attempts.iter().map(StudentAttempt::of).collect())
    }
}

/// An attempt at a quiz, with its answer key. The IDs of its answers and results are those of `quiz`.
#[derive(SimpleObject)]
pub struct StudentAttempt {
    #[graphql(flatten)]
    attempt: Attempt,
    /// The quiz as it was at the time of the attempt, with its answer key.
    #[graphql(complexity = "cost::DOCUMENT")]
    quiz: Document,
}

impl StudentAttempt {
    fn of(taken: &TakenAttempt) -> Self {
        StudentAttempt {
            attempt: Attempt::from(&taken.attempt),
            quiz: Document::Stored(taken.quiz.clone()),
        }
    }
}
