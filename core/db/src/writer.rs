//! Group commit for SQLite's single writer: transactions that overlap share one commit, and so one wait for the disk.
//!
//! A batch is one database transaction; each [`Write`] is a savepoint in it. A write that ends passes the connection to
//! the next one in the pool's queue and waits for the commit of the batch. The first write that ends also queues a
//! commit task behind the writes that are already waiting; these form the batch. No write is confirmed before it is on
//! disk.
//!
//! The writes of a batch run one after the other and see each other's rows. If the batch fails, all of them fail.

use std::io::ErrorKind;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use deadpool::managed::Object;
use sqlx::query::Query;
use sqlx::sqlite::{SqliteArguments, SqliteQueryResult, SqliteRow};
use sqlx::{Error, Executor, Sqlite, SqliteConnection};
use tokio::runtime::Handle;
use tokio::sync::watch;

use super::pool::{Pool, PooledConnection, is_connection_broken};
use super::{PoolState, Result};

/// The outcome of a batch; None while it is open.
type Outcome = Option<Result<(), Failure>>;

/// Why a batch failed, for all of its writes: the kind of error and its text.
type Failure = (ErrorKind, String);

/// The writer of one database.
#[derive(Clone, Debug)]
pub struct Writer {
    pool: Pool<Sqlite>,
    /// The open batch; only the holder of the connection opens or ends it.
    batch: Arc<Mutex<Option<Batch>>>,
}

#[derive(Debug)]
struct Batch {
    outcome: watch::Sender<Outcome>,
    /// Whether a commit task has been queued.
    is_commit_queued: bool,
}

impl Writer {
    pub fn new(pool: Pool<Sqlite>) -> Self {
        Writer {
            pool,
            batch: Arc::default(),
        }
    }

    /// A connection outside any batch, for use at startup.
    pub async fn acquire_idle(&self) -> Result<PooledConnection<Sqlite>> {
        self.pool.acquire().await
    }

    /// Runs a single statement as a write of its own.
    pub async fn rows(&self, name: &str, query: Query<'static, Sqlite, SqliteArguments>) -> Result<Vec<SqliteRow>> {
        let mut write = Write::join(self).await?;
        let done = self
            .pool
            .metrics()
            .timed(name, query.fetch_all(write.connection()?))
            .await;
        let rows = write.checked(done)?;
        write.wait_for_commit().await?;
        Ok(rows)
    }

    /// Runs a single statement as a write of its own.
    pub async fn execute(
        &self,
        name: &str,
        query: Query<'static, Sqlite, SqliteArguments>,
    ) -> Result<SqliteQueryResult> {
        let mut write = Write::join(self).await?;
        let done = self
            .pool
            .metrics()
            .timed(name, query.execute(write.connection()?))
            .await;
        let result = write.checked(done)?;
        write.wait_for_commit().await?;
        Ok(result)
    }

    pub fn state(&self, name: &'static str) -> PoolState {
        self.pool.state(name)
    }

    pub async fn close(&self) {
        self.commit_batch().await;
        self.pool.close().await;
    }

    fn batch(&self) -> MutexGuard<'_, Option<Batch>> {
        self.batch.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Commits the batch when the connection is free, however long that takes.
    async fn commit_batch(&self) {
        loop {
            match self.pool.acquire().await {
                Ok(mut connection) => return self.commit_on(&mut connection).await,
                Err(Error::PoolTimedOut) => {}
                Err(error) => return self.report_outcome(Err(failure(&error))),
            }
        }
    }

    /// Must not be cancelled: the outcome of the batch would be unknown. It runs in a spawned task, or in `close`.
    async fn commit_on(&self, connection: &mut SqliteConnection) {
        if self.batch().is_none() {
            return;
        }
        let done = connection.execute("COMMIT").await;
        if done.is_err() {
            // After a failed COMMIT the transaction is open, or SQLite has rolled it back already.
            let _ = connection.execute("ROLLBACK").await;
        }
        self.report_outcome(done.map(|_| ()).map_err(|error| failure(&error)));
    }

    fn report_outcome(&self, outcome: Result<(), Failure>) {
        if let Some(batch) = self.batch().take() {
            batch.outcome.send_replace(Some(outcome));
        }
    }

    /// Returns the connection to the queue, and makes sure that a commit task is queued.
    fn pass_on(&self, connection: PooledConnection<Sqlite>) {
        let is_first = match self.batch().as_mut() {
            Some(batch) => !std::mem::replace(&mut batch.is_commit_queued, true),
            None => false,
        };
        // The task queues behind the writes that already wait for the connection.
        if is_first {
            let writer = self.clone();
            tokio::spawn(async move { writer.commit_batch().await });
        }
        drop(connection);
    }
}

/// One write of a batch; dropping it rolls it back.
pub struct Write {
    writer: Writer,
    /// None once the write has ended.
    connection: Option<PooledConnection<Sqlite>>,
}

impl Write {
    pub async fn begin(writer: &Writer) -> Result<Self> {
        let mut write = Self::join(writer).await?;
        write.connection()?.execute("SAVEPOINT kurso_write").await?;
        Ok(write)
    }

