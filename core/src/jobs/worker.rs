//! A node at work on jobs.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::{JoinError, JoinSet};
use tokio::time::{Instant, MissedTickBehavior, interval, sleep};

use super::sweep::let_go;
use super::{Claim, Kind, OF_NODE, Outcome, Progress, Standing, take};
use crate::error::Error;
use crate::{Kurso, imports};

/// How often it is asked what there is to do: jobs of other nodes call nobody here.
const ROUND: Duration = Duration::from_secs(2);
/// How often a job's progress is written down, when there is some.
const BEAT: Duration = Duration::from_millis(500);
/// How often the lease is renewed all the same, and so how soon a word from another node is heard.
const RENEWAL: Duration = Duration::from_secs(3);
/// How long the node waits, when it stops, for what cannot be left half way.
const GRACE: Duration = Duration::from_secs(20);

/// What a piece of work is told, and tells, while it lasts. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Control(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    progress: Mutex<Progress>,
    is_stopped: AtomicBool,
    stopped: Notify,
    /// The place among the node's jobs, taken until all of the work is over, whoever still waits for it.
    _place: Option<OwnedSemaphorePermit>,
}

impl Control {
    pub fn new(place: Option<OwnedSemaphorePermit>) -> Self {
        Control(Arc::new(Inner {
            progress: Mutex::default(),
            is_stopped: AtomicBool::new(false),
            stopped: Notify::new(),
            _place: place,
        }))
    }

    /// From any thread, as often as there is something to say.
    pub fn tell(&self, done: usize, total: usize, at: &str) {
        let number = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
        let progress = Progress {
            done: number(done),
            total: number(total),
            at: at.to_owned(),
        };
        *self.0.progress.lock().unwrap_or_else(PoisonError::into_inner) = progress;
    }

    /// The work is to end as soon as it can.
    pub fn is_stopped(&self) -> bool {
        self.0.is_stopped.load(Ordering::Relaxed)
    }

    /// Done when the work is to end.
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

/// Takes jobs and does them until `stop` says true; then hands back what is under way.
pub async fn work(kurso: Arc<Kurso>, mut stop: watch::Receiver<bool>) {
    let places = Arc::new(Semaphore::new(OF_NODE));
    let mut running = JoinSet::new();
    while !*stop.borrow() {
        let place = tokio::select! {
            place = places.clone().acquire_owned() => place,
            Ok(()) = stop.changed() => continue,
        };
        let Ok(place) = place else { break };
        match take(&kurso).await {
            Ok(Some(claim)) => {
                running.spawn(run(kurso.clone(), Arc::new(claim), place, stop.clone()));
                while running.try_join_next().is_some() {}
                continue;
            }
            Ok(None) => {}
            Err(error) => tracing::warn!(%error, "it cannot be seen what jobs there are"),
        }
        drop(place);
        tokio::select! {
            () = kurso.jobs.wake.notified() => {}
            () = sleep(ROUND) => {}
            Ok(()) = stop.changed() => {}
        }
    }
    let rest = async { while running.join_next().await.is_some() {} };
    if tokio::time::timeout(GRACE, rest).await.is_err() {
        tracing::warn!("a job was left half way; another node takes it over when its lease ends");
    }
}

fn broken(error: JoinError) -> Outcome {
    Outcome::Again(Error::internal(error))
}

async fn run(kurso: Arc<Kurso>, claim: Arc<Claim>, place: OwnedSemaphorePermit, stop: watch::Receiver<bool>) {
    let control = Control::new(Some(place));
    let begun = Instant::now();
    let outcome = attend(&kurso, &claim, &control, stop).await;
    kurso
        .jobs
        .signals
        .ended(claim.job.kind.name(), outcome.name(), begun.elapsed());
    if let Err(error) = claim.settle(&kurso, outcome).await {
        // The lease ends by itself, and then somebody takes the job over.
        tracing::warn!(job = %claim.job.id, %error, "the end of a job could not be written down");
    }
    if let Some(file) = claim.job.file_id
        && let Err(error) = let_go(&kurso, claim.job.id, file).await
    {
        tracing::debug!(job = %claim.job.id, %error, "the file of a job is left to the sweeper");
    }
}

/// Does the work, and meanwhile keeps the lease and hears whether it is still wanted.
async fn attend(kurso: &Arc<Kurso>, claim: &Arc<Claim>, control: &Control, mut stop: watch::Receiver<bool>) -> Outcome {
    // On its own: while the lease is renewed the work goes on, and gives back what both need to write.
    let mut work = JoinSet::new();
    work.spawn({
        let (kurso, claim, control) = (kurso.clone(), claim.clone(), control.clone());
        async move {
            match claim.job.kind {
                Kind::Import => imports::run(&kurso, &claim, &control).await,
            }
        }
    });
    let mut beat = interval(BEAT);
    beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let (mut told, mut renewed) = (Progress::default(), Instant::now());
    let mut why_stopped = None;
    loop {
        let mut is_asked = false;
        tokio::select! {
            Some(outcome) = work.join_next() => return match (outcome.unwrap_or_else(broken), why_stopped) {
                // What was stopped has nothing to say for itself.
                (Outcome::Cancelled, Some(Standing::Ours)) => Outcome::HandedBack,
                (Outcome::Cancelled, Some(Standing::Lost)) => Outcome::Lost,
                (outcome, _) => outcome,
            },
            _ = beat.tick() => {}
            () = kurso.jobs.cancelled.notified() => is_asked = true,
            Ok(()) = stop.changed() => {}
        }
        if why_stopped.is_none() && *stop.borrow() {
            why_stopped = Some(Standing::Ours);
            control.stop();
        }
        let progress = control.progress();
        if progress == told && renewed.elapsed() < RENEWAL && !is_asked {
            continue;
        }
        match claim.renew(kurso, &progress).await {
            Ok(Standing::Ours) => (told, renewed) = (progress, Instant::now()),
            Ok(standing) => {
                // A node that stops hands back what is still wanted.
                why_stopped = Some(standing);
                control.stop();
            }
            Err(error) => tracing::warn!(job = %claim.job.id, %error, "the lease of a job could not be renewed"),
        }
    }
}
