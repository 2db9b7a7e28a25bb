//! Backups, restores and moves to another database. All three read a snapshot and write rows in one format that is the
//! same on both databases ([`rows`]), so a backup of one can be restored on the other, and results are compared by
//! checksum. `docs/backup.md` describes the format.

mod archive;
mod create;
mod manifest;
mod moving;
mod restore;
pub(crate) mod rows;
mod schedule;

use kurso_db::migrate::MigrateError;

pub use create::{BackupResult, backup};
pub use manifest::{Manifest, TableEntry};
pub use moving::{Moved, finish_move, move_all, move_files};
pub use restore::{Restored, restore};
pub use schedule::{Schedule, if_due};

pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a backup, restore or move failed. Shown to operators, in English.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A precondition is not met; nothing was changed.
    #[error("{0}")]
    Refused(String),
    /// The backup is corrupt.
    #[error("the backup is damaged: {0}")]
    Damaged(String),
    /// The copy differs from the original.
    #[error("{0}")]
    Differs(String),
    #[error("the database failed: {0}")]
    Database(#[from] sqlx::Error),
    #[error("the tables cannot be made: {0}")]
    Migrate(#[from] MigrateError),
    #[error("{0}")]
    Io(#[from] std::io::Error),
    #[error("{0}")]
    Other(#[from] kurso_base::error::Error),
}

/// Receives the current step, in English.
pub type Progress<'a> = &'a (dyn Fn(&str) + Send + Sync);
