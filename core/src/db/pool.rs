//! Connections kept open, and how many: `deadpool` over sqlx's connections.
//!
//! sqlx has a pool of its own, which asks the server for a sign of life whenever a connection comes back: a second round trip
//! for every statement. Here a connection that was in use a moment ago is used again as it is, and one that a statement
//! found broken is thrown away.

use std::fmt;
use std::io::ErrorKind;
use std::path::Path;
use std::str::FromStr as _;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use deadpool::Runtime;
use deadpool::managed::{self, Metrics, Object, PoolError, RecycleError, RecycleResult};
use sqlx::postgres::PgConnectOptions;
use sqlx::query::Query;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous};
use sqlx::{
    AssertSqlSafe, ConnectOptions, Connection as _, Error, Executor, IntoArguments, PgConnection, Postgres, Sqlite,
    SqliteConnection,
};
use tokio::time::timeout;

use super::{Options, PoolState, Result};
use crate::signals::SqlSignals;

/// How long a connection may take to be made, and another process' write lock.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long a connection that waited may take for a sign of life: one to a server that is gone is not worth more.
const SIGN_OF_LIFE: Duration = Duration::from_secs(2);

/// How much longer than its server allows a statement is waited for. After that nothing is there that would answer.
const SILENCE: Duration = Duration::from_secs(5);

/// A connection idle for no longer is used without a test.
const FRESH: Duration = Duration::from_secs(1);

/// Rows that SQLite's thread reads ahead of whoever takes them: a class is read without the two waking each other all the time.
const ROWS: usize = 2_000;

/// How long closing waits for statements that still run.
const CLOSING: Duration = Duration::from_secs(10);

/// The connections to one database of one kind.
pub struct Pool<DB: Server> {
    pool: managed::Pool<Manager<DB>>,
    signals: Arc<SqlSignals>,
    /// For a connection, with all that it takes to find one that works.
    wait: Duration,
}

/// A connection taken from a pool, which goes back when dropped.
pub type Taken<DB> = Object<Manager<DB>>;

/// The kinds of database.
pub trait Server: sqlx::Database {
    type Options: ConnectOptions<Connection = Self::Connection> + Sync;
    /// Whether a connection may have lost its server while it waited: a file does not drop its connection.
    const MAY_BE_LOST: bool;

    /// Says to a new connection how long a statement of it may run, and how long its server waits for the next one.
    fn bound(connection: &mut Self::Connection, time: Duration) -> impl Future<Output = Result<()>> + Send;
}

impl Server for Sqlite {
    type Options = SqliteConnectOptions;
    const MAY_BE_LOST: bool = false;

    async fn bound(_: &mut SqliteConnection, _: Duration) -> Result<()> {
        Ok(()) // SQLite knows no such bound
    }
}

impl Server for Postgres {
    type Options = PgConnectOptions;
    const MAY_BE_LOST: bool = true;

    async fn bound(connection: &mut PgConnection, time: Duration) -> Result<()> {
        // Not options of the connection: poolers in between refuse those. A server that hears no more of us lets the rows go
        // that a transaction has locked; by itself it would keep them for hours.
        let (statement, idle) = (time.as_millis(), (time + SILENCE).as_millis());
        let text = format!("SET statement_timeout = {statement}; SET idle_in_transaction_session_timeout = {idle}");
        connection.execute(AssertSqlSafe(text)).await.map(drop)
    }
}

/// Makes connections, and tests those that waited.
pub struct Manager<DB: Server> {
    options: DB::Options,
    statement: Option<Duration>,
    /// When a server that fell silent was last spoken to in vain. What was opened before that is thrown away untested: each
    /// would cost another wait for a sign of life, one after the other.
    silent_since: Mutex<Option<Instant>>,
}

impl<DB: Server> managed::Manager for Manager<DB> {
    type Type = DB::Connection;
    type Error = Error;

    async fn create(&self) -> Result<DB::Connection> {
        let mut connection = self.options.connect().await?;
        if let Some(time) = self.statement {
            DB::bound(&mut connection, time).await?;
        }
        Ok(connection)
    }

