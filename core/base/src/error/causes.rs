//! I/O failures that are reported to people (no space, disk failure) instead of as internal errors.

use std::io::ErrorKind;

use super::Error;
use crate::messages::Message;

/// Converts a disk error: [`Error::Unavailable`] if the disk is full, read-only or broken, else [`Error::Internal`].
pub fn of_io(error: std::io::Error) -> Error {
    match message_of(&error) {
        Some(message) => {
            tracing::error!(%error, "the disk failed");
            Error::Unavailable(message)
        }
        None => Error::internal(error),
    }
}

/// The message for a disk failure; None for other I/O errors.
pub fn message_of(error: &std::io::Error) -> Option<Message> {
    match error.kind() {
        // The process's file size limit is treated as a full disk.
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => Some(Message::NoRoom),
        ErrorKind::WriteZero => Some(Message::DiskFailed),
        ErrorKind::ReadOnlyFilesystem | ErrorKind::PermissionDenied => Some(Message::ReadOnly),
        _ if error.raw_os_error().is_some_and(|code| DISK_FAILURES.contains(&code)) => Some(Message::DiskFailed),
        _ => None,
    }
}

/// Linux error codes of a failing disk without a `std::io::ErrorKind`: EIO, ENXIO, ENODEV, ESHUTDOWN, EUCLEAN.
const DISK_FAILURES: [i32; 5] = [5, 6, 19, 108, 117];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn disk_failures_are_not_internal_errors() {
        let told = |code| message_of(&std::io::Error::from_raw_os_error(code));
        assert_eq!(told(28), Some(Message::NoRoom), "ENOSPC");
        assert_eq!(told(30), Some(Message::ReadOnly), "EROFS");
        assert_eq!(told(5), Some(Message::DiskFailed), "EIO");
        assert_eq!(told(117), Some(Message::DiskFailed), "EUCLEAN");
        assert_eq!(told(2), None, "ENOENT");
    }
}
