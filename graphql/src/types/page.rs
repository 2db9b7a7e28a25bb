use std::collections::HashMap;
use std::sync::Arc;

use async_graphql::{Context, Enum, ID, Object, Result};
use kurso_core::access::Right;
use kurso_core::courses::page::PageRead;
use kurso_core::courses::page::versions::{self, Version};
use kurso_core::courses::tree::{self, PageNode};
use kurso_core::db::LIST_LIMIT;
use kurso_core::error::Error;
use kurso_core::ids::{EnrollmentId, PageId};
use kurso_core::learning::view::{self, CourseView, PageContent};
use kurso_core::messages::Message;
use kurso_core::quiz::{self, QuizPage};
use tokio::sync::OnceCell;

use super::{
    Attempt, Course, DateTime, Document, Lesson, PageVersion, PageVersionText, Part, Quiz, Reason, View, id_of, int,
    unless_gone,
};
use crate::context::{kurso, viewer};
use crate::error::wrap;

/// A page of a lesson.
pub struct Page {
    pub(crate) view: Arc<View>,
    /// In the view's tree.
    pub(crate) place: usize,
    pub(crate) contents: Arc<Contents>,
}

/// What the pages of one list hold, be it a lesson's, a module's or those of a whole list of courses: read together, when it
/// is first asked of one of them.
pub struct Contents {
    pub(super) pages: Vec<PageId>,
    read: OnceCell<HashMap<PageId, PageContent>>,
    /// As their author writes them.
    author_quizzes: OnceCell<HashMap<PageId, String>>,
    /// As the learners of one course see them, and their attempts: never of several courses together.
    quizzes: OnceCell<HashMap<PageId, QuizPage>>,
    attempts: OnceCell<HashMap<PageId, Vec<quiz::Attempt>>>,
    is_of_one_course: bool,
    histories: OnceCell<HashMap<PageId, Vec<Version>>>,
}

impl Contents {
    pub fn of(pages: Vec<PageId>) -> Self {
        Contents {
            pages,
            read: OnceCell::new(),
            author_quizzes: OnceCell::new(),
            quizzes: OnceCell::new(),
            attempts: OnceCell::new(),
            is_of_one_course: true,
            histories: OnceCell::new(),
        }
    }

    /// Of the pages of a list of courses.
    pub fn across(pages: Vec<PageId>) -> Self {
        Contents {
            is_of_one_course: false,
            ..Contents::of(pages)
        }
    }

    /// What an author has just read or written of one page.
    fn known(page: PageRead) -> Self {
        let id = page.id;
        let content = PageContent {
            page_id: id,
            content: page.content,
            version: page.version,
            updated_at: page.updated_at,
        };
        let quizzes = page.quiz.map(|quiz| (id, quiz)).into_iter().collect();
        Contents {
            read: OnceCell::new_with(Some(HashMap::from([(id, content)]))),
            author_quizzes: OnceCell::new_with(Some(quizzes)),
            ..Contents::of(vec![id])
        }
    }
}

impl Page {
    /// A page that is read alone.
    pub fn alone(view: Arc<View>, place: usize) -> Self {
        let contents = view.contents(Part::Page(place));
        Page { view, place, contents }
    }

    /// A page the caller teaches or learns.
    pub async fn load(ctx: &Context<'_>, id: PageId) -> Result<Self> {
        let (view, place) = CourseView::load_by_page(kurso(ctx), viewer(ctx)?, id, Right::Read)
            .await
            .map_err(wrap(ctx))?;
        Ok(Page::alone(View::new(view), place))
    }

    /// The same; None when it is not there any more.
    pub async fn load_unless_gone(ctx: &Context<'_>, id: PageId) -> Result<Option<Self>> {
        let found = CourseView::load_by_page(kurso(ctx), viewer(ctx)?, id, Right::Read).await;
        let found = unless_gone(ctx, found)?;
        Ok(found.map(|(view, place)| Page::alone(View::new(view), place)))
    }

    /// A page that an author has just read or written.
    pub async fn known(ctx: &Context<'_>, page: PageRead) -> Result<Self> {
        let (view, place) = CourseView::load_by_page(kurso(ctx), viewer(ctx)?, page.id, Right::Read)
            .await
            .map_err(wrap(ctx))?;
        Ok(Page {
            view: View::new(view),
            place,
            contents: Arc::new(Contents::known(page)),
        })
    }

    pub(crate) fn in_lesson(&self) -> Lesson {
        Lesson::alone(self.view.clone(), self.node().lesson)
    }

    /// Does the caller read it as an author or a teacher?
    fn is_shown_whole(&self) -> bool {
        self.view.course.role.is_staff()
    }

    fn node(&self) -> &PageNode {
        self.view.page(self.place)
    }

    async fn content_row(&self, ctx: &Context<'_>) -> Result<&PageContent> {
        let read = self
            .contents
            .read
            .get_or_try_init(async || {
                let mut read = HashMap::with_capacity(self.contents.pages.len());
                for pages in self.contents.pages.chunks(LIST_LIMIT) {
                    let rows = view::contents(kurso(ctx), pages).await?;
                    read.extend(rows.into_iter().map(|row| (row.page_id, row)));
                }
                Ok(read)
            })
            .await
            .map_err(wrap(ctx))?;
        read.get(&self.node().id)
            .ok_or_else(|| wrap(ctx)(Error::NotFound(Message::PageNotFound)))
    }
}

