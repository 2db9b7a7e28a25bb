//! The differences between a snapshot and the course, or another snapshot of it.

mod moved;

use std::collections::{BTreeSet, HashMap, HashSet};

use serde_json::Value;
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use super::content::{Content, content};
use crate::Kurso;
use crate::access::Viewer;
use crate::capture::{self, DraftText, Outline, Page, Text};
use crate::courses::{self, Scope};
use kurso_base::error::{Error, Result};
use kurso_base::hex::hex;
use kurso_base::ids::{PageId, SnapshotId};
use kurso_base::messages::Message;
use kurso_base::wire;
use kurso_db::{Tx, sql};

/// Pages of one statement.
const PAGES: usize = 500;

/// The kind of a part.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Part {
    Module,
    Lesson,
    Page,
}

impl Part {
    /// As sent.
    pub fn name(self) -> &'static str {
        match self {
            Part::Module => "module",
            Part::Lesson => "lesson",
            Part::Page => "page",
        }
    }
}

/// What differs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Field {
    Title,
    Description,
    Avatar,
    Content,
    Quiz,
    /// Unpublished changes.
    Draft,
    Published,
    Dates,
    Prerequisites,
    TimeZone,
    HideLockedTitles,
    Sequential,
    /// The key in files of the course.
    Key,
}

impl Field {
    /// As sent.
    pub fn name(self) -> &'static str {
        match self {
            Field::Title => "title",
            Field::Description => "description",
            Field::Avatar => "avatar",
            Field::Content => "content",
            Field::Quiz => "quiz",
            Field::Draft => "draft",
            Field::Published => "published",
            Field::Dates => "dates",
            Field::Prerequisites => "prerequisites",
            Field::TimeZone => "time_zone",
            Field::HideLockedTitles => "hide_locked_titles",
            Field::Sequential => "sequential",
            Field::Key => "key",
        }
    }
}

/// A part that differs.
#[derive(Clone, Debug, PartialEq)]
pub struct PartChange {
    pub part: Part,
    pub id: Uuid,
    /// None for a page that is shown by its number.
    pub title: Option<String>,
    /// The titles of the parts above it, outermost first.
    pub path: Vec<String>,
    /// Its place among its siblings, from 1.
    pub number: i64,
    /// Empty unless it is among the changed ones.
    pub fields: Vec<Field>,
}

/// What leads from one state of a course to a snapshot.
#[derive(Clone, Debug, PartialEq)]
pub struct Changes {
    /// For restoring; None between two snapshots.
    pub digest: Option<String>,
    /// Settings of the course that differ.
    pub course: Vec<Field>,
    /// Parts that only the snapshot has, in the order of its outline.
    pub added: Vec<PartChange>,
    /// Parts that the snapshot does not have, in the order of the other outline.
    pub removed: Vec<PartChange>,
    /// Parts that both have, in the order of the snapshot.
    pub changed: Vec<PartChange>,
    /// Parts with another part above, or in another order among those that both have there. They may be among the changed ones too.
    pub moved: Vec<PartChange>,
    /// Enrolled learners with visits or attempts at pages that would go to the trash; 0 between two snapshots.
    pub learners_affected: i64,
}

/// Names a state of the course and the snapshot that would be restored over it.
pub(super) fn digest(id: SnapshotId, present: &Outline) -> Result<String> {
    let mut digest = Sha256::new();
    digest.update(id.0.as_bytes());
    digest.update(present.digest()?);
    Ok(hex(&digest.finalize()))
}

impl Changes {
    /// What would change in the course if the snapshot were restored, or what leads to it from another snapshot of the course. Owner and
    /// editors. Fails with 404 if `since` is none of its snapshots.
    pub async fn to(kurso: &Kurso, viewer: &Viewer, found: &Content, since: Option<SnapshotId>) -> Result<Self> {
        let (id, after) = (found.snapshot.id, found.outline());
        if let Some(since) = since {
            let other = content(kurso, viewer, since).await?;
            if other.snapshot.course_id != found.snapshot.course_id {
                return Err(Error::NotFound(Message::SnapshotNotFound));
            }
            let unsure = unsure(other.outline(), after);
            let before_texts = stored(kurso, &other, &unsure).await?;
            let after_texts = stored(kurso, found, &unsure).await?;
            return Ok(between(
                other.outline(),
                after,
                &rewritten(&unsure, &before_texts, &after_texts),
            ));
        }
        let course = found.snapshot.course_id;
        let mut tx = courses::begin(&kurso.db, course, Scope::Unchanged).await?;
        let before = Outline::read(&mut tx, course).await?;
        let unsure = unsure(&before, after);
        let drafted: Vec<(Uuid, bool)> = before
            .pages()
            .filter(|page| unsure.contains(&page.id))
            .map(|page| (page.id, page.draft_version.is_some()))
            .collect();
        let before_texts = capture::texts(&mut tx, course, &drafted).await?;
        let learners_affected = learners(&mut tx, &before, after).await?;
        // Nothing was changed: the transaction has only locked the course.
        tx.rollback().await?;
        let after_texts = stored(kurso, found, &unsure).await?;
        Ok(Changes {
            digest: Some(digest(id, &before)?),
            learners_affected,
            ..between(&before, after, &rewritten(&unsure, &before_texts, &after_texts))
        })
    }
}

