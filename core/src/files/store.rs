//! Where the bytes of files are: one interface over a folder and a bucket.
//!
//! Bytes come and go in parts, so a file is never whole in memory; and nobody sees a file before all of it is there. In a
//! folder that is a name beside the final one and a renaming. A bucket takes parts of 5 MiB at least, too much to hold for
//! every upload under way: there the bytes wait in a file without a name, and a few at a time are sent on.

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
    ClientOptions, GetOptions, GetRange, GetResultPayload, MultipartUpload, ObjectStore, ObjectStoreExt as _,
    PutPayload, RetryConfig,
};
use sha2::{Digest as _, Sha256};
use tempfile::TempDir;
use tokio::fs::File as AsyncFile;
use tokio::io::{AsyncReadExt as _, AsyncSeekExt as _, AsyncWriteExt as _};
use tokio::sync::Semaphore;
use url::Url;

use crate::error::{Error, Result, message_of, of_io};
use crate::messages::Message;

/// Bytes that are read from or written to a folder at once.
const CHUNK: usize = 64 << 10;

/// The smallest part a bucket takes; all but the last must be equal for some.
const PART: usize = 5 << 20;

/// Files sent to a bucket at once, a part of each in memory.
const SENDING: usize = 4;

/// Files of a bucket that are waited for at once. A bucket that hangs keeps no more requests than these; those who come beyond
/// them are told so without waiting.
const ASKING: usize = 64;

/// How long a bucket may be silent, when nobody says otherwise.
const PATIENCE: Duration = Duration::from_secs(30);

/// The SHA-256 of a file's bytes.
pub type Sha = [u8; 32];
/// How the names of folders begin in which somebody works.
const WORK: &str = "work-";

/// Where the bytes are. Cheap to clone.
#[derive(Clone, Debug)]
pub struct FileStore {
    objects: Arc<dyn ObjectStore>,
    place: Place,
}

#[derive(Clone, Debug)]
enum Place {
    Folder(PathBuf),
    /// `spool`: the folder of the files that wait to be sent.
    Bucket {
        spool: PathBuf,
        sending: Arc<Semaphore>,
        /// Those who wait for the first byte of a file.
        asking: Arc<Semaphore>,
        patience: Duration,
    },
}

impl FileStore {
    /// A folder, made when absent.
    pub fn folder(path: &Path) -> Result<Self> {
        std::fs::create_dir_all(path).map_err(Error::internal)?;
        let store = LocalFileSystem::new_with_prefix(path)
            .map_err(Error::internal)?
            .with_fsync(true);
        Ok(FileStore {
            objects: Arc::new(store),
            place: Place::Folder(path.to_owned()),
        })
    }

    /// `s3://bucket/prefix`. `options` are the usual variables by their names, `AWS_ENDPOINT_URL`, `AWS_REGION`,
    /// `AWS_ALLOW_HTTP`, …; those of other purposes are passed over. Uploads wait in the folder `spool`.
    pub fn s3(address: &str, options: &[(String, String)], spool: &Path) -> Result<Self> {
        Self::s3_within(PATIENCE, address, options, spool)
    }

