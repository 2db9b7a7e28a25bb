//! Loads a stored course as a draft for export.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use futures_util::future::try_join_all;

use super::banks;
use super::rows;
use crate::Kurso;
use crate::courses::{self, Scope};
use crate::files;
use kurso_base::error::{Error, Result};
use kurso_base::ids::{CourseId, PageId, UserId};
use kurso_base::messages::Lang;
use kurso_db::{Tx, sql};
use kurso_formats::content;
use kurso_formats::files::{describe, key_of_hash};
use kurso_formats::quiz::Quiz;
use kurso_formats::{Body, CourseDraft, FileDraft, PageDraft, known_type};

/// Title, content and quiz of a page.
pub type PageText = (Option<String>, Body, Option<Quiz>);

/// A stored course as of one moment.
pub struct Loaded {
    /// Its files are named by their stored addresses and keys.
    pub draft: CourseDraft,
    pub structure_version: i64,
    pub versions: HashMap<PageId, i64>,
    /// The texts of the pages.
    pub texts: HashMap<PageId, PageText>,
    /// File rows by the key that a draft gives to their content.
    pub files: HashMap<String, files::File>,
}

/// What to load of a course.
#[derive(Clone, Copy, Debug)]
pub struct Stored {
    pub course: CourseId,
    /// Whether pages with drafts have their text in place of what learners see.
    pub drafts: bool,
}

impl From<CourseId> for Stored {
    /// What learners see.
    fn from(course: CourseId) -> Self {
        Stored { course, drafts: false }
    }
}

/// Rows per query of files.
const ROWS: usize = 500;
/// Stored files that are looked up at the same time.
const LOOKUPS: usize = 16;

/// Loads a course as of one moment, with the banks that it draws from and `reader` may read; without a reader, all of them. Its files are
/// copied to `scratch`, which must exist as long as the draft is used. Callers check access rights to the course.
pub async fn load(
    kurso: &Kurso,
    stored: impl Into<Stored>,
    reader: Option<UserId>,
    scratch: &Path,
) -> Result<CourseDraft> {
    let draft = read(kurso, stored.into(), reader).await?;
    let mut found = Vec::new();
    for row in file_rows(kurso, &draft).await? {
        if let Some(file) = copy(kurso, &row, scratch).await? {
            found.push((row.key, file));
        }
    }
    Ok(with_files(draft, found))
}

/// As [`load`], but no file is read or copied: their paths are empty, and the database has their properties.
pub async fn load_without_bytes(kurso: &Kurso, stored: Stored, reader: UserId) -> Result<CourseDraft> {
    let draft = read(kurso, stored, Some(reader)).await?;
    let mut found = Vec::new();
    for chunk in file_rows(kurso, &draft).await?.chunks(LOOKUPS) {
        let sizes = try_join_all(chunk.iter().map(|row| kurso.files.size(&row.key))).await?;
        let there = chunk.iter().zip(sizes).filter_map(|(row, size)| Some((row, size?)));
        found.extend(there.map(|(row, size)| (row.key.clone(), described(row, size))));
    }
    Ok(with_files(draft, found))
}

async fn read(kurso: &Kurso, stored: Stored, reader: Option<UserId>) -> Result<CourseDraft> {
    let mut tx = courses::begin_job(&kurso.db, stored.course, Scope::Unchanged).await?;
    // Nothing is changed: the transaction only locks the course.
    let mut draft = rows::read(&mut tx, stored).await?;
    draft.banks = banks::load(&mut tx, reader, &draft).await?;
    Ok(draft)
}

/// The draft with the files that were found for stored keys. Files with equal content become one.
fn with_files(mut draft: CourseDraft, found: Vec<(String, FileDraft)>) -> CourseDraft {
    let mut files: Vec<FileDraft> = Vec::new();
    let mut at: HashMap<String, usize> = HashMap::new();
    let mut taken: HashMap<String, usize> = HashMap::new();
    for (key, file) in found {
        let index = *at.entry(file.key.clone()).or_insert(files.len());
        if index == files.len() {
            files.push(file);
        }
        taken.insert(key, index);
    }
    let file = |key: &str| files.get(*taken.get(key)?);
    for module in &mut draft.modules {
        module.avatar = module.avatar.take().and_then(|key| Some(file(&key)?.key.clone()));
    }
    draft.map_addresses(|address| Some(file(content::FileAddress::parse(address)?.key)?.address()));
    draft.files = files;
    draft
}