    /// Waits for the connection, and opens a batch if none is open.
    async fn join(writer: &Writer) -> Result<Self> {
        // The value exists before BEGIN is sent, so that dropping this future during BEGIN rolls back too.
        let mut write = Write {
            writer: writer.clone(),
            connection: Some(writer.pool.acquire().await?),
        };
        let is_open = writer.batch().is_some();
        if !is_open {
            let (outcome, _) = watch::channel(None);
            *writer.batch() = Some(Batch {
                outcome,
                is_commit_queued: false,
            });
            if let Err(error) = write.connection()?.execute("BEGIN IMMEDIATE").await {
                writer.batch().take(); // no other write has joined yet
                return Err(error);
            }
        }
        Ok(write)
    }

    pub fn connection(&mut self) -> Result<&mut SqliteConnection> {
        let connection = self.connection.as_deref_mut();
        let connection = connection.ok_or_else(|| failed(ErrorKind::Other, "the batch has failed"))?;
        Ok(&mut connection.inner)
    }

    /// Passes on the result of a statement. An error that may have ended the surrounding transaction fails the whole
    /// batch.
    pub fn checked<T>(&mut self, done: Result<T>) -> Result<T> {
        if let Err(error) = &done
            && ends_transactions(error)
            && let Some(connection) = self.connection.take()
        {
            self.writer.report_outcome(Err(failure(error)));
            drop(Object::take(connection)); // closing it rolls back
        }
        done
    }

    /// Returns once the write is on disk.
    pub async fn commit(mut self) -> Result<()> {
        let done = self.connection()?.execute("RELEASE kurso_write").await;
        self.checked(done)?;
        self.wait_for_commit().await
    }

    /// Rolls this write back, and returns once the rows it has read are on disk: earlier writes of the batch may have
    /// written them.
    pub async fn rollback(mut self) -> Result<()> {
        let done = self.connection()?.execute("ROLLBACK TO kurso_write").await;
        self.checked(done)?;
        self.commit().await
    }

    async fn wait_for_commit(mut self) -> Result<()> {
        let outcome = self.writer.batch().as_ref().map(|batch| batch.outcome.subscribe());
        let (Some(mut outcome), Some(connection)) = (outcome, self.connection.take()) else {
            return Err(failed(ErrorKind::Other, "the batch has failed"));
        };
        self.writer.pass_on(connection);
        match outcome.wait_for(Option::is_some).await.as_deref() {
            Ok(Some(Ok(()))) => Ok(()),
            Ok(Some(Err((kind, why)))) => Err(failed(*kind, why)),
            Ok(None) | Err(_) => Err(failed(ErrorKind::Other, "the connection was lost")),
        }
    }
}

fn failed(kind: ErrorKind, why: &str) -> Error {
    Error::Io(std::io::Error::new(kind, format!("the write was not committed: {why}")))
}

/// Copies an error, since `sqlx::Error` cannot be cloned for every write of the batch.
fn failure(error: &Error) -> Failure {
    const READONLY: i32 = 8;
    const IO: i32 = 10;
    const FULL: i32 = 13;
    const CANNOT_OPEN: i32 = 14;
    let code = error
        .as_database_error()
        .and_then(|error| error.code()?.parse::<i32>().ok());
    let kind = match code.map(|code| code & 0xff) {
        Some(FULL) => ErrorKind::StorageFull,
        Some(READONLY) => ErrorKind::ReadOnlyFilesystem,
        Some(IO | CANNOT_OPEN) => ErrorKind::WriteZero,
        _ => ErrorKind::Other,
    };
    (kind, error.to_string())
}

/// Whether the error may have ended the surrounding transaction, as a full disk may. Constraint violations and SQL
/// errors end only the statement.
fn ends_transactions(error: &Error) -> bool {
    const ERROR: i32 = 1;
    const CONSTRAINT: i32 = 19;
    match error {
        Error::Database(error) => {
            let code = error.code().and_then(|code| code.parse::<i32>().ok()).unwrap_or(ERROR);
            !matches!(code & 0xff, ERROR | CONSTRAINT)
        }
        other => is_connection_broken(other),
    }
}

/// Whether the error says that the savepoint of a write does not exist.
fn is_savepoint_missing(error: &Error) -> bool {
    let database = error.as_database_error();
    database.is_some_and(|error| error.message().contains("no such savepoint"))
}

impl Drop for Write {
    fn drop(&mut self) {
        let Some(mut connection) = self.connection.take() else {
            return;
        };
        let writer = self.writer.clone();
        let Ok(runtime) = Handle::try_current() else {
            writer.batch().take();
            drop(Object::take(connection)); // closing it rolls back
            return;
        };
        runtime.spawn(async move {
            let done = match connection.execute("ROLLBACK TO kurso_write").await {
                Ok(_) => connection.execute("RELEASE kurso_write").await,
                Err(error) => Err(error),
            };
            match done {
                Ok(_) => writer.pass_on(connection),
                // SAVEPOINT did not run, or RELEASE already has.
                Err(error) if is_savepoint_missing(&error) => writer.pass_on(connection),
                // Otherwise the rows of the dropped write would be committed with the batch.
                Err(error) => {
                    tracing::error!(%error, "a dropped write could not be rolled back, so its batch fails");
                    writer.report_outcome(Err(failure(&error)));
                    drop(Object::take(connection)); // closing it rolls back
                }
            }
        });
    }
}
