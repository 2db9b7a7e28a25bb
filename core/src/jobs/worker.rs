//! Worker of a node: claims jobs, runs them, and renews their leases.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::{JoinError, JoinSet};
use tokio::time::{Instant, MissedTickBehavior, interval, sleep};

use super::cleanup::release_file;
use super::{Claim, LeaseState, MAX_RUNNING_PER_NODE, Outcome, Progress, claim_next};
use crate::Kurso;
use kurso_base::error::Error;

/// The poll interval. Needed because other nodes do not notify this one of new jobs.
const POLL_INTERVAL: Duration = Duration::from_secs(2);
/// How often changed progress is stored.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(500);
/// How often the lease is renewed without progress; also the delay until a cancellation on another node is noticed.
const RENEW_INTERVAL: Duration = Duration::from_secs(3);
/// How long a stopping node waits for its jobs to end.
const STOP_TIMEOUT: Duration = Duration::from_secs(20);

/// The link between a running job and its worker: the job reports progress and reads whether it must stop. Clones share
/// it.
#[derive(Clone, Debug)]
pub struct Control(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    progress: Mutex<Progress>,
    is_stopped: AtomicBool,
    stopped: Notify,
    /// The job's slot on this node, held until all clones are dropped, even if the job was abandoned.
    _slot: Option<OwnedSemaphorePermit>,
}

impl Control {
    pub fn new(slot: Option<OwnedSemaphorePermit>) -> Self {
        Control(Arc::new(Inner {
            progress: Mutex::default(),
            is_stopped: AtomicBool::new(false),
            stopped: Notify::new(),
            _slot: slot,
        }))
    }

    /// Sets the progress. May be called from any thread, at any rate.
    pub fn report(&self, done: usize, total: usize, at: &str) {
        let number = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
        let progress = Progress {
            done: number(done),
            total: number(total),
            at: at.to_owned(),
        };
        *self.0.progress.lock().unwrap_or_else(PoisonError::into_inner) = progress;
    }

    /// Whether the job must end as soon as possible.
    pub fn is_stopped(&self) -> bool {
        self.0.is_stopped.load(Ordering::Relaxed)
    }

    /// Completes when the job must end.
    pub async fn stopped(&self) {
        let notified = self.0.stopped.notified();
        tokio::pin!(notified);
        notified.as_mut().enable();
        if !self.is_stopped() {
            notified.await;
        }
    }

    pub fn stop(&self) {
        self.0.is_stopped.store(true, Ordering::Relaxed);
        self.0.stopped.notify_waiters();
    }

    fn progress(&self) -> Progress {
        self.0.progress.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Claims and runs jobs until `stop` is true, then releases the running ones.
pub async fn work(kurso: Arc<Kurso>, mut stop: watch::Receiver<bool>) {
    let slots = Arc::new(Semaphore::new(MAX_RUNNING_PER_NODE));
    let mut running = JoinSet::new();
    while !*stop.borrow() {
        let slot = tokio::select! {
            slot = slots.clone().acquire_owned() => slot,
            Ok(()) = stop.changed() => continue,
        };
        let Ok(slot) = slot else { break };
        match claim_next(&kurso).await {
            Ok(Some(claim)) => {
                running.spawn(run(kurso.clone(), Arc::new(claim), slot, stop.clone()));
                while running.try_join_next().is_some() {}
                continue;
            }
            Ok(None) => {}
            Err(error) => tracing::warn!(%error, "jobs could not be claimed"),
        }
        drop(slot);
        tokio::select! {
            () = kurso.jobs.wake.notified() => {}
            () = sleep(POLL_INTERVAL) => {}
            Ok(()) = stop.changed() => {}
        }
    }
    let remaining = async { while running.join_next().await.is_some() {} };
    if tokio::time::timeout(STOP_TIMEOUT, remaining).await.is_err() {
        tracing::warn!("a job did not stop in time; another node starts it again when its lease expires");
    }
}

fn panicked(error: JoinError) -> Outcome {
    Outcome::Retry(Error::internal(error))
}

async fn run(kurso: Arc<Kurso>, claim: Arc<Claim>, slot: OwnedSemaphorePermit, stop: watch::Receiver<bool>) {
    let control = Control::new(Some(slot));
    let started = Instant::now();
    let outcome = run_with_lease(&kurso, &claim, &control, stop).await;
    kurso
        .jobs
        .metrics
        .record_run(claim.job.kind.name(), outcome.name(), started.elapsed());
    if let Err(error) = claim.finish(&kurso, outcome).await {
        // The lease expires by itself, and another node starts the job again.
        tracing::warn!(job = %claim.job.id, %error, "the result of a job could not be stored");
    }
    if let Some(file) = claim.job.file_id
        && let Err(error) = release_file(&kurso, claim.job.id, file).await
    {
        tracing::debug!(job = %claim.job.id, %error, "the file of a job is left to the cleanup job");
    }
}

/// Runs the job while renewing its lease and watching for cancellation.
async fn run_with_lease(
    kurso: &Arc<Kurso>,
    claim: &Arc<Claim>,
    control: &Control,
    mut stop: watch::Receiver<bool>,
) -> Outcome {
    // A separate task, so that the job and the renewal do not wait for each other's database writes.
    let mut work = JoinSet::new();
    let handler = kurso.jobs.handlers.of(claim.job.kind);
    work.spawn(handler(kurso.clone(), claim.clone(), control.clone()));
    let mut progress_timer = interval(PROGRESS_INTERVAL);
    progress_timer.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let (mut reported, mut renewed) = (Progress::default(), Instant::now());
    let mut stop_reason = None;
    loop {
        let mut renew_now = false;
        tokio::select! {
            Some(outcome) = work.join_next() => return match (outcome.unwrap_or_else(panicked), stop_reason) {
                // The job reports only that it was cancelled; the reason decides the outcome.
                (Outcome::Cancelled, Some(LeaseState::Held)) => Outcome::Released,
                (Outcome::Cancelled, Some(LeaseState::Lost)) => Outcome::Lost,
                (outcome, _) => outcome,
            },
            _ = progress_timer.tick() => {}
            () = kurso.jobs.cancelled.notified() => renew_now = true,
            Ok(()) = stop.changed() => {}
        }
        if stop_reason.is_none() && *stop.borrow() {
            stop_reason = Some(LeaseState::Held);
            control.stop();
        }
        let progress = control.progress();
        if progress == reported && renewed.elapsed() < RENEW_INTERVAL && !renew_now {
            continue;
        }
        match claim.renew(kurso, &progress).await {
            Ok(LeaseState::Held) => (reported, renewed) = (progress, Instant::now()),
            Ok(state) => {
                // A stopping node releases only jobs that were not cancelled.
                stop_reason = Some(state);
                control.stop();
            }
            Err(error) => tracing::warn!(job = %claim.job.id, %error, "the lease of a job could not be renewed"),
        }
    }
}
