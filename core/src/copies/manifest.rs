//! What a backup says of itself: which tables and files are in it, how many, and their hashes.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::db::tables::Column;

/// The name by which a backup is known.
pub const FORMAT: &str = "kurso-backup";
/// Raised when a reader of earlier ones would read it wrongly.
pub const FORMAT_VERSION: u32 = 1;

/// The entry `manifest.json`, the last in a backup.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Manifest {
    pub format: String,
    pub format_version: u32,
    pub made_at: DateTime<Utc>,
    /// The version of the binary.
    pub made_by: String,
    /// `sqlite` or `postgres`; it can be restored on either.
    pub database: String,
    /// The last migration of the tables.
    pub migration: i64,
    pub tables: Vec<TableEntry>,
    pub files: FilesEntry,
    /// Keys of files whose bytes were not in the store, though something shows them.
    pub missing: Vec<String>,
}

/// The entry `tables/NAME.ndjson`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TableEntry {
    pub name: String,
    pub columns: Vec<Column>,
    pub rows: u64,
    /// Of the lines.
    pub sha256: String,
}

/// The entry `files.ndjson`, a line for each entry `files/KEY`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FilesEntry {
    pub count: u64,
    pub bytes: u64,
    /// Of the lines.
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
