//! Files: bytes in one object store, a row each in `files` (contract 7).

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;
use chrono::{DateTime, Utc};
use futures_util::stream::BoxStream;
use object_store::local::LocalFileSystem;
use object_store::path::Path as ObjectPath;
use object_store::{GetOptions, GetRange, ObjectStore, ObjectStoreExt as _};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use crate::db::Executor;
use crate::error::{Error, Result};
use crate::ids::{FileId, UserId};
use crate::messages::Message;
use crate::sql;

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
}

/// Where the bytes are.
#[derive(Clone, Debug)]
pub struct FileStore(Arc<dyn ObjectStore>);

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
        "INSERT INTO files (id, key, owner_id, filename, content_type, size, width, height, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        file.id,
        &file.key,
        owner,
        &file.filename,
        &file.content_type,
        file.size,
        file.width,
        file.height,
        file.created_at
    )
    .execute(on)
    .await?;
    Ok(())
}

impl FileStore {
    /// A folder, made when absent.
    pub fn folder(path: &Path) -> Result<Self> {
        std::fs::create_dir_all(path).map_err(Error::internal)?;
        let store = LocalFileSystem::new_with_prefix(path)
            .map_err(Error::internal)?
            .with_fsync(true);
        Ok(FileStore(Arc::new(store)))
    }

    /// Stores the bytes of a file under its key.
    pub async fn put(&self, key: &str, bytes: Bytes) -> Result<()> {
        self.0.put(&object(key), bytes.into()).await.map_err(Error::internal)?;
        Ok(())
    }

    /// The bytes of a file, or the part of them in `range`.
    pub async fn get(&self, key: &str, range: Option<Range<u64>>) -> Result<BoxStream<'static, Result<Bytes>>> {
        use futures_util::{StreamExt as _, TryStreamExt as _};
        let options = GetOptions {
            range: range.map(GetRange::Bounded),
            ..GetOptions::default()
        };
        match self.0.get_opts(&object(key), options).await {
            Ok(found) => Ok(found.into_stream().map_err(Error::internal).boxed()),
            Err(object_store::Error::NotFound { .. }) => Err(Error::NotFound(Message::FileNotFound)),
            Err(error) => Err(Error::internal(error)),
        }
    }

    /// Removes the bytes of a file; fine when there are none.
    pub async fn delete(&self, key: &str) -> Result<()> {
        match self.0.delete(&object(key)).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(Error::internal(error)),
        }
    }
}

/// `ab/abcd…`: not all files in one folder.
fn object(key: &str) -> ObjectPath {
    ObjectPath::from_iter([key.get(..2).unwrap_or("00"), key])
}
