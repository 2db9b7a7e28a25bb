//! The effect of an import on the course it updates.

use async_graphql::{Context, Enum, ID, Object, Result, SimpleObject};
use kurso_core::drafts::{Change, DateChange};
use kurso_core::imports;

use super::regrade::LearnerConsequences;
use super::{DateTime, id_of, int};
use crate::cost;
use crate::error::wrap;

/// Effect of an update on a page.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "kurso_core::drafts::Change")]
pub enum ImportChange {
    /// Unchanged, in the same position.
    #[graphql(name = "STAYS")]
    Unchanged,
    /// Its title, text, questions, publication or lesson changes.
    Changed,
    /// New.
    New,
    /// Deleted, with its visits and attempts.
    #[graphql(name = "GOES")]
    Removed,
}

pub struct ImportChanges(pub imports::Changes);

/// Effect of an update on the pages and learners of its course.
#[Object]
impl ImportChanges {
    /// Number of unchanged pages.
    async fn stays(&self) -> i32 {
        int(self.0.stays)
    }
    /// Number of changed pages.
    async fn changed(&self) -> i32 {
        int(self.0.changed)
    }
    /// Number of new pages.
    async fn new(&self) -> i32 {
        int(self.0.new)
    }
    /// Number of deleted pages.
    async fn goes(&self) -> i32 {
        int(self.0.goes)
    }
    /// Visits of learners that are deleted with these pages.
    async fn visits(&self) -> i32 {
        int(self.0.lost().visits)
    }
    /// Attempts of learners that are deleted with these pages.
    async fn attempts(&self) -> i32 {
        int(self.0.lost().attempts)
    }
    /// Deleted pages, then changed, new and unchanged ones.
    #[graphql(complexity = "cost::list(cost::ALL_PAGES, child_complexity)")]
    async fn pages(&self, ctx: &Context<'_>) -> Result<Vec<ImportPageChange>> {
        let pages = &self.0.pages;
        cost::spend(ctx, pages.len())?;
        let page = |page: &imports::ChangedPage| {
            let change = Change::ALL.into_iter().find(|change| change.name() == page.change);
            let unknown = || wrap(ctx)(kurso_base::error::Error::internal("a change of another version"));
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
    /// Number of pages beyond the first 2000, which are omitted.
    async fn omitted(&self) -> i32 {
        int(self.0.omitted)
    }
    /// Dates of the course and its parts that change, in reading order. Those of new and deleted parts are not listed.
    #[graphql(complexity = "cost::list(cost::ALL_LESSONS, child_complexity)")]
    async fn dates(&self, ctx: &Context<'_>) -> Result<Vec<ImportDateChange>> {
        cost::spend(ctx, self.0.dates.len())?;
        Ok(self.0.dates.iter().map(ImportDateChange::of).collect())
    }
    /// Number of dates beyond the first 500, which are omitted.
    async fn omitted_dates(&self) -> i32 {
        int(self.0.omitted_dates)
    }
    /// Number of learners whose progress or grade changes.
    async fn affected_learners(&self) -> i32 {
        int(self.0.affected())
    }
    /// At most 500 of them, by name.
    #[graphql(complexity = "cost::list(cost::AFFECTED, child_complexity)")]
    async fn learners(&self, ctx: &Context<'_>) -> Result<Vec<LearnerConsequences>> {
        cost::spend(ctx, self.0.learners.len())?;
        let learners = self.0.learners.iter().cloned();
        Ok(learners.map(LearnerConsequences::of_update).collect())
    }
}

/// Kind of a part of a course that has dates.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "kurso_core::drafts::DatedPart")]
pub enum ImportDatedPart {
    /// The course itself.
    Course,
    /// A module.
    Module,
    /// A lesson.
    Lesson,
    /// A page.
    Page,
}

/// Name of a date.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "kurso_core::drafts::DateField")]
pub enum ImportDateField {
    /// When the course opens.
    StartsAt,
    /// When the course closes.
    EndsAt,
    /// The end of enrollment by share code.
    EnrollUntil,
    /// When the part opens.
    AvailableFrom,
    /// When the part closes.
    AvailableUntil,
    /// When the part is due.
    DueAt,
    /// The end of late attempts.
    LateUntil,
}

/// A date that an update changes.
#[derive(SimpleObject)]
pub struct ImportDateChange {
    /// What it is a date of.
    part: ImportDatedPart,
    /// Title after the update. Null for an untitled page: clients show its number in the lesson.
    title: Option<String>,
    /// Number among its siblings, from 1.
    number: i32,
    /// Which date.
    field: ImportDateField,
    /// Null if there is none.
    before: Option<DateTime>,
    /// Null if it is cleared.
    after: Option<DateTime>,
}

impl ImportDateChange {
    fn of(change: &DateChange) -> Self {
        ImportDateChange {
            part: change.part.into(),
            title: change.title.clone(),
            number: int(change.number),
            field: change.field.into(),
            before: change.before.map(DateTime),
            after: change.after.map(DateTime),
        }
    }
}

/// Effect on a page.
#[derive(SimpleObject)]
pub struct ImportPageChange {
    /// ID of the page; null for a new one.
    page_id: Option<ID>,
    /// Effect on the page.
    change: ImportChange,
    /// Title of its module: the current one of a deleted page, the future one of others.
    module: String,
    /// Title of its lesson.
    lesson: String,
    /// Null for an untitled page: clients show its number in the lesson.
    title: Option<String>,
    /// Number in its lesson, from 1.
    number: i32,
    /// Visits of learners to a deleted page; 0 on others.
    visits: i32,
    /// Attempts at the quiz of a deleted page; 0 on others.
    attempts: i32,
}
