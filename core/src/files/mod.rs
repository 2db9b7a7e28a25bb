//! Uploaded files: their bytes in one object store, and a row for each in `files`.

pub mod answers;
mod avif;
pub mod cleanup;
mod name;
pub mod picture;
pub(crate) mod picture_upload;
mod signed;
mod store;
pub mod upload;

use chrono::{DateTime, Utc};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use crate::Kurso;
use kurso_base::error::{Error, Result};
use kurso_base::ids::{FileId, UserId};
use kurso_base::messages::Message;
use kurso_db::Executor;
use kurso_db::sql;

pub use name::{clean as clean_name, numbered as numbered_name};
pub use signed::{FileSigner, FileUrls, Signature};
pub use store::{FileStore, Sha};
pub use upload::{FileLimits, Uploads};

/// A row of `files`.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct File {
    pub id: FileId,
    /// 32 hexadecimal digits from 128 random bits. Knowing the address grants read access.
    pub key: String,
    pub filename: String,
    pub content_type: String,
    pub size: i64,
    pub width: Option<i64>,
    pub height: Option<i64>,
    pub created_at: DateTime<Utc>,
    /// The SHA-256 of the bytes; set only while a file is stored, not when its row is read.
    #[sqlx(default)]
    pub sha256: Option<Vec<u8>>,
    /// Whether the file is served only at signed addresses.
    #[sqlx(default)]
    pub is_private: bool,
}

/// Letters, digits and `-_.~` are kept in the address; all other characters of the name are percent-encoded.
const SEGMENT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

impl File {
    /// `/files/{key}/{filename}`
    pub fn url(&self) -> String {
        address(&self.key, &self.filename)
    }
}

/// The address of an optional file.
pub(crate) fn url_of(key: Option<String>, filename: Option<String>) -> Option<String> {
    Some(address(&key?, &filename?))
}

fn address(key: &str, filename: &str) -> String {
    format!("/files/{key}/{}", utf8_percent_encode(filename, SEGMENT))
}

/// The file at an address, of which `filename` is the last part. Fails with 404 if there is none, if it is private and the address is not
/// signed, and when the address has expired.
pub async fn at_address(kurso: &Kurso, key: &str, filename: &str, signature: Option<Signature<'_>>) -> Result<File> {
    let found = sql!(
        "SELECT id, key, filename, content_type, size, width, height, created_at, is_private FROM files WHERE key = $1",
        key
    );
    let found = found.fetch_optional::<File>(&kurso.db).await?;
    let file = found.ok_or(Error::NotFound(Message::FileNotFound))?;
    if !file.is_private {
        return match file.filename == filename {
            true => Ok(file),
            false => Err(Error::NotFound(Message::FileNotFound)),
        };
    }
    let signature = signature.filter(|signature| kurso.file_signer.is_signed(key, filename, *signature));
    match signature {
        None => Err(Error::NotFound(Message::FileNotFound)),
        Some(signature) if signature.expires <= kurso.clock.now().timestamp() => {
            Err(Error::NotFound(Message::FileAddressExpired))
        }
        Some(_) => Ok(File {
            filename: filename.to_owned(),
            ..file
        }),
    }
}

/// Inserts the row of a file whose bytes are stored.
pub async fn insert(on: impl Executor, file: &File, owner: UserId) -> Result<()> {
    sql!(
        "INSERT INTO files (id, key, owner_id, filename, content_type, size, width, height, created_at, sha256, is_private)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
        file.id,
        &file.key,
        owner,
        &file.filename,
        &file.content_type,
        file.size,
        file.width,
        file.height,
        file.created_at,
        &file.sha256,
        file.is_private
    )
    .execute(on)
    .await?;
    Ok(())
}
