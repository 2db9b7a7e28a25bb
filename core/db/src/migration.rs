//! Schema migrations: upgrades the tables to this binary's version. Nodes that start at the same time migrate once;
//! there is no downgrade.
//!
//! Most migrations are valid on both databases. A migration that differs is in the folders of both, under the same version.
//!
//! PostgreSQL's migrator holds an advisory lock. SQLite's holds none, so here all migrations run in one transaction
//! that holds the write lock from its start: a second process waits, then finds nothing to do.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::LazyLock;
use std::time::Duration;

use sqlx::migrate::{MigrateError, Migrator};
use sqlx::{Connection as _, SqliteConnection};

use super::tables::MOVE_MARKER;
use super::{Db, Pools, Result, pool};
use crate::sql;

static COMMON: Migrator = sqlx::migrate!("../migrations");
static SQLITE: LazyLock<Migrator> = LazyLock::new(|| with(&sqlx::migrate!("../migrations/sqlite")));
static POSTGRES: LazyLock<Migrator> = LazyLock::new(|| with(&sqlx::migrate!("../migrations/postgres")));

/// The common migrations with those of one database.
fn with(own: &Migrator) -> Migrator {
    Migrator::with_migrations(COMMON.iter().chain(own.iter()).cloned().collect())
}

/// How often a start retries (every 100 ms, after SQLite's own busy timeout) while another process holds SQLite's write
/// lock, for example to migrate a large database.
const MAX_RETRIES: usize = 60;

/// The version of a database's tables compared with this binary's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Version {
    /// There are no tables.
    None,
    /// The newest migration applied; this binary knows newer ones.
    Older(i64),
    Current(i64),
    /// A migration this binary does not know: a newer binary migrated the database.
    Newer(i64),
}

impl Db {
    /// Upgrades the tables to this binary's version. Fails with [`MigrateError::VersionMissing`] if the database is
    /// newer.
    pub async fn migrate(&self) -> Result<(), MigrateError> {
        self.migrate_to(newest()).await
    }

    /// Upgrades the tables to a given version, so that rows of a backup of that version fit.
    pub async fn migrate_to(&self, version: i64) -> Result<(), MigrateError> {
        match &self.pools {
            Pools::Sqlite { writer, .. } => {
                let mut connection = writer.acquire_idle().await?;
                let mut retries = 0;
                loop {
                    let done = migrate_sqlite(&mut connection, version).await;
                    retries += 1;
                    match done {
                        Err(MigrateError::Execute(error)) if is_busy(&error) && retries < MAX_RETRIES => {
                            tracing::info!("another process writes to the database; waiting for it");
                            tokio::time::sleep(Duration::from_millis(100)).await;
                        }
                        done => return done,
                    }
                }
            }
            Pools::Postgres { pool, .. } => {
                // A dedicated connection: building an index may exceed the statement timeout. Closing it releases the
                // advisory lock.
                let mut connection = pool::dedicated_connection(pool).await?;
                let done = POSTGRES.run_direct(Some(version), &mut connection, false).await;
                pool::close_connection(connection).await;
                done
            }
        }
    }

    /// Compares the tables with the migrations of this binary; changes nothing.
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

    /// Whether a move into this database was started and not finished.
    pub async fn has_unfinished_move(&self) -> Result<bool> {
        self.has_table(MOVE_MARKER).await
    }

    /// Whether the database rejects writes, as a PostgreSQL standby does; also fails if the database does not answer.
    /// Always false on SQLite.
    pub async fn is_read_only(&self) -> Result<bool> {
        let sql = match &self.pools {
            Pools::Sqlite { .. } => sql!("SELECT FALSE"),
            Pools::Postgres { .. } => sql!("SELECT current_setting('transaction_read_only') = 'on'"),
        };
        let (is_read_only,) = sql.fetch_one::<(bool,)>(self).await?;
        Ok(is_read_only)
    }

    pub async fn has_table(&self, name: &str) -> Result<bool> {
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

/// The newest migration this binary knows.
pub fn newest() -> i64 {
    SQLITE.iter().map(|migration| migration.version).max().unwrap_or(0)
}

/// A fingerprint of the migrations of both databases, by which tests name their migrated templates.
pub fn fingerprint() -> String {
    let mut hash = DefaultHasher::new();
    for migration in SQLITE.iter().chain(POSTGRES.iter()) {
        migration.checksum.hash(&mut hash);
    }
    format!("{:016x}", hash.finish())
}

async fn migrate_sqlite(connection: &mut SqliteConnection, version: i64) -> Result<(), MigrateError> {
    let mut tx = connection.begin_with("BEGIN IMMEDIATE").await?;
    SQLITE.run_direct(Some(version), &mut *tx, false).await?;
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
