//! Work that outlasts a request: rows of `jobs`, taken by whichever node is free (decision 42).
//!
//! A node takes a job with a lease of a minute and renews it while it works. When the node stops in order it hands the job
//! back; when it dies, the lease ends and another node begins anew. So a job may be begun more than once, and each effect
//! is made once all the same: the transaction that makes it also writes [`Claim::stamp`], which only the holder of the lease
//! can, once.
//!
//! At most [`OF_PERSON`] jobs of one person run at once, and [`OF_NODE`] on one node; the others wait, first come first.

pub mod signals;
mod sweep;
mod worker;

use chrono::{DateTime, Duration, Utc};
use tokio::sync::Notify;
use uuid::Uuid;

use crate::db::{Executor, Tx};
use crate::error::{Error, Result};
use crate::events::Event;
use crate::ids::{CourseId, FileId, JobId, UserId};
use crate::messages::{Lang, Message};
use crate::{Kurso, sql};

use signals::JobSignals;
pub(crate) use sweep::let_go;
pub use sweep::sweep;
pub use worker::{Control, work};

/// How long a node holds a job without a sign of life.
pub const LEASE: Duration = Duration::seconds(60);
/// No lease ends later than this from now, and nothing waits for longer: what says so was written by a clock that was wrong, and
/// holds nobody up.
const HORIZON: Duration = Duration::minutes(10);
/// How often a job is begun before it is given up.
pub const ATTEMPTS: i64 = 3;
/// Jobs of one person that run at once, on all nodes together.
pub const OF_PERSON: i64 = 2;
/// Jobs that run at once on one node.
pub const OF_NODE: usize = 2;
/// Jobs of one person that are not at their end.
pub const OPEN: i64 = 20;
/// How long what was read waits for its person's word.
pub const PATIENCE: Duration = Duration::days(7);
/// How long a job that has ended is remembered.
pub const MEMORY: Duration = Duration::days(30);

/// What a job is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum Kind {
    /// A course comes in: `imports`.
    Import,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Kind::Import => "import",
        }
    }
}

/// Where a job is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum State {
    /// Until a node takes it.
    Waiting,
    Running,
    /// Until its person has said how to go on.
    Ready,
    Done,
    Failed,
    Cancelled,
}

