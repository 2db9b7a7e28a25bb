//! Schemas of a quiz as its author writes it; absent fields have defaults. The core reads the JSON and reports all errors at once.
#![expect(dead_code, reason = "the fields are read from the JSON")]

use kurso_formats::quiz::QuizDraft;
use serde_json::Value;
use utoipa::openapi::{Ref, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};
use uuid::Uuid;

use super::kinds::{QuizReveal, questions};
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

/// A quiz of at most 500 questions and 2 MiB. On a published page it must be complete.
#[derive(ToSchema)]
pub struct QuizWrite {
    #[schema(minimum = 0, maximum = 100, default = 70, nullable = false)]
    pass_percent: Option<u8>,
    /// Null or absent: no limit.
    #[schema(minimum = 1, maximum = 1000)]
    max_attempts: Option<u32>,
    #[schema(default = false, nullable = false)]
    shuffle_questions: Option<bool>,
    #[schema(default = false, nullable = false)]
    shuffle_options: Option<bool>,
    /// Default: `after_pass`.
    #[schema(inline)]
    reveal: Option<QuizReveal>,
    #[schema(max_items = 500, nullable = false)]
    questions: Option<Vec<QuestionWrite>>,
}

questions! {
    /// A question with its answer key.
    QuestionWrite {
        /// Generated when absent.
        #[schema(nullable = false)]
        id: Option<Uuid>,
    } {
        /// At most four decimal places.
        #[schema(minimum = 0, maximum = 1000, default = 1, nullable = false)]
        points: Option<f64>,
        explanation: Option<RichText>,
    }
    SingleChoiceWrite {
        prompt: RichText,
        #[schema(max_items = 100)]
        options: Option<Vec<OptionWrite>>,
    }
    MultipleChoiceWrite {
        prompt: RichText,
        #[schema(max_items = 100)]
        options: Option<Vec<OptionWrite>>,
    }
    ShortTextWrite {
        prompt: RichText,
        #[schema(max_items = 100)]
        accepted: Option<Vec<String>>,
        #[schema(default = false, nullable = false)]
        case_sensitive: Option<bool>,
        /// Regular expression that must match the whole answer.
        #[schema(max_length = 500)]
        regex: Option<String>,
    }
    NumericWrite {
        prompt: RichText,
        value: Option<f64>,
        /// Allowed absolute deviation, inclusive. Default: 0.
        #[schema(minimum = 0)]
        tolerance: Option<f64>,
        /// Allowed deviation as a percentage of the value; excludes `tolerance`.
        #[schema(minimum = 0)]
        tolerance_percent: Option<f64>,
    }
    MatchingWrite {
        prompt: RichText,
        #[schema(max_items = 100)]
        pairs: Option<Vec<PairWrite>>,
    }
    OrderingWrite {
        prompt: RichText,
        /// In the correct order.
        #[schema(max_items = 100)]
        items: Option<Vec<ItemWrite>>,
    }
    FillBlankWrite {
        prompt: Option<RichText>,
        /// Text with `blank` nodes.
        text: Option<RichText>,
        #[schema(max_items = 100)]
        blanks: Option<Vec<BlankWrite>>,
    }
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

/// Two sides that belong together.
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

/// A blank that takes free text.
#[derive(ToSchema)]
pub struct TextBlankWrite {
    /// The `blank_id` of a `blank` node.
    id: Uuid,
    accepted: Vec<String>,
}

/// A blank with options to choose from.
#[derive(ToSchema)]
pub struct ChoiceBlankWrite {
    /// The `blank_id` of a `blank` node.
    id: Uuid,
    options: Vec<OptionWrite>,
}

#[cfg(test)]
mod tests {
    use kurso_formats::quiz::{MAX_ATTEMPTS, MAX_PARTS, MAX_QUESTIONS, MAX_REGEX, Points};
    use serde_json::json;

    use super::*;

    #[test]
    fn the_schemas_have_the_bounds_of_the_reader() {
        let properties = |schema: RefOr<Schema>| serde_json::to_value(schema).unwrap()["properties"].take();
        let quiz = properties(QuizWrite::schema());
        assert_eq!(quiz["questions"]["maxItems"], json!(MAX_QUESTIONS));
        assert_eq!(quiz["max_attempts"]["maximum"], json!(MAX_ATTEMPTS));
        let text = properties(ShortTextWrite::schema());
        assert_eq!(text["points"]["maximum"], json!(Points::MAX));
        assert_eq!(text["accepted"]["maxItems"], json!(MAX_PARTS));
        assert_eq!(text["regex"]["maxLength"], json!(MAX_REGEX));
    }
}
