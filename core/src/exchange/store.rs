//! The one writer of imported courses: all of it in one transaction, or nothing.

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::keys::key_of;
use super::{CourseDraft, FileDraft, ModuleDraft, Note, PageDraft, Report};
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::audit::{Act, Entry};
use crate::content;
use crate::courses::tree::PageKind;
use crate::courses::{self, sharing};
use crate::db::Tx;
use crate::error::{Error, Result};
use crate::files::{self, File};
use crate::ids::{CourseId, FileId, LessonId, ModuleId, PageId, UserId};
use crate::jobs::Claim;
use crate::messages::Message;
use crate::quiz::{self, Quiz};
use crate::random;
use crate::sql;

/// A course that was written.
#[derive(Clone, Debug)]
pub struct Stored {
    pub course_id: CourseId,
    /// As shown: `XXXX-XXXX`.
    pub share_code: String,
}

/// Rows of one INSERT: with at most ten columns well below SQLite's limit of arguments.
const ROWS: usize = 500;
/// Pages whose texts are in one INSERT: they may be long, and each is in memory twice while it is on its way.
const TEXTS: usize = 32;

/// Writes the draft as a new course of `owner` with a share code. When anything fails, no row and no file is left.
/// A quiz that is not ready for learners is stored unpublished, with a line in the report.
pub async fn store(kurso: &Kurso, owner: UserId, draft: CourseDraft, report: &mut Report) -> Result<Stored> {
    store_as(kurso, owner, CourseId::new(), draft, report, None).await
}

/// The same for a job, whose effect is made once: with an id that was made before.
pub async fn store_as(
    kurso: &Kurso,
    owner: UserId,
    id: CourseId,
    draft: CourseDraft,
    report: &mut Report,
    job: Option<&Claim>,
) -> Result<Stored> {
    let mut kept = Vec::new();
    let written = write(kurso, owner, id, draft, report, &mut kept, job).await;
    if written.is_err() {
        take_back(kurso, &kept).await;
    }
    written
}

/// Adds the modules of the draft to a course, after its last: owner and editors. All of it or nothing. What has a key that
/// something in the course has gets another, with a line in the report; the course's own title stays.
pub async fn append(
    kurso: &Kurso,
    viewer: &Viewer,
    course: CourseId,
    mut draft: CourseDraft,
    report: &mut Report,
    job: Option<&Claim>,
) -> Result<()> {
    courses::find(&kurso.db, viewer, course, Right::Edit).await?;
    let mut kept = Vec::new();
    let written = write_into(kurso, viewer.id(), course, &mut draft, report, &mut kept, job).await;
    if written.is_err() {
        take_back(kurso, &kept).await;
    }
    written
}

async fn write_into(
    kurso: &Kurso,
    editor: UserId,
    course: CourseId,
    draft: &mut CourseDraft,
    report: &mut Report,
    kept: &mut Vec<File>,
    job: Option<&Claim>,
) -> Result<()> {
    let now = kurso.clock.now();
    let by_key = settle_all(kurso, draft, report, kept, now).await?;
    let mut tx = kurso.db.begin_patiently_in(course).await?;
    let locked = sql!(
        "UPDATE courses SET structure_version = structure_version + 1, updated_at = $2 WHERE id = $1",
        course,
        now
    )
    .execute(&mut tx)
    .await?;
    if locked == 0 {
        return Err(Error::NotFound(Message::CourseNotFound));
    }
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
    with_own_keys(draft, &taken, report);
    for file in kept.iter() {
        files::insert(&mut tx, file, editor).await?;
    }
    tree(&mut tx, course, editor, first, draft, &by_key, now).await?;
    let entry = Entry::new(Act::CourseUpdated).by(editor);
    finish(tx, course, entry, job, now).await?;
    report.close("course.toml");
    Ok(())
}

/// Ends the transaction of an import: a line in the audit log, and the job's mark that its effect is made.
pub(super) async fn finish(
    mut tx: Tx,
    course: CourseId,
    entry: Entry,
    job: Option<&Claim>,
    now: DateTime<Utc>,
) -> Result<()> {
    entry.in_course(course).write(&mut tx, now).await?;
    if let Some(job) = job {
        job.stamp(&mut tx, course, now).await?;
    }
    Ok(tx.commit().await?)
}

