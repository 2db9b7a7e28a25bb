//! Lease for a task that one node runs for all. The holder renews it regularly; if the holder dies, the lease expires.

use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use kurso_db::sql;
use kurso_db::{Db, Result};

/// How long a lease lasts without renewal.
pub fn term() -> TimeDelta {
    TimeDelta::minutes(5)
}

/// Acquires the lease if it is free and the task was not completed since `not_since`. Times in the future were written
/// by a node with a wrong clock and are ignored.
pub async fn acquire(
    db: &Db,
    name: &'static str,
    holder: Uuid,
    now: DateTime<Utc>,
    not_since: DateTime<Utc>,
) -> Result<bool> {
    let acquired = sql!(
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
    Ok(acquired.execute(db).await? > 0)
}

/// Renews the lease; false if another node holds it by now.
pub async fn renew(db: &Db, name: &'static str, holder: Uuid, now: DateTime<Utc>) -> Result<bool> {
    let renewed = sql!(
        "UPDATE leases SET until = $3 WHERE name = $1 AND holder = $2",
        name,
        holder,
        now + term()
    );
    Ok(renewed.execute(db).await? > 0)
}

/// Releases the lease; `done` records that the task was completed at `now`.
pub async fn release(db: &Db, name: &'static str, holder: Uuid, now: DateTime<Utc>, done: bool) -> Result<()> {
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
