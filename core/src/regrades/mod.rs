//! Regrading of attempts when changed quizzes are published: the consequences shown before, the regrade itself, and its undoing
//! ([decision 112](../../../docs/decisions/0112-consequences-and-regrading.md)). This module also predicts the consequences of an update by a file.

mod apply;
mod consequences;
mod history;
mod notify;
mod picture;
mod publish;
mod undo;
mod update;

use chrono::{DateTime, Duration, Utc};
use kurso_base::ids::{PageId, RegradeId, UserId};

pub use consequences::{Consequences, Counted, LearnerConsequences, Outline, PageConsequence, SHOWN_LEARNERS};
pub use history::{delete_old, list, of_courses};
pub use kurso_formats::quiz::RemovedQuestions;
pub use publish::{Plan, PublishError, Published, consequences, publish};
pub use undo::{Undone, undo};
pub(crate) use update::{OutlineChanges, of_update};

use crate::subscriptions::PersonName;

/// How long a regrading can be undone.
pub fn undo_time() -> Duration {
    Duration::days(30)
}

/// How publishing a changed quiz treats the existing results of learners.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum PastAttempts {
    /// Results stay as they are.
    #[default]
    Keep,
    /// Attempts are regraded with the changed quiz.
    Regrade,
}

kurso_base::values::choices! {
    PastAttempts: "keep" => PastAttempts::Keep, "regrade" => PastAttempts::Regrade;
}

/// A regrading.
#[derive(Clone, Debug, PartialEq)]
pub struct Regrade {
    pub id: RegradeId,
    pub at: DateTime<Utc>,
    /// None if the account was deleted.
    pub by: Option<PersonName>,
    /// In the order of the outline; deleted ones are left out.
    pub pages: Vec<PageId>,
    /// The number of regraded attempts, and of those whose result changed.
    pub attempts: i64,
    pub changed: i64,
    pub undone_at: Option<DateTime<Utc>>,
    /// A later regrading of the same pages has not been undone.
    pub is_followed: bool,
}

impl Regrade {
    pub fn undo_until(&self) -> DateTime<Utc> {
        self.at + undo_time()
    }

    pub fn is_undoable(&self, now: DateTime<Utc>) -> bool {
        self.undone_at.is_none() && !self.is_followed && now < self.undo_until()
    }
}

/// Who regrades, and when.
#[derive(Clone, Copy, Debug)]
struct Act {
    by: UserId,
    at: DateTime<Utc>,
}
