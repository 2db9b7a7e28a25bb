//! SQLite's one writer. Whoever writes at the same time is committed together: one wait for the disk serves all of them.
//!
//! A batch is one transaction of the database; a transaction of ours is a savepoint in it. Whoever comes to an end hands the
//! connection to the next in the queue and waits for the batch. The first to come to an end also puts somebody into the queue
//! who commits, behind those who wait already: they are the batch. So nothing waits for anything but its turn, and nobody
//! is told that something is written before the disk has it.
//!
//! Transactions in a batch come one after the other and see what those before them wrote. Should the batch fail, all of
//! them do.

use std::io::ErrorKind;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use deadpool::managed::Object;
use sqlx::query::Query;
use sqlx::sqlite::{SqliteArguments, SqliteQueryResult, SqliteRow};
use sqlx::{Error, Executor, Sqlite, SqliteConnection};
use tokio::runtime::Handle;
use tokio::sync::watch;

use super::pool::{Pool, Taken, breaks};
use super::{PoolState, Result};

/// What became of a batch; None while it is open.
type Outcome = Option<Result<(), Failure>>;

/// Why a batch failed, for all who are in it: what it was about, and its text.
type Failure = (ErrorKind, String);

/// The writer of one database.
#[derive(Clone, Debug)]
pub struct Writer {
    pool: Pool<Sqlite>,
    /// Touched by whoever has the connection.
    batch: Arc<Mutex<Option<Batch>>>,
}

#[derive(Debug)]
struct Batch {
    outcome: watch::Sender<Outcome>,
    /// Whether somebody is on the way who commits.
    is_awaited: bool,
}

impl Writer {
    pub fn new(pool: Pool<Sqlite>) -> Self {
        Writer {
            pool,
            batch: Arc::default(),
        }
    }

    /// A connection that nobody has written to yet: at the start.
    pub async fn unused(&self) -> Result<Taken<Sqlite>> {
        self.pool.take().await
    }

    /// One statement by itself, as a part of a batch.
    pub async fn rows(&self, name: &str, query: Query<'static, Sqlite, SqliteArguments>) -> Result<Vec<SqliteRow>> {
        let mut write = Write::join(self).await?;
        let done = self
            .pool
            .signals()
            .timed(name, query.fetch_all(write.connection()?))
            .await;
        let rows = write.checked(done)?;
        write.settled().await?;
        Ok(rows)
    }

    /// One statement by itself, as a part of a batch.
    pub async fn execute(
        &self,
        name: &str,
        query: Query<'static, Sqlite, SqliteArguments>,
    ) -> Result<SqliteQueryResult> {
        let mut write = Write::join(self).await?;
        let done = self
            .pool
            .signals()
            .timed(name, query.execute(write.connection()?))
            .await;
        let result = write.checked(done)?;
        write.settled().await?;
        Ok(result)
    }

    pub fn state(&self, name: &'static str) -> PoolState {
        self.pool.state(name)
    }

    pub async fn close(&self) {
        self.settle().await;
        self.pool.close().await;
    }

    fn batch(&self) -> MutexGuard<'_, Option<Batch>> {
        self.batch.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Commits the batch when its turn has come, however long that takes.
    async fn settle(&self) {
        loop {
            match self.pool.take().await {
                Ok(mut connection) => return self.end(&mut connection).await,
                Err(Error::PoolTimedOut) => {}
                Err(error) => return self.tell(Err(failure(&error))),
            }
        }
    }

    /// Runs to its end: who is dropped in the middle would leave a batch of which nobody knows how it ended.
    async fn end(&self, connection: &mut SqliteConnection) {
        if self.batch().is_none() {
            return;
        }
        let done = connection.execute("COMMIT").await;
        if done.is_err() {
            // The transaction is still there, or has gone by itself.
            let _ = connection.execute("ROLLBACK").await;
        }
        self.tell(done.map(|_| ()).map_err(|error| failure(&error)));
    }

