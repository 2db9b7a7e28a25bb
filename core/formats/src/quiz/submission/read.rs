//! Reads the JSON of a submission. The ids and the lengths of texts are checked when the answers are compared with the quiz.

use serde_json::{Number, Value, json};
use uuid::Uuid;

use super::{AnswerDraft, FilledBlankDraft, MAX_TEXT, MatchDraft, PlaceDraft, Submission};
use crate::quiz::fields::At;
use crate::quiz::hand_in::MAX_LINK;
use crate::quiz::json::{Form, JsonReader, List, Schemas, Text, Whole, described, object, one_of, reference, set};
use crate::quiz::limits::{MAX_FILES, MAX_LINKS, MAX_PARTS, MAX_QUESTIONS};
use crate::quiz::read::RichText;
use crate::quiz::seconds::Seconds;
use crate::quiz::zones::{Coordinate, MAX_ZONES};

/// The schemas of a submission; the submission itself is `SubmitQuiz`.
pub fn submission_schemas() -> Schemas {
    let mut schemas = Schemas::default();
    SubmitQuiz::add_schemas(&mut schemas);
    let of = |name: &str| schemas.get(name).and_then(|schema| schema.get("properties")).cloned();
    let (text, files) = (of("EssayAnswer"), of("FilesAnswer"));
    if let Some(properties) = schemas
        .get_mut("HandInAnswer")
        .and_then(|schema| schema.get_mut("properties"))
    {
        for (name, from) in [("content", text), ("file_ids", files)] {
            let schema = from.and_then(|mut from| from.get_mut(name).map(Value::take));
            set(properties, name, schema.unwrap_or_default());
        }
    }
    // An answer to an assignment may have the fields of several others.
    if let Some(Value::Object(answer)) = schemas.get_mut("QuizAnswer")
        && let Some(answers) = answer.remove("oneOf")
    {
        answer.insert("anyOf".to_owned(), answers);
    }
    schemas
}

object! {
    /// Answers to a quiz. A question without an answer scores 0.
    SubmitQuiz -> Submission {
        answers: List<QuizAnswer, MAX_QUESTIONS>,
        /// Client-generated ID of this submission. When it is sent again, the response is the same attempt.
        submission_id: Option<Uuid>,
        /// Version of the page that was answered. If the page has changed since, the response is 409.
        version: Option<Whole<i64, 1, { i64::MAX }>>,
        /// `attempt_no` of the quiz that was answered. If the next attempt has another number, and so other values in its formula questions, the
        /// response is 409.
        attempt_no: Option<Whole<i64, 1, { i64::MAX }>>,
    } => |_reader, _at| Some(Submission { answers: answers.unwrap_or_default(), submission_id, version, attempt_no });

    /// A left side and the right side that was assigned to it.
    MatchedPair -> MatchDraft {
        left_id: SentId,
        right_id: SentId,
    } => |_reader, _at| Some(MatchDraft { left_id: left_id?, right_id: right_id? });

    /// A place that was marked on a picture, in percent of its width and height, with at most three decimal places.
    MarkedPlace -> PlaceDraft {
        x: SentCoordinate,
        y: SentCoordinate,
    } => |_reader, _at| Some(PlaceDraft { x: x?, y: y? });
}

one_of! {
    /// An answer; its fields depend on the type of the question.
    QuizAnswer -> AnswerDraft {
        question_id: SentId,
        /// Seconds that the learner has spent on the question in this attempt so far, with at most one decimal place.
        seconds: Option<SentSeconds>,
    }
    /// Answer to `single_choice` (at most one ID) and `multiple_choice`.
    ChoiceAnswer { option_ids: List<SentId, MAX_PARTS> }
    /// Answer to `short_text`.
    TextAnswer { text: SentText }
    /// Answer to `numeric`, the type as which learners also see formula questions. If the question has units, `unit` is the name of one.
    NumberAnswer { number: WrittenNumber, unit: Option<SentText> }
    /// Answer to `matching`.
    MatchingAnswer { pairs: List<MatchedPair, MAX_PARTS> }
    /// Answer to `ordering`: the items, first to last.
    OrderingAnswer { order: List<SentId, MAX_PARTS> }
    /// Answer to `fill_blank`.
    BlanksAnswer { blanks: List<FilledBlank, MAX_PARTS> }
    /// Answer to `essay`: a document without files, or a text, of at most 256 KiB.
    EssayAnswer { content: SentDocument }
    /// Answer to `file_upload`: IDs that `upload_answer_file` returned.
    FilesAnswer { file_ids: List<SentId, { MAX_FILES as usize }> }
    /// Answer to `hand_in`: at least one of `content` and `file_ids`, as in the other answers, and `links`.
    HandInAnswer { links: List<SentLink, { MAX_LINKS as usize }> }
    /// Answer to `hotspot`: at most `max_places` places.
    HotspotAnswer { places: List<MarkedPlace, MAX_ZONES> }
    => |_reader, _at| Some(AnswerDraft {
        question_id: question_id?,
        option_ids,
        text,
        number,
        unit,
        pairs,
        order,
        blanks,
        content,
        file_ids,
        links,
        places,
        seconds,
    });
}

