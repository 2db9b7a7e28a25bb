//! Updates a course in place from a draft. Parts with the key of a stored one keep its id, and thereby visits and
//! attempts, regardless of changes to content and position.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use uuid::Uuid;

use super::banks;
use super::load::{Loaded, PageText, load_stored};
use super::needs;
use super::rows::{self, Writer};
use super::store;
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::audit::{Act, Entry};
use crate::courses::tree::PageKind;
use crate::courses::{self, Scope, page};
use crate::deletion;
use crate::files::{self, File};
use crate::jobs::Claim;
use crate::learning::view::CourseView;
use kurso_base::error::{Error, Result};
use kurso_base::ids::{CourseId, LessonId, ModuleId, PageId};
use kurso_base::messages::Message;
use kurso_db::Tx;
use kurso_db::events::{Change, Event};
use kurso_db::sql;
use kurso_formats::content::Href;
use kurso_formats::keys::key_of;
use kurso_formats::native::{document, write_quiz};
use kurso_formats::quiz::{Question, Quiz};
use kurso_formats::{Body, CourseDraft, PageDraft, Report};

/// Makes the course equal to the draft. Requires edit rights. Atomic; fails with 409 if the course is changed
/// concurrently. `scratch` receives copies of files whose hash is not stored. Returns the share code if there is one.
pub async fn update(
    kurso: &Kurso,
    viewer: &Viewer,
    course: CourseId,
    draft: CourseDraft,
    report: &mut Report,
    scratch: &Path,
) -> Result<Option<String>> {
    update_as(kurso, viewer, course, draft, report, scratch, None).await
}

/// The job that runs an update.
#[derive(Debug)]
pub struct ForJob<'a> {
    pub claim: &'a Claim,
    /// The pages whose removal the user confirmed: fails with 409 if another one would be removed. `None` if no
    /// confirmation is needed.
    pub going: Option<HashSet<PageId>>,
}

/// The same for a job, which takes effect only once.
pub async fn update_as(
    kurso: &Kurso,
    viewer: &Viewer,
    course: CourseId,
    mut draft: CourseDraft,
    report: &mut Report,
    scratch: &Path,
    job: Option<ForJob<'_>>,
) -> Result<Option<String>> {
    let view = CourseView::load(kurso, viewer, course, Right::Edit).await?;
    let loaded = load_stored(kurso, course, scratch).await?;
    let known = assign_stored_ids(&mut draft, &loaded);
    let mut gone = loaded.draft.pages().filter(|page| !known.pages.contains(&page.id));
    let going = job.as_ref().and_then(|job| job.going.as_ref());
    if going.is_some_and(|file_keys| gone.any(|page| !file_keys.contains(&PageId(page.id)))) {
        return Err(Error::Conflict(Message::ImportOutdated));
    }
    let job = job.map(|job| job.claim);
    let mut stored_files = Vec::new();
    let done = write(
        kurso,
        viewer,
        course,
        &mut draft,
        &loaded,
        &known,
        report,
        &mut stored_files,
        job,
    )
    .await;
    if done.is_err() {
        store::delete_stored_files(kurso, &stored_files).await;
    }
    done?;
    Ok(view.course.share_code.clone())
}

mod dates;

/// Ids of the draft that are stored already.
pub(super) struct StoredIds {
    modules: HashSet<Uuid>,
    lessons: HashSet<Uuid>,
    pub(super) pages: HashSet<Uuid>,
}

