//! A transaction on PostgreSQL.

use std::time::Duration;

use deadpool::managed::Object;
use sqlx::{Error, Executor, PgConnection, Postgres};
use tokio::runtime::Handle;

use super::Result;
use super::pool::{Pool, Taken, bounded, breaks, discard, settled};
use super::turns::Turn;

/// Rolled back unless committed.
pub struct Transaction {
    /// None once it has ended.
    connection: Option<Taken<Postgres>>,
    /// Ends after the transaction.
    turn: Option<Turn>,
    /// For the answer to a statement.
    patience: Option<Duration>,
}

/// How long a server that went is waited for to roll back, which it does by itself when the connection ends.
const ROLLBACK: Duration = Duration::from_secs(5);

impl Transaction {
    pub async fn begin(pool: &Pool<Postgres>, turn: Option<Turn>) -> Result<Self> {
        // It is there before its first word is said: dropped while that waits for an answer, it is rolled back too.
        let mut tx = Transaction {
            connection: Some(pool.take().await?),
            turn,
            patience: pool.patience(),
        };
        tx.say("BEGIN").await?;
        Ok(tx)
    }

    pub fn connection(&mut self) -> Result<&mut PgConnection> {
        self.connection.as_deref_mut().ok_or(Error::PoolClosed)
    }

    /// For the answer to a statement.
    pub fn patience(&self) -> Option<Duration> {
        self.patience
    }

    /// Passes on what a statement came to. A connection that it found broken is not used again.
    pub fn checked<T>(&mut self, done: Result<T>) -> Result<T> {
        if let Err(error) = &done
            && breaks(error)
            && let Some(connection) = self.connection.take()
        {
            discard(connection, error);
        }
        done
    }

    pub async fn commit(mut self) -> Result<()> {
        self.say("COMMIT").await?;
        self.connection = None; // back to the pool
        Ok(())
    }

    pub async fn undo(mut self) -> Result<()> {
        self.say("ROLLBACK").await?;
        self.connection = None; // back to the pool
        Ok(())
    }

    async fn say(&mut self, word: &'static str) -> Result<()> {
        let patience = self.patience;
        let done = bounded(patience, self.connection()?.execute(word)).await;
        self.checked(done).map(drop)
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
            let done = bounded(Some(ROLLBACK), connection.execute("ROLLBACK")).await;
            // That there was no transaction to roll back is no fault: its first word may not have been heard.
            let _ = settled(connection, done);
            drop(turn);
        });
    }
}
