use std::collections::HashMap;
use std::sync::Arc;

use async_graphql::{Context, Result};
use kurso_core::courses::page::PageRead;
use kurso_core::courses::page::versions::{self, Version, VersionText};
use kurso_core::courses::team::{self, Member};
use kurso_core::courses::{self, Counts};
use kurso_core::db::LIST_LIMIT;
use kurso_core::ids::{CourseId, EnrollmentId, PageId};
use kurso_core::learning::students::Roster;
use kurso_core::learning::view::{self, CourseView, PageContent};
use kurso_core::quiz::{self, QuizPage};

use super::view::Row;
use crate::context::kurso;
use crate::error::wrap;
use crate::loader::{Loader, Pulse};

type Rows = Vec<(CourseId, Row)>;

/// What belongs to courses and pages and is not read with them: for all that ask for it together. Whether the reader may see
/// it was decided when the courses and the pages' places were found.
pub struct Loaders {
    views: Loader<CourseId, Row, Arc<CourseView>>,
    counts: Loader<CourseId, Row, Counts>,
    rosters: Loader<CourseId, Row, Arc<Roster>>,
    teams: Loader<CourseId, Row, Arc<Vec<Member>>>,
    contents: Loader<PageId, (), Arc<PageContent>>,
    /// As their author writes them.
    author_quizzes: Loader<PageId, (), Arc<str>>,
    /// As the learner of the enrollment in the page's course sees them.
    quizzes: Loader<PageId, Option<EnrollmentId>, Arc<QuizPage>>,
    attempts: Loader<PageId, EnrollmentId, Arc<Vec<quiz::Attempt>>>,
    histories: Loader<PageId, (), Arc<Vec<Version>>>,
    texts: Loader<(PageId, i64), (), Arc<VersionText>>,
}

impl Default for Loaders {
    fn default() -> Self {
        let pulse = Arc::<Pulse>::default();
        Loaders::with(&pulse, Loader::new(&pulse))
    }
}

/// Of courses.
impl Loaders {
    /// Of a course that is none of a list: its view is read at once, which costs nothing when its tree is known.
    pub fn of_one() -> Self {
        let pulse = Arc::<Pulse>::default();
        Loaders::with(&pulse, Loader::for_one(&pulse))
    }

    fn with(pulse: &Arc<Pulse>, views: Loader<CourseId, Row, Arc<CourseView>>) -> Self {
        Loaders {
            views,
            counts: Loader::new(pulse),
            rosters: Loader::new(pulse),
            teams: Loader::new(pulse),
            contents: Loader::new(pulse),
            author_quizzes: Loader::new(pulse),
            quizzes: Loader::new(pulse),
            attempts: Loader::new(pulse),
            histories: Loader::new(pulse),
            texts: Loader::new(pulse),
        }
    }

    pub async fn view(&self, ctx: &Context<'_>, row: &Row) -> Result<Option<Arc<CourseView>>> {
        let read = async |rows: Rows| {
            let views = CourseView::of_all(kurso(ctx), owned(&rows)).await?;
            Ok(by_course(rows, views.into_iter().map(Arc::new)))
        };
        self.views.load(row.id, row.clone(), read).await.map_err(wrap(ctx))
    }

    pub async fn counts(&self, ctx: &Context<'_>, row: Row) -> Result<Counts> {
        let read = async |rows: Rows| {
            let counts = courses::counts(&kurso(ctx).db, &owned(&rows)).await?;
            Ok(by_course(rows, counts))
        };
        let counts = self.counts.load(row.id, row, read).await.map_err(wrap(ctx))?;
        Ok(counts.unwrap_or_default())
    }

    pub async fn roster(&self, ctx: &Context<'_>, row: Row) -> Result<Option<Arc<Roster>>> {
        let read = async |rows: Rows| {
            let rosters = Roster::of_all(kurso(ctx), &owned(&rows)).await?;
            Ok(by_course(rows, rosters.into_iter().map(Arc::new)))
        };
        self.rosters.load(row.id, row, read).await.map_err(wrap(ctx))
    }

    pub async fn team(&self, ctx: &Context<'_>, row: Row) -> Result<Arc<Vec<Member>>> {
        let read = async |rows: Rows| {
            let kurso = kurso(ctx);
            let teams = team::of_all(&kurso.db, &owned(&rows), kurso.clock.now()).await?;
            Ok(by_course(rows, teams.into_iter().map(Arc::new)))
        };
        let team = self.teams.load(row.id, row, read).await.map_err(wrap(ctx))?;
        Ok(team.unwrap_or_default())
    }
}

