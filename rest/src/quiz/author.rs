//! Schemas of a quiz as authors and teachers read it, with the answer key. The core writes the JSON.
#![expect(dead_code, reason = "describes the JSON of the core")]

use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use super::kinds::{QuizChecking, QuizRelease, QuizReveal, questions};
use super::rubric::Rubric;
use super::zones::Zone;

#[derive(ToSchema)]
pub struct AuthorQuiz {
    #[schema(minimum = 0, maximum = 100)]
    pass_percent: u8,
    /// Null: no limit.
    #[schema(required, minimum = 1, maximum = 1000)]
    max_attempts: Option<u32>,
    shuffle_questions: bool,
    shuffle_options: bool,
    #[schema(inline)]
    reveal: QuizReveal,
    #[schema(inline)]
    release: QuizRelease,
    #[schema(inline)]
    checking: QuizChecking,
    /// Seconds for an attempt; null: no limit.
    #[schema(required, minimum = 10, maximum = 86400)]
    time_limit_seconds: Option<u32>,
    /// Seconds after the end of the time in which answers that were given in time are still accepted.
    #[schema(minimum = 0, maximum = 3600)]
    grace_seconds: u32,
    questions: Vec<AuthorQuestion>,
}

questions! {
    /// A question with its answer key.
    AuthorQuestion {
        id: Uuid,
    } {
        /// A ProseMirror document.
        #[schema(value_type = Object)]
        prompt: Value,
        /// At most four decimal places.
        #[schema(minimum = 0, maximum = 1000)]
        points: f64,
        #[schema(required, value_type = Option<Object>)]
        explanation: Option<Value>,
        /// ProseMirror documents, shown to learners while they answer; absent without any.
        #[schema(value_type = Option<Vec<Object>>, nullable = false, max_items = 5)]
        hints: Option<Vec<Value>>,
        /// What the question was copied from; absent without one.
        #[schema(nullable = false)]
        source: Option<QuestionSource>,
    }
    AuthorSingleChoice {
        options: Vec<AuthorOption>,
    }
    AuthorMultipleChoice {
        options: Vec<AuthorOption>,
        /// Whether only exactly the correct options earn points; absent if not.
        #[schema(nullable = false)]
        all_or_nothing: Option<bool>,
    }
    AuthorShortText {
        accepted: Vec<String>,
        case_sensitive: bool,
        /// Regular expression that must match the whole answer; null when there is none.
        #[schema(required)]
        regex: Option<String>,
    }
    AuthorNumeric {
        /// Correct number; null when it is not set yet.
        #[schema(required)]
        value: Option<f64>,
        /// Allowed absolute deviation, inclusive.
        tolerance: f64,
        /// Allowed deviation as a percentage of the value; replaces `tolerance` when it is not null.
        #[schema(required)]
        tolerance_percent: Option<f64>,
        /// The units of answers; absent without any.
        #[schema(nullable = false, max_items = 10)]
        units: Option<Vec<AuthorUnit>>,
    }
    AuthorMatching {
        pairs: Vec<AuthorPair>,
    }
    AuthorOrdering {
        /// In the correct order.
        items: Vec<AuthorItem>,
    }
    AuthorFillBlank {
        /// A ProseMirror document with `blank` nodes.
        #[schema(value_type = Object)]
        text: Value,
        blanks: Vec<AuthorBlank>,
    }
    AuthorHotspot {
        /// A ProseMirror document with one image and nothing else; null when it is not set yet.
        #[schema(required, value_type = Option<Object>)]
        picture: Option<Value>,
        #[schema(max_items = 20)]
        zones: Vec<Zone>,
        /// Whether a place is to be marked in each zone. Otherwise there is one place, in any of them.
        mark_all: bool,
        /// Whether only a place in each zone earns points. Has no effect without `mark_all`.
        all_or_nothing: bool,
    }
    AuthorEssay {
        /// Minimum number of words of an answer; null: no limit.
        #[schema(required)]
        min_words: Option<u32>,
        /// Maximum number of words of an answer; null: no limit.
        #[schema(required)]
        max_words: Option<u32>,
        /// A ProseMirror document: a note for graders, which learners never see.
        #[schema(required, value_type = Option<Object>)]
        guide: Option<Value>,
        /// What graders judge the answer by; null without one.
        #[schema(required)]
        rubric: Option<Rubric>,
    }
    AuthorFileUpload {
        /// The most files of an answer.
        #[schema(minimum = 1, maximum = 20)]
        max_files: u32,
        /// The accepted file extensions, such as `pdf`; any file if empty.
        extensions: Vec<String>,
        /// A ProseMirror document: a note for graders, which learners never see.
        #[schema(required, value_type = Option<Object>)]
        guide: Option<Value>,
        /// What graders judge the answer by; null without one.
        #[schema(required)]
        rubric: Option<Rubric>,
    }
    AuthorHandIn {
        takes_text: bool,
        /// Minimum number of words of a text; null: no limit.
        #[schema(required)]
        min_words: Option<u32>,
        /// Maximum number of words of a text; null: no limit.
        #[schema(required)]
        max_words: Option<u32>,
        /// The most files of an answer. 0: it takes no files.
        #[schema(minimum = 0, maximum = 20)]
        max_files: u32,
        /// The accepted file extensions, such as `pdf`; any file if empty.
        extensions: Vec<String>,
        /// The most links of an answer. 0: it takes no links.
        #[schema(minimum = 0, maximum = 20)]
        max_links: u32,
        /// A ProseMirror document: a note for graders, which learners never see.
        #[schema(required, value_type = Option<Object>)]
        guide: Option<Value>,
        /// What graders judge the answer by; null without one.
        #[schema(required)]
        rubric: Option<Rubric>,
    };
    AuthorFormula {
        parameters: Vec<AuthorParameter>,
        /// The right answer in terms of the parameters; empty when it is not set yet.
        expression: String,
        /// Allowed absolute deviation, inclusive.
        tolerance: f64,
        /// Allowed deviation as a percentage of the right answer; replaces `tolerance` when it is not null.
        #[schema(required)]
        tolerance_percent: Option<f64>,
        /// The units of answers; absent without any.
        #[schema(nullable = false, max_items = 10)]
        units: Option<Vec<AuthorUnit>>,
    }
    AuthorDraw {
        bank_id: Uuid,
        /// What the drawn questions all have.
        tags: Vec<String>,
        /// How many questions are drawn.
        #[schema(minimum = 1, maximum = 100)]
        count: u32,
    }
}

