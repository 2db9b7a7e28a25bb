//! Schemas of a quiz as learners read it, without the answer key. The core writes the JSON.
#![expect(dead_code, reason = "describes the JSON of the core")]

use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use super::kinds::{QuizReveal, questions};

#[derive(ToSchema)]
pub struct LearnerQuiz {
    #[schema(minimum = 0, maximum = 100)]
    pass_percent: u8,
    /// Null: as many as one likes.
    #[schema(required, minimum = 1, maximum = 1000)]
    max_attempts: Option<u32>,
    shuffle_questions: bool,
    shuffle_options: bool,
    #[schema(inline)]
    reveal: QuizReveal,
    /// In the order to show them in.
    questions: Vec<LearnerQuestion>,
}

questions! {
    /// A question without its answer.
    LearnerQuestion {
        id: Uuid,
    } {
        /// A ProseMirror document.
        #[schema(value_type = Object)]
        prompt: Value,
        #[schema(minimum = 0, maximum = 1000)]
        points: f64,
    }
    LearnerSingleChoice {
        options: Vec<LearnerOption>,
    }
    LearnerMultipleChoice {
        options: Vec<LearnerOption>,
    }
    LearnerShortText {}
    LearnerNumeric {}
    LearnerMatching {
        left: Vec<LearnerOption>,
        right: Vec<LearnerOption>,
    }
    LearnerOrdering {
        /// In no order.
        items: Vec<LearnerOption>,
    }
    LearnerFillBlank {
        /// A ProseMirror document with `blank` nodes.
        #[schema(value_type = Object)]
        text: Value,
        blanks: Vec<LearnerBlank>,
    }
}

/// Something with an id to answer by: an option, a side of a pair, an item.
#[derive(ToSchema)]
pub struct LearnerOption {
    id: Uuid,
    /// A ProseMirror document.
    #[schema(value_type = Object)]
    content: Value,
}

#[derive(ToSchema)]
pub struct LearnerBlank {
    /// The `blank_id` of a `blank` node.
    id: Uuid,
    /// Left out: a text of one's own goes here.
    #[schema(nullable = false)]
    options: Option<Vec<LearnerOption>>,
}
