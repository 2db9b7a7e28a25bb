//! Worker of a node: sends pending mails.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};

use super::delivery;
use super::queue::{self, Claim, Outcome};
use crate::Kurso;
use crate::jobs::metrics::{MAIL, RETRY};
use kurso_base::error::Result;

/// Mails sent at the same time.
const MAX_CONCURRENT: usize = 4;
/// Limits sending one mail, including rendering it; shorter than [`queue::LEASE`].
const SEND_TIMEOUT: Duration = Duration::from_secs(70);
/// The poll interval. Mails queued by other nodes and retries do not wake the worker.
const POLL_INTERVAL: Duration = Duration::from_secs(2);

/// Sends mails until `stop` is true, then those that are due.
pub async fn work(kurso: Arc<Kurso>, mut stop: watch::Receiver<bool>) {
    let mut running = JoinSet::new();
    loop {
        if running.len() < MAX_CONCURRENT {
            match queue::claim_next(&kurso).await {
                Ok(Some(claim)) => {
                    let kurso = kurso.clone();
                    running.spawn(async move { send(&kurso, claim).await });
                    continue;
                }
                Ok(None) => {}
                Err(error) => tracing::warn!(%error, "pending mails could not be claimed"),
            }
            if *stop.borrow() && running.is_empty() {
                return;
            }
        }
        tokio::select! {
            Some(_) = running.join_next() => {} // a panic was logged, and the lease expires
            () = kurso.mail.woken() => {}
            () = sleep(POLL_INTERVAL) => {}
            Ok(()) = stop.changed() => {}
        }
    }
}

/// Sends the mails that are due, one after the other.
pub async fn send_due(kurso: &Kurso) -> Result<()> {
    while let Some(claim) = queue::claim_next(kurso).await? {
        send(kurso, claim).await;
    }
    Ok(())
}

async fn send(kurso: &Kurso, claim: Claim) {
    let (id, attempt, started) = (claim.id(), claim.attempt(), Instant::now());
    let outcome = match timeout(SEND_TIMEOUT, claim.send(kurso)).await {
        Ok(outcome) => outcome,
        Err(_) => claim.retry_or_give_up(chrono::Duration::days(3), "sending timed out".to_owned(), kurso),
    };
    let outcome_name = match &outcome {
        Outcome::Done => "done",
        Outcome::GivenUp(why) => {
            kurso.mail.inner.metrics.failed.inc();
            let error = delivery::redact_addresses(why);
            tracing::error!(%id, attempt, %error, "a mail was not sent and will not be retried");
            "failed"
        }
        Outcome::Retry(why) => {
            let error = delivery::redact_addresses(why);
            tracing::warn!(%id, attempt, %error, "a mail was not sent and will be retried");
            RETRY
        }
    };
    kurso.jobs.metrics.record_run(MAIL, outcome_name, started.elapsed());
    if let Err(error) = claim.finish(kurso, &outcome).await {
        // The mail will be sent again, with the same Message-ID.
        tracing::warn!(%id, %error, "the result of a mail could not be stored");
    }
}