    async fn recycle(&self, connection: &mut DB::Connection, metrics: &Metrics) -> RecycleResult<Error> {
        let asked = Instant::now();
        if self.is_distrusted(metrics.created) {
            return Err(RecycleError::message("opened before its server fell silent"));
        }
        if DB::MAY_BE_LOST && metrics.last_used() > FRESH {
            match timeout(SIGN_OF_LIFE, connection.ping()).await {
                Ok(answer) => answer?,
                Err(_) => {
                    self.distrust(asked);
                    return Err(RecycleError::message("no sign of life"));
                }
            }
        }
        Ok(())
    }
}

impl<DB: Server> Manager<DB> {
    fn patience(&self) -> Option<Duration> {
        self.statement.filter(|_| DB::MAY_BE_LOST).map(|time| time + SILENCE)
    }

    /// Nothing was answered to what was said then.
    fn distrust(&self, asked: Instant) {
        let mut since = self.silent_since.lock().unwrap_or_else(PoisonError::into_inner);
        *since = (*since).max(Some(asked));
    }

    fn is_distrusted(&self, opened: Instant) -> bool {
        let since = self.silent_since.lock().unwrap_or_else(PoisonError::into_inner);
        since.is_some_and(|since| opened < since)
    }
}

impl<DB: Server> Pool<DB> {
    /// Opens the first connection, so that a database that is not there is found out now.
    async fn open(options: DB::Options, size: usize, rules: Options, signals: &Arc<SqlSignals>) -> Result<Self> {
        // Slow statements are named by us, with the text alone.
        let options = options.disable_statement_logging();
        let statement = rules.statement;
        let pool = managed::Pool::builder(Manager {
            options,
            statement,
            silent_since: Mutex::default(),
        })
        .max_size(size)
        .wait_timeout(Some(rules.wait))
        .create_timeout(Some(PATIENCE))
        .runtime(Runtime::Tokio1)
        .build()
        .map_err(|error| Error::Configuration(error.into()))?;
        let pool = Pool {
            pool,
            signals: signals.clone(),
            wait: rules.wait + PATIENCE,
        };
        drop(pool.take().await?);
        Ok(pool)
    }

    /// Waits for a connection, first come first served; [`Error::PoolTimedOut`] when that takes too long.
    pub async fn take(&self) -> Result<Taken<DB>> {
        let started = Instant::now();
        let taken = timeout(self.wait, self.pool.get()).await;
        self.signals.waited(started.elapsed());
        taken.map_err(|_| Error::PoolTimedOut)?.map_err(|error| match error {
            PoolError::Backend(error) => error,
            PoolError::Closed => Error::PoolClosed,
            PoolError::Timeout(_) => Error::PoolTimedOut,
            other => Error::Configuration(other.into()),
        })
    }

    pub fn state(&self, name: &'static str) -> PoolState {
        let status = self.pool.status();
        PoolState {
            name,
            open: status.size,
            in_use: status.size.saturating_sub(status.available),
            waiting: status.waiting,
        }
    }

    /// How long an answer to a statement is waited for; None: for ever, as of SQLite, which is no other machine.
    pub fn patience(&self) -> Option<Duration> {
        self.pool.manager().patience()
    }

    pub fn signals(&self) -> &SqlSignals {
        &self.signals
    }

