//! Schemas of a quiz as its author writes it; absent fields have defaults. The core reads the JSON and reports all errors at once.
#![expect(dead_code, reason = "the fields are read from the JSON")]

use kurso_formats::quiz::QuizDraft;
use serde_json::Value;
use utoipa::openapi::{Ref, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};
use uuid::Uuid;

use super::kinds::{
    FillBlankType, MatchingType, MultipleChoiceType, NumericType, OrderingType, QuizReveal, ShortTextType,
    SingleChoiceType,
};
use crate::fields::Field;

impl Field for QuizDraft {
    fn schema() -> RefOr<Schema> {
        Ref::from_schema_name(QuizWrite::name()).into()
    }

    fn schemas(to: &mut Vec<(String, RefOr<Schema>)>) {
        to.push((QuizWrite::name().into(), QuizWrite::schema()));
        QuizWrite::schemas(to);
    }
}

/// At most 500 questions and 2 MiB. On a published page it must be complete.
#[derive(ToSchema)]
pub struct QuizWrite {
    #[schema(minimum = 0, maximum = 100, default = 70, nullable = false)]
    pass_percent: Option<u8>,
    /// Null or left out: as many as one likes.
    #[schema(minimum = 1, maximum = 1000)]
    max_attempts: Option<u32>,
    #[schema(default = false, nullable = false)]
    shuffle_questions: Option<bool>,
    #[schema(default = false, nullable = false)]
    shuffle_options: Option<bool>,
    /// `after_pass` when left out.
    #[schema(inline)]
    reveal: Option<QuizReveal>,
    #[schema(max_items = 500, nullable = false)]
    questions: Option<Vec<QuestionWrite>>,
}

/// A question with its answer.
#[derive(ToSchema)]
#[serde(untagged)]
#[schema(discriminator(property_name = "type", mapping(
    ("single_choice" = "#/components/schemas/SingleChoiceWrite"),
    ("multiple_choice" = "#/components/schemas/MultipleChoiceWrite"),
    ("short_text" = "#/components/schemas/ShortTextWrite"),
    ("numeric" = "#/components/schemas/NumericWrite"),
    ("matching" = "#/components/schemas/MatchingWrite"),
    ("ordering" = "#/components/schemas/OrderingWrite"),
    ("fill_blank" = "#/components/schemas/FillBlankWrite")
)))]
pub enum QuestionWrite {
    SingleChoice(SingleChoiceWrite),
    MultipleChoice(MultipleChoiceWrite),
    ShortText(ShortTextWrite),
    Numeric(NumericWrite),
    Matching(MatchingWrite),
    Ordering(OrderingWrite),
    FillBlank(FillBlankWrite),
}

/// One option is right.
#[derive(ToSchema)]
pub struct SingleChoiceWrite {
    /// Kept when given, made when not.
    #[schema(nullable = false)]
    id: Option<Uuid>,
    #[schema(inline)]
    r#type: SingleChoiceType,
    prompt: RichText,
    /// 1 when left out; at most four decimals.
    #[schema(minimum = 0, maximum = 1000, default = 1, nullable = false)]
    points: Option<f64>,
    explanation: Option<RichText>,
    #[schema(max_items = 100)]
    options: Option<Vec<OptionWrite>>,
}

/// Right ticks minus wrong ticks, over the right ones.
#[derive(ToSchema)]
pub struct MultipleChoiceWrite {
    /// Kept when given, made when not.
    #[schema(nullable = false)]
    id: Option<Uuid>,
    #[schema(inline)]
    r#type: MultipleChoiceType,
    prompt: RichText,
    /// 1 when left out; at most four decimals.
    #[schema(minimum = 0, maximum = 1000, default = 1, nullable = false)]
    points: Option<f64>,
    explanation: Option<RichText>,
    #[schema(max_items = 100)]
    options: Option<Vec<OptionWrite>>,
}

/// A text of one's own.
#[derive(ToSchema)]
pub struct ShortTextWrite {
    /// Kept when given, made when not.
    #[schema(nullable = false)]
    id: Option<Uuid>,
    #[schema(inline)]
    r#type: ShortTextType,
    prompt: RichText,
    /// 1 when left out; at most four decimals.
    #[schema(minimum = 0, maximum = 1000, default = 1, nullable = false)]
    points: Option<f64>,
    explanation: Option<RichText>,
    #[schema(max_items = 100)]
    accepted: Option<Vec<String>>,
    #[schema(default = false, nullable = false)]
    case_sensitive: Option<bool>,
    /// Matches the whole answer.
    #[schema(max_length = 500)]
    regex: Option<String>,
}

