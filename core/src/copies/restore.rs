//! Restoring a backup into an empty database: verified before anything is written, and all of it or nothing.

use std::collections::HashMap;
use std::path::Path;

use sha2::{Digest as _, Sha256};

use super::archive::ArchiveReader;
use super::manifest::{FILES, FORMAT, FORMAT_VERSION, FileLine, MANIFEST, Manifest, TableEntry, file_name, table_name};
use super::rows::{self, Sum, hex, sum_of};
use super::{Error, Progress, Result};
use crate::db::tables::{self, Fields, Table};
use crate::db::{Db, Tx, Version};
use crate::files::FileStore;

/// Bytes of the longest manifest.
const LONGEST: usize = 64 << 20;
/// Rows written at once, and the bytes of their lines.
const ROWS: usize = 1_000;
const BYTES: usize = 4 << 20;

/// What was restored.
#[derive(Clone, Debug)]
pub struct Restored {
    pub manifest: Manifest,
    /// Files that were in the store already, the same to the byte.
    pub files_there: u64,
}

/// Restores the backup at `path` into a database without tables or without rows, and its files into a store. A backup of an
/// earlier version gets the tables of its time first and is brought up to this binary after.
pub async fn restore(db: &Db, files: &FileStore, path: &Path, progress: Progress<'_>) -> Result<Restored> {
    let archive = ArchiveReader::open(path).await?;
    let manifest = read_manifest(&archive).await?;
    let newest = crate::db::newest();
    if manifest.migration > newest {
        return Err(Error::Refused(format!(
            "the backup was made by a newer kurso ({}): its tables know migration {}, this binary {newest}",
            manifest.made_by, manifest.migration
        )));
    }
    require_empty(db, manifest.migration).await?;
    progress("verifying the backup");
    let lines = verify(&archive, &manifest).await?;

    db.migrate_to(manifest.migration).await?;
    let mut snapshot = db.snapshot().await?;
    let tables = tables::tables(&mut snapshot).await?;
    snapshot.close().await?;
    let entries = matched(&tables, &manifest)?;

    let mut written = Vec::new();
    let done = write(db, files, &archive, &tables, &entries, &lines, &mut written, progress).await;
    let files_there = match done {
        Ok(there) => there,
        Err(error) => {
            for key in written {
                if let Err(error) = files.delete(&key).await {
                    tracing::warn!(key, %error, "a file of a failed restore is left to the sweeper");
                }
            }
            return Err(error);
        }
    };
    progress("verifying the database");
    let mut snapshot = db.snapshot().await?;
    for (table, entry) in tables.iter().zip(&entries) {
        if sum_of(table, &mut snapshot).await? != (entry.rows, entry.sha256.clone()) {
            return Err(Error::Differs(format!(
                "the table {} is not what the backup holds",
                table.name
            )));
        }
    }
    snapshot.close().await?;
    db.migrate().await?;
    Ok(Restored { manifest, files_there })
}

async fn read_manifest(archive: &ArchiveReader) -> Result<Manifest> {
    let text = archive.entry(MANIFEST).whole(LONGEST).await?;
    let manifest: Manifest =
        serde_json::from_slice(&text).map_err(|error| Error::Damaged(format!("{MANIFEST} cannot be read: {error}")))?;
    if manifest.format != FORMAT {
        return Err(Error::Refused("this is no backup of Kurso".to_owned()));
    }
    if manifest.format_version > FORMAT_VERSION {
        return Err(Error::Refused(format!(
            "the backup was made by a newer kurso ({})",
            manifest.made_by
        )));
    }
    Ok(manifest)
}

async fn require_empty(db: &Db, migration: i64) -> Result<()> {
    let there = match db.version().await? {
        Version::None => return Ok(()),
        Version::Newer(there) | Version::Older(there) | Version::Current(there) => there,
    };
    if db.is_half_moved().await? {
        return Err(Error::Refused("a move has begun to fill this database".to_owned()));
    }
    let mut snapshot = db.snapshot().await?;
    for table in tables::tables(&mut snapshot).await? {
        if !table.is_empty(&mut snapshot).await? {
            return Err(Error::Refused(format!(
                "the database is not empty: there are rows in {}; restore into a new one",
                table.name
            )));
        }
    }
    snapshot.close().await?;
    if there > migration {
        return Err(Error::Refused(
            "the tables of the database are newer than the backup; restore into a database without tables".to_owned(),
        ));
    }
    Ok(())
}

