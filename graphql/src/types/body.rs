//! The content of a page, by its kind: fields that one kind always has are not null in its type.

use async_graphql::{Context, Interface, Object, Result};
use kurso_base::error::Error;
use kurso_base::messages::Message;

use super::{Attempt, Document, Page, Quiz};
use crate::cost;
use crate::error::wrap;

/// Content of a page, by its kind.
#[derive(Interface)]
#[graphql(
    name = "PageContent",
    field(
        name = "document",
        ty = "Document",
        desc = "Document to read; above the questions on a quiz page."
    )
)]
pub enum Body {
    Text(TextContent),
    Quiz(QuizContent),
}

impl Body {
    pub fn of(page: Page) -> Self {
        if page.is_quiz() {
            Body::Quiz(QuizContent(page))
        } else {
            Body::Text(TextContent(page))
        }
    }
}

pub struct TextContent(Page);

/// Content of a content page, which is done when visited.
#[Object]
impl TextContent {
    /// Document to read.
    #[graphql(complexity = "cost::DOCUMENT")]
    async fn document(&self, ctx: &Context<'_>) -> Result<Document> {
        self.0.document(ctx).await
    }
}

pub struct QuizContent(Page);

/// Content of a quiz page or an assignment, which is done when passed.
#[Object]
impl QuizContent {
    /// Document above the questions; the instructions of an assignment.
    #[graphql(complexity = "cost::DOCUMENT")]
    async fn document(&self, ctx: &Context<'_>) -> Result<Document> {
        self.0.document(ctx).await
    }
    /// The questions as learners see them, for staff too.
    async fn quiz(&self, ctx: &Context<'_>) -> Result<Quiz> {
        let quiz = self.0.learners_quiz(ctx).await?;
        quiz.ok_or_else(|| wrap(ctx)(Error::NotFound(Message::PageNotFound))) // just deleted
    }
    /// The quiz in the author's form with its answer key, see docs/quizzes.md. Null for learners.
    #[graphql(complexity = "cost::DOCUMENT")]
    async fn author_quiz(&self, ctx: &Context<'_>) -> Result<Option<Document>> {
        self.0.authors_quiz(ctx).await
    }
    /// The caller's attempts in order, the last 100 of them. None while the page is locked.
    #[graphql(complexity = "cost::list(cost::ATTEMPTS, child_complexity)")]
    async fn attempts(&self, ctx: &Context<'_>) -> Result<Vec<Attempt>> {
        self.0.own_attempts(ctx).await
    }
    /// Number of attempts left for the caller. Null when there is no limit.
    async fn attempts_left(&self) -> Option<i32> {
        self.0.own_attempts_left()
    }
    /// Percentage of the caller's best attempt; null when there is none.
    async fn best_percent(&self) -> Option<i32> {
        self.0.own_best_percent()
    }
}
