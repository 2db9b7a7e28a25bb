//! Push worker of a node: queues pushes about due notices, and sends pending pushes to the push services of browsers.

use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use kurso_base::error::{Error, Result};
use reqwest::{Response, StatusCode, header};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::encryption::{BrowserKeys, encrypt};
use super::queue::{self, Claim, Outcome, Target};
use super::{devices, message};
use crate::Kurso;
use crate::notice_mails::preferences::settings_of;

/// Pushes sent at the same time.
const MAX_CONCURRENT: usize = 8;
/// Limits sending one push, including composing it; shorter than [`queue::LEASE`].
const SEND_TIMEOUT: Duration = Duration::from_secs(30);
/// The poll interval.
const POLL_INTERVAL: Duration = Duration::from_secs(3);

/// Queues and sends pushes until `stop` is true, then finishes those that it is sending.
pub async fn work(kurso: Arc<Kurso>, mut stop: watch::Receiver<bool>) {
    // Queuing pushes for a large class takes a while, and must not hold up those that are queued.
    tokio::join!(queue_all(&kurso, stop.clone()), send_all(&kurso, &mut stop));
}

async fn queue_all(kurso: &Kurso, mut stop: watch::Receiver<bool>) {
    while !*stop.borrow() {
        match queue::queue_while(kurso, || !*stop.borrow()).await {
            Ok(0) => {}
            Ok(_) => kurso.push.wake.notify_one(),
            Err(error) => tracing::warn!(%error, "due notices could not be read"),
        }
        tokio::select! {
            () = sleep(POLL_INTERVAL) => {}
            Ok(()) = stop.changed() => {}
        }
    }
}

async fn send_all(kurso: &Arc<Kurso>, stop: &mut watch::Receiver<bool>) {
    let mut running = JoinSet::new();
    loop {
        let goes_on = || !*stop.borrow();
        if goes_on() && running.len() < MAX_CONCURRENT {
            match queue::claim_next(kurso).await {
                Ok(Some(claim)) => {
                    let kurso = kurso.clone();
                    running.spawn(async move { send(&kurso, claim).await });
                    continue;
                }
                Ok(None) => {}
                Err(error) => tracing::warn!(%error, "pending pushes could not be claimed"),
            }
        }
        if *stop.borrow() && running.is_empty() {
            return;
        }
        tokio::select! {
            Some(_) = running.join_next() => {} // a panic was logged, and the lease expires
            () = kurso.push.wake.notified() => {}
            () = sleep(POLL_INTERVAL) => {}
            Ok(()) = stop.changed() => {}
        }
    }
}

/// Sends the pushes that are due, one after the other.
pub async fn send_due(kurso: &Kurso) -> Result<()> {
    while let Some(claim) = queue::claim_next(kurso).await? {
        send(kurso, claim).await;
    }
    Ok(())
}

async fn send(kurso: &Kurso, claim: Claim) {
    let id = claim.id();
    let outcome = match timeout(SEND_TIMEOUT, compose_and_send(kurso, &claim)).await {
        Ok(Ok(outcome)) => outcome,
        Ok(Err(error)) => claim.retry_or_give_up(kurso, error.to_string(), None),
        Err(_) => claim.retry_or_give_up(kurso, "sending timed out".to_owned(), None),
    };
    let metrics = &kurso.push.metrics;
    match &outcome {
        Outcome::Done | Outcome::Quiet(_) => {}
        Outcome::Gone => {
            metrics.gone.inc();
            tracing::debug!(%id, "a device is gone");
        }
        Outcome::GivenUp(error) => {
            metrics.failed.inc();
            tracing::warn!(%id, %error, "a push was not sent and will not be retried");
        }
        Outcome::Retry(error, _) => tracing::info!(%id, %error, "a push was not sent and will be retried"),
    }
    if let Err(error) = claim.finish(kurso, &outcome).await {
        // The push will be sent again, with the same tag.
        tracing::warn!(%id, %error, "the result of a push could not be stored");
    }
}

