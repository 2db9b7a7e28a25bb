//! Loads a stored course as a draft for export.

use std::collections::HashMap;
use std::path::Path;

use super::rows;
use crate::Kurso;
use crate::courses::{self, Scope};
use crate::files;
use kurso_base::error::{Error, Result};
use kurso_base::ids::{CourseId, PageId};
use kurso_base::messages::Lang;
use kurso_db::sql;
use kurso_formats::content;
use kurso_formats::files::describe;
use kurso_formats::quiz::Quiz;
use kurso_formats::{Body, CourseDraft, FileDraft, PageDraft};

/// Title, content and quiz of a page.
pub type PageText = (Option<String>, Body, Option<Quiz>);

/// A draft with the stored state of the course.
pub struct Loaded {
    pub draft: CourseDraft,
    pub structure_version: i64,
    pub versions: HashMap<PageId, i64>,
    /// The texts of the pages with stored addresses.
    pub texts: HashMap<PageId, PageText>,
    /// File rows by draft key.
    pub files: HashMap<String, files::File>,
}

/// Loads a course as of one moment. Its files are copied to `scratch`, which must exist as long as the draft is used.
/// Callers check access rights.
pub async fn load(kurso: &Kurso, course: CourseId, scratch: &Path) -> Result<CourseDraft> {
    Ok(load_all(kurso, course, scratch).await?.draft)
}

pub(super) async fn load_all(kurso: &Kurso, course: CourseId, scratch: &Path) -> Result<Loaded> {
    let mut tx = courses::begin_job(&kurso.db, course, Scope::Unchanged).await?;
    let (structure_version,) = sql!("SELECT structure_version FROM courses WHERE id = $1", course)
        .fetch_one::<(i64,)>(&mut tx)
        .await?;
    let versions = sql!("SELECT id, version FROM pages WHERE course_id = $1", course)
        .fetch_all::<(PageId, i64)>(&mut tx)
        .await?;
    let mut draft = rows::read(&mut tx, course).await?;
    // Nothing was changed: the transaction only locked the course.
    drop(tx);
    let text = |page: &PageDraft| {
        (
            PageId(page.id),
            (page.title.clone(), page.content.clone(), page.quiz.clone()),
        )
    };
    let texts = draft.pages().map(text).collect();
    let mut rows = HashMap::new();
    let mut addresses = HashMap::new();
    let mut taken: HashMap<String, FileDraft> = HashMap::new();
    for key in file_keys(&draft) {
        let Some((file, row)) = fetch_file(kurso, &key, scratch).await? else {
            continue;
        };
        rows.entry(file.key.clone()).or_insert(row);
        // Deduplicate files with equal content.
        if !draft.files.iter().any(|known| known.key == file.key) {
            draft.files.push(file.clone());
        }
        let known = draft
            .files
            .iter()
            .find(|known| known.key == file.key)
            .unwrap_or(&file)
            .clone();
        addresses.insert(key.clone(), known.address());
        taken.insert(key, known);
    }
    let map = |address: &str| addresses.get(content::FileAddress::parse(address)?.key).cloned();
    for module in &mut draft.modules {
        module.avatar = module.avatar.take().and_then(|key| Some(taken.get(&key)?.key.clone()));
    }
    draft.map_addresses(map);
    Ok(Loaded {
        draft,
        structure_version,
        versions: versions.into_iter().collect(),
        texts,
        files: rows,
    })
}

/// The keys of all files in order of use.
fn file_keys(draft: &CourseDraft) -> Vec<String> {
    let mut keys: Vec<String> = Vec::new();
    let mut seen = std::collections::HashSet::new();
    for module in &draft.modules {
        keys.extend(module.avatar.clone());
        for page in module.lessons.iter().flat_map(|lesson| &lesson.pages) {
            let mut visit = |address: &str| {
                keys.extend(content::FileAddress::parse(address).map(|file| file.key.to_owned()));
            };
            if page.content.may_have_files() {
                page.content.each_address(&mut visit);
            }
            for document in page.quiz.iter().flat_map(Quiz::documents) {
                content::map_addresses(&mut document.clone(), |address| {
                    visit(address);
                    None
                });
            }
        }
    }
    keys.retain(|key| seen.insert(key.clone()));
    keys
}

/// Copies a stored file to `scratch`; `None` if it no longer exists.
async fn fetch_file(kurso: &Kurso, key: &str, scratch: &Path) -> Result<Option<(FileDraft, files::File)>> {
    let row = match files::by_key(&kurso.db, key).await {
        Ok(row) => row,
        Err(Error::NotFound(_)) => return Ok(None),
        Err(error) => return Err(error),
    };
    // The key consists of hexadecimal digits, so it is a safe name.
    let path = scratch.join(&row.key);
    match kurso.files.copy_to(key, &path).await {
        Ok(()) => {}
        Err(Error::NotFound(_)) => return Ok(None),
        Err(error) => return Err(error),
    }
    let described = tokio::task::spawn_blocking(move || describe(&path, u64::MAX)).await;
    let mut file = described
        .map_err(Error::internal)?
        .map_err(|trouble| Error::internal(format!("{key}: {}", trouble.text(Lang::En))))?;
    file.filename.clone_from(&row.filename);
    Ok(Some((file, row)))
}
