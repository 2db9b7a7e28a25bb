//! Consistency checks of files: every row must have its bytes in the store. Bytes without a row are allowed; uploads
//! start with them, and the cleanup job deletes leftovers.

use futures_util::{StreamExt as _, stream};

use super::{Depth, Report, Rule};
use crate::Kurso;
use kurso_base::error::Result;
use kurso_db::Snapshot;
use kurso_db::sql;

/// Files requested from the store at the same time.
const CONCURRENCY: usize = 16;
/// Rows per statement.
const CHUNK: i64 = 500;

#[derive(sqlx::FromRow)]
struct FileRow {
    key: String,
    size: i64,
    sha256: Option<Vec<u8>>,
}

pub async fn check(kurso: &Kurso, on: &mut Snapshot, depth: Depth, report: &mut Report) -> Result<()> {
    let mut last = String::new();
    loop {
        let rows = sql!(
            "SELECT key, size, sha256 FROM files WHERE key > $1 ORDER BY key LIMIT $2",
            last.clone(),
            CHUNK
        )
        .fetch_all::<FileRow>(&mut *on)
        .await?;
        let Some(end) = rows.last() else { return Ok(()) };
        last.clone_from(&end.key);
        report.checked(Rule::Files, rows.len() as u64);
        let asked = stream::iter(&rows).map(|row| async move { (row, problem(kurso, depth, row).await) });
        let answers: Vec<_> = asked.buffer_unordered(CONCURRENCY).collect().await;
        for (row, found) in answers {
            if depth.bytes && row.sha256.is_none() {
                report.without_hash += 1;
            }
            // The cleanup job may have deleted it since the snapshot.
            if let Some(problem) = found?
                && row_exists(kurso, &row.key).await?
            {
                report.found(Rule::Files, format!("files {}", row.key), problem, None);
            }
        }
    }
}

async fn problem(kurso: &Kurso, depth: Depth, row: &FileRow) -> Result<Option<String>> {
    let (size, hash) = if depth.bytes {
        match kurso.files.read_through(&row.key).await? {
            Some((size, hash)) => (size, Some(hash)),
            None => return Ok(Some("its bytes are not stored".to_owned())),
        }
    } else {
        match kurso.files.size(&row.key).await? {
            Some(size) => (size, None),
            None => return Ok(Some("its bytes are not stored".to_owned())),
        }
    };
    if i64::try_from(size) != Ok(row.size) {
        return Ok(Some(format!("{size} bytes are stored, {} are expected", row.size)));
    }
    let differs = hash
        .zip(row.sha256.as_ref())
        .is_some_and(|(hash, known)| hash.as_slice() != known.as_slice());
    Ok(differs.then(|| "its bytes differ from those that were stored".to_owned()))
}

async fn row_exists(kurso: &Kurso, key: &str) -> Result<bool> {
    let row = sql!("SELECT CAST(1 AS BIGINT) FROM files WHERE key = $1", key);
    Ok(row.fetch_optional::<(i64,)>(&kurso.db).await?.is_some())
}
