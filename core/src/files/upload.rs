//! Uploads: receives a file in chunks, enforces the size limit and the owner's quota, and stores it when it is
//! complete.

use std::collections::HashMap;
use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use chrono::Duration;
use serde_json::Value;
use tokio::sync::Semaphore;

use super::answers;
use super::store::Writer;
use super::{File, insert, name};
use crate::Kurso;
use crate::access::Viewer;
use kurso_base::error::{Error, FieldError, Result};
use kurso_base::ids::{FileId, PageId, UserId};
use kurso_base::messages::Message;
use kurso_base::random;
use kurso_db::sql;
use kurso_db::{Executor, Tx};
use kurso_formats::sniff::{self, HEAD};

/// The operator's limits on files.
#[derive(Clone, Copy, Debug)]
pub struct FileLimits {
    /// Maximum bytes of one file.
    pub max_size: u64,
    /// Maximum bytes of all files of one person.
    pub quota: u64,
    /// How long an unreferenced file is kept.
    pub grace: Duration,
}

impl Default for FileLimits {
    fn default() -> Self {
        FileLimits {
            max_size: 200 << 20,
            quota: 5 << 30,
            grace: Duration::days(7),
        }
    }
}

/// Allowance for the rest of the form: its announced length slightly exceeds that of the file.
const FORM_OVERHEAD: u64 = 64 << 10;

/// A package may be this many times as large as a single file.
const PACKAGE_FACTOR: u64 = 10;

/// Uploads of one person at the same time; further ones get 429.
const MAX_UPLOADS_PER_PERSON: usize = 100;

/// Pictures decoded at the same time: one of 50 megapixels takes 200 MB.
const MAX_DECODING: usize = 1;

/// Pictures waiting to be decoded; further ones get 503.
const MAX_WAITING: usize = 100;

/// Upload limits and the running uploads of this process.
#[derive(Debug)]
pub struct Uploads {
    pub limits: FileLimits,
    running: Mutex<HashMap<UserId, Running>>,
    pub(crate) pictures: Arc<Semaphore>,
    pub(crate) waiting: Semaphore,
    /// Held while a request reads a file of questions: one at a time.
    pub(crate) packages: Arc<Semaphore>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Running {
    uploads: usize,
    bytes: u64,
}

impl Uploads {
    pub fn new(limits: FileLimits) -> Self {
        Uploads {
            limits,
            running: Mutex::default(),
            pictures: Arc::new(Semaphore::new(MAX_DECODING)),
            waiting: Semaphore::new(MAX_WAITING),
            packages: Arc::new(Semaphore::new(1)),
        }
    }

    fn of<T>(&self, person: UserId, change: impl FnOnce(&mut Running) -> T) -> T {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        let state = running.entry(person).or_default();
        let answer = change(state);
        if state.uploads == 0 {
            running.remove(&person);
        }
        answer
    }
}

/// Receives the bytes of an upload.
pub trait Sink: Send {
    /// Maximum number of bytes.
    fn max_size(&self) -> u64;

    /// Called with the name of the file before its bytes arrive. Fails if a file of this name is not accepted.
    fn name(&mut self, _filename: &str) -> Result<()> {
        Ok(())
    }

    fn write(&mut self, bytes: Bytes) -> impl Future<Output = Result<()>> + Send;

    /// Whether a field of this name, beside the file, is read.
    fn accepts_field(&self, _name: &str) -> bool {
        false
    }

