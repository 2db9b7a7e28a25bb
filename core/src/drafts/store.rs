//! Stores imported courses, each in one transaction.

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::banks;
use super::needs;
use super::rows::Writer;
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::audit::{Act, Entry};
use crate::capture::{self, SnapshotReason};
use crate::courses::dates::course_dates_columns;
use crate::courses::{self, Scope, sharing};
use crate::files::{self, File};
use crate::jobs::Claim;
use kurso_base::error::{Error, Result};
use kurso_base::ids::{CourseId, FileId, UserId};
use kurso_base::random;
use kurso_db::Tx;
use kurso_db::sql;
use kurso_formats::content;
use kurso_formats::keys::key_of;
use kurso_formats::quiz;
use kurso_formats::{CourseDraft, FileDraft, Note, PageDraft, Report};

/// A stored course.
#[derive(Clone, Debug)]
pub struct Stored {
    pub course_id: CourseId,
    /// Formatted as `XXXX-XXXX`; None for a draft.
    pub share_code: Option<String>,
}

/// Whether learners can see what is imported.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Visibility {
    /// Pages are published unless the file says otherwise. A new course gets a share code.
    Published,
    /// No page is published, and a new course gets no share code.
    Draft,
}

impl Visibility {
    pub fn of(is_draft: bool) -> Self {
        if is_draft { Self::Draft } else { Self::Published }
    }

    /// Unpublishes the pages of a draft.
    pub fn apply(self, draft: &mut CourseDraft) {
        if self == Self::Draft {
            draft.pages_mut().for_each(|page| page.published = false);
        }
    }
}

/// Stores the draft as a new published course of `owner` with a share code. On failure, neither rows nor files remain. An
/// incomplete quiz is stored unpublished, with a note.
pub async fn store(kurso: &Kurso, owner: UserId, draft: CourseDraft, report: &mut Report) -> Result<Stored> {
    store_visible(kurso, owner, draft, Visibility::Published, report).await
}

/// The same with a choice whether learners can see the course.
pub async fn store_visible(
    kurso: &Kurso,
    owner: UserId,
    draft: CourseDraft,
    visibility: Visibility,
    report: &mut Report,
) -> Result<Stored> {
    store_as(kurso, owner, CourseId::new(), draft, visibility, report, None).await
}

/// The same for a job with a predetermined id, so that it takes effect only once.
pub async fn store_as(
    kurso: &Kurso,
    owner: UserId,
    id: CourseId,
    mut draft: CourseDraft,
    visibility: Visibility,
    report: &mut Report,
    job: Option<&Claim>,
) -> Result<Stored> {
    let mut stored_files = Vec::new();
    visibility.apply(&mut draft);
    let code = (visibility == Visibility::Published).then(sharing::new_code);
    let new = NewCourse { id, owner, code };
    let written = write(kurso, new, draft, report, &mut stored_files, job).await;
    if written.is_err() {
        delete_stored_files(kurso, &stored_files).await;
    }
    written
}

/// Appends the modules of the draft to a course. Requires edit rights. Atomic. Keys that the course already uses are
/// replaced, with a note; the course keeps its title.
pub async fn append(
    kurso: &Kurso,
    viewer: &Viewer,
    course: CourseId,
    mut draft: CourseDraft,
    report: &mut Report,
    job: Option<&Claim>,
) -> Result<()> {
    courses::find(&kurso.db, viewer, course, Right::Edit).await?;
    let mut stored_files = Vec::new();
    let written = write_into(kurso, viewer.id(), course, &mut draft, report, &mut stored_files, job).await;
    if written.is_err() {
        delete_stored_files(kurso, &stored_files).await;
    }
    written
}

