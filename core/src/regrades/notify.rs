//! Notifies learners of changed results.

use std::collections::HashMap;

use kurso_base::error::Result;
use kurso_base::ids::{AttemptId, CourseId, PageId, RegradeId, UserId};
use kurso_db::{Tx, sql};

use super::Act;
use crate::notices::{self, Kind, Notice, Receiver};

/// Notifies each learner whose results a regrading changed: once per page, about the last attempt there.
pub(super) async fn changed(tx: &mut Tx, (course, regrade): (CourseId, RegradeId), act: Act) -> Result<()> {
    let changed = sql!(
        "SELECT user_id, page_id, attempt_id FROM regraded_attempts WHERE regrade_id = $1 AND is_changed ORDER BY attempt_id",
        regrade
    );
    let changed = changed.fetch_all::<(UserId, PageId, AttemptId)>(&mut *tx).await?;
    let last: HashMap<_, _> = changed
        .into_iter()
        .map(|(user, page, attempt)| ((user, page), attempt))
        .collect();
    let learners = last
        .into_iter()
        .map(|((user, page), attempt)| Receiver::new(user, attempt).at(page));
    let notice = Notice::in_course(Kind::ResultChanged, course, act.by, act.at);
    notices::record(tx, notice, learners.collect()).await
}

/// Withdraws the unread notices of results that were restored by undoing a regrading.
pub(super) async fn undone(tx: &mut Tx, regrade: RegradeId) -> Result<()> {
    let unread = sql!(
        "DELETE FROM notices WHERE kind = $2 AND read_at IS NULL
         AND subject IN (SELECT attempt_id FROM regraded_attempts WHERE regrade_id = $1 AND is_undone)",
        regrade,
        Kind::ResultChanged
    );
    notices::withdrawn(tx, unread).await
}