    /// The same; the bucket may be silent for so long.
    pub fn s3_within(patience: Duration, address: &str, options: &[(String, String)], spool: &Path) -> Result<Self> {
        // Two stores in one process find it installed, which is fine.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let url = Url::parse(address).map_err(Error::internal)?;
        let bucket = url.host_str().unwrap_or_default();
        if url.scheme() != "s3" || bucket.is_empty() {
            return Err(Error::internal("`s3://bucket/prefix` is expected"));
        }
        // No limit on the whole of an answer: a long film is watched slowly.
        let client = ClientOptions::new()
            .with_timeout_disabled()
            .with_connect_timeout(Duration::from_secs(5))
            .with_read_timeout(patience);
        let retry = RetryConfig {
            max_retries: 3,
            retry_timeout: patience,
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
            place: Place::Bucket {
                spool: spool.to_owned(),
                sending: Arc::new(Semaphore::new(SENDING)),
                asking: Arc::new(Semaphore::new(ASKING)),
                patience,
            },
        })
    }

    /// Asks for a file that is not there: an error says that the store cannot be reached.
    pub async fn check(&self) -> Result<()> {
        match self.objects.head(&object("00000000000000000000000000000000")).await {
            Ok(_) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(Error::internal(error)),
        }
    }

    /// Stores the bytes of a small file under its key.
    pub async fn put(&self, key: &str, bytes: Bytes) -> Result<()> {
        self.objects.put(&object(key), bytes.into()).await.map_err(failed)?;
        Ok(())
    }

    /// Stores the bytes of a file of this machine under a key; answers with how many there are, and their hash.
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

    /// Begins to store a file in parts.
    pub async fn write(&self, key: &str) -> Result<Writer> {
        let kind = match &self.place {
            Place::Folder(_) => Kind::Folder(self.objects.put_multipart(&object(key)).await.map_err(failed)?),
            Place::Bucket {
                spool,
                sending,
                patience,
                ..
            } => Kind::Bucket {
                objects: self.objects.clone(),
                key: object(key),
                waiting: self::spool(spool.clone()).await?,
                sending: sending.clone(),
                patience: *patience,
            },
        };
        Ok(Writer {
            kind,
            hash: Sha256::new(),
            pending: Vec::new(),
            pending_bytes: 0,
        })
    }

    /// A nameless file beside the store: bytes on their way, gone when it is closed.
    pub async fn scratch(&self) -> Result<AsyncFile> {
        match &self.place {
            Place::Folder(path) | Place::Bucket { spool: path, .. } => spool(path.clone()).await,
        }
    }

    /// A folder of its own beside the store, for work on many files; gone when dropped. The system's own place for such is
    /// memory on many machines.
    pub async fn work(&self) -> Result<TempDir> {
        let folder = self.work_folder();
        let made = tokio::task::spawn_blocking(move || {
            let folder = match std::fs::create_dir_all(&folder) {
                Ok(()) => folder,
                // A store on a disk of its own, with nothing to be written beside it.
                Err(_) => std::env::temp_dir(),
            };
            tempfile::Builder::new().prefix(WORK).tempdir_in(&folder)
        });
        made.await.map_err(Error::internal)?.map_err(of_io)
    }

    /// Beside the store and not in it: what lies in the store is listed, and what names a package may have is not known.
    fn work_folder(&self) -> PathBuf {
        let (Place::Folder(path) | Place::Bucket { spool: path, .. }) = &self.place;
        path.parent().unwrap_or(path).join(".kurso-work")
    }

    /// Removes the folders of work that ended with their process before this time.
    pub(crate) async fn remove_work(&self, before: DateTime<Utc>) -> Result<()> {
        let folder = self.work_folder();
        let work = tokio::task::spawn_blocking(move || {
            let entries = match std::fs::read_dir(&folder) {
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
                entries => entries?,
            };
            for entry in entries {
                let entry = entry?;
                let ours = entry.file_name().to_string_lossy().starts_with(WORK);
                if ours && entry.metadata()?.modified()? < SystemTime::from(before) {
                    std::fs::remove_dir_all(entry.path())?;
                }
            }
            Ok::<(), std::io::Error>(())
        });
        work.await.map_err(Error::internal)?.map_err(Error::internal)
    }

    /// The bytes of a file, or the part of them in `range`.
    pub async fn get(&self, key: &str, range: Option<Range<u64>>) -> Result<BoxStream<'static, Result<Bytes>>> {
        let options = GetOptions {
            range: range.map(GetRange::Bounded),
            ..GetOptions::default()
        };
        let _place = match &self.place {
            Place::Folder(_) => None,
            Place::Bucket { asking, .. } => Some(asking.try_acquire().map_err(|_| Error::Busy)?),
        };
        let found = self.objects.get_opts(&object(key), options).await.map_err(failed)?;
        let range = found.range.clone();
        Ok(match found.payload {
            // The store's own stream would take 8 KiB at a time.
            GetResultPayload::File(file, _) => part_of(AsyncFile::from_std(file), range).await?,
            GetResultPayload::Stream(stream) => stream.map_err(failed).boxed(),
        })
    }

    /// Copies a file to this machine; 404 when there is none.
    pub async fn copy_to(&self, key: &str, path: &Path) -> Result<()> {
        let mut bytes = self.get(key, None).await?;
        let mut out = AsyncFile::create(path).await.map_err(of_io)?;
        while let Some(chunk) = bytes.try_next().await? {
            out.write_all(&chunk).await.map_err(of_io)?;
        }
        out.flush().await.map_err(of_io)
    }

    /// How many bytes of a file are stored; None when there is no such file.
    pub async fn size(&self, key: &str) -> Result<Option<u64>> {
        match self.objects.head(&object(key)).await {
            Ok(meta) => Ok(Some(meta.size)),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(failed(error)),
        }
    }

    /// Reads all bytes of a file: how many there are, and their hash. None when there is no such file.
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

    /// Removes the bytes of a file; fine when there are none.
    pub async fn delete(&self, key: &str) -> Result<()> {
        match self.objects.delete(&object(key)).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(failed(error)),
        }
    }

    /// The keys of all that is stored, each with when it was.
    pub(crate) fn list(&self) -> BoxStream<'static, Result<(String, DateTime<Utc>)>> {
        let found = self.objects.list(None).map_err(failed);
        found
            .try_filter_map(async |meta| {
                let key = meta.location.filename().filter(|key| object(key) == meta.location);
                Ok(key.map(|key| (key.to_owned(), meta.last_modified)))
            })
            .boxed()
    }

    /// Removes what uploads left that ended with their process before this time; answers with how many there were.
    pub(super) async fn remove_partial(&self, before: DateTime<Utc>) -> Result<u64> {
        match &self.place {
            Place::Folder(path) => {
                let path = path.clone();
                let work = move || remove_partial(&path, before.into());
                tokio::task::spawn_blocking(work)
                    .await
                    .map_err(Error::internal)?
                    .map_err(Error::internal)
            }
            // Nothing is left of a file without a name.
            Place::Bucket { .. } => Ok(0),
        }
    }
}

