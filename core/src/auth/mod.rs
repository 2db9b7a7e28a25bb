//! Authentication: login, logout, passwords, sessions, tokens and rate limits.

pub mod limits;
pub mod passwords;
pub mod recovery;
pub mod sessions;
pub mod tokens;

use std::net::IpAddr;

use chrono::{DateTime, Duration, Utc};

use crate::Kurso;
use crate::access::{User, Viewer, user_columns};
use crate::audit;
use kurso_base::email::Email;
use kurso_base::error::{Error, Result};
use kurso_base::ids::{SessionId, UserId};
use kurso_base::messages::Message;
use kurso_db::sql;
use passwords::Verdict;

/// The origin of a request, for rate limits and the list of sessions.
#[derive(Clone, Debug, Default)]
pub struct Origin {
    pub address: Option<IpAddr>,
    /// The User-Agent header.
    pub device: String,
}

/// How often a session's last use is stored.
const LAST_SEEN_INTERVAL: Duration = Duration::minutes(5);

/// Logs in and returns an access token. A wrong password, an unknown address and an invalid address are
/// indistinguishable: 400 `Incorrect email or password`, after the same time.
pub async fn login(kurso: &Kurso, origin: &Origin, email: &str, password: String) -> Result<String> {
    let done = try_login(kurso, origin, email, password).await;
    kurso.metrics.login(&done);
    done
}

async fn try_login(kurso: &Kurso, origin: &Origin, email: &str, password: String) -> Result<String> {
    let now = kurso.clock.now();
    let key = Email::parse(email).map(|e| e.key().to_owned()).unwrap_or_default();
    // Counted before the password is verified, so that parallel guesses cannot exceed the limit.
    let counters = kurso.limits.acquire_guess(&key, origin.address, now)?;
    let found = sql!(
        "SELECT id, password_hash, is_active FROM users WHERE email_key = $1",
        &key
    )
    .fetch_optional::<(UserId, String, bool)>(&kurso.db)
    .await?;
    let hash = found.as_ref().map(|(_, hash, _)| hash.clone());
    let verdict = kurso.passwords.verify(password.clone(), hash).await;
    if !matches!(verdict, Ok(Verdict::Wrong)) {
        kurso.limits.refund(&counters, now);
    }
    let verdict = verdict?;
    if verdict == Verdict::Wrong {
        audit::login_failed(kurso, found.as_ref().map(|(id, ..)| *id), now).await?;
    }
    let (id, hash, is_active) = match found {
        Some(found) if verdict != Verdict::Wrong => found,
        _ => return Err(Error::BadRequest(Message::WrongLogin)),
    };
    if !is_active {
        return Err(Error::BadRequest(Message::InactiveUser));
    }
    let new_hash = match verdict {
        Verdict::RightButOutdated => kurso.passwords.hash(password).await?,
        _ => hash.clone(),
    };
    let session = start_session(kurso, id, (&hash, &new_hash), origin, now).await?;
    kurso.limits.remember_sign_in(&key, origin.address);
    kurso.tokens.issue(id, session, now)
}

/// Creates a session if the account still has the hash `old` and is active; replaces the hash by the new one if given.
/// A password change or deactivation since the check ends all sessions, so it must prevent this one too.
async fn start_session(
    kurso: &Kurso,
    user: UserId,
    (hash, new_hash): (&str, &str),
    origin: &Origin,
    now: DateTime<Utc>,
) -> Result<SessionId> {
    let mut tx = kurso.db.begin().await?;
    if !passwords::replace_hash(&mut tx, user, hash, new_hash).await? {
        return Err(Error::BadRequest(Message::WrongLogin));
    }
    sql!(
        "DELETE FROM sessions WHERE user_id = $1 AND expires_at <= $2",
        user,
        now
    )
    .execute(&mut tx)
    .await?;
    let id = sessions::insert(&mut tx, user, origin, now, tokens::LIFETIME).await?;
    tx.commit().await?;
    Ok(id)
}

/// A person and the session of their token. The times are None if the session does not exist.
#[derive(Debug, sqlx::FromRow)]
pub(crate) struct Authenticated {
    #[sqlx(flatten)]
    user: User,
    last_seen_at: Option<DateTime<Utc>>,
    ended_at: Option<DateTime<Utc>>,
}

/// The columns of [`Authenticated`], from `users u` and `sessions s`.
macro_rules! authenticated_columns {
    () => {
        concat!($crate::access::user_columns!("u"), ", s.last_seen_at, s.ended_at")
    };
}
pub(crate) use authenticated_columns;

impl Authenticated {
    /// When the session was last used; fails in the order documented at [`authenticate`].
    fn last_seen(&self) -> Result<DateTime<Utc>> {
        if !self.user.is_active {
            return Err(Error::BadRequest(Message::InactiveUser));
        }
        match (self.last_seen_at, self.ended_at) {
            (Some(seen), None) => Ok(seen),
            _ => Err(Error::BadCredentials),
        }
    }

    /// The viewer, if the session is valid and its last use need not be stored.
    pub(crate) fn current(self, session: SessionId, now: DateTime<Utc>) -> Option<Viewer> {
        let seen = self.last_seen().ok()?;
        (now - seen <= LAST_SEEN_INTERVAL).then_some(Viewer {
            user: self.user,
            session,
        })
    }
}

/// Authenticates an access token. Checks in this order: signature or expiry (403), deleted user (404), inactive user
/// (400), ended or unknown session (403). One statement.
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
    if now - found.last_seen()? > LAST_SEEN_INTERVAL {
        let seen = sql!("UPDATE sessions SET last_seen_at = $2 WHERE id = $1", session, now);
        // Reading must remain possible while the database is read-only.
        if let Err(error) = seen.execute(&kurso.db).await {
            tracing::warn!(%error, "the last use of a session could not be stored");
        }
    }
    Ok(Viewer {
        user: found.user,
        session,
    })
}

#[derive(sqlx::FromRow)]
struct CurrentState {
    #[sqlx(flatten)]
    user: User,
    expires_at: DateTime<Utc>,
}

/// Reads a viewer's current state and the end of their session. Fails with [`Error::BadCredentials`] if the session has
/// ended, or the account is inactive or deleted. One statement.
pub async fn revalidate(kurso: &Kurso, viewer: &Viewer) -> Result<(Viewer, DateTime<Utc>)> {
    of_session(kurso, viewer.id(), viewer.session).await
}

/// The person of a session and when it ends; fails as [`revalidate`].
pub(crate) async fn of_session(kurso: &Kurso, user: UserId, session: SessionId) -> Result<(Viewer, DateTime<Utc>)> {
    let found = sql!(
        concat!(
            "SELECT ",
            user_columns!("u"),
            ", s.expires_at FROM users u JOIN sessions s ON s.user_id = u.id
             WHERE u.id = $1 AND u.is_active AND s.id = $2 AND s.ended_at IS NULL AND s.expires_at > $3"
        ),
        user,
        session,
        kurso.clock.now()
    )
    .fetch_optional::<CurrentState>(&kurso.db)
    .await?
    .ok_or(Error::BadCredentials)?;
    let viewer = Viewer {
        user: found.user,
        session,
    };
    Ok((viewer, found.expires_at))
}

/// Ends the session of the token, which is rejected with 403 from then on.
pub async fn logout(kurso: &Kurso, viewer: &Viewer) -> Result<()> {
    match sessions::end(kurso, viewer, viewer.session).await {
        Err(Error::NotFound(_)) => Ok(()), // it has just ended
        other => other,
    }
}
