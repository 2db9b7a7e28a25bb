//! Tells learners of what graders have decided about their work.

use chrono::{DateTime, Utc};
use kurso_base::error::Result;
use kurso_base::ids::{CourseId, UserId};
use kurso_db::Tx;

use crate::notices::{self, Kind, Notice, Receiver};

/// Who graded, and when.
#[derive(Clone, Copy, Debug)]
pub(super) struct Told {
    pub course: CourseId,
    pub by: UserId,
    pub at: DateTime<Utc>,
}

impl Told {
    /// The learners see the points of these attempts.
    pub async fn graded(self, tx: &mut Tx, learners: Vec<Receiver>) -> Result<()> {
        notices::record(tx, self.notice(Kind::Graded), learners).await
    }

    /// Work was returned, whatever was said of it before.
    pub async fn returned(self, tx: &mut Tx, learner: Receiver) -> Result<()> {
        notices::withdraw(tx, &[Kind::Graded], learner.subject).await?;
        notices::record(tx, self.notice(Kind::Returned), vec![learner]).await
    }

    /// Work has points now, which its learner may not see yet.
    pub async fn no_longer_returned(self, tx: &mut Tx, learner: Receiver) -> Result<()> {
        notices::withdraw(tx, &[Kind::Returned], learner.subject).await
    }

    fn notice(self, kind: Kind) -> Notice {
        Notice::in_course(kind, self.course, self.by, self.at)
    }
}
