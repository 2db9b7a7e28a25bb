//! Moves to another database: copies a snapshot row by row and verifies the result. If it is interrupted, or the server
//! still writes to the source, the next run copies the differences. A school therefore stays online until the last run.
//! The source is only read.

use std::collections::HashMap;

use futures_util::TryStreamExt as _;

use super::rows::{self, sum_of};
use super::{Error, Progress, Result};
use crate::files::FileStore;
use crate::search_index;
use kurso_base::error::is_foreign_key_violation;
use kurso_base::hex::hex;
use kurso_db::sql;
use kurso_db::tables::{self, Fields, Table};
use kurso_db::{Db, Version};

/// Rows compared and written at a time, and the maximum bytes of their lines.
const CHUNK_ROWS: usize = 2_000;
const CHUNK_BYTES: usize = 4 << 20;
/// Rows of files per statement.
const FILES_CHUNK: i64 = 500;

/// The result of a move: every table with its number of rows and the hash of its lines, which are equal on both sides.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Moved {
    pub tables: Vec<(String, u64, String)>,
    /// Rows written or deleted by this run.
    pub changed: u64,
}

/// Copies all rows. `name` identifies the source: a target that already holds an unfinished move from another source is
/// rejected.
pub async fn move_all(source: &Db, target: &Db, name: &str, progress: Progress<'_>) -> Result<Moved> {
    match source.version().await? {
        Version::Current(_) => {}
        Version::None => {
            return Err(Error::Refused(
                "there is nothing to move: the database is empty".to_owned(),
            ));
        }
        Version::Older(_) => {
            return Err(Error::Refused(
                "the database is older than this binary; start the server of this version on it once".to_owned(),
            ));
        }
        Version::Newer(version) => {
            return Err(Error::Refused(format!(
                "the database is newer than this binary: it knows migration {version}; use a newer kurso"
            )));
        }
    }
    let is_resumed = prepare(target, name).await?;
    let mut snapshot = source.snapshot().await?;
    let tables = tables::tables(&mut snapshot).await?;
    let mut changed = 0;
    let mut is_clean = true;
    if is_resumed {
        // Deletes first, because a new row may have the address or number of a deleted one.
        for table in tables.iter().rev() {
            progress(&table.name);
            let (removed, all) = delete_missing(table, &mut snapshot, target).await?;
            changed += removed;
            is_clean &= all;
        }
    }
    for table in &tables {
        progress(&table.name);
        changed += copy(table, &mut snapshot, target).await?;
    }
    if !is_clean {
        for table in tables.iter().rev() {
            changed += delete_missing(table, &mut snapshot, target).await?.0;
        }
    }
    snapshot.close().await?;

    progress("verifying");
    let (mut here, mut there) = (source.snapshot().await?, target.snapshot().await?);
    let mut moved = Moved {
        tables: vec![],
        changed,
    };
    let mut differing = Vec::new();
    for table in &tables {
        let (from, to) = tokio::join!(sum_of(table, &mut here), sum_of(table, &mut there));
        let ((rows, hash), to) = (from?, to?);
        if (rows, &hash) != (to.0, &to.1) {
            differing.push(table.name.as_str());
        }
        moved.tables.push((table.name.clone(), rows, hash));
    }
    here.close().await?;
    there.close().await?;
    if !differing.is_empty() {
        return Err(Error::Differs(format!(
            "the source changed during the move ({}); stop the server and run the command again, it copies the differences",
            differing.join(", ")
        )));
    }
    Ok(moved)
}

/// Creates the tables and marks the target as unfinished. Returns whether a move had been started before.
async fn prepare(target: &Db, name: &str) -> Result<bool> {
    if target.has_unfinished_move().await? {
        let begun = sql!("SELECT source FROM unfinished_move")
            .fetch_optional::<(String,)>(target)
            .await?;
        return match begun {
            Some((begun,)) if begun != name => Err(Error::Refused(format!(
                "the target holds an unfinished move from {begun}; use an empty database"
            ))),
            _ => Ok(true),
        };
    }
    if !matches!(target.version().await?, Version::None) {
        let mut snapshot = target.snapshot().await?;
        for table in tables::tables(&mut snapshot).await? {
            if !table.is_empty(&mut snapshot).await? {
                return Err(Error::Refused(format!(
                    "the target is not empty: there are rows in {}; use an empty database",
                    table.name
                )));
            }
        }
        snapshot.close().await?;
    }
    target.migrate().await?;
    let mut tx = target.begin().await?;
    sql!("CREATE TABLE unfinished_move (source TEXT NOT NULL PRIMARY KEY)")
        .execute(&mut tx)
        .await?;
    sql!("INSERT INTO unfinished_move (source) VALUES ($1)", name)
        .execute(&mut tx)
        .await?;
    tx.commit().await?;
    Ok(false)
}