/// Assigns stored ids by key, and redirects links to them.
pub(super) fn assign_stored_ids(draft: &mut CourseDraft, loaded: &Loaded) -> StoredIds {
    let key = |key: &Option<String>, id: Uuid| key.clone().unwrap_or_else(|| key_of(id));
    let stored = &loaded.draft;
    let modules: HashMap<String, Uuid> = stored.modules.iter().map(|m| (key(&m.key, m.id), m.id)).collect();
    let lessons: HashMap<String, Uuid> = stored.lessons().map(|l| (key(&l.key, l.id), l.id)).collect();
    // The kind of a page is fixed: a quiz in place of a text, or an assignment in place of a quiz, is a new page.
    let pages: HashMap<(String, PageKind), Uuid> = stored
        .pages()
        .map(|p| ((key(&p.key, p.id), PageKind::of(p.quiz.as_ref())), p.id))
        .collect();
    let mut known = StoredIds {
        modules: HashSet::new(),
        lessons: HashSet::new(),
        pages: HashSet::new(),
    };
    let (mut renamed, mut parts): (HashMap<Uuid, Uuid>, HashMap<Uuid, Uuid>) = Default::default();
    for module in &mut draft.modules {
        if let Some(id) = module.key.as_ref().and_then(|key| modules.get(key)) {
            parts.insert(module.id, *id);
            module.id = *id;
            known.modules.insert(*id);
        }
        for lesson in &mut module.lessons {
            if let Some(id) = lesson.key.as_ref().and_then(|key| lessons.get(key)) {
                parts.insert(lesson.id, *id);
                lesson.id = *id;
                known.lessons.insert(*id);
            }
            for page in &mut lesson.pages {
                let found = page
                    .key
                    .as_ref()
                    .and_then(|key| pages.get(&(key.clone(), PageKind::of(page.quiz.as_ref()))));
                if let Some(id) = found {
                    renamed.insert(page.id, *id);
                    page.id = *id;
                    known.pages.insert(*id);
                }
            }
        }
    }
    dates::keep_unread(draft, stored, |id| renamed.get(&id).or_else(|| parts.get(&id)).copied());
    needs::rename(draft, &parts);
    let redirect = |address: &str| match Href::parse(address)? {
        Href::Page { page, anchor } => {
            let page = renamed.get(&page)?;
            Some(anchor.map_or_else(|| format!("page:{page}"), |anchor| format!("page:{page}#{anchor}")))
        }
        _ => None,
    };
    draft.map_addresses(redirect);
    known
}

#[expect(
    clippy::too_many_arguments,
    reason = "the parts of one transaction, made by its only caller"
)]
async fn write(
    kurso: &Kurso,
    viewer: &Viewer,
    course: CourseId,
    draft: &mut CourseDraft,
    loaded: &Loaded,
    known: &StoredIds,
    report: &mut Report,
    stored_files: &mut Vec<File>,
    job: Option<&Claim>,
) -> Result<()> {
    let now = kurso.clock.now();
    // Reuse stored files with equal content.
    let (mut urls, mut ids) = (HashMap::new(), HashMap::new());
    for file in &draft.files {
        let row = match loaded.files.get(&file.key) {
            Some(row) => row.clone(),
            None => store::store_file(kurso, file, now, stored_files).await?,
        };
        urls.insert(file.address(), row.url());
        ids.insert(file.key.clone(), row.id);
        ids.insert(row.key, row.id);
    }
    for page in draft.pages_mut() {
        page.map_addresses(|address| urls.get(address).cloned());
        store::validate_page(page, report)?;
    }
    draft.map_bank_addresses(|address| urls.get(address).cloned());
    banks::settle(&kurso.db, viewer.id(), draft, Some(&loaded.draft), report).await?;
    let is_sequential = draft.dates.sequential;
    needs::break_cycles(draft, is_sequential, report);

    let mut tx = courses::begin_job(&kurso.db, course, Scope::Structure(now)).await?;
    require_unchanged(&mut tx, course, loaded).await?;
    sql!(
        "UPDATE courses SET title = $2, description = $3, starts_at = $4, ends_at = $5, enroll_until = $6, time_zone = $7,
         hide_locked_titles = $8, sequential = $9 WHERE id = $1",
        course,
        &draft.title,
        &draft.description,
        draft.dates.starts_at,
        draft.dates.ends_at,
        draft.dates.enroll_until,
        &draft.dates.time_zone,
        draft.dates.hide_locked_titles,
        draft.dates.sequential
    )
    .execute(&mut tx)
    .await?;
    for file in stored_files.iter() {
        files::insert(&mut tx, file, viewer.id()).await?;
    }
    let by = Writer {
        course,
        user: viewer.id(),
        now,
        files: &ids,
    };
    banks::store(kurso, &mut tx, viewer.id(), std::mem::take(&mut draft.banks)).await?;
    by.replace(&mut tx, draft, &known.pages).await?;
    let before: HashMap<Uuid, Place<'_>> = places(&loaded.draft).map(|place| (place.page.id, place)).collect();
    for place in places(draft).filter(|place| known.pages.contains(&place.page.id)) {
        let is_changed = before.get(&place.page.id).is_none_or(|before| !before.is_same(&place));
        by.old_page(&mut tx, place, is_changed, loaded).await?;
    }
    by.remove_others(&mut tx, loaded, known).await?;
    let entry = Entry::new(Act::CourseUpdated).by(viewer.id());
    store::finish(kurso, tx, course, entry, job, now).await?;
    report.close("course.toml");
    Ok(())
}

