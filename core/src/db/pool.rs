//! Connections kept open, and how many: `deadpool` over sqlx's connections.
//!
//! sqlx has a pool of its own, which asks the server for a sign of life whenever a connection comes back: a second round trip
//! for every statement. Here a connection that was in use a moment ago is used again as it is, and one that a statement
//! found broken is thrown away.

use std::fmt;
use std::path::Path;
use std::str::FromStr as _;
use std::time::Duration;

use deadpool::Runtime;
use deadpool::managed::{self, Metrics, Object, PoolError, RecycleResult};
use sqlx::postgres::PgConnectOptions;
use sqlx::query::Query;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous};
use sqlx::{ConnectOptions, Connection as _, Error, Executor, IntoArguments, Postgres, Sqlite};

use super::Result;

/// How long a statement waits for a connection or for another process' write lock.
const PATIENCE: Duration = Duration::from_secs(10);

/// A connection idle for no longer is used without a test.
const FRESH: Duration = Duration::from_secs(1);

/// Rows that SQLite's thread reads ahead of whoever takes them: a class is read without the two waking each other all the time.
const ROWS: usize = 2_000;

/// How long closing waits for statements that still run.
const CLOSING: Duration = Duration::from_secs(10);

/// The connections to one database of one kind.
pub struct Pool<DB: Server>(managed::Pool<Manager<DB>>);

/// A connection taken from a pool, which goes back when dropped.
pub type Taken<DB> = Object<Manager<DB>>;

/// The kinds of database.
pub trait Server: sqlx::Database {
    type Options: ConnectOptions<Connection = Self::Connection> + Sync;
    /// Whether a connection may have lost its server while it waited: a file does not drop its connection.
    const MAY_BE_LOST: bool;
}

impl Server for Sqlite {
    type Options = SqliteConnectOptions;
    const MAY_BE_LOST: bool = false;
}

impl Server for Postgres {
    type Options = PgConnectOptions;
    const MAY_BE_LOST: bool = true;
}

/// Makes connections, and tests those that waited.
pub struct Manager<DB: Server> {
    options: DB::Options,
}

impl<DB: Server> managed::Manager for Manager<DB> {
    type Type = DB::Connection;
    type Error = Error;

    async fn create(&self) -> Result<DB::Connection> {
        self.options.connect().await
    }

    async fn recycle(&self, connection: &mut DB::Connection, metrics: &Metrics) -> RecycleResult<Error> {
        if DB::MAY_BE_LOST && metrics.last_used() > FRESH {
            connection.ping().await?;
        }
        Ok(())
    }
}

impl<DB: Server> Pool<DB> {
    /// Opens the first connection, so that a database that is not there is found out now.
    async fn open(options: DB::Options, size: usize) -> Result<Self> {
        let pool = managed::Pool::builder(Manager { options })
            .max_size(size)
            .wait_timeout(Some(PATIENCE))
            .create_timeout(Some(PATIENCE))
            .recycle_timeout(Some(PATIENCE))
            .runtime(Runtime::Tokio1)
            .build()
            .map_err(|error| Error::Configuration(error.into()))?;
        let pool = Pool(pool);
        drop(pool.take().await?);
        Ok(pool)
    }

    /// Waits for a connection, first come first served; [`Error::PoolTimedOut`] after ten seconds.
    pub async fn take(&self) -> Result<Taken<DB>> {
        self.0.get().await.map_err(|error| match error {
            PoolError::Backend(error) => error,
            PoolError::Closed => Error::PoolClosed,
            PoolError::Timeout(_) => Error::PoolTimedOut,
            other => Error::Configuration(other.into()),
        })
    }

    /// Waits for running statements and closes every connection.
    pub async fn close(&self) {
        let deadline = tokio::time::Instant::now() + CLOSING;
        loop {
            for connection in self.0.retain(|_, _| false).removed {
                if let Err(error) = connection.close().await {
                    tracing::warn!(%error, "a connection could not be closed in order");
                }
            }
            if self.0.status().size == 0 || tokio::time::Instant::now() > deadline {
                return self.0.close();
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    pub fn options(&self) -> &DB::Options {
        &self.0.manager().options
    }
}

impl<DB: Server> Pool<DB>
where
    for<'c> &'c mut DB::Connection: Executor<'c, Database = DB>,
    DB::Arguments: IntoArguments<DB>,
{
    pub async fn rows(&self, query: Query<'static, DB, DB::Arguments>) -> Result<Vec<DB::Row>> {
        let mut connection = self.take().await?;
        let done = query.fetch_all(&mut *connection).await;
        settled(connection, done)
    }

    pub async fn execute(&self, query: Query<'static, DB, DB::Arguments>) -> Result<DB::QueryResult> {
        let mut connection = self.take().await?;
        let done = query.execute(&mut *connection).await;
        settled(connection, done)
    }
}

/// Gives the connection back, or throws it away when the statement found it broken.
pub fn settled<DB: Server, T>(connection: Taken<DB>, done: Result<T>) -> Result<T> {
    if let Err(error) = &done
        && breaks(error)
    {
        drop(Object::take(connection));
    }
    done
}

/// Is a connection that answered with this error of no more use? Errors that the database states leave it in order, but
/// for a server that says that it is going away.
pub fn breaks(error: &Error) -> bool {
    match error {
        Error::Database(error) => error
            .code()
            .is_some_and(|code| code.starts_with("57P") || code.starts_with("08")),
        Error::Io(_) | Error::Tls(_) | Error::Protocol(_) | Error::WorkerCrashed => true,
        _ => false,
    }
}

impl<DB: Server> Clone for Pool<DB> {
    fn clone(&self) -> Self {
        Pool(self.0.clone())
    }
}

impl<DB: Server> fmt::Debug for Pool<DB> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let status = self.0.status();
        write!(f, "Pool({} of {})", status.size, status.max_size)
    }
}

/// The readers and the writer of a file, which is made when absent, its folder too.
pub async fn sqlite(url: &str) -> Result<(Pool<Sqlite>, Pool<Sqlite>)> {
    let options = SqliteConnectOptions::from_str(url)?;
    if let Some(folder) = options.get_filename().parent().filter(|f| *f != Path::new("")) {
        tokio::fs::create_dir_all(folder).await?;
    }
    let options = options
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full) // an acknowledged write is on disk
        .foreign_keys(true)
        .busy_timeout(PATIENCE)
        .row_buffer_size(ROWS);
    let writer = Pool::open(options.clone().optimize_on_close(true, 400), 1).await?;
    let readers = Pool::open(options.pragma("query_only", "ON"), 4).await?;
    Ok((readers, writer))
}

pub async fn postgres(url: &str) -> Result<Pool<Postgres>> {
    let options = PgConnectOptions::from_str(url)?.application_name("kurso");
    Pool::open(options, 10).await
}