/// A number.
#[derive(ToSchema)]
pub struct NumericWrite {
    /// Kept when given, made when not.
    #[schema(nullable = false)]
    id: Option<Uuid>,
    #[schema(inline)]
    r#type: NumericType,
    prompt: RichText,
    /// 1 when left out; at most four decimals.
    #[schema(minimum = 0, maximum = 1000, default = 1, nullable = false)]
    points: Option<f64>,
    explanation: Option<RichText>,
    value: Option<f64>,
    /// How far off an answer may be, inclusive; 0 when left out.
    #[schema(minimum = 0)]
    tolerance: Option<f64>,
    /// In place of `tolerance`: in percent of the value.
    #[schema(minimum = 0)]
    tolerance_percent: Option<f64>,
}

/// Sides to be put together.
#[derive(ToSchema)]
pub struct MatchingWrite {
    /// Kept when given, made when not.
    #[schema(nullable = false)]
    id: Option<Uuid>,
    #[schema(inline)]
    r#type: MatchingType,
    prompt: RichText,
    /// 1 when left out; at most four decimals.
    #[schema(minimum = 0, maximum = 1000, default = 1, nullable = false)]
    points: Option<f64>,
    explanation: Option<RichText>,
    #[schema(max_items = 100)]
    pairs: Option<Vec<PairWrite>>,
}

/// Items to be put in order.
#[derive(ToSchema)]
pub struct OrderingWrite {
    /// Kept when given, made when not.
    #[schema(nullable = false)]
    id: Option<Uuid>,
    #[schema(inline)]
    r#type: OrderingType,
    prompt: RichText,
    /// 1 when left out; at most four decimals.
    #[schema(minimum = 0, maximum = 1000, default = 1, nullable = false)]
    points: Option<f64>,
    explanation: Option<RichText>,
    /// In the right order.
    #[schema(max_items = 100)]
    items: Option<Vec<ItemWrite>>,
}

/// A text with blanks.
#[derive(ToSchema)]
pub struct FillBlankWrite {
    /// Kept when given, made when not.
    #[schema(nullable = false)]
    id: Option<Uuid>,
    #[schema(inline)]
    r#type: FillBlankType,
    prompt: Option<RichText>,
    /// 1 when left out; at most four decimals.
    #[schema(minimum = 0, maximum = 1000, default = 1, nullable = false)]
    points: Option<f64>,
    explanation: Option<RichText>,
    /// With `blank` nodes.
    text: Option<RichText>,
    #[schema(max_items = 100)]
    blanks: Option<Vec<BlankWrite>>,
}

/// A ProseMirror document, or a string, which is taken as one paragraph.
#[derive(ToSchema)]
#[serde(untagged)]
pub enum RichText {
    Plain(String),
    Document(RichDocument),
}

/// A ProseMirror document.
#[derive(ToSchema)]
#[schema(value_type = Object)]
pub struct RichDocument(Value);

#[derive(ToSchema)]
pub struct OptionWrite {
    #[schema(nullable = false)]
    id: Option<Uuid>,
    content: RichText,
    #[schema(default = false, nullable = false)]
    correct: Option<bool>,
}

/// What belongs together.
#[derive(ToSchema)]
pub struct PairWrite {
    #[schema(nullable = false)]
    id: Option<Uuid>,
    left: RichText,
    right: RichText,
}

#[derive(ToSchema)]
pub struct ItemWrite {
    #[schema(nullable = false)]
    id: Option<Uuid>,
    content: RichText,
}

#[derive(ToSchema)]
#[serde(untagged)]
pub enum BlankWrite {
    Text(TextBlankWrite),
    Choice(ChoiceBlankWrite),
}

/// A text of one's own goes here.
#[derive(ToSchema)]
pub struct TextBlankWrite {
    /// The `blank_id` of a `blank` node.
    id: Uuid,
    accepted: Vec<String>,
}

/// One of these goes here.
#[derive(ToSchema)]
pub struct ChoiceBlankWrite {
    /// The `blank_id` of a `blank` node.
    id: Uuid,
    options: Vec<OptionWrite>,
}
