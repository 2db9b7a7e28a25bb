//! Background jobs in the table `jobs`, claimed by any free node under a lease (decision 42).
//!
//! A node claims a job with a lease of one minute and renews it while it works. A node that stops releases its jobs;
//! when a node dies, the lease expires and another node starts the job again. A job may therefore start more than once,
//! but its effect happens once: the transaction of the effect also calls [`Claim::record_effect`], which succeeds only
//! for the holder of the lease, and only once.
//!
//! At most [`MAX_RUNNING_PER_PERSON`] jobs of one person run at a time, and [`MAX_RUNNING_PER_NODE`] on one node. Of the
//! others, the next is that of the person who was served least while it waited.

mod claim;
mod cleanup;
pub mod metrics;
mod worker;

use std::sync::Arc;

use chrono::{DateTime, Duration, Utc};
use futures_util::future::BoxFuture;
use tokio::sync::Notify;

use crate::Kurso;
use kurso_base::error::{Error, Result};
use kurso_base::ids::{CourseId, FileId, JobId, UserId};
use kurso_base::messages::{Lang, Message};
use kurso_db::events::Event;
use kurso_db::lease::Terms;
use kurso_db::sql;
use kurso_db::{Executor, Tx};

pub use claim::{Claim, LeaseState, Outcome, claim_next};
pub use cleanup::cleanup;
pub(crate) use cleanup::release_file;
use metrics::JobMetrics;
pub use worker::{Control, work};

/// How long a lease lasts without renewal.
pub const LEASE: Duration = Duration::seconds(60);
/// Waiting times and leases end at most this far ahead.
const TERMS: Terms = Terms {
    length: LEASE,
    max_ahead: Duration::minutes(10),
};
/// How often a job is started before it fails.
pub const MAX_ATTEMPTS: i64 = 3;
/// Jobs of one person that run at the same time, on all nodes. Below [`MAX_RUNNING_PER_NODE`], so that one person's jobs
/// never occupy a whole node.
pub const MAX_RUNNING_PER_PERSON: i64 = 1;
/// Jobs that run at the same time on one node.
pub const MAX_RUNNING_PER_NODE: usize = 2;
/// Unfinished jobs of one person.
pub const MAX_UNFINISHED: i64 = 20;
/// How long a job waits for its owner's decision before it is cancelled.
pub const DECISION_TIMEOUT: Duration = Duration::days(7);
/// How long a finished job is kept.
pub const RETENTION: Duration = Duration::days(30);

/// What a job does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum Kind {
    /// Imports a course: `imports`.
    Import,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Kind::Import => "import",
        }
    }
}

/// The state of a job.
#[derive(Clone, Copy, PartialEq, Eq, Debug, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum State {
    /// Not claimed by a node yet.
    Waiting,
    Running,
    /// Waits for its owner's decision.
    Ready,
    Done,
    Failed,
    Cancelled,
}

impl State {
    /// Whether the state is final.
    pub fn is_final(self) -> bool {
        matches!(self, State::Done | State::Failed | State::Cancelled)
    }

    pub fn name(self) -> &'static str {
        match self {
            State::Waiting => "waiting",
            State::Running => "running",
            State::Ready => "ready",
            State::Done => "done",
            State::Failed => "failed",
            State::Cancelled => "cancelled",
        }
    }
}

/// A job without its long columns.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Job {
    pub id: JobId,
    pub kind: Kind,
    pub owner_id: UserId,
    pub state: State,
    pub payload: String,
    pub file_id: Option<FileId>,
    pub summary: Option<String>,
    pub failure: Option<String>,
    pub progress_done: i64,
    pub progress_total: i64,
    pub progress_at: String,
    pub attempts: i64,
    pub is_cancelled: bool,
    pub effect_at: Option<DateTime<Utc>>,
    pub course_id: Option<CourseId>,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
    pub ended_at: Option<DateTime<Utc>>,
}

/// The columns of [`Job`].
macro_rules! columns {
    () => {
        "id, kind, owner_id, state, payload, file_id, summary, failure, progress_done, progress_total, progress_at, \
         attempts, is_cancelled, effect_at, course_id, created_at, updated_at, ended_at"
    };
}
pub(crate) use columns;

/// Job notifications and metrics of this process.
#[derive(Debug)]
pub struct Jobs {
    handlers: Handlers,
    /// A job may be ready to be claimed.
    pub(crate) wake: Notify,
    /// A job was cancelled.
    pub(crate) cancelled: Notify,
    pub(crate) metrics: JobMetrics,
}