    fn tell(&self, outcome: Result<(), Failure>) {
        if let Some(batch) = self.batch().take() {
            batch.outcome.send_replace(Some(outcome));
        }
    }

    /// Gives the connection to the next in the queue, and sees to it that somebody commits.
    fn hand_over(&self, connection: Taken<Sqlite>) {
        let is_first = match self.batch().as_mut() {
            Some(batch) => !std::mem::replace(&mut batch.is_awaited, true),
            None => false,
        };
        // Behind those who wait for the connection by now.
        if is_first {
            let writer = self.clone();
            tokio::spawn(async move { writer.settle().await });
        }
        drop(connection);
    }
}

/// A transaction of ours, rolled back unless committed.
pub struct Write {
    writer: Writer,
    /// None once it has ended.
    connection: Option<Taken<Sqlite>>,
}

impl Write {
    pub async fn begin(writer: &Writer) -> Result<Self> {
        let mut write = Self::join(writer).await?;
        write.connection()?.execute("SAVEPOINT ours").await?;
        Ok(write)
    }

    /// Waits for its turn, and opens a batch if none is open.
    async fn join(writer: &Writer) -> Result<Self> {
        // It is there before its first word is said: dropped while that waits for an answer, it is rolled back too.
        let mut write = Write {
            writer: writer.clone(),
            connection: Some(writer.pool.take().await?),
        };
        let is_open = writer.batch().is_some();
        if !is_open {
            let (outcome, _) = watch::channel(None);
            *writer.batch() = Some(Batch {
                outcome,
                is_awaited: false,
            });
            if let Err(error) = write.connection()?.execute("BEGIN IMMEDIATE").await {
                writer.batch().take(); // nobody else is in it
                return Err(error);
            }
        }
        Ok(write)
    }

    pub fn connection(&mut self) -> Result<&mut SqliteConnection> {
        self.connection
            .as_deref_mut()
            .ok_or_else(|| failed(ErrorKind::Other, "the batch has failed"))
    }

    /// Passes on what a statement came to. An error that may have ended the transaction around it ends it for everybody.
    pub fn checked<T>(&mut self, done: Result<T>) -> Result<T> {
        if let Err(error) = &done
            && ends_transactions(error)
            && let Some(connection) = self.connection.take()
        {
            self.writer.tell(Err(failure(error)));
            drop(Object::take(connection)); // closing it rolls back
        }
        done
    }

    /// Comes back when the disk has it.
    pub async fn commit(mut self) -> Result<()> {
        let done = self.connection()?.execute("RELEASE ours").await;
        self.checked(done)?;
        self.settled().await
    }

    /// Undoes what was written, and comes back when the disk has what was read: those before in the batch may have written it.
    pub async fn undo(mut self) -> Result<()> {
        let done = self.connection()?.execute("ROLLBACK TO ours").await;
        self.checked(done)?;
        self.commit().await
    }

    async fn settled(mut self) -> Result<()> {
        let outcome = self.writer.batch().as_ref().map(|batch| batch.outcome.subscribe());
        let (Some(mut outcome), Some(connection)) = (outcome, self.connection.take()) else {
            return Err(failed(ErrorKind::Other, "the batch has failed"));
        };
        self.writer.hand_over(connection);
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

/// The error itself cannot be given to many.
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

/// Constraints and mistakes in the text end a statement only; a full disk and the like may end the transaction around it.
fn ends_transactions(error: &Error) -> bool {
    const ERROR: i32 = 1;
    const CONSTRAINT: i32 = 19;
    match error {
        Error::Database(error) => {
            let code = error.code().and_then(|code| code.parse::<i32>().ok()).unwrap_or(ERROR);
            !matches!(code & 0xff, ERROR | CONSTRAINT)
        }
        other => breaks(other),
    }
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
            // That there is no such savepoint is no fault: its first word may not have been heard, or its last one was.
            let _ = connection.execute("ROLLBACK TO ours").await;
            let _ = connection.execute("RELEASE ours").await;
            writer.hand_over(connection);
        });
    }
}
