//! Sessions: a row for each sign-in, listed and ended one by one or all together (contract 8).

use chrono::{DateTime, Utc};

use crate::Kurso;
use crate::access::Viewer;
use crate::audit::{Act, Entry};
use crate::db::{self, Tx};
use crate::error::{Error, Result};
use crate::events::Event;
use crate::ids::{SessionId, UserId};
use crate::messages::Message;
use crate::page::{Listed, Page};
use crate::sql;

/// A place where a person is signed in.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Session {
    pub id: SessionId,
    /// The User-Agent.
    pub device: String,
    pub created_at: DateTime<Utc>,
    /// To within five minutes.
    pub last_seen_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
}

/// Where the viewer is signed in: last seen first, then by id.
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

/// Ends one of the viewer's sessions, the one in use perhaps: its token is 403 from now on.
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
        tx.undo().await?; // who signs out twice at once is told so by this
        return Err(Error::NotFound(Message::SessionNotFound));
    }
    let entry = Entry::new(Act::SessionEnded).by(viewer.id()).to(viewer.id());
    entry.write(&mut tx, now).await?;
    tx.tell(Event::Person { user: viewer.id() });
    tx.commit().await?;
    Ok(())
}

/// Ends every session of a person but this one.
pub(crate) async fn end_all(tx: &mut Tx, user: UserId, but: Option<SessionId>, now: DateTime<Utc>) -> db::Result<()> {
    sql!(
        "UPDATE sessions SET ended_at = $3 WHERE user_id = $1 AND ended_at IS NULL AND ($2 IS NULL OR id <> $2)",
        user,
        but,
        now
    )
    .execute(&mut *tx)
    .await?;
    tx.tell(Event::Person { user });
    Ok(())
}
