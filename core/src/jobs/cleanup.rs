//! Cleanup job for finished jobs: cancels jobs whose owner never decided, releases files, deletes old rows.

use crate::{Kurso, files};
use kurso_base::error::Result;
use kurso_base::ids::{FileId, JobId};
use kurso_db::sql;

use super::{DECISION_TIMEOUT, RETENTION};

/// Rows per statement.
const CHUNK: i64 = 500;

/// Runs the cleanup once and returns the number of deleted rows. Several nodes may run it at the same time.
pub async fn cleanup(kurso: &Kurso) -> Result<u64> {
    let now = kurso.clock.now();
    sql!(
        "UPDATE jobs SET state = 'cancelled', is_cancelled = TRUE, ended_at = $1, updated_at = $1
         WHERE state = 'ready' AND updated_at <= $2",
        now,
        now - DECISION_TIMEOUT
    )
    .execute(&kurso.db)
    .await?;
    let with_files = sql!(
        "SELECT id, file_id FROM jobs WHERE ended_at IS NOT NULL AND file_id IS NOT NULL LIMIT $1",
        CHUNK
    )
    .fetch_all::<(JobId, FileId)>(&kurso.db)
    .await?;
    for (job, file) in with_files {
        release_file(kurso, job, file).await?;
    }
    kurso.files.remove_work(now - chrono::Duration::days(1)).await?;
    Ok(sql!("DELETE FROM jobs WHERE ended_at <= $1", now - RETENTION)
        .execute(&kurso.db)
        .await?)
}

/// Detaches the file of a finished job and deletes it if nothing else refers to it.
pub(crate) async fn release_file(kurso: &Kurso, job: JobId, file: FileId) -> Result<()> {
    sql!(
        "UPDATE jobs SET file_id = NULL WHERE id = $1 AND file_id = $2 AND ended_at IS NOT NULL",
        job,
        file
    )
    .execute(&kurso.db)
    .await?;
    files::cleanup::delete_if_unused(kurso, file).await
}
