//! Database access: one SQL text runs on SQLite and on PostgreSQL. `sql!` builds a statement, [`Db`] and [`Tx`] run it.
//! Only this crate knows which of the two databases is in use.
//!
//! Rules for SQL texts:
//! - Parameters are `$1`, `$2`, … in order. A missing argument would be a silent NULL on SQLite, so their number is
//!   checked.
//! - No `FOR UPDATE` (but [`Tx::for_update`]), no `GREATEST`, no SQL defaults for time: use only what both databases understand alike.
//! - Documents are TEXT columns, not JSON columns.
//! - At most 32,000 arguments per statement (SQLite's limit); callers split longer lists into chunks.
//! - A writing transaction takes SQLite's write lock at its start (`BEGIN IMMEDIATE`). A change within a course
//!   locks the course row first on both databases (`courses::begin` in `kurso-core`), after acquiring the course lock of
//!   this process ([`Db::begin_in_course`]).

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use sqlx::postgres::{PgListener, PgPoolOptions, PgRow};
use sqlx::sqlite::SqliteRow;
use sqlx::{Postgres, Sqlite};

mod batches;
mod course_locks;
pub mod events;
pub mod lease;
pub mod metrics;
mod migration;
pub mod parts;
mod pool;
mod postgres_transaction;
pub mod references;
pub mod search;
mod snapshot;
mod sql;
pub mod tables;
mod tx;
pub mod values;
mod writer;

use course_locks::{CourseLockGuard, CourseLocks};
use events::{Event, EventBus};
use kurso_base::ids::CourseId;
use metrics::SqlMetrics;
use pool::Pool;
use postgres_transaction::Transaction;
use tx::Inner;
use writer::{Write, Writer};

pub use batches::execute_in_batches;
pub use migration::{Version, fingerprint, newest};
pub use snapshot::Snapshot;
pub use sql::{Arg, Record, Sql};
pub use tx::{DbOrTx, Tx};

pub type Result<T, E = sqlx::Error> = std::result::Result<T, E>;

/// The longest list for one statement; leaves room for its other arguments.
pub const LIST_LIMIT: usize = 10_000;

/// Limits of the connection pools.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Maximum number of connections to PostgreSQL. SQLite always has one writing and four reading connections.
    pub size: usize,
    /// How long a statement waits for a connection before it fails with [`sqlx::Error::PoolTimedOut`].
    pub wait: Duration,
    /// PostgreSQL's `statement_timeout`; None keeps the server's setting.
    pub statement: Option<Duration>,
    /// Statements that take longer are logged.
    pub slow: Option<Duration>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            size: 10,
            wait: Duration::from_secs(10),
            statement: Some(Duration::from_secs(30)),
            slow: Some(Duration::from_secs(1)),
        }
    }
}

/// The current state of a connection pool.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PoolState {
    pub name: &'static str,
    pub open: usize,
    pub in_use: usize,
    /// Callers waiting for a connection.
    pub waiting: usize,
}

pub enum Rows {
    Sqlite(Vec<SqliteRow>),
    Postgres(Vec<PgRow>),
}

