//! Object store for the bytes of files: a local folder or an S3 bucket behind one interface.
//!
//! Bytes are read and written in chunks, so that no file is held in memory, and a file becomes visible only when it is
//! complete. A folder achieves that by renaming a partial file. A bucket takes parts of at least 5 MiB, too much to
//! buffer for every upload, so uploads are spooled to an unnamed local file first and a few of them at a time are sent
//! on.

mod writer;

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use bytes::{Bytes, BytesMut};
use chrono::{DateTime, Utc};
use futures_util::stream::BoxStream;
use futures_util::{StreamExt as _, TryStreamExt as _};
use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use object_store::local::LocalFileSystem;
use object_store::path::Path as ObjectPath;
use object_store::prefix::PrefixStore;
use object_store::{
    ClientOptions, GetOptions, GetRange, GetResultPayload, ObjectStore, ObjectStoreExt as _, RetryConfig,
};
use sha2::{Digest as _, Sha256};
use tempfile::TempDir;
use tokio::fs::File as AsyncFile;
use tokio::io::{AsyncReadExt as _, AsyncSeekExt as _, AsyncWriteExt as _};
use tokio::sync::Semaphore;
use url::Url;

use kurso_base::error::{Error, Result, message_of, of_io};
use kurso_base::messages::Message;

pub use writer::Writer;
use writer::WriterKind;

/// Bytes per read or write on a folder.
const CHUNK: usize = 64 << 10;

/// S3's minimum part size. Some servers require equal sizes for all parts but the last.
const MIN_PART: usize = 5 << 20;

/// Files sent to the bucket at the same time; each holds one part in memory.
const MAX_UPLOADS: usize = 4;

/// Files requested from the bucket at the same time. If the bucket hangs, only this many requests wait; further ones
/// fail immediately.
const MAX_WAITING_READS: usize = 64;

/// Default timeout for an unresponsive bucket.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(30);

/// The SHA-256 of a file's bytes.
pub type Sha = [u8; 32];
/// The name prefix of temporary work folders.
const WORK_PREFIX: &str = "work-";

/// A handle to the store; clones share it.
#[derive(Clone, Debug)]
pub struct FileStore {
    objects: Arc<dyn ObjectStore>,
    location: Location,
}

#[derive(Clone, Debug)]
enum Location {
    Folder(PathBuf),
    /// `spool` is the folder of uploads that wait to be sent.
    Bucket {
        spool: PathBuf,
        upload_slots: Arc<Semaphore>,
        /// Limits requests that wait for the first byte of a file.
        read_slots: Arc<Semaphore>,
        timeout: Duration,
    },
}

impl FileStore {
    /// Opens a folder, which is created if missing.
    pub fn folder(path: &Path) -> Result<Self> {
        std::fs::create_dir_all(path).map_err(Error::internal)?;
        let store = LocalFileSystem::new_with_prefix(path)
            .map_err(Error::internal)?
            .with_fsync(true);
        Ok(FileStore {
            objects: Arc::new(store),
            location: Location::Folder(path.to_owned()),
        })
    }

    /// Opens `s3://bucket/prefix`. `options` holds the usual AWS variables (`AWS_ENDPOINT_URL`, `AWS_REGION`,
    /// `AWS_ALLOW_HTTP`, …); others are ignored. Uploads are spooled in the folder `spool`.
    pub fn s3(address: &str, options: &[(String, String)], spool: &Path) -> Result<Self> {
        Self::s3_with_timeout(DEFAULT_TIMEOUT, address, options, spool)
    }