async fn write_into(
    kurso: &Kurso,
    editor: UserId,
    course: CourseId,
    draft: &mut CourseDraft,
    report: &mut Report,
    stored_files: &mut Vec<File>,
    job: Option<&Claim>,
) -> Result<()> {
    let now = kurso.clock.now();
    let by_key = store_files_and_validate(kurso, draft, report, stored_files, now).await?;
    banks::settle(&kurso.db, editor, draft, None, report).await?;
    let mut tx = courses::begin_job(&kurso.db, course, Scope::Structure(now)).await?;
    capture::before(&mut tx, course, editor, SnapshotReason::BeforeImport, now).await?;
    let (first,) = sql!(
        "SELECT CAST(COALESCE(MAX(position) + 1, 0) AS BIGINT) FROM modules WHERE course_id = $1",
        course
    )
    .fetch_one::<(i64,)>(&mut tx)
    .await?;
    let mut taken = HashSet::new();
    for text in [
        "SELECT id, key FROM modules WHERE course_id = $1",
        "SELECT id, key FROM lessons WHERE course_id = $1",
        "SELECT id, key FROM pages WHERE course_id = $1",
    ] {
        let rows = sql!(text, course).fetch_all::<(Uuid, Option<String>)>(&mut tx).await?;
        taken.extend(rows.into_iter().map(|(id, key)| key.unwrap_or_else(|| key_of(id))));
    }
    let (is_sequential,) = sql!("SELECT sequential FROM courses WHERE id = $1", course)
        .fetch_one::<(bool,)>(&mut tx)
        .await?;
    needs::break_cycles(draft, is_sequential, report);
    drop_taken_keys(draft, &taken, report);
    for file in stored_files.iter() {
        files::insert(&mut tx, file, editor).await?;
    }
    let writer = Writer {
        course,
        user: editor,
        now,
        files: &by_key,
    };
    banks::store(kurso, &mut tx, editor, std::mem::take(&mut draft.banks)).await?;
    writer.insert(&mut tx, first, draft).await?;
    let entry = Entry::new(Act::CourseUpdated).by(editor);
    finish(kurso, tx, course, entry, job, now).await?;
    report.close("course.toml");
    Ok(())
}

/// Commits an import with its audit log entry and the stamp of the job, if the owner's quota allows it.
pub(super) async fn finish(
    kurso: &Kurso,
    mut tx: Tx,
    course: CourseId,
    entry: Entry,
    job: Option<&Claim>,
    now: DateTime<Utc>,
) -> Result<()> {
    courses::quota::check(kurso, &mut tx, course).await?;
    entry.in_course(course).write(&mut tx, now).await?;
    if let Some(job) = job {
        job.record_effect(&mut tx, course, now).await?;
    }
    Ok(tx.commit().await?)
}

/// Drops keys that the course already uses.
fn drop_taken_keys(draft: &mut CourseDraft, taken: &HashSet<String>, report: &mut Report) {
    let mut own = |key: &mut Option<String>, place: &str| {
        if let Some(twice) = key.take_if(|key| taken.contains(key)) {
            report.add(place, Note::KeyTwice(twice));
        }
    };
    for module in &mut draft.modules {
        own(&mut module.key, &module.title);
        for lesson in &mut module.lessons {
            own(&mut lesson.key, &lesson.title);
            for page in &mut lesson.pages {
                own(&mut page.key, &page.source);
            }
        }
    }
}

/// Deletes stored files whose rows were not written.
pub(crate) async fn delete_stored_files(kurso: &Kurso, stored_files: &[File]) {
    for file in stored_files {
        if let Err(error) = kurso.files.delete(&file.key).await {
            tracing::warn!(key = file.key, %error, "a file of a failed import could not be removed");
        }
    }
}

/// Validates all pages as [`validate_page`].
pub fn validate(draft: &mut CourseDraft, report: &mut Report) -> Result<()> {
    draft.pages_mut().try_for_each(|page| validate_page(page, report))
}

/// Validates a page, although readers guarantee it, and unpublishes an incomplete quiz.
pub(crate) fn validate_page(page: &mut PageDraft, report: &mut Report) -> Result<()> {
    content::validate(&page.content.read()).map_err(|error| Error::internal(format!("{}: {error}", page.source)))?;
    let Some(quiz) = &page.quiz else { return Ok(()) };
    quiz.check()
        .map_err(|problem| Error::internal(format!("{}: {}", page.source, problem.message)))?;
    if page.published
        && let Err(error) = quiz::require_complete(quiz)
    {
        page.published = false;
        report.add(&page.source, Note::QuizUnpublished((&error).into()));
    }
    Ok(())
}

/// The row of a course to insert.
struct NewCourse {
    id: CourseId,
    owner: UserId,
    /// The stored form of the share code.
    code: Option<String>,
}

