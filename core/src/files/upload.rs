//! Uploads: bytes that come in parts, within a limit and a quota, and become a file only when all of them are there
//! (contract 7).

use std::collections::HashMap;
use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use chrono::Duration;
use serde_json::Value;
use tokio::sync::Semaphore;

use super::sniff::{self, HEAD};
use super::store::Writer;
use super::{File, insert, name};
use crate::access::Viewer;
use crate::db::{Executor, Tx};
use crate::error::{Error, FieldError, Result};
use crate::ids::{FileId, UserId};
use crate::messages::Message;
use crate::{Kurso, random, sql};

/// What an operator decides about files.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// Bytes of the largest file.
    pub largest: u64,
    /// Bytes that the files of one person may come to.
    pub quota: u64,
    /// How long a file that nothing uses is kept.
    pub grace: Duration,
}

impl Default for Rules {
    fn default() -> Self {
        Rules {
            largest: 200 << 20,
            quota: 5 << 30,
            grace: Duration::days(7),
        }
    }
}

/// What a form takes beside the file in it: a client that says how long its form is says a little more than the file.
const FORM: u64 = 64 << 10;

/// How many times the largest file a package may have.
const PACKAGE: u64 = 10;

/// Uploads of one person at once; more are told to wait.
const AT_ONCE: usize = 100;

/// Pictures decoded at once: one of 50 megapixels takes 200 MB while it lasts.
const PICTURES: usize = 1;

/// How many may wait for that; beyond it the server says it is busy.
const WAITING: usize = 100;

/// The uploads of this process.
#[derive(Debug)]
pub struct Uploads {
    pub rules: Rules,
    under_way: Mutex<HashMap<UserId, UnderWay>>,
    pub(crate) pictures: Arc<Semaphore>,
    pub(crate) waiting: Semaphore,
}

#[derive(Clone, Copy, Debug, Default)]
struct UnderWay {
    uploads: usize,
    bytes: u64,
}

impl Uploads {
    pub fn new(rules: Rules) -> Self {
        Uploads {
            rules,
            under_way: Mutex::default(),
            pictures: Arc::new(Semaphore::new(PICTURES)),
            waiting: Semaphore::new(WAITING),
        }
    }

    fn of<T>(&self, person: UserId, change: impl FnOnce(&mut UnderWay) -> T) -> T {
        let mut under_way = self.under_way.lock().unwrap_or_else(PoisonError::into_inner);
        let state = under_way.entry(person).or_default();
        let answer = change(state);
        if state.uploads == 0 {
            under_way.remove(&person);
        }
        answer
    }
}

/// Where the bytes of an upload go.
pub trait Sink: Send {
    /// How many bytes it takes at most.
    fn largest(&self) -> u64;

    fn write(&mut self, bytes: Bytes) -> impl Future<Output = Result<()>> + Send;

    /// Is a field of this name, beside the file, to be read?
    fn takes(&self, _name: &str) -> bool {
        false
    }

    /// Such a field.
    fn field(&mut self, _name: &str, _text: String) -> impl Future<Output = Result<()>> + Send {
        std::future::ready(Ok(()))
    }
}

/// A file on its way in. Dropped before `finish`, it leaves nothing.
#[derive(Debug)]
pub struct Upload {
    meter: Meter,
    key: String,
    writer: Writer,
    head: Vec<u8>,
}

/// Counts the bytes of an upload against the limit and the quota.
#[derive(Debug)]
pub(crate) struct Meter {
    kurso: Arc<Kurso>,
    person: UserId,
    size: u64,
    largest: u64,
    /// What the quota left when the upload began, other uploads under way not counted.
    room: u64,
}

