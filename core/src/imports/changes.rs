//! What an import would do to the course it updates: what its preview shows, and what of learners' work would go along.

use std::collections::{HashMap, HashSet};

use serde::{Deserialize, Serialize};

use crate::Kurso;
use crate::error::Result;
use crate::exchange::{Change, PageChange};
use crate::ids::{CourseId, PageId};
use crate::sql;

/// Pages that are shown: those that go first.
const MOST: usize = 2_000;
/// Pages of one question for what learners did there.
const ROWS: usize = 500;

/// As it is kept from the reading on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Changes {
    /// The course that was compared.
    pub course: CourseId,
    /// How many pages there are of each kind.
    pub stays: i64,
    pub changed: i64,
    pub new: i64,
    pub goes: i64,
    /// Those that go, then those that are changed, those that are new, those that stay.
    pub pages: Vec<ChangedPage>,
    /// Pages beyond those.
    pub omitted: i64,
    /// All that go, and what learners did there: no other page may go when it is stored.
    going: Vec<Going>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangedPage {
    pub page: Option<PageId>,
    /// `stays`, `changed`, `new` or `goes`.
    pub change: String,
    pub module: String,
    pub lesson: String,
    pub title: Option<String>,
    /// In its lesson, from 1.
    pub number: i64,
    /// Of a page that goes; 0 of all others.
    #[serde(skip)]
    pub lost: Lost,
}

/// What learners did on pages that go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lost {
    /// Learners who were there.
    pub visits: i64,
    pub attempts: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Going {
    page: PageId,
    /// When it was compared: what is said when the page is gone.
    lost: Lost,
}

impl Changes {
    pub(super) async fn of(kurso: &Kurso, course: CourseId, found: Vec<PageChange>) -> Result<Self> {
        let count =
            |change| i64::try_from(found.iter().filter(|page| page.change == change).count()).unwrap_or(i64::MAX);
        let [stays, changed, new, goes] = Change::ALL.map(count);
        let gone = found.iter().filter(|page| page.change == Change::Goes);
        let gone: Vec<PageId> = gone.filter_map(|page| page.page).collect();
        let lost = done_on(kurso, &gone).await?;
        let omitted = i64::try_from(found.len().saturating_sub(MOST)).unwrap_or(i64::MAX);
        let mut found = found;
        found.sort_by_key(|page| match page.change {
            Change::Goes => 0,
            Change::Changed => 1,
            Change::New => 2,
            Change::Stays => 3,
        });
        found.truncate(MOST);
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
            going: gone
                .into_iter()
                .map(|page| Going {
                    page,
                    lost: lost_on(page),
                })
                .collect(),
        })
    }

    /// The pages that were shown to go, all of them.
    pub(super) fn going(&self) -> HashSet<PageId> {
        self.going.iter().map(|going| going.page).collect()
    }

    /// What learners did by now on pages that go; what they had done on one that has gone. A statement for every 500.
    pub(super) async fn counted(mut self, kurso: &Kurso) -> Result<Self> {
        let pages: Vec<PageId> = self.going.iter().map(|going| going.page).collect();
        let lost = done_on(kurso, &pages).await?;
        for going in &mut self.going {
            going.lost = lost.get(&going.page).copied().unwrap_or(going.lost);
        }
        let lost: HashMap<PageId, Lost> = self.going.iter().map(|going| (going.page, going.lost)).collect();
        for page in &mut self.pages {
            page.lost = page.page.and_then(|page| lost.get(&page)).copied().unwrap_or_default();
        }
        Ok(self)
    }

    /// All that learners would lose.
    pub fn lost(&self) -> Lost {
        let all = self.going.iter().map(|going| going.lost);
        all.fold(Lost::default(), |sum, lost| Lost {
            visits: sum.visits.saturating_add(lost.visits),
            attempts: sum.attempts.saturating_add(lost.attempts),
        })
    }
}

/// What learners did on those of the pages that are there.
async fn done_on(kurso: &Kurso, pages: &[PageId]) -> Result<HashMap<PageId, Lost>> {
    let mut done = HashMap::new();
    for some in pages.chunks(ROWS) {
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
