//! Changes of many rows in short transactions.

use crate::{Db, Result, Sql};

/// Executes a statement that changes or deletes a bounded number of rows, until it finds none. Returns the number of rows. Several nodes may run it at
/// the same time.
pub async fn execute_in_batches(db: &Db, batch: impl Fn() -> Sql<'static>) -> Result<u64> {
    let mut done = 0;
    loop {
        match batch().execute(db).await? {
            0 => return Ok(done),
            some => done += some,
        }
    }
}
