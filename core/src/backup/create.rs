//! Backups: writes the whole database and all files, as of one moment, into a single file while the server runs.

use std::collections::HashSet;
use std::path::Path;

use bytes::Bytes;
use futures_util::TryStreamExt as _;
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use super::archive::ArchiveWriter;
use super::manifest::{FILES, FORMAT, FORMAT_VERSION, FileLine, FilesEntry, MANIFEST, Manifest, TableEntry};
use super::manifest::{file_name, table_name};
use super::rows::{self, Sum};
use super::{Error, Progress, Result};
use crate::Kurso;
use crate::files::cleanup::in_use;
use kurso_base::error;
use kurso_base::hex::hex;
use kurso_db::sql;
use kurso_db::tables::{self, Table, Value};
use kurso_db::{Snapshot, Version};

/// Approximate size of the chunks of lines.
const CHUNK_BYTES: usize = 128 << 10;
/// Rows of files per statement.
const CHUNK: i64 = 500;

/// The result of a backup.
#[derive(Clone, Debug)]
pub struct BackupResult {
    pub manifest: Manifest,
    /// Messages for the operator, in English, such as missing files.
    pub warnings: Vec<String>,
}

/// Writes a backup to `path`, which must not exist. `made_by` is the version of the binary.
///
/// Files are read after the snapshot was taken. If the cleanup job deletes an unused file in between, its row is left
/// out of the backup; a missing file that is in use is reported. Files that become unused during the backup are kept
/// for the grace period, which must therefore be longer than a backup takes.
pub async fn backup(kurso: &Kurso, path: &Path, made_by: &str, progress: Progress<'_>) -> Result<BackupResult> {
    let migration = match kurso.db.version().await? {
        Version::Current(version) | Version::Older(version) => version,
        Version::None => return Err(Error::Refused("the database is empty".to_owned())),
        Version::Newer(version) => {
            return Err(Error::Refused(format!(
                "the database is newer than this binary: it knows migration {version}; use a newer kurso"
            )));
        }
    };
    let mut archive = ArchiveWriter::create(path)?;
    let mut snapshot = kurso.db.snapshot().await?;
    match write(kurso, &mut snapshot, &mut archive, (migration, made_by), progress).await {
        Ok(made) => {
            archive.finish().await?;
            snapshot.close().await?;
            Ok(made)
        }
        Err(error) => {
            archive.discard().await;
            Err(error)
        }
    }
}

async fn write(
    kurso: &Kurso,
    snapshot: &mut Snapshot,
    archive: &mut ArchiveWriter,
    (migration, made_by): (i64, &str),
    progress: Progress<'_>,
) -> Result<BackupResult> {
    let made_at = kurso.clock.now();
    let tables = tables::tables(snapshot).await?;
    progress("files");
    let files = copy_files(kurso, snapshot, archive).await?;
    let mut entries = Vec::with_capacity(tables.len());
    for table in &tables {
        progress(&table.name);
        entries.push(copy_table(table, snapshot, archive, &files.swept).await?);
    }
    let manifest = Manifest {
        format: FORMAT.to_owned(),
        format_version: FORMAT_VERSION,
        made_at,
        made_by: made_by.to_owned(),
        database: kurso.db.name().to_owned(),
        migration,
        tables: entries,
        files: files.entry,
        missing: files.missing,
    };
    let text = serde_json::to_vec_pretty(&manifest).map_err(std::io::Error::from)?;
    archive.start(MANIFEST.to_owned(), true).await?;
    archive.write(text.into()).await?;
    Ok(BackupResult {
        manifest,
        warnings: files.warnings,
    })
}

async fn copy_table(
    table: &Table,
    snapshot: &mut Snapshot,
    archive: &mut ArchiveWriter,
    swept: &HashSet<Uuid>,
) -> Result<TableEntry> {
    let file = file_column(table);
    archive.start(table_name(&table.name), true).await?;
    let (mut sum, mut piece) = (Sum::default(), Vec::new());
    let mut rows = table.rows(snapshot)?;
    while let Some(mut row) = rows.try_next().await? {
        if let Some(file) = file.and_then(|place| row.get_mut(place))
            && matches!(file, Value::Uuid(id) if swept.contains(id))
        {
            match table.name.as_str() {
                "files" | "answer_files" => continue,
                _ => *file = Value::Null,
            }
        }
        let start = piece.len();
        rows::write(&row, &mut piece)?;
        sum.add(piece.get(start..).unwrap_or_default());
        if piece.len() >= CHUNK_BYTES {
            archive.write(std::mem::take(&mut piece).into()).await?;
        }
    }
    archive.write(piece.into()).await?;
    let (rows, sha256) = sum.finish();
    Ok(TableEntry {
        name: table.name.clone(),
        columns: table.columns.clone(),
        rows,
        sha256,
    })
}

