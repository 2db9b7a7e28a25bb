//! Files: bytes in one object store, a row each in `files` (contract 7).

mod avif;
mod name;
pub mod picture;
pub mod sniff;
mod store;
pub mod sweep;
pub mod upload;

use chrono::{DateTime, Utc};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use crate::db::Executor;
use crate::error::{Error, Result};
use crate::ids::{FileId, UserId};
use crate::messages::Message;
use crate::sql;

pub use name::clean as clean_name;
pub use store::{FileStore, Sha};
pub use upload::{Rules, Uploads};

/// A file's row.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct File {
    pub id: FileId,
    /// 32 hexadecimal digits, 128 random bits: who holds the address may read.
    pub key: String,
    pub filename: String,
    pub content_type: String,
    pub size: i64,
    pub width: Option<i64>,
    pub height: Option<i64>,
    pub created_at: DateTime<Utc>,
    /// Of its bytes, when they are being stored; not read with the row.
    #[sqlx(default)]
    pub sha256: Option<Vec<u8>>,
}

/// Letters, digits and `-_.~` stay; the rest of a file's name is percent-encoded in its address.
const SEGMENT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

impl File {
    /// `/files/{key}/{filename}`
    pub fn url(&self) -> String {
        address(&self.key, &self.filename)
    }
}

/// The address of a file that may not be there.
pub(crate) fn url_of(key: Option<String>, filename: Option<String>) -> Option<String> {
    Some(address(&key?, &filename?))
}

fn address(key: &str, filename: &str) -> String {
    format!("/files/{key}/{}", utf8_percent_encode(filename, SEGMENT))
}

/// The row of a file by its key.
pub async fn by_key(on: impl Executor, key: &str) -> Result<File> {
    sql!(
        "SELECT id, key, filename, content_type, size, width, height, created_at FROM files WHERE key = $1",
        key
    )
    .fetch_optional(on)
    .await?
    .ok_or(Error::NotFound(Message::FileNotFound))
}

/// Writes the row of a file whose bytes are stored.
pub async fn insert(on: impl Executor, file: &File, owner: UserId) -> Result<()> {
    sql!(
        "INSERT INTO files (id, key, owner_id, filename, content_type, size, width, height, created_at, sha256)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
        file.id,
        &file.key,
        owner,
        &file.filename,
        &file.content_type,
        file.size,
        file.width,
        file.height,
        file.created_at,
        &file.sha256
    )
    .execute(on)
    .await?;
    Ok(())
}
