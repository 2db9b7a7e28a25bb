//! Claims: a node leases a job, renews the lease, records the effect, and finishes.

use chrono::{DateTime, Duration, Utc};
use uuid::Uuid;

use super::{Job, MAX_ATTEMPTS, MAX_RUNNING_PER_PERSON, Progress, State, TERMS, columns, failure, lock_person};
use crate::Kurso;
use crate::notices::{self, Notice, Receiver};
use kurso_base::error::{Error, Result};
use kurso_base::ids::{CourseId, JobId, UserId};
use kurso_base::messages::Message;
use kurso_db::events::Event;
use kurso_db::lease::new_holder;
use kurso_db::sql;
use kurso_db::{Tx, is_free, is_held};

/// A job leased by this node.
#[derive(Debug)]
pub struct Claim {
    pub job: Job,
    holder: Uuid,
}

/// The result of renewing a lease.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LeaseState {
    /// The job continues.
    Held,
    /// The owner cancelled the job.
    Cancelled,
    /// The lease expired, and another node has the job.
    Lost,
}

/// The result of a run.
#[derive(Debug)]
pub enum Outcome {
    Done,
    /// Waits for the owner's decision.
    Ready,
    /// Failed permanently.
    Failed(Message),
    Cancelled,
    /// Failed temporarily; retried a bounded number of times.
    Retry(Error),
    /// Released because the node stops.
    Released,
    /// Another node has the job; nothing is recorded.
    Lost,
}

