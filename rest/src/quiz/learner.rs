//! Schemas of a quiz as learners read it, without the answer key. The core writes the JSON.
#![expect(dead_code, reason = "describes the JSON of the core")]

use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use super::kinds::{QuizChecking, QuizReveal, questions};
use super::rubric::Rubric;

#[derive(ToSchema)]
pub struct LearnerQuiz {
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
    checking: QuizChecking,
    /// Seconds that the learner has for an attempt, with their time factor; null: no limit.
    #[schema(required, minimum = 10)]
    time_limit_seconds: Option<u32>,
    /// Seconds after the end of the time in which answers that were given in time are still accepted.
    #[schema(minimum = 0, maximum = 3600)]
    grace_seconds: u32,
    /// The number of the attempt that the questions belong to, from 1.
    attempt_no: i64,
    /// Also while `questions` is empty.
    question_count: usize,
    /// In display order. Empty for a learner who has not yet started an attempt at a quiz with a time limit, and between attempts at a quiz with
    /// draws; during an attempt, the questions as they were when it started.
    questions: Vec<LearnerQuestion>,
}

questions! {
    /// A question without its answer key.
    LearnerQuestion {
        id: Uuid,
    } {
        /// A ProseMirror document.
        #[schema(value_type = Object)]
        prompt: Value,
        #[schema(minimum = 0, maximum = 1000)]
        points: f64,
        /// ProseMirror documents that help while answering, for learners to open one by one.
        #[schema(value_type = Vec<Object>, max_items = 5)]
        hints: Vec<Value>,
    }
    LearnerSingleChoice {
        options: Vec<LearnerOption>,
    }
    LearnerMultipleChoice {
        options: Vec<LearnerOption>,
        /// Whether only exactly the correct options earn points.
        all_or_nothing: bool,
    }
    LearnerShortText {}
    LearnerNumeric {
        /// The names of the units of which an answer needs one; empty if it has none.
        units: Vec<String>,
    }
    LearnerMatching {
        left: Vec<LearnerOption>,
        right: Vec<LearnerOption>,
    }
    LearnerOrdering {
        /// Shuffled.
        items: Vec<LearnerOption>,
    }
    LearnerFillBlank {
        /// A ProseMirror document with `blank` nodes.
        #[schema(value_type = Object)]
        text: Value,
        blanks: Vec<LearnerBlank>,
    }
    LearnerHotspot {
        /// A ProseMirror document with one image; an empty document while the question is incomplete.
        #[schema(value_type = Object)]
        picture: Value,
        /// The most places that an answer may mark.
        #[schema(minimum = 0, maximum = 20)]
        max_places: usize,
    }
    LearnerEssay {
        /// Minimum number of words of an answer; null: no limit.
        #[schema(required)]
        min_words: Option<u32>,
        /// Maximum number of words of an answer; null: no limit.
        #[schema(required)]
        max_words: Option<u32>,
        /// Null unless learners see it before they answer.
        #[schema(required)]
        rubric: Option<Rubric>,
    }
    LearnerFileUpload {
        /// The most files of an answer.
        #[schema(minimum = 1, maximum = 20)]
        max_files: u32,
        /// The accepted file extensions, such as `pdf`; any file if empty.
        extensions: Vec<String>,
        /// Null unless learners see it before they answer.
        #[schema(required)]
        rubric: Option<Rubric>,
    }
    LearnerHandIn {
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
        /// Null unless learners see it before they answer.
        #[schema(required)]
        rubric: Option<Rubric>,
    }
}

/// An option, a side of a pair or an item, with the ID that answers refer to.
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
    /// Absent for a blank that takes free text.
    #[schema(nullable = false)]
    options: Option<Vec<LearnerOption>>,
}
