//! Computes what an update would change in a course, page by page, without writing anything.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use uuid::Uuid;

use super::banks;
use super::date_changes::{self, DateChange};
use super::load::load_stored;
use super::update::{assign_stored_ids, is_rewritten};
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::courses;
use crate::regrades::{self, OutlineChanges};
use kurso_base::error::Result;
use kurso_base::ids::{CourseId, PageId};
use kurso_base::schedule::{Dates, Late};
use kurso_formats::{CourseDraft, FileDraft, PageDraft, Report};

/// What happens to a page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// Same content, same position.
    Unchanged,
    /// Its title, text, questions, publication, own dates or lesson differ.
    Changed,
    New,
    /// Removed, including the learners' attempts.
    Removed,
}

impl Change {
    pub const ALL: [Self; 4] = [Self::Unchanged, Self::Changed, Self::New, Self::Removed];

    pub fn name(self) -> &'static str {
        match self {
            Self::Unchanged => "stays",
            Self::Changed => "changed",
            Self::New => "new",
            Self::Removed => "goes",
        }
    }
}

/// A page after the update, or before it if it is removed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PageChange {
    /// The stored page; `None` for a new one.
    pub page: Option<PageId>,
    pub change: Change,
    pub module: String,
    pub lesson: String,
    pub title: Option<String>,
    /// Position within the lesson, starting at 1.
    pub number: usize,
}

/// The effect of an update.
#[derive(Debug)]
pub(crate) struct Comparison {
    /// The pages of the draft in order, then the removed ones.
    pub pages: Vec<PageChange>,
    pub dates: Vec<DateChange>,
    /// The learners whose progress or grade changes.
    pub learners: OutlineChanges,
}

/// Computes the effect of [`super::update`]. The draft
/// receives the ids and addresses of the stored course. Requires edit rights; `scratch` receives copies of files
/// whose hash is not stored.
pub(crate) async fn compare(
    kurso: &Kurso,
    viewer: &Viewer,
    course: CourseId,
    draft: &mut CourseDraft,
    scratch: &Path,
) -> Result<Comparison> {
    let found = courses::find(&kurso.db, viewer, course, Right::Edit).await?;
    let loaded = load_stored(kurso, course, scratch).await?;
    let known = assign_stored_ids(draft, &loaded);
    // The report is dropped: storing the update reports the same changes again.
    banks::settle(
        &kurso.db,
        viewer.id(),
        draft,
        Some(&loaded.draft),
        &mut Report::default(),
    )
    .await?;
    let dates = date_changes::between(&loaded.draft, draft);
    let stored = |file: &FileDraft| Some((file.address(), loaded.files.get(&file.key)?.url()));
    let urls: HashMap<String, String> = draft.files.iter().filter_map(stored).collect();
    draft.map_addresses(|address| urls.get(address).cloned());
    // By title: a lesson without its key has a new id but looks the same to learners.
    let before: HashMap<Uuid, Location<'_>> = places(&loaded.draft)
        .map(|place| (place.page.id, place.location()))
        .collect();
    let mut changes: Vec<PageChange> = places(draft)
        .map(|place| {
            let page = PageId(place.page.id);
            let change = match loaded.texts.get(&page).filter(|_| known.pages.contains(&place.page.id)) {
                None => Change::New,
                Some(text) => {
                    let same_place = before.get(&place.page.id) == Some(&place.location());
                    if same_place && !is_rewritten(text, place.page) {
                        Change::Unchanged
                    } else {
                        Change::Changed
                    }
                }
            };
            place.to_change(Some(page).filter(|_| change != Change::New), change)
        })
        .collect();
    let stay: &HashSet<Uuid> = &known.pages;
    let gone = places(&loaded.draft).filter(|place| !stay.contains(&place.page.id));
    changes.extend(gone.map(|place| place.to_change(Some(PageId(place.page.id)), Change::Removed)));
    let learners = regrades::of_update(kurso, &found, draft).await?;
    Ok(Comparison {
        pages: changes,
        dates,
        learners,
    })
}

/// Module, lesson, whether the page is published, and its own dates.
type Location<'a> = (&'a str, &'a str, bool, Dates, Late);

struct PagePosition<'a> {
    module: &'a str,
    lesson: &'a str,
    number: usize,
    page: &'a PageDraft,
}

impl<'a> PagePosition<'a> {
    fn location(&self) -> Location<'a> {
        (
            self.module,
            self.lesson,
            self.page.published,
            self.page.dates,
            self.page.late,
        )
    }

    fn to_change(&self, page: Option<PageId>, change: Change) -> PageChange {
        PageChange {
            page,
            change,
            module: self.module.to_owned(),
            lesson: self.lesson.to_owned(),
            title: self.page.title.clone(),
            number: self.number,
        }
    }
}

fn places(draft: &CourseDraft) -> impl Iterator<Item = PagePosition<'_>> {
    draft.modules.iter().flat_map(|module| {
        module.lessons.iter().flat_map(|lesson| {
            (1..).zip(&lesson.pages).map(|(number, page)| PagePosition {
                module: &module.title,
                lesson: &lesson.title,
                number,
                page,
            })
        })
    })
}
