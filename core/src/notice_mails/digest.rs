//! The worker that collects due notices into mails: one mail per person, in the queue of `crate::mail::queue`.
//!
//! One transaction takes the notices of a person and queues the mail. Therefore each notice is in exactly one mail, even if a node dies or
//! several nodes work. If the queue is full, the notices stay due.

use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use tokio::sync::watch;
use tokio::time::sleep;

use super::preferences::settings_of;
use crate::Kurso;
use crate::auth::limits;
use crate::mail::queue::{self, PendingMail};
use kurso_base::error::{Error, Result};
use kurso_base::ids::{NoticeId, UserId};
use kurso_db::sql;

/// The poll interval.
const POLL_INTERVAL: Duration = Duration::from_secs(15);

/// The number of people read at a time.
const PEOPLE: i64 = 100;

/// How long notices wait when their recipient has reached the daily limit of mails.
const POSTPONEMENT: TimeDelta = TimeDelta::hours(3);

/// The maximum number of notices in a mail. A person with more receives several mails.
pub const MAX_NOTICES: usize = 500;

/// Queues mails until `stop` is true.
pub async fn work(kurso: Arc<Kurso>, mut stop: watch::Receiver<bool>) {
    while !*stop.borrow() {
        if let Err(error) = queue_while(&kurso, || !*stop.borrow()).await {
            tracing::warn!(%error, "due notices could not be read");
        }
        tokio::select! {
            () = sleep(POLL_INTERVAL) => {}
            Ok(()) = stop.changed() => {}
        }
    }
}

/// Queues mails for all due notices. Returns the number of mails. One statement if none is due.
pub async fn queue_due(kurso: &Kurso) -> Result<u64> {
    queue_while(kurso, || true).await
}

/// As [`queue_due`]; stops between two people when `goes_on` is false.
async fn queue_while(kurso: &Kurso, goes_on: impl Fn() -> bool) -> Result<u64> {
    let now = kurso.clock.now();
    let mut mails = 0;
    // A person whose mail fails is skipped in this round, and stays due.
    let mut last = (DateTime::UNIX_EPOCH, UserId(uuid::Uuid::nil()));
    loop {
        let due = sql!(
            "SELECT MIN(mail_at), user_id FROM notices WHERE mail_at <= $1 GROUP BY user_id
             HAVING MIN(mail_at) > $2 OR (MIN(mail_at) = $2 AND user_id > $3) ORDER BY MIN(mail_at), user_id LIMIT $4",
            now,
            last.0,
            last.1,
            PEOPLE
        )
        .fetch_all::<(DateTime<Utc>, UserId)>(&kurso.db)
        .await?;
        let Some(end) = due.last() else { return Ok(mails) };
        last = *end;
        for (_, user) in due {
            if !goes_on() {
                return Ok(mails);
            }
            match queue_for(kurso, user, now).await {
                Ok(queued) => mails += queued,
                Err(Error::Busy) => {
                    tracing::warn!("too many pending mails, notices wait");
                    return Ok(mails);
                }
                Err(error) => tracing::warn!(%error, "a mail about notices could not be queued"),
            }
        }
    }
}

#[derive(sqlx::FromRow)]
struct Taken {
    id: NoticeId,
    is_unread: bool,
}

/// Queues the mail of one person. In quiet hours, for example after the server was down, it postpones the notices.
async fn queue_for(kurso: &Kurso, user: UserId, now: DateTime<Utc>) -> Result<u64> {
    let (settings, _) = settings_of(&kurso.db, user).await?;
    let end = settings.hours.after_quiet(now);
    if end > now {
        postpone(kurso, user, now, end).await?;
        return Ok(0);
    }
    let mut tx = kurso.db.begin().await?;
    // If several nodes compete, each row goes to one of them.
    let mut taken = sql!(
        "UPDATE notices SET mail_at = NULL WHERE user_id = $1 AND mail_at <= $2 RETURNING id, read_at IS NULL AS is_unread",
        user,
        now
    )
    .fetch_all::<Taken>(&mut tx)
    .await?;
    taken.retain(|notice| notice.is_unread);
    taken.sort_by_key(|notice| notice.id);
    let mails = taken.len().div_ceil(MAX_NOTICES);
    for notices in taken.chunks(MAX_NOTICES) {
        let notices = notices.iter().map(|notice| notice.id).collect();
        let about = PendingMail::Notices { user, notices };
        queue::enqueue(&mut tx, &about, settings.lang, now).await?;
    }
    // Only queued mails count towards the limit.
    if kurso.limits.acquire(&limits::notice_mails(user, mails), now).is_err() {
        tx.rollback().await?;
        postpone(kurso, user, now, now + POSTPONEMENT).await?;
        return Ok(0);
    }
    tx.commit().await?;
    if mails > 0 {
        kurso.mail.wake();
    }
    Ok(u64::try_from(mails).unwrap_or(u64::MAX))
}

/// Postpones the due notices of a person.
async fn postpone(kurso: &Kurso, user: UserId, now: DateTime<Utc>, until: DateTime<Utc>) -> Result<()> {
    sql!(
        "UPDATE notices SET mail_at = $3 WHERE user_id = $1 AND mail_at <= $2",
        user,
        now,
        until
    )
    .execute(&kurso.db)
    .await?;
    Ok(())
}
