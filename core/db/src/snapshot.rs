//! A consistent read-only snapshot of the whole database, for backups, moves and checks of a running server.
//!
//! It uses a dedicated connection, so that hours of reading occupy none of the pools. While it is open, SQLite's
//! write-ahead log grows and PostgreSQL keeps old row versions.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use futures_util::stream::BoxStream;
use futures_util::{StreamExt as _, TryStreamExt as _};
use sqlx::postgres::PgRow;
use sqlx::sqlite::SqliteRow;
use sqlx::{ConnectOptions as _, Connection as _, Executor as _, PgConnection, SqliteConnection};

use super::{Db, Executor, Pools, Record, Result, Rows, Sql};

/// Rows that SQLite's thread reads ahead; few, because the text of a page can have two megabytes.
const READ_AHEAD_ROWS: usize = 32;

/// Reads the state committed at the time of [`Db::snapshot`]. Writing through it fails.
pub struct Snapshot {
    connection: Connection,
    statements: Arc<AtomicU64>,
}

enum Connection {
    Sqlite(SqliteConnection),
    Postgres(PgConnection),
}

/// A row of either database.
pub(super) enum Row {
    Sqlite(SqliteRow),
    Postgres(PgRow),
}

impl Db {
    /// Takes a snapshot of the whole database.
    pub async fn snapshot(&self) -> Result<Snapshot> {
        let connection = match &self.pools {
            Pools::Sqlite { readers, .. } => {
                let options = readers.options().clone().row_buffer_size(READ_AHEAD_ROWS);
                // Reading a whole table is slow by nature; do not log it as a slow statement.
                let mut connection = options.disable_statement_logging().connect().await?;
                connection.execute("BEGIN").await?;
                // SQLite fixes the snapshot at the first read, not at BEGIN.
                connection.execute("SELECT COUNT(*) FROM sqlite_master").await?;
                Connection::Sqlite(connection)
            }
            Pools::Postgres { pool, .. } => {
                let options = pool.options().clone().disable_statement_logging();
                let mut connection = options.connect().await?;
                // Exports run long statements by design.
                connection.execute("SET statement_timeout = 0").await?;
                connection
                    .execute("SET idle_in_transaction_session_timeout = 0")
                    .await?;
                connection
                    .execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
                    .await?;
                connection.execute("SELECT 1").await?;
                Connection::Postgres(connection)
            }
        };
        Ok(Snapshot {
            connection,
            statements: self.statements.clone(),
        })
    }
}

impl Snapshot {
    /// Streams the rows of a statement without buffering them.
    pub(super) fn stream<'a>(&'a mut self, sql: Sql<'_>) -> Result<BoxStream<'a, Result<Row>>> {
        self.statements.fetch_add(1, Ordering::Relaxed);
        Ok(match &mut self.connection {
            Connection::Sqlite(connection) => {
                let query = sql.query(|a, to| a.sqlite(to))?;
                query.fetch(connection).map_ok(Row::Sqlite).boxed()
            }
            Connection::Postgres(connection) => {
                let query = sql.query(|a, to| a.postgres(to))?;
                query.fetch(connection).map_ok(Row::Postgres).boxed()
            }
        })
    }

    /// As [`Snapshot::stream`], decoded into records.
    pub fn records<'a, T: Record + Send + 'a>(&'a mut self, sql: Sql<'_>) -> Result<BoxStream<'a, Result<T>>> {
        let rows = self.stream(sql)?;
        let read = |row| match row {
            Row::Sqlite(row) => T::from_row(&row),
            Row::Postgres(row) => T::from_row(&row),
        };
        Ok(rows.map(move |row| row.and_then(read)).boxed())
    }

    pub(super) fn is_sqlite(&self) -> bool {
        matches!(self.connection, Connection::Sqlite(_))
    }

    /// Closes the connection. Dropping the snapshot releases it too, without a report of errors.
    pub async fn close(self) -> Result<()> {
        match self.connection {
            Connection::Sqlite(connection) => connection.close().await,
            Connection::Postgres(connection) => connection.close().await,
        }
    }
}

impl Executor for &mut Snapshot {
    async fn rows(self, sql: Sql<'_>) -> Result<Rows> {
        self.statements.fetch_add(1, Ordering::Relaxed);
        Ok(match &mut self.connection {
            Connection::Sqlite(connection) => {
                Rows::Sqlite(sql.query(|a, to| a.sqlite(to))?.fetch_all(connection).await?)
            }
            Connection::Postgres(connection) => {
                Rows::Postgres(sql.query(|a, to| a.postgres(to))?.fetch_all(connection).await?)
            }
        })
    }

    async fn execute(self, sql: Sql<'_>) -> Result<u64> {
        Ok(match self.rows(sql).await? {
            Rows::Sqlite(rows) => rows.len() as u64,
            Rows::Postgres(rows) => rows.len() as u64,
        })
    }
}