    /// As [`FileStore::s3`], with an explicit timeout for an unresponsive bucket.
    pub fn s3_with_timeout(
        timeout: Duration,
        address: &str,
        options: &[(String, String)],
        spool: &Path,
    ) -> Result<Self> {
        // Fails harmlessly if another store of the process installed it.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let url = Url::parse(address).map_err(Error::internal)?;
        let bucket = url.host_str().unwrap_or_default();
        if url.scheme() != "s3" || bucket.is_empty() {
            return Err(Error::internal("`s3://bucket/prefix` is expected"));
        }
        // No timeout for a whole response: a long video is read slowly.
        let client = ClientOptions::new()
            .with_timeout_disabled()
            .with_connect_timeout(Duration::from_secs(5))
            .with_read_timeout(timeout);
        let retry = RetryConfig {
            max_retries: 3,
            retry_timeout: timeout,
            ..RetryConfig::default()
        };
        let mut builder = AmazonS3Builder::new().with_client_options(client).with_retry(retry);
        for (name, value) in options {
            if let Ok(key) = name.to_ascii_lowercase().parse::<AmazonS3ConfigKey>() {
                builder = builder.with_config(key, value);
            }
        }
        let store = builder.with_bucket_name(bucket).build().map_err(Error::internal)?;
        let prefix = ObjectPath::parse(url.path()).map_err(Error::internal)?;
        std::fs::create_dir_all(spool).map_err(Error::internal)?;
        Ok(FileStore {
            objects: Arc::new(PrefixStore::new(store, prefix)),
            location: Location::Bucket {
                spool: spool.to_owned(),
                upload_slots: Arc::new(Semaphore::new(MAX_UPLOADS)),
                read_slots: Arc::new(Semaphore::new(MAX_WAITING_READS)),
                timeout,
            },
        })
    }

    /// Checks that the store is reachable, by requesting a file that does not exist.
    pub async fn check(&self) -> Result<()> {
        match self.objects.head(&object("00000000000000000000000000000000")).await {
            Ok(_) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(Error::internal(error)),
        }
    }

    /// Stores a small file under its key.
    pub async fn put(&self, key: &str, bytes: Bytes) -> Result<()> {
        self.objects.put(&object(key), bytes.into()).await.map_err(failed)?;
        Ok(())
    }

    /// Stores a local file under a key. Returns its size and hash.
    pub async fn put_file(&self, key: &str, path: &Path) -> Result<(u64, Sha)> {
        let mut file = AsyncFile::open(path).await.map_err(Error::internal)?;
        let mut writer = self.write(key).await?;
        let mut size = 0;
        loop {
            let mut chunk = BytesMut::with_capacity(CHUNK);
            if file.read_buf(&mut chunk).await.map_err(Error::internal)? == 0 {
                break;
            }
            size += chunk.len() as u64;
            writer.write(chunk.freeze()).await?;
        }
        Ok((size, writer.finish().await?))
    }

    /// Starts storing a file in chunks.
    pub async fn write(&self, key: &str) -> Result<Writer> {
        let kind = match &self.location {
            Location::Folder(_) => WriterKind::Folder(self.objects.put_multipart(&object(key)).await.map_err(failed)?),
            Location::Bucket {
                spool,
                upload_slots,
                timeout,
                ..
            } => WriterKind::Bucket {
                objects: self.objects.clone(),
                key: object(key),
                waiting: self::spool(spool.clone()).await?,
                upload_slots: upload_slots.clone(),
                timeout: *timeout,
            },
        };
        Ok(Writer {
            kind,
            hash: Sha256::new(),
            pending: Vec::new(),
            pending_bytes: 0,
        })
    }

    /// Creates an unnamed temporary file beside the store; it disappears when closed.
    pub async fn scratch(&self) -> Result<AsyncFile> {
        match &self.location {
            Location::Folder(path) | Location::Bucket { spool: path, .. } => spool(path.clone()).await,
        }
    }

    /// Creates a temporary work folder beside the store, deleted on drop. The system's temporary folder is often in
    /// memory.
    pub async fn create_work_folder(&self) -> Result<TempDir> {
        let folder = self.work_root();
        let made = tokio::task::spawn_blocking(move || {
            let folder = match std::fs::create_dir_all(&folder) {
                Ok(()) => folder,
                // The store may be a mount point whose parent is not writable.
                Err(_) => std::env::temp_dir(),
            };
            tempfile::Builder::new().prefix(WORK_PREFIX).tempdir_in(&folder)
        });
        made.await.map_err(Error::internal)?.map_err(of_io)
    }

