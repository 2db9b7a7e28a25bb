//! Leases: the right of one node to work on a row. The holder renews its lease; if the holder dies, the lease expires, and
//! another node may acquire the row.
//!
//! A row stores its holder and the end of the lease. The condition [`is_free!`](crate::is_free) is part of the statement that
//! acquires it, so that of several nodes only one succeeds. A holder's id is used for one acquisition only: a node that lost
//! its lease can change nothing, even if the row is free again.
//!
//! A lease that ends later than any valid one was written by a node with a wrong clock. Such a row counts as free, or it would
//! be blocked until that time.

use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use crate::{Db, Record, Result, sql};

/// How long leases of one kind last.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// How long a lease lasts without renewal.
    pub length: TimeDelta,
    /// How far ahead a stored time may lie. At least `length`, with a margin for clocks that differ.
    pub max_ahead: TimeDelta,
}

impl Terms {
    /// The end of a lease acquired or renewed at `now`.
    pub fn end(self, now: DateTime<Utc>) -> DateTime<Utc> {
        now + self.length
    }

    /// The latest valid time at `now`.
    pub fn horizon(self, now: DateTime<Utc>) -> DateTime<Utc> {
        now + self.max_ahead
    }
}

/// The holder's id for one acquisition.
pub fn new_holder() -> Uuid {
    Uuid::now_v7()
}

/// The SQL condition that no valid lease or pause ends in the column after `$now`. The parameters are those of the current
/// time and of [`Terms::horizon`]: `is_free!("free_at", "$1", "$2")`.
#[macro_export]
macro_rules! is_free {
    ($column:literal, $now:literal, $horizon:literal) => {
        concat!("(", $column, " <= ", $now, " OR ", $column, " > ", $horizon, ")")
    };
}

/// The opposite of [`is_free!`](crate::is_free).
#[macro_export]
macro_rules! is_held {
    ($column:literal, $now:literal, $horizon:literal) => {
        concat!("(", $column, " > ", $now, " AND ", $column, " <= ", $horizon, ")")
    };
}

/// The statements that lease a row of a queue; [`claim_sql!`](crate::claim_sql) builds them.
#[derive(Clone, Copy, Debug)]
pub struct ClaimSql {
    /// Selects the ids of free rows, the most urgent first. `$1` is the current time, `$2` the horizon.
    pub due: &'static str,
    /// Leases a row if it is still free, and returns it. `$1` is its id, `$2` the holder, `$3` the end of the lease, `$4` the current time, `$5` the
    /// horizon.
    pub claim: &'static str,
}

/// The statements for a table with the columns `id`, `holder`, `free_at` and `attempts`: the order in which its rows are leased, and the columns
/// that are returned. `claim_sql!("pushes", "free_at, id", "id, attempts")`.
#[macro_export]
macro_rules! claim_sql {
    ($table:literal, $order:literal, $columns:literal) => {
        $crate::lease::ClaimSql {
            due: concat!(
                "SELECT id FROM ",
                $table,
                " WHERE ",
                $crate::is_free!("free_at", "$1", "$2"),
                " ORDER BY ",
                $order,
                " LIMIT 8"
            ),
            claim: concat!(
                "UPDATE ",
                $table,
                " SET holder = $2, free_at = $3, attempts = attempts + 1 WHERE id = $1 AND ",
                $crate::is_free!("free_at", "$4", "$5"),
                " RETURNING ",
                $columns
            ),
        }
    };
}

/// Leases the most urgent free row of a queue and returns it with its holder. One statement if no row is free.
pub async fn claim_first<T: Record>(
    db: &Db,
    terms: Terms,
    clock: impl Fn() -> DateTime<Utc>,
    ClaimSql { due, claim }: ClaimSql,
) -> Result<Option<(T, Uuid)>> {
    loop {
        let now = clock();
        let free = sql!(due, now, terms.horizon(now)).fetch_all::<(Uuid,)>(db).await?;
        if free.is_empty() {
            return Ok(None);
        }
        let holder = new_holder();
        for (id,) in free {
            // Another node may have leased it since.
            let claimed = sql!(claim, id, holder, terms.end(now), now, terms.horizon(now));
            if let Some(row) = claimed.fetch_optional(db).await? {
                return Ok(Some((row, holder)));
            }
        }
    }
}

/// The lease of a task that one node runs for all, in the table `leases`.
#[derive(Debug)]
pub struct TaskLease {
    task: &'static str,
    holder: Uuid,
    terms: Terms,
}

impl TaskLease {
    /// Acquires the lease. None if another node holds it, or if the task was completed after `not_since`.
    pub async fn acquire(
        db: &Db,
        task: &'static str,
        terms: Terms,
        now: DateTime<Utc>,
        not_since: DateTime<Utc>,
    ) -> Result<Option<Self>> {
        let holder = new_holder();
        let acquired = sql!(
            concat!(
                "INSERT INTO leases (name, holder, until) VALUES ($1, $2, $3)
                 ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until
                 WHERE ",
                is_free!("leases.until", "$4", "$5"),
                " AND (leases.done_at IS NULL OR leases.done_at <= $6 OR leases.done_at > $3)"
            ),
            task,
            holder,
            terms.end(now),
            now,
            terms.horizon(now),
            not_since
        )
        .execute(db)
        .await?;
        Ok((acquired > 0).then_some(TaskLease { task, holder, terms }))
    }

    /// Extends the lease. False if another node holds it.
    pub async fn renew(&self, db: &Db, now: DateTime<Utc>) -> Result<bool> {
        let renewed = sql!(
            "UPDATE leases SET until = $3 WHERE name = $1 AND holder = $2",
            self.task,
            self.holder,
            self.terms.end(now)
        );
        Ok(renewed.execute(db).await? > 0)
    }

    /// Releases the lease; `done` records that the task was completed at `now`.
    pub async fn release(self, db: &Db, now: DateTime<Utc>, done: bool) -> Result<()> {
        sql!(
            "UPDATE leases SET until = $3, done_at = CASE WHEN $4 THEN $3 ELSE done_at END WHERE name = $1 AND holder = $2",
            self.task,
            self.holder,
            now,
            done
        )
        .execute(db)
        .await?;
        Ok(())
    }
}
