use std::collections::HashMap;
use std::sync::Arc;

use async_graphql::{Context, Enum, ID, Object, Result};
use kurso_core::access::Right;
use kurso_core::courses::tree::{self, PageNode};
use kurso_core::error::Error;
use kurso_core::ids::{EnrollmentId, PageId};
use kurso_core::learning::view::{self, CourseView, PageContent};
use kurso_core::messages::Message;
use kurso_core::quiz::{self, QuizPage};
use tokio::sync::OnceCell;

use super::{Attempt, Course, DateTime, Document, Lesson, Quiz, Reason, id_of, int};
use crate::context::kurso;
use crate::error::wrap;

/// A page of a lesson.
pub struct Page {
    pub(crate) view: Arc<CourseView>,
    /// In the view's tree.
    pub(crate) place: usize,
    pub(crate) contents: Arc<Contents>,
}

/// What sibling pages hold: each kind of it read together, when one of them is first asked for it.
pub struct Contents {
    pages: Vec<PageId>,
    read: OnceCell<HashMap<PageId, PageContent>>,
    /// As learners see them.
    quizzes: OnceCell<HashMap<PageId, QuizPage>>,
    /// As their author writes them.
    author_quizzes: OnceCell<HashMap<PageId, String>>,
    attempts: OnceCell<HashMap<PageId, Vec<quiz::Attempt>>>,
}

impl Contents {
    pub fn of(pages: Vec<PageId>) -> Self {
        Contents {
            pages,
            read: OnceCell::new(),
            quizzes: OnceCell::new(),
            author_quizzes: OnceCell::new(),
            attempts: OnceCell::new(),
        }
    }
}

impl Page {
    /// A page that is read alone.
    pub fn alone(view: Arc<CourseView>, place: usize) -> Self {
        let contents = Arc::new(Contents::of(vec![view.page(place).id]));
        Page { view, place, contents }
    }

    fn node(&self) -> &PageNode {
        self.view.page(self.place)
    }

    async fn content_row(&self, ctx: &Context<'_>) -> Result<&PageContent> {
        let read = self
            .contents
            .read
            .get_or_try_init(async || {
                let rows = view::contents(kurso(ctx), &self.contents.pages).await?;
                Ok(rows.into_iter().map(|row| (row.page_id, row)).collect())
            })
            .await
            .map_err(wrap(ctx))?;
        read.get(&self.node().id)
            .ok_or_else(|| wrap(ctx)(Error::NotFound(Message::PageNotFound)))
    }

    fn is_quiz(&self) -> bool {
        self.node().kind == tree::PageKind::Quiz
    }

    fn enrollment(&self) -> Option<EnrollmentId> {
        self.view.course.enrollment.as_ref().map(|enrollment| enrollment.id)
    }

    async fn quizzes(&self, ctx: &Context<'_>) -> Result<&HashMap<PageId, QuizPage>> {
        let quizzes = self.contents.quizzes.get_or_try_init(async || {
            // The version before the quiz: answers to a quiz that changes in between are refused as stale, never taken
            // wrongly.
            let _ = self.content_row(ctx).await;
            quiz::for_learner(kurso(ctx), self.enrollment(), &self.contents.pages).await
        });
        quizzes.await.map_err(wrap(ctx))
    }

    async fn author_quizzes(&self, ctx: &Context<'_>) -> Result<&HashMap<PageId, String>> {
        let read = async || quiz::for_author(&kurso(ctx).db, &self.contents.pages).await;
        let quizzes = self.contents.author_quizzes.get_or_try_init(read);
        quizzes.await.map_err(wrap(ctx))
    }

    async fn attempts_made(&self, ctx: &Context<'_>) -> Result<&HashMap<PageId, Vec<quiz::Attempt>>> {
        let attempts = self
            .contents
            .attempts
            .get_or_try_init(async || match self.enrollment() {
                Some(enrollment) => quiz::attempts_of_each(kurso(ctx), enrollment, &self.contents.pages).await,
                None => Ok(HashMap::new()),
            });
        attempts.await.map_err(wrap(ctx))
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

#[Object]
impl Page {
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
    async fn kind(&self) -> PageKind {
        match self.node().kind {
            tree::PageKind::Content => PageKind::Content,
            tree::PageKind::Quiz => PageKind::Quiz,
        }
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
        Ok(int(self.content_row(ctx).await?.version))
    }
    /// Has the caller been here?
    async fn is_visited(&self) -> bool {
        self.view.marks.is_visited(self.place)
    }
    /// Has the caller done it: visited a content page, passed a quiz?
    async fn is_completed(&self) -> bool {
        self.view.marks.is_done(&self.view.tree, self.place)
    }
    /// Why it is not done; null when it is, and for a page that counts nowhere: one that is not published.
    async fn reason(&self) -> Option<Reason> {
        self.view.reason(self.place).map(Reason::from)
    }
    /// The questions of a quiz page, as learners see them, staff too; null on a content page.
    async fn quiz(&self, ctx: &Context<'_>) -> Result<Option<Quiz>> {
        if !self.is_quiz() {
            return Ok(None);
        }
        let found = self.quizzes(ctx).await?.get(&self.node().id);
        Ok(found.map(|page| Quiz::from(&page.quiz)))
    }
    /// The quiz with its answers, as docs/quizzes.md describes it. Null on a content page, and for those who may not read
    /// the course as authors.
    async fn author_quiz(&self, ctx: &Context<'_>) -> Result<Option<Document>> {
        if !self.is_quiz() || !self.view.course.role.may(Right::ReadAsAuthor) {
            return Ok(None);
        }
        let found = self.author_quizzes(ctx).await?.get(&self.node().id);
        Ok(found.map(|text| Document(text.clone())))
    }
    /// The caller's attempts at the quiz, first to last; the last 100 of more.
    async fn attempts(&self, ctx: &Context<'_>) -> Result<Vec<Attempt>> {
        if !self.is_quiz() {
            return Ok(vec![]);
        }
        let made = self.attempts_made(ctx).await?.get(&self.node().id);
        Ok(made.into_iter().flatten().map(Attempt::from).collect())
    }
    /// Null when there is no limit, and on a content page.
    async fn attempts_left(&self) -> Option<i32> {
        self.view.attempts_left(self.place).map(int)
    }
    /// Of the caller's best attempt; null when there is none.
    async fn best_percent(&self) -> Option<i32> {
        self.view.best_percent(self.place).map(int)
    }
    async fn content(&self, ctx: &Context<'_>) -> Result<Document> {
        Ok(Document(self.content_row(ctx).await?.content.clone()))
    }
    async fn updated_at(&self, ctx: &Context<'_>) -> Result<DateTime> {
        Ok(DateTime(self.content_row(ctx).await?.updated_at))
    }
    async fn lesson(&self) -> Lesson {
        Lesson {
            view: self.view.clone(),
            place: self.node().lesson,
        }
    }
    async fn course(&self) -> Course {
        Course::from_view(self.view.clone())
    }
    /// The page before this one in reading order, across lessons and modules.
    async fn previous_page(&self) -> Option<Page> {
        self.view
            .previous(self.place)
            .map(|place| Page::alone(self.view.clone(), place))
    }
    /// The page after this one in reading order, across lessons and modules.
    async fn next_page(&self) -> Option<Page> {
        self.view
            .next(self.place)
            .map(|place| Page::alone(self.view.clone(), place))
    }
}
