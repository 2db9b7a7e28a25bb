//! One SQL text for SQLite and PostgreSQL: `sql!` holds text and arguments, [`Db`] and [`Tx`] run it.
//! The only place that knows there are two databases.
//!
//! Rules for the texts (each learned by a failure):
//! - `$1`, `$2`, … in order; a missing bind would be a silent NULL on SQLite, so the count is checked here.
//! - No `FOR UPDATE`, no `GREATEST`, no SQL defaults for time: what both databases read alike.
//! - JSON columns would hold objects or arrays only; documents are TEXT.
//! - At most 32,000 arguments a statement (SQLite's limit); callers with longer lists send them in chunks.
//! - A transaction that writes takes the write lock at its start on SQLite (`BEGIN IMMEDIATE`); structure changes
//!   lock the course row first on both (`lock_structure` in `courses`), in their turn ([`Db::begin_in`]).

use std::borrow::Cow;
use std::fmt::Write as _;
use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use sqlx::error::BoxDynError;
use sqlx::postgres::{PgArguments, PgListener, PgPoolOptions, PgRow};
use sqlx::sqlite::{SqliteArguments, SqliteRow};
use sqlx::{Arguments, AssertSqlSafe, Encode, FromRow, Postgres, SqlSafeStr, SqlStr, Sqlite, Type};

mod migrating;
mod pool;
mod snapshot;
pub mod tables;
mod transaction;
mod turns;
pub mod values;
mod writer;

use pool::{Pool, bounded};
use transaction::Transaction;
use turns::{Turn, Turns};
use writer::{Write, Writer};

pub use migrating::Version;
pub(crate) use migrating::newest;
pub use snapshot::Snapshot;

use crate::events::{self, Event, Live};
use crate::ids::CourseId;
use crate::signals::SqlSignals;

pub type Result<T, E = sqlx::Error> = std::result::Result<T, E>;

/// The largest list a single statement takes with room for its other arguments.
pub const LIST_LIMIT: usize = 10_000;

/// How connections are made and waited for.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Connections to PostgreSQL at most; SQLite has one that writes and four that read.
    pub size: usize,
    /// How long a statement waits for a connection; [`sqlx::Error::PoolTimedOut`] after that.
    pub wait: Duration,
    /// How long a statement of PostgreSQL may run; None: as its server says.
    pub statement: Option<Duration>,
    /// A statement that takes longer is named in the log.
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

/// What becomes of a pool's connections.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PoolState {
    pub name: &'static str,
    pub open: usize,
    pub in_use: usize,
    /// Who waits for a connection.
    pub waiting: usize,
}

/// A value both drivers bind natively.
pub trait Arg<'q>: Send + Sync {
    fn sqlite(&self, to: &mut SqliteArguments) -> Result<(), BoxDynError>;
    fn postgres(&self, to: &mut PgArguments) -> Result<(), BoxDynError>;
}
impl<'q, T> Arg<'q> for T
where
    T: Encode<'q, Sqlite> + Type<Sqlite> + Encode<'q, Postgres> + Type<Postgres> + Send + Sync,
{
    fn sqlite(&self, to: &mut SqliteArguments) -> Result<(), BoxDynError> {
        to.add(self)
    }
    fn postgres(&self, to: &mut PgArguments) -> Result<(), BoxDynError> {
        to.add(self)
    }
}

/// A row both drivers decode: `#[derive(sqlx::FromRow)]` is enough, tuples work too.
pub trait Record: for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> {}
impl<T> Record for T where T: for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> {}

/// A statement: its text and its bound arguments.
pub struct Sql<'q> {
    text: Cow<'static, str>,
    args: Vec<Box<dyn Arg<'q> + 'q>>,
}

/// `sql!("SELECT … WHERE id = $1", id)`: a statement with its arguments bound in order.
#[macro_export]
macro_rules! sql {
    ($text:expr $(, $arg:expr)* $(,)?) => { $crate::db::Sql::new($text)$(.bind($arg))* };
}

impl<'q> Sql<'q> {
    pub fn new(text: &'static str) -> Self {
        Self {
            text: text.into(),
            args: vec![],
        }
    }