impl Meter {
    /// `announced`: how long the client says its form is.
    pub async fn begin(kurso: &Arc<Kurso>, person: UserId, largest: u64, announced: Option<u64>) -> Result<Self> {
        let announced = announced.unwrap_or_default().saturating_sub(FORM);
        if announced > largest {
            return Err(too_large(largest));
        }
        let used = used(&kurso.db, person).await?;
        let room = kurso.uploads.rules.quota.saturating_sub(used);
        kurso.uploads.of(person, |now| {
            if now.uploads >= AT_ONCE {
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
            largest,
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
        if self.size + bytes > self.largest {
            return Err(too_large(self.largest));
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

fn too_large(largest: u64) -> Error {
    Error::TooLarge(Message::FileTooLarge(largest))
}

impl Upload {
    /// Anybody who is signed in may upload: they may be making a course. `announced`: how long the client says its form is.
    /// 413 when it will not fit, 429 when too many of theirs are under way.
    pub async fn begin(kurso: &Arc<Kurso>, viewer: &Viewer, announced: Option<u64>) -> Result<Self> {
        Self::of_at_most(kurso, viewer, kurso.uploads.rules.largest, announced).await
    }

    /// The same for a package of many files, which may be as large as ten of them.
    pub(crate) async fn begin_package(kurso: &Arc<Kurso>, viewer: &Viewer, announced: Option<u64>) -> Result<Self> {
        let largest = kurso.uploads.rules.largest.saturating_mul(PACKAGE);
        Self::of_at_most(kurso, viewer, largest, announced).await
    }

    async fn of_at_most(kurso: &Arc<Kurso>, viewer: &Viewer, largest: u64, announced: Option<u64>) -> Result<Self> {
        let meter = Meter::begin(kurso, viewer.id(), largest, announced).await?;
        let key = random::key();
        Ok(Upload {
            writer: kurso.files.write(&key).await?,
            meter,
            key,
            head: Vec::new(),
        })
    }

    /// All bytes are there: the file may be seen. Goes on to its end even if nobody waits for it any more, so that there
    /// is never one without the other, bytes or row.
    pub async fn finish(self, filename: &str) -> Result<File> {
        let filename = name::clean(filename);
        let kurso = self.meter.kurso.clone();
        let work = tokio::spawn(self.store(filename));
        let done = work.await.map_err(Error::internal)?;
        kurso
            .signals
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
        };
        file.sha256 = Some(self.writer.finish().await?.to_vec());
        let person = self.meter.person;
        let recorded = async {
            let mut tx = kurso.db.begin().await?;
            record(&mut tx, kurso, &file, person).await?;
            Ok(tx.commit().await?)
        }
        .await;
        or_take_back(kurso, &file.key, recorded).await?;
        Ok(file)
    }
}

impl Sink for Upload {
    fn largest(&self) -> u64 {
        self.meter.largest
    }

    async fn write(&mut self, bytes: Bytes) -> Result<()> {
        self.meter.count(bytes.len() as u64)?;
        let missing = HEAD.saturating_sub(self.head.len()).min(bytes.len());
        self.head.extend(bytes.get(..missing).unwrap_or_default());
        self.writer.write(bytes).await
    }
}

/// Writes the row of a file unless it breaks the quota. Locks the person's row until the transaction ends: their uploads
/// come one after the other, so that no two can think they are the last that fits.
pub(crate) async fn record(tx: &mut Tx, kurso: &Kurso, file: &File, person: UserId) -> Result<()> {
    let locked = sql!("UPDATE users SET is_active = is_active WHERE id = $1", person)
        .execute(&mut *tx)
        .await?;
    if locked == 0 {
        return Err(Error::NotFound(Message::UserGone));
    }
    let used = used(&mut *tx, person).await?;
    if used.saturating_add(file.size.unsigned_abs()) > kurso.uploads.rules.quota {
        return Err(Error::TooLarge(Message::QuotaFull));
    }
    insert(tx, file, person).await
}

/// Removes the bytes of a file whose row was not written. Of a commit that was not answered nobody knows whether it was: then
/// the sweeper removes what has no row.
pub(crate) async fn or_take_back<T>(kurso: &Kurso, key: &str, recorded: Result<T>) -> Result<T> {
    if recorded.as_ref().is_err_and(|error| !error.may_pass())
        && let Err(error) = kurso.files.delete(key).await
    {
        tracing::warn!(%error, "a file without a row is left to the sweeper");
    }
    recorded
}

/// Bytes of all files of a person. A copy of a course shares the files of the original, whoever made it.
async fn used(on: impl Executor, person: UserId) -> Result<u64> {
    let (used,) = sql!(
        "SELECT CAST(COALESCE(SUM(size), 0) AS BIGINT) FROM files WHERE owner_id = $1",
        person
    )
    .fetch_one::<(i64,)>(on)
    .await?;
    Ok(used.unsigned_abs())
}

/// 413 unless so many bytes more fit into the quota of a person; `freed` will be gone then.
pub(crate) async fn require_room(kurso: &Kurso, person: UserId, bytes: u64, freed: u64) -> Result<()> {
    let used = used(&kurso.db, person).await?.saturating_sub(freed);
    if used.saturating_add(bytes) > kurso.uploads.rules.quota {
        return Err(Error::TooLarge(Message::QuotaFull));
    }
    Ok(())
}

/// A refusal of the field `file`.
pub(crate) fn refused(message: Message) -> Error {
    Error::invalid(FieldError::body("value_error", "file", message, Value::Null))
}
