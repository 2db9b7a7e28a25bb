//! Copies of everything: a backup in one file, a database restored from it, and a move to another database. All three read a
//! snapshot and write rows in one form that is the same on both databases ([`rows`]), so what was saved from one is
//! restored on the other, and equal is equal by checksum. The form is described in `docs/backup.md`.

mod archive;
mod backup;
mod lease;
mod manifest;
mod moving;
mod restore;
mod rows;
mod schedule;

use crate::db::migrate::MigrateError;

pub use backup::{Made, backup};
pub use manifest::{Manifest, TableEntry};
pub use moving::{Moved, finish_move, move_all, move_files};
pub use restore::{Restored, restore};
pub use schedule::{Schedule, if_due};

pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why there is no copy. Told to operators, in English.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// It may not be done, and nothing was.
    #[error("{0}")]
    Refused(String),
    /// The backup is not as it was written.
    #[error("the backup is damaged: {0}")]
    Damaged(String),
    /// What was copied is not what is there.
    #[error("{0}")]
    Differs(String),
    #[error("the database failed: {0}")]
    Database(#[from] sqlx::Error),
    #[error("the tables cannot be made: {0}")]
    Migrate(#[from] MigrateError),
    #[error("{0}")]
    Io(#[from] std::io::Error),
    #[error("{0}")]
    Other(#[from] crate::error::Error),
}

/// Told what is being worked on, in English, as it changes.
pub type Progress<'a> = &'a (dyn Fn(&str) + Send + Sync);
