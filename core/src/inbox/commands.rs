//! The commands that mark notices as read.

use kurso_base::ids::NoticeId;
use kurso_base::values::Several;

use super::MAX_LISTED;

/// Marks these notices as read.
#[derive(Clone, Debug)]
pub struct MarkRead {
    pub ids: NoticeIds,
}

/// Marks all notices up to one as read.
#[derive(Clone, Copy, Debug)]
pub struct MarkAllRead {
    /// The newest notice that was shown.
    pub before: NoticeId,
}

/// The ids of 1 to [`MAX_LISTED`] notices.
pub type NoticeIds = Several<NoticeId, MAX_LISTED>;
