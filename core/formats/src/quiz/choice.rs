//! An option of a question.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

use super::weight::Weight;
use crate::content;
use kurso_base::random;

/// An option to choose.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Choice {
    pub id: Uuid,
    pub content: Value,
    pub correct: bool,
    /// A rich document for learners who chose the option, shown with the explanation. The options of a blank have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    // quizzes that were stored before there was feedback
    pub feedback: Option<Value>,
    /// What the option earns or costs. The options of a blank have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    // quizzes that were stored before there were weights
    pub weight: Option<Weight>,
}

/// An option as a reader finds it.
#[derive(Clone, Debug, PartialEq)]
pub struct ChoiceDraft {
    pub id: Option<Uuid>,
    pub content: Value,
    pub correct: bool,
    pub feedback: Option<Value>,
    pub weight: Option<Weight>,
}

impl ChoiceDraft {
    /// An option without an id, feedback or weight.
    pub fn new(content: Value, correct: bool) -> Self {
        ChoiceDraft {
            id: None,
            content,
            correct,
            feedback: None,
            weight: None,
        }
    }
}

impl Choice {
    /// Makes options of drafts. An option without an id gets a random one: ids in ascending order would reveal the order in which the author
    /// wrote options that are shuffled. Feedback that shows nothing is dropped.
    pub fn list(read: Vec<ChoiceDraft>) -> Vec<Self> {
        let missing = read.iter().filter(|option| option.id.is_none()).count();
        let mut made: Vec<_> = (0..missing).map(|_| (random::bits(), Uuid::now_v7())).collect();
        made.sort_unstable_by_key(|(bits, _)| *bits);
        read.into_iter()
            .map(|option| Choice {
                id: option
                    .id
                    .or_else(|| made.pop().map(|(_, id)| id))
                    .unwrap_or_else(Uuid::now_v7),
                content: option.content,
                correct: option.correct,
                feedback: option.feedback.filter(|document| !content::is_empty(document)),
                weight: option.weight,
            })
            .collect()
    }
}

/// The correct options.
pub fn right_ones(options: &[Choice]) -> impl Iterator<Item = &Choice> {
    options.iter().filter(|option| option.correct)
}
