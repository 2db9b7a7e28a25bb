//! A page: how it is read, and its content as the caller may see it.

mod fields;

use std::sync::Arc;

use async_graphql::{Context, Enum, Result};
use kurso_base::error::Error;
use kurso_base::ids::{EnrollmentId, PageId};
use kurso_base::messages::Message;
use kurso_core::access::Right;
use kurso_core::attempts::{QuizPage, Seen};
use kurso_core::courses::page::PageRead;
use kurso_core::courses::tree::{self, PageNode};
use kurso_core::discussions::Reader;
use kurso_core::learning::view::{CourseView, PageContent};
use kurso_core::notes::Kept;

use super::loaders::{AttemptsAt, AuthorQuiz, DraftOf, KeptOf, LearnerQuiz, PageDraftOf, StoredPage};
use super::{AnswerDraft, Attempt, Document, Lesson, Quiz, RunningAttempt, View, int, unless_gone};
use crate::context::{kurso, viewer};
use crate::cost;
use crate::error::wrap;

#[derive(Clone)]
pub struct Page {
    view: View,
    /// Index in the tree of the view.
    index: usize,
}

impl Page {
    /// The caller as a reader of the discussions; None if they may not read those of this page now.
    fn reader(&self, ctx: &Context<'_>) -> Result<Option<Reader>> {
        if !self.is_open() {
            return Ok(None);
        }
        Ok(Reader::of(&self.view.course, viewer(ctx)?.id()))
    }

    /// Whether the caller reads the page now, for themselves.
    fn is_open(&self) -> bool {
        !self.view.is_preview && self.view.shows(self.index) && self.view.require_readable(self.index).is_ok()
    }

    /// What the caller keeps of the page besides notes; None in a preview.
    async fn kept(&self, ctx: &Context<'_>) -> Result<Option<Arc<Kept>>> {
        if self.view.is_preview {
            return Ok(None);
        }
        let key = KeptOf(self.node().id, viewer(ctx)?.id(), self.view.shows_drafts);
        self.view.loaders.load(ctx, key).await
    }

    pub fn at(view: &View, index: usize) -> Self {
        let view = view.clone();
        Page { view, index }
    }

    /// A page of a course that the caller teaches or learns.
    pub async fn load(ctx: &Context<'_>, id: PageId) -> Result<Self> {
        let (view, index) = CourseView::load_by_page(kurso(ctx), viewer(ctx)?, id, Right::Read)
            .await
            .map_err(wrap(ctx))?;
        Ok(Page::at(&View::new(view), index))
    }

    /// A page of a course whose drafts the caller reads, with the text of its draft in place of what learners read.
    pub async fn load_drafted(ctx: &Context<'_>, id: PageId) -> Result<Self> {
        let (view, index) = CourseView::load_by_drafted_page(kurso(ctx), viewer(ctx)?, id)
            .await
            .map_err(wrap(ctx))?;
        Ok(Page::at(&View::new(view), index))
    }

    /// The same as [`Self::load`]; None when it is deleted.
    pub async fn load_unless_gone(ctx: &Context<'_>, id: PageId) -> Result<Option<Self>> {
        let found = CourseView::load_by_page(kurso(ctx), viewer(ctx)?, id, Right::Read).await;
        let found = unless_gone(ctx, found)?;
        Ok(found.map(|(view, index)| Page::at(&View::new(view), index)))
    }

    /// A page that an author has just read or written, with its content in the cache.
    pub async fn known(ctx: &Context<'_>, page: PageRead) -> Result<Self> {
        let known = Self::load(ctx, page.id).await?;
        // The content of a page is what learners read; its draft is read where it is asked for.
        if !page.is_draft {
            known.view.loaders.cache(ctx, page).await;
        }
        Ok(known)
    }

    pub(crate) fn in_lesson(&self) -> Lesson {
        Lesson::at(&self.view, self.node().lesson)
    }

    pub(super) fn is_quiz(&self) -> bool {
        self.node().kind.takes_attempts()
    }

    /// Whether the caller is staff of the course.
    fn is_shown_whole(&self) -> bool {
        self.view.course.role.is_staff()
    }

    /// Whether the caller reads unpublished changes.
    fn shows_draft(&self) -> bool {
        self.view.course.role.may(Right::ReadDrafts)
    }

    fn node(&self) -> &PageNode {
        self.view.page(self.index)
    }

    async fn stored(&self, ctx: &Context<'_>) -> Result<Arc<PageContent>> {
        let stored = self
            .view
            .loaders
            .load(ctx, StoredPage(self.node().id, self.view.shows_drafts))
            .await?;
        stored.ok_or_else(|| wrap(ctx)(Error::NotFound(Message::PageNotFound)))
    }

