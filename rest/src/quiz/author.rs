//! Schemas of a quiz as authors and teachers read it, with the answer key. The core writes the JSON.
#![expect(dead_code, reason = "describes the JSON of the core")]

use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use super::kinds::{QuizReveal, questions};

#[derive(ToSchema)]
pub struct AuthorQuiz {
    #[schema(minimum = 0, maximum = 100)]
    pass_percent: u8,
    /// Null: as many as one likes.
    #[schema(required, minimum = 1, maximum = 1000)]
    max_attempts: Option<u32>,
    shuffle_questions: bool,
    shuffle_options: bool,
    #[schema(inline)]
    reveal: QuizReveal,
    questions: Vec<AuthorQuestion>,
}

questions! {
    /// A question with its answer.
    AuthorQuestion {
        id: Uuid,
    } {
        /// A ProseMirror document.
        #[schema(value_type = Object)]
        prompt: Value,
        /// At most four decimals.
        #[schema(minimum = 0, maximum = 1000)]
        points: f64,
        #[schema(required, value_type = Option<Object>)]
        explanation: Option<Value>,
    }
    AuthorSingleChoice {
        options: Vec<AuthorOption>,
    }
    AuthorMultipleChoice {
        options: Vec<AuthorOption>,
    }
    AuthorShortText {
        accepted: Vec<String>,
        case_sensitive: bool,
        /// Matches the whole answer.
        #[schema(required)]
        regex: Option<String>,
    }
    AuthorNumeric {
        /// Null while it is not decided.
        #[schema(required)]
        value: Option<f64>,
        /// How far off an answer may be, inclusive.
        tolerance: f64,
        /// The same in percent of the value; rules when it is there.
        #[schema(required)]
        tolerance_percent: Option<f64>,
    }
    AuthorMatching {
        pairs: Vec<AuthorPair>,
    }
    AuthorOrdering {
        /// In the right order.
        items: Vec<AuthorItem>,
    }
    AuthorFillBlank {
        /// A ProseMirror document with `blank` nodes.
        #[schema(value_type = Object)]
        text: Value,
        blanks: Vec<AuthorBlank>,
    }
}

#[derive(ToSchema)]
pub struct AuthorOption {
    id: Uuid,
    /// A ProseMirror document.
    #[schema(value_type = Object)]
    content: Value,
    correct: bool,
}

/// What belongs together.
#[derive(ToSchema)]
pub struct AuthorPair {
    id: Uuid,
    /// A ProseMirror document.
    #[schema(value_type = Object)]
    left: Value,
    /// A ProseMirror document.
    #[schema(value_type = Object)]
    right: Value,
}

#[derive(ToSchema)]
pub struct AuthorItem {
    id: Uuid,
    /// A ProseMirror document.
    #[schema(value_type = Object)]
    content: Value,
}

#[derive(ToSchema)]
#[serde(untagged)]
pub enum AuthorBlank {
    Text(AuthorTextBlank),
    Choice(AuthorChoiceBlank),
}

/// A text of one's own goes here.
#[derive(ToSchema)]
pub struct AuthorTextBlank {
    /// The `blank_id` of a `blank` node.
    id: Uuid,
    accepted: Vec<String>,
}

/// One of these goes here.
#[derive(ToSchema)]
pub struct AuthorChoiceBlank {
    /// The `blank_id` of a `blank` node.
    id: Uuid,
    options: Vec<AuthorOption>,
}
