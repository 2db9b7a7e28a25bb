//! Restores a backup into an empty database: verifies it first, then writes everything or nothing.

use std::collections::HashMap;
use std::path::Path;

use sha2::{Digest as _, Sha256};

use super::archive::ArchiveReader;
use super::manifest::{FILES, FORMAT, FORMAT_VERSION, FileLine, MANIFEST, Manifest, TableEntry, file_name, table_name};
use super::rows::{self, Sum, sum_of};
use super::{Error, Progress, Result};
use crate::files::FileStore;
use crate::search_index;
use kurso_base::hex::hex;
use kurso_db::tables::{self, Fields, Table};
use kurso_db::{Db, Tx, Version};

/// Maximum size of a manifest.
const MAX_MANIFEST: usize = 64 << 20;
/// Rows written per statement batch, and the maximum bytes of their lines.
const CHUNK_ROWS: usize = 1_000;
const CHUNK_BYTES: usize = 4 << 20;

/// The result of a restore.
#[derive(Clone, Debug)]
pub struct Restored {
    pub manifest: Manifest,
    /// Files that the store held already, byte for byte.
    pub files_existing: u64,
}

/// Restores the backup at `path` into a database without tables or rows, and its files into a store. For a backup of an
/// older version, the tables of that version are created first and migrated afterwards.
pub async fn restore(db: &Db, files: &FileStore, path: &Path, progress: Progress<'_>) -> Result<Restored> {
    let archive = ArchiveReader::open(path).await?;
    let manifest = read_manifest(&archive).await?;
    let newest = kurso_db::newest();
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
    let entries = match_tables(&tables, &manifest)?;

    let mut written = Vec::new();
    let done = write(db, files, &archive, &tables, &entries, &lines, &mut written, progress).await;
    let files_existing = match done {
        Ok(existing) => existing,
        Err(error) => {
            for key in written {
                if let Err(error) = files.delete(&key).await {
                    tracing::warn!(key, %error, "a file of a failed restore is left to the cleanup job");
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
                "the restored table {} differs from the backup",
                table.name
            )));
        }
    }
    snapshot.close().await?;
    db.migrate().await?;
    progress("indexing for the search");
    search_index::update(db).await?;
    Ok(Restored {
        manifest,
        files_existing,
    })
}

async fn read_manifest(archive: &ArchiveReader) -> Result<Manifest> {
    let text = archive.entry(MANIFEST).read_all(MAX_MANIFEST).await?;
    let manifest: Manifest =
        serde_json::from_slice(&text).map_err(|error| Error::Damaged(format!("{MANIFEST} cannot be read: {error}")))?;
    if manifest.format != FORMAT {
        return Err(Error::Refused("this is not a Kurso backup".to_owned()));
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
    let existing = match db.version().await? {
        Version::None => return Ok(()),
        Version::Newer(existing) | Version::Older(existing) | Version::Current(existing) => existing,
    };
    if db.has_unfinished_move().await? {
        return Err(Error::Refused("this database holds an unfinished move".to_owned()));
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
    if existing > migration {
        return Err(Error::Refused(
            "the tables of the database are newer than the backup; restore into a database without tables".to_owned(),
        ));
    }
    Ok(())
}

/// Reads and verifies the whole backup. Returns the files in it.
async fn verify(archive: &ArchiveReader, manifest: &Manifest) -> Result<Vec<FileLine>> {
    for table in &manifest.tables {
        let name = table_name(&table.name);
        let (rows, sha256) = sum_of_lines(archive, &name).await?;
        if (rows, &sha256) != (table.rows, &table.sha256) {
            return Err(Error::Damaged(format!("{name} does not match {MANIFEST}")));
        }
    }
    let (count, sha256) = sum_of_lines(archive, FILES).await?;
    if (count, &sha256) != (manifest.files.count, &manifest.files.sha256) {
        return Err(Error::Damaged(format!("{FILES} does not match {MANIFEST}")));
    }
    let mut files = Vec::new();
    let mut entry = archive.entry(FILES);
    while let Some(lines) = entry.lines().await? {
        for line in lines {
            let line: FileLine = serde_json::from_slice(&line)
                .map_err(|error| Error::Damaged(format!("{FILES} cannot be read: {error}")))?;
            let is_key = line.key.len() == 32 && line.key.bytes().all(|byte| byte.is_ascii_hexdigit());
            if !is_key {
                return Err(Error::Damaged(format!("{FILES} contains an invalid key: {}", line.key)));
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
                "{} does not match {FILES}",
                file_name(&line.key)
            )));
        }
    }
    Ok(files)
}

async fn sum_of_lines(archive: &ArchiveReader, name: &str) -> Result<(u64, String)> {
    let mut sum = Sum::default();
    let mut entry = archive.entry(name);
    while let Some(lines) = entry.lines().await? {
        lines.iter().for_each(|line| sum.add(line));
    }
    Ok(sum.finish())
}

/// The backup's entries in the order of the database's tables; both have the same migration.
fn match_tables(tables: &[Table], manifest: &Manifest) -> Result<Vec<TableEntry>> {
    let mut entries: HashMap<&str, &TableEntry> = manifest
        .tables
        .iter()
        .map(|entry| (entry.name.as_str(), entry))
        .collect();
    let match_tables = tables.iter().map(|table| {
        entries
            .remove(table.name.as_str())
            .filter(|entry| entry.columns == table.columns)
            .cloned()
            .ok_or_else(|| Error::Damaged(format!("the backup lacks the table {}", table.name)))
    });
    let match_tables = match_tables.collect::<Result<Vec<_>>>()?;
    match entries.keys().next() {
        None => Ok(match_tables),
        Some(name) => Err(Error::Damaged(format!("the backup has an unknown table {name}"))),
    }
}

/// Writes files before rows, because bytes without a row are harmless. Returns the number of files that existed.
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
    let mut existing = 0;
    progress("files");
    for line in lines {
        let stored = files.read_through(&line.key).await?;
        if stored.is_some_and(|(size, hash)| size == line.size && hex(&hash) == line.sha256) {
            existing += 1;
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
            return Err(Error::Differs(format!(
                "the stored copy of the file {} differs",
                line.key
            )));
        }
    }
    let mut tx = db.begin().await?;
    for (table, entry) in tables.iter().zip(entries) {
        progress(&table.name);
        write_table(&mut tx, archive, table, entry).await?;
    }
    tx.commit().await?;
    Ok(existing)
}

async fn write_table(tx: &mut Tx, archive: &ArchiveReader, table: &Table, entry: &TableEntry) -> Result<()> {
    let mut reader = archive.entry(&table_name(&table.name));
    let (mut rows, mut bytes): (Vec<Fields>, usize) = (Vec::new(), 0);
    while let Some(lines) = reader.lines().await? {
        for line in lines {
            rows.push(rows::read(&entry.columns, &line)?);
            bytes += line.len();
            if rows.len() >= CHUNK_ROWS || bytes >= CHUNK_BYTES {
                table.write(tx, &rows, false).await?;
                rows.clear();
                bytes = 0;
            }
        }
    }
    table.write(tx, &rows, false).await?;
    Ok(())
}
