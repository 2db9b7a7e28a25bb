//! Work that one node does for all: who has the lease does it, and says so every while. One that dies loses it.

use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use crate::db::{Db, Result};
use crate::sql;

/// How long a lease is good without a word of its holder.
pub fn term() -> TimeDelta {
    TimeDelta::minutes(5)
}

/// Takes the lease when nobody has it and the work was not done since `not_since`. What is written for a time to come was
/// written by a clock that was wrong, and holds nobody up.
pub async fn take(
    db: &Db,
    name: &'static str,
    holder: Uuid,
    now: DateTime<Utc>,
    not_since: DateTime<Utc>,
) -> Result<bool> {
    let taken = sql!(
        "INSERT INTO leases (name, holder, until) VALUES ($1, $2, $3)
         ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until
         WHERE (leases.until <= $4 OR leases.until > $5)
             AND (leases.done_at IS NULL OR leases.done_at <= $6 OR leases.done_at > $3)",
        name,
        holder,
        now + term(),
        now,
        now + term() * 2,
        not_since
    );
    Ok(taken.execute(db).await? > 0)
}

/// Says that the work goes on; false when another has the lease by now.
pub async fn keep(db: &Db, name: &'static str, holder: Uuid, now: DateTime<Utc>) -> Result<bool> {
    let kept = sql!(
        "UPDATE leases SET until = $3 WHERE name = $1 AND holder = $2",
        name,
        holder,
        now + term()
    );
    Ok(kept.execute(db).await? > 0)
}

/// Gives the lease back; `done`: the work was done, at `now`.
pub async fn give_back(db: &Db, name: &'static str, holder: Uuid, now: DateTime<Utc>, done: bool) -> Result<()> {
    sql!(
        "UPDATE leases SET until = $3, done_at = CASE WHEN $4 THEN $3 ELSE done_at END WHERE name = $1 AND holder = $2",
        name,
        holder,
        now,
        done
    )
    .execute(db)
    .await?;
    Ok(())
}
