//! What failed beneath a call, as it is told to people: that there is no room, that the database is away, that the same call
//! succeeds in a moment. Only what is none of these is a fault of ours.

use std::io::ErrorKind;

use super::Error;
use crate::messages::Message;

/// What an error of the database comes to. A failure of what the server stands on is logged here, for its cause is not told.
pub fn of_database(error: sqlx::Error) -> Error {
    match cause(&error) {
        Cause::Busy => Error::Busy,
        // What a row refers to was checked before it was written: it was deleted in between.
        Cause::Gone => Error::NotFound(Message::NotFound),
        Cause::Failed(message) => {
            tracing::error!(%error, "the database failed");
            Error::Unavailable(message)
        }
        Cause::Ours => Error::internal(error),
    }
}

/// What an error of the disk comes to: [`Error::Unavailable`] when there is no room or nothing may be written.
pub(crate) fn of_io(error: std::io::Error) -> Error {
    match message_of(&error) {
        Some(message) => {
            tracing::error!(%error, "the disk failed");
            Error::Unavailable(message)
        }
        None => Error::internal(error),
    }
}

/// What to tell people of an error of the disk that is not ours.
pub(crate) fn message_of(error: &std::io::Error) -> Option<Message> {
    match error.kind() {
        // A file larger than the process may write is a disk that is too small for it.
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => Some(Message::NoRoom),
        ErrorKind::WriteZero => Some(Message::DiskFailed),
        ErrorKind::ReadOnlyFilesystem | ErrorKind::PermissionDenied => Some(Message::ReadOnly),
        _ if error.raw_os_error().is_some_and(|code| BROKEN.contains(&code)) => Some(Message::DiskFailed),
        _ => None,
    }
}

/// What Linux says of a disk that fails, and no kind of Rust's stands for: EIO, ENXIO, ENODEV, ESHUTDOWN, EUCLEAN.
const BROKEN: [i32; 5] = [5, 6, 19, 108, 117];

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
        sqlx::Error::Database(error) => of_code(&error.code().unwrap_or_default()),
        _ => Cause::Ours,
    }
}

/// PostgreSQL's codes have five characters, SQLite's are numbers that are shorter.
fn of_code(code: &str) -> Cause {
    match code {
        // It chose this transaction to end a deadlock, or a lock was not to be had, or the statement took too long.
        "40P01" | "40001" | "55P03" | "57014" | "53300" => Cause::Busy,
        "53100" => Cause::Failed(Message::NoRoom),
        // A standby, or a server that was told to take nothing in.
        "25006" => Cause::Failed(Message::ReadOnly),
        // It heard nothing of us within a transaction, and ended it.
        "25P03" => Cause::Failed(Message::DatabaseAway),
        _ if code.len() == 5 => match code.get(..3) {
            Some("57P" | "580") => Cause::Failed(Message::DatabaseAway),
            _ if code.starts_with("08") || code.starts_with("53") => Cause::Failed(Message::DatabaseAway),
            _ => Cause::Ours,
        },
        _ => of_sqlite(code.parse().unwrap_or_default()),
    }
}

/// The lowest byte says what it is about, the others how it came to it.
fn of_sqlite(code: i32) -> Cause {
    match code & 0xff {
        // Another process held the write lock for too long.
        5 | 6 => Cause::Busy,
        13 => Cause::Failed(Message::NoRoom),
        8 => Cause::Failed(Message::ReadOnly),
        // Out of memory, the disk did not read or write, the file cannot be opened.
        7 | 10 | 14 => Cause::Failed(Message::DiskFailed),
        _ => Cause::Ours,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(code: &str) -> Option<Message> {
        match of_code(code) {
            Cause::Failed(message) => Some(message),
            Cause::Busy => Some(Message::Busy),
            Cause::Gone | Cause::Ours => None,
        }
    }

    #[test]
    fn a_disk_that_fails_is_no_fault_of_ours() {
        let told = |code| message_of(&std::io::Error::from_raw_os_error(code));
        assert_eq!(told(28), Some(Message::NoRoom), "ENOSPC");
        assert_eq!(told(30), Some(Message::ReadOnly), "EROFS");
        assert_eq!(told(5), Some(Message::DiskFailed), "EIO");
        assert_eq!(told(117), Some(Message::DiskFailed), "EUCLEAN");
        assert_eq!(told(2), None, "ENOENT");
    }

    #[test]
    fn codes_of_both_databases_are_told_apart() {
        assert_eq!(
            told("40001"),
            Some(Message::Busy),
            "serialization, and no number of SQLite's"
        );
        assert_eq!(told("5"), Some(Message::Busy));
        assert_eq!(told("517"), Some(Message::Busy));
        assert_eq!(told("13"), Some(Message::NoRoom));
        assert_eq!(told("53100"), Some(Message::NoRoom));
        assert_eq!(told("1032"), Some(Message::ReadOnly), "SQLITE_READONLY_DBMOVED");
        assert_eq!(told("25006"), Some(Message::ReadOnly));
        assert_eq!(told("778"), Some(Message::DiskFailed), "SQLITE_IOERR_WRITE");
        assert_eq!(told("57P01"), Some(Message::DatabaseAway));
        assert_eq!(told("08006"), Some(Message::DatabaseAway));
        for ours in ["42601", "23505", "2067", "1", "11", "26"] {
            assert_eq!(told(ours), None, "{ours}");
        }
    }
}