/// A key tells one thing from the others of its course.
fn with_own_keys(draft: &mut CourseDraft, taken: &HashSet<String>, report: &mut Report) {
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

/// Removes the bytes of files whose rows could not be written.
pub(super) async fn take_back(kurso: &Kurso, kept: &[File]) {
    for file in kept {
        if let Err(error) = kurso.files.delete(&file.key).await {
            tracing::warn!(key = file.key, %error, "a file of a failed import could not be removed");
        }
    }
}

/// What keeps a page readable, checked though the readers promise it; a quiz that is not ready is not published.
pub(crate) fn settle(page: &mut PageDraft, report: &mut Report) -> Result<()> {
    content::validate(&page.content.read()).map_err(|error| Error::internal(format!("{}: {error}", page.source)))?;
    let Some(quiz) = &mut page.quiz else { return Ok(()) };
    *quiz = quiz::read(&quiz.to_json()?)
        .map_err(|error| Error::internal(format!("{}: {}", page.source, error.message())))?;
    if page.published
        && let Err(error) = quiz::require_complete(quiz)
    {
        page.published = false;
        report.add(&page.source, Note::QuizUnpublished((&error).into()));
    }
    Ok(())
}

async fn write(
    kurso: &Kurso,
    owner: UserId,
    course_id: CourseId,
    mut draft: CourseDraft,
    report: &mut Report,
    kept: &mut Vec<File>,
    job: Option<&Claim>,
) -> Result<Stored> {
    let now = kurso.clock.now();
    let by_key = settle_all(kurso, &mut draft, report, kept, now).await?;
    let mut tx = kurso.db.begin().await?;
    let code = course(&mut tx, course_id, owner, &draft, now).await?;
    for file in kept.iter() {
        files::insert(&mut tx, file, owner).await?;
    }
    tree(&mut tx, course_id, owner, 0, &draft, &by_key, now).await?;
    // Without a job it is whoever runs the server.
    let entry = Entry::new(Act::CourseImported).by(job.map(|_| owner)).to(owner);
    finish(tx, course_id, entry, job, now).await?;
    Ok(Stored {
        course_id,
        share_code: sharing::shown(&code),
    })
}

/// Puts the bytes of the files into the store and the addresses they get there into the pages, each of which is checked.
/// Answers with the files by the keys of the draft and those they are stored under.
async fn settle_all(
    kurso: &Kurso,
    draft: &mut CourseDraft,
    report: &mut Report,
    kept: &mut Vec<File>,
    now: DateTime<Utc>,
) -> Result<HashMap<String, FileId>> {
    let mut urls = HashMap::new();
    let mut by_key = HashMap::new();
    for file in &draft.files {
        let stored = keep(kurso, file, now, kept).await?;
        urls.insert(file.address(), stored.url());
        by_key.insert(file.key.clone(), stored.id);
        by_key.insert(stored.key, stored.id);
    }
    for page in draft.pages_mut() {
        page.map_addresses(|address| urls.get(address).cloned());
        settle(page, report)?;
    }
    Ok(by_key)
}

/// Puts the bytes into the store; the row follows in the transaction.
pub(super) async fn keep(kurso: &Kurso, file: &FileDraft, now: DateTime<Utc>, kept: &mut Vec<File>) -> Result<File> {
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
    };
    // Known before it is stored, so that a half-written one is removed as well.
    kept.push(row.clone());
    let (size, sha256) = kurso.files.put_file(&row.key, &file.path).await?;
    row.sha256 = Some(sha256.to_vec());
    row.size = i64::try_from(size).map_err(Error::internal)?;
    if let Some(last) = kept.last_mut() {
        last.clone_from(&row);
    }
    Ok(row)
}

/// The course's row; answers with its share code as stored.
async fn course(tx: &mut Tx, id: CourseId, owner: UserId, draft: &CourseDraft, now: DateTime<Utc>) -> Result<String> {
    let code = sharing::new_code();
    sql!(
        "INSERT INTO courses (id, owner_id, title, description, share_code, structure_version, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, 1, $6, $6)",
        id,
        owner,
        &draft.title,
        &draft.description,
        &code,
        now
    )
    .execute(tx)
    .await?;
    Ok(code)
}

struct Row<'a, P, I, T> {
    parent: P,
    id: I,
    position: i64,
    what: &'a T,
}

/// Children of `parent` in order, each with a new id.
fn rows<'a, P: Copy + 'a, I, T>(
    parent: P,
    list: &'a [T],
    id: impl Fn(&T) -> I + 'a,
) -> impl Iterator<Item = Row<'a, P, I, T>> + 'a {
    (0..).zip(list).map(move |(position, what)| Row {
        parent,
        id: id(what),
        position,
        what,
    })
}

