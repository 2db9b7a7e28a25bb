use std::sync::Arc;

use async_graphql::{Context, Enum, ID, Object, Result};
use kurso_core::access::Right;
use kurso_core::courses::page::PageRead;
use kurso_core::courses::tree::{self, PageNode};
use kurso_core::error::Error;
use kurso_core::ids::{EnrollmentId, PageId};
use kurso_core::learning::view::{CourseView, PageContent};
use kurso_core::messages::Message;

use super::{
    Attempt, Body, Course, DateTime, Document, Lesson, PageVersion, PageVersionText, Quiz, Reason, View, id_of, int,
    unless_gone,
};
use crate::context::{kurso, viewer};
use crate::cost;
use crate::error::wrap;

#[derive(Clone)]
pub struct Page {
    view: View,
    /// In the view's tree.
    place: usize,
}

impl Page {
    pub fn at(view: &View, place: usize) -> Self {
        let view = view.clone();
        Page { view, place }
    }

    /// A page the caller teaches or learns.
    pub async fn load(ctx: &Context<'_>, id: PageId) -> Result<Self> {
        let (view, place) = CourseView::load_by_page(kurso(ctx), viewer(ctx)?, id, Right::Read)
            .await
            .map_err(wrap(ctx))?;
        Ok(Page::at(&View::new(view), place))
    }

    /// The same; None when it is not there any more.
    pub async fn load_unless_gone(ctx: &Context<'_>, id: PageId) -> Result<Option<Self>> {
        let found = CourseView::load_by_page(kurso(ctx), viewer(ctx)?, id, Right::Read).await;
        let found = unless_gone(ctx, found)?;
        Ok(found.map(|(view, place)| Page::at(&View::new(view), place)))
    }

    /// A page that an author has just read or written.
    pub async fn known(ctx: &Context<'_>, page: PageRead) -> Result<Self> {
        let known = Self::load(ctx, page.id).await?;
        known.view.loaders.know(page);
        Ok(known)
    }

    pub(crate) fn in_lesson(&self) -> Lesson {
        Lesson::at(&self.view, self.node().lesson)
    }

    pub(super) fn is_quiz(&self) -> bool {
        self.node().kind == tree::PageKind::Quiz
    }

    /// Does the caller read it as an author or a teacher?
    fn is_shown_whole(&self) -> bool {
        self.view.course.role.is_staff()
    }

    fn node(&self) -> &PageNode {
        self.view.page(self.place)
    }

    async fn stored(&self, ctx: &Context<'_>) -> Result<Arc<PageContent>> {
        let stored = self.view.loaders.content(ctx, self.node().id).await?;
        stored.ok_or_else(|| wrap(ctx)(Error::NotFound(Message::PageNotFound)))
    }

    fn enrollment(&self) -> Option<EnrollmentId> {
        self.view.course.enrollment.as_ref().map(|enrollment| enrollment.id)
    }
}

/// What stands on a page, for the fields of the page and of its body alike.
impl Page {
    pub(super) async fn document(&self, ctx: &Context<'_>) -> Result<Document> {
        Ok(Document::Stored(self.stored(ctx).await?.content.clone()))
    }

    /// None on content pages.
    pub(super) async fn learners_quiz(&self, ctx: &Context<'_>) -> Result<Option<Quiz>> {
        if !self.is_quiz() {
            return Ok(None);
        }
        // The version before the quiz: answers to a quiz that changes in between are refused as stale, never taken wrongly.
        let _ = self.stored(ctx).await;
        let found = self.view.loaders.quiz(ctx, self.node().id, self.enrollment()).await?;
        Ok(found.map(|page| Quiz::from(&page.quiz)))
    }

    /// None for learners and on content pages.
    pub(super) async fn authors_quiz(&self, ctx: &Context<'_>) -> Result<Option<Document>> {
        if !self.is_quiz() || !self.is_shown_whole() {
            return Ok(None);
        }
        let found = self.view.loaders.author_quiz(ctx, self.node().id).await?;
        Ok(found.map(|quiz| Document::Stored(quiz.to_string())))
    }

    pub(super) async fn own_attempts(&self, ctx: &Context<'_>) -> Result<Vec<Attempt>> {
        let Some(enrollment) = self.enrollment().filter(|_| self.is_quiz()) else {
            return Ok(vec![]);
        };
        let made = self.view.loaders.attempts(ctx, self.node().id, enrollment).await?;
        let made = made.iter().flat_map(|made| made.iter());
        cost::spend(ctx, made.clone().count())?;
        Ok(made.map(Attempt::from).collect())
    }

    pub(super) fn own_attempts_left(&self) -> Option<i32> {
        self.view.attempts_left(self.place).map(int)
    }

    pub(super) fn own_best_percent(&self) -> Option<i32> {
        self.view.best_percent(self.place).map(int)
    }
}

/// What a page holds; never changes.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
pub enum PageKind {
    /// Something to read: done when visited.
    Content,
    /// Questions: done when passed.
    Quiz,
}

/// The word of a request's body.
impl From<PageKind> for serde_json::Value {
    fn from(kind: PageKind) -> Self {
        match kind {
            PageKind::Content => "content".into(),
            PageKind::Quiz => "quiz".into(),
        }
    }
}

