//! A course as one person sees it: the course, its tree and, for learners, their progress. At most six statements for
//! any size: one for the course with the learner's stored progress, three for the tree and one for its overrides (none if cached), one
//! for progress that is not stored.

use std::ops::Range;
use std::sync::Arc;

use chrono::{DateTime, Utc};

use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::courses::overrides::{Own, Place};
use crate::courses::page::draft;
use crate::courses::timeline::Timeline;
use crate::courses::tree::{LessonNode, ModuleNode, PageNode, Tree};
use crate::courses::{self, Course};
use crate::learning::completion;
use crate::learning::progress::{self, LessonProgress, Marks, Progress, Reason};
use crate::schedule::State;
use kurso_base::error::{Error, Result};
use kurso_base::ids::{CourseId, LessonId, ModuleId, PageId};
use kurso_base::messages::Message;

/// All that a page about one course shows, except the contents of its pages.
#[derive(Clone, Debug)]
pub struct CourseView {
    pub course: Course,
    /// Without the titles that the course hides from the viewer.
    pub tree: Arc<Tree>,
    /// What is overridden for the viewer.
    pub own: Own,
    /// The moment of the view: it decides what is locked.
    pub now: DateTime<Utc>,
    pub marks: Marks,
    pub progress: Progress,
    /// Whether pages with drafts have their text in place of what learners see; only in a preview of those who may edit.
    pub shows_drafts: bool,
    /// Whether staff see the course as a learner does.
    pub is_preview: bool,
    /// With all titles.
    stored: Arc<Tree>,
}

impl CourseView {
    /// Fails with 404 without a relation to the course, with 403 without `right`.
    pub async fn load(kurso: &Kurso, viewer: &Viewer, id: CourseId, right: Right) -> Result<Self> {
        let course = courses::find(&kurso.db, viewer, id, right).await?;
        Self::of(kurso, course).await
    }

    /// The view for the holder of a token, in one statement if the tree is cached. None if an error or a less common
    /// case applies: then call `auth::authenticate` and [`Self::load`].
    pub async fn load_by_token(kurso: &Kurso, token: &str, id: CourseId) -> Result<Option<Self>> {
        match courses::find_by_token(kurso, token, id).await {
            Some(course) => Self::of(kurso, course).await.map(Some),
            None => Ok(None),
        }
    }

    /// As [`Self::load_by_token`], for the course of a page; also returns the page's index in the tree.
    pub async fn load_by_token_and_page(kurso: &Kurso, token: &str, page: PageId) -> Result<Option<(Self, usize)>> {
        let Some(course) = courses::find_by_token_and_page(kurso, token, page).await else {
            return Ok(None);
        };
        let view = Self::of(kurso, course).await?;
        let place = view.tree.place(page).filter(|place| view.shows(*place));
        Ok(place.map(|place| (view, place)))
    }

    /// The view of a page's course and the page's index in the tree. Fails with 404 if the viewer may not see the page.
    pub async fn load_by_page(kurso: &Kurso, viewer: &Viewer, page: PageId, right: Right) -> Result<(Self, usize)> {
        let course = courses::find(&kurso.db, viewer, page, right).await?;
        let view = Self::of(kurso, course).await?;
        let place = view
            .tree
            .place(page)
            .filter(|p| view.shows(*p))
            .ok_or(Error::NotFound(Message::PageNotFound))?;
        Ok((view, place))
    }

    /// As [`Self::load_by_page`], with the drafts of pages in place of what learners see of them. Fails with 403 without the right to read drafts.
    pub async fn load_by_drafted_page(kurso: &Kurso, viewer: &Viewer, page: PageId) -> Result<(Self, usize)> {
        let (view, place) = Self::load_by_page(kurso, viewer, page, Right::ReadDrafts).await?;
        Ok((view.with_drafts(kurso).await?, place))
    }

    /// The view of a module's course and the module's index in the tree.
    pub async fn load_by_module(
        kurso: &Kurso,
        viewer: &Viewer,
        module: ModuleId,
        right: Right,
    ) -> Result<(Self, usize)> {
        let course = courses::find(&kurso.db, viewer, module, right).await?;
        let view = Self::of(kurso, course).await?;
        let place = view.tree.modules.iter().position(|node| node.id == module);
        place
            .map(|place| (view, place))
            .ok_or(Error::NotFound(Message::ModuleNotFound))
    }