    /// A text made of names that the database's own catalogue holds, and of nothing else.
    fn built(text: String) -> Self {
        Self {
            text: text.into(),
            args: vec![],
        }
    }

    /// More of a text that was [`Sql::built`].
    fn and(mut self, text: &str) -> Self {
        self.text.to_mut().push_str(text);
        self
    }

    pub fn bind(mut self, arg: impl Arg<'q> + 'q) -> Self {
        self.args.push(Box::new(arg));
        self
    }

    pub fn push(mut self, text: &'static str) -> Self {
        self.text.to_mut().push_str(text);
        self
    }

    /// Binds `arg` and writes its `$n`.
    pub fn push_bind(self, arg: impl Arg<'q> + 'q) -> Self {
        let mut sql = self.bind(arg);
        let n = sql.args.len();
        // Writing to a String cannot fail.
        let _ = write!(sql.text.to_mut(), "${n}");
        sql
    }

    /// `($n, $n+1, …)`; an empty list is `(NULL)`, which matches nothing.
    pub fn push_in<T: Arg<'q> + 'q>(self, list: impl IntoIterator<Item = T>) -> Self {
        let mut sql = self.push("(");
        for (i, arg) in list.into_iter().enumerate() {
            if i > 0 {
                sql = sql.push(", ");
            }
            sql = sql.push_bind(arg);
        }
        if sql.text.ends_with('(') {
            sql = sql.push("NULL");
        }
        sql.push(")")
    }

    /// `($1, $2), ($3, $4), …` for a multi-row INSERT: `columns` binds one row's values.
    pub fn push_values<T>(self, rows: impl IntoIterator<Item = T>, columns: impl Fn(Sql<'q>, T) -> Sql<'q>) -> Self {
        let mut sql = self;
        for (i, row) in rows.into_iter().enumerate() {
            sql = columns(sql.push(if i > 0 { ", (" } else { "(" }), row).push(")");
        }
        sql
    }

    pub async fn fetch_all<T: Record>(self, on: impl Executor) -> Result<Vec<T>> {
        match on.rows(self).await? {
            Rows::Sqlite(rows) => rows.iter().map(T::from_row).collect(),
            Rows::Postgres(rows) => rows.iter().map(T::from_row).collect(),
        }
    }

    /// The first row, if there is any.
    pub async fn fetch_optional<T: Record>(self, on: impl Executor) -> Result<Option<T>> {
        Ok(self.fetch_all(on).await?.into_iter().next())
    }

    /// The first row; [`sqlx::Error::RowNotFound`] when there is none.
    pub async fn fetch_one<T: Record>(self, on: impl Executor) -> Result<T> {
        self.fetch_optional(on).await?.ok_or(sqlx::Error::RowNotFound)
    }

    /// The number of rows changed.
    pub async fn execute(self, on: impl Executor) -> Result<u64> {
        on.execute(self).await
    }

    /// What the log may say of it; built text can be long.
    fn name(&self) -> Cow<'static, str> {
        match &self.text {
            Cow::Borrowed(text) => Cow::Borrowed(text),
            Cow::Owned(text) => text.chars().take(400).collect::<String>().into(),
        }
    }

    /// Does the statement only read? Then SQLite may run it beside the writer.
    fn reads(&self) -> bool {
        let start = self.text.trim_start();
        ["SELECT", "WITH"]
            .iter()
            .any(|word| start.get(..word.len()).is_some_and(|s| s.eq_ignore_ascii_case(word)))
    }

