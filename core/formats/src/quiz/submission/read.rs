//! Reads the JSON of a submission. The ids and the lengths of texts are checked when the answers are compared with the quiz.

use serde_json::{Value, json};
use uuid::Uuid;

use super::{AnswerDraft, FilledBlankDraft, MAX_TEXT, MatchDraft, Submission};
use crate::quiz::fields::At;
use crate::quiz::json::{Form, JsonReader, List, Schemas, Text, Whole, described, object, one_of, reference};
use crate::quiz::model::{MAX_FILES, MAX_PARTS, MAX_QUESTIONS};
use crate::quiz::read::RichText;

/// The schemas of a submission; the submission itself is `SubmitQuiz`.
pub fn submission_schemas() -> Schemas {
    let mut schemas = Schemas::default();
    SubmitQuiz::add_schemas(&mut schemas);
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
    } => |_reader, _at| Some(Submission { answers: answers.unwrap_or_default(), submission_id, version });

    /// A left side and the right side that was assigned to it.
    MatchedPair -> MatchDraft {
        left_id: SentId,
        right_id: SentId,
    } => |_reader, _at| Some(MatchDraft { left_id: left_id?, right_id: right_id? });
}

one_of! {
    /// An answer; its fields depend on the type of the question.
    QuizAnswer -> AnswerDraft {
        question_id: SentId,
    }
    /// Answer to `single_choice` (at most one ID) and `multiple_choice`.
    ChoiceAnswer { option_ids: List<SentId, MAX_PARTS> }
    /// Answer to `short_text`.
    TextAnswer { text: SentText }
    /// Answer to `numeric`.
    NumberAnswer { number: WrittenNumber }
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
    => |_reader, _at| Some(AnswerDraft {
        question_id: question_id?,
        option_ids,
        text,
        number,
        pairs,
        order,
        blanks,
        content,
        file_ids,
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
struct SentId;

impl Form for SentId {
    type Value = String;

    fn read(reader: &mut JsonReader, at: &At<'_>, value: &Value) -> Option<String> {
        reader.problems.string(at, value)
    }

    fn schema() -> Value {
        Uuid::schema()
    }
}

/// A document as it was sent.
struct SentDocument;

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