/// The pages that both have, and whose texts may differ.
fn unsure(before: &Outline, after: &Outline) -> HashSet<Uuid> {
    let before: HashMap<Uuid, &Page> = before.pages().map(|page| (page.id, page)).collect();
    let differs = |page: &&Page| before.get(&page.id).is_some_and(|before| !before.has_texts_of(page));
    after.pages().filter(differs).map(|page| page.id).collect()
}

/// The texts of these pages in a snapshot.
async fn stored(kurso: &Kurso, content: &Content, pages: &HashSet<Uuid>) -> Result<HashMap<Uuid, Text>> {
    let needed = content.outline().pages().filter(|page| pages.contains(&page.id));
    let parts: BTreeSet<i64> = needed.map(|page| page.seq).collect();
    let mut texts = capture::stored_texts(&kurso.db, content.snapshot.id, &parts).await?;
    texts.retain(|page, _| pages.contains(page));
    Ok(texts)
}

/// The texts of each page that differ.
fn rewritten(
    pages: &HashSet<Uuid>,
    before: &HashMap<Uuid, Text>,
    after: &HashMap<Uuid, Text>,
) -> HashMap<Uuid, Vec<Field>> {
    let differ = |id: &Uuid| {
        let (before, after) = (before.get(id)?, after.get(id)?);
        let fields = [
            (Field::Content, !same_json(&before.content, &after.content)),
            (Field::Quiz, !same_quiz(before.quiz.as_deref(), after.quiz.as_deref())),
            (Field::Draft, !same_draft(before.draft.as_ref(), after.draft.as_ref())),
        ];
        let fields = fields.into_iter().filter(|(_, differs)| *differs);
        Some((*id, fields.map(|(field, _)| field).collect()))
    };
    pages.iter().filter_map(differ).collect()
}

fn same_json(a: &str, b: &str) -> bool {
    let parse = |text: &str| wire::read_stored::<Value>(text);
    a == b || matches!((parse(a), parse(b)), (Ok(a), Ok(b)) if a == b)
}

fn same_quiz(a: Option<&str>, b: Option<&str>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => same_json(a, b),
        (a, b) => a == b,
    }
}

fn same_draft(a: Option<&DraftText>, b: Option<&DraftText>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => {
            a.title == b.title && same_json(&a.content, &b.content) && same_quiz(a.quiz.as_deref(), b.quiz.as_deref())
        }
        (a, b) => a.is_none() && b.is_none(),
    }
}

/// Enrolled learners with visits or attempts at pages that only the course has.
async fn learners(tx: &mut Tx, before: &Outline, after: &Outline) -> Result<i64> {
    let kept: HashSet<Uuid> = after.pages().map(|page| page.id).collect();
    let gone = before.pages().filter(|page| !kept.contains(&page.id));
    let gone: Vec<PageId> = gone.map(|page| PageId(page.id)).collect();
    let mut learners: HashSet<Uuid> = HashSet::new();
    for pages in gone.chunks(PAGES) {
        let rows = sql!("SELECT enrollment_id FROM visits WHERE page_id IN ")
            .push_in(pages.iter().copied())
            .push(" UNION SELECT enrollment_id FROM attempts WHERE page_id IN ")
            .push_in(pages.iter().copied());
        let rows = rows.fetch_all::<(Uuid,)>(&mut *tx).await?;
        learners.extend(rows.into_iter().map(|(id,)| id));
    }
    Ok(i64::try_from(learners.len()).unwrap_or(i64::MAX))
}

/// A part of an outline with what is compared.
struct Place<'a> {
    part: Part,
    id: Uuid,
    parent: Option<Uuid>,
    title: Option<&'a str>,
    path: Vec<&'a str>,
    number: i64,
    what: What<'a>,
}

