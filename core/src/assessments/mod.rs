//! Grading of answers to open questions by people. An attempt stores only what its learner may see; the answers to grade and their assessments
//! have tables of their own ([decision 95](../../../docs/decisions/0095-graded-by-people.md)).

mod answer;
mod assess;
mod claim;
mod notify;
mod queue;
mod regrade;
mod release;
mod remarks;
mod returning;
mod rubrics;

pub use answer::{Assessment, OpenAnswer, open_answer};
pub use assess::{Assess, Assessed, MAX_ASSESSMENTS, assess};
pub use claim::{CLAIM, claim, claim_next};
pub use queue::{AnswerFilter, GradingQueue, QueuedAnswer, QueuedQuestion, grading_queue};
pub use release::{Released, release};
pub use remarks::{Marks, Pins};
pub use rubrics::{MAX_USED_RUBRICS, UsedRubric, course_rubrics};

use kurso_base::ids::{AttemptId, UserId};
use kurso_base::values::choices;
use uuid::Uuid;

use crate::subscriptions::PersonName;

/// The grading state of an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash, serde::Serialize, sqlx::Type)]
#[serde(rename_all = "snake_case")]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum AnswerState {
    /// Nobody has graded it.
    #[default]
    Waiting,
    /// It has points, which its learner does not see yet.
    Graded,
    /// Its learner sees the points and the comment.
    Released,
}

choices! {
    AnswerState: "waiting" => AnswerState::Waiting, "graded" => AnswerState::Graded, "released" => AnswerState::Released;
}

impl AnswerState {
    /// The name as stored and in REST; GraphQL has it in capitals.
    pub fn name(self) -> &'static str {
        match self {
            AnswerState::Waiting => "waiting",
            AnswerState::Graded => "graded",
            AnswerState::Released => "released",
        }
    }
}

/// The id of an answer to an open question.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct AnswerId {
    pub attempt: AttemptId,
    pub question: Uuid,
}

/// The name of a user; None without an id.
fn person(id: Option<UserId>, full_name: Option<String>) -> Option<PersonName> {
    id.map(|id| PersonName { id, full_name })
}
