//! Connection pools: `deadpool` over sqlx's connections.
//!
//! sqlx's own pool pings the server whenever a connection is returned, a second round trip for every statement. This
//! pool reuses a recently used connection without a ping and discards one that a statement found broken.

mod cancellation;

use std::fmt;
use std::io::ErrorKind;
use std::ops::{Deref, DerefMut};
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
    AssertSqlSafe, ConnectOptions, Connection as _, Error, Executor, IntoArguments, PgConnection, Postgres, Row as _,
    Sqlite, SqliteConnection,
};
use tokio::time::timeout;

use super::{Options, PoolState, Result};
use crate::metrics::SqlMetrics;
use cancellation::{Canceller, Running, ServerProcess};

/// Limits connecting to a server and waiting for another process's write lock on SQLite.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Limits the ping of a connection that was idle.
const PING_TIMEOUT: Duration = Duration::from_secs(2);

/// How much longer than the server's statement timeout a response is awaited. After that the server counts as
/// unreachable.
const RESPONSE_GRACE: Duration = Duration::from_secs(5);

/// A connection idle for at most this long is used without a ping.
const PING_AFTER_IDLE: Duration = Duration::from_secs(1);

/// Rows that SQLite's thread reads ahead. A high number spares context switches between it and the reader of a large
/// result.
const READ_AHEAD_ROWS: usize = 2_000;

/// How long closing waits for running statements.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(10);

/// The connections to one database.
pub struct Pool<DB: Server> {
    pool: managed::Pool<Manager<DB>>,
    metrics: Arc<SqlMetrics>,
    /// Limits acquiring a connection, including replacing broken ones.
    wait: Duration,
}

/// A connection acquired from a pool; dropping it returns it.
pub type PooledConnection<DB> = Object<Manager<DB>>;

/// SQLite or PostgreSQL.
pub trait Server: sqlx::Database {
    type Options: ConnectOptions<Connection = Self::Connection> + Sync;
    /// Whether an idle connection may have lost its server; not the case for a file.
    const HAS_SERVER: bool;

    /// Stops statements of cancelled requests.
    type Canceller: Send + Sync;

    fn canceller(options: &Self::Options) -> Self::Canceller;

    /// Closes the connection of the canceller.
    fn close_canceller(canceller: &Self::Canceller) -> impl Future<Output = ()> + Send;

    /// Sets the statement timeout of a new connection, and how long its server waits for the next statement of a
    /// transaction. Returns the process that serves the connection.
    fn prepare(
        connection: &mut Self::Connection,
        time: Option<Duration>,
    ) -> impl Future<Output = Result<Option<ServerProcess>>> + Send;

    /// Stops the statement that a cancelled request left behind. Returns whether the connection is usable.
    fn stop(connection: &mut PooledConnection<Self>) -> impl Future<Output = bool> + Send;
}

impl Server for Sqlite {
    type Options = SqliteConnectOptions;
    const HAS_SERVER: bool = false;

    type Canceller = ();

    fn canceller(_: &SqliteConnectOptions) {}

    async fn close_canceller((): &()) {}

    async fn prepare(_: &mut SqliteConnection, _: Option<Duration>) -> Result<Option<ServerProcess>> {
        Ok(None) // SQLite has no such timeout
    }

    async fn stop(_: &mut PooledConnection<Sqlite>) -> bool {
        true
    }
}

impl Server for Postgres {
    type Options = PgConnectOptions;
    const HAS_SERVER: bool = true;

    type Canceller = Canceller;

    fn canceller(options: &PgConnectOptions) -> Canceller {
        Canceller::new(options)
    }

    async fn close_canceller(canceller: &Canceller) {
        canceller.close().await;
    }

    async fn prepare(connection: &mut PgConnection, time: Option<Duration>) -> Result<Option<ServerProcess>> {
        // These are statements because connection poolers reject such startup options. Without the second one, a server
        // whose client vanished keeps the row locks of its transaction for hours.
        let mut text = String::new();
        if let Some(time) = time {
            let (statement, idle) = (time.as_millis(), (time + RESPONSE_GRACE).as_millis());
            text = format!("SET statement_timeout = {statement}; SET idle_in_transaction_session_timeout = {idle}; ");
        }
        text.push_str(
            "SELECT pid, extract(epoch FROM backend_start)::text FROM pg_stat_activity WHERE pid = pg_backend_pid()",
        );
        let Some(row) = connection.fetch_optional(AssertSqlSafe(text)).await? else {
            return Ok(None);
        };
        Ok(Some(ServerProcess {
            id: row.try_get(0)?,
            started: row.try_get(1)?,
        }))
    }

