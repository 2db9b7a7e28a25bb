//! What a person may find: the pages that they may read now, and the questions of their banks.

use std::collections::HashMap;

use kurso_base::error::Result;
use kurso_base::ids::{BankId, BankQuestionId, CourseId, PageId};
use kurso_db::search::Place;
use uuid::Uuid;

use super::texts::MatchedTexts;
use super::{ContentMatch, Matched};
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::banks::{self, Bank};
use crate::courses::{self, Course};
use crate::learning::view::CourseView;

/// A page or bank question. The order is that of equal matches: pages in the order of the courses and in reading order, then questions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Key {
    /// The indexes of the course in the reach and of the page in its tree.
    Page {
        course: usize,
        place: usize,
    },
    Question(Uuid),
}

/// The published text of a page with its prompts, its draft, or a bank question. The published text comes before the draft.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Version {
    pub key: Key,
    is_draft: bool,
}

/// The courses and banks that are searched.
pub(super) struct Scope {
    courses: Vec<Course>,
    banks: Vec<Bank>,
}

/// A scope with the pages of its courses.
pub(super) struct Reach {
    views: Vec<CourseView>,
    banks: Vec<Bank>,
}

impl Scope {
    /// One course, or all that the viewer teaches or learns and all banks. At most two statements.
    pub async fn of(kurso: &Kurso, viewer: &Viewer, course: Option<CourseId>) -> Result<Self> {
        let (courses, banks) = match course {
            Some(id) => (
                vec![courses::find(&kurso.db, viewer, id, Right::Read).await?],
                Vec::new(),
            ),
            None => (
                courses::in_reach(&kurso.db, viewer).await?,
                banks::list(kurso, viewer).await?,
            ),
        };
        Ok(Scope { courses, banks })
    }

    pub fn course_ids(&self) -> Vec<CourseId> {
        self.courses.iter().map(|course| course.id).collect()
    }

    pub fn bank_ids(&self) -> Vec<BankId> {
        self.banks.iter().map(|bank| bank.id).collect()
    }
}

impl Reach {
    /// At most five statements.
    pub async fn of(kurso: &Kurso, Scope { courses, banks }: Scope) -> Result<Self> {
        let views = CourseView::of_all(kurso, courses).await?;
        Ok(Reach { views, banks })
    }

    pub fn places(&self) -> Places<'_> {
        Places {
            reach: self,
            pages: HashMap::new(),
        }
    }

    pub fn view(&self, course: usize) -> Option<&CourseView> {
        self.views.get(course)
    }

    pub fn page_id(&self, key: Key) -> Option<PageId> {
        match key {
            Key::Page { course, place } => Some(self.view(course)?.page(place).id),
            Key::Question(_) => None,
        }
    }

    /// Whether the viewer may read prompts that learners see only during an attempt.
    pub fn reads_gated(&self, course: usize) -> bool {
        self.view(course).is_some_and(|view| view.course.role.is_staff())
    }

    /// Whether the viewer may read unpublished changes.
    pub fn reads_drafts(&self, course: usize) -> bool {
        self.view(course)
            .is_some_and(|view| view.course.role.may(Right::ReadDrafts))
    }

    pub fn title(&self, key: Key) -> Option<&str> {
        match key {
            Key::Page { course, place } => self.view(course)?.page(place).title.as_deref(),
            Key::Question(_) => None,
        }
    }

    /// The match to show. None for a bank question that was deleted meanwhile.
    pub fn shown(&self, key: Key, texts: &MatchedTexts) -> Option<ContentMatch> {
        let what = match key {
            Key::Page { course, place } => {
                let view = self.view(course)?;
                let page = view.page(place);
                let lesson = view.lesson(page.lesson);
                Matched::Page {
                    course_id: view.course.id,
                    course_title: view.course.title.clone(),
                    role: view.course.role,
                    lesson_title: lesson.title.clone(),
                    id: page.id,
                    title: page.title.clone(),
                    number: view.number(place),
                    kind: page.kind,
                    published: page.published,
                    in_draft: texts.is_in_draft(key),
                }
            }
            Key::Question(id) => {
                let bank_id = texts.bank_of(key)?;
                let bank = self.banks.iter().find(|bank| bank.id == bank_id)?;
                Matched::BankQuestion {
                    id: BankQuestionId(id),
                    bank_id,
                    bank_title: bank.title.clone(),
                }
            }
        };
        let fragments = texts.fragments(key);
        Some(ContentMatch { what, fragments })
    }
}

/// The versions that documents belong to. Remembers which pages the viewer may read.
pub(super) struct Places<'a> {
    reach: &'a Reach,
    pages: HashMap<Uuid, Option<(usize, usize)>>,
}

impl Places<'_> {
    /// The version that a document belongs to; None if the viewer may not read it now.
    pub fn version(&mut self, place: Place, id: Uuid) -> Option<Version> {
        let is_draft = place == Place::Draft;
        if place == Place::BankQuestion {
            let key = Key::Question(id); // the database returned those of the viewer's banks only
            return Some(Version { key, is_draft });
        }
        let reach = self.reach;
        let (course, page) = (*self.pages.entry(id).or_insert_with(|| readable(reach, PageId(id))))?;
        let is_hidden = match place {
            Place::GatedPrompts => !reach.reads_gated(course),
            Place::Draft => !reach.reads_drafts(course),
            Place::Text | Place::Prompts | Place::BankQuestion => false,
        };
        let key = Key::Page { course, place: page };
        (!is_hidden).then_some(Version { key, is_draft })
    }
}

/// The indexes of the page's course and of the page, if the viewer may read it now.
fn readable(reach: &Reach, page: PageId) -> Option<(usize, usize)> {
    let found = reach.views.iter().enumerate();
    let (course, view, place) = found
        .filter_map(|(course, view)| Some((course, view, view.tree.place(page)?)))
        .next()?;
    let may_read = view.shows(place) && view.require_readable(place).is_ok();
    may_read.then_some((course, place))
}