/// The question of a bank of which a question is a copy.
#[derive(ToSchema)]
pub struct QuestionSource {
    question_id: Uuid,
    #[schema(minimum = 1)]
    version: i64,
}

/// A parameter of a formula question. Its values are the multiples of 10^-`decimals` from `min` to `max`.
#[derive(ToSchema)]
pub struct AuthorParameter {
    name: String,
    /// Null when it is not set yet.
    #[schema(required)]
    min: Option<f64>,
    /// Null when it is not set yet.
    #[schema(required)]
    max: Option<f64>,
    #[schema(minimum = 0, maximum = 6)]
    decimals: u8,
}

/// A unit of the answers to a numeric question. The right answer and its tolerance are in the first unit.
#[derive(ToSchema)]
pub struct AuthorUnit {
    #[schema(min_length = 1, max_length = 20)]
    name: String,
    /// How many of the first unit make one of this.
    #[schema(exclusive_minimum = 0)]
    factor: f64,
}

#[derive(ToSchema)]
pub struct AuthorOption {
    id: Uuid,
    /// A ProseMirror document.
    #[schema(value_type = Object)]
    content: Value,
    correct: bool,
    /// A ProseMirror document, shown with the explanation to learners who chose the option; absent without one.
    #[schema(value_type = Option<Object>, nullable = false)]
    feedback: Option<Value>,
    /// What the option earns or costs, in percent; absent without a weight.
    #[schema(nullable = false, minimum = -100, maximum = 100)]
    weight: Option<f64>,
}

/// An option of a blank.
#[derive(ToSchema)]
pub struct AuthorBlankOption {
    id: Uuid,
    /// A ProseMirror document.
    #[schema(value_type = Object)]
    content: Value,
    correct: bool,
}

/// Two sides that belong together.
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

/// A blank that takes free text.
#[derive(ToSchema)]
pub struct AuthorTextBlank {
    /// The `blank_id` of a `blank` node.
    id: Uuid,
    accepted: Vec<String>,
}

/// A blank with options to choose from.
#[derive(ToSchema)]
pub struct AuthorChoiceBlank {
    /// The `blank_id` of a `blank` node.
    id: Uuid,
    options: Vec<AuthorBlankOption>,
}
