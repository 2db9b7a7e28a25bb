//! The effect of an import that updates a course, as shown in its preview, including the learner data that would be
//! deleted.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::courses;
use crate::drafts::{self, Change, Comparison, DateChange};
use crate::regrades::{LearnerConsequences, OutlineChanges};
use kurso_base::error::{Error, Result};
use kurso_base::ids::{CourseId, PageId};
use kurso_db::sql;
use kurso_formats::CourseDraft;

/// Maximum number of dates listed.
const MAX_DATES: usize = 500;
/// Maximum number of pages listed; deleted pages come first.
const MAX_LISTED: usize = 2_000;
/// Pages per statement when counting learner data.
const CHUNK: usize = 500;

/// Stored with the import when its file was read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Changes {
    /// The course that was compared.
    pub course: CourseId,
    /// The number of pages by change.
    pub stays: i64,
    pub changed: i64,
    pub new: i64,
    pub goes: i64,
    /// Ordered by change: deleted, changed, new, unchanged.
    pub pages: Vec<ChangedPage>,
    /// Pages not listed.
    pub omitted: i64,
    /// The dates that differ, in reading order.
    #[serde(default)]
    pub dates: Vec<DateChange>,
    /// Dates not listed.
    #[serde(default)]
    pub omitted_dates: i64,
    /// The learners whose progress or grade would change.
    #[serde(default)]
    outlines: OutlineChanges,
    /// Those who are still learners of the course, at most 500, ordered by name. Read with the preview.
    #[serde(skip)]
    pub learners: Vec<LearnerConsequences>,
    /// All pages to be deleted, with their learner data. No other page may be deleted when the import is stored.
    going: Vec<DeletedPage>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangedPage {
    pub page: Option<PageId>,
    /// `stays`, `changed`, `new` or `goes`.
    pub change: String,
    pub module: String,
    pub lesson: String,
    pub title: Option<String>,
    /// Position in its lesson, from 1.
    pub number: i64,
    /// Learner data of a page to be deleted; 0 for all others.
    #[serde(skip)]
    pub lost: Lost,
}

/// Learner data on pages to be deleted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lost {
    /// Learners who visited them.
    pub visits: i64,
    pub attempts: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct DeletedPage {
    page: PageId,
    /// Counted at the comparison; shown if the page has been deleted since.
    lost: Lost,
}

/// Predicts what an update of a course by a draft would change. Writes nothing. The draft receives the ids and addresses of the stored course. Requires edit
/// rights; `scratch` receives copies of files whose hash is not stored.
pub async fn preview_update(
    kurso: &Kurso,
    viewer: &Viewer,
    course: CourseId,
    draft: &mut CourseDraft,
    scratch: &Path,
) -> Result<Changes> {
    let changes = compared(kurso, viewer, course, draft, scratch).await?;
    changes.with_current_data(kurso, viewer).await
}

/// As [`preview_update`], but without the names of learners. An import stores this result.
pub(super) async fn compared(
    kurso: &Kurso,
    viewer: &Viewer,
    course: CourseId,
    draft: &mut CourseDraft,
    scratch: &Path,
) -> Result<Changes> {
    let found = drafts::compare(kurso, viewer, course, draft, scratch).await?;
    Changes::of(kurso, course, found).await
}

