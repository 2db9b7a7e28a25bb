//! Signing in and out: passwords, sessions, tokens, limits.

pub mod limits;
pub mod passwords;
pub mod recovery;
pub mod sessions;
pub mod tokens;

use std::net::IpAddr;

use chrono::{DateTime, Duration, Utc};

use crate::Kurso;
use crate::access::Viewer;
use crate::audit;
use crate::email::Email;
use crate::error::{Error, Result};
use crate::ids::{SessionId, UserId};
use crate::messages::Message;
use crate::sql;
use crate::users::{self, User};
use passwords::Verdict;

/// Where a request comes from, as far as limits and the list of sessions need it.
#[derive(Clone, Debug, Default)]
pub struct Origin {
    pub address: Option<IpAddr>,
    /// The User-Agent.
    pub device: String,
}

/// How often a session's last use is written down.
const SEEN_EVERY: Duration = Duration::minutes(5);

/// Signs in and returns an access token. A wrong password, an unknown e-mail and one that is none are alike:
/// 400 `Incorrect email or password`, after the same time.
pub async fn login(kurso: &Kurso, origin: &Origin, email: &str, password: String) -> Result<String> {
    let done = try_login(kurso, origin, email, password).await;
    kurso.signals.login(&done);
    done
}

async fn try_login(kurso: &Kurso, origin: &Origin, email: &str, password: String) -> Result<String> {
    let now = kurso.clock.now();
    let key = Email::parse(email).map(|e| e.key().to_owned()).unwrap_or_default();
    let counters = limits::failures(&key, origin.address);
    // Before the work: of guesses sent at once no more are heard than of those sent one after another.
    kurso.limits.take(&counters, now)?;
    let found = sql!(
        "SELECT id, password_hash, is_active FROM users WHERE email_key = $1",
        &key
    )
    .fetch_optional::<(UserId, String, bool)>(&kurso.db)
    .await?;
    let hash = found.as_ref().map(|(_, hash, _)| hash.clone());
    let verdict = kurso.passwords.verify(password.clone(), hash).await;
    if !matches!(verdict, Ok(Verdict::Wrong)) {
        kurso.limits.give_back(&counters, now);
    }
    let verdict = verdict?;
    if verdict == Verdict::Wrong {
        audit::sign_in_failed(kurso, found.as_ref().map(|(id, ..)| *id), now).await?;
    }
    let (id, hash, is_active) = match found {
        Some(found) if verdict != Verdict::Wrong => found,
        _ => return Err(Error::BadRequest(Message::WrongLogin)),
    };
    if !is_active {
        return Err(Error::BadRequest(Message::InactiveUser));
    }
    let new_hash = match verdict {
        Verdict::RightButOld => kurso.passwords.hash(password).await?,
        _ => hash.clone(),
    };
    let session = start_session(kurso, id, (&hash, &new_hash), origin, now).await?;
    kurso.tokens.issue(id, session, now)
}

/// A new session for whoever knew the password of the first hash, which the second replaces. A password changed or an
/// account deactivated in between ends every session, so this one must not start.
async fn start_session(
    kurso: &Kurso,
    user: UserId,
    (hash, new_hash): (&str, &str),
    origin: &Origin,
    now: DateTime<Utc>,
) -> Result<SessionId> {
    let id = SessionId::new();
    let device: String = origin.device.chars().filter(|c| !c.is_control()).take(255).collect();
    let mut tx = kurso.db.begin().await?;
    if !users::replace_hash(&mut tx, user, hash, new_hash).await? {
        return Err(Error::BadRequest(Message::WrongLogin));
    }
    sql!(
        "DELETE FROM sessions WHERE user_id = $1 AND expires_at <= $2",
        user,
        now
    )
    .execute(&mut tx)
    .await?;
    sql!(
        "INSERT INTO sessions (id, user_id, device, created_at, last_seen_at, expires_at)
         VALUES ($1, $2, $3, $4, $4, $5)",
        id,
        user,
        device,
        now,
        now + tokens::LIFETIME
    )
    .execute(&mut tx)
    .await?;
    tx.commit().await?;
    Ok(id)
}

