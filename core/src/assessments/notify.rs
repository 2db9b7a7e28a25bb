//! Notifies learners of grading decisions about their work.

use chrono::{DateTime, Utc};
use kurso_base::error::Result;
use kurso_base::ids::{CourseId, UserId};
use kurso_db::Tx;

use crate::notices::{self, Kind, Notice, Receiver};

/// A grading decision: its course, grader and time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Decision {
    pub course: CourseId,
    pub by: UserId,
    pub at: DateTime<Utc>,
}

impl Decision {
    /// Notifies learners that the points of these attempts are now visible to them.
    pub async fn graded(self, tx: &mut Tx, learners: Vec<Receiver>) -> Result<()> {
        notices::record(tx, self.notice(Kind::Graded), learners).await
    }

    /// Notifies a learner that work was returned for revision, and withdraws an unread notice that it was graded.
    pub async fn returned(self, tx: &mut Tx, learner: Receiver) -> Result<()> {
        notices::withdraw(tx, &[Kind::Graded], learner.subject).await?;
        notices::record(tx, self.notice(Kind::Returned), vec![learner]).await
    }

    /// Withdraws the notice of returned work once the work has been graded, even if the points are not released yet.
    pub async fn no_longer_returned(self, tx: &mut Tx, learner: Receiver) -> Result<()> {
        notices::withdraw(tx, &[Kind::Returned], learner.subject).await
    }

    fn notice(self, kind: Kind) -> Notice {
        Notice::in_course(kind, self.course, self.by, self.at)
    }
}
