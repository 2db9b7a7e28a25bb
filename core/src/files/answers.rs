//! Files uploaded as answers: their owner, their page, and whether an attempt contains them.

use chrono::{DateTime, Utc};
use kurso_base::error::Result;
use kurso_base::ids::{EnrollmentId, FileId, PageId, UserId};
use kurso_db::{Executor, Tx, sql};
use kurso_formats::quiz::{Answer, AnswerFile, AnswerFiles, FileLocation, files_of};
use uuid::Uuid;

use super::File;

impl From<File> for AnswerFile {
    fn from(file: File) -> Self {
        AnswerFile {
            id: file.id.0,
            filename: file.filename,
            content_type: file.content_type,
            size: file.size,
            location: FileLocation::Key(file.key),
        }
    }
}

/// Inserts the row of a new file that no attempt has yet. Fails with a foreign key violation if the page was deleted.
pub(super) async fn insert(tx: &mut Tx, file: FileId, page: PageId, user: UserId) -> Result<()> {
    sql!(
        "INSERT INTO answer_files (file_id, page_id, user_id) VALUES ($1, $2, $3)",
        file,
        page,
        user
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// The files among `ids` that the user has uploaded for the page; at most [`kurso_db::LIST_LIMIT`] ids. One statement, none without ids.
pub async fn uploaded(on: impl Executor, user: UserId, page: PageId, ids: &[Uuid]) -> Result<AnswerFiles> {
    if ids.is_empty() {
        return Ok(AnswerFiles::new());
    }
    let found = sql!(
        "SELECT f.id, f.key, f.filename, f.content_type, f.size, f.width, f.height, f.created_at
         FROM answer_files a JOIN files f ON f.id = a.file_id WHERE a.user_id = $1 AND a.page_id = $2 AND f.id IN ",
        user,
        page
    );
    let found = found.push_in(ids.iter().copied()).fetch_all::<File>(on).await?;
    Ok(found.into_iter().map(|file| (file.id.0, file.into())).collect())
}

/// Marks the files of a new attempt as submitted, so that the cleanup job keeps them. Returns false if a file was deleted or a reset released it.
pub(crate) async fn submit(
    tx: &mut Tx,
    (user, page): (UserId, PageId),
    answers: &[Answer],
    now: DateTime<Utc>,
) -> Result<bool> {
    let ids: Vec<Uuid> = files_of(answers).map(|file| file.id).collect();
    if ids.is_empty() {
        return Ok(true);
    }
    // Locks the row of the file, so that a concurrent cleanup waits and then finds the file in use.
    let locked = sql!("UPDATE files SET unused_since = NULL WHERE id IN ").push_in(ids.iter().copied());
    let locked = locked.execute(&mut *tx).await?;
    let submitted = sql!("UPDATE answer_files SET submitted_at = COALESCE(submitted_at, ")
        .push_bind(now)
        .push(") WHERE user_id = ")
        .push_bind(user)
        .push(" AND page_id = ")
        .push_bind(page)
        .push(" AND file_id IN ")
        .push_in(ids.iter().copied());
    let submitted = submitted.execute(tx).await?;
    Ok([locked, submitted] == [ids.len() as u64; 2])
}

/// Marks the files of the user's draft for the page, so that the cleanup job keeps them, and unmarks all others. Returns false if a file was deleted
/// meanwhile.
pub(crate) async fn keep_drafted(tx: &mut Tx, (user, page): (UserId, PageId), files: &[AnswerFile]) -> Result<bool> {
    let ids: Vec<Uuid> = files.iter().map(|file| file.id).collect();
    let unmark = sql!(
        "UPDATE answer_files SET is_drafted = FALSE WHERE page_id = $1 AND user_id = $2 AND is_drafted",
        page,
        user
    );
    if ids.is_empty() {
        unmark.execute(tx).await?;
        return Ok(true);
    }
    // As in `submit`.
    let locked = sql!("UPDATE files SET unused_since = NULL WHERE id IN ").push_in(ids.iter().copied());
    let locked = locked.execute(&mut *tx).await?;
    unmark
        .push(" AND file_id NOT IN ")
        .push_in(ids.iter().copied())
        .execute(&mut *tx)
        .await?;
    let marked = sql!(
        "UPDATE answer_files SET is_drafted = TRUE WHERE page_id = $1 AND user_id = $2 AND file_id IN ",
        page,
        user
    );
    let marked = marked.push_in(ids.iter().copied()).execute(tx).await?;
    Ok([locked, marked] == [ids.len() as u64; 2])
}

/// Releases the files of a learner's attempts at a page, so that the cleanup job deletes them. Those that the learner's draft
/// names are kept: nothing that was written for the next attempt is lost.
pub(crate) async fn release(tx: &mut Tx, enrollment: EnrollmentId, page: PageId) -> Result<()> {
    sql!(
        "UPDATE answer_files SET submitted_at = NULL WHERE page_id = $2 AND is_drafted
         AND user_id = (SELECT user_id FROM enrollments WHERE id = $1)",
        enrollment,
        page
    )
    .execute(&mut *tx)
    .await?;
    sql!(
        "DELETE FROM answer_files WHERE page_id = $2 AND submitted_at IS NOT NULL
         AND user_id = (SELECT user_id FROM enrollments WHERE id = $1)",
        enrollment,
        page
    )
    .execute(tx)
    .await?;
    Ok(())
}
