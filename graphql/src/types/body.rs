//! What a page holds, by its kind: what is always there on one kind is not null in it.

use async_graphql::{Context, Interface, Object, Result};
use kurso_core::error::Error;
use kurso_core::messages::Message;

use super::{Attempt, Document, Page, Quiz};
use crate::cost;
use crate::error::wrap;

/// What a page holds, by its kind.
#[derive(Interface)]
#[graphql(
    name = "PageContent",
    field(
        name = "document",
        ty = "Document",
        desc = "What is to be read; above the questions on a quiz page."
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

/// Of a page to read: done when visited.
#[Object]
impl TextContent {
    /// What is to be read.
    #[graphql(complexity = "cost::DOCUMENT")]
    async fn document(&self, ctx: &Context<'_>) -> Result<Document> {
        self.0.document(ctx).await
    }
}

pub struct QuizContent(Page);

/// Of a page of questions: done when passed.
#[Object]
impl QuizContent {
    /// What is to be read above the questions.
    #[graphql(complexity = "cost::DOCUMENT")]
    async fn document(&self, ctx: &Context<'_>) -> Result<Document> {
        self.0.document(ctx).await
    }
    /// The questions as learners see them, staff too.
    async fn quiz(&self, ctx: &Context<'_>) -> Result<Quiz> {
        let quiz = self.0.learners_quiz(ctx).await?;
        quiz.ok_or_else(|| wrap(ctx)(Error::NotFound(Message::PageNotFound))) // deleted in this moment
    }
    /// The quiz as its author writes it, answers included, in the words of docs/quizzes.md. Null for learners.
    #[graphql(complexity = "cost::DOCUMENT")]
    async fn author_quiz(&self, ctx: &Context<'_>) -> Result<Option<Document>> {
        self.0.authors_quiz(ctx).await
    }
    /// The caller's attempts, first to last; the last 100 of more.
    #[graphql(complexity = "cost::list(cost::ATTEMPTS, child_complexity)")]
    async fn attempts(&self, ctx: &Context<'_>) -> Result<Vec<Attempt>> {
        self.0.own_attempts(ctx).await
    }
    /// How often the caller may still try. Null when there is no limit.
    async fn attempts_left(&self) -> Option<i32> {
        self.0.own_attempts_left()
    }
    /// Of the caller's best attempt; null when there is none.
    async fn best_percent(&self) -> Option<i32> {
        self.0.own_best_percent()
    }
}
