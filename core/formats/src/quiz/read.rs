//! Reads a quiz from its author's JSON. [`super::complete`] has the additional requirements of a published quiz.

use serde_json::{Number, Value, json};
use uuid::Uuid;

use super::check::{check_count, check_one_tolerance, check_regex, check_scoring, check_words, distinct_tags};
use super::choice::Choice;
use super::fields::{At, Problems};
use super::formula::{MAX_EXPRESSION, MAX_PARAMETERS};
use super::json::{Form, Given, JsonReader, List, Schemas, Text, Whole, object};
use super::limits::{
    DEFAULT_GRACE, MAX_ACCEPTED, MAX_ATTEMPTS, MAX_BYTES, MAX_DRAWN, MAX_EXTENSIONS, MAX_FILES, MAX_FORMULAS,
    MAX_GRACE, MAX_HINTS, MAX_LINKS, MAX_PARTS, MAX_QUESTIONS, MAX_TAGS, MAX_TIME_LIMIT, MAX_UNITS, MAX_WORDS,
    MIN_TIME_LIMIT,
};
use super::model::{Checking, Kind, Question, Quiz, Release, Reveal, Source};
use super::number::Points;
use super::problem::Problem;
use super::rubric::RubricWrite;
use super::units::{Unit, check_units_together};
use super::zones::{MAX_ZONES, PictureWrite, ZoneWrite};
use crate::content;
use kurso_base::error::Result;
use parts::{BlankWrite, ItemWrite, OptionWrite, PairWrite, ParameterWrite, UnitWrite};
use question::QuestionType;
pub use question::QuestionWrite;
pub(super) use values::PartId;
pub use values::RichText;
use values::{Extension, Pattern, RichTextWithBlanks, Tag, Tolerance};

mod parts;
mod question;
mod values;

/// Reads a quiz; errors are located below `["body", "quiz"]`. Ignores unknown fields, generates missing ids and fills in
/// defaults. Null is the quiz of a new page.
pub fn read(value: &Value) -> Result<Quiz> {
    if value.is_null() {
        return Ok(Quiz::default());
    }
    let mut reader = JsonReader::default();
    let at = At::BODY.name("quiz");
    let quiz = QuizWrite::read(&mut reader, &at, value).unwrap_or_default();
    let quiz = reader.problems.finish(quiz)?;
    let formulas = quiz.questions.iter().filter(|question| question.kind.is_formula());
    let problem = match () {
        () if formulas.count() > MAX_FORMULAS => Problem::ManyFormulas,
        () if quiz.to_text()?.len() > MAX_BYTES => Problem::TooLarge,
        () => return Ok(quiz),
    };
    let mut problems = Problems::default();
    problems.refuse(&at, "value_error", problem.message(), &Value::Null);
    problems.finish(quiz)
}

/// The schemas of an author's quiz; the quiz itself is `QuizWrite`.
pub fn quiz_schemas() -> Schemas {
    let mut schemas = Schemas::default();
    QuizWrite::add_schemas(&mut schemas);
    schemas
}

object! {
    /// A quiz of at most 2 MiB and 500 questions, including those that its draws take. On a published page it must be complete.
    QuizWrite -> Quiz {
        pass_percent: Given<Whole<u8, 0, 100>> = Quiz::default().pass_percent,
        /// Null or absent: no limit.
        max_attempts: Option<Whole<u32, 1, { MAX_ATTEMPTS as i64 }>>,
        shuffle_questions: Given<bool> = Quiz::default().shuffle_questions,
        shuffle_options: Given<bool> = Quiz::default().shuffle_options,
        reveal: Option<Reveal>,
        release: Option<Release>,
        checking: Option<Checking>,
        /// Seconds for an attempt. Null or absent: no limit.
        time_limit_seconds: Option<Whole<u32, { MIN_TIME_LIMIT as i64 }, { MAX_TIME_LIMIT as i64 }>>,
        /// Seconds after the end of the time in which answers that were given in time are still accepted.
        grace_seconds: Given<Whole<u32, 0, { MAX_GRACE as i64 }>> = DEFAULT_GRACE,
        questions: Given<List<QuestionWrite, MAX_QUESTIONS>>,
    } => |reader, at| {
        let quiz = Quiz {
            pass_percent,
            max_attempts,
            shuffle_questions,
            shuffle_options,
            reveal: reveal.unwrap_or(Quiz::default().reveal),
            release: release.unwrap_or_default(),
            checking: checking.unwrap_or_default(),
            time_limit_seconds,
            grace_seconds,
            full_points: vec![],
            questions: questions.unwrap_or_default(),
        };
        let rule = check_count(quiz.question_count(), MAX_QUESTIONS);
        reader.problems.holds(&at.name("questions"), rule, &Value::Null);
        Some(quiz)
    };