/// Of pages.
impl Loaders {
    /// What an author has just read or written of a page.
    pub fn know(&self, page: PageRead) {
        let content = PageContent {
            page_id: page.id,
            content: page.content,
            version: page.version,
            updated_at: page.updated_at,
        };
        self.contents.know(page.id, Arc::new(content));
        if let Some(quiz) = page.quiz {
            self.author_quizzes.know(page.id, quiz.into());
        }
    }

    pub async fn content(&self, ctx: &Context<'_>, page: PageId) -> Result<Option<Arc<PageContent>>> {
        let read = async |wanted: Vec<(PageId, ())>| {
            let mut found = HashMap::with_capacity(wanted.len());
            for pages in keys(&wanted).chunks(LIST_LIMIT) {
                let rows = view::contents(kurso(ctx), pages).await?;
                found.extend(rows.into_iter().map(|row| (row.page_id, Arc::new(row))));
            }
            Ok(found)
        };
        self.contents.load(page, (), read).await.map_err(wrap(ctx))
    }

    pub async fn author_quiz(&self, ctx: &Context<'_>, page: PageId) -> Result<Option<Arc<str>>> {
        let read = async |wanted: Vec<(PageId, ())>| {
            let mut found = HashMap::new();
            for pages in keys(&wanted).chunks(LIST_LIMIT) {
                let quizzes = quiz::for_author(&kurso(ctx).db, pages).await?;
                found.extend(quizzes.into_iter().map(|(page, quiz)| (page, quiz.into())));
            }
            Ok(found)
        };
        self.author_quizzes.load(page, (), read).await.map_err(wrap(ctx))
    }

    pub async fn quiz(
        &self,
        ctx: &Context<'_>,
        page: PageId,
        enrollment: Option<EnrollmentId>,
    ) -> Result<Option<Arc<QuizPage>>> {
        let read = async |wanted: Vec<(PageId, Option<EnrollmentId>)>| {
            let mut found = HashMap::new();
            for seen in wanted.chunks(LIST_LIMIT) {
                let quizzes = quiz::for_reader(kurso(ctx), seen).await?;
                found.extend(quizzes.into_iter().map(|(page, quiz)| (page, Arc::new(quiz))));
            }
            Ok(found)
        };
        self.quizzes.load(page, enrollment, read).await.map_err(wrap(ctx))
    }

    pub async fn attempts(
        &self,
        ctx: &Context<'_>,
        page: PageId,
        enrollment: EnrollmentId,
    ) -> Result<Option<Arc<Vec<quiz::Attempt>>>> {
        let read = async |wanted: Vec<(PageId, EnrollmentId)>| {
            let mut found = HashMap::new();
            for taken in wanted.chunks(LIST_LIMIT) {
                let attempts = quiz::attempts_of_each(kurso(ctx), taken).await?;
                found.extend(attempts.into_iter().map(|(page, attempts)| (page, Arc::new(attempts))));
            }
            Ok(found)
        };
        self.attempts.load(page, enrollment, read).await.map_err(wrap(ctx))
    }

    pub async fn history(&self, ctx: &Context<'_>, page: PageId) -> Result<Option<Arc<Vec<Version>>>> {
        let read = async |wanted: Vec<(PageId, ())>| {
            let mut found = HashMap::with_capacity(wanted.len());
            for pages in keys(&wanted).chunks(LIST_LIMIT) {
                let histories = versions::of_pages(kurso(ctx), pages).await?;
                found.extend(histories.into_iter().map(|(page, history)| (page, Arc::new(history))));
            }
            Ok(found)
        };
        self.histories.load(page, (), read).await.map_err(wrap(ctx))
    }

    pub async fn text(&self, ctx: &Context<'_>, page: PageId, version: i64) -> Result<Option<Arc<VersionText>>> {
        let read = async |wanted: Vec<((PageId, i64), ())>| {
            let texts = versions::texts_of(kurso(ctx), &keys(&wanted)).await?;
            Ok(texts.into_iter().map(|(key, text)| (key, Arc::new(text))).collect())
        };
        self.texts.load((page, version), (), read).await.map_err(wrap(ctx))
    }
}

fn owned(rows: &[(CourseId, Row)]) -> Vec<courses::Course> {
    rows.iter().map(|(_, row)| courses::Course::clone(row)).collect()
}

fn keys<K: Copy>(wanted: &[(K, ())]) -> Vec<K> {
    wanted.iter().map(|(key, ())| *key).collect()
}

/// What was read for each row, in their order, by the course.
fn by_course<T>(rows: Rows, read: impl IntoIterator<Item = T>) -> HashMap<CourseId, T> {
    rows.into_iter().map(|(id, _)| id).zip(read).collect()
}
