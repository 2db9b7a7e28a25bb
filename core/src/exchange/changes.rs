//! What an update would do to a course, page by page, before anything is written.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use uuid::Uuid;

use super::course::{CourseDraft, PageDraft};
use super::load::load_all;
use super::update::{adopt, is_rewritten};
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::courses;
use crate::error::Result;
use crate::ids::{CourseId, PageId};

/// What becomes of a page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// It says what it said, where it was.
    Stays,
    /// Its title, its text, its questions, whether it is published or its lesson is another.
    Changed,
    New,
    /// With what learners did there.
    Goes,
}

impl Change {
    pub const ALL: [Self; 4] = [Self::Stays, Self::Changed, Self::New, Self::Goes];

    pub fn name(self) -> &'static str {
        match self {
            Self::Stays => "stays",
            Self::Changed => "changed",
            Self::New => "new",
            Self::Goes => "goes",
        }
    }
}

/// A page as it would be, or as it is when it goes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PageChange {
    /// As stored; None for a new one.
    pub page: Option<PageId>,
    pub change: Change,
    pub module: String,
    pub lesson: String,
    pub title: Option<String>,
    /// In its lesson, from 1.
    pub number: usize,
}

/// What [`super::update`] would do: the pages of the draft in order, then those that go. The draft gets the ids and the
/// addresses of what it stands for. Owner and editors; `scratch` is a folder for the bytes of the course's files.
pub async fn compare(
    kurso: &Kurso,
    viewer: &Viewer,
    course: CourseId,
    draft: &mut CourseDraft,
    scratch: &Path,
) -> Result<Vec<PageChange>> {
    courses::find(&kurso.db, viewer, course, Right::Edit).await?;
    let loaded = load_all(kurso, course, scratch).await?;
    let known = adopt(draft, &loaded);
    let stored = |file: &super::FileDraft| Some((file.address(), loaded.files.get(&file.key)?.url()));
    let urls: HashMap<String, String> = draft.files.iter().filter_map(stored).collect();
    draft.map_addresses(|address| urls.get(address).cloned());
    // By their titles: a lesson that was written without its key is another, and to its readers the same.
    let before: HashMap<Uuid, Standing<'_>> = places(&loaded.draft)
        .map(|place| (place.page.id, place.standing()))
        .collect();
    let mut changes: Vec<PageChange> = places(draft)
        .map(|place| {
            let page = PageId(place.page.id);
            let change = match loaded.texts.get(&page).filter(|_| known.pages.contains(&place.page.id)) {
                None => Change::New,
                Some(text) => {
                    let same_place = before.get(&place.page.id) == Some(&place.standing());
                    match same_place && !is_rewritten(text, place.page) {
                        true => Change::Stays,
                        false => Change::Changed,
                    }
                }
            };
            place.told(Some(page).filter(|_| change != Change::New), change)
        })
        .collect();
    let stay: &HashSet<Uuid> = &known.pages;
    let gone = places(&loaded.draft).filter(|place| !stay.contains(&place.page.id));
    changes.extend(gone.map(|place| place.told(Some(PageId(place.page.id)), Change::Goes)));
    Ok(changes)
}

/// Module, lesson, and whether learners see it.
type Standing<'a> = (&'a str, &'a str, bool);

struct Place<'a> {
    module: &'a str,
    lesson: &'a str,
    number: usize,
    page: &'a PageDraft,
}

impl<'a> Place<'a> {
    fn standing(&self) -> Standing<'a> {
        (self.module, self.lesson, self.page.published)
    }

    fn told(&self, page: Option<PageId>, change: Change) -> PageChange {
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

fn places(draft: &CourseDraft) -> impl Iterator<Item = Place<'_>> {
    draft.modules.iter().flat_map(|module| {
        module.lessons.iter().flat_map(|lesson| {
            (1..).zip(&lesson.pages).map(|(number, page)| Place {
                module: &module.title,
                lesson: &lesson.title,
                number,
                page,
            })
        })
    })
}
