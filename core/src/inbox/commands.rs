//! The commands that mark notices as read.

use kurso_base::ids::NoticeId;
use kurso_base::messages::Message;
use kurso_base::values::{Checked, Problem, Several, check_at_most};
use serde_json::Value;

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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoticeIds(pub Vec<NoticeId>);

impl Checked for NoticeIds {
    type Plain = Value;

    fn check(plain: Value) -> Result<Self, Problem> {
        check_at_most(plain.as_array().map_or(0, Vec::len), MAX_LISTED)?;
        Several::check(plain).map(|Several(ids)| NoticeIds(ids))
    }

    fn wrong_type() -> Problem {
        Problem::new("list_type", Message::NotAList)
    }
}
