//! Queue of pending pushes in the table `pushes`, one for each device.
//!
//! One transaction takes the due notices of a person and queues the pushes about them. Therefore each notice is queued once for each device, even if
//! a node dies or several nodes work. A push stores the IDs of its notices, but no text: it is composed when it is sent. The sending node
//! holds a lease; if it dies, another node sends the push again, and the device shows it in place of the first one.

use chrono::{DateTime, Duration, Utc};
use kurso_base::error::{Error, Result};
use kurso_base::ids::{DeviceId, NoticeId, UserId};
use kurso_db::lease::{Terms, claim_first};
use kurso_db::{Executor, claim_sql, sql};
use uuid::Uuid;

use crate::Kurso;
use crate::auth::limits;
use crate::notice_mails::preferences::settings_of;

/// The lease of a push; longer than sending may take.
pub const LEASE: Duration = Duration::seconds(60);
/// Leases and pauses end at most this far ahead: quiet hours last up to a day.
const TERMS: Terms = Terms {
    length: LEASE,
    max_ahead: Duration::hours(25),
};
/// The longest pause in quiet hours; shorter than `max_ahead`.
const MAX_QUIET: Duration = Duration::hours(24);
/// How long sending is retried. Push services keep a push until then, too.
pub(super) const RETRY_WINDOW: Duration = Duration::hours(24);
/// The longest pause between two attempts; a push service may ask for a longer one.
const MAX_PAUSE: Duration = Duration::hours(1);
/// The longest pause that a push service may ask for.
const MAX_ASKED: Duration = Duration::hours(6);
/// The number of pending pushes from which on notices wait.
pub const MAX_PENDING: i64 = 50_000;
/// The number of people read at a time.
const PEOPLE: i64 = 100;
/// The maximum number of notices of a push; older ones are not counted in it.
const MAX_NOTICES: usize = 500;
/// How long notices wait when their recipient has reached the limit of pushes; then they share one.
const POSTPONEMENT: Duration = Duration::minutes(15);

/// Queues pushes about all due notices. Returns the number of people. One statement if none is due.
pub async fn queue_due(kurso: &Kurso) -> Result<u64> {
    queue_while(kurso, || true).await
}

/// As [`queue_due`]; stops between two people when `goes_on` is false. A server without push services drops what is due.
pub(super) async fn queue_while(kurso: &Kurso, goes_on: impl Fn() -> bool) -> Result<u64> {
    let now = kurso.clock.now();
    if !kurso.push.is_on() {
        sql!("UPDATE notices SET push_at = NULL WHERE push_at <= $1", now)
            .execute(&kurso.db)
            .await?;
        return Ok(0);
    }
    let mut people = 0;
    // A person whose push fails is skipped in this round, and stays due.
    let mut last = (DateTime::UNIX_EPOCH, UserId(Uuid::nil()));
    loop {
        let due = sql!(
            "SELECT MIN(push_at), user_id FROM notices WHERE push_at <= $1 GROUP BY user_id
             HAVING MIN(push_at) > $2 OR (MIN(push_at) = $2 AND user_id > $3) ORDER BY MIN(push_at), user_id LIMIT $4",
            now,
            last.0,
            last.1,
            PEOPLE
        )
        .fetch_all::<(DateTime<Utc>, UserId)>(&kurso.db)
        .await?;
        let Some(end) = due.last() else { return Ok(people) };
        last = *end;
        let (pending,) = sql!("SELECT COUNT(*) FROM pushes")
            .fetch_one::<(i64,)>(&kurso.db)
            .await?;
        if pending >= MAX_PENDING {
            tracing::warn!("too many pending pushes, notices wait");
            return Ok(people);
        }
        for (_, user) in due {
            if !goes_on() {
                return Ok(people);
            }
            match queue_for(kurso, user, now).await {
                Ok(is_queued) => people += u64::from(is_queued),
                Err(error) => tracing::warn!(%error, "a push about notices could not be queued"),
            }
        }
    }
}

#[derive(sqlx::FromRow)]
struct Taken {
    id: NoticeId,
    is_unread: bool,
}

/// Queues the pushes of one person. In quiet hours, for example after the server was down, it postpones the notices.
async fn queue_for(kurso: &Kurso, user: UserId, now: DateTime<Utc>) -> Result<bool> {
    let (settings, _) = settings_of(&kurso.db, user).await?;
    let end = settings.hours.after_quiet(now);
    if end > now {
        postpone(kurso, user, now, end).await?;
        return Ok(false);
    }
    let mut tx = kurso.db.begin().await?;
    // If several nodes compete, each row goes to one of them.
    let mut taken = sql!(
        "UPDATE notices SET push_at = NULL WHERE user_id = $1 AND push_at <= $2 RETURNING id, read_at IS NULL AS is_unread",
        user,
        now
    )
    .fetch_all::<Taken>(&mut tx)
    .await?;
    taken.retain(|notice| notice.is_unread);
    taken.sort_by_key(|notice| notice.id);
    let notices: Vec<NoticeId> = taken
        .iter()
        .rev()
        .take(MAX_NOTICES)
        .rev()
        .map(|notice| notice.id)
        .collect();
    let devices = sql!("SELECT id FROM push_devices WHERE user_id = $1 ORDER BY id", user);
    let devices = devices.fetch_all::<(DeviceId,)>(&mut tx).await?;
    let devices: Vec<DeviceId> = devices.into_iter().map(|(id,)| id).collect();
    if notices.is_empty() || devices.is_empty() {
        tx.commit().await?;
        return Ok(false);
    }
    enqueue(&mut tx, &devices, &notices, now).await?;
    // Only queued pushes count towards the limit.
    if kurso.limits.acquire(&limits::pushes(user), now).is_err() {
        tx.rollback().await?;
        postpone(kurso, user, now, now + POSTPONEMENT).await?;
        return Ok(false);
    }
    tx.commit().await?;
    Ok(true)
}

