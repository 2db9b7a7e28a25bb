//! A question as its author writes it: one of several types.

use serde_json::{Value, json};

use super::{PartId, QUESTIONS, RichText};
use crate::content;
use crate::quiz::fields::At;
use crate::quiz::json::{
    Form, Given, JsonReader, Schemas, add_discriminator, described, object, one_of_schemas, reference,
};
use crate::quiz::model::Question;
use crate::quiz::number::Points;
use crate::quiz::problem::Problem;

/// A type of question.
#[derive(Clone, Copy)]
pub(super) struct QuestionType {
    pub name: &'static str,
    pub schema: &'static str,
    pub read: fn(&mut JsonReader, &At<'_>, &Value) -> Option<Question>,
    pub add_schemas: fn(&mut Schemas),
}

/// A question with its answer key: one of [`QUESTIONS`] by its `type`.
pub struct QuestionWrite;

impl Form for QuestionWrite {
    type Value = Question;

    fn read(reader: &mut JsonReader, at: &At<'_>, value: &Value) -> Option<Question> {
        let sent = value.get("type").and_then(Value::as_str);
        match QUESTIONS.iter().find(|question| Some(question.name) == sent) {
            Some(question) => (question.read)(reader, at, value).map(plain_draw),
            None => UntypedQuestion::read(reader, at, value),
        }
    }

    fn schema() -> Value {
        reference("QuestionWrite")
    }

    fn add_schemas(to: &mut Schemas) {
        for question in QUESTIONS {
            (question.add_schemas)(to);
            if let Some(schema) = to.get_mut(question.schema) {
                add_discriminator(schema, "type", question.name);
            }
        }
        let schema = one_of_schemas(
            "type",
            QUESTIONS.iter().map(|question| (question.name, question.schema)),
        );
        to.insert("QuestionWrite", described(schema, &["A question with its answer key."]));
    }
}

object! {
    /// A question without a known type, which is read for its problems.
    UntypedQuestion -> Question {
        id: Given<PartId>,
        r#type: UnknownType,
        prompt: RichText,
        points: Given<Points>,
        explanation: Option<RichText>,
    } => |_reader, _at| {
        let _ = (id, r#type, prompt, points, explanation);
        None
    };
}

/// The `type` of a question that has none of the known ones.
struct UnknownType;

impl Form for UnknownType {
    type Value = ();

    fn read(reader: &mut JsonReader, at: &At<'_>, value: &Value) -> Option<()> {
        let names = QUESTIONS.iter().map(|question| question.name).collect();
        reader
            .problems
            .refuse(at, "literal_error", Problem::OneOf(names).message(), value);
        None
    }

    fn schema() -> Value {
        json!({"type": "string"})
    }
}

/// Clears the fields of a draw that only other questions have.
fn plain_draw(question: Question) -> Question {
    match question.kind.is_draw() {
        true => Question {
            prompt: content::empty(),
            explanation: None,
            hints: vec![],
            source: None,
            ..question
        },
        false => question,
    }
}