    /// Fixed text is kept as a prepared statement, built text is not.
    fn query<DB>(
        self,
        add: impl Fn(&dyn Arg<'q>, &mut DB::Arguments) -> Result<(), BoxDynError>,
    ) -> Result<sqlx::query::Query<'static, DB, DB::Arguments>>
    where
        DB: sqlx::Database + sqlx::database::HasStatementCache,
        DB::Arguments: sqlx::IntoArguments<DB>,
    {
        let named = highest_parameter(&self.text);
        if named != self.args.len() {
            let bound = self.args.len();
            return Err(sqlx::Error::Protocol(format!(
                "{bound} arguments for ${named}: {}",
                self.text
            )));
        }
        let mut args = DB::Arguments::default();
        for arg in &self.args {
            add(&**arg, &mut args).map_err(sqlx::Error::Encode)?;
        }
        let fixed = matches!(self.text, Cow::Borrowed(_));
        let text: SqlStr = match self.text {
            Cow::Borrowed(text) => text.into_sql_str(),
            // Only ever made of &'static str, $n, and names of the catalogue.
            Cow::Owned(text) => AssertSqlSafe(text).into_sql_str(),
        };
        Ok(sqlx::query_with(text, args).persistent(fixed))
    }
}

/// The `n` of the highest `$n` in the text; 0 when there is none.
fn highest_parameter(text: &str) -> usize {
    text.split('$')
        .skip(1)
        .filter_map(|rest| {
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            rest.get(..digits)?.parse().ok()
        })
        .max()
        .unwrap_or(0)
}

pub enum Rows {
    Sqlite(Vec<SqliteRow>),
    Postgres(Vec<PgRow>),
}

/// Where a statement runs: `&Db` or `&mut Tx`.
pub trait Executor: Send {
    fn rows(self, sql: Sql<'_>) -> impl Future<Output = Result<Rows>> + Send;
    fn execute(self, sql: Sql<'_>) -> impl Future<Output = Result<u64>> + Send;
}

/// The database: cheap to clone, closed when [`Db::close`] is called.
#[derive(Clone, Debug)]
pub struct Db {
    pools: Pools,
    statements: Arc<AtomicU64>,
    signals: Arc<SqlSignals>,
    live: Live,
}

#[derive(Clone, Debug)]
enum Pools {
    /// One connection writes, several read: SQLite has one writer anyway, and queueing for it here is fair.
    Sqlite {
        readers: Pool<Sqlite>,
        writer: Writer,
    },
    Postgres {
        pool: Pool<Postgres>,
        turns: Turns,
    },
}

/// A transaction, rolled back unless committed. Holds SQLite's write lock from its start.
pub struct Tx {
    inner: Inner,
    statements: Arc<AtomicU64>,
    signals: Arc<SqlSignals>,
    live: Live,
    /// To be told when it is committed.
    events: Vec<Event>,
}

enum Inner {
    Sqlite(Write),
    Postgres(Transaction),
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

impl Executor for &mut Tx {
    async fn rows(self, sql: Sql<'_>) -> Result<Rows> {
        self.statements.fetch_add(1, Ordering::Relaxed);
        let name = sql.name();
        Ok(match &mut self.inner {
            Inner::Sqlite(tx) => {
                let work = sql.query(|a, to| a.sqlite(to))?.fetch_all(tx.connection()?);
                let done = self.signals.timed(&name, work).await;
                Rows::Sqlite(tx.checked(done)?)
            }
            Inner::Postgres(tx) => {
                let patience = tx.patience();
                let work = sql.query(|a, to| a.postgres(to))?.fetch_all(tx.connection()?);
                let done = bounded(patience, self.signals.timed(&name, work)).await;
                Rows::Postgres(tx.checked(done)?)
            }
        })
    }

    async fn execute(self, sql: Sql<'_>) -> Result<u64> {
        self.statements.fetch_add(1, Ordering::Relaxed);
        let name = sql.name();
        match &mut self.inner {
            Inner::Sqlite(tx) => {
                let work = sql.query(|a, to| a.sqlite(to))?.execute(tx.connection()?);
                let done = self.signals.timed(&name, work).await;
                Ok(tx.checked(done)?.rows_affected())
            }
            Inner::Postgres(tx) => {
                let patience = tx.patience();
                let work = sql.query(|a, to| a.postgres(to))?.execute(tx.connection()?);
                let done = bounded(patience, self.signals.timed(&name, work)).await;
                Ok(tx.checked(done)?.rows_affected())
            }
        }
    }
}

/// `&Db` or `&mut Tx`, for a function that runs several statements on either.
pub enum On<'a> {
    Db(&'a Db),
    Tx(&'a mut Tx),
}

impl On<'_> {
    /// As `Db::tell` or `Tx::tell`.
    pub async fn tell(&mut self, event: Event) {
        match self {
            On::Db(db) => db.tell(event).await,
            On::Tx(tx) => tx.tell(event),
        }
    }
}

impl Executor for &mut On<'_> {
    async fn rows(self, sql: Sql<'_>) -> Result<Rows> {
        match self {
            On::Db(db) => db.rows(sql).await,
            On::Tx(tx) => tx.rows(sql).await,
        }
    }

    async fn execute(self, sql: Sql<'_>) -> Result<u64> {
        match self {
            On::Db(db) => db.execute(sql).await,
            On::Tx(tx) => tx.execute(sql).await,
        }
    }
}

/// What may go wrong when the tables are brought up to date.
pub use sqlx::migrate;

impl Db {
    /// Opens `sqlite:PATH` (made when absent, its folder too) or `postgres://…`; runs no migration.
    pub async fn connect(url: &str) -> Result<Self> {
        Self::connect_with(url, Options::default()).await
    }

    /// The same with other rules than the usual ones.
    pub async fn connect_with(url: &str, options: Options) -> Result<Self> {
        let signals = Arc::new(SqlSignals::new(options.slow));
        let pools = if url.starts_with("sqlite:") {
            let (readers, writer) = pool::sqlite(url, options, &signals).await?;
            Pools::Sqlite {
                readers,
                writer: Writer::new(writer),
            }
        } else {
            Pools::Postgres {
                pool: pool::postgres(url, options, &signals).await?,
                turns: Turns::default(),
            }
        };
        let live = Live::new(matches!(pools, Pools::Postgres { .. }));
        Ok(Db {
            pools,
            statements: Arc::default(),
            signals,
            live,
        })
    }

    /// The connections, pool by pool.
    pub fn pools(&self) -> Vec<PoolState> {
        match &self.pools {
            Pools::Sqlite { readers, writer } => vec![readers.state("readers"), writer.state("writer")],
            Pools::Postgres { pool, .. } => vec![pool.state("postgres")],
        }
    }

    pub fn signals(&self) -> Arc<SqlSignals> {
        self.signals.clone()
    }

    /// Starts a transaction that may write.
    pub async fn begin(&self) -> Result<Tx> {
        Ok(self.started(match &self.pools {
            Pools::Sqlite { writer, .. } => Inner::Sqlite(Write::begin(writer).await?),
            Pools::Postgres { pool, .. } => Inner::Postgres(Transaction::begin(pool, None).await?),
        }))
    }

    /// Starts a transaction that locks the row of this course, and of no other: those who wait for it wait in order, and
    /// without a connection. SQLite's one writer has such a queue already.
    pub async fn begin_in(&self, course: CourseId) -> Result<Tx> {
        match &self.pools {
            Pools::Sqlite { .. } => self.begin().await,
            Pools::Postgres { pool, turns } => self.begin_with(pool, turns.take(course).await?).await,
        }
    }

    /// The same for work that outlasts requests: it waits its time though the server be [pressed](Self::press).
    pub async fn begin_patiently_in(&self, course: CourseId) -> Result<Tx> {
        match &self.pools {
            Pools::Sqlite { .. } => self.begin().await,
            Pools::Postgres { pool, turns } => self.begin_with(pool, turns.take_patiently(course).await?).await,
        }
    }

    async fn begin_with(&self, pool: &Pool<Postgres>, turn: Turn) -> Result<Tx> {
        Ok(self.started(Inner::Postgres(Transaction::begin(pool, Some(turn)).await?)))
    }

    /// A request was turned away because more come than can be served: for a moment nobody waits long for their turn in a
    /// course, so that those who change one do not fill the places of everybody else (decision 61).
    pub fn press(&self) {
        if let Pools::Postgres { turns, .. } = &self.pools {
            turns.press();
        }
    }

    fn started(&self, inner: Inner) -> Tx {
        Tx {
            inner,
            statements: self.statements.clone(),
            signals: self.signals.clone(),
            live: self.live.clone(),
            events: vec![],
        }
    }

    /// Who watches what happens in this database.
    pub fn live(&self) -> &Live {
        &self.live
    }

    /// Tells of what was done without a transaction. Should the word to the other nodes fail, the change stands.
    pub async fn tell(&self, event: Event) {
        let texts = events::texts(&self.live, std::slice::from_ref(&event));
        if let Err(error) = self.notify(texts).await {
            tracing::warn!(%error, "the other nodes were not told of an event");
        }
        self.live.deliver(event);
    }

    /// Says something to all nodes, this one included; there are none on SQLite.
    pub(crate) async fn notify(&self, texts: Vec<String>) -> Result<()> {
        if let (Pools::Postgres { pool, .. }, [_, ..]) = (&self.pools, texts.as_slice()) {
            self.statements.fetch_add(1, Ordering::Relaxed);
            pool.execute("NOTIFY", sqlx::query(NOTIFY).bind(texts)).await?;
        }
        Ok(())
    }

    /// Statements run so far, transactions included: tests take the difference around a request.
    pub fn statements(&self) -> u64 {
        self.statements.load(Ordering::Relaxed)
    }

    /// The database's short name: `sqlite` or `postgres`.
    pub fn name(&self) -> &'static str {
        match &self.pools {
            Pools::Sqlite { .. } => "sqlite",
            Pools::Postgres { .. } => "postgres",
        }
    }

    /// A connection of its own that hears what nodes say, this one included; None on SQLite, where there is one node.
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
                // Whoever listens begins anew when the connection is lost.
                listener.eager_reconnect(false);
                listener.listen(&channel).await?;
                Ok(Some(listener))
            }
        }
    }

    /// Waits for running statements and closes every connection.
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

