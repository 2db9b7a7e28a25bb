//! A PostgreSQL transaction that is rolled back when dropped.

use std::time::Duration;

use deadpool::managed::Object;
use sqlx::{Error, Executor, PgConnection, Postgres};
use tokio::runtime::Handle;

use super::Result;
use super::course_locks::CourseLockGuard;
use super::pool::{Pool, PooledConnection, Server as _, discard, is_connection_broken, with_timeout};

/// A running transaction; dropping it rolls it back.
pub struct Transaction {
    /// None once it has ended.
    connection: Option<PooledConnection<Postgres>>,
    /// Whether a statement was started whose response has not come.
    is_running: bool,
    /// Released after the transaction has ended.
    course_lock: Option<CourseLockGuard>,
    /// How long the response to a statement is awaited; None means no limit.
    response_timeout: Option<Duration>,
}

/// Time limit for the rollback of a dropped transaction. After it the connection is closed, and the server rolls back.
const ROLLBACK_TIMEOUT: Duration = Duration::from_secs(5);

impl Transaction {
    pub async fn begin(pool: &Pool<Postgres>, course_lock: Option<CourseLockGuard>) -> Result<Self> {
        // The value exists before BEGIN is sent, so that dropping this future during BEGIN rolls back too.
        let mut tx = Transaction {
            connection: Some(pool.acquire().await?),
            is_running: false,
            course_lock,
            response_timeout: pool.response_timeout(),
        };
        tx.run("BEGIN").await?;
        Ok(tx)
    }

    /// The connection, for one statement, whose result goes to [`Transaction::checked`].
    pub fn connection(&mut self) -> Result<&mut PgConnection> {
        let connection = self.connection.as_deref_mut().ok_or(Error::PoolClosed)?;
        self.is_running = true;
        Ok(&mut connection.inner)
    }

    /// How long the response to a statement is awaited; None means no limit.
    pub fn response_timeout(&self) -> Option<Duration> {
        self.response_timeout
    }

    /// Passes on the result of a statement; discards the connection if the error shows that it is broken.
    pub fn checked<T>(&mut self, done: Result<T>) -> Result<T> {
        self.is_running = false;
        if let Err(error) = &done
            && is_connection_broken(error)
            && let Some(connection) = self.connection.take()
        {
            discard(connection, error);
        }
        done
    }

    pub async fn commit(mut self) -> Result<()> {
        self.run("COMMIT").await?;
        self.connection = None; // returns it to the pool
        Ok(())
    }

    pub async fn rollback(mut self) -> Result<()> {
        self.run("ROLLBACK").await?;
        self.connection = None; // returns it to the pool
        Ok(())
    }

    async fn run(&mut self, statement: &'static str) -> Result<()> {
        let response_timeout = self.response_timeout;
        let done = with_timeout(response_timeout, self.connection()?.execute(statement)).await;
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
        let (course_lock, is_running) = (self.course_lock.take(), self.is_running);
        runtime.spawn(async move {
            let is_idle = !is_running || Postgres::stop(&mut connection).await;
            // "No transaction" is no error here: BEGIN may not have reached the server.
            if !is_idle
                || with_timeout(Some(ROLLBACK_TIMEOUT), connection.execute("ROLLBACK"))
                    .await
                    .is_err()
            {
                drop(Object::take(connection)); // closed alone: this says nothing about the other connections
            }
            drop(course_lock);
        });
    }
}
