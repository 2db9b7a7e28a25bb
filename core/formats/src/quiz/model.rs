//! The quiz model: the form that authors read and write and that the database stores.

use serde::{Deserialize, Serialize};
use serde_json::{Number, Value};
use uuid::Uuid;

use super::choice::Choice;
use super::formula::Parameter;
use super::limits::{DEFAULT_GRACE, MAX_BYTES, MAX_FORMULAS, MAX_PATTERNS, MAX_QUESTIONS};
use super::number::Points;
use super::problem::Problem;
use super::rubric::Rubric;
use super::units::Unit;
use super::zones::Zone;
use kurso_base::error::{Error, Result};
use kurso_base::wire;

/// More bytes than the JSON of a quiz has beside its questions.
const SETTINGS_BYTES: usize = 1000;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Quiz {
    /// 0 to 100.
    pub pass_percent: u8,
    /// None when there is no limit.
    pub max_attempts: Option<u32>,
    pub shuffle_questions: bool,
    pub shuffle_options: bool,
    pub reveal: Reveal,
    #[serde(default)] // quizzes that were stored before there were open questions
    pub release: Release,
    #[serde(default)] // quizzes that were stored before questions could be checked one by one
    pub checking: Checking,
    /// None when the time is not limited.
    #[serde(default)] // quizzes that were stored before there were time limits
    pub time_limit_seconds: Option<u32>,
    /// How long after the end of the time the server accepts answers that were given in time.
    #[serde(default = "default_grace")]
    pub grace_seconds: u32,
    pub questions: Vec<Question>,
    /// Questions and draws whose full points every attempt gets, because they were removed from the quiz after it was taken. Only stored copies of
    /// quizzes for their attempts have any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub full_points: Vec<Uuid>,
}

fn default_grace() -> u32 {
    DEFAULT_GRACE
}

/// When learners see explanations and correct answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reveal {
    AfterSubmit,
    /// After an attempt has passed; until then learners see only which answers were correct.
    AfterPass,
    /// Learners do not even see which answers were correct.
    Never,
}

/// When learners see the points and comments of answers to open questions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Release {
    #[default]
    AtOnce,
    /// When staff release the points of the whole quiz.
    Together,
}

/// When the answers to questions are checked that need no grader.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Checking {
    /// All together, when the attempt is submitted.
    #[default]
    AtEnd,
    /// Each when its learner asks for it during the attempt; from then on the answer is fixed.
    EachQuestion,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Question {
    pub id: Uuid,
    /// A rich document, like `content`, `feedback`, `left`, `right`, `explanation` and each hint.
    pub prompt: Value,
    pub points: Points,
    pub explanation: Option<Value>,
    /// Rich documents that help learners while they answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")] // questions that were stored before there were hints
    pub hints: Vec<Value>,
    /// The bank question of which this question is a copy. Learners never see it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    #[serde(flatten)]
    pub kind: Kind,
}

/// The bank question of which a question of a quiz is a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    pub question_id: Uuid,
    pub version: i64,
}