    async fn stop(connection: &mut PooledConnection<Postgres>) -> bool {
        let Some(pool) = Object::pool(connection) else {
            return false;
        };
        let Opened { inner, process } = &mut **connection;
        cancellation::stop(inner, process.as_ref(), &pool.manager().canceller).await
    }
}

/// An open connection.
pub struct Opened<DB: Server> {
    pub inner: DB::Connection,
    /// None on SQLite.
    process: Option<ServerProcess>,
}

impl<DB: Server> Deref for Opened<DB> {
    type Target = DB::Connection;

    fn deref(&self) -> &DB::Connection {
        &self.inner
    }
}

impl<DB: Server> DerefMut for Opened<DB> {
    fn deref_mut(&mut self) -> &mut DB::Connection {
        &mut self.inner
    }
}

/// Opens connections, and pings idle ones before reuse.
pub struct Manager<DB: Server> {
    options: DB::Options,
    statement: Option<Duration>,
    canceller: DB::Canceller,
    /// When an unanswered request was last sent. Connections opened before that are discarded without a ping, because
    /// each would cost another ping timeout.
    unresponsive_since: Mutex<Option<Instant>>,
}

impl<DB: Server> managed::Manager for Manager<DB> {
    type Type = Opened<DB>;
    type Error = Error;

    async fn create(&self) -> Result<Opened<DB>> {
        let mut inner = self.options.connect().await?;
        let process = DB::prepare(&mut inner, self.statement).await?;
        Ok(Opened { inner, process })
    }

    async fn recycle(&self, connection: &mut Opened<DB>, metrics: &Metrics) -> RecycleResult<Error> {
        let asked = Instant::now();
        if self.is_suspect(metrics.created) {
            return Err(RecycleError::message("opened before its server stopped responding"));
        }
        if DB::HAS_SERVER && metrics.last_used() > PING_AFTER_IDLE {
            match timeout(PING_TIMEOUT, connection.ping()).await {
                Ok(answer) => answer?,
                Err(_) => {
                    self.mark_unresponsive(asked);
                    return Err(RecycleError::message("the ping was not answered"));
                }
            }
        }
        Ok(())
    }
}

impl<DB: Server> Manager<DB> {
    fn response_timeout(&self) -> Option<Duration> {
        self.statement
            .filter(|_| DB::HAS_SERVER)
            .map(|time| time + RESPONSE_GRACE)
    }

    /// Records that a request sent at `asked` was never answered.
    fn mark_unresponsive(&self, asked: Instant) {
        let mut since = self.unresponsive_since.lock().unwrap_or_else(PoisonError::into_inner);
        *since = (*since).max(Some(asked));
    }

    fn is_suspect(&self, opened: Instant) -> bool {
        let since = self.unresponsive_since.lock().unwrap_or_else(PoisonError::into_inner);
        since.is_some_and(|since| opened < since)
    }
}

impl<DB: Server> Pool<DB> {
    /// Opens the first connection, so that an unreachable database fails at the start.
    async fn open(options: DB::Options, size: usize, limits: Options, metrics: &Arc<SqlMetrics>) -> Result<Self> {
        // This module logs slow statements itself, without their values.
        let options = options.disable_statement_logging();
        let statement = limits.statement;
        let canceller = DB::canceller(&options);
        let pool = managed::Pool::builder(Manager {
            options,
            statement,
            canceller,
            unresponsive_since: Mutex::default(),
        })
        .max_size(size)
        .wait_timeout(Some(limits.wait))
        .create_timeout(Some(CONNECT_TIMEOUT))
        .runtime(Runtime::Tokio1)
        .build()
        .map_err(|error| Error::Configuration(error.into()))?;
        let pool = Pool {
            pool,
            metrics: metrics.clone(),
            wait: limits.wait + CONNECT_TIMEOUT,
        };
        drop(pool.acquire().await?);
        Ok(pool)
    }