    /// The parent of all work folders. It is outside the store, whose files are listed.
    fn work_root(&self) -> PathBuf {
        let (Location::Folder(path) | Location::Bucket { spool: path, .. }) = &self.location;
        path.parent().unwrap_or(path).join(".kurso-work")
    }

    /// Deletes work folders older than `before`, left by processes that died.
    pub(crate) async fn remove_work(&self, before: DateTime<Utc>) -> Result<()> {
        let folder = self.work_root();
        let work = tokio::task::spawn_blocking(move || {
            let entries = match std::fs::read_dir(&folder) {
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
                entries => entries?,
            };
            for entry in entries {
                let entry = entry?;
                let is_work_folder = entry.file_name().to_string_lossy().starts_with(WORK_PREFIX);
                if is_work_folder && entry.metadata()?.modified()? < SystemTime::from(before) {
                    std::fs::remove_dir_all(entry.path())?;
                }
            }
            Ok::<(), std::io::Error>(())
        });
        work.await.map_err(Error::internal)?.map_err(Error::internal)
    }

    /// The bytes of a file, or a range of them. Fails with [`Error::Busy`] when too many requests wait for the bucket.
    pub async fn get(&self, key: &str, range: Option<Range<u64>>) -> Result<BoxStream<'static, Result<Bytes>>> {
        let options = GetOptions {
            range: range.map(GetRange::Bounded),
            ..GetOptions::default()
        };
        let _slot = match &self.location {
            Location::Folder(_) => None,
            Location::Bucket { read_slots, .. } => Some(read_slots.try_acquire().map_err(|_| Error::Busy)?),
        };
        let found = self.objects.get_opts(&object(key), options).await.map_err(failed)?;
        let range = found.range.clone();
        Ok(match found.payload {
            // The store's own stream would read 8 KiB at a time.
            GetResultPayload::File(file, _) => read_range(AsyncFile::from_std(file), range).await?,
            GetResultPayload::Stream(stream) => stream.map_err(failed).boxed(),
        })
    }

    /// Copies a file to a local path; fails with 404 if there is none.
    pub async fn copy_to(&self, key: &str, path: &Path) -> Result<()> {
        let mut bytes = self.get(key, None).await?;
        let mut out = AsyncFile::create(path).await.map_err(of_io)?;
        while let Some(chunk) = bytes.try_next().await? {
            out.write_all(&chunk).await.map_err(of_io)?;
        }
        out.flush().await.map_err(of_io)
    }

    /// The stored size of a file; None if there is none.
    pub async fn size(&self, key: &str) -> Result<Option<u64>> {
        match self.objects.head(&object(key)).await {
            Ok(meta) => Ok(Some(meta.size)),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(failed(error)),
        }
    }

    /// Reads a whole file. Returns its size and hash; None if there is none.
    pub async fn read_through(&self, key: &str) -> Result<Option<(u64, Sha)>> {
        let mut bytes = match self.get(key, None).await {
            Ok(bytes) => bytes,
            Err(Error::NotFound(_)) => return Ok(None),
            Err(error) => return Err(error),
        };
        let (mut size, mut hash) = (0, Sha256::new());
        while let Some(chunk) = bytes.try_next().await? {
            size += chunk.len() as u64;
            hash.update(&chunk);
        }
        Ok(Some((size, hash.finalize().into())))
    }

    /// Deletes a file's bytes; succeeds if there are none.
    pub async fn delete(&self, key: &str) -> Result<()> {
        match self.objects.delete(&object(key)).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(failed(error)),
        }
    }

    /// All stored keys with their modification times.
    pub(crate) fn list(&self) -> BoxStream<'static, Result<(String, DateTime<Utc>)>> {
        let found = self.objects.list(None).map_err(failed);
        found
            .try_filter_map(async |meta| {
                let key = meta.location.filename().filter(|key| object(key) == meta.location);
                Ok(key.map(|key| (key.to_owned(), meta.last_modified)))
            })
            .boxed()
    }

    /// Deletes incomplete uploads older than `before`, left by processes that died. Returns their number.
    pub(super) async fn remove_partial(&self, before: DateTime<Utc>) -> Result<u64> {
        match &self.location {
            Location::Folder(path) => {
                let path = path.clone();
                let work = move || remove_partial(&path, before.into());
                tokio::task::spawn_blocking(work)
                    .await
                    .map_err(Error::internal)?
                    .map_err(Error::internal)
            }
            // Unnamed spool files disappear with their process.
            Location::Bucket { .. } => Ok(0),
        }
    }
}