    /// Waits for running statements and closes every connection.
    pub async fn close(&self) {
        let deadline = tokio::time::Instant::now() + CLOSING;
        loop {
            for connection in self.pool.retain(|_, _| false).removed {
                if let Err(error) = connection.close().await {
                    tracing::warn!(%error, "a connection could not be closed in order");
                }
            }
            if self.pool.status().size == 0 || tokio::time::Instant::now() > deadline {
                return self.pool.close();
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    pub fn options(&self) -> &DB::Options {
        &self.pool.manager().options
    }
}

impl<DB: Server> Pool<DB>
where
    for<'c> &'c mut DB::Connection: Executor<'c, Database = DB>,
    DB::Arguments: IntoArguments<DB>,
{
    /// `name`: what the log calls the statement.
    pub async fn rows(&self, name: &str, query: Query<'static, DB, DB::Arguments>) -> Result<Vec<DB::Row>> {
        let mut connection = self.take().await?;
        let work = self.signals.timed(name, query.fetch_all(&mut *connection));
        let done = bounded(self.patience(), work).await;
        settled(connection, done)
    }

    pub async fn execute(&self, name: &str, query: Query<'static, DB, DB::Arguments>) -> Result<DB::QueryResult> {
        let mut connection = self.take().await?;
        let work = self.signals.timed(name, query.execute(&mut *connection));
        let done = bounded(self.patience(), work).await;
        settled(connection, done)
    }
}

/// Waits for a statement as long as it may take. One that is not answered by then never will be: its server has gone without
/// a word, and the connection with it.
pub async fn bounded<T>(patience: Option<Duration>, work: impl Future<Output = Result<T>>) -> Result<T> {
    let Some(patience) = patience else {
        return work.await;
    };
    timeout(patience, work)
        .await
        .unwrap_or_else(|_| Err(Error::Io(ErrorKind::TimedOut.into())))
}

/// Gives the connection back, or throws it away when the statement found it broken.
pub fn settled<DB: Server, T>(connection: Taken<DB>, done: Result<T>) -> Result<T> {
    if let Err(error) = &done
        && breaks(error)
    {
        discard(connection, error);
    }
    done
}

/// Throws a connection away that a statement found broken: closing it rolls back.
pub fn discard<DB: Server>(connection: Taken<DB>, error: &Error) {
    if let Error::Io(error) = error
        && error.kind() == ErrorKind::TimedOut
        && let Some(pool) = Object::pool(&connection)
    {
        let manager = pool.manager();
        let asked = manager.patience().and_then(|time| Instant::now().checked_sub(time));
        manager.distrust(asked.unwrap_or_else(Instant::now));
    }
    drop(Object::take(connection));
}

/// Is a connection that answered with this error of no more use? Errors that the database states leave it in order, but
/// for a server that says that it is going away, or takes nothing in: its address may lead to another one by now.
pub fn breaks(error: &Error) -> bool {
    match error {
        Error::Database(error) => error.code().is_some_and(|code| {
            code.starts_with("57P") || code.starts_with("08") || code == "25006" || code == "25P03"
        }),
        Error::Io(_) | Error::Tls(_) | Error::Protocol(_) | Error::WorkerCrashed => true,
        _ => false,
    }
}

impl<DB: Server> Clone for Pool<DB> {
    fn clone(&self) -> Self {
        Pool {
            pool: self.pool.clone(),
            signals: self.signals.clone(),
            wait: self.wait,
        }
    }
}

impl<DB: Server> fmt::Debug for Pool<DB> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let status = self.pool.status();
        write!(f, "Pool({} of {})", status.size, status.max_size)
    }
}

/// The readers and the writer of a file, which is made when absent, its folder too.
pub async fn sqlite(url: &str, rules: Options, signals: &Arc<SqlSignals>) -> Result<(Pool<Sqlite>, Pool<Sqlite>)> {
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
    // No `optimize_on_close`: statistics of an empty school make a large one slow (decision 62).
    let writer = Pool::open(options.clone(), 1, rules, signals).await?;
    let readers = Pool::open(options.pragma("query_only", "ON"), 4, rules, signals).await?;
    Ok((readers, writer))
}

pub async fn postgres(url: &str, rules: Options, signals: &Arc<SqlSignals>) -> Result<Pool<Postgres>> {
    let options = PgConnectOptions::from_str(url)?.application_name("kurso");
    Pool::open(options, rules.size, rules, signals).await
}

/// A connection of its own, whose statements may take as long as they need.
pub async fn unbounded(pool: &Pool<Postgres>) -> Result<PgConnection> {
    pool.options().connect().await
}

/// Closes it.
pub async fn part(connection: PgConnection) {
    if let Err(error) = connection.close().await {
        tracing::debug!(%error, "a connection could not be closed in order");
    }
}