/// Bytes on their way into the store. Dropped before `finish`, it leaves nothing.
#[derive(Debug)]
pub struct Writer {
    kind: Kind,
    hash: Sha256,
    /// What came in small pieces.
    pending: Vec<Bytes>,
    pending_bytes: usize,
}

#[derive(Debug)]
enum Kind {
    Folder(Box<dyn MultipartUpload>),
    Bucket {
        objects: Arc<dyn ObjectStore>,
        key: ObjectPath,
        waiting: AsyncFile,
        sending: Arc<Semaphore>,
        patience: Duration,
    },
}

impl Writer {
    pub async fn write(&mut self, bytes: Bytes) -> Result<()> {
        self.hash.update(&bytes);
        self.pending_bytes += bytes.len();
        self.pending.push(bytes);
        if self.pending_bytes >= CHUNK {
            self.flush().await?;
        }
        Ok(())
    }

    async fn flush(&mut self) -> Result<()> {
        self.pending_bytes = 0;
        let pending = std::mem::take(&mut self.pending);
        match &mut self.kind {
            Kind::Folder(upload) => upload.put_part(pending.into_iter().collect()).await.map_err(failed),
            Kind::Bucket { waiting, .. } => {
                for bytes in pending {
                    waiting.write_all(&bytes).await.map_err(of_io)?;
                }
                Ok(())
            }
        }
    }

    /// From now on the file is there. Answers with the hash of its bytes.
    pub async fn finish(mut self) -> Result<Sha> {
        self.flush().await?;
        let hash = self.hash.finalize().into();
        match self.kind {
            Kind::Folder(mut upload) => upload.complete().await.map(drop).map_err(failed)?,
            Kind::Bucket {
                objects,
                key,
                mut waiting,
                sending,
                patience,
            } => {
                waiting.flush().await.map_err(of_io)?;
                waiting.rewind().await.map_err(of_io)?;
                // When those before have waited in vain, so would this one.
                let turn = tokio::time::timeout(patience, sending.acquire()).await;
                let _turn = turn.map_err(|_| Error::Busy)?.map_err(Error::internal)?;
                send(&*objects, &key, waiting).await?;
            }
        }
        Ok(hash)
    }
}

/// Sends a file that waited to its bucket: in one go when it is small, else part by part.
async fn send(objects: &dyn ObjectStore, key: &ObjectPath, mut file: AsyncFile) -> Result<()> {
    let first = next_part(&mut file).await?;
    if first.content_length() < PART {
        objects.put(key, first).await.map_err(failed)?;
        return Ok(());
    }
    let mut upload = objects.put_multipart(key).await.map_err(failed)?;
    let sent = async {
        upload.put_part(first).await.map_err(failed)?;
        loop {
            let part = next_part(&mut file).await?;
            if part.content_length() == 0 {
                break;
            }
            upload.put_part(part).await.map_err(failed)?;
        }
        upload.complete().await.map_err(failed)
    }
    .await;
    match sent {
        Ok(_) => Ok(()),
        Err(error) => {
            if let Err(error) = upload.abort().await {
                tracing::warn!(%key, %error, "an upload to the bucket could not be given up");
            }
            Err(error)
        }
    }
}

async fn next_part(file: &mut AsyncFile) -> Result<PutPayload> {
    let mut part = Vec::with_capacity(PART);
    file.take(PART as u64).read_to_end(&mut part).await.map_err(of_io)?;
    Ok(part.into())
}

async fn part_of(mut file: AsyncFile, range: Range<u64>) -> Result<BoxStream<'static, Result<Bytes>>> {
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

/// The names that `LocalFileSystem` gives what is not whole yet: `ab/abcd…#1`.
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

/// A disk that is full and a bucket that does not answer may be better in a while.
fn failed(error: object_store::Error) -> Error {
    use object_store::Error::{Generic, NotFound, PermissionDenied, Unauthenticated};
    if let NotFound { .. } = error {
        return Error::NotFound(Message::FileNotFound);
    }
    let message = match (of_disk(&error).and_then(message_of), &error) {
        (Some(message), _) => message,
        (None, Generic { store: "S3", .. } | PermissionDenied { .. } | Unauthenticated { .. }) => Message::StoreAway,
        (None, _) => return Error::internal(error),
    };
    tracing::error!(%error, "the store of the files failed");
    Error::Unavailable(message)
}

/// What the disk said, where it was the disk.
fn of_disk<'a>(error: &'a (dyn std::error::Error + 'static)) -> Option<&'a std::io::Error> {
    std::iter::successors(Some(error), |error| error.source()).find_map(|error| error.downcast_ref())
}

/// `ab/abcd…`: not all files in one folder.
fn object(key: &str) -> ObjectPath {
    ObjectPath::from_iter([key.get(..2).unwrap_or("00"), key])
}