/// Loads a course for comparison with a draft. Only files whose hash is not stored are copied to `scratch`.
pub(super) async fn load_stored(kurso: &Kurso, course: CourseId, scratch: &Path) -> Result<Loaded> {
    let mut tx = courses::begin_job(&kurso.db, course, Scope::Unchanged).await?;
    let mut loaded = load_in(&mut tx, course).await?;
    drop(tx);
    for row in file_rows(kurso, &loaded.draft).await? {
        let key = match &row.sha256 {
            // A file whose bytes are lost is stored again.
            Some(_) if kurso.files.size(&row.key).await?.is_none() => continue,
            Some(sha256) => key_of_hash(sha256),
            None => match copy(kurso, &row, scratch).await? {
                Some(file) => file.key,
                None => continue,
            },
        };
        loaded.files.entry(key).or_insert(row);
    }
    Ok(loaded)
}

/// Loads a course that the transaction has locked, without its files.
pub(super) async fn load_in(tx: &mut Tx, course: CourseId) -> Result<Loaded> {
    let (structure_version,) = sql!("SELECT structure_version FROM courses WHERE id = $1", course)
        .fetch_one::<(i64,)>(&mut *tx)
        .await?;
    let versions = sql!("SELECT id, version FROM pages WHERE course_id = $1", course)
        .fetch_all::<(PageId, i64)>(&mut *tx)
        .await?;
    let draft = rows::read(tx, course.into()).await?;
    let text = |page: &PageDraft| {
        (
            PageId(page.id),
            (page.title.clone(), page.content.clone(), page.quiz.clone()),
        )
    };
    let texts = draft.pages().map(text).collect();
    Ok(Loaded {
        draft,
        structure_version,
        versions: versions.into_iter().collect(),
        texts,
        files: HashMap::new(),
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
    let questions = draft.banks.iter().flat_map(|bank| &bank.questions);
    let documents = questions.flat_map(|tagged| tagged.question.documents());
    keys.extend(documents.flat_map(content::files));
    keys.retain(|key| seen.insert(key.clone()));
    keys
}

/// The rows of the files of a course, in order of use.
async fn file_rows(kurso: &Kurso, draft: &CourseDraft) -> Result<Vec<files::File>> {
    let keys = file_keys(draft);
    let mut rows: HashMap<String, files::File> = HashMap::new();
    for chunk in keys.chunks(ROWS) {
        let found = sql!(
            "SELECT id, key, filename, content_type, size, width, height, created_at, sha256 FROM files WHERE key IN "
        )
        .push_in(chunk)
        .fetch_all::<files::File>(&kurso.db)
        .await?;
        rows.extend(found.into_iter().map(|row| (row.key.clone(), row)));
    }
    Ok(keys.iter().filter_map(|key| rows.remove(key)).collect())
}

/// Describes a stored file of this size from its row, without reading it. The key equals that of [`describe`], except for rows without a hash.
fn described(row: &files::File, size: u64) -> FileDraft {
    let pixels = |length: Option<i64>| length.and_then(|length| u32::try_from(length).ok());
    FileDraft {
        key: row.sha256.as_deref().map_or_else(|| row.key.clone(), key_of_hash),
        path: PathBuf::new(),
        filename: row.filename.clone(),
        content_type: known_type(&row.content_type),
        size,
        width: pixels(row.width),
        height: pixels(row.height),
    }
}

/// Copies a stored file to `scratch`; `None` if it no longer exists.
async fn copy(kurso: &Kurso, row: &files::File, scratch: &Path) -> Result<Option<FileDraft>> {
    // The key consists of hexadecimal digits, so it is a safe name.
    let path = scratch.join(&row.key);
    match kurso.files.copy_to(&row.key, &path).await {
        Ok(()) => {}
        Err(Error::NotFound(_)) => return Ok(None),
        Err(error) => return Err(error),
    }
    let described = tokio::task::spawn_blocking(move || describe(&path, u64::MAX)).await;
    let mut file = described
        .map_err(Error::internal)?
        .map_err(|trouble| Error::internal(format!("{}: {}", row.key, trouble.text(Lang::En))))?;
    file.filename.clone_from(&row.filename);
    Ok(Some(file))
}
