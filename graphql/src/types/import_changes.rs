//! What an import would do to the course it updates.

use async_graphql::{Context, Enum, ID, Object, Result, SimpleObject};
use kurso_core::exchange::Change;
use kurso_core::imports;

use super::{id_of, int};
use crate::cost;
use crate::error::wrap;

/// What an update makes of a page.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "kurso_core::exchange::Change")]
pub enum ImportChange {
    /// It says what it said, where it was.
    Stays,
    /// Its title, text, questions, publication or lesson is another.
    Changed,
    /// It was not there.
    New,
    /// It goes, with what learners did there.
    Goes,
}

pub struct ImportChanges(pub imports::Changes);

/// What an update would do to the pages of its course.
#[Object]
impl ImportChanges {
    /// How many stay as they are.
    async fn stays(&self) -> i32 {
        int(self.0.stays)
    }
    /// How many change.
    async fn changed(&self) -> i32 {
        int(self.0.changed)
    }
    /// How many are new.
    async fn new(&self) -> i32 {
        int(self.0.new)
    }
    /// How many go.
    async fn goes(&self) -> i32 {
        int(self.0.goes)
    }
    /// Visits of learners to the pages that go, which go along.
    async fn visits(&self) -> i32 {
        int(self.0.lost().visits)
    }
    /// Their attempts at quizzes on those pages.
    async fn attempts(&self) -> i32 {
        int(self.0.lost().attempts)
    }
    /// Those that go, then those that change, those that are new, those that stay.
    #[graphql(complexity = "cost::list(cost::ALL_PAGES, child_complexity)")]
    async fn pages(&self, ctx: &Context<'_>) -> Result<Vec<ImportPageChange>> {
        let pages = &self.0.pages;
        cost::spend(ctx, pages.len())?;
        let page = |page: &imports::ChangedPage| {
            let change = Change::ALL.into_iter().find(|change| change.name() == page.change);
            let unknown = || wrap(ctx)(kurso_core::error::Error::internal("a change of another version"));
            Ok(ImportPageChange {
                page_id: page.page.map(id_of),
                change: change.ok_or_else(unknown)?.into(),
                module: page.module.clone(),
                lesson: page.lesson.clone(),
                title: page.title.clone(),
                number: int(page.number),
                visits: int(page.lost.visits),
                attempts: int(page.lost.attempts),
            })
        };
        pages.iter().map(page).collect()
    }
    /// Pages beyond the first 2000, which are not shown.
    async fn omitted(&self) -> i32 {
        int(self.0.omitted)
    }
}

/// What becomes of a page.
#[derive(SimpleObject)]
pub struct ImportPageChange {
    /// Null for a new one.
    page_id: Option<ID>,
    /// Whether it stays, changes, is new or goes.
    change: ImportChange,
    /// The title of its module: of one that goes as it is, of others as it would be.
    module: String,
    /// The title of its lesson.
    lesson: String,
    /// Null: shown as the page's number in its lesson.
    title: Option<String>,
    /// In its lesson, from 1.
    number: i32,
    /// Of learners, on a page that goes; 0 on others.
    visits: i32,
    /// At the quiz of a page that goes; 0 on others.
    attempts: i32,
}