    fn enrollment(&self) -> Option<EnrollmentId> {
        self.view.course.enrollment.as_ref().map(|enrollment| enrollment.id)
    }

    /// Fails with LOCKED if the contents are withheld from the caller.
    fn require_readable(&self, ctx: &Context<'_>) -> Result<()> {
        self.view.require_readable(self.index).map_err(wrap(ctx))
    }
}

/// The content of the page, for the fields of `Page` and `PageContent`.
impl Page {
    pub(super) async fn document(&self, ctx: &Context<'_>) -> Result<Document> {
        self.require_readable(ctx)?;
        Ok(Document::Stored(self.stored(ctx).await?.content.as_str().into()))
    }

    /// None on content pages.
    pub(super) async fn learners_quiz(&self, ctx: &Context<'_>) -> Result<Option<Quiz>> {
        if !self.is_quiz() {
            return Ok(None);
        }
        self.require_readable(ctx)?;
        let found = self.learners_page(ctx).await?;
        Ok(found.map(|page| Quiz::from(&page.quiz)))
    }

    /// The quiz of a quiz page as the caller sees it, with their running attempt.
    async fn learners_page(&self, ctx: &Context<'_>) -> Result<Option<Arc<QuizPage>>> {
        // Reads the version before the quiz: answers to a quiz that changes in between are refused as stale.
        let _ = self.stored(ctx).await;
        let key = LearnerQuiz(Seen::at(&self.view, self.index));
        self.view.loaders.load(ctx, key).await
    }

    async fn own_running_attempt(&self, ctx: &Context<'_>) -> Result<Option<RunningAttempt>> {
        if !self.is_quiz() || self.require_readable(ctx).is_err() {
            return Ok(None);
        }
        let found = self.learners_page(ctx).await?;
        Ok(found.and_then(|page| page.running.as_ref().map(RunningAttempt::from)))
    }

    /// None for learners and on content pages.
    pub(super) async fn authors_quiz(&self, ctx: &Context<'_>) -> Result<Option<Document>> {
        if !self.is_quiz() || !self.is_shown_whole() {
            return Ok(None);
        }
        if self.view.shows_drafts
            && let Some(draft) = self.view.loaders.load(ctx, PageDraftOf(self.node().id)).await?
        {
            return Ok(draft.quiz.clone().map(|quiz| Document::Stored(quiz.into())));
        }
        let found = self.view.loaders.load(ctx, AuthorQuiz(self.node().id)).await?;
        Ok(found.map(|quiz| Document::Stored(quiz.to_string().into())))
    }

    pub(super) async fn own_attempts(&self, ctx: &Context<'_>) -> Result<Vec<Attempt>> {
        let Some(enrollment) = self.enrollment().filter(|_| self.is_quiz()) else {
            return Ok(vec![]);
        };
        // The list is not nullable: an error would take the whole tree with it.
        if self.require_readable(ctx).is_err() {
            return Ok(vec![]);
        }
        let made = self
            .view
            .loaders
            .load(ctx, AttemptsAt(self.node().id, enrollment))
            .await?;
        let made = made.iter().flat_map(|made| made.iter());
        cost::spend(ctx, made.clone().count())?;
        Ok(made.map(Attempt::from).collect())
    }

    /// That of the caller, also in a preview as another learner.
    async fn own_draft(&self, ctx: &Context<'_>) -> Result<Option<AnswerDraft>> {
        if self.node().kind != tree::PageKind::Assignment || self.require_readable(ctx).is_err() {
            return Ok(None);
        }
        let key = DraftOf(self.node().id, viewer(ctx)?.id());
        let found = self.view.loaders.load(ctx, key).await?;
        Ok(found.map(|saved| AnswerDraft::from(saved.as_ref())))
    }

    pub(super) fn own_attempts_left(&self) -> Option<i32> {
        self.view.attempts_left(self.index).map(int)
    }

    pub(super) fn own_best_percent(&self) -> Option<i32> {
        self.view.best_percent(self.index).map(int)
    }
}

/// Kind of a page; never changes.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
pub enum PageKind {
    /// A document: done when visited.
    Content,
    /// A quiz: done when passed.
    Quiz,
    /// Work to hand in, which a person grades: a quiz of one question, done when passed.
    Assignment,
}

impl From<PageKind> for tree::PageKind {
    fn from(kind: PageKind) -> Self {
        match kind {
            PageKind::Content => Self::Content,
            PageKind::Quiz => Self::Quiz,
            PageKind::Assignment => Self::Assignment,
        }
    }
}

impl From<tree::PageKind> for PageKind {
    fn from(kind: tree::PageKind) -> Self {
        match kind {
            tree::PageKind::Content => Self::Content,
            tree::PageKind::Quiz => Self::Quiz,
            tree::PageKind::Assignment => Self::Assignment,
        }
    }
}