/// The column with a file id whose file may be deleted by the cleanup job after the snapshot was taken. Rows of `files` and
/// `answer_files` are then left out; an ended job no longer names its file.
fn file_column(table: &Table) -> Option<usize> {
    let name = match table.name.as_str() {
        "files" => "id",
        "answer_files" | "jobs" => "file_id",
        _ => return None,
    };
    table.columns.iter().position(|column| column.name == name)
}

struct Files {
    entry: FilesEntry,
    /// Ids of files that are gone.
    swept: HashSet<Uuid>,
    missing: Vec<String>,
    warnings: Vec<String>,
}

async fn copy_files(kurso: &Kurso, snapshot: &mut Snapshot, archive: &mut ArchiveWriter) -> Result<Files> {
    let mut files = Files {
        entry: FilesEntry {
            count: 0,
            bytes: 0,
            sha256: String::new(),
        },
        swept: HashSet::new(),
        missing: vec![],
        warnings: vec![],
    };
    let (mut sum, mut lines) = (Sum::default(), Vec::new());
    let mut last = String::new();
    loop {
        let rows = sql!(
            "SELECT key, id, size FROM files WHERE key > $1 ORDER BY key LIMIT $2",
            last.clone(),
            CHUNK
        )
        .fetch_all::<(String, Uuid, i64)>(&mut *snapshot)
        .await?;
        let Some((end, ..)) = rows.last() else { break };
        last.clone_from(end);
        for (key, id, size) in rows {
            let Some(line) = copy_file(kurso, archive, &key).await? else {
                if was_cleaned_up(kurso, snapshot, &key).await? {
                    files.swept.insert(id);
                } else {
                    files
                        .warnings
                        .push(format!("the bytes of the file {key} are not stored"));
                    files.missing.push(key);
                }
                continue;
            };
            if i64::try_from(line.size) != Ok(size) {
                let warning = format!("the file {key} has {} bytes, {size} are expected", line.size);
                files.warnings.push(warning);
            }
            files.entry.count += 1;
            files.entry.bytes += line.size;
            let start = lines.len();
            serde_json::to_writer(&mut lines, &line).map_err(std::io::Error::from)?;
            lines.push(b'\n');
            sum.add(lines.get(start..).unwrap_or_default());
        }
    }
    archive.start(FILES.to_owned(), true).await?;
    archive.write(Bytes::from(lines)).await?;
    (_, files.entry.sha256) = sum.finish();
    Ok(files)
}

/// Copies a file; None if its bytes are not stored.
async fn copy_file(kurso: &Kurso, archive: &mut ArchiveWriter, key: &str) -> Result<Option<FileLine>> {
    let mut bytes = match kurso.files.get(key, None).await {
        Ok(bytes) => bytes,
        Err(error::Error::NotFound(_)) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    archive.start(file_name(key), false).await?;
    let (mut size, mut hash) = (0, Sha256::new());
    while let Some(piece) = bytes.try_next().await? {
        size += piece.len() as u64;
        hash.update(&piece);
        archive.write(piece).await?;
    }
    Ok(Some(FileLine {
        key: key.to_owned(),
        size,
        sha256: hex(&hash.finalize()),
    }))
}

/// Whether the cleanup job deleted the file since the snapshot, in which nothing referred to it.
async fn was_cleaned_up(kurso: &Kurso, snapshot: &mut Snapshot, key: &str) -> Result<bool> {
    let shown = sql!(concat!("SELECT id FROM files WHERE key = $1 AND ", in_use!()), key);
    if shown.fetch_optional::<(Uuid,)>(snapshot).await?.is_some() {
        return Ok(false);
    }
    let there = sql!("SELECT id FROM files WHERE key = $1", key);
    Ok(there.fetch_optional::<(Uuid,)>(&kurso.db).await?.is_none())
}
