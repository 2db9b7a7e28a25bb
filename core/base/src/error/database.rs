//! Conversion of database errors, by the error codes of SQLite and PostgreSQL.

use super::{Error, causes::message_of};
use crate::messages::Message;

impl From<sqlx::Error> for Error {
    fn from(error: sqlx::Error) -> Self {
        convert(error)
    }
}

/// Whether the statement violated a UNIQUE constraint. SQLite does not name the constraint; the caller knows which one
/// it can be.
pub fn is_unique_violation(error: &sqlx::Error) -> bool {
    error.as_database_error().is_some_and(|e| e.is_unique_violation())
}

/// Whether the statement violated a foreign key: a referenced row is missing, or a deleted row is still referenced.
pub fn is_foreign_key_violation(error: &sqlx::Error) -> bool {
    error.as_database_error().is_some_and(|e| e.is_foreign_key_violation())
}

/// Converts an error; logs failures of the database here, because their cause is not exposed.
fn convert(error: sqlx::Error) -> Error {
    match cause(&error) {
        Cause::Busy => Error::Busy,
        // References are checked before writing, so the referenced row was deleted since.
        Cause::Gone => Error::NotFound(Message::NotFound),
        Cause::Failed(message) => {
            tracing::error!(%error, "the database failed");
            Error::Unavailable(message)
        }
        Cause::Ours => Error::internal(error),
    }
}

enum Cause {
    Busy,
    Gone,
    Failed(Message),
    Ours,
}

fn cause(error: &sqlx::Error) -> Cause {
    match error {
        sqlx::Error::PoolTimedOut => Cause::Busy,
        sqlx::Error::Io(error) => Cause::Failed(message_of(error).unwrap_or(Message::DatabaseAway)),
        sqlx::Error::PoolClosed | sqlx::Error::Tls(_) | sqlx::Error::WorkerCrashed => {
            Cause::Failed(Message::DatabaseAway)
        }
        sqlx::Error::Database(error) if error.is_foreign_key_violation() => Cause::Gone,
        sqlx::Error::Database(error) => cause_of_code(&error.code().unwrap_or_default()),
        _ => Cause::Ours,
    }
}

/// PostgreSQL's codes have five characters; SQLite's are shorter numbers.
fn cause_of_code(code: &str) -> Cause {
    match code {
        // Deadlock, lock timeout or statement timeout.
        "40P01" | "40001" | "55P03" | "57014" | "53300" => Cause::Busy,
        "53100" => Cause::Failed(Message::NoRoom),
        // A standby, or a server in read-only mode.
        "25006" => Cause::Failed(Message::ReadOnly),
        // The server closed a transaction that was idle for too long.
        "25P03" => Cause::Failed(Message::DatabaseAway),
        _ if code.len() == 5 => match code.get(..3) {
            Some("57P" | "580") => Cause::Failed(Message::DatabaseAway),
            _ if code.starts_with("08") || code.starts_with("53") => Cause::Failed(Message::DatabaseAway),
            _ => Cause::Ours,
        },
        _ => sqlite_cause(code.parse().unwrap_or_default()),
    }
}

/// The lowest byte is the primary result code; the others are details.
fn sqlite_cause(code: i32) -> Cause {
    match code & 0xff {
        // Another process held the write lock for too long.
        5 | 6 => Cause::Busy,
        13 => Cause::Failed(Message::NoRoom),
        8 => Cause::Failed(Message::ReadOnly),
        // Out of memory, disk I/O error, cannot open the file.
        7 | 10 | 14 => Cause::Failed(Message::DiskFailed),
        _ => Cause::Ours,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(code: &str) -> Option<Message> {
        match cause_of_code(code) {
            Cause::Failed(message) => Some(message),
            Cause::Busy => Some(Message::Busy),
            Cause::Gone | Cause::Ours => None,
        }
    }

    #[test]
    fn error_codes_of_both_databases_are_converted() {
        assert_eq!(
            message("40001"),
            Some(Message::Busy),
            "serialization, and no number of SQLite's"
        );
        assert_eq!(message("5"), Some(Message::Busy));
        assert_eq!(message("517"), Some(Message::Busy));
        assert_eq!(message("13"), Some(Message::NoRoom));
        assert_eq!(message("53100"), Some(Message::NoRoom));
        assert_eq!(message("1032"), Some(Message::ReadOnly), "SQLITE_READONLY_DBMOVED");
        assert_eq!(message("25006"), Some(Message::ReadOnly));
        assert_eq!(message("778"), Some(Message::DiskFailed), "SQLITE_IOERR_WRITE");
        assert_eq!(message("57P01"), Some(Message::DatabaseAway));
        assert_eq!(message("08006"), Some(Message::DatabaseAway));
        for ours in ["42601", "23505", "2067", "1", "11", "26"] {
            assert_eq!(message(ours), None, "{ours}");
        }
    }
}