    /// The view of a lesson's course and the lesson's index in the tree.
    pub async fn load_by_lesson(
        kurso: &Kurso,
        viewer: &Viewer,
        lesson: LessonId,
        right: Right,
    ) -> Result<(Self, usize)> {
        let course = courses::find(&kurso.db, viewer, lesson, right).await?;
        let view = Self::of(kurso, course).await?;
        let place = view.tree.lessons.iter().position(|node| node.id == lesson);
        place
            .map(|place| (view, place))
            .ok_or(Error::NotFound(Message::LessonNotFound))
    }

    /// The view of a course already read.
    pub async fn of(kurso: &Kurso, course: Course) -> Result<Self> {
        let mut views = Self::of_all(kurso, vec![course]).await?;
        views.pop().ok_or(Error::NotFound(Message::CourseNotFound))
    }

    /// The view of a course already read at any moment. Records nothing.
    pub async fn read(kurso: &Kurso, course: Course, now: DateTime<Utc>) -> Result<Self> {
        let trees = kurso.trees.of(&kurso.db, std::slice::from_ref(&course)).await?;
        let pairs = std::iter::once(course).zip(trees).collect();
        let mut views = Self::read_all(kurso, pairs, now).await?;
        views.pop().ok_or(Error::NotFound(Message::CourseNotFound))
    }

    /// As [`Self::read`], for many courses, in the order given. At most five statements.
    pub async fn read_many(kurso: &Kurso, courses: Vec<Course>, now: DateTime<Utc>) -> Result<Vec<Self>> {
        let trees = kurso.trees.of(&kurso.db, &courses).await?;
        Self::read_all(kurso, courses.into_iter().zip(trees).collect(), now).await
    }

    /// The view with the drafts of pages in place of what learners see of them. The caller has checked that the viewer reads drafts. One statement.
    pub async fn with_drafts(mut self, kurso: &Kurso) -> Result<Self> {
        self.stored = draft::tree_with_drafts(kurso, self.course.id, &self.stored).await?;
        self.shows_drafts = true;
        self.show_titles();
        Ok(self)
    }

    /// The views of many courses, in the order given. At most five statements, and one per newly completed course.
    pub async fn of_all(kurso: &Kurso, courses: Vec<Course>) -> Result<Vec<Self>> {
        let trees = kurso.trees.of(&kurso.db, &courses).await?;
        Self::of_trees(kurso, courses.into_iter().zip(trees).collect()).await
    }

    /// The views of courses whose trees are read already. At most one statement, and one per newly completed course.
    pub async fn of_trees(kurso: &Kurso, courses: Vec<(Course, Arc<Tree>)>) -> Result<Vec<Self>> {
        let mut views = Self::read_all(kurso, courses, kurso.clock.now()).await?;
        completion::record_completions(kurso, &mut views).await?;
        Ok(views)
    }

    async fn read_all(kurso: &Kurso, courses: Vec<(Course, Arc<Tree>)>, now: DateTime<Utc>) -> Result<Vec<Self>> {
        let not_kept = |course: &Course| Some(course.enrollment.as_ref().filter(|e| e.kept.is_none())?.id);
        let enrolled: Vec<_> = courses
            .iter()
            .filter_map(|(course, tree)| Some((not_kept(course)?, tree.as_ref())))
            .collect();
        let mut read = progress::read::marks(&kurso.db, &enrolled).await?.into_iter();
        Ok(courses
            .into_iter()
            .map(|(course, tree)| {
                let kept = course.enrollment.as_ref().and_then(|e| e.kept.as_ref());
                let marks = match kept {
                    Some(kept) => Some(kept.marks(&tree)),
                    None => not_kept(&course).and_then(|_| read.next()),
                };
                let marks = marks.unwrap_or_else(|| Marks::none(&tree));
                let completed_at = course.enrollment.as_ref().and_then(|e| e.completed_at);
                let progress = progress::derive(&tree, &marks, completed_at);
                let mut view = CourseView {
                    own: Own::of(&course, &tree),
                    course,
                    tree: tree.clone(),
                    now,
                    marks,
                    progress,
                    shows_drafts: false,
                    is_preview: false,
                    stored: tree,
                };
                view.show_titles();
                view
            })
            .collect())
    }