/// A version of a bank question that an attempt has drawn. Its id is that of the bank question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PooledQuestion {
    pub version: i64,
    pub question: Question,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Kind {
    SingleChoice {
        options: Vec<Choice>,
    },
    MultipleChoice {
        options: Vec<Choice>,
        /// Whether points are earned only if exactly the right options are chosen. Cannot be combined with weights.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        // questions that were stored before there was this rule
        all_or_nothing: bool,
    },
    ShortText {
        accepted: Vec<String>,
        case_sensitive: bool,
        /// Matches the whole answer.
        regex: Option<String>,
    },
    Numeric {
        /// None while the quiz is incomplete.
        value: Option<Number>,
        /// The largest accepted difference, inclusive.
        tolerance: Number,
        /// The tolerance in percent of the value; overrides `tolerance`.
        tolerance_percent: Option<Number>,
        /// The units in which it is answered. If empty, the answer is a number without a unit.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        // questions that were stored before there were units
        units: Vec<Unit>,
    },
    /// Each attempt gets values for the parameters; an expression computes the right answer from them.
    Formula {
        parameters: Vec<Parameter>,
        /// Empty while the quiz is incomplete.
        expression: String,
        /// The tolerances have the same meaning as in a numeric question.
        tolerance: Number,
        tolerance_percent: Option<Number>,
        /// As those of a numeric question.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        units: Vec<Unit>,
    },
    Matching {
        pairs: Vec<Pair>,
    },
    Ordering {
        /// In the correct order.
        items: Vec<Item>,
    },
    FillBlank {
        /// A document with `blank` nodes.
        text: Value,
        blanks: Vec<Blank>,
    },
    /// Answered by marking places on a picture.
    Hotspot {
        /// A document with one image and nothing else; None while the quiz is incomplete.
        picture: Option<Value>,
        /// Where the right places are.
        zones: Vec<Zone>,
        /// Whether a place is to be marked in each zone; otherwise there is one place, in any of them.
        mark_all: bool,
        /// Whether points are earned only if a place is marked in each zone. Has no effect without `mark_all`.
        all_or_nothing: bool,
    },
    /// An open question: answered with a text that a person grades.
    Essay {
        min_words: Option<u32>,
        max_words: Option<u32>,
        /// A document for graders, which learners never see.
        guide: Option<Value>,
        #[serde(default)] // questions that were stored before there were rubrics
        rubric: Option<Rubric>,
    },
    /// An open question: answered with files that a person grades.
    FileUpload {
        max_files: u32,
        /// The accepted file extensions, in lower case without the dot; any file if empty.
        extensions: Vec<String>,
        /// As that of an essay.
        guide: Option<Value>,
        #[serde(default)]
        rubric: Option<Rubric>,
    },
    /// The only question of an assignment: answered with a text, files and links, as far as it takes them. A person grades the answer.
    HandIn {
        takes_text: bool,
        /// Of a text that is handed in; files or links alone need none.
        min_words: Option<u32>,
        max_words: Option<u32>,
        /// 0 if it takes no files.
        max_files: u32,
        /// As those of a file upload.
        extensions: Vec<String>,
        /// 0 if it takes no links.
        max_links: u32,
        /// As that of an essay.
        guide: Option<Value>,
        rubric: Option<Rubric>,
    },
    /// Each attempt draws `count` questions at random from a bank. Every drawn question is worth the points of the draw.
    Draw {
        bank_id: Uuid,
        /// Only questions with all of these tags are drawn.
        tags: Vec<String>,
        count: u32,
        /// The questions that attempts have drawn. Only the stored copy of a quiz for its attempts has a pool.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pool: Vec<PooledQuestion>,
    },
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

/// How a blank is filled: with a text or with one of several options.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Filling {
    Accepted(Vec<String>),
    Options(Vec<Choice>),
}