/// Runs statements: `&Db`, `&mut Tx`, `&mut DbOrTx` and `&mut Snapshot`.
pub trait Executor: Send {
    fn rows(self, sql: Sql<'_>) -> impl Future<Output = Result<Rows>> + Send;
    fn execute(self, sql: Sql<'_>) -> impl Future<Output = Result<u64>> + Send;
}

/// A handle to the database; clones share its pools. It stays open until [`Db::close`].
#[derive(Clone, Debug)]
pub struct Db {
    pools: Pools,
    statements: Arc<AtomicU64>,
    metrics: Arc<SqlMetrics>,
    bus: EventBus,
}

#[derive(Clone, Debug)]
enum Pools {
    /// SQLite allows one writer at a time, so a pool with one writing connection queues writers fairly.
    Sqlite { readers: Pool<Sqlite>, writer: Writer },
    Postgres {
        pool: Pool<Postgres>,
        course_locks: CourseLocks,
    },
}

impl Executor for &Db {
    async fn rows(self, sql: Sql<'_>) -> Result<Rows> {
        self.statements.fetch_add(1, Ordering::Relaxed);
        let name = sql.name();
        Ok(match &self.pools {
            Pools::Sqlite { readers, writer } => {
                let reads = sql.reads();
                let query = sql.query(|a, to| a.sqlite(to))?;
                Rows::Sqlite(if reads {
                    readers.rows(&name, query).await?
                } else {
                    writer.rows(&name, query).await?
                })
            }
            Pools::Postgres { pool, .. } => Rows::Postgres(pool.rows(&name, sql.query(|a, to| a.postgres(to))?).await?),
        })
    }

    async fn execute(self, sql: Sql<'_>) -> Result<u64> {
        self.statements.fetch_add(1, Ordering::Relaxed);
        let name = sql.name();
        match &self.pools {
            Pools::Sqlite { writer, .. } => {
                let done = writer.execute(&name, sql.query(|a, to| a.sqlite(to))?).await?;
                Ok(done.rows_affected())
            }
            Pools::Postgres { pool, .. } => {
                let done = pool.execute(&name, sql.query(|a, to| a.postgres(to))?).await?;
                Ok(done.rows_affected())
            }
        }
    }
}

/// Errors of a migration.
pub use sqlx::migrate;

impl Db {
    /// Opens `sqlite:PATH` (created if missing, including its folder) or `postgres://…`. Runs no migrations.
    pub async fn connect(url: &str) -> Result<Self> {
        Self::connect_with(url, Options::default()).await
    }

    /// As [`Db::connect`], with explicit limits.
    pub async fn connect_with(url: &str, options: Options) -> Result<Self> {
        let metrics = Arc::new(SqlMetrics::new(options.slow));
        let pools = if url.starts_with("sqlite:") {
            let (readers, writer) = pool::sqlite(url, options, &metrics).await?;
            Pools::Sqlite {
                readers,
                writer: Writer::new(writer),
            }
        } else {
            Pools::Postgres {
                pool: pool::postgres(url, options, &metrics).await?,
                course_locks: CourseLocks::default(),
            }
        };
        let bus = EventBus::new(matches!(pools, Pools::Postgres { .. }));
        Ok(Db {
            pools,
            statements: Arc::default(),
            metrics,
            bus,
        })
    }

    /// The state of each pool.
    pub fn pools(&self) -> Vec<PoolState> {
        match &self.pools {
            Pools::Sqlite { readers, writer } => vec![readers.state("readers"), writer.state("writer")],
            Pools::Postgres { pool, .. } => vec![pool.state("postgres")],
        }
    }

    pub fn metrics(&self) -> Arc<SqlMetrics> {
        self.metrics.clone()
    }

    /// Starts a transaction that may write.
    pub async fn begin(&self) -> Result<Tx> {
        Ok(Tx::new(
            self,
            match &self.pools {
                Pools::Sqlite { writer, .. } => Inner::Sqlite(Write::begin(writer).await?),
                Pools::Postgres { pool, .. } => Inner::Postgres(Transaction::begin(pool, None).await?),
            },
        ))
    }

    /// Starts a transaction that locks the row of this course, and of no other course. Callers acquire an in-process
    /// lock of the course first, in order of arrival and without occupying a connection. SQLite needs no such lock,
    /// because it has a single writer.
    pub async fn begin_in_course(&self, course: CourseId) -> Result<Tx> {
        match &self.pools {
            Pools::Sqlite { .. } => self.begin().await,
            Pools::Postgres { pool, course_locks } => self.begin_with(pool, course_locks.acquire(course).await?).await,
        }
    }

    /// As [`Db::begin_in_course`], for background jobs: keeps the full timeout while requests are being shed.
    pub async fn begin_job_in_course(&self, course: CourseId) -> Result<Tx> {
        match &self.pools {
            Pools::Sqlite { .. } => self.begin().await,
            Pools::Postgres { pool, course_locks } => {
                self.begin_with(pool, course_locks.acquire_for_job(course).await?).await
            }
        }
    }

    async fn begin_with(&self, pool: &Pool<Postgres>, lock: CourseLockGuard) -> Result<Tx> {
        Ok(Tx::new(
            self,
            Inner::Postgres(Transaction::begin(pool, Some(lock)).await?),
        ))
    }

    /// Reports that a request was rejected because of overload. For a moment, requests then wait only briefly for a
    /// course lock, so that writers of one course do not fill the server's capacity (decision 61).
    pub fn report_overload(&self) {
        if let Pools::Postgres { course_locks, .. } = &self.pools {
            course_locks.report_overload();
        }
    }

    /// The event bus of this database.
    pub fn event_bus(&self) -> &EventBus {
        &self.bus
    }

    /// Publishes an event of a change made without a transaction. If notifying the other nodes fails, the failure is
    /// logged and the change remains.
    pub async fn publish(&self, event: Event) {
        let texts = events::texts(&self.bus, std::slice::from_ref(&event));
        if let Err(error) = self.notify(texts).await {
            tracing::warn!(%error, "the other nodes were not told of an event");
        }
        self.bus.deliver(event);
    }

    /// Sends texts to all nodes, including this one. Does nothing on SQLite, which has one node.
    pub(crate) async fn notify(&self, texts: Vec<String>) -> Result<()> {
        if let (Pools::Postgres { pool, .. }, [_, ..]) = (&self.pools, texts.as_slice()) {
            self.statements.fetch_add(1, Ordering::Relaxed);
            pool.execute("NOTIFY", sqlx::query(NOTIFY).bind(texts)).await?;
        }
        Ok(())
    }

    /// The number of statements run so far, including those in transactions. Tests use the difference around a request.
    pub fn statements(&self) -> u64 {
        self.statements.load(Ordering::Relaxed)
    }

    /// `sqlite` or `postgres`.
    pub fn name(&self) -> &'static str {
        match &self.pools {
            Pools::Sqlite { .. } => "sqlite",
            Pools::Postgres { .. } => "postgres",
        }
    }

    /// Opens a dedicated connection that receives the notifications of all nodes, including this one. None on SQLite,
    /// which has one node.
    pub(crate) async fn listener(&self) -> Result<Option<PgListener>> {
        match &self.pools {
            Pools::Sqlite { .. } => Ok(None),
            Pools::Postgres { pool, .. } => {
                let single = PgPoolOptions::new()
                    .max_connections(1)
                    .max_lifetime(None)
                    .idle_timeout(None);
                let options = pool.options().clone().application_name("kurso live");
                let single = single.connect_with(options).await?;
                let (channel,): (String,) = sqlx::query_as(CHANNEL).fetch_one(&single).await?;
                let mut listener = PgListener::connect_with(&single).await?;
                // The caller starts anew when the connection is lost.
                listener.eager_reconnect(false);
                listener.listen(&channel).await?;
                Ok(Some(listener))
            }
        }
    }

    /// Waits for running statements, then closes all connections.
    pub async fn close(&self) {
        match &self.pools {
            Pools::Sqlite { readers, writer } => {
                readers.close().await;
                writer.close().await;
            }
            Pools::Postgres { pool, .. } => pool.close().await,
        }
    }
}

/// A channel belongs to the whole database, the tables to a schema in it. The hash keeps channel names short enough for
/// any schema name.
const CHANNEL: &str = "SELECT 'kurso_' || md5(current_schema())";
const NOTIFY: &str =
    "SELECT pg_notify('kurso_' || md5(current_schema()), message) FROM unnest($1::text[]) AS messages (message)";