    /// Called for such a field when it is read.
    fn field(&mut self, _name: &str, _text: &str) -> impl Future<Output = Result<()>> + Send {
        std::future::ready(Ok(()))
    }
}

/// A file being uploaded. Dropped before `finish`, it leaves nothing.
#[derive(Debug)]
pub struct Upload {
    meter: Meter,
    key: String,
    writer: Writer,
    head: Vec<u8>,
    /// The page of the question, if the file is an answer. Such a file is private.
    answers: Option<PageId>,
}

/// Counts the bytes of an upload against the limit and the quota.
#[derive(Debug)]
pub(crate) struct Meter {
    kurso: Arc<Kurso>,
    person: UserId,
    size: u64,
    max_size: u64,
    /// The quota left when the upload started, ignoring other running uploads.
    room: u64,
}

impl Meter {
    /// `announced` is the length of the form stated by the client.
    pub async fn begin(kurso: &Arc<Kurso>, person: UserId, max_size: u64, announced: Option<u64>) -> Result<Self> {
        let announced = announced.unwrap_or_default().saturating_sub(FORM_OVERHEAD);
        if announced > max_size {
            return Err(too_large(max_size));
        }
        let used = used(&kurso.db, person).await?;
        let room = kurso.uploads.limits.quota.saturating_sub(used);
        kurso.uploads.of(person, |now| {
            if now.uploads >= MAX_UPLOADS_PER_PERSON {
                return Err(Error::RateLimited { retry_after: 5 });
            }
            if now.bytes.saturating_add(announced.max(1)) > room {
                return Err(Error::TooLarge(Message::QuotaFull));
            }
            now.uploads += 1;
            Ok(())
        })?;
        Ok(Meter {
            kurso: kurso.clone(),
            person,
            size: 0,
            max_size,
            room,
        })
    }

    pub fn kurso(&self) -> &Arc<Kurso> {
        &self.kurso
    }

    pub fn size(&self) -> u64 {
        self.size
    }

    pub fn count(&mut self, bytes: u64) -> Result<()> {
        if self.size + bytes > self.max_size {
            return Err(too_large(self.max_size));
        }
        let room = self.room;
        self.kurso.uploads.of(self.person, |now| {
            if now.bytes + bytes > room {
                return Err(Error::TooLarge(Message::QuotaFull));
            }
            now.bytes += bytes;
            Ok(())
        })?;
        self.size += bytes;
        Ok(())
    }
}

impl Drop for Meter {
    fn drop(&mut self) {
        let size = self.size;
        self.kurso.uploads.of(self.person, |now| {
            now.uploads -= 1;
            now.bytes -= size;
        });
    }
}

fn too_large(max_size: u64) -> Error {
    Error::TooLarge(Message::FileTooLarge(max_size))
}

impl Upload {
    /// Starts an upload; anybody with an account may upload. `announced` is the length of the form stated by the client.
    /// Fails with 413 if the file will not fit, with 429 if too many uploads of the person are running.
    pub async fn begin(kurso: &Arc<Kurso>, viewer: &Viewer, announced: Option<u64>) -> Result<Self> {
        Self::begin_with_limit(kurso, viewer, kurso.uploads.limits.max_size, announced).await
    }

    /// As [`Upload::begin`], for a package, which may be ten times as large as a file.
    pub(crate) async fn begin_package(kurso: &Arc<Kurso>, viewer: &Viewer, announced: Option<u64>) -> Result<Self> {
        let max_size = kurso.uploads.limits.max_size.saturating_mul(PACKAGE_FACTOR);
        Self::begin_with_limit(kurso, viewer, max_size, announced).await
    }

    async fn begin_with_limit(
        kurso: &Arc<Kurso>,
        viewer: &Viewer,
        max_size: u64,
        announced: Option<u64>,
    ) -> Result<Self> {
        viewer.require_account()?;
        let meter = Meter::begin(kurso, viewer.id(), max_size, announced).await?;
        let key = random::key();
        Ok(Upload {
            writer: kurso.files.write(&key).await?,
            meter,
            key,
            head: Vec::new(),
            answers: None,
        })
    }

    /// As [`Upload::begin`], for a private file that answers a question of the page. Does not check the viewer's rights.
    pub(crate) async fn begin_answer(
        kurso: &Arc<Kurso>,
        viewer: &Viewer,
        page: PageId,
        announced: Option<u64>,
    ) -> Result<Self> {
        let answers = Some(page);
        Ok(Upload {
            answers,
            ..Self::begin(kurso, viewer, announced).await?
        })
    }

    /// Stores the complete file. Runs to its end even if the caller is dropped, so that bytes and row are always stored
    /// together.
    pub async fn finish(self, filename: &str) -> Result<File> {
        let filename = name::clean(filename);
        let kurso = self.meter.kurso.clone();
        let work = tokio::spawn(self.store(filename));
        let done = work.await.map_err(Error::internal)?;
        kurso
            .metrics
            .upload(done.as_ref().ok().map(|file| file.size.unsigned_abs()));
        done
    }

