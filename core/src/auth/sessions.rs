//! Sessions: one row per login; listed and ended by their owner.

use chrono::{DateTime, Duration, Utc};

use super::Origin;
use crate::Kurso;
use crate::access::Viewer;
use crate::audit::{Act, Entry};
use kurso_base::error::{Error, Result};
use kurso_base::ids::{SessionId, UserId};
use kurso_base::messages::Message;
use kurso_base::pagination::{Listed, Page};
use kurso_db::Tx;
use kurso_db::events::Event;
use kurso_db::sql;

/// A session of a person.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Session {
    pub id: SessionId,
    /// The User-Agent header.
    pub device: String,
    pub created_at: DateTime<Utc>,
    /// Accurate to five minutes.
    pub last_seen_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
}

/// Stores a new session.
pub(crate) async fn insert(
    tx: &mut Tx,
    user: UserId,
    origin: &Origin,
    now: DateTime<Utc>,
    lifetime: Duration,
) -> kurso_db::Result<SessionId> {
    let id = SessionId::new();
    let device: String = origin.device.chars().filter(|c| !c.is_control()).take(255).collect();
    sql!(
        "INSERT INTO sessions (id, user_id, device, created_at, last_seen_at, expires_at)
         VALUES ($1, $2, $3, $4, $4, $5)",
        id,
        user,
        device,
        now,
        now + lifetime
    )
    .execute(tx)
    .await?;
    Ok(id)
}

/// The viewer's sessions, most recently used first, then by id.
pub async fn list(kurso: &Kurso, viewer: &Viewer, page: Page) -> Result<Listed<Session>> {
    let now = kurso.clock.now();
    let data = sql!(
        "SELECT id, device, created_at, last_seen_at, expires_at FROM sessions
         WHERE user_id = $1 AND ended_at IS NULL AND expires_at > $2
         ORDER BY last_seen_at DESC, id DESC LIMIT $3 OFFSET $4",
        viewer.id(),
        now,
        page.limit,
        page.skip
    )
    .fetch_all(&kurso.db)
    .await?;
    let (count,) = sql!(
        "SELECT COUNT(*) FROM sessions WHERE user_id = $1 AND ended_at IS NULL AND expires_at > $2",
        viewer.id(),
        now
    )
    .fetch_one::<(i64,)>(&kurso.db)
    .await?;
    Ok(Listed { data, count })
}

/// Ends a session of the viewer, possibly the current one; its token is rejected with 403 from then on, and its device receives no pushes.
pub async fn end(kurso: &Kurso, viewer: &Viewer, id: SessionId) -> Result<()> {
    let now = kurso.clock.now();
    let mut tx = kurso.db.begin().await?;
    let ended = sql!(
        "UPDATE sessions SET ended_at = $3 WHERE id = $1 AND user_id = $2 AND ended_at IS NULL AND expires_at > $3",
        id,
        viewer.id(),
        now
    )
    .execute(&mut tx)
    .await?;
    if ended == 0 {
        tx.rollback().await?; // a concurrent logout already ended it
        return Err(Error::NotFound(Message::SessionNotFound));
    }
    sql!("DELETE FROM push_devices WHERE session_id = $1", id)
        .execute(&mut tx)
        .await?;
    let entry = Entry::new(Act::SessionEnded).by(viewer.id()).to(viewer.id());
    entry.write(&mut tx, now).await?;
    tx.publish(Event::Person { user: viewer.id() });
    tx.commit().await?;
    Ok(())
}

/// Ends all sessions of a person except `except`; their devices receive no pushes.
pub(crate) async fn end_all(
    tx: &mut Tx,
    user: UserId,
    except: Option<SessionId>,
    now: DateTime<Utc>,
) -> kurso_db::Result<()> {
    sql!(
        "UPDATE sessions SET ended_at = $3 WHERE user_id = $1 AND ended_at IS NULL AND ($2 IS NULL OR id <> $2)",
        user,
        except,
        now
    )
    .execute(&mut *tx)
    .await?;
    // Devices whose session has expired too: they stay signed out.
    sql!(
        "DELETE FROM push_devices WHERE user_id = $1 AND ($2 IS NULL OR session_id IS NULL OR session_id <> $2)",
        user,
        except
    )
    .execute(&mut *tx)
    .await?;
    tx.publish(Event::Person { user });
    Ok(())
}