    /// Whether the viewer sees the page at this index; learners see only published pages.
    pub fn shows(&self, place: usize) -> bool {
        self.course.role.is_staff() || self.page(place).published
    }

    /// What is open for the viewer at the moment of the view.
    pub fn timeline(&self) -> Timeline<'_> {
        self.timeline_at(self.now)
    }

    /// What is open for the viewer at another moment.
    pub fn timeline_at(&self, now: DateTime<Utc>) -> Timeline<'_> {
        Timeline::of(&self.course, &self.tree, &self.own, &self.progress.lessons, now)
    }

    /// Hides the titles of what is locked for the viewer, and no others. Progress may open more.
    pub(super) fn show_titles(&mut self) {
        let all = Timeline::of(&self.course, &self.stored, &self.own, &self.progress.lessons, self.now);
        self.tree = all.shown(&self.stored);
    }

    /// Fails with [`Error::Locked`] if the contents of the page at this index are withheld from the viewer. Whatever returns
    /// contents of pages to learners calls this first.
    pub fn require_readable(&self, place: usize) -> Result<()> {
        self.timeline().page(place).require_readable()
    }

    /// The tree with all titles.
    pub(crate) fn stored(&self) -> &Arc<Tree> {
        &self.stored
    }

    /// Whether the tree has fewer titles than the course.
    pub fn hides_titles(&self) -> bool {
        self.timeline().hides_titles()
    }

    pub fn module(&self, place: usize) -> &ModuleNode {
        self.tree.module(place)
    }

    pub fn lesson(&self, place: usize) -> &LessonNode {
        self.tree.lesson(place)
    }

    pub fn page(&self, place: usize) -> &PageNode {
        self.tree.page(place)
    }

    /// The indexes of a lesson's pages that the viewer sees, in order.
    pub fn pages_of(&self, lesson: &LessonNode) -> impl Iterator<Item = usize> + '_ {
        self.shown(lesson.pages.clone())
    }

    /// The page's number in its lesson, from 1, counting pages the viewer sees; shown as 'Страница {n}'.
    pub fn number(&self, place: usize) -> usize {
        let lesson = self.lesson(self.page(place).lesson);
        self.pages_of(lesson).take_while(|p| *p < place).count() + 1
    }

    /// The previous page in reading order, across lessons and modules.
    pub fn previous(&self, place: usize) -> Option<usize> {
        (0..place).rev().find(|p| self.shows(*p))
    }

    /// The next page in reading order, across lessons and modules.
    pub fn next(&self, place: usize) -> Option<usize> {
        self.shown(place.saturating_add(1)..self.tree.pages.len()).next()
    }

    /// The page to which "Продолжить" leads. Pages are searched from the last one to the end and then from the start: from the page opened last,
    /// or from the one visited or submitted last if that was later. Work that was
    /// returned for revision comes first, then the first page that is not done. A quiz or an assignment that takes no attempts or waits for a grade comes
    /// after all others, and a locked page last. None if all pages are done.
    pub fn next_to_do(&self) -> Option<usize> {
        let last = self.course.enrollment.as_ref().and_then(|own| {
            let opened = own.place.as_ref().filter(|place| place.at >= own.last_activity_at);
            opened.map(|place| place.page).or(own.last_page)
        });
        let from = last.and_then(|page| self.tree.place(page)).unwrap_or(0);
        let tried = self.marks.tried.iter();
        let returned = tried.filter(|(place, tried)| tried.is_returned && self.todo(**place) == Todo::Ready);
        let first_returned = returned
            .map(|(place, _)| *place)
            .min_by_key(|place| (*place < from, *place));
        if first_returned.is_some() {
            return first_returned;
        }
        let (mut stuck, mut locked) = (None, None);
        for place in (from..self.tree.pages.len()).chain(0..from) {
            match self.todo(place) {
                Todo::Nothing => {}
                Todo::Ready => return Some(place),
                Todo::Stuck => stuck = stuck.or(Some(place)),
                Todo::Locked => locked = locked.or(Some(place)),
            }
        }
        stuck.or(locked)
    }

    fn todo(&self, place: usize) -> Todo {
        if !self.page(place).published || self.marks.is_done(&self.tree, place) {
            return Todo::Nothing;
        }
        let state = self.timeline().page(place).state;
        let is_closed = state == State::Closed && self.page(place).kind.takes_attempts();
        let tried = self.marks.tried.get(&place);
        let waits = tried.is_some_and(|tried| tried.is_waiting && !tried.is_returned);
        match state {
            State::Locked => Todo::Locked,
            State::Open | State::Closed if is_closed || waits || self.attempts_left(place) == Some(0) => Todo::Stuck,
            State::Open | State::Closed => Todo::Ready,
        }
    }

    /// Why the page at this index is not done; None if it is, or does not count.
    pub fn reason(&self, place: usize) -> Option<Reason> {
        let reason = self.marks.reason(&self.tree, place, self.max_attempts(place))?;
        let timing = self.timeline().page(place);
        Some(match timing.state {
            State::Locked => Reason::Locked {
                opens_at: timing.will_open_at(),
                needs: timing.needs,
            },
            State::Open | State::Closed => reason,
        })
    }

    /// The attempt limit of the quiz at this index for the viewer; None without a limit or without a quiz.
    pub fn max_attempts(&self, place: usize) -> Option<i64> {
        self.own.at(Place::Page(place)).attempts(self.page(place).max_attempts)
    }

    /// The remaining attempts at the quiz at this index; None without a limit or without a quiz.
    pub fn attempts_left(&self, place: usize) -> Option<i64> {
        self.marks.attempts_left(place, self.max_attempts(place))
    }

    /// The best result of the quiz at this index; None without an attempt or without a quiz.
    pub fn best_percent(&self, place: usize) -> Option<i64> {
        self.marks.tried.get(&place).map(|tried| tried.best_percent)
    }

    /// The progress of the lesson at this index.
    pub fn lesson_progress(&self, place: usize) -> LessonProgress {
        self.progress.lesson(place)
    }

    /// The pages of a lesson that count and are not done, in order, with the reasons.
    pub fn unfinished<'a>(&'a self, lesson: &LessonNode) -> impl Iterator<Item = (usize, Reason)> + use<'a> {
        let places = lesson.pages.clone();
        places.filter_map(|place| Some((place, self.reason(place)?)))
    }

    pub fn is_lesson_completed(&self, place: usize) -> bool {
        self.progress.lesson(place).is_completed()
    }

    /// The numbers of modules, lessons and pages that the viewer sees.
    pub fn sizes(&self) -> (usize, usize, usize) {
        let pages = self.shown(0..self.tree.pages.len()).count();
        (self.tree.modules.len(), self.tree.lessons.len(), pages)
    }

    fn shown(&self, places: Range<usize>) -> impl Iterator<Item = usize> + '_ {
        places.filter(|p| self.shows(*p))
    }
}

