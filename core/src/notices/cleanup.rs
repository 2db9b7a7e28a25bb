//! Deletes old notices.

use chrono::Duration;
use kurso_base::error::Result;
use kurso_db::{execute_in_batches, sql};

use crate::Kurso;

/// How long a notice is kept.
pub fn retention() -> Duration {
    Duration::days(90)
}

/// Rows per statement.
const CHUNK: i64 = 1000;

/// Deletes notices that are older than [`retention`], read or not. Returns their number. Several nodes may run it at the same time.
pub async fn delete_old(kurso: &Kurso) -> Result<u64> {
    let until = kurso.clock.now() - retention();
    let batch = || {
        sql!(
            "DELETE FROM notices WHERE id IN (SELECT id FROM notices WHERE happened_at <= $1 LIMIT $2)",
            until,
            CHUNK
        )
    };
    Ok(execute_in_batches(&kurso.db, batch).await?)
}