/// A person and the session of their token: None in both times when there is no such session.
#[derive(Debug, sqlx::FromRow)]
pub(crate) struct Authenticated {
    #[sqlx(flatten)]
    user: User,
    last_seen_at: Option<DateTime<Utc>>,
    ended_at: Option<DateTime<Utc>>,
}

/// What [`Authenticated`] is read from: of `users u` and `sessions s`.
macro_rules! authenticated_columns {
    () => {
        "u.id, u.email, u.full_name, u.is_active, u.is_superuser, u.created_at, s.last_seen_at, s.ended_at"
    };
}
pub(crate) use authenticated_columns;

impl Authenticated {
    /// When the session was last seen to be used; refuses in the contract's order.
    fn last_seen(&self) -> Result<DateTime<Utc>> {
        if !self.user.is_active {
            return Err(Error::BadRequest(Message::InactiveUser));
        }
        match (self.last_seen_at, self.ended_at) {
            (Some(seen), None) => Ok(seen),
            _ => Err(Error::BadCredentials),
        }
    }

    /// Who that is, if nothing is to be refused and nothing to be written down.
    pub(crate) fn current(self, session: SessionId, now: DateTime<Utc>) -> Option<Viewer> {
        let seen = self.last_seen().ok()?;
        (now - seen <= SEEN_EVERY).then_some(Viewer {
            user: self.user,
            session,
        })
    }
}

/// Whose token it is, checked in the contract's order: signature or expiry 403, user gone 404, inactive 400,
/// session ended or missing 403. One statement.
pub async fn authenticate(kurso: &Kurso, token: &str) -> Result<Viewer> {
    let now = kurso.clock.now();
    let (user_id, session) = kurso.tokens.read(token, now)?;
    let found = sql!(
        concat!(
            "SELECT ",
            authenticated_columns!(),
            " FROM users u LEFT JOIN sessions s ON s.user_id = u.id AND s.id = $2 WHERE u.id = $1"
        ),
        user_id,
        session
    )
    .fetch_optional::<Authenticated>(&kurso.db)
    .await?
    .ok_or(Error::NotFound(Message::UserGone))?;
    if now - found.last_seen()? > SEEN_EVERY {
        let seen = sql!("UPDATE sessions SET last_seen_at = $2 WHERE id = $1", session, now);
        // Who only wants to read can do so while nothing can be written.
        if let Err(error) = seen.execute(&kurso.db).await {
            tracing::warn!(%error, "when a session was last seen could not be written down");
        }
    }
    Ok(Viewer {
        user: found.user,
        session,
    })
}

#[derive(sqlx::FromRow)]
struct StillThere {
    #[sqlx(flatten)]
    user: User,
    expires_at: DateTime<Utc>,
}

/// A viewer of a while ago as they are now, and when their session ends; [`Error::BadCredentials`] when it is over, or the
/// account inactive or gone. One statement.
pub async fn still(kurso: &Kurso, viewer: &Viewer) -> Result<(Viewer, DateTime<Utc>)> {
    of_session(kurso, viewer.id(), viewer.session).await
}

/// The person of a session and when it ends; refusals as for [`still`].
pub(crate) async fn of_session(kurso: &Kurso, user: UserId, session: SessionId) -> Result<(Viewer, DateTime<Utc>)> {
    let found = sql!(
        "SELECT u.id, u.email, u.full_name, u.is_active, u.is_superuser, u.created_at, s.expires_at
         FROM users u JOIN sessions s ON s.user_id = u.id
         WHERE u.id = $1 AND u.is_active AND s.id = $2 AND s.ended_at IS NULL AND s.expires_at > $3",
        user,
        session,
        kurso.clock.now()
    )
    .fetch_optional::<StillThere>(&kurso.db)
    .await?
    .ok_or(Error::BadCredentials)?;
    let viewer = Viewer {
        user: found.user,
        session,
    };
    Ok((viewer, found.expires_at))
}

/// Ends the session of the token in use: the token is 403 from now on.
pub async fn logout(kurso: &Kurso, viewer: &Viewer) -> Result<()> {
    match sessions::end(kurso, viewer, viewer.session).await {
        Err(Error::NotFound(_)) => Ok(()), // it ended in the same moment
        other => other,
    }
}