async fn write(
    kurso: &Kurso,
    new: NewCourse,
    mut draft: CourseDraft,
    report: &mut Report,
    stored_files: &mut Vec<File>,
    job: Option<&Claim>,
) -> Result<Stored> {
    let now = kurso.clock.now();
    let by_key = store_files_and_validate(kurso, &mut draft, report, stored_files, now).await?;
    banks::settle(&kurso.db, new.owner, &mut draft, None, report).await?;
    let is_sequential = draft.dates.sequential;
    needs::break_cycles(&mut draft, is_sequential, report);
    let mut tx = kurso.db.begin().await?;
    course(&mut tx, &new, &draft, now).await?;
    for file in stored_files.iter() {
        files::insert(&mut tx, file, new.owner).await?;
    }
    let writer = Writer {
        course: new.id,
        user: new.owner,
        now,
        files: &by_key,
    };
    banks::store(kurso, &mut tx, new.owner, std::mem::take(&mut draft.banks)).await?;
    writer.insert(&mut tx, 0, &draft).await?;
    // Without a job, the operator runs the import.
    let entry = Entry::new(Act::CourseImported).by(job.map(|_| new.owner)).to(new.owner);
    finish(kurso, tx, new.id, entry, job, now).await?;
    Ok(Stored {
        course_id: new.id,
        share_code: new.code.as_deref().map(sharing::shown),
    })
}

/// Stores the files, replaces their addresses in the pages, and validates the pages. Returns file ids by draft key
/// and by stored key.
async fn store_files_and_validate(
    kurso: &Kurso,
    draft: &mut CourseDraft,
    report: &mut Report,
    stored_files: &mut Vec<File>,
    now: DateTime<Utc>,
) -> Result<HashMap<String, FileId>> {
    let mut urls = HashMap::new();
    let mut by_key = HashMap::new();
    for file in &draft.files {
        let stored = store_file(kurso, file, now, stored_files).await?;
        urls.insert(file.address(), stored.url());
        by_key.insert(file.key.clone(), stored.id);
        by_key.insert(stored.key, stored.id);
    }
    for page in draft.pages_mut() {
        page.map_addresses(|address| urls.get(address).cloned());
        validate_page(page, report)?;
    }
    draft.map_bank_addresses(|address| urls.get(address).cloned());
    Ok(by_key)
}

/// Stores the content of a file; its row follows in the transaction.
pub(crate) async fn store_file(
    kurso: &Kurso,
    file: &FileDraft,
    now: DateTime<Utc>,
    stored_files: &mut Vec<File>,
) -> Result<File> {
    let mut row = File {
        id: FileId::new(),
        key: random::key(),
        filename: file.filename.clone(),
        content_type: file.content_type.to_owned(),
        size: 0,
        width: file.width.map(i64::from),
        height: file.height.map(i64::from),
        created_at: now,
        sha256: None,
        is_private: false,
    };
    // Registered before it is written, so that a partial file is deleted as well.
    stored_files.push(row.clone());
    let (size, sha256) = kurso.files.put_file(&row.key, &file.path).await?;
    row.sha256 = Some(sha256.to_vec());
    row.size = i64::try_from(size).map_err(Error::internal)?;
    if let Some(last) = stored_files.last_mut() {
        last.clone_from(&row);
    }
    Ok(row)
}

async fn course(tx: &mut Tx, new: &NewCourse, draft: &CourseDraft, now: DateTime<Utc>) -> Result<()> {
    sql!(
        concat!(
            "INSERT INTO courses (id, owner_id, title, description, share_code, structure_version, created_at, updated_at, ",
            course_dates_columns!(),
            ") VALUES ($1, $2, $3, $4, $5, 1, $6, $6, $7, $8, $9, $10, $11, $12)"
        ),
        new.id,
        new.owner,
        &draft.title,
        &draft.description,
        &new.code,
        now,
        draft.dates.starts_at,
        draft.dates.ends_at,
        draft.dates.enroll_until,
        &draft.dates.time_zone,
        draft.dates.hide_locked_titles,
        draft.dates.sequential
    )
    .execute(tx)
    .await?;
    Ok(())
}