async fn read_range(mut file: AsyncFile, range: Range<u64>) -> Result<BoxStream<'static, Result<Bytes>>> {
    file.set_max_buf_size(CHUNK);
    if range.start > 0 {
        file.seek(std::io::SeekFrom::Start(range.start)).await.map_err(of_io)?;
    }
    let left = range.end.saturating_sub(range.start);
    let chunks = futures_util::stream::try_unfold((file, left), async |(mut file, left)| {
        if left == 0 {
            return Ok(None);
        }
        let wanted = usize::try_from(left).unwrap_or(CHUNK).min(CHUNK);
        let mut chunk = BytesMut::with_capacity(wanted);
        if (&mut file)
            .take(wanted as u64)
            .read_buf(&mut chunk)
            .await
            .map_err(of_io)?
            == 0
        {
            return Err(Error::internal("a stored file is shorter than it was"));
        }
        let left = left - chunk.len() as u64;
        Ok(Some((chunk.freeze(), (file, left))))
    });
    Ok(chunks.boxed())
}

async fn spool(folder: PathBuf) -> Result<AsyncFile> {
    let file = tokio::task::spawn_blocking(move || tempfile::tempfile_in(folder)).await;
    Ok(AsyncFile::from_std(file.map_err(Error::internal)?.map_err(of_io)?))
}

/// Deletes incomplete files, which `LocalFileSystem` names `ab/abcd…#1`.
fn remove_partial(folder: &Path, before: SystemTime) -> std::io::Result<u64> {
    let mut removed = 0;
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        if !entry.file_type()?.is_dir() {
            continue;
        }
        for entry in std::fs::read_dir(entry.path())? {
            let entry = entry?;
            let partial = entry.file_name().to_string_lossy().contains('#');
            if partial && entry.metadata()?.modified()? < before {
                std::fs::remove_file(entry.path())?;
                removed += 1;
            }
        }
    }
    Ok(removed)
}

/// A full disk or an unresponsive bucket may recover, so these errors are reported as temporary.
fn failed(error: object_store::Error) -> Error {
    use object_store::Error::{Generic, NotFound, PermissionDenied, Unauthenticated};
    if let NotFound { .. } = error {
        return Error::NotFound(Message::FileNotFound);
    }
    let message = match (disk_error(&error).and_then(message_of), &error) {
        (Some(message), _) => message,
        (None, Generic { store: "S3", .. } | PermissionDenied { .. } | Unauthenticated { .. }) => Message::StoreAway,
        (None, _) => return Error::internal(error),
    };
    tracing::error!(%error, "the store of the files failed");
    Error::Unavailable(message)
}

/// The I/O error of the disk among the causes, if any.
fn disk_error<'a>(error: &'a (dyn std::error::Error + 'static)) -> Option<&'a std::io::Error> {
    std::iter::successors(Some(error), |error| error.source()).find_map(|error| error.downcast_ref())
}

/// Keys are spread over folders: `ab/abcd…`.
fn object(key: &str) -> ObjectPath {
    ObjectPath::from_iter([key.get(..2).unwrap_or("00"), key])
}
