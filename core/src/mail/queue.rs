//! Letters that are to go: rows of `mails`, written in the transaction of what they are about and sent by whichever node is
//! free (decision 60).
//!
//! A row holds what a letter is about and neither its text nor a token: those are made when it is sent. Who sends it has it
//! for [`LEASE`]; a node that dies leaves it to the next. So a letter may go twice, under the same Message-ID, and never not
//! at all while there is a server that takes it.

use chrono::{DateTime, Duration, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::letters::{self, Letter, Occasion};
use crate::auth::recovery;
use crate::courses::team;
use crate::db::Executor;
use crate::error::{Error, Result};
use crate::ids::{CourseId, EmailChangeId, InvitationId, UserId};
use crate::messages::Lang;
use crate::{Kurso, sql, users};

/// How long a letter is its sender's, longer than sending may take.
pub const LEASE: Duration = Duration::seconds(90);
/// No pause and no lease ends later than this from now: what says so was written by a clock that was wrong.
const HORIZON: Duration = Duration::hours(2);
/// How often a letter is tried at most.
pub const ATTEMPTS: i64 = 100;
/// Recovery mails that wait: anybody may ask for them, for addresses without an account as well.
pub const RECOVERIES: i64 = 1_000;
/// Letters that wait.
pub const MOST: i64 = 10_000;

/// What a letter is about.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum About {
    /// Somebody asked for a way to set a password: the address as it is compared, whether there is an account or not.
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
    Test {
        to: String,
    },
}

impl About {
    fn kind(&self) -> &'static str {
        match self {
            About::Recovery { .. } => "recovery",
            About::NewAccount { .. } => "new_account",
            About::EmailChanged { .. } => "email_changed",
            About::Invitation { .. } => "invitation",
            About::HandedOver { .. } => "handed_over",
            About::Test { .. } => "test",
        }
    }

    /// How long it is tried. Somebody waits for these two, and asks again.
    fn patience(&self) -> Duration {
        match self {
            About::Recovery { .. } | About::Test { .. } => Duration::hours(1),
            _ => Duration::days(3),
        }
    }

    /// The letter; None when there is nobody to write to any more, or nothing to say.
    async fn letter(&self, kurso: &Kurso, lang: Lang) -> Result<Option<Letter>> {
        match self {
            About::Recovery { email_key } => recovery::letter(kurso, lang, email_key).await,
            About::NewAccount { user } => recovery::welcome(kurso, lang, *user).await,
            About::EmailChanged { change } => users::email_change::letter(kurso, lang, *change).await,
            About::Invitation { invitation, host } => team::invite::letter(kurso, lang, *invitation, *host).await,
            About::HandedOver { course, giver, heir } => {
                team::hand_over::letter(kurso, lang, *course, *giver, *heir).await
            }
            About::Test { to } => Ok(Some(letters::write(&Occasion::Test, lang, to, kurso.clock.now()))),
        }
    }
}

/// Puts a letter into the queue. [`super::Mail::wake`] comes after the commit. [`Error::Busy`] when there are too many.
pub(crate) async fn add(on: impl Executor, about: &About, lang: Lang, now: DateTime<Utc>) -> Result<()> {
    let text = serde_json::to_string(about).map_err(Error::internal)?;
    let columns = "INSERT INTO mails (id, kind, about, lang, free_at, created_at) SELECT $1, $2, $3, $4, $5, $5 WHERE ";
    let new = sql!(columns, Uuid::now_v7(), about.kind(), text, lang, now);
    let bounded = match about {
        About::Recovery { .. } => new
            .push("(SELECT COUNT(*) FROM mails WHERE kind = 'recovery') < ")
            .push_bind(RECOVERIES),
        _ => new.push("(SELECT COUNT(*) FROM mails) < ").push_bind(MOST),
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

/// A letter that is this node's to send.
pub struct Claim {
    row: Row,
    holder: Uuid,
}

/// What has become of a try.
#[derive(Debug)]
pub(super) enum Outcome {
    /// It has gone, or there was nothing to say.
    Done,
    /// No server will take it, or it has taken too long.
    GivenUp(String),
    /// Not now.
    Again(String),
}

/// Takes the letter that has waited longest, if one may go. One statement when there is none.
pub async fn take(kurso: &Kurso) -> Result<Option<Claim>> {
    loop {
        let now = kurso.clock.now();
        let due = sql!(
            "SELECT id FROM mails WHERE free_at <= $1 OR free_at > $2 ORDER BY free_at, id LIMIT 8",
            now,
            now + HORIZON
        )
        .fetch_all::<(Uuid,)>(&kurso.db)
        .await?;
        if due.is_empty() {
            return Ok(None);
        }
        let holder = Uuid::now_v7();
        for (id,) in due {
            // Another node may have been quicker.
            let taken = sql!(
                "UPDATE mails SET holder = $2, free_at = $3, attempts = attempts + 1
                 WHERE id = $1 AND (free_at <= $4 OR free_at > $5)
                 RETURNING id, about, lang, attempts, created_at",
                id,
                holder,
                now + LEASE,
                now,
                now + HORIZON
            )
            .fetch_optional::<Row>(&kurso.db)
            .await?;
            if let Some(row) = taken {
                return Ok(Some(Claim { row, holder }));
            }
        }
    }
}

impl Claim {
    pub fn id(&self) -> Uuid {
        self.row.id
    }

    pub(super) fn attempt(&self) -> i64 {
        self.row.attempts
    }

    /// Writes the letter and sends it.
    pub(super) async fn send(&self, kurso: &Kurso) -> Outcome {
        let about: About = match serde_json::from_str(&self.row.about) {
            Ok(about) => about,
            // A later binary wrote it, and knows.
            Err(error) => return self.again(Duration::days(3), error.to_string(), kurso),
        };
        if self.age(kurso) > about.patience() {
            return Outcome::GivenUp("it has waited for too long".to_owned());
        }
        let mut letter = match about.letter(kurso, self.row.lang).await {
            Ok(Some(letter)) => letter,
            Ok(None) => return Outcome::Done,
            Err(error) => return self.again(about.patience(), error.to_string(), kurso),
        };
        letter.id = self.row.id;
        match kurso.mail.deliver(&letter).await {
            Ok(()) => {
                kurso.mail.inner.signals.sent.inc();
                Outcome::Done
            }
            Err(error) if error.is_final() => Outcome::GivenUp(error.to_string()),
            Err(error) => self.again(about.patience(), error.to_string(), kurso),
        }
    }

    fn age(&self, kurso: &Kurso) -> Duration {
        kurso.clock.now() - self.row.created_at
    }

    pub(super) fn again(&self, patience: Duration, why: String, kurso: &Kurso) -> Outcome {
        if self.row.attempts >= ATTEMPTS || self.age(kurso) > patience {
            Outcome::GivenUp(why)
        } else {
            Outcome::Again(why)
        }
    }

    /// Ten seconds, then three times as long each time, up to ten minutes in the first hour and an hour later on.
    fn pause(&self, kurso: &Kurso) -> Duration {
        let most = if self.age(kurso) < Duration::hours(1) {
            600
        } else {
            3_600
        };
        let tripled = u32::try_from(self.row.attempts - 1).unwrap_or(0).min(8);
        Duration::seconds((10 * 3_i64.pow(tripled)).min(most))
    }

    /// Writes down what has become of it, unless it is another's by now.
    pub(super) async fn settle(&self, kurso: &Kurso, outcome: &Outcome) -> Result<()> {
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
            Outcome::Again(_) => {
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