    /// Waits for a connection in order of arrival. Fails with [`Error::PoolTimedOut`] after the timeout.
    pub async fn acquire(&self) -> Result<PooledConnection<DB>> {
        let started = Instant::now();
        let taken = timeout(self.wait, self.pool.get()).await;
        self.metrics.waited(started.elapsed());
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

    /// How long the response to a statement is awaited; None (no limit) on SQLite, which has no server.
    pub fn response_timeout(&self) -> Option<Duration> {
        self.pool.manager().response_timeout()
    }

    pub fn metrics(&self) -> &SqlMetrics {
        &self.metrics
    }

    /// Waits for running statements, then closes all connections.
    pub async fn close(&self) {
        let deadline = tokio::time::Instant::now() + CLOSE_TIMEOUT;
        loop {
            for connection in self.pool.retain(|_, _| false).removed {
                if let Err(error) = connection.inner.close().await {
                    tracing::warn!(%error, "a connection was not closed cleanly");
                }
            }
            if self.pool.status().size == 0 || tokio::time::Instant::now() > deadline {
                DB::close_canceller(&self.pool.manager().canceller).await;
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
    /// `name` identifies the statement in the log.
    pub async fn rows(&self, name: &str, query: Query<'static, DB, DB::Arguments>) -> Result<Vec<DB::Row>> {
        let mut running = Running::new(self.acquire().await?);
        let work = self.metrics.timed(name, query.fetch_all(running.connection()?));
        let done = with_timeout(self.response_timeout(), work).await;
        running.finish(done)
    }

    pub async fn execute(&self, name: &str, query: Query<'static, DB, DB::Arguments>) -> Result<DB::QueryResult> {
        let mut running = Running::new(self.acquire().await?);
        let work = self.metrics.timed(name, query.execute(running.connection()?));
        let done = with_timeout(self.response_timeout(), work).await;
        running.finish(done)
    }
}

/// Awaits a statement for at most `limit`; fails with [`ErrorKind::TimedOut`] after that, when the server counts as
/// unreachable and its connection as broken.
pub async fn with_timeout<T>(limit: Option<Duration>, work: impl Future<Output = Result<T>>) -> Result<T> {
    let Some(limit) = limit else {
        return work.await;
    };
    timeout(limit, work)
        .await
        .unwrap_or_else(|_| Err(Error::Io(ErrorKind::TimedOut.into())))
}

/// Returns the connection to the pool, or discards it if the statement found it broken.
pub fn release<DB: Server, T>(connection: PooledConnection<DB>, done: Result<T>) -> Result<T> {
    if let Err(error) = &done
        && is_connection_broken(error)
    {
        discard(connection, error);
    }
    done
}

/// Closes a broken connection, which rolls its transaction back.
pub fn discard<DB: Server>(connection: PooledConnection<DB>, error: &Error) {
    if let Error::Io(error) = error
        && error.kind() == ErrorKind::TimedOut
        && let Some(pool) = Object::pool(&connection)
    {
        let manager = pool.manager();
        let asked = manager
            .response_timeout()
            .and_then(|time| Instant::now().checked_sub(time));
        manager.mark_unresponsive(asked.unwrap_or_else(Instant::now));
    }
    drop(Object::take(connection));
}

/// Whether the connection is unusable after this error. Errors reported by the database leave it usable, except those
/// of a server that shuts down or became read-only: its address may lead to another server by now.
pub fn is_connection_broken(error: &Error) -> bool {
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
            metrics: self.metrics.clone(),
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

/// Opens the reading and the writing pool of a file. Creates the file and its folder if they are missing.
pub async fn sqlite(url: &str, limits: Options, metrics: &Arc<SqlMetrics>) -> Result<(Pool<Sqlite>, Pool<Sqlite>)> {
    let options = SqliteConnectOptions::from_str(url)?;
    if let Some(folder) = options.get_filename().parent().filter(|f| *f != Path::new("")) {
        tokio::fs::create_dir_all(folder).await?;
    }
    create_privately(options.get_filename()).await?;
    let options = options
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full) // a confirmed write is on disk
        .foreign_keys(true)
        .busy_timeout(CONNECT_TIMEOUT)
        .row_buffer_size(READ_AHEAD_ROWS);
    // No `optimize_on_close`: statistics taken of a small database make a large one slow (decision 62).
    let writer = Pool::open(options.clone(), 1, limits, metrics).await?;
    let readers = Pool::open(options.pragma("query_only", "ON"), 4, limits, metrics).await?;
    Ok((readers, writer))
}

/// Creates the file of a new database so that only its owner can read it; SQLite gives its other files the same rights. An existing
/// file keeps those that its operator chose.
async fn create_privately(path: &Path) -> Result<()> {
    let mut options = tokio::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    options.mode(0o600);
    match options.open(path).await {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(error.into()),
        _ => Ok(()),
    }
}

pub async fn postgres(url: &str, limits: Options, metrics: &Arc<SqlMetrics>) -> Result<Pool<Postgres>> {
    let options = PgConnectOptions::from_str(url)?.application_name("kurso");
    Pool::open(options, limits.size, limits, metrics).await
}

/// A connection outside the pool, without a statement timeout.
pub async fn dedicated_connection(pool: &Pool<Postgres>) -> Result<PgConnection> {
    pool.options().connect().await
}

/// Closes a connection; only logs a failure.
pub async fn close_connection(connection: PgConnection) {
    if let Err(error) = connection.close().await {
        tracing::debug!(%error, "a connection was not closed cleanly");
    }
}