impl Default for Quiz {
    /// The quiz of a new page.
    fn default() -> Self {
        Quiz {
            pass_percent: 70,
            max_attempts: None,
            shuffle_questions: false,
            shuffle_options: false,
            reveal: Reveal::AfterPass,
            release: Release::AtOnce,
            checking: Checking::AtEnd,
            time_limit_seconds: None,
            grace_seconds: DEFAULT_GRACE,
            questions: vec![],
            full_points: vec![],
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
        wire::read_stored(text).map_err(Error::internal)
    }

    /// The author's form, which [`super::read`] reads.
    pub fn to_json(&self) -> Result<Value> {
        serde_json::to_value(self).map_err(Error::internal)
    }

    /// Removes what exceeds the limits of a quiz when each question alone is valid. Returns the reason of each removal.
    pub fn fit(&mut self) -> Vec<Problem> {
        let (mut kept, mut patterns, mut formulas, mut bytes, mut removed) = (0, 0, 0, 0, Vec::new());
        self.questions.retain(|question| {
            let has_pattern = matches!(&question.kind, Kind::ShortText { regex: Some(_), .. });
            let is_formula = question.kind.is_formula();
            let length = serde_json::to_string(question).map_or(MAX_BYTES, |text| text.len() + 1);
            let problem = match () {
                () if kept + question.kind.count() > MAX_QUESTIONS => Problem::TooMany(MAX_QUESTIONS),
                () if has_pattern && patterns >= MAX_PATTERNS => Problem::ManyRegexes,
                () if is_formula && formulas >= MAX_FORMULAS => Problem::ManyFormulas,
                () if bytes + length > MAX_BYTES - SETTINGS_BYTES => Problem::TooLarge,
                () => {
                    kept += question.kind.count();
                    patterns += usize::from(has_pattern);
                    formulas += usize::from(is_formula);
                    bytes += length;
                    return true;
                }
            };
            removed.push(problem);
            false
        });
        removed
    }

    /// Seconds for an attempt; None when the time is not limited. That of an assignment never is.
    pub fn time_limit(&self) -> Option<u32> {
        self.time_limit_seconds.filter(|_| !self.is_assignment())
    }

    /// Whether learners check their answers one by one during an attempt. Those of an assignment never do.
    pub fn checks_each_question(&self) -> bool {
        self.checking == Checking::EachQuestion && !self.is_assignment()
    }

    /// A copy of the quiz with only this question, to grade its answer before the others. None if attempts do not ask it.
    pub fn only(&self, question: Uuid) -> Option<Quiz> {
        let found = self.asked().find(|asked| asked.id == question)?;
        Some(self.with_only(found.clone()))
    }

    /// A copy of the quiz with this question in place of its own.
    pub(super) fn with_only(&self, question: Question) -> Quiz {
        Quiz {
            questions: vec![question],
            full_points: self.full_points.clone(),
            ..*self
        }
    }

    /// The number of questions of an attempt, including drawn ones.
    pub fn question_count(&self) -> usize {
        self.questions.iter().map(|question| question.kind.count()).sum()
    }

    /// Whether a person grades some of the answers.
    pub fn has_open_questions(&self) -> bool {
        self.questions.iter().any(|question| question.kind.is_open())
    }

    pub fn question(&self, id: Uuid) -> Option<&Question> {
        self.questions.iter().find(|question| question.id == id)
    }
}

impl Question {
    /// A question of one point with a new id, without an explanation or hints.
    pub fn new(prompt: Value, kind: Kind) -> Self {
        Question {
            id: Uuid::now_v7(),
            prompt,
            points: Points::ONE,
            explanation: None,
            hints: vec![],
            source: None,
            kind,
        }
    }
}

impl Kind {
    /// Whether a person grades the answers.
    pub fn is_open(&self) -> bool {
        matches!(self, Kind::Essay { .. } | Kind::FileUpload { .. } | Kind::HandIn { .. })
    }

    pub fn is_formula(&self) -> bool {
        matches!(self, Kind::Formula { .. })
    }

    pub fn is_draw(&self) -> bool {
        matches!(self, Kind::Draw { .. })
    }

    /// The number of questions that an attempt has in its place: more than one only for a draw.
    pub fn count(&self) -> usize {
        match self {
            Kind::Draw { count, .. } => usize::try_from(*count).unwrap_or(usize::MAX),
            _ => 1,
        }
    }

    /// The note for graders of an open question.
    pub fn guide(&self) -> Option<&Value> {
        match self {
            Kind::Essay { guide, .. } | Kind::FileUpload { guide, .. } | Kind::HandIn { guide, .. } => guide.as_ref(),
            _ => None,
        }
    }

    /// What graders judge the answers to an open question by.
    pub fn rubric(&self) -> Option<&Rubric> {
        match self {
            Kind::Essay { rubric, .. } | Kind::FileUpload { rubric, .. } | Kind::HandIn { rubric, .. } => {
                rubric.as_ref()
            }
            _ => None,
        }
    }

    pub fn is_all_or_nothing(&self) -> bool {
        matches!(
            self,
            Kind::MultipleChoice {
                all_or_nothing: true,
                ..
            }
        )
    }

    /// The options of a choice.
    pub fn options(&self) -> Option<&[Choice]> {
        match self {
            Kind::SingleChoice { options } | Kind::MultipleChoice { options, .. } => Some(options),
            _ => None,
        }
    }

    /// A multiple choice, or a single one.
    pub fn choice(several: bool, options: Vec<Choice>) -> Self {
        match several {
            true => Kind::MultipleChoice {
                options,
                all_or_nothing: false,
            },
            false => Kind::SingleChoice { options },
        }
    }
}

impl Pair {
    /// A pair with a new id.
    pub fn new(left: Value, right: Value) -> Self {
        let id = Uuid::now_v7();
        Pair { id, left, right }
    }
}