/// Where a page stands.
struct Place<'a> {
    lesson: LessonId,
    position: i64,
    page: &'a PageDraft,
}

impl Place<'_> {
    /// Whether the row of the page needs no change.
    fn is_same(&self, other: &Place<'_>) -> bool {
        let row = |place: &Place<'_>| (place.lesson, place.position, place.page.published);
        row(self) == row(other)
            && self.page.key == other.page.key
            && self.page.dates == other.page.dates
            && self.page.late == other.page.late
    }
}

fn places(draft: &CourseDraft) -> impl Iterator<Item = Place<'_>> {
    draft.lessons().flat_map(|lesson| {
        (0..).zip(&lesson.pages).map(|(position, page)| Place {
            lesson: LessonId(lesson.id),
            position,
            page,
        })
    })
}

/// Fails with 409 if the course, which the transaction has locked, was changed since it was loaded.
async fn require_unchanged(tx: &mut Tx, course: CourseId, loaded: &Loaded) -> Result<()> {
    let (version,) = sql!("SELECT structure_version FROM courses WHERE id = $1", course)
        .fetch_one::<(i64,)>(&mut *tx)
        .await?;
    let pages = sql!("SELECT id, version FROM pages WHERE course_id = $1", course)
        .fetch_all::<(PageId, i64)>(&mut *tx)
        .await?;
    let same = pages
        .iter()
        .all(|(page, version)| loaded.versions.get(page) == Some(version));
    // The lock has increased the version by one. The tree has a new version also for an override and when a learner first reads a
    // page, which change nothing that a draft has.
    let is_same = same
        && pages.len() == loaded.versions.len()
        && (version == loaded.structure_version + 1 || rows::read(tx, course.into()).await? == loaded.draft);
    if !is_same {
        return Err(Error::Conflict(Message::Text {
            en: "Another user changed the course meanwhile. Try again.".into(),
            ru: "Курс тем временем кто-то изменил. Попробуйте ещё раз.".into(),
        }));
    }
    Ok(())
}