/// `first`: the position of the first module.
async fn tree(
    tx: &mut Tx,
    course: CourseId,
    owner: UserId,
    first: i64,
    draft: &CourseDraft,
    files: &HashMap<String, FileId>,
    now: DateTime<Utc>,
) -> Result<()> {
    let avatar = |module: &ModuleDraft| module.avatar.as_ref().and_then(|key| files.get(key).copied());
    let modules: Vec<_> = rows((), &draft.modules, |module| ModuleId(module.id)).collect();
    for chunk in modules.chunks(ROWS) {
        sql!(
            "INSERT INTO modules
             (id, course_id, title, description, avatar_file_id, key, position, created_at, updated_at) VALUES "
        )
        .push_values(chunk, |sql, row| {
            let sql = sql
                .push_bind(row.id)
                .push(", ")
                .push_bind(course)
                .push(", ")
                .push_bind(&row.what.title);
            let sql = sql
                .push(", ")
                .push_bind(&row.what.description)
                .push(", ")
                .push_bind(avatar(row.what))
                .push(", ")
                .push_bind(&row.what.key)
                .push(", ")
                .push_bind(first + row.position);
            sql.push(", ").push_bind(now).push(", ").push_bind(now)
        })
        .execute(&mut *tx)
        .await?;
    }
    let lessons: Vec<_> = modules
        .iter()
        .flat_map(|module| rows(module.id, &module.what.lessons, |lesson| LessonId(lesson.id)))
        .collect();
    for chunk in lessons.chunks(ROWS) {
        sql!("INSERT INTO lessons (id, module_id, course_id, title, key, position, created_at, updated_at) VALUES ")
            .push_values(chunk, |sql, row| {
                let sql = sql
                    .push_bind(row.id)
                    .push(", ")
                    .push_bind(row.parent)
                    .push(", ")
                    .push_bind(course);
                let sql = sql
                    .push(", ")
                    .push_bind(&row.what.title)
                    .push(", ")
                    .push_bind(&row.what.key)
                    .push(", ")
                    .push_bind(row.position);
                sql.push(", ").push_bind(now).push(", ").push_bind(now)
            })
            .execute(&mut *tx)
            .await?;
    }
    let pages: Vec<_> = lessons
        .iter()
        .flat_map(|lesson| rows(lesson.id, &lesson.what.pages, |page| PageId(page.id)))
        .collect();
    for chunk in pages.chunks(ROWS) {
        sql!(
            "INSERT INTO pages
             (id, lesson_id, course_id, title, kind, key, position, published, max_attempts, version, created_at, updated_at)
             VALUES "
        )
        .push_values(chunk, |sql, row| {
            let sql = sql
                .push_bind(row.id)
                .push(", ")
                .push_bind(row.parent)
                .push(", ")
                .push_bind(course);
            let sql = sql
                .push(", ")
                .push_bind(&row.what.title)
                .push(", ")
                .push_bind(match row.what.quiz {
                    None => PageKind::Content,
                    Some(_) => PageKind::Quiz,
                });
            let sql = sql.push(", ").push_bind(&row.what.key);
            let sql = sql.push(", ").push_bind(row.position);
            let sql = sql.push(", ").push_bind(row.what.published);
            let attempts = row.what.quiz.as_ref().and_then(|quiz| quiz.max_attempts).map(i64::from);
            let sql = sql.push(", ").push_bind(attempts).push(", 1, ");
            sql.push_bind(now).push(", ").push_bind(now)
        })
        .execute(&mut *tx)
        .await?;
    }
    for chunk in pages.chunks(TEXTS) {
        let quizzes: Vec<Option<String>> = chunk
            .iter()
            .map(|row| row.what.quiz.as_ref().map(Quiz::to_text).transpose())
            .collect::<Result<_>>()?;
        sql!("INSERT INTO page_contents (page_id, content, quiz, editor_id) VALUES ")
            .push_values(chunk.iter().zip(quizzes), |sql, (row, quiz)| {
                sql.push_bind(row.id)
                    .push(", ")
                    .push_bind(row.what.content.as_str())
                    .push(", ")
                    .push_bind(quiz)
                    .push(", ")
                    .push_bind(owner)
            })
            .execute(&mut *tx)
            .await?;
    }
    let shown: Vec<(Uuid, FileId)> = pages
        .iter()
        .flat_map(|row| row.what.files().into_iter().map(|key| (row.id.0, key)))
        .filter_map(|(page, key)| Some((page, *files.get(&key)?)))
        .collect();
    for chunk in shown.chunks(ROWS) {
        sql!("INSERT INTO page_files (page_id, file_id) VALUES ")
            .push_values(chunk, |sql, (page, file)| {
                sql.push_bind(*page).push(", ").push_bind(*file)
            })
            .execute(&mut *tx)
            .await?;
    }
    Ok(())
}