/// Reads all of the backup once; answers with the files in it.
async fn verify(archive: &ArchiveReader, manifest: &Manifest) -> Result<Vec<FileLine>> {
    for table in &manifest.tables {
        let name = table_name(&table.name);
        let (rows, sha256) = lines_sum(archive, &name).await?;
        if (rows, &sha256) != (table.rows, &table.sha256) {
            return Err(Error::Damaged(format!("{name} is not what {MANIFEST} says of it")));
        }
    }
    let (count, sha256) = lines_sum(archive, FILES).await?;
    if (count, &sha256) != (manifest.files.count, &manifest.files.sha256) {
        return Err(Error::Damaged(format!("{FILES} is not what {MANIFEST} says of it")));
    }
    let mut files = Vec::new();
    let mut entry = archive.entry(FILES);
    while let Some(lines) = entry.lines().await? {
        for line in lines {
            let line: FileLine = serde_json::from_slice(&line)
                .map_err(|error| Error::Damaged(format!("{FILES} cannot be read: {error}")))?;
            let is_key = line.key.len() == 32 && line.key.bytes().all(|byte| byte.is_ascii_hexdigit());
            if !is_key {
                return Err(Error::Damaged(format!("{FILES} names no file: {}", line.key)));
            }
            files.push(line);
        }
    }
    for line in &files {
        let (mut size, mut hash) = (0, Sha256::new());
        let mut entry = archive.entry(&file_name(&line.key));
        while let Some(piece) = entry.next().await? {
            size += piece.len() as u64;
            hash.update(&piece);
        }
        if (size, hex(&hash.finalize())) != (line.size, line.sha256.clone()) {
            return Err(Error::Damaged(format!(
                "{} is not what {FILES} says of it",
                file_name(&line.key)
            )));
        }
    }
    Ok(files)
}

async fn lines_sum(archive: &ArchiveReader, name: &str) -> Result<(u64, String)> {
    let mut sum = Sum::default();
    let mut entry = archive.entry(name);
    while let Some(lines) = entry.lines().await? {
        lines.iter().for_each(|line| sum.add(line));
    }
    Ok(sum.finish())
}

/// The backup's entry of each table of the database, which are the same: both are of one migration.
fn matched(tables: &[Table], manifest: &Manifest) -> Result<Vec<TableEntry>> {
    let mut entries: HashMap<&str, &TableEntry> = manifest
        .tables
        .iter()
        .map(|entry| (entry.name.as_str(), entry))
        .collect();
    let matched = tables.iter().map(|table| {
        entries
            .remove(table.name.as_str())
            .filter(|entry| entry.columns == table.columns)
            .cloned()
            .ok_or_else(|| Error::Damaged(format!("it has no table {} as the database has one", table.name)))
    });
    let matched = matched.collect::<Result<Vec<_>>>()?;
    match entries.keys().next() {
        None => Ok(matched),
        Some(name) => Err(Error::Damaged(format!("it has a table {name}, the database has none"))),
    }
}

/// Files first: bytes without a row are nothing, a row without bytes is a hole. Answers with how many were there already.
#[expect(clippy::too_many_arguments, reason = "one call, and what it works on")]
async fn write(
    db: &Db,
    files: &FileStore,
    archive: &ArchiveReader,
    tables: &[Table],
    entries: &[TableEntry],
    lines: &[FileLine],
    written: &mut Vec<String>,
    progress: Progress<'_>,
) -> Result<u64> {
    let mut there = 0;
    progress("files");
    for line in lines {
        let stored = files.read_through(&line.key).await?;
        if stored.is_some_and(|(size, hash)| size == line.size && hex(&hash) == line.sha256) {
            there += 1;
            continue;
        }
        if stored.is_none() {
            written.push(line.key.clone());
        }
        let mut writer = files.write(&line.key).await?;
        let mut entry = archive.entry(&file_name(&line.key));
        while let Some(piece) = entry.next().await? {
            writer.write(piece).await?;
        }
        if hex(&writer.finish().await?) != line.sha256 {
            return Err(Error::Differs(format!("the file {} was not stored as it is", line.key)));
        }
    }
    let mut tx = db.begin().await?;
    for (table, entry) in tables.iter().zip(entries) {
        progress(&table.name);
        write_table(&mut tx, archive, table, entry).await?;
    }
    tx.commit().await?;
    Ok(there)
}

async fn write_table(tx: &mut Tx, archive: &ArchiveReader, table: &Table, entry: &TableEntry) -> Result<()> {
    let mut reader = archive.entry(&table_name(&table.name));
    let (mut rows, mut bytes): (Vec<Fields>, usize) = (Vec::new(), 0);
    while let Some(lines) = reader.lines().await? {
        for line in lines {
            rows.push(rows::read(&entry.columns, &line)?);
            bytes += line.len();
            if rows.len() >= ROWS || bytes >= BYTES {
                table.write(tx, &rows, false).await?;
                rows.clear();
                bytes = 0;
            }
        }
    }
    table.write(tx, &rows, false).await?;
    Ok(())
}
