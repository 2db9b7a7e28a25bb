//! The manifest of a backup: the tables and files in it, their sizes and hashes.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use kurso_db::tables::Column;

/// Identifies a file as a backup.
pub const FORMAT: &str = "kurso-backup";
/// Increased when older readers would misread a new backup.
pub const FORMAT_VERSION: u32 = 1;

/// The entry `manifest.json`, the last one of a backup.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Manifest {
    pub format: String,
    pub format_version: u32,
    pub made_at: DateTime<Utc>,
    /// The version of the binary that made the backup.
    pub made_by: String,
    /// `sqlite` or `postgres`; a backup can be restored on either.
    pub database: String,
    /// The newest migration of the tables.
    pub migration: i64,
    pub tables: Vec<TableEntry>,
    pub files: FilesEntry,
    /// Keys of files that are in use but whose bytes were missing in the store.
    pub missing: Vec<String>,
}

/// Describes the entry `tables/NAME.ndjson`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TableEntry {
    pub name: String,
    pub columns: Vec<Column>,
    pub rows: u64,
    /// The hash of the entry.
    pub sha256: String,
}

/// Describes the entry `files.ndjson`, which has a line per entry `files/KEY`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FilesEntry {
    pub count: u64,
    pub bytes: u64,
    /// The hash of the entry.
    pub sha256: String,
}

/// A line of `files.ndjson`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FileLine {
    pub key: String,
    pub size: u64,
    pub sha256: String,
}

impl Manifest {
    pub fn rows(&self) -> u64 {
        self.tables.iter().map(|table| table.rows).sum()
    }
}

pub fn table_name(table: &str) -> String {
    format!("tables/{table}.ndjson")
}

pub fn file_name(key: &str) -> String {
    format!("files/{key}")
}

pub const FILES: &str = "files.ndjson";
pub const MANIFEST: &str = "manifest.json";
