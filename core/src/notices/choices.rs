//! How people are told of what happened to them.

use std::collections::HashMap;

use chrono::{DateTime, Duration, Utc};
use kurso_base::error::Result;
use kurso_base::ids::{CourseId, UserId};
use kurso_db::Tx;

use super::Kind;

/// How one person is told of one notice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Channels {
    /// Whether it is in the list of notices.
    pub in_app: bool,
    /// When the mail about it is due; None without one.
    pub mail_at: Option<DateTime<Utc>>,
}

/// How each of these people is told of notices of a kind.
pub(crate) async fn channels_of(
    _on: &mut Tx,
    users: &[UserId],
    kind: Kind,
    _course: Option<CourseId>,
    now: DateTime<Utc>,
) -> Result<HashMap<UserId, Channels>> {
    let mail_at = match kind {
        Kind::Graded
        | Kind::Returned
        | Kind::ResultChanged
        | Kind::AttemptGiven
        | Kind::DeadlineNear
        | Kind::Mention => Some(now),
        Kind::Comment | Kind::ImportantChange => Some(now + Duration::days(1)),
        Kind::CourseCompleted => Some(now + Duration::days(7)),
        Kind::Invited | Kind::ImportDone => None,
    };
    let channels = Channels { in_app: true, mail_at };
    Ok(users.iter().map(|user| (*user, channels)).collect())
}
