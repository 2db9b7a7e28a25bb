//! A move to another database: row by row from a snapshot, verified at the end. Broken off, or with a server that still writes
//! to the source, it is run again and copies what differs; so a school is moved while it works, and closed for the last
//! run alone. The source is only read.

use std::collections::HashMap;

use futures_util::TryStreamExt as _;

use super::rows::{self, hex, sum_of};
use super::{Error, Progress, Result};
use crate::db::tables::{self, Fields, Table};
use crate::db::{Db, Version};
use crate::error::is_foreign_key_violation;
use crate::files::FileStore;
use crate::sql;

/// Rows compared and written at once, and the bytes of their lines.
const ROWS: usize = 2_000;
const BYTES: usize = 4 << 20;
/// Rows of files read at once.
const CHUNK: i64 = 500;

/// What a move came to: each table with its rows and the hash of its lines, the same on both sides.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Moved {
    pub tables: Vec<(String, u64, String)>,
    /// Rows that this run wrote or removed.
    pub changed: u64,
}

/// Copies every row. `name` tells the source from others: a run on a target that was begun from another one is refused.
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
        // What is gone makes room first: what came instead may bear the same address or number.
        for table in tables.iter().rev() {
            progress(&table.name);
            let (removed, all) = remove_gone(table, &mut snapshot, target).await?;
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
            changed += remove_gone(table, &mut snapshot, target).await?.0;
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
            "the source was written to meanwhile ({}); stop the server and run the same again, it copies what differs",
            differing.join(", ")
        )));
    }
    Ok(moved)
}

/// Makes the tables and notes that a move has begun. Says whether one had begun before.
async fn prepare(target: &Db, name: &str) -> Result<bool> {
    if target.is_half_moved().await? {
        let begun = sql!("SELECT source FROM unfinished_move")
            .fetch_optional::<(String,)>(target)
            .await?;
        return match begun {
            Some((begun,)) if begun != name => Err(Error::Refused(format!(
                "a move from {begun} has begun to fill the target; give an empty database"
            ))),
            _ => Ok(true),
        };
    }
    if !matches!(target.version().await?, Version::None) {
        let mut snapshot = target.snapshot().await?;
        for table in tables::tables(&mut snapshot).await? {
            if !table.is_empty(&mut snapshot).await? {
                return Err(Error::Refused(format!(
                    "the target is not empty: there are rows in {}; give an empty database",
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

/// The move is done, files and all: from now on a server starts on the target.
pub async fn finish_move(target: &Db) -> Result<()> {
    sql!("DROP TABLE unfinished_move").execute(target).await?;
    Ok(())
}

/// Rows of the source, as many as are looked at together.
async fn next_chunk(
    rows: &mut (impl futures_util::Stream<Item = crate::db::Result<Fields>> + Unpin),
) -> Result<Vec<Fields>> {
    let (mut chunk, mut line) = (Vec::new(), Vec::new());
    while chunk.len() < ROWS && line.len() < BYTES {
        let Some(row) = rows.try_next().await? else { break };
        rows::write(&row, &mut line)?;
        chunk.push(row);
    }
    Ok(chunk)
}

/// Writes the rows that the target does not have, or has otherwise; answers with how many.
async fn copy(table: &Table, snapshot: &mut crate::db::Snapshot, target: &Db) -> Result<u64> {
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

/// Removes rows that the source no longer has. Says how many, and whether all of them could go: one that something refers to
/// stays until that was copied.
async fn remove_gone(table: &Table, snapshot: &mut crate::db::Snapshot, target: &Db) -> Result<(u64, bool)> {
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

/// Copies the bytes of every file of the source, and reads each back; those that are there already are compared. Answers
/// with how many files and bytes there are.
pub async fn move_files(source: &Db, from: &FileStore, to: &FileStore, progress: Progress<'_>) -> Result<(u64, u64)> {
    let mut snapshot = source.snapshot().await?;
    let (mut count, mut bytes) = (0, 0);
    let mut last = String::new();
    progress("files");
    loop {
        let rows = sql!(
            "SELECT key FROM files WHERE key > $1 ORDER BY key LIMIT $2",
            last.clone(),
            CHUNK
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
                        "the file {key} ({hash}) was not stored as it is"
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