/// Postpones the due notices of a person.
async fn postpone(kurso: &Kurso, user: UserId, now: DateTime<Utc>, until: DateTime<Utc>) -> Result<()> {
    sql!(
        "UPDATE notices SET push_at = $3 WHERE user_id = $1 AND push_at <= $2",
        user,
        now,
        until
    )
    .execute(&kurso.db)
    .await?;
    Ok(())
}

/// Queues a push to these devices, of which there is at least one.
pub(super) async fn enqueue(
    on: impl Executor,
    devices: &[DeviceId],
    notices: &[NoticeId],
    now: DateTime<Utc>,
) -> Result<()> {
    let notices = serde_json::to_string(notices).map_err(Error::internal)?;
    let new = sql!("INSERT INTO pushes (notices, free_at, created_at, id, device_id) VALUES ");
    let new = new.bind(notices).bind(now);
    let new = new.push_values(devices.iter().copied(), |sql, device| {
        let sql = sql.push("$1, $2, $2, ").push_bind(Uuid::now_v7()).push(", ");
        sql.push_bind(device)
    });
    new.execute(on).await?;
    Ok(())
}

#[derive(sqlx::FromRow)]
struct Row {
    id: Uuid,
    device_id: DeviceId,
    notices: String,
    attempts: i64,
    created_at: DateTime<Utc>,
}

/// A push leased by this node.
pub(super) struct Claim {
    row: Row,
    holder: Uuid,
}

/// Where a push goes.
#[derive(sqlx::FromRow)]
pub(super) struct Target {
    pub user_id: UserId,
    pub endpoint: String,
    pub p256dh: String,
    pub auth: String,
}

/// The result of an attempt.
#[derive(Debug)]
pub(super) enum Outcome {
    /// Sent, or there was nothing to send.
    Done,
    /// The push service no longer knows the device.
    Gone,
    /// Refused permanently, or retried for too long.
    GivenUp(String),
    /// Failed temporarily; the push service may ask for a pause.
    Retry(String, Option<Duration>),
    /// Quiet hours until then.
    Quiet(DateTime<Utc>),
}

/// Leases the push that has been due longest. One statement if none is due.
pub(super) async fn claim_next(kurso: &Kurso) -> Result<Option<Claim>> {
    let statements = claim_sql!("pushes", "free_at, id", "id, device_id, notices, attempts, created_at");
    let claimed = claim_first(&kurso.db, TERMS, || kurso.clock.now(), statements).await?;
    Ok(claimed.map(|(row, holder)| Claim { row, holder }))
}

impl Claim {
    pub fn id(&self) -> Uuid {
        self.row.id
    }

    pub fn device(&self) -> DeviceId {
        self.row.device_id
    }

    /// The notices, oldest first; empty for a test.
    pub fn notices(&self) -> Result<Vec<NoticeId>> {
        serde_json::from_str(&self.row.notices).map_err(Error::internal)
    }

    /// The device; None if it was removed meanwhile.
    pub async fn target(&self, kurso: &Kurso) -> Result<Option<Target>> {
        let found = sql!(
            "SELECT user_id, endpoint, p256dh, auth FROM push_devices WHERE id = $1",
            self.row.device_id
        );
        Ok(found.fetch_optional::<Target>(&kurso.db).await?)
    }

    /// How long sending may still be retried.
    pub fn time_left(&self, kurso: &Kurso) -> Duration {
        self.row.created_at + RETRY_WINDOW - kurso.clock.now()
    }

    /// Retries unless the time is over.
    pub fn retry_or_give_up(&self, kurso: &Kurso, why: String, asked: Option<Duration>) -> Outcome {
        if self.time_left(kurso) > self.pause(asked) {
            Outcome::Retry(why, asked)
        } else {
            Outcome::GivenUp(why)
        }
    }

    /// The pause before the next attempt: 10 seconds, tripled each time, at most [`MAX_PAUSE`]; or longer if the push service asks for it.
    fn pause(&self, asked: Option<Duration>) -> Duration {
        let exponent = u32::try_from(self.row.attempts - 1).unwrap_or(0).min(8);
        let own = Duration::seconds(10 * 3_i64.pow(exponent)).min(MAX_PAUSE);
        own.max(asked.unwrap_or_default().min(MAX_ASKED))
    }

    /// Stores the result, unless another node holds the lease by now.
    pub async fn finish(&self, kurso: &Kurso, outcome: &Outcome) -> Result<()> {
        let until = match outcome {
            Outcome::Done | Outcome::Gone | Outcome::GivenUp(_) => {
                let done = sql!(
                    "DELETE FROM pushes WHERE id = $1 AND holder = $2",
                    self.row.id,
                    self.holder
                );
                done.execute(&kurso.db).await?;
                return Ok(());
            }
            Outcome::Retry(_, asked) => kurso.clock.now() + self.pause(*asked),
            Outcome::Quiet(until) => *until,
        };
        // Quiet hours may end later than a pause may: then the push looks again.
        let until = until.min(kurso.clock.now() + MAX_QUIET);
        sql!(
            "UPDATE pushes SET holder = NULL, free_at = $3 WHERE id = $1 AND holder = $2",
            self.row.id,
            self.holder,
            until
        )
        .execute(&kurso.db)
        .await?;
        Ok(())
    }
}
