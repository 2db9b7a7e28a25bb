//! A quiz as its author reads and writes it, as it is stored, and as an attempt keeps it.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::{Number, Value};
use uuid::Uuid;

use super::number::Points;
use crate::content;
use kurso_base::error::{Error, Result};

pub const MAX_QUESTIONS: usize = 500;
/// Options, pairs, items or blanks of a question, and accepted answers.
pub const MAX_PARTS: usize = 100;
/// Characters of an accepted answer.
pub const MAX_ACCEPTED: usize = 1000;
/// Questions that have a pattern, and characters of one: compiling them takes time, at every submit.
pub const MAX_PATTERNS: usize = 50;
pub const MAX_REGEX: usize = 500;
pub const MAX_ATTEMPTS: u32 = 1000;
/// Bytes of JSON a whole quiz may take: every attempt keeps a copy of it.
pub const MAX_BYTES: usize = 2 * 1024 * 1024;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Quiz {
    /// 0 to 100.
    pub pass_percent: u8,
    /// None: as many as one likes.
    pub max_attempts: Option<u32>,
    pub shuffle_questions: bool,
    pub shuffle_options: bool,
    pub reveal: Reveal,
    pub questions: Vec<Question>,
}

/// When a learner is shown explanations and right answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reveal {
    AfterSubmit,
    /// After any attempt has passed; until then only which answers were right.
    AfterPass,
    /// Not even which answers were right.
    Never,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Question {
    pub id: Uuid,
    /// A rich document, as `content`, `left`, `right` and `explanation` are.
    pub prompt: Value,
    pub points: Points,
    pub explanation: Option<Value>,
    #[serde(flatten)]
    pub kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Kind {
    SingleChoice {
        options: Vec<Choice>,
    },
    MultipleChoice {
        options: Vec<Choice>,
    },
    ShortText {
        accepted: Vec<String>,
        case_sensitive: bool,
        /// Matches the whole answer.
        regex: Option<String>,
    },
    Numeric {
        /// None while the author has not decided.
        value: Option<Number>,
        /// How far off an answer may be, inclusive.
        tolerance: Number,
        /// The same in percent of the value; rules when it is there.
        tolerance_percent: Option<Number>,
    },
    Matching {
        pairs: Vec<Pair>,
    },
    Ordering {
        /// In the right order.
        items: Vec<Item>,
    },
    FillBlank {
        /// A document with `blank` nodes.
        text: Value,
        blanks: Vec<Blank>,
    },
}

/// An option to choose.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Choice {
    pub id: Uuid,
    pub content: Value,
    pub correct: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pair {
    pub id: Uuid,
    pub left: Value,
    pub right: Value,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Item {
    pub id: Uuid,
    pub content: Value,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Blank {
    pub id: Uuid,
    #[serde(flatten)]
    pub filling: Filling,
}

/// How a blank is filled: with a text of one's own, or with one of some options.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Filling {
    Accepted(Vec<String>),
    Options(Vec<Choice>),
}

impl Default for Quiz {
    /// The quiz of a page nobody has written one on.
    fn default() -> Self {
        Quiz {
            pass_percent: 70,
            max_attempts: None,
            shuffle_questions: false,
            shuffle_options: false,
            reveal: Reveal::AfterPass,
            questions: vec![],
        }
    }
}

impl Quiz {
    /// The text that is stored.
    pub fn to_text(&self) -> Result<String> {
        serde_json::to_string(self).map_err(Error::internal)
    }

    /// Reads what [`Quiz::to_text`] wrote.
    pub fn from_text(text: &str) -> Result<Self> {
        let mut reader = serde_json::Deserializer::from_str(text);
        // Documents were found shallow enough when they were stored, but not as shallow as the parser's own limit.
        reader.disable_recursion_limit();
        Quiz::deserialize(&mut reader).map_err(Error::internal)
    }

    /// As the author reads it; [`super::read`] reads it back.
    pub fn to_json(&self) -> Result<Value> {
        serde_json::to_value(self).map_err(Error::internal)
    }

    pub fn question(&self, id: Uuid) -> Option<&Question> {
        self.questions.iter().find(|question| question.id == id)
    }

    /// Every rich document of the quiz.
    pub fn documents(&self) -> Vec<&Value> {
        self.questions.iter().flat_map(Question::documents).collect()
    }

    /// Every rich document of the quiz, to change.
    pub fn documents_mut(&mut self) -> Vec<&mut Value> {
        self.questions.iter_mut().flat_map(Question::documents_mut).collect()
    }

    /// The keys of the files the quiz shows or links to.
    pub fn files(&self) -> BTreeSet<String> {
        self.documents().into_iter().flat_map(content::files).collect()
    }
}

/// The two walks over a question's documents differ in `mut` alone.
macro_rules! documents {
    ($question:expr, $iter:ident, $as_ref:ident, [$($mut:tt)?]) => {{
        let question = $question;
        let mut all = vec![& $($mut)? question.prompt];
        all.extend(question.explanation.$as_ref());
        match & $($mut)? question.kind {
            Kind::SingleChoice { options } | Kind::MultipleChoice { options } => {
                all.extend(options.$iter().map(|option| & $($mut)? option.content));
            }
            Kind::ShortText { .. } | Kind::Numeric { .. } => {}
            Kind::Matching { pairs } => {
                all.extend(pairs.$iter().flat_map(|pair| [& $($mut)? pair.left, & $($mut)? pair.right]));
            }
            Kind::Ordering { items } => all.extend(items.$iter().map(|item| & $($mut)? item.content)),
            Kind::FillBlank { text, blanks } => {
                all.push(text);
                for blank in blanks {
                    if let Filling::Options(options) = & $($mut)? blank.filling {
                        all.extend(options.$iter().map(|option| & $($mut)? option.content));
                    }
                }
            }
        }
        all
    }};
}

impl Question {
    fn documents(&self) -> Vec<&Value> {
        documents!(self, iter, as_ref, [])
    }

    fn documents_mut(&mut self) -> Vec<&mut Value> {
        documents!(self, iter_mut, as_mut, [mut])
    }
}

/// The right ones of some options.
pub fn right_ones(options: &[Choice]) -> impl Iterator<Item = &Choice> {
    options.iter().filter(|option| option.correct)
}