impl State {
    /// Nothing more will become of it.
    pub fn is_end(self) -> bool {
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

/// A job without what of it is long.
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

/// The jobs of this process.
#[derive(Debug, Default)]
pub struct Jobs {
    /// There is something to take.
    pub(crate) wake: Notify,
    /// Somebody wants a job no more.
    pub(crate) cancelled: Notify,
    pub(crate) signals: JobSignals,
}

/// A job that is to be.
pub struct NewJob {
    pub id: JobId,
    pub kind: Kind,
    pub owner: UserId,
    pub payload: String,
    pub file: Option<FileId>,
}

/// Puts a job into the queue; 409 when the person has too many open ones. `told` and woken when the transaction is committed
/// by [`Jobs::wake`].
pub(crate) async fn add(tx: &mut Tx, new: NewJob, now: DateTime<Utc>) -> Result<()> {
    lock_person(tx, new.owner).await?;
    let (open,) = sql!(
        "SELECT COUNT(*) FROM jobs WHERE owner_id = $1 AND state IN ('waiting', 'running', 'ready')",
        new.owner
    )
    .fetch_one::<(i64,)>(&mut *tx)
    .await?;
    if open >= OPEN {
        return Err(Error::Conflict(Message::TooManyImports(OPEN)));
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
    tx.tell(Event::Job { job: new.id });
    Ok(())
}

/// What a person does comes one after the other: counts hold until the transaction ends.
async fn lock_person(tx: &mut Tx, person: UserId) -> Result<()> {
    let locked = sql!("UPDATE users SET is_active = is_active WHERE id = $1", person)
        .execute(tx)
        .await?;
    match locked {
        0 => Err(Error::NotFound(Message::UserGone)),
        _ => Ok(()),
    }
}

/// A job, whoever asks.
pub(crate) async fn find(on: impl Executor, id: JobId) -> Result<Option<Job>> {
    let found = sql!(concat!("SELECT ", columns!(), " FROM jobs WHERE id = $1"), id);
    Ok(found.fetch_optional(on).await?)
}

/// A job that this node holds.
#[derive(Debug)]
pub struct Claim {
    pub job: Job,
    holder: Uuid,
}

/// How a job stands with whoever works on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// It goes on.
    Ours,
    /// Its person does not want it any more.
    Cancelled,
    /// The lease ended, and somebody else has it.
    Lost,
}

/// What a piece of work has come to.
#[derive(Debug)]
pub enum Outcome {
    Done,
    /// Its person is to say how to go on.
    Ready,
    /// For good.
    Failed(Message),
    Cancelled,
    /// Something is out of order for now: again in a while, a bounded number of times.
    Again(Error),
    /// The node stops.
    HandedBack,
    /// Somebody else has it: nothing to say.
    Lost,
}

/// Takes the job that has waited longest, if there is one that may run. One statement when there is none.
pub async fn take(kurso: &Kurso) -> Result<Option<Claim>> {
    let now = kurso.clock.now();
    let horizon = now + HORIZON;
    let next = sql!(
        "SELECT j.id, j.owner_id, j.attempts FROM jobs j
         WHERE ((j.state = 'waiting' AND (j.wanted_at <= $1 OR j.wanted_at > $3))
             OR (j.state = 'running' AND (j.lease_until <= $1 OR j.lease_until > $3)))
           AND (SELECT COUNT(*) FROM jobs o
                WHERE o.owner_id = j.owner_id AND o.state = 'running' AND o.lease_until > $1 AND o.lease_until <= $3) < $2
         ORDER BY j.wanted_at, j.id LIMIT 1",
        now,
        OF_PERSON,
        horizon
    )
    .fetch_optional::<(JobId, UserId, i64)>(&kurso.db)
    .await?;
    let Some((id, person, attempts)) = next else {
        return Ok(None);
    };
    let holder = Uuid::now_v7();
    let mut tx = kurso.db.begin().await?;
    lock_person(&mut tx, person).await?;
    // Somebody may have been quicker: all of it is looked at again, in the person's turn.
    let free = "WHERE id = $1 AND ((state = 'waiting' AND (wanted_at <= $2 OR wanted_at > $3))
                    OR (state = 'running' AND (lease_until <= $2 OR lease_until > $3)))";
    let job = if attempts >= ATTEMPTS {
        let text = failure(&Message::JobGivenUp)?;
        sql!("UPDATE jobs SET state = 'failed', lease_holder = NULL, lease_until = NULL, updated_at = $2, ended_at = $2, failure = ")
            .bind(id)
            .bind(now)
            .bind(horizon)
            .push_bind(text)
            .push(" ")
            .push(free)
            .push(" AND attempts >= ")
            .push_bind(ATTEMPTS)
            .execute(&mut tx)
            .await?;
        None
    } else {
        sql!("UPDATE jobs SET state = 'running', attempts = attempts + 1, updated_at = $2, lease_holder = ")
            .bind(id)
            .bind(now)
            .bind(horizon)
            .push_bind(holder)
            .push(", lease_until = ")
            .push_bind(now + LEASE)
            .push(" ")
            .push(free)
            .push(
                " AND (SELECT COUNT(*) FROM jobs o
                       WHERE o.owner_id = jobs.owner_id AND o.state = 'running' AND o.lease_until > $2
                           AND o.lease_until <= $3) < ",
            )
            .push_bind(OF_PERSON)
            .push(concat!(" RETURNING ", columns!()))
            .fetch_optional::<Job>(&mut tx)
            .await?
    };
    tx.tell(Event::Job { job: id });
    tx.commit().await?;
    if job.is_none() {
        // Another one may be free: not to wait for the next round.
        kurso.jobs.wake.notify_one();
    }
    Ok(job.map(|job| Claim { job, holder }))
}

impl Claim {
    /// Says that the node is at work and how far it is.
    pub async fn renew(&self, kurso: &Kurso, progress: &Progress) -> Result<Standing> {
        let now = kurso.clock.now();
        let renewed = sql!(
            "UPDATE jobs SET lease_until = $3, updated_at = $4, progress_done = $5, progress_total = $6, progress_at = $7
             WHERE id = $1 AND lease_holder = $2 AND state = 'running' RETURNING is_cancelled",
            self.job.id,
            self.holder,
            now + LEASE,
            now,
            progress.done,
            progress.total,
            &progress.at
        )
        .fetch_optional::<(bool,)>(&kurso.db)
        .await?;
        Ok(match renewed {
            None => Standing::Lost,
            Some((true,)) => Standing::Cancelled,
            Some((false,)) => {
                kurso.db.tell(Event::Job { job: self.job.id }).await;
                Standing::Ours
            }
        })
    }

