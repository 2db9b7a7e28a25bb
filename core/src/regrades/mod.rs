//! What publishing changed quizzes means for results that learners have: the consequences before it, regrading with it, and the undoing
//! ([decision 112](../../../docs/decisions/0112-consequences-and-regrading.md)).

mod apply;
mod consequences;
mod history;
mod picture;
mod publish;
mod undo;

use chrono::{DateTime, Duration, Utc};
use kurso_base::ids::{AttemptId, PageId, RegradeId, UserId};

pub use consequences::{Consequences, Counted, LearnerConsequences, Outline, PageConsequence, SHOWN_LEARNERS};
pub use history::{changes_of, delete_old, list};
pub use kurso_formats::quiz::RemovedQuestions;
pub use publish::{Publish, PublishError, Published, consequences, publish};
pub use undo::{Undone, undo};

use crate::subscriptions::PersonName;

/// How long a regrading can be undone.
pub fn undo_time() -> Duration {
    Duration::days(30)
}

/// What becomes of results that learners have when a changed quiz is published.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum PastAttempts {
    /// They stay as the quiz was taken.
    #[default]
    Keep,
    /// They are computed again by the changed quiz.
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
    /// How many attempts were graded by the changed quizzes, and how many of them got another result.
    pub attempts: i64,
    pub changed: i64,
    pub undone_at: Option<DateTime<Utc>>,
}

impl Regrade {
    pub fn undo_until(&self) -> DateTime<Utc> {
        self.at + undo_time()
    }

    pub fn is_undoable(&self, now: DateTime<Utc>) -> bool {
        self.undone_at.is_none() && now < self.undo_until()
    }
}

/// The result of an attempt.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AttemptResult {
    /// Rounded to four decimals.
    pub score: f64,
    pub max_score: f64,
    pub passed: bool,
}

/// Why the result of an attempt changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ResultChangeKind {
    Regraded,
    RegradeUndone,
}

impl ResultChangeKind {
    /// The name in REST; GraphQL has it in capitals.
    pub fn name(self) -> &'static str {
        match self {
            ResultChangeKind::Regraded => "regraded",
            ResultChangeKind::RegradeUndone => "regrade_undone",
        }
    }
}

/// A change of the result of an attempt.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ResultChange {
    pub attempt_id: AttemptId,
    pub at: DateTime<Utc>,
    pub kind: ResultChangeKind,
    pub before: AttemptResult,
    pub after: AttemptResult,
}

/// Who regrades, and when.
#[derive(Clone, Copy, Debug)]
struct Act {
    by: UserId,
    at: DateTime<Utc>,
}