/// Claims the next job that may run: that of the person of whom the fewest jobs ran since it was queued, then the oldest. So a
/// person with many jobs delays others by one job at most. One statement if there is none.
pub async fn claim_next(kurso: &Kurso) -> Result<Option<Claim>> {
    let now = kurso.clock.now();
    let horizon = TERMS.horizon(now);
    let next = sql!(
        concat!(
            "SELECT j.id, j.owner_id, j.attempts FROM jobs j
             WHERE ((j.state = 'waiting' AND ",
            is_free!("j.wanted_at", "$1", "$3"),
            ") OR (j.state = 'running' AND ",
            is_free!("j.lease_until", "$1", "$3"),
            ")) AND (SELECT COUNT(*) FROM jobs o WHERE o.owner_id = j.owner_id AND o.state = 'running' AND ",
            is_held!("o.lease_until", "$1", "$3"),
            ") < $2 ORDER BY (SELECT COUNT(*) FROM jobs o WHERE o.owner_id = j.owner_id AND o.id <> j.id
                 AND o.state <> 'waiting' AND (o.attempts > 0 OR o.state <> 'cancelled') AND o.updated_at >= j.wanted_at),
               j.wanted_at, j.id LIMIT 1"
        ),
        now,
        MAX_RUNNING_PER_PERSON,
        horizon
    )
    .fetch_optional::<(JobId, UserId, i64)>(&kurso.db)
    .await?;
    let Some((id, person, attempts)) = next else {
        return Ok(None);
    };
    let holder = new_holder();
    let mut tx = kurso.db.begin().await?;
    lock_person(&mut tx, person).await?;
    // Another node may have claimed the job since: check all conditions again under the person's lock.
    let free = concat!(
        "WHERE id = $1 AND ((state = 'waiting' AND ",
        is_free!("wanted_at", "$2", "$3"),
        ") OR (state = 'running' AND ",
        is_free!("lease_until", "$2", "$3"),
        "))"
    );
    let job = if attempts >= MAX_ATTEMPTS {
        let text = failure(&Message::JobGivenUp)?;
        // The effect may have been committed by a node that died before it could say so.
        let given_up = sql!(
            "UPDATE jobs SET state = CASE WHEN effect_at IS NULL THEN 'failed' ELSE 'done' END, lease_holder = NULL,
              lease_until = NULL, updated_at = $2, ended_at = $2, failure = CASE WHEN effect_at IS NULL THEN "
        )
        .bind(id)
        .bind(now)
        .bind(horizon)
        .push_bind(text)
        .push(" ELSE NULL END ")
        .push(free)
        .push(" AND attempts >= ")
        .push_bind(MAX_ATTEMPTS)
        .push(" RETURNING state, course_id");
        if let Some(ended) = given_up.fetch_optional(&mut tx).await? {
            notify_owner(&mut tx, (id, person), ended, now).await?;
        }
        None
    } else {
        sql!("UPDATE jobs SET state = 'running', attempts = attempts + 1, updated_at = $2, lease_holder = ")
            .bind(id)
            .bind(now)
            .bind(horizon)
            .push_bind(holder)
            .push(", lease_until = ")
            .push_bind(TERMS.end(now))
            .push(" ")
            .push(free)
            .push(concat!(
                " AND (SELECT COUNT(*) FROM jobs o WHERE o.owner_id = jobs.owner_id AND o.state = 'running' AND ",
                is_held!("o.lease_until", "$2", "$3"),
                ") < "
            ))
            .push_bind(MAX_RUNNING_PER_PERSON)
            .push(concat!(" RETURNING ", columns!()))
            .fetch_optional::<Job>(&mut tx)
            .await?
    };
    tx.publish(Event::Job { job: id });
    tx.commit().await?;
    if job.is_none() {
        // Another job may be free; check before the next poll.
        kurso.jobs.wake.notify_one();
    }
    Ok(job.map(|job| Claim { job, holder }))
}

/// Notifies the owner of a job that it has succeeded or failed. Owners know of the jobs they cancelled themselves.
async fn notify_owner(
    tx: &mut Tx,
    (job, owner): (JobId, UserId),
    (state, course): (State, Option<CourseId>),
    now: DateTime<Utc>,
) -> Result<()> {
    if !matches!(state, State::Done | State::Failed) {
        return Ok(());
    }
    // The course may have been deleted since.
    let course = match course {
        Some(course) => sql!("SELECT id FROM courses WHERE id = $1", course)
            .fetch_optional::<(CourseId,)>(&mut *tx)
            .await?
            .map(|(id,)| id),
        None => None,
    };
    let notice = Notice {
        kind: notices::Kind::ImportDone,
        course,
        by: None,
        at: now,
    };
    notices::record(tx, notice, vec![Receiver::new(owner, job)]).await
}

impl Claim {
    /// Extends the lease and stores the progress.
    pub async fn renew(&self, kurso: &Kurso, progress: &Progress) -> Result<LeaseState> {
        let now = kurso.clock.now();
        let renewed = sql!(
            "UPDATE jobs SET lease_until = $3, updated_at = $4, progress_done = $5, progress_total = $6, progress_at = $7
             WHERE id = $1 AND lease_holder = $2 AND state = 'running' RETURNING is_cancelled",
            self.job.id,
            self.holder,
            TERMS.end(now),
            now,
            progress.done,
            progress.total,
            &progress.at
        )
        .fetch_optional::<(bool,)>(&kurso.db)
        .await?;
        Ok(match renewed {
            None => LeaseState::Lost,
            Some((true,)) => LeaseState::Cancelled,
            Some((false,)) => {
                kurso.db.publish(Event::Job { job: self.job.id }).await;
                LeaseState::Held
            }
        })
    }

    /// Records within the effect's transaction that it happened, and the course it produced. Fails with 409 unless this
    /// claim holds the lease, the job was not cancelled, and no effect was recorded before.
    pub async fn record_effect(&self, tx: &mut Tx, course: CourseId, now: DateTime<Utc>) -> Result<()> {
        let recorded = sql!(
            "UPDATE jobs SET effect_at = $3, course_id = $4, updated_at = $3
             WHERE id = $1 AND lease_holder = $2 AND state = 'running' AND effect_at IS NULL AND NOT is_cancelled",
            self.job.id,
            self.holder,
            now,
            course
        )
        .execute(tx)
        .await?;
        match recorded {
            0 => Err(Error::Conflict(Message::JobNotHeld)),
            _ => Ok(()),
        }
    }

    /// Stores the preview of an import.
    pub async fn store_preview(&self, kurso: &Kurso, summary: &str, tree: &str, report: &str) -> Result<()> {
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

    /// Records the result and releases the lease.
    pub async fn finish(&self, kurso: &Kurso, outcome: Outcome) -> Result<()> {
        let now = kurso.clock.now();
        let (state, wanted_at, attempts, text) = match outcome {
            Outcome::Lost => return Ok(()),
            Outcome::Done => (State::Done, now, 0, None),
            Outcome::Ready => (State::Ready, now, -self.job.attempts, None),
            Outcome::Failed(why) => (State::Failed, now, 0, Some(failure(&why)?)),
            Outcome::Cancelled => (State::Cancelled, now, 0, None),
            Outcome::Released => (State::Waiting, now, -1, None),
            Outcome::Retry(error) => {
                tracing::warn!(job = %self.job.id, attempt = self.job.attempts, %error, "a job failed and may be retried");
                if self.job.attempts >= MAX_ATTEMPTS {
                    (State::Failed, now, 0, Some(failure(&Message::JobGivenUp)?))
                } else {
                    let pause = Duration::seconds(5 * self.job.attempts * self.job.attempts);
                    (State::Waiting, now + pause, 0, None)
                }
            }
        };
        let mut tx = kurso.db.begin().await?;
        // Once its effect is committed, the job is done, whatever happens afterwards.
        let ended = sql!(
            "UPDATE jobs SET state = CASE WHEN effect_at IS NULL THEN $3 ELSE 'done' END,
                 ended_at = CASE WHEN effect_at IS NULL AND NOT $4 THEN NULL ELSE $5 END,
                 failure = CASE WHEN effect_at IS NULL THEN $6 ELSE NULL END, lease_holder = NULL, lease_until = NULL,
                 wanted_at = $7, attempts = attempts + $8, updated_at = $5
             WHERE id = $1 AND lease_holder = $2 RETURNING state, course_id",
            self.job.id,
            self.holder,
            state,
            state.is_final(),
            now,
            text,
            wanted_at,
            attempts
        )
        .fetch_optional::<(State, Option<CourseId>)>(&mut tx)
        .await?;
        if let Some((state, course)) = ended {
            notify_owner(&mut tx, (self.job.id, self.job.owner_id), (state, course), now).await?;
        }
        tx.publish(Event::Job { job: self.job.id });
        tx.commit().await?;
        if state == State::Waiting || state.is_final() {
            kurso.jobs.wake.notify_one();
        }
        Ok(())
    }
}
