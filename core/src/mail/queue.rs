//! Queue of pending mails in the table `mails`. A row is written in the transaction that causes the mail and sent by
//! any free node (decision 60).
//!
//! A row stores what the mail is about, but neither its text nor a token; both are made when it is sent. The sending
//! node holds a lease of [`LEASE`]; if it dies, another node sends the mail. A mail may thus be sent twice, with the
//! same Message-ID, but is not lost while a mail server accepts it.

use chrono::{DateTime, Duration, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::Kurso;
use kurso_base::error::{Error, Result};
use kurso_base::ids::{CourseId, EmailChangeId, InvitationId, NoticeId, UserId};
use kurso_base::messages::Lang;
use kurso_db::lease::{Terms, claim_first};
use kurso_db::sql;
use kurso_db::{Executor, claim_sql};

/// The lease of a mail; longer than sending may take.
pub const LEASE: Duration = Duration::seconds(90);
/// Pauses and leases end at most this far ahead.
const TERMS: Terms = Terms {
    length: LEASE,
    max_ahead: Duration::hours(2),
};
/// How often sending is attempted at most.
pub const MAX_ATTEMPTS: i64 = 100;
/// Limits pending recovery mails. Anyone can request them, also for addresses without an account.
pub const MAX_PENDING_RECOVERIES: i64 = 1_000;
/// Limits pending notice mails. Many of them are due at the same time, and other mails must not wait behind them.
pub const MAX_PENDING_NOTICES: i64 = 5_000;
/// Limits other pending mails.
pub const MAX_PENDING: i64 = 10_000;

/// What a mail is about.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PendingMail {
    /// A password recovery: the normalised address, whether or not it has an account.
    Recovery {
        email_key: String,
    },
    NewAccount {
        user: UserId,
    },
    EmailChanged {
        change: EmailChangeId,
    },
    Invitation {
        invitation: InvitationId,
        host: UserId,
    },
    HandedOver {
        course: CourseId,
        giver: UserId,
        heir: UserId,
    },
    /// Notices of a person, oldest first.
    Notices {
        user: UserId,
        notices: Vec<NoticeId>,
    },
    Test {
        to: String,
    },
}

impl PendingMail {
    fn kind(&self) -> &'static str {
        match self {
            PendingMail::Recovery { .. } => "recovery",
            PendingMail::NewAccount { .. } => "new_account",
            PendingMail::EmailChanged { .. } => "email_changed",
            PendingMail::Invitation { .. } => "invitation",
            PendingMail::HandedOver { .. } => "handed_over",
            PendingMail::Notices { .. } => "notices",
            PendingMail::Test { .. } => "test",
        }
    }

    /// How long sending is retried. Recipients of recovery and test mails wait for them and ask again.
    pub(crate) fn retry_window(&self) -> Duration {
        match self {
            PendingMail::Recovery { .. } | PendingMail::Test { .. } => Duration::hours(1),
            _ => Duration::days(3),
        }
    }
}

/// Queues a mail. Fails with [`Error::Busy`] when too many are pending. The caller calls [`super::Mail::wake`] after
/// the commit.
pub(crate) async fn enqueue(on: impl Executor, about: &PendingMail, lang: Lang, now: DateTime<Utc>) -> Result<()> {
    let text = serde_json::to_string(about).map_err(Error::internal)?;
    let columns = "INSERT INTO mails (id, kind, about, lang, free_at, created_at) SELECT $1, $2, $3, $4, $5, $5 WHERE ";
    let new = sql!(columns, Uuid::now_v7(), about.kind(), text, lang, now);
    let bounded = match about {
        PendingMail::Recovery { .. } => new
            .push("(SELECT COUNT(*) FROM mails WHERE kind = 'recovery') < ")
            .push_bind(MAX_PENDING_RECOVERIES),
        PendingMail::Notices { .. } => new
            .push("(SELECT COUNT(*) FROM mails WHERE kind = 'notices') < ")
            .push_bind(MAX_PENDING_NOTICES),
        _ => new
            .push("(SELECT COUNT(*) FROM mails WHERE kind <> 'notices') < ")
            .push_bind(MAX_PENDING),
    };
    match bounded.execute(on).await? {
        0 => Err(Error::Busy),
        _ => Ok(()),
    }
}

#[derive(sqlx::FromRow)]
struct Row {
    id: Uuid,
    about: String,
    lang: Lang,
    attempts: i64,
    created_at: DateTime<Utc>,
}

/// A mail leased by this node.
pub struct Claim {
    row: Row,
    holder: Uuid,
}

/// The result of an attempt.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// Sent, or there was nothing to send.
    Done,
    /// Rejected permanently, or retried for too long.
    GivenUp(String),
    /// Failed temporarily.
    Retry(String),
}

/// Leases the mail that has been due longest; notice mails come after all others. One statement if none is due.
pub async fn claim_next(kurso: &Kurso) -> Result<Option<Claim>> {
    let statements = claim_sql!(
        "mails",
        "kind = 'notices', free_at, id",
        "id, about, lang, attempts, created_at"
    );
    let claimed = claim_first(&kurso.db, TERMS, || kurso.clock.now(), statements).await?;
    Ok(claimed.map(|(row, holder)| Claim { row, holder }))
}

impl Claim {
    pub fn id(&self) -> Uuid {
        self.row.id
    }

    pub(crate) fn attempt(&self) -> i64 {
        self.row.attempts
    }

    /// What the mail is about. Fails if a newer binary queued it.
    pub(crate) fn about(&self) -> serde_json::Result<PendingMail> {
        serde_json::from_str(&self.row.about)
    }

    pub(crate) fn lang(&self) -> Lang {
        self.row.lang
    }

    /// The time since the mail was queued.
    pub(crate) fn age(&self, kurso: &Kurso) -> Duration {
        kurso.clock.now() - self.row.created_at
    }

    pub(crate) fn retry_or_give_up(&self, retry_window: Duration, why: String, kurso: &Kurso) -> Outcome {
        if self.row.attempts >= MAX_ATTEMPTS || self.age(kurso) > retry_window {
            Outcome::GivenUp(why)
        } else {
            Outcome::Retry(why)
        }
    }

    /// The delay before the next attempt: 10 seconds, tripled each time, at most 10 minutes within the first hour and
    /// one hour after that.
    fn pause(&self, kurso: &Kurso) -> Duration {
        let limit = if self.age(kurso) < Duration::hours(1) {
            600
        } else {
            3_600
        };
        let exponent = u32::try_from(self.row.attempts - 1).unwrap_or(0).min(8);
        Duration::seconds((10 * 3_i64.pow(exponent)).min(limit))
    }

    /// Stores the result, unless another node holds the lease by now.
    pub(crate) async fn finish(&self, kurso: &Kurso, outcome: &Outcome) -> Result<()> {
        match outcome {
            Outcome::Done | Outcome::GivenUp(_) => {
                sql!(
                    "DELETE FROM mails WHERE id = $1 AND holder = $2",
                    self.row.id,
                    self.holder
                )
                .execute(&kurso.db)
                .await?
            }
            Outcome::Retry(_) => {
                sql!(
                    "UPDATE mails SET holder = NULL, free_at = $3 WHERE id = $1 AND holder = $2",
                    self.row.id,
                    self.holder,
                    kurso.clock.now() + self.pause(kurso)
                )
                .execute(&kurso.db)
                .await?
            }
        };
        Ok(())
    }
}