impl Changes {
    async fn of(kurso: &Kurso, course: CourseId, found: Comparison) -> Result<Self> {
        let Comparison {
            pages: found,
            mut dates,
            learners,
        } = found;
        let omitted_dates = i64::try_from(dates.len().saturating_sub(MAX_DATES)).unwrap_or(i64::MAX);
        dates.truncate(MAX_DATES);
        let count =
            |change| i64::try_from(found.iter().filter(|page| page.change == change).count()).unwrap_or(i64::MAX);
        let [stays, changed, new, goes] = Change::ALL.map(count);
        let gone = found.iter().filter(|page| page.change == Change::Removed);
        let gone: Vec<PageId> = gone.filter_map(|page| page.page).collect();
        let lost = learner_data_on(kurso, &gone).await?;
        let omitted = i64::try_from(found.len().saturating_sub(MAX_LISTED)).unwrap_or(i64::MAX);
        let mut found = found;
        found.sort_by_key(|page| match page.change {
            Change::Removed => 0,
            Change::Changed => 1,
            Change::New => 2,
            Change::Unchanged => 3,
        });
        found.truncate(MAX_LISTED);
        let shown = found.into_iter().map(|page| ChangedPage {
            page: page.page,
            change: page.change.name().to_owned(),
            module: page.module,
            lesson: page.lesson,
            title: page.title,
            number: i64::try_from(page.number).unwrap_or(i64::MAX),
            lost: Lost::default(),
        });
        let lost_on = |page: PageId| lost.get(&page).copied().unwrap_or_default();
        Ok(Changes {
            course,
            stays,
            changed,
            new,
            goes,
            pages: shown.collect(),
            omitted,
            dates,
            omitted_dates,
            outlines: learners,
            learners: vec![],
            going: gone
                .into_iter()
                .map(|page| DeletedPage {
                    page,
                    lost: lost_on(page),
                })
                .collect(),
        })
    }

    /// All pages that the preview showed as deleted.
    pub(super) fn going(&self) -> HashSet<PageId> {
        self.going.iter().map(|going| going.page).collect()
    }

    /// The number of learners whose progress or grade would change.
    pub fn affected(&self) -> usize {
        self.outlines.affected
    }

    /// Updates the counts of learner data on pages to be deleted; keeps the last count of pages deleted since. Adds the names of learners unless
    /// the viewer may no longer edit the course. One statement per 500 pages, one for the rights, and one for the names.
    pub(super) async fn with_current_data(mut self, kurso: &Kurso, viewer: &Viewer) -> Result<Self> {
        self.learners = match courses::find(&kurso.db, viewer, self.course, Right::Edit).await {
            Ok(_) => self.outlines.named(kurso).await?,
            Err(Error::Forbidden(_) | Error::NotFound(_)) => vec![],
            Err(error) => return Err(error),
        };
        let pages: Vec<PageId> = self.going.iter().map(|going| going.page).collect();
        let lost = learner_data_on(kurso, &pages).await?;
        for going in &mut self.going {
            going.lost = lost.get(&going.page).copied().unwrap_or(going.lost);
        }
        let lost: HashMap<PageId, Lost> = self.going.iter().map(|going| (going.page, going.lost)).collect();
        for page in &mut self.pages {
            page.lost = page.page.and_then(|page| lost.get(&page)).copied().unwrap_or_default();
        }
        Ok(self)
    }

    /// The sum of all learner data that would be deleted.
    pub fn lost(&self) -> Lost {
        let all = self.going.iter().map(|going| going.lost);
        all.fold(Lost::default(), |sum, lost| Lost {
            visits: sum.visits.saturating_add(lost.visits),
            attempts: sum.attempts.saturating_add(lost.attempts),
        })
    }
}

/// Learner data on those of the pages that exist.
async fn learner_data_on(kurso: &Kurso, pages: &[PageId]) -> Result<HashMap<PageId, Lost>> {
    let mut done = HashMap::new();
    for some in pages.chunks(CHUNK) {
        let rows = sql!(
            "SELECT p.id, (SELECT COUNT(*) FROM visits v WHERE v.page_id = p.id),
                 (SELECT COUNT(*) FROM attempts a WHERE a.page_id = p.id) FROM pages p WHERE p.id IN "
        )
        .push_in(some.iter().copied());
        for (page, visits, attempts) in rows.fetch_all::<(PageId, i64, i64)>(&kurso.db).await? {
            done.insert(page, Lost { visits, attempts });
        }
    }
    Ok(done)
}
