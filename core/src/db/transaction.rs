//! A transaction on a connection of a [`Pool`].

use deadpool::managed::Object;
use sqlx::{Error, Executor};
use tokio::runtime::Handle;

use super::Result;
use super::pool::{Pool, Server, Taken, breaks};

/// Rolled back unless committed.
pub struct Transaction<DB: Transacting> {
    /// None once it has ended.
    connection: Option<Taken<DB>>,
}

/// A database whose connections run plain statements.
pub trait Transacting: Server {
    fn run(connection: &mut Self::Connection, statement: &'static str) -> impl Future<Output = Result<()>> + Send;
}

impl<DB> Transacting for DB
where
    DB: Server,
    for<'c> &'c mut DB::Connection: Executor<'c, Database = DB>,
{
    async fn run(connection: &mut DB::Connection, statement: &'static str) -> Result<()> {
        connection.execute(statement).await.map(|_| ())
    }
}

impl<DB: Transacting> Transaction<DB> {
    pub async fn begin(pool: &Pool<DB>, statement: &'static str) -> Result<Self> {
        // It is there before its first word is said: dropped while that waits for an answer, it is rolled back too.
        let mut tx = Transaction {
            connection: Some(pool.take().await?),
        };
        DB::run(tx.connection()?, statement).await?;
        Ok(tx)
    }

    pub fn connection(&mut self) -> Result<&mut DB::Connection> {
        self.connection.as_deref_mut().ok_or(Error::PoolClosed)
    }

    pub async fn commit(mut self) -> Result<()> {
        DB::run(self.connection()?, "COMMIT").await?;
        self.connection = None; // back to the pool
        Ok(())
    }
}

impl<DB: Transacting> Drop for Transaction<DB> {
    fn drop(&mut self) {
        let Some(mut connection) = self.connection.take() else {
            return;
        };
        let Ok(runtime) = Handle::try_current() else {
            drop(Object::take(connection)); // closing it rolls back
            return;
        };
        runtime.spawn(async move {
            let done = DB::run(&mut connection, "ROLLBACK").await;
            // That there was no transaction to roll back is no fault: its first word may not have been heard.
            if done.is_err_and(|error| breaks(&error)) {
                drop(Object::take(connection));
            }
        });
    }
}