impl From<tree::PageKind> for PageKind {
    fn from(kind: tree::PageKind) -> Self {
        match kind {
            tree::PageKind::Content => Self::Content,
            tree::PageKind::Quiz => Self::Quiz,
        }
    }
}

/// A page of a lesson.
#[Object]
impl Page {
    /// A UUID, unlike that of any other.
    async fn id(&self) -> ID {
        id_of(self.node().id)
    }
    /// Null: interfaces show 'Страница {number}'.
    async fn title(&self) -> Option<&str> {
        self.node().title.as_deref()
    }
    /// Its number in the lesson, from 1, among the pages the caller sees.
    async fn number(&self) -> i32 {
        int(self.view.number(self.place))
    }
    /// What it holds: something to read, or questions.
    async fn kind(&self) -> PageKind {
        self.node().kind.into()
    }
    /// From 0, without gaps, unpublished pages included.
    async fn position(&self) -> i32 {
        int(self.node().position)
    }
    /// Learners never see a page that is not.
    async fn published(&self) -> bool {
        self.node().published
    }
    /// Raised by each change of title, content or quiz.
    async fn version(&self, ctx: &Context<'_>) -> Result<i32> {
        Ok(int(self.stored(ctx).await?.version))
    }
    /// Has the caller been here?
    async fn is_visited(&self) -> bool {
        self.view.marks.is_visited(self.place)
    }
    /// Has the caller done it: visited a content page, passed a quiz?
    async fn is_completed(&self) -> bool {
        self.view.marks.is_done(&self.view.tree, self.place)
    }
    /// What is to be read; above the questions on a quiz page. One empty paragraph when nothing was written.
    #[graphql(complexity = "cost::DOCUMENT")]
    async fn content(&self, ctx: &Context<'_>) -> Result<Document> {
        self.document(ctx).await
    }
    /// What it holds, by its kind.
    async fn body(&self) -> Body {
        Body::of(self.clone())
    }
    /// Why it is not done; null when it is, and for a page that counts nowhere: one that is not published.
    async fn reason(&self) -> Option<Reason> {
        self.view.reason(self.place).map(Reason::from)
    }
    /// The questions of a quiz page, as learners see them, staff too; null on a content page.
    async fn quiz(&self, ctx: &Context<'_>) -> Result<Option<Quiz>> {
        self.learners_quiz(ctx).await
    }
    /// The quiz as its author writes it, answers included, in the words of docs/quizzes.md. Null for learners, and on content
    /// pages.
    #[graphql(complexity = "cost::DOCUMENT")]
    async fn author_quiz(&self, ctx: &Context<'_>) -> Result<Option<Document>> {
        self.authors_quiz(ctx).await
    }
    /// The caller's attempts at the quiz, first to last; the last 100 of more.
    #[graphql(complexity = "cost::list(cost::ATTEMPTS, child_complexity)")]
    async fn attempts(&self, ctx: &Context<'_>) -> Result<Vec<Attempt>> {
        self.own_attempts(ctx).await
    }
    /// Null when there is no limit, and on a content page.
    async fn attempts_left(&self) -> Option<i32> {
        self.own_attempts_left()
    }
    /// Of the caller's best attempt; null when there is none.
    async fn best_percent(&self) -> Option<i32> {
        self.own_best_percent()
    }
    /// The history: newest first, at most 50 entries; the first is what the page says now. Null for learners.
    #[graphql(complexity = "cost::list(cost::VERSIONS, child_complexity)")]
    async fn versions(&self, ctx: &Context<'_>) -> Result<Option<Vec<PageVersion>>> {
        if !self.is_shown_whole() {
            return Ok(None);
        }
        let history = self.view.loaders.history(ctx, self.node().id).await?;
        let history = history.iter().flat_map(|history| history.iter());
        cost::spend(ctx, history.clone().count())?;
        Ok(Some(history.cloned().map(PageVersion).collect()))
    }
    /// What the page said in one version of its history; NOT_FOUND when that is not kept. Null for learners.
    async fn version_text(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "One of `versions`.")] version: i32,
    ) -> Result<Option<PageVersionText>> {
        if !self.is_shown_whole() {
            return Ok(None);
        }
        let text = self.view.loaders.text(ctx, self.node().id, version.into()).await?;
        let text = text.ok_or_else(|| wrap(ctx)(Error::NotFound(Message::VersionNotFound)))?;
        Ok(Some(PageVersionText { version, text }))
    }
    /// When its title, content or quiz last changed.
    async fn updated_at(&self, ctx: &Context<'_>) -> Result<DateTime> {
        Ok(DateTime(self.stored(ctx).await?.updated_at))
    }
    /// What it is in.
    async fn lesson(&self) -> Lesson {
        self.in_lesson()
    }
    /// What it is in.
    async fn course(&self) -> Course {
        Course::from_view(&self.view)
    }
    /// The page before this one in reading order, across lessons and modules.
    async fn previous_page(&self) -> Option<Page> {
        self.view.previous(self.place).map(|place| Page::at(&self.view, place))
    }
    /// The page after this one in reading order, across lessons and modules.
    async fn next_page(&self) -> Option<Page> {
        self.view.next(self.place).map(|place| Page::at(&self.view, place))
    }
}