impl Tx {
    fn is_sqlite(&self) -> bool {
        matches!(self.inner, Inner::Sqlite(_))
    }

    /// Tells of something when the transaction is committed, and never otherwise.
    pub fn tell(&mut self, event: Event) {
        self.events.push(event);
    }

    pub async fn commit(self) -> Result<()> {
        match self.inner {
            Inner::Sqlite(tx) => self.signals.timed("COMMIT", tx.commit()).await?,
            Inner::Postgres(mut tx) => {
                let texts = events::texts(&self.live, &self.events);
                if !texts.is_empty() {
                    self.statements.fetch_add(1, Ordering::Relaxed);
                    let patience = tx.patience();
                    let told = bounded(patience, sqlx::query(NOTIFY).bind(texts).execute(tx.connection()?)).await;
                    tx.checked(told)?;
                }
                self.signals.timed("COMMIT", tx.commit()).await?;
            }
        }
        for event in self.events {
            self.live.deliver(event);
        }
        Ok(())
    }

    /// Undoes what was written, and comes back when what was read is there for good: on SQLite it may be of a transaction
    /// that still waits for the disk. For whoever answers with what was read; one that is only dropped has seen nothing that
    /// can be promised, nor that others see.
    pub async fn undo(self) -> Result<()> {
        match self.inner {
            Inner::Sqlite(tx) => self.signals.timed("ROLLBACK", tx.undo()).await,
            Inner::Postgres(tx) => self.signals.timed("ROLLBACK", tx.undo()).await,
        }
    }
}

/// Channels are of a whole database, tables of a schema in it. The name of a channel is as long as that of a schema.
const CHANNEL: &str = "SELECT 'kurso_' || md5(current_schema())";
const NOTIFY: &str =
    "SELECT pg_notify('kurso_' || md5(current_schema()), word) FROM unnest($1::text[]) AS words (word)";

#[cfg(test)]
mod tests {
    use super::highest_parameter;

    #[test]
    fn counts_the_parameters_a_text_names() {
        assert_eq!(highest_parameter("SELECT 1"), 0);
        assert_eq!(highest_parameter("SELECT $1 WHERE a = $12 OR b = $2"), 12);
        assert_eq!(highest_parameter("SELECT '$' || $1"), 1);
    }
}