/// Indexes the target for the search and marks the move as finished, including files; a server may then start on the target.
pub async fn finish_move(target: &Db) -> Result<()> {
    search_index::update(target).await?;
    sql!("DROP TABLE unfinished_move").execute(target).await?;
    Ok(())
}

/// The rows of the source that are compared together.
async fn next_chunk(
    rows: &mut (impl futures_util::Stream<Item = kurso_db::Result<Fields>> + Unpin),
) -> Result<Vec<Fields>> {
    let (mut chunk, mut line) = (Vec::new(), Vec::new());
    while chunk.len() < CHUNK_ROWS && line.len() < CHUNK_BYTES {
        let Some(row) = rows.try_next().await? else { break };
        rows::write(&row, &mut line)?;
        chunk.push(row);
    }
    Ok(chunk)
}

/// Writes the rows that are missing or different in the target. Returns their number.
async fn copy(table: &Table, snapshot: &mut kurso_db::Snapshot, target: &Db) -> Result<u64> {
    let mut there = target.snapshot().await?;
    let is_empty = table.is_empty(&mut there).await?;
    there.close().await?;
    let mut rows = table.rows(snapshot)?;
    let (mut written, mut after) = (0, None);
    loop {
        let chunk = next_chunk(&mut rows).await?;
        let Some(last) = chunk.last().map(|row| table.key_of(row)) else {
            return Ok(written);
        };
        let mut tx = target.begin().await?;
        let missing = if is_empty {
            chunk
        } else {
            let there = table.between(&mut tx, after.as_ref(), Some(&last)).await?;
            let there: HashMap<String, Fields> = there.into_iter().map(|row| (key_text(table, &row), row)).collect();
            chunk
                .into_iter()
                .filter(|row| there.get(&key_text(table, row)) != Some(row))
                .collect()
        };
        if !missing.is_empty() {
            table.write(&mut tx, &missing, !is_empty).await?;
            tx.commit().await?;
            written += missing.len() as u64;
        }
        after = Some(last);
    }
}

/// Deletes rows that no longer exist in the source. Returns their number, and whether all were deleted: a row that is
/// still referenced stays until the referring row was copied.
async fn delete_missing(table: &Table, snapshot: &mut kurso_db::Snapshot, target: &Db) -> Result<(u64, bool)> {
    let mut rows = table.rows(snapshot)?;
    let (mut removed, mut is_clean, mut after) = (0, true, None);
    loop {
        let chunk = next_chunk(&mut rows).await?;
        let until = chunk.last().map(|row| table.key_of(row));
        let mut tx = target.begin().await?;
        let there = table.between(&mut tx, after.as_ref(), until.as_ref()).await?;
        let here: std::collections::HashSet<String> = chunk.iter().map(|row| key_text(table, row)).collect();
        let gone = there.iter().filter(|row| !here.contains(&key_text(table, row)));
        let gone: Vec<Fields> = gone.map(|row| table.key_of(row)).collect();
        if !gone.is_empty() {
            match table.remove(&mut tx, &gone).await {
                Ok(()) => {
                    tx.commit().await?;
                    removed += gone.len() as u64;
                }
                Err(error) if is_foreign_key_violation(&error) => is_clean = false,
                Err(error) => return Err(error.into()),
            }
        }
        if until.is_none() {
            return Ok((removed, is_clean));
        }
        after = until;
    }
}

fn key_text(table: &Table, row: &Fields) -> String {
    format!("{:?}", table.key_of(row))
}

/// Copies the bytes of all files of the source and reads each back; files that exist already are compared. Returns the
/// number of files and bytes.
pub async fn move_files(source: &Db, from: &FileStore, to: &FileStore, progress: Progress<'_>) -> Result<(u64, u64)> {
    let mut snapshot = source.snapshot().await?;
    let (mut count, mut bytes) = (0, 0);
    let mut last = String::new();
    progress("files");
    loop {
        let rows = sql!(
            "SELECT key FROM files WHERE key > $1 ORDER BY key LIMIT $2",
            last.clone(),
            FILES_CHUNK
        )
        .fetch_all::<(String,)>(&mut snapshot)
        .await?;
        let Some((end,)) = rows.last() else { break };
        last.clone_from(end);
        for (key,) in rows {
            let Some((size, hash)) = from.read_through(&key).await? else {
                tracing::warn!(key, "the bytes of a file are not stored, so they are not copied");
                continue;
            };
            if to.read_through(&key).await? != Some((size, hash)) {
                let mut writer = to.write(&key).await?;
                let mut pieces = from.get(&key, None).await?;
                while let Some(piece) = pieces.try_next().await? {
                    writer.write(piece).await?;
                }
                let written = writer.finish().await?;
                if written != hash || to.read_through(&key).await? != Some((size, hash)) {
                    let hash = hex(&hash);
                    return Err(Error::Differs(format!(
                        "the stored copy of the file {key} ({hash}) differs"
                    )));
                }
            }
            count += 1;
            bytes += size;
        }
    }
    snapshot.close().await?;
    Ok((count, bytes))
}