    /// Writes, in the transaction of the effect, that it was made: by the holder of the lease, once, unless it was cancelled.
    /// `course`: what came of it.
    pub async fn stamp(&self, tx: &mut Tx, course: CourseId, now: DateTime<Utc>) -> Result<()> {
        let stamped = sql!(
            "UPDATE jobs SET effect_at = $3, course_id = $4, updated_at = $3
             WHERE id = $1 AND lease_holder = $2 AND state = 'running' AND effect_at IS NULL AND NOT is_cancelled",
            self.job.id,
            self.holder,
            now,
            course
        )
        .execute(tx)
        .await?;
        match stamped {
            0 => Err(Error::Conflict(Message::JobNotHeld)),
            _ => Ok(()),
        }
    }

    /// Writes down what was found out so far.
    pub async fn note(&self, kurso: &Kurso, summary: &str, tree: &str, report: &str) -> Result<()> {
        sql!(
            "UPDATE jobs SET summary = $3, tree = $4, report = $5 WHERE id = $1 AND lease_holder = $2",
            self.job.id,
            self.holder,
            summary,
            tree,
            report
        )
        .execute(&kurso.db)
        .await?;
        Ok(())
    }

    /// The work is over, one way or the other.
    pub async fn settle(&self, kurso: &Kurso, outcome: Outcome) -> Result<()> {
        let now = kurso.clock.now();
        let (state, wanted_at, attempts, text) = match outcome {
            Outcome::Lost => return Ok(()),
            Outcome::Done => (State::Done, now, 0, None),
            Outcome::Ready => (State::Ready, now, -self.job.attempts, None),
            Outcome::Failed(why) => (State::Failed, now, 0, Some(failure(&why)?)),
            Outcome::Cancelled => (State::Cancelled, now, 0, None),
            Outcome::HandedBack => (State::Waiting, now, -1, None),
            Outcome::Again(error) => {
                tracing::warn!(job = %self.job.id, attempt = self.job.attempts, %error, "a job did not come to its end");
                if self.job.attempts >= ATTEMPTS {
                    (State::Failed, now, 0, Some(failure(&Message::JobGivenUp)?))
                } else {
                    let pause = Duration::seconds(5 * self.job.attempts * self.job.attempts);
                    (State::Waiting, now + pause, 0, None)
                }
            }
        };
        // Whatever came after the effect: it was made.
        sql!(
            "UPDATE jobs SET state = CASE WHEN effect_at IS NULL THEN $3 ELSE 'done' END,
                 ended_at = CASE WHEN effect_at IS NULL AND NOT $4 THEN NULL ELSE $5 END,
                 failure = CASE WHEN effect_at IS NULL THEN $6 ELSE NULL END, lease_holder = NULL, lease_until = NULL,
                 wanted_at = $7, attempts = attempts + $8, updated_at = $5
             WHERE id = $1 AND lease_holder = $2",
            self.job.id,
            self.holder,
            state,
            state.is_end(),
            now,
            text,
            wanted_at,
            attempts
        )
        .execute(&kurso.db)
        .await?;
        kurso.db.tell(Event::Job { job: self.job.id }).await;
        if state == State::Waiting || state.is_end() {
            kurso.jobs.wake.notify_one();
        }
        Ok(())
    }
}

/// How far a piece of work is.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Progress {
    pub done: i64,
    /// 0: not known.
    pub total: i64,
    /// The file it is at.
    pub at: String,
}

/// Ends a job that nobody works on, and asks whoever works on it to stop. False: it was at its end already.
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
    kurso.db.tell(Event::Job { job: id }).await;
    kurso.jobs.cancelled.notify_waiters();
    Ok(true)
}

/// A reason as it is stored: in each language.
fn failure(why: &Message) -> Result<String> {
    let texts = serde_json::json!({"en": why.text(Lang::En), "ru": why.text(Lang::Ru)});
    serde_json::to_string(&texts).map_err(Error::internal)
}

/// Why a job failed.
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