impl Writer<'_> {
    /// Updates a stored page: its row if `is_changed`, and its content if that changed.
    async fn old_page(&self, tx: &mut Tx, place: Place<'_>, is_changed: bool, loaded: &Loaded) -> Result<()> {
        let Place { lesson, position, page } = place;
        let id = PageId(page.id);
        if is_changed {
            sql!(
                "UPDATE pages SET lesson_id = $3, key = $4, position = $5, published = $6, available_from = $7,
                 available_until = $8, due_at = $9, late_until = $10, late_penalty_per_day = $11, late_penalty_max = $12
                 WHERE id = $1 AND course_id = $2",
                id,
                self.course,
                lesson,
                &page.key,
                position,
                page.published,
                page.dates.available_from,
                page.dates.available_until,
                page.dates.due_at,
                page.late.late_until,
                page.late.late_penalty_per_day,
                page.late.late_penalty_max
            )
            .execute(&mut *tx)
            .await?;
        }
        let text = loaded.texts.get(&id).filter(|text| is_rewritten(text, page));
        if is_changed && !page.published {
            page::draft::settle(tx, id, text.is_some(), self.now).await?;
        }
        let Some(text) = text else {
            return Ok(());
        };
        let (_, content, quiz) = text;
        let (same_text, same_quiz) = (has_text(content, page), has_quiz(quiz.as_ref(), page));
        let content = if same_text { content } else { &page.content };
        let quiz = match (quiz, &page.quiz) {
            (Some(before), Some(_)) if same_quiz => Some(before.to_text()?),
            (Some(before), Some(now)) => Some(with_ids_of(now.clone(), before).to_text()?),
            (_, quiz) => quiz.as_ref().map(Quiz::to_text).transpose()?,
        };
        let version = page::rewrite(
            tx,
            id,
            page.title.clone(),
            content.to_string(),
            quiz,
            self.user,
            self.now,
        )
        .await?;
        self.tell(tx, id, Change::Written, version);
        Ok(())
    }

    fn tell(&self, tx: &mut Tx, page: PageId, what: Change, version: i64) {
        tx.publish(Event::Page {
            page,
            what,
            version,
            by: self.user,
            session: None,
            at: self.now,
        });
    }

    async fn remove_others(&self, tx: &mut Tx, loaded: &Loaded, known: &StoredIds) -> Result<()> {
        // A module first, so that it is one entry of the trash with the lessons and pages that are still in it.
        let modules = loaded.draft.modules.iter();
        for module in modules.filter(|module| !known.modules.contains(&module.id)) {
            deletion::put(tx, ModuleId(module.id), self.user, self.now).await?;
        }
        let lessons = loaded.draft.lessons();
        for lesson in lessons.filter(|lesson| !known.lessons.contains(&lesson.id)) {
            deletion::put(tx, LessonId(lesson.id), self.user, self.now).await?;
        }
        for page in loaded.draft.pages().filter(|page| !known.pages.contains(&page.id)) {
            let id = PageId(page.id);
            deletion::put(tx, id, self.user, self.now).await?;
            self.tell(tx, id, Change::Deleted, loaded.versions.get(&id).copied().unwrap_or(1));
        }
        Ok(())
    }
}

/// Whether the page differs from the stored one.
pub(super) fn is_rewritten(stored: &PageText, page: &PageDraft) -> bool {
    let (title, content, quiz) = stored;
    *title != page.title || !has_text(content, page) || !has_quiz(quiz.as_ref(), page)
}

fn has_text(content: &Body, page: &PageDraft) -> bool {
    *content == page.content || document::normalize(&content.read()) == document::normalize(&page.content.read())
}

fn has_quiz(quiz: Option<&Quiz>, page: &PageDraft) -> bool {
    match (quiz, &page.quiz) {
        (Some(a), Some(b)) => same_settings(a, b) && write_quiz(a) == write_quiz(b),
        (a, b) => a.is_none() && b.is_none(),
    }
}

fn same_settings(a: &Quiz, b: &Quiz) -> bool {
    let settings = |quiz: &Quiz| Quiz {
        questions: vec![],
        ..quiz.clone()
    };
    settings(a) == settings(b)
}

/// Unchanged questions stay as stored; a changed one keeps the id of the stored question at its position if the type
/// is equal.
fn with_ids_of(mut now: Quiz, before: &Quiz) -> Quiz {
    let text = |question: &Question| {
        write_quiz(&Quiz {
            questions: vec![question.clone()],
            ..Quiz::default()
        })
    };
    let mut left: Vec<(String, Option<&Question>)> = before.questions.iter().map(|q| (text(q), Some(q))).collect();
    let mut changed = Vec::new();
    for (at, question) in now.questions.iter_mut().enumerate() {
        let said = text(question);
        let same = left.iter_mut().find(|(text, free)| free.is_some() && *text == said);
        match same.and_then(|(_, free)| free.take()) {
            Some(stored) => *question = stored.clone(),
            None => changed.push(at),
        }
    }
    for at in changed {
        let free = left.get_mut(at).and_then(|(_, free)| free.take());
        if let (Some(stored), Some(question)) = (free, now.questions.get_mut(at))
            && std::mem::discriminant(&stored.kind) == std::mem::discriminant(&question.kind)
        {
            question.id = stored.id;
        }
    }
    now
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test")]
mod tests;