async fn compose_and_send(kurso: &Kurso, claim: &Claim) -> Result<Outcome> {
    let Some(target) = claim.target(kurso).await? else {
        return Ok(Outcome::Done);
    };
    let now = kurso.clock.now();
    if claim.time_left(kurso) <= TimeDelta::zero() {
        return Ok(Outcome::GivenUp("it has been pending for too long".to_owned()));
    }
    let (settings, _) = settings_of(&kurso.db, target.user_id).await?;
    let notices = claim.notices()?;
    let message = match notices.last() {
        None => Some(message::test(settings.lang, claim.id().simple().to_string())),
        Some(newest) => {
            // A failed attempt may be repeated much later.
            let end = settings.hours.after_quiet(now);
            if end > now {
                return Ok(Outcome::Quiet(end));
            }
            let tag = newest.0.simple().to_string();
            message::compose(kurso, settings.lang, target.user_id, &notices, tag).await?
        }
    };
    let Some(message) = message else {
        return Ok(Outcome::Done);
    };
    let outcome = request(kurso, claim, &target, &message).await?;
    if matches!(outcome, Outcome::Gone) {
        devices::forget(&kurso.db, claim.device()).await?;
    }
    Ok(outcome)
}

async fn request(kurso: &Kurso, claim: &Claim, target: &Target, message: &message::Message) -> Result<Outcome> {
    let now = kurso.clock.now();
    // The setting may have changed since the device was added.
    let Some(endpoint) = kurso.push.hosts.endpoint(&target.endpoint) else {
        return Ok(Outcome::GivenUp("its push service is not allowed".to_owned()));
    };
    let Ok(keys) = BrowserKeys::read(&target.p256dh, &target.auth) else {
        return Ok(Outcome::GivenUp("the keys of the device are invalid".to_owned()));
    };
    let host = endpoint.host_str().unwrap_or_default().to_owned();
    if let Some(pause) = kurso.push.failing.pause(&host, now) {
        return Ok(claim.retry_or_give_up(kurso, "its push service is unreachable".to_owned(), Some(pause)));
    }
    let body = encrypt(&message.json().map_err(Error::internal)?, &keys)?;
    let authorization = kurso.push.key.authorization(&endpoint, &kurso.mail.contact(), now);
    let sent = kurso
        .push
        .client()?
        .post(endpoint)
        .header(header::AUTHORIZATION, authorization)
        .header(header::CONTENT_ENCODING, "aes128gcm")
        .header(header::CONTENT_TYPE, "application/octet-stream")
        .header("TTL", claim.time_left(kurso).num_seconds().max(0))
        .header("Urgency", "normal")
        .header("Topic", &message.tag)
        .body(body)
        .send()
        .await;
    kurso.push.failing.note(&host, sent.is_ok(), kurso.clock.now());
    Ok(match sent {
        Ok(response) => outcome(kurso, claim, &response, now),
        // Without its URL, which is secret.
        Err(error) => claim.retry_or_give_up(kurso, error.without_url().to_string(), None),
    })
}

/// Interprets the answer of a push service. Its body is not read.
fn outcome(kurso: &Kurso, claim: &Claim, response: &Response, now: DateTime<Utc>) -> Outcome {
    let status = response.status();
    let said = format!("the push service answered {}", status.as_u16());
    match status {
        status if status.is_success() => {
            kurso.push.metrics.sent.inc();
            Outcome::Done
        }
        StatusCode::NOT_FOUND | StatusCode::GONE => Outcome::Gone,
        StatusCode::REQUEST_TIMEOUT | StatusCode::TOO_EARLY | StatusCode::TOO_MANY_REQUESTS => {
            claim.retry_or_give_up(kurso, said, retry_after(response, now))
        }
        status if status.is_server_error() => claim.retry_or_give_up(kurso, said, retry_after(response, now)),
        _ => Outcome::GivenUp(said),
    }
}

/// The pause that a push service asks for: seconds, or a time.
fn retry_after(response: &Response, now: DateTime<Utc>) -> Option<TimeDelta> {
    let text = response.headers().get(header::RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = text.parse::<u32>() {
        return Some(TimeDelta::seconds(seconds.into()));
    }
    let at = DateTime::parse_from_rfc2822(text).ok()?;
    Some(at.with_timezone(&Utc) - now)
}
