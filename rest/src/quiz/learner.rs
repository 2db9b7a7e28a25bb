//! Schemas of a quiz as learners read it, without the answer key. The core writes the JSON.
#![expect(dead_code, reason = "describes the JSON of the core")]

use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use super::kinds::{
    FillBlankType, MatchingType, MultipleChoiceType, NumericType, OrderingType, QuizReveal, ShortTextType,
    SingleChoiceType,
};

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

/// A question without its answer.
#[derive(ToSchema)]
#[serde(untagged)]
#[schema(discriminator(property_name = "type", mapping(
    ("single_choice" = "#/components/schemas/LearnerSingleChoice"),
    ("multiple_choice" = "#/components/schemas/LearnerMultipleChoice"),
    ("short_text" = "#/components/schemas/LearnerShortText"),
    ("numeric" = "#/components/schemas/LearnerNumeric"),
    ("matching" = "#/components/schemas/LearnerMatching"),
    ("ordering" = "#/components/schemas/LearnerOrdering"),
    ("fill_blank" = "#/components/schemas/LearnerFillBlank")
)))]
pub enum LearnerQuestion {
    SingleChoice(LearnerSingleChoice),
    MultipleChoice(LearnerMultipleChoice),
    ShortText(LearnerShortText),
    Numeric(LearnerNumeric),
    Matching(LearnerMatching),
    Ordering(LearnerOrdering),
    FillBlank(LearnerFillBlank),
}

/// One option is right.
#[derive(ToSchema)]
pub struct LearnerSingleChoice {
    id: Uuid,
    #[schema(inline)]
    r#type: SingleChoiceType,
    /// A ProseMirror document.
    #[schema(value_type = Object)]
    prompt: Value,
    #[schema(minimum = 0, maximum = 1000)]
    points: f64,
    options: Vec<LearnerOption>,
}

/// Right ticks minus wrong ticks, over the right ones.
#[derive(ToSchema)]
pub struct LearnerMultipleChoice {
    id: Uuid,
    #[schema(inline)]
    r#type: MultipleChoiceType,
    /// A ProseMirror document.
    #[schema(value_type = Object)]
    prompt: Value,
    #[schema(minimum = 0, maximum = 1000)]
    points: f64,
    options: Vec<LearnerOption>,
}

/// A text of one's own.
#[derive(ToSchema)]
pub struct LearnerShortText {
    id: Uuid,
    #[schema(inline)]
    r#type: ShortTextType,
    /// A ProseMirror document.
    #[schema(value_type = Object)]
    prompt: Value,
    #[schema(minimum = 0, maximum = 1000)]
    points: f64,
}

/// A number.
#[derive(ToSchema)]
pub struct LearnerNumeric {
    id: Uuid,
    #[schema(inline)]
    r#type: NumericType,
    /// A ProseMirror document.
    #[schema(value_type = Object)]
    prompt: Value,
    #[schema(minimum = 0, maximum = 1000)]
    points: f64,
}

/// Sides to be put together.
#[derive(ToSchema)]
pub struct LearnerMatching {
    id: Uuid,
    #[schema(inline)]
    r#type: MatchingType,
    /// A ProseMirror document.
    #[schema(value_type = Object)]
    prompt: Value,
    #[schema(minimum = 0, maximum = 1000)]
    points: f64,
    left: Vec<LearnerOption>,
    right: Vec<LearnerOption>,
}

/// Items to be put in order.
#[derive(ToSchema)]
pub struct LearnerOrdering {
    id: Uuid,
    #[schema(inline)]
    r#type: OrderingType,
    /// A ProseMirror document.
    #[schema(value_type = Object)]
    prompt: Value,
    #[schema(minimum = 0, maximum = 1000)]
    points: f64,
    /// In no order.
    items: Vec<LearnerOption>,
}

/// A text with blanks.
#[derive(ToSchema)]
pub struct LearnerFillBlank {
    id: Uuid,
    #[schema(inline)]
    r#type: FillBlankType,
    /// A ProseMirror document.
    #[schema(value_type = Object)]
    prompt: Value,
    #[schema(minimum = 0, maximum = 1000)]
    points: f64,
    /// A ProseMirror document with `blank` nodes.
    #[schema(value_type = Object)]
    text: Value,
    blanks: Vec<LearnerBlank>,
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