/// Runs a claimed job. The [`Control`] reports progress and tells when the job must stop.
pub(crate) type Handler = fn(Arc<Kurso>, Arc<Claim>, Control) -> BoxFuture<'static, Outcome>;

/// The handler of each kind of job. They belong to modules that use this one, so `Kurso::new` passes them in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Handlers {
    pub import: Handler,
}

impl Handlers {
    fn of(&self, kind: Kind) -> Handler {
        match kind {
            Kind::Import => self.import,
        }
    }
}

impl Jobs {
    pub(crate) fn new(handlers: Handlers) -> Self {
        Jobs {
            handlers,
            wake: Notify::new(),
            cancelled: Notify::new(),
            metrics: JobMetrics::default(),
        }
    }
}

/// A job to be queued.
pub struct NewJob {
    pub id: JobId,
    pub kind: Kind,
    pub owner: UserId,
    pub payload: String,
    pub file: Option<FileId>,
}

/// Queues a job. Fails with 409 when the person has too many unfinished jobs. The caller notifies [`Jobs::wake`] after
/// the commit.
pub(crate) async fn add(tx: &mut Tx, new: NewJob, now: DateTime<Utc>) -> Result<()> {
    lock_person(tx, new.owner).await?;
    let (open,) = sql!(
        "SELECT COUNT(*) FROM jobs WHERE owner_id = $1 AND state IN ('waiting', 'running', 'ready')",
        new.owner
    )
    .fetch_one::<(i64,)>(&mut *tx)
    .await?;
    if open >= MAX_UNFINISHED {
        return Err(Error::Conflict(Message::TooManyImports(MAX_UNFINISHED)));
    }
    sql!(
        "INSERT INTO jobs (id, kind, owner_id, state, payload, file_id, wanted_at, created_at, updated_at)
         VALUES ($1, $2, $3, 'waiting', $4, $5, $6, $6, $6)",
        new.id,
        new.kind,
        new.owner,
        new.payload,
        new.file,
        now
    )
    .execute(&mut *tx)
    .await?;
    tx.publish(Event::Job { job: new.id });
    Ok(())
}

/// Locks the person's row, so that their job counts stay valid until the transaction ends.
async fn lock_person(tx: &mut Tx, person: UserId) -> Result<()> {
    let locked = sql!("UPDATE users SET is_active = is_active WHERE id = $1", person)
        .execute(tx)
        .await?;
    match locked {
        0 => Err(Error::NotFound(Message::UserGone)),
        _ => Ok(()),
    }
}

/// Reads a job without checking access.
pub(crate) async fn find(on: impl Executor, id: JobId) -> Result<Option<Job>> {
    let found = sql!(concat!("SELECT ", columns!(), " FROM jobs WHERE id = $1"), id);
    Ok(found.fetch_optional(on).await?)
}

/// The progress of a job.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Progress {
    pub done: i64,
    /// 0 if unknown.
    pub total: i64,
    /// The file being processed.
    pub at: String,
}

/// Cancels a job that is not running, and requests a running one to stop. Returns false if it was finished already.
pub(crate) async fn cancel(kurso: &Kurso, id: JobId) -> Result<bool> {
    let now = kurso.clock.now();
    let cancelled = sql!(
        "UPDATE jobs SET is_cancelled = TRUE, updated_at = $2,
             ended_at = CASE WHEN state = 'running' THEN NULL ELSE $2 END,
             state = CASE WHEN state = 'running' THEN 'running' ELSE 'cancelled' END
         WHERE id = $1 AND state IN ('waiting', 'ready', 'running') AND effect_at IS NULL",
        id,
        now
    )
    .execute(&kurso.db)
    .await?;
    if cancelled == 0 {
        return Ok(false);
    }
    kurso.db.publish(Event::Job { job: id }).await;
    kurso.jobs.cancelled.notify_waiters();
    Ok(true)
}

/// Serialises a failure reason in both languages.
fn failure(why: &Message) -> Result<String> {
    let texts = serde_json::json!({"en": why.text(Lang::En), "ru": why.text(Lang::Ru)});
    serde_json::to_string(&texts).map_err(Error::internal)
}

/// Reads a stored failure reason.
pub(crate) fn reason(stored: &str) -> Message {
    let texts: serde_json::Value = serde_json::from_str(stored).unwrap_or_default();
    let text = |lang: &str| {
        texts
            .get(lang)
            .and_then(serde_json::Value::as_str)
            .unwrap_or_default()
            .to_owned()
    };
    Message::Text {
        en: text("en"),
        ru: text("ru"),
    }
}