enum What<'a> {
    Module(&'a capture::Module),
    Lesson(&'a capture::Lesson),
    Page(&'a Page),
}

/// All parts in the order of the outline.
fn places(outline: &Outline) -> Vec<Place<'_>> {
    let mut places = vec![];
    for (number, module) in (1..).zip(&outline.modules) {
        places.push(Place {
            part: Part::Module,
            id: module.id,
            parent: None,
            title: Some(&module.title),
            path: vec![],
            number,
            what: What::Module(module),
        });
        for (number, lesson) in (1..).zip(&module.lessons) {
            places.push(Place {
                part: Part::Lesson,
                id: lesson.id,
                parent: Some(module.id),
                title: Some(&lesson.title),
                path: vec![&module.title],
                number,
                what: What::Lesson(lesson),
            });
            places.extend((1..).zip(&lesson.pages).map(|(number, page)| Place {
                part: Part::Page,
                id: page.id,
                parent: Some(lesson.id),
                title: page.title.as_deref(),
                path: vec![&module.title, &lesson.title],
                number,
                what: What::Page(page),
            }));
        }
    }
    places
}

impl Place<'_> {
    fn change(&self, fields: Vec<Field>) -> PartChange {
        PartChange {
            part: self.part,
            id: self.id,
            title: self.title.map(str::to_owned),
            path: self.path.iter().map(|&title| title.to_owned()).collect(),
            number: self.number,
            fields,
        }
    }

    /// What differs from the same part of another outline, besides its place and texts.
    fn fields(&self, before: &Place<'_>) -> Vec<Field> {
        let found = match (&before.what, &self.what) {
            (What::Module(before), What::Module(now)) => vec![
                (Field::Title, before.title != now.title),
                (Field::Description, before.description != now.description),
                (Field::Avatar, before.avatar != now.avatar),
                (Field::Dates, before.dates != now.dates),
                (Field::Prerequisites, set(&before.needs) != set(&now.needs)),
                (Field::Key, before.key != now.key),
            ],
            (What::Lesson(before), What::Lesson(now)) => vec![
                (Field::Title, before.title != now.title),
                (Field::Dates, before.dates != now.dates),
                (Field::Prerequisites, set(&before.needs) != set(&now.needs)),
                (Field::Key, before.key != now.key),
            ],
            (What::Page(before), What::Page(now)) => vec![
                (Field::Title, before.title != now.title),
                (Field::Published, before.published != now.published),
                (Field::Dates, (before.dates, before.late) != (now.dates, now.late)),
                (Field::Key, before.key != now.key),
            ],
            _ => vec![],
        };
        named(found)
    }
}

fn named(fields: Vec<(Field, bool)>) -> Vec<Field> {
    let differing = fields.into_iter().filter(|(_, differs)| *differs);
    differing.map(|(field, _)| field).collect()
}

fn set(ids: &[Uuid]) -> BTreeSet<Uuid> {
    ids.iter().copied().collect()
}

/// Compares two outlines, given the texts that differ.
fn between(before: &Outline, after: &Outline, texts: &HashMap<Uuid, Vec<Field>>) -> Changes {
    let (old, new) = (places(before), places(after));
    let known: HashMap<Uuid, &Place<'_>> = old.iter().map(|place| (place.id, place)).collect();
    let kept: HashSet<Uuid> = new.iter().map(|place| place.id).collect();
    let moved = moved::moved(
        old.iter().map(|place| (place.id, place.parent)),
        new.iter().map(|place| (place.id, place.parent)),
    );
    let changed = new.iter().filter_map(|place| {
        let mut fields = place.fields(known.get(&place.id)?);
        fields.extend(texts.get(&place.id).into_iter().flatten());
        (!fields.is_empty()).then(|| place.change(fields))
    });
    Changes {
        digest: None,
        course: course(before, after),
        added: new
            .iter()
            .filter(|place| !known.contains_key(&place.id))
            .map(|place| place.change(vec![]))
            .collect(),
        removed: old
            .iter()
            .filter(|place| !kept.contains(&place.id))
            .map(|place| place.change(vec![]))
            .collect(),
        changed: changed.collect(),
        moved: new
            .iter()
            .filter(|place| moved.contains(&place.id))
            .map(|place| place.change(vec![]))
            .collect(),
        learners_affected: 0,
    }
}

fn course(before: &Outline, after: &Outline) -> Vec<Field> {
    let (old, new) = (&before.dates, &after.dates);
    named(vec![
        (Field::Title, before.title != after.title),
        (Field::Description, before.description != after.description),
        (
            Field::Dates,
            (old.starts_at, old.ends_at, old.enroll_until) != (new.starts_at, new.ends_at, new.enroll_until),
        ),
        (Field::TimeZone, old.time_zone != new.time_zone),
        (
            Field::HideLockedTitles,
            old.hide_locked_titles != new.hide_locked_titles,
        ),
        (Field::Sequential, old.sequential != new.sequential),
    ])
}
