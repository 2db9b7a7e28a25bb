//! What watchers are told of jobs, mails among them: how many there are of each kind and state, how long they took, how often
//! they were begun again, and how old the oldest is.

use std::time::Duration;

use chrono::{DateTime, Utc};
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

use super::{Kind, Outcome, State};
use crate::error::Result;
use crate::{Kurso, sql};

/// Bounds of what takes a job its time, in seconds.
const TIMES: [f64; 9] = [0.1, 0.5, 1.0, 5.0, 15.0, 60.0, 300.0, 1_800.0, 7_200.0];

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Standing {
    kind: &'static str,
    state: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OfKind {
    kind: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Ended {
    kind: &'static str,
    outcome: &'static str,
}

/// The counts of jobs. Those of this process count what it did; those of the queue are of the database, the same on every node.
#[derive(Clone, Debug)]
pub(crate) struct JobSignals {
    standing: Family<Standing, Gauge>,
    oldest: Family<OfKind, Gauge>,
    times: Family<Ended, Histogram, fn() -> Histogram>,
    retries: Family<OfKind, Counter>,
}

impl Default for JobSignals {
    fn default() -> Self {
        JobSignals {
            standing: Family::default(),
            oldest: Family::default(),
            times: Family::new_with_constructor(|| Histogram::new(TIMES)),
            retries: Family::default(),
        }
    }
}

impl JobSignals {
    pub fn register(&self, registry: &mut Registry) {
        let help = "Jobs in the database, by kind and state";
        registry.register("jobs", help, self.standing.clone());
        let help = "How old the oldest job is that has not come to its end, by kind";
        registry.register_with_unit("jobs_oldest", help, Unit::Seconds, self.oldest.clone());
        let help = "What jobs took on this node, by how they ended";
        registry.register_with_unit("job_duration", help, Unit::Seconds, self.times.clone());
        let help = "Jobs that are to be begun again on account of a failure";
        registry.register("job_retries", help, self.retries.clone());
    }

    /// A piece of work has come to its end, or to where it begins again.
    pub fn ended(&self, kind: &'static str, outcome: &'static str, took: Duration) {
        if outcome == AGAIN {
            self.retries.get_or_create(&OfKind { kind }).inc();
        }
        self.times
            .get_or_create(&Ended { kind, outcome })
            .observe(took.as_secs_f64());
    }

    fn show(&self, kind: &'static str, queue: &Queue) {
        for (state, count) in [
            ("waiting", queue.waiting),
            ("running", queue.running),
            ("ready", queue.ready),
            ("failed", queue.failed),
        ] {
            self.standing.get_or_create(&Standing { kind, state }).set(count);
        }
        self.oldest.get_or_create(&OfKind { kind }).set(queue.oldest);
    }
}

/// The kind of mails, which are jobs apart.
pub(crate) const MAIL: &str = "mail";
/// How work is told to end that begins again on account of a failure.
pub(crate) const AGAIN: &str = "again";

impl Outcome {
    pub(super) fn name(&self) -> &'static str {
        match self {
            Outcome::Done => "done",
            Outcome::Ready => "ready",
            Outcome::Failed(_) => "failed",
            Outcome::Cancelled => "cancelled",
            Outcome::Again(_) => AGAIN,
            Outcome::HandedBack => "handed_back",
            Outcome::Lost => "lost",
        }
    }
}

/// How a queue is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Queue {
    pub waiting: i64,
    pub running: i64,
    /// For their person's word.
    pub ready: i64,
    /// Of the last thirty days; of mails none is kept.
    pub failed: i64,
    /// Seconds that the oldest of those has waited or run that have not come to their end.
    pub oldest: i64,
}

/// The queues of jobs and of mails.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Queues {
    pub imports: Queue,
    pub mails: Queue,
}

/// Looks how the queues are, and keeps it for `/metrics`. Two statements.
pub async fn queues(kurso: &Kurso) -> Result<Queues> {
    let now = kurso.clock.now();
    let age = |since: Option<DateTime<Utc>>| since.map_or(0, |at| (now - at).num_seconds().max(0));
    let rows = sql!("SELECT kind, state, COUNT(*), MIN(created_at) FROM jobs GROUP BY kind, state")
        .fetch_all::<(Kind, State, i64, Option<DateTime<Utc>>)>(&kurso.db)
        .await?;
    let mut queues = Queues::default();
    for (kind, state, count, since) in rows {
        let queue = match kind {
            Kind::Import => &mut queues.imports,
        };
        match state {
            State::Waiting => queue.waiting += count,
            State::Running => queue.running += count,
            State::Ready => queue.ready += count,
            State::Failed => queue.failed += count,
            State::Done | State::Cancelled => {}
        }
        if matches!(state, State::Waiting | State::Running) {
            queue.oldest = queue.oldest.max(age(since));
        }
    }
    let (all, running, since) = sql!(
        "SELECT COUNT(*), COUNT(CASE WHEN holder IS NOT NULL AND free_at > $1 THEN 1 END), MIN(created_at) FROM mails",
        now
    )
    .fetch_one::<(i64, i64, Option<DateTime<Utc>>)>(&kurso.db)
    .await?;
    queues.mails = Queue {
        waiting: all - running,
        running,
        oldest: age(since),
        ..Queue::default()
    };
    let signals = &kurso.jobs.signals;
    signals.show(Kind::Import.name(), &queues.imports);
    signals.show(MAIL, &queues.mails);
    Ok(queues)
}
