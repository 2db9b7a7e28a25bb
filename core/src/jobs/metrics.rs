//! Metrics of jobs and mails: counts by kind and state, run times, retries, and the age of the oldest unfinished job.

use std::time::Duration;

use chrono::{DateTime, Utc};
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

use super::{Kind, Outcome, State};
use crate::Kurso;
use kurso_base::error::Result;
use kurso_db::sql;

/// Histogram buckets of run times, in seconds.
const RUN_TIMES: [f64; 9] = [0.1, 0.5, 1.0, 5.0, 15.0, 60.0, 300.0, 1_800.0, 7_200.0];

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct StateLabels {
    kind: &'static str,
    state: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct KindLabels {
    kind: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OutcomeLabels {
    kind: &'static str,
    outcome: &'static str,
}

/// Run times and retries count this process's work; the counts by state come from the database and are the same on
/// every node.
#[derive(Clone, Debug)]
pub(crate) struct JobMetrics {
    counts: Family<StateLabels, Gauge>,
    oldest: Family<KindLabels, Gauge>,
    run_times: Family<OutcomeLabels, Histogram, fn() -> Histogram>,
    retries: Family<KindLabels, Counter>,
}

impl Default for JobMetrics {
    fn default() -> Self {
        JobMetrics {
            counts: Family::default(),
            oldest: Family::default(),
            run_times: Family::new_with_constructor(|| Histogram::new(RUN_TIMES)),
            retries: Family::default(),
        }
    }
}

impl JobMetrics {
    pub fn register(&self, registry: &mut Registry) {
        let help = "Jobs in the database by kind and state";
        registry.register("jobs", help, self.counts.clone());
        let help = "Age of the oldest unfinished job by kind";
        registry.register_with_unit("jobs_oldest", help, Unit::Seconds, self.oldest.clone());
        let help = "Run times of jobs on this node by outcome";
        registry.register_with_unit("job_duration", help, Unit::Seconds, self.run_times.clone());
        let help = "Runs of jobs that failed and are retried";
        registry.register("job_retries", help, self.retries.clone());
    }

    /// Records the end of a run.
    pub fn record_run(&self, kind: &'static str, outcome: &'static str, took: Duration) {
        if outcome == RETRY {
            self.retries.get_or_create(&KindLabels { kind }).inc();
        }
        self.run_times
            .get_or_create(&OutcomeLabels { kind, outcome })
            .observe(took.as_secs_f64());
    }

    fn update(&self, kind: &'static str, queue: &Queue) {
        for (state, count) in [
            ("waiting", queue.waiting),
            ("running", queue.running),
            ("ready", queue.ready),
            ("failed", queue.failed),
        ] {
            self.counts.get_or_create(&StateLabels { kind, state }).set(count);
        }
        self.oldest.get_or_create(&KindLabels { kind }).set(queue.oldest);
    }
}

/// The kind under which mails, which have a queue of their own, are reported.
pub(crate) const MAIL: &str = "mail";
/// The outcome of a run that is retried after a failure.
pub(crate) const RETRY: &str = "again";

impl Outcome {
    pub(super) fn name(&self) -> &'static str {
        match self {
            Outcome::Done => "done",
            Outcome::Ready => "ready",
            Outcome::Failed(_) => "failed",
            Outcome::Cancelled => "cancelled",
            Outcome::Retry(_) => RETRY,
            Outcome::Released => "handed_back",
            Outcome::Lost => "lost",
        }
    }
}

/// The state of a queue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Queue {
    pub waiting: i64,
    pub running: i64,
    /// Waiting for their owner's decision.
    pub ready: i64,
    /// Failures of the last 30 days; always 0 for mails, which are deleted when they fail.
    pub failed: i64,
    /// Age in seconds of the oldest entry that is waiting or running.
    pub oldest: i64,
}

/// The states of the job queue and the mail queue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Queues {
    pub imports: Queue,
    pub mails: Queue,
}

/// Reads the state of the queues and updates the gauges for `/metrics`. Two statements.
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
    let metrics = &kurso.jobs.metrics;
    metrics.update(Kind::Import.name(), &queues.imports);
    metrics.update(MAIL, &queues.mails);
    Ok(queues)
}
