//! A transaction on PostgreSQL.

use deadpool::managed::Object;
use sqlx::{Error, Executor, PgConnection, Postgres};
use tokio::runtime::Handle;

use super::Result;
use super::pool::{Pool, Taken, breaks};
use super::turns::Turn;

/// Rolled back unless committed.
pub struct Transaction {
    /// None once it has ended.
    connection: Option<Taken<Postgres>>,
    /// Ends after the transaction.
    turn: Option<Turn>,
}

impl Transaction {
    pub async fn begin(pool: &Pool<Postgres>, turn: Option<Turn>) -> Result<Self> {
        // It is there before its first word is said: dropped while that waits for an answer, it is rolled back too.
        let mut tx = Transaction {
            connection: Some(pool.take().await?),
            turn,
        };
        tx.connection()?.execute("BEGIN").await?;
        Ok(tx)
    }

    pub fn connection(&mut self) -> Result<&mut PgConnection> {
        self.connection.as_deref_mut().ok_or(Error::PoolClosed)
    }

    pub async fn commit(mut self) -> Result<()> {
        self.connection()?.execute("COMMIT").await?;
        self.connection = None; // back to the pool
        Ok(())
    }
}

impl Drop for Transaction {
    fn drop(&mut self) {
        let Some(mut connection) = self.connection.take() else {
            return;
        };
        let Ok(runtime) = Handle::try_current() else {
            drop(Object::take(connection)); // closing it rolls back
            return;
        };
        let turn = self.turn.take();
        runtime.spawn(async move {
            let done = connection.execute("ROLLBACK").await;
            // That there was no transaction to roll back is no fault: its first word may not have been heard.
            if done.is_err_and(|error| breaks(&error)) {
                drop(Object::take(connection));
            }
            drop(turn);
        });
    }
}
