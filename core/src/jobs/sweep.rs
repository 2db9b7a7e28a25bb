//! What is left of jobs goes: the files of those that have ended, those nobody has a word for, and after a while the rows.

use crate::error::Result;
use crate::ids::{FileId, JobId};
use crate::{Kurso, files, sql};

use super::{MEMORY, PATIENCE};

/// Rows of one statement.
const AT_ONCE: i64 = 500;

/// Ends what waits for its person for too long, lets go of files, forgets what ended long ago; answers with how many rows went.
/// Several nodes may do so at once.
pub async fn sweep(kurso: &Kurso) -> Result<u64> {
    let now = kurso.clock.now();
    sql!(
        "UPDATE jobs SET state = 'cancelled', is_cancelled = TRUE, ended_at = $1, updated_at = $1
         WHERE state = 'ready' AND updated_at <= $2",
        now,
        now - PATIENCE
    )
    .execute(&kurso.db)
    .await?;
    let held = sql!(
        "SELECT id, file_id FROM jobs WHERE ended_at IS NOT NULL AND file_id IS NOT NULL LIMIT $1",
        AT_ONCE
    )
    .fetch_all::<(JobId, FileId)>(&kurso.db)
    .await?;
    for (job, file) in held {
        let_go(kurso, job, file).await?;
    }
    kurso.files.remove_work(now - chrono::Duration::days(1)).await?;
    Ok(sql!("DELETE FROM jobs WHERE ended_at <= $1", now - MEMORY)
        .execute(&kurso.db)
        .await?)
}

/// A job that has ended needs its file no more. What else names the file keeps it.
pub(crate) async fn let_go(kurso: &Kurso, job: JobId, file: FileId) -> Result<()> {
    sql!(
        "UPDATE jobs SET file_id = NULL WHERE id = $1 AND file_id = $2 AND ended_at IS NOT NULL",
        job,
        file
    )
    .execute(&kurso.db)
    .await?;
    files::sweep::now(kurso, file).await
}