/// The quiz of a page and what became of it.
impl Page {
    fn is_quiz(&self) -> bool {
        self.node().kind == tree::PageKind::Quiz
    }

    fn enrollment(&self) -> Option<EnrollmentId> {
        self.view.course.enrollment.as_ref().map(|enrollment| enrollment.id)
    }

    /// What is read with this page of its own course.
    fn of_its_course(&self) -> Arc<Contents> {
        if self.contents.is_of_one_course {
            self.contents.clone()
        } else {
            self.view.contents(Part::Course)
        }
    }

    async fn read_author_quizzes(&self, ctx: &Context<'_>) -> Result<&HashMap<PageId, String>> {
        let quizzes = self.contents.author_quizzes.get_or_try_init(async || {
            let mut read = HashMap::new();
            for pages in self.contents.pages.chunks(LIST_LIMIT) {
                read.extend(quiz::for_author(&kurso(ctx).db, pages).await?);
            }
            Ok(read)
        });
        quizzes.await.map_err(wrap(ctx))
    }

    async fn read_quizzes(&self, ctx: &Context<'_>, of: &Contents) -> Result<()> {
        let quizzes = of.quizzes.get_or_try_init(async || {
            // The version before the quiz: answers to a quiz that changes in between are refused as stale, never taken
            // wrongly.
            let _ = self.content_row(ctx).await;
            let mut read = HashMap::new();
            for pages in of.pages.chunks(LIST_LIMIT) {
                read.extend(quiz::for_learner(kurso(ctx), self.enrollment(), pages).await?);
            }
            Ok(read)
        });
        quizzes.await.map_err(wrap(ctx)).map(|_| ())
    }

    async fn read_attempts(&self, ctx: &Context<'_>, of: &Contents) -> Result<()> {
        let attempts = of.attempts.get_or_try_init(async || {
            let mut read = HashMap::new();
            if let Some(enrollment) = self.enrollment() {
                for pages in of.pages.chunks(LIST_LIMIT) {
                    read.extend(quiz::attempts_of_each(kurso(ctx), enrollment, pages).await?);
                }
            }
            Ok(read)
        });
        attempts.await.map_err(wrap(ctx)).map(|_| ())
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
    async fn content(&self, ctx: &Context<'_>) -> Result<Document> {
        Ok(Document::Stored(self.content_row(ctx).await?.content.clone()))
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
        let of = self.of_its_course();
        self.read_quizzes(ctx, &of).await?;
        let found = of.quizzes.get().and_then(|read| read.get(&self.node().id));
        Ok(found.map(|page| Quiz::from(&page.quiz)))
    }
    /// The quiz as its author writes it, answers included, in the words of docs/quizzes.md. Null for learners, and on content
    /// pages.
    async fn author_quiz(&self, ctx: &Context<'_>) -> Result<Option<Document>> {
        if !self.is_quiz() || !self.is_shown_whole() {
            return Ok(None);
        }
        let found = self.read_author_quizzes(ctx).await?.get(&self.node().id);
        Ok(found.cloned().map(Document::Stored))
    }
    /// The caller's attempts at the quiz, first to last; the last 100 of more.
    async fn attempts(&self, ctx: &Context<'_>) -> Result<Vec<Attempt>> {
        if !self.is_quiz() {
            return Ok(vec![]);
        }
        let of = self.of_its_course();
        self.read_attempts(ctx, &of).await?;
        let made = of.attempts.get().and_then(|read| read.get(&self.node().id));
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
    /// The history: newest first, at most 50 entries; the first is what the page says now. Null for learners.
    #[graphql(complexity = "5 + child_complexity")]
    async fn versions(&self, ctx: &Context<'_>) -> Result<Option<Vec<PageVersion>>> {
        if !self.is_shown_whole() {
            return Ok(None);
        }
        let histories = self
            .contents
            .histories
            .get_or_try_init(async || {
                let mut read = HashMap::with_capacity(self.contents.pages.len());
                for pages in self.contents.pages.chunks(LIST_LIMIT) {
                    read.extend(versions::of_pages(kurso(ctx), pages).await?);
                }
                Ok(read)
            })
            .await
            .map_err(wrap(ctx))?;
        let history = histories.get(&self.node().id).cloned().unwrap_or_default();
        Ok(Some(history.into_iter().map(PageVersion).collect()))
    }
    /// What the page said in one version of its history; NOT_FOUND when that is not kept. Null for learners.
    #[graphql(complexity = "50 + child_complexity")]
    async fn version_text(&self, ctx: &Context<'_>, version: i32) -> Result<Option<PageVersionText>> {
        if !self.is_shown_whole() {
            return Ok(None);
        }
        let text = versions::get(kurso(ctx), viewer(ctx)?, self.node().id, version.into())
            .await
            .map_err(wrap(ctx))?;
        Ok(Some(PageVersionText { version, text }))
    }
    async fn updated_at(&self, ctx: &Context<'_>) -> Result<DateTime> {
        Ok(DateTime(self.content_row(ctx).await?.updated_at))
    }
    async fn lesson(&self) -> Lesson {
        self.in_lesson()
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
