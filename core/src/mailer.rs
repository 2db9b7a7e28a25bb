//! Mail worker of a node: claims pending mails, renders them and sends them.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};

use crate::auth::recovery;
use crate::courses::team;
use crate::jobs::metrics::{MAIL, RETRY};
use crate::mail::queue::{self, Claim, Outcome, PendingMail};
use crate::mail::redact_addresses;
use crate::mail::templates::{self, RenderedMail, Template};
use crate::{Kurso, notice_mails, users};
use kurso_base::error::Result;
use kurso_base::messages::Lang;

/// Mails sent at the same time.
const MAX_CONCURRENT: usize = 4;
/// Limits sending one mail, including rendering it; shorter than [`queue::LEASE`].
const SEND_TIMEOUT: Duration = Duration::from_secs(70);
/// How long sending is retried if it is unknown what the mail is about.
const UNKNOWN_RETRY_WINDOW: chrono::Duration = chrono::Duration::days(3);
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
    let outcome = match timeout(SEND_TIMEOUT, render_and_deliver(kurso, &claim)).await {
        Ok(outcome) => outcome,
        Err(_) => claim.retry_or_give_up(UNKNOWN_RETRY_WINDOW, "sending timed out".to_owned(), kurso),
    };
    let outcome_name = match &outcome {
        Outcome::Done => "done",
        Outcome::GivenUp(why) => {
            kurso.mail.metrics().failed.inc();
            let error = redact_addresses(why);
            tracing::error!(%id, attempt, %error, "a mail was not sent and will not be retried");
            "failed"
        }
        Outcome::Retry(why) => {
            let error = redact_addresses(why);
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

async fn render_and_deliver(kurso: &Kurso, claim: &Claim) -> Outcome {
    let about = match claim.about() {
        Ok(about) => about,
        // A newer binary wrote it and will understand it.
        Err(error) => return claim.retry_or_give_up(UNKNOWN_RETRY_WINDOW, error.to_string(), kurso),
    };
    if claim.age(kurso) > about.retry_window() {
        return Outcome::GivenUp("it has been pending for too long".to_owned());
    }
    let mut mail = match render(kurso, claim.lang(), &about).await {
        Ok(Some(mail)) => mail,
        Ok(None) => return Outcome::Done,
        Err(error) => return claim.retry_or_give_up(about.retry_window(), error.to_string(), kurso),
    };
    mail.id = claim.id();
    match kurso.mail.deliver(&mail).await {
        Ok(()) => {
            kurso.mail.metrics().sent.inc();
            Outcome::Done
        }
        Err(error) if error.is_final() => Outcome::GivenUp(error.to_string()),
        Err(error) => claim.retry_or_give_up(about.retry_window(), error.to_string(), kurso),
    }
}

/// Renders a mail from the current data. None if there is no recipient or nothing to say any more.
async fn render(kurso: &Kurso, lang: Lang, about: &PendingMail) -> Result<Option<RenderedMail>> {
    match about {
        PendingMail::Recovery { email_key } => match recovery::render_mail(kurso, lang, email_key).await? {
            // Without an account, the address may be reserved for one that only claimed it. Whoever reads the mails of
            // an address can take it back.
            None => users::email_change::render_latest(kurso, lang, email_key).await,
            mail => Ok(mail),
        },
        PendingMail::NewAccount { user } => recovery::welcome(kurso, lang, *user).await,
        PendingMail::EmailChanged { change } => users::email_change::render_mail(kurso, lang, *change).await,
        PendingMail::Invitation { invitation, host } => {
            team::invite::render_mail(kurso, lang, *invitation, *host).await
        }
        PendingMail::HandedOver { course, giver, heir } => {
            team::hand_over::render_mail(kurso, lang, *course, *giver, *heir).await
        }
        PendingMail::Notices { user, notices } => notice_mails::mail::render(kurso, lang, *user, notices).await,
        PendingMail::Test { to } => Ok(Some(templates::render(&Template::Test, lang, to, kurso.clock.now()))),
    }
}
