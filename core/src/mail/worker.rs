//! A node that sends letters.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};

use super::delivery;
use super::queue::{self, Claim, Outcome};
use crate::Kurso;
use crate::error::Result;
use crate::jobs::signals::{AGAIN, MAIL};

/// So many are sent at once.
const SENDING: usize = 4;
/// How long a letter may take, with all that is read for it: less than [`queue::LEASE`].
const PATIENCE: Duration = Duration::from_secs(70);
/// How often it is asked what there is to send: letters of other nodes, and those that are tried again, call nobody.
const ROUND: Duration = Duration::from_secs(2);

/// Sends letters until `stop` says true, and then those that may go at once.
pub async fn work(kurso: Arc<Kurso>, mut stop: watch::Receiver<bool>) {
    let mut running = JoinSet::new();
    loop {
        if running.len() < SENDING {
            match queue::take(&kurso).await {
                Ok(Some(claim)) => {
                    let kurso = kurso.clone();
                    running.spawn(async move { send(&kurso, claim).await });
                    continue;
                }
                Ok(None) => {}
                Err(error) => tracing::warn!(%error, "it cannot be seen what mails there are"),
            }
            if *stop.borrow() && running.is_empty() {
                return;
            }
        }
        tokio::select! {
            Some(_) = running.join_next() => {} // a panic was logged, and the lease ends
            () = kurso.mail.woken() => {}
            () = sleep(ROUND) => {}
            Ok(()) = stop.changed() => {}
        }
    }
}

/// Sends the letters that may go now, one after the other.
pub async fn send_due(kurso: &Kurso) -> Result<()> {
    while let Some(claim) = queue::take(kurso).await? {
        send(kurso, claim).await;
    }
    Ok(())
}

async fn send(kurso: &Kurso, claim: Claim) {
    let (id, attempt, begun) = (claim.id(), claim.attempt(), Instant::now());
    let outcome = match timeout(PATIENCE, claim.send(kurso)).await {
        Ok(outcome) => outcome,
        Err(_) => claim.again(chrono::Duration::days(3), "it takes too long".to_owned(), kurso),
    };
    let said = match &outcome {
        Outcome::Done => "done",
        Outcome::GivenUp(why) => {
            kurso.mail.inner.signals.failed.inc();
            let error = delivery::without_addresses(why);
            tracing::error!(%id, attempt, %error, "a mail was not sent, and is given up");
            "failed"
        }
        Outcome::Again(why) => {
            let error = delivery::without_addresses(why);
            tracing::warn!(%id, attempt, %error, "a mail was not sent; it is tried again");
            AGAIN
        }
    };
    kurso.jobs.signals.ended(MAIL, said, begun.elapsed());
    if let Err(error) = claim.settle(kurso, &outcome).await {
        // It goes once more, then, under the same Message-ID.
        tracing::warn!(%id, %error, "what became of a mail could not be written down");
    }
}