one_of! {
    FilledBlank -> FilledBlankDraft {
        blank_id: SentId,
    }
    /// A blank that takes free text.
    TypedBlank { text: SentText }
    /// A blank with options to choose from.
    ChosenBlank { option_id: SentId }
    => |_reader, _at| Some(FilledBlankDraft { blank_id: blank_id?, text, option_id });
}

/// An id as it was sent.
pub(super) struct SentId;

impl Form for SentId {
    type Value = String;

    fn read(reader: &mut JsonReader, at: &At<'_>, value: &Value) -> Option<String> {
        reader.problems.string(at, value)
    }

    fn schema() -> Value {
        Uuid::schema()
    }
}

/// A coordinate as it was sent.
struct SentCoordinate;

impl Form for SentCoordinate {
    type Value = Number;

    fn read(reader: &mut JsonReader, at: &At<'_>, value: &Value) -> Option<Number> {
        reader.problems.number(at, value)
    }

    fn schema() -> Value {
        Coordinate::schema()
    }
}

/// The time on a question as it was sent.
pub(super) struct SentSeconds;

impl Form for SentSeconds {
    type Value = Number;

    fn read(reader: &mut JsonReader, at: &At<'_>, value: &Value) -> Option<Number> {
        reader.problems.number(at, value)
    }

    fn schema() -> Value {
        json!({"type": "number", "format": "double", "minimum": 0, "maximum": Seconds::MAX})
    }
}

/// A document as it was sent.
pub(super) struct SentDocument;

impl Form for SentDocument {
    type Value = Value;

    fn read(_reader: &mut JsonReader, _at: &At<'_>, value: &Value) -> Option<Value> {
        Some(value.clone())
    }

    fn schema() -> Value {
        RichText::schema()
    }

    fn add_schemas(to: &mut Schemas) {
        RichText::add_schemas(to);
    }
}

/// A text as it was sent.
struct SentText;

impl Form for SentText {
    type Value = String;

    fn read(reader: &mut JsonReader, at: &At<'_>, value: &Value) -> Option<String> {
        reader.problems.string(at, value)
    }

    fn schema() -> Value {
        Text::<MAX_TEXT>::schema()
    }
}

/// A link as it was sent.
pub(super) struct SentLink;

impl Form for SentLink {
    type Value = String;

    fn read(reader: &mut JsonReader, at: &At<'_>, value: &Value) -> Option<String> {
        reader.problems.string(at, value)
    }

    fn schema() -> Value {
        Text::<MAX_LINK>::schema()
    }
}

/// A number, or a text with a decimal comma or point.
struct WrittenNumber;

impl Form for WrittenNumber {
    type Value = String;

    fn read(reader: &mut JsonReader, at: &At<'_>, value: &Value) -> Option<String> {
        match value {
            Value::Number(number) => Some(number.to_string()),
            _ => reader.problems.string(at, value),
        }
    }

    fn schema() -> Value {
        reference("WrittenNumber")
    }

    fn add_schemas(to: &mut Schemas) {
        let either = json!({"oneOf": [{"type": "string"}, serde_json::Number::schema()]});
        let doc = "A number, or a text with a decimal comma or point.";
        to.insert("WrittenNumber", described(either, &[doc]));
    }
}
