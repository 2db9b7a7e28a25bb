//! Updates a course in place from a draft. Parts with the key of a stored one keep its id, and thereby visits and
//! attempts, regardless of changes to content and position.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use uuid::Uuid;

use super::banks;
use super::load::{Loaded, load_stored};
use super::needs;
use super::rows::{self, Writer};
use super::store;
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::audit::{Act, Entry};
use crate::capture::{self, SnapshotReason};
use crate::courses::tree::PageKind;
use crate::courses::{self, Scope};
use crate::files::{self, File};
use crate::jobs::Claim;
use crate::learning::view::CourseView;
use kurso_base::error::{Error, Result};
use kurso_base::ids::{CourseId, PageId};
use kurso_base::messages::Message;
use kurso_db::Tx;
use kurso_db::sql;
use kurso_formats::content::Href;
use kurso_formats::keys::key_of;
use kurso_formats::{CourseDraft, Report};

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

mod apply;
mod dates;

pub(super) use apply::{Texts, is_rewritten};

/// Ids of the draft that are stored already.
#[derive(Default)]
pub(super) struct StoredIds {
    pub(super) modules: HashSet<Uuid>,
    pub(super) lessons: HashSet<Uuid>,
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
    let mut known = StoredIds::default();
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
    capture::before(&mut tx, course, viewer.id(), SnapshotReason::BeforeImport, now).await?;
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
    by.apply(&mut tx, draft, loaded, known, Texts::ByMeaning).await?;
    let entry = Entry::new(Act::CourseUpdated).by(viewer.id());
    store::finish(kurso, tx, course, entry, job, now).await?;
    report.close("course.toml");
    Ok(())
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

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test")]
mod tests;