    async fn store(self, filename: String) -> Result<File> {
        let size = self.meter.size();
        if size == 0 {
            return Err(refused(Message::EmptyFile));
        }
        let kurso = self.meter.kurso();
        let content_type = sniff::content_type(&self.head);
        let image = sniff::image_size(content_type, &self.head);
        let mut file = File {
            id: FileId::new(),
            key: self.key,
            filename,
            content_type: content_type.to_owned(),
            size: i64::try_from(size).map_err(Error::internal)?,
            width: image.map(|image| i64::from(image.width)),
            height: image.map(|image| i64::from(image.height)),
            created_at: kurso.clock.now(),
            sha256: None,
            is_private: self.answers.is_some(),
        };
        file.sha256 = Some(self.writer.finish().await?.to_vec());
        let person = self.meter.person;
        let recorded = async {
            let mut tx = kurso.db.begin().await?;
            record(&mut tx, kurso, &file, person).await?;
            if let Some(page) = self.answers {
                answers::insert(&mut tx, file.id, page, person).await?;
            }
            Ok(tx.commit().await?)
        }
        .await;
        or_delete_bytes(kurso, &file.key, recorded).await?;
        Ok(file)
    }
}

impl Sink for Upload {
    fn max_size(&self) -> u64 {
        self.meter.max_size
    }

    async fn write(&mut self, bytes: Bytes) -> Result<()> {
        self.meter.count(bytes.len() as u64)?;
        let missing = HEAD.saturating_sub(self.head.len()).min(bytes.len());
        self.head.extend(bytes.get(..missing).unwrap_or_default());
        self.writer.write(bytes).await
    }
}

/// Inserts the row of a file if the quota allows it. Locks the owner's row until the transaction ends, so that parallel
/// uploads cannot exceed the quota.
pub(crate) async fn record(tx: &mut Tx, kurso: &Kurso, file: &File, person: UserId) -> Result<()> {
    let locked = sql!("UPDATE users SET is_active = is_active WHERE id = $1", person)
        .execute(&mut *tx)
        .await?;
    if locked == 0 {
        return Err(Error::NotFound(Message::UserGone));
    }
    let used = used(&mut *tx, person).await?;
    if used.saturating_add(file.size.unsigned_abs()) > kurso.uploads.limits.quota {
        return Err(Error::TooLarge(Message::QuotaFull));
    }
    insert(tx, file, person).await
}

/// Deletes the bytes of a file whose row was not written. After a commit without a response the row may exist, so the
/// bytes stay; the cleanup job deletes them if it does not.
pub(crate) async fn or_delete_bytes<T>(kurso: &Kurso, key: &str, recorded: Result<T>) -> Result<T> {
    if recorded.as_ref().is_err_and(|error| !error.is_temporary())
        && let Err(error) = kurso.files.delete(key).await
    {
        tracing::warn!(%error, "a file without a row is left to the cleanup job");
    }
    recorded
}

/// Bytes of all files of a person. A copied course shares the files of the original, which count for their uploader.
async fn used(on: impl Executor, person: UserId) -> Result<u64> {
    let (used,) = sql!(
        "SELECT CAST(COALESCE(SUM(size), 0) AS BIGINT) FROM files WHERE owner_id = $1",
        person
    )
    .fetch_one::<(i64,)>(on)
    .await?;
    Ok(used.unsigned_abs())
}

/// Fails with 413 unless `bytes` more fit into the person's quota after `freed` bytes are deleted.
pub(crate) async fn require_room(kurso: &Kurso, person: UserId, bytes: u64, freed: u64) -> Result<()> {
    let used = used(&kurso.db, person).await?.saturating_sub(freed);
    if used.saturating_add(bytes) > kurso.uploads.limits.quota {
        return Err(Error::TooLarge(Message::QuotaFull));
    }
    Ok(())
}

/// A validation error of the field `file`.
pub(crate) fn refused(message: Message) -> Error {
    Error::invalid(FieldError::body("value_error", "file", message, Value::Null))
}