/// Whether a learner can complete a page now.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Todo {
    /// The page is done or does not count.
    Nothing,
    Ready,
    /// The quiz or assignment is closed, waits for a grade, or has no attempts left.
    Stuck,
    Locked,
}

/// The content of a page.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct PageContent {
    pub page_id: PageId,
    /// The document as JSON text, as validated and stored.
    pub content: String,
    pub version: i64,
    pub updated_at: DateTime<Utc>,
}

/// The contents of pages, in no particular order; at most [`kurso_db::LIST_LIMIT`] pages. One statement. Does not
/// check access: the caller has found the pages in a view, which says whether it shows `drafts`.
pub async fn contents(kurso: &Kurso, pages: &[PageId], drafts: bool) -> Result<Vec<PageContent>> {
    let contents = match drafts {
        false => kurso_db::sql!(
            "SELECT c.page_id, c.content, p.version, p.updated_at
             FROM page_contents c JOIN pages p ON p.id = c.page_id WHERE c.page_id IN "
        ),
        true => kurso_db::sql!(
            "SELECT c.page_id, COALESCE(d.content, c.content) AS content, COALESCE(d.version, p.version) AS version,
             COALESCE(d.saved_at, p.updated_at) AS updated_at
             FROM page_contents c JOIN pages p ON p.id = c.page_id LEFT JOIN page_drafts d ON d.page_id = p.id WHERE c.page_id IN "
        ),
    };
    Ok(contents.push_in(pages.iter().copied()).fetch_all(&kurso.db).await?)
}

/// As [`contents`], of one page. Fails with 404 if it is deleted.
pub async fn content(kurso: &Kurso, page: PageId, drafts: bool) -> Result<PageContent> {
    let found = contents(kurso, &[page], drafts).await?.pop();
    found.ok_or(Error::NotFound(Message::PageNotFound))
}
