//! Bringing the tables up to this binary: once, however many nodes start at the same moment, and never down.
//!
//! PostgreSQL's migrator holds an advisory lock. SQLite's holds none: there everything runs in one transaction that has the
//! write lock from its start, so a process that comes second waits and then finds nothing to do.

use std::time::Duration;

use sqlx::migrate::{MigrateError, Migrator};
use sqlx::{Connection as _, SqliteConnection};

use super::tables::MOVE;
use super::{Db, Pools, Result, pool};
use crate::sql;

static MIGRATIONS: Migrator = sqlx::migrate!();

/// How long a start waits for another process that has SQLite's write lock, be it migrating a large database.
const TRIES: usize = 60;

/// What the tables of a database are like, next to what this binary knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Version {
    /// There are no tables.
    None,
    /// Migrations up to this one were run; the binary knows later ones.
    Older(i64),
    Current(i64),
    /// A later binary was here: this migration is not known.
    Newer(i64),
}

impl Db {
    /// Brings the tables up to this binary. Fails with [`MigrateError::VersionMissing`] when the database is newer.
    pub async fn migrate(&self) -> Result<(), MigrateError> {
        self.migrate_to(newest()).await
    }

    /// The same up to a migration, for rows that were read from tables of that time.
    pub async fn migrate_to(&self, version: i64) -> Result<(), MigrateError> {
        match &self.pools {
            Pools::Sqlite { writer, .. } => {
                let mut connection = writer.unused().await?;
                let mut tries = 0;
                loop {
                    let done = migrate_sqlite(&mut connection, version).await;
                    tries += 1;
                    match done {
                        Err(MigrateError::Execute(error)) if is_busy(&error) && tries < TRIES => {
                            tracing::info!("another process writes to the database; waiting for it");
                            tokio::time::sleep(Duration::from_millis(100)).await;
                        }
                        done => return done,
                    }
                }
            }
            Pools::Postgres { pool, .. } => {
                // Of its own: building an index may take longer than any other statement is given, and its end ends the lock.
                let mut connection = pool::unbounded(pool).await?;
                let done = MIGRATIONS.run_direct(Some(version), &mut connection, false).await;
                pool::part(connection).await;
                done
            }
        }
    }

    /// Compares the tables with what this binary knows, and changes nothing.
    pub async fn version(&self) -> Result<Version> {
        if !self.has_table("_sqlx_migrations").await? {
            return Ok(Version::None);
        }
        let rows = sql!("SELECT MAX(version) FROM _sqlx_migrations WHERE success").fetch_one::<(Option<i64>,)>(self);
        let newest = newest();
        Ok(match rows.await? {
            (None,) => Version::None,
            (Some(version),) if version > newest => Version::Newer(version),
            (Some(version),) if version < newest => Version::Older(version),
            (Some(version),) => Version::Current(version),
        })
    }

    /// Has a move begun to fill this database, and not come to its end?
    pub async fn is_half_moved(&self) -> Result<bool> {
        self.has_table(MOVE).await
    }

    /// Asks the database for a sign of life: does it take nothing in, as a standby of PostgreSQL? Of a file that is not asked.
    pub(crate) async fn is_read_only(&self) -> Result<bool> {
        let sql = match &self.pools {
            Pools::Sqlite { .. } => sql!("SELECT FALSE"),
            Pools::Postgres { .. } => sql!("SELECT current_setting('transaction_read_only') = 'on'"),
        };
        let (is_read_only,) = sql.fetch_one::<(bool,)>(self).await?;
        Ok(is_read_only)
    }

    pub(crate) async fn has_table(&self, name: &str) -> Result<bool> {
        let found = match &self.pools {
            Pools::Sqlite { .. } => sql!(
                "SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' AND name = $1",
                name
            ),
            Pools::Postgres { .. } => sql!(
                "SELECT COUNT(*) FROM pg_class
                 WHERE relnamespace = CAST(current_schema() AS regnamespace) AND CAST(relname AS TEXT) = $1",
                name
            ),
        };
        let (found,) = found.fetch_one::<(i64,)>(self).await?;
        Ok(found > 0)
    }
}

/// The latest migration that this binary knows.
pub(crate) fn newest() -> i64 {
    MIGRATIONS.iter().map(|migration| migration.version).max().unwrap_or(0)
}

async fn migrate_sqlite(connection: &mut SqliteConnection, version: i64) -> Result<(), MigrateError> {
    let mut tx = connection.begin_with("BEGIN IMMEDIATE").await?;
    MIGRATIONS.run_direct(Some(version), &mut *tx, false).await?;
    tx.commit().await?;
    Ok(())
}

fn is_busy(error: &sqlx::Error) -> bool {
    const BUSY: i32 = 5;
    let code = error
        .as_database_error()
        .and_then(|error| error.code()?.parse::<i32>().ok());
    code.is_some_and(|code| code & 0xff == BUSY)
}