    /// The bank question of which a question of a quiz is a copy, and its version.
    SourceWrite -> Source {
        question_id: Uuid,
        version: Whole<i64, 1, { i64::MAX }>,
    } => |_reader, _at| Some(Source {
        question_id: question_id?,
        version: version?,
    });
}

/// Declares the types of questions: the name of the type, its schema, and its fields after those that all questions have.
macro_rules! questions {
    ($($type:literal $(#[doc = $doc:literal])* $name:ident {
        $(#[doc = $prompt_doc:literal])* prompt: $prompt:ty,
        $($(#[doc = $field_doc:literal])* $field:ident: $presence:ty $(= $default:expr)?,)+
    } => |$reader:ident, $at:ident| $kind:expr;)+) => {
        object! {$(
            $(#[doc = $doc])*
            $name -> Question {
                /// Generated when absent.
                id: Given<PartId>,
                $(#[doc = $prompt_doc])*
                prompt: $prompt,
                /// At most four decimal places.
                points: Given<Points> = Points::ONE,
                explanation: Option<RichText>,
                /// Shown to learners while they answer, one by one. Those that show nothing are dropped.
                hints: Given<List<RichText, MAX_HINTS>>,
                /// The bank question of which the question is a copy.
                source: Option<SourceWrite>,
                $($(#[doc = $field_doc])* $field: $presence $(= $default)?,)+
            } => |$reader, $at| Some(Question {
                id: id.unwrap_or_else(Uuid::now_v7),
                prompt: prompt.unwrap_or_else(content::empty),
                points,
                explanation,
                hints: hints.unwrap_or_default().into_iter().filter(|hint| !content::is_empty(hint)).collect(),
                source,
                kind: $kind,
            });
        )+}

        const QUESTIONS: &[QuestionType] = &[$(QuestionType {
            name: $type,
            schema: stringify!($name),
            read: $name::read,
            add_schemas: $name::add_schemas,
        }),+];
    };
}

questions! {
    "single_choice"
    /// A single choice question: one option is correct. With weights, an option earns its own.
    SingleChoiceWrite {
        prompt: RichText,
        options: Option<List<OptionWrite, MAX_PARTS>>,
    } => |_reader, _at| Kind::SingleChoice { options: Choice::list(options.unwrap_or_default()) };

    "multiple_choice"
    /// A multiple choice question. Score: correct choices minus wrong choices, divided by the number of correct options. With weights: those of the
    /// choices, divided by the sum of the positive ones.
    MultipleChoiceWrite {
        prompt: RichText,
        options: Option<List<OptionWrite, MAX_PARTS>>,
        /// Whether only exactly the correct options earn points; excludes weights.
        all_or_nothing: Given<bool> = false,
    } => |reader, at| {
        let options = Choice::list(options.unwrap_or_default());
        let rule = check_scoring(&options, all_or_nothing);
        reader.problems.holds(&at.name("all_or_nothing"), rule, &json!(all_or_nothing));
        Kind::MultipleChoice { options, all_or_nothing }
    };

    "short_text"
    /// A short text question.
    ShortTextWrite {
        prompt: RichText,
        accepted: Option<List<Text<MAX_ACCEPTED>, MAX_PARTS>>,
        case_sensitive: Given<bool> = false,
        /// Regular expression that must match the whole answer.
        regex: Option<Pattern>,
    } => |reader, at| {
        if let Some(regex) = &regex {
            let rule = check_regex(regex, case_sensitive);
            reader.problems.holds(&at.name("regex"), rule, &json!(regex));
        }
        Kind::ShortText {
            accepted: accepted.unwrap_or_default(),
            case_sensitive,
            regex: regex.filter(|regex| !regex.is_empty()),
        }
    };

    "numeric"
    /// A numeric question.
    NumericWrite {
        prompt: RichText,
        value: Option<Number>,
        /// Allowed absolute deviation, inclusive. Default: 0.
        tolerance: Option<Tolerance>,
        /// Allowed deviation as a percentage of the value; excludes `tolerance`.
        tolerance_percent: Option<Tolerance>,
        /// The units of answers, the first one with the factor 1. Empty or absent: answers have no unit.
        units: Given<List<UnitWrite, MAX_UNITS>>,
    } => |reader, at| {
        let units = units.unwrap_or_default();
        hold_number_rules(&mut reader.problems, at, (tolerance.as_ref(), tolerance_percent.as_ref()), &units);
        Kind::Numeric {
            value,
            tolerance: tolerance.unwrap_or_else(|| Number::from(0)),
            tolerance_percent,
            units,
        }
    };

    "formula"
    /// A numeric question with parameters: each attempt gets its own values for them, and an expression computes the right answer.
    FormulaWrite {
        /// `{name}` is replaced by the value of a parameter, also in LaTeX and in the explanation; `{{name}}` shows `{name}`.
        prompt: RichText,
        parameters: Option<List<ParameterWrite, MAX_PARAMETERS>>,
        /// The right answer: numbers, parameters, `+ - * / ^`, parentheses, `pi`, `e`, and the functions `sqrt`, `sin`, `cos`, `tan` (radians),
        /// `ln`, `log10`, `exp`, `abs`, `round`, `floor`, `ceil`, `min`, `max`.
        expression: Option<Text<MAX_EXPRESSION>>,
        /// Allowed absolute deviation, inclusive. Default: 0.
        tolerance: Option<Tolerance>,
        /// Allowed deviation as a percentage of the right answer; excludes `tolerance`.
        tolerance_percent: Option<Tolerance>,
        /// As those of a numeric question.
        units: Given<List<UnitWrite, MAX_UNITS>>,
    } => |reader, at| {
        let units = units.unwrap_or_default();
        hold_number_rules(&mut reader.problems, at, (tolerance.as_ref(), tolerance_percent.as_ref()), &units);
        Kind::Formula {
            parameters: parameters.unwrap_or_default(),
            expression: expression.unwrap_or_default(),
            tolerance: tolerance.unwrap_or_else(|| Number::from(0)),
            tolerance_percent,
            units,
        }
    };

    "matching"
    /// A matching question.
    MatchingWrite {
        prompt: RichText,
        pairs: Option<List<PairWrite, MAX_PARTS>>,
    } => |_reader, _at| Kind::Matching { pairs: pairs.unwrap_or_default() };

    "ordering"
    /// An ordering question.
    OrderingWrite {
        prompt: RichText,
        /// In the correct order.
        items: Option<List<ItemWrite, MAX_PARTS>>,
    } => |_reader, _at| Kind::Ordering { items: items.unwrap_or_default() };

    "hotspot"
    /// A question that is answered by marking places on a picture.
    HotspotWrite {
        prompt: RichText,
        /// A document with one image and nothing else.
        picture: Option<PictureWrite>,
        /// Where the right places are.
        zones: Option<List<ZoneWrite, MAX_ZONES>>,
        /// Whether a place is to be marked in each zone. Score: zones with a place of their own, divided by all zones. Otherwise there is one
        /// place, in any of them.
        mark_all: Given<bool> = false,
        /// Whether only a place in each zone earns points. Has no effect without `mark_all`.
        all_or_nothing: Given<bool> = false,
    } => |_reader, _at| Kind::Hotspot { picture, zones: zones.unwrap_or_default(), mark_all, all_or_nothing };

    "fill_blank"
    /// A fill-in-the-blanks question.
    FillBlankWrite {
        prompt: Option<RichText>,
        /// Text with `blank` nodes.
        text: Option<RichTextWithBlanks>,
        blanks: Option<List<BlankWrite, MAX_PARTS>>,
    } => |_reader, _at| Kind::FillBlank {
        text: text.unwrap_or_else(content::empty),
        blanks: blanks.unwrap_or_default(),
    };

    "essay"
    /// An open question: a person grades the answer.
    EssayWrite {
        prompt: RichText,
        /// Minimum number of words of an answer.
        min_words: Option<Whole<u32, 0, { MAX_WORDS as i64 }>>,
        /// Maximum number of words of an answer.
        max_words: Option<Whole<u32, 1, { MAX_WORDS as i64 }>>,
        /// A note for graders, which learners never see.
        guide: Option<RichText>,
        rubric: Option<RubricWrite>,
    } => |reader, at| {
        reader.problems.holds(&at.name("max_words"), check_words(min_words, max_words), &Value::Null);
        Kind::Essay { min_words, max_words, guide, rubric }
    };

    "file_upload"
    /// An open question that is answered with files: a person grades them.
    FileUploadWrite {
        prompt: RichText,
        /// The most files of an answer.
        max_files: Given<Whole<u32, 1, { MAX_FILES as i64 }>> = 1,
        /// The accepted file extensions, such as `pdf`. Empty or absent: any file.
        extensions: Option<List<Extension, MAX_EXTENSIONS>>,
        /// A note for graders, which learners never see.
        guide: Option<RichText>,
        rubric: Option<RubricWrite>,
    } => |_reader, _at| Kind::FileUpload {
        max_files,
        extensions: extensions.unwrap_or_default(),
        guide,
        rubric,
    };

    "hand_in"
    /// The only question of an assignment. Its answer is a text, files and links, as far as it takes them: a person grades it.
    HandInWrite {
        /// Usually empty: the content of the page has the instructions.
        prompt: Option<RichText>,
        takes_text: Given<bool> = true,
        /// Minimum number of words of a text.
        min_words: Option<Whole<u32, 0, { MAX_WORDS as i64 }>>,
        /// Maximum number of words of a text.
        max_words: Option<Whole<u32, 1, { MAX_WORDS as i64 }>>,
        /// The most files of an answer. 0: it takes no files.
        max_files: Given<Whole<u32, 0, { MAX_FILES as i64 }>> = 0,
        /// The accepted file extensions, such as `pdf`. Empty or absent: any file.
        extensions: Option<List<Extension, MAX_EXTENSIONS>>,
        /// The most links of an answer. 0: it takes no links.
        max_links: Given<Whole<u32, 0, { MAX_LINKS as i64 }>> = 0,
        /// A note for graders, which learners never see.
        guide: Option<RichText>,
        rubric: Option<RubricWrite>,
    } => |reader, at| {
        reader.problems.holds(&at.name("max_words"), check_words(min_words, max_words), &Value::Null);
        Kind::HandIn {
            takes_text,
            min_words,
            max_words,
            max_files,
            extensions: extensions.unwrap_or_default(),
            max_links,
            guide,
            rubric,
        }
    };

    "draw"
    /// A number of questions that each attempt draws at random from a bank. Each of them is worth `points`; prompt, explanation, hints and source are ignored.
    DrawWrite {
        prompt: Option<RichText>,
        /// A bank that the author can read.
        bank_id: Uuid,
        /// Only questions with all of these tags are drawn.
        tags: Option<List<Tag, MAX_TAGS>>,
        /// How many questions are drawn.
        count: Given<Whole<u32, 1, { MAX_DRAWN as i64 }>> = 1,
    } => |_reader, _at| Kind::Draw {
        bank_id: bank_id?,
        tags: distinct_tags(tags.unwrap_or_default()),
        count,
        pool: vec![],
    };
}

/// Reports the rules that a numeric or formula question breaks as a whole.
fn hold_number_rules(
    problems: &mut Problems,
    at: &At<'_>,
    (tolerance, percent): (Option<&Number>, Option<&Number>),
    units: &[Unit],
) {
    let rule = check_one_tolerance(tolerance, percent);
    problems.holds(&at.name("tolerance_percent"), rule, &Value::Null);
    problems.holds(&at.name("units"), check_units_together(units), &Value::Null);
}

/// The text as a document of one paragraph that keeps the line breaks.
pub fn paragraph(text: &str) -> Value {
    let mut nodes = Vec::new();
    for (i, line) in text.lines().enumerate() {
        if i > 0 {
            nodes.push(json!({ "type": "hardBreak" }));
        }
        if !line.is_empty() {
            nodes.push(json!({ "type": "text", "text": line }));
        }
    }
    let mut paragraph = json!({ "type": "paragraph" });
    if let (Some(map), false) = (paragraph.as_object_mut(), nodes.is_empty()) {
        map.insert("content".to_owned(), Value::Array(nodes));
    }
    json!({ "type": "doc", "content": [paragraph] })
}

#[cfg(test)]
mod tests;
