//! A question as its author writes it: one of several types.

use serde_json::{Value, json};

use super::{PartId, QUESTIONS, RichText};
use crate::content;
use crate::quiz::fields::At;
use crate::quiz::json::{Form, Given, JsonReader, Schemas, described, object, reference, set};
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
                add_type(schema, question.name);
            }
        }
        let references: Vec<Value> = QUESTIONS.iter().map(|question| reference(question.schema)).collect();
        let mapping: serde_json::Map<String, Value> = QUESTIONS
            .iter()
            .map(|question| {
                let target = format!("#/components/schemas/{}", question.schema);
                (question.name.to_owned(), target.into())
            })
            .collect();
        let discriminator = json!({"propertyName": "type", "mapping": mapping});
        let schema = json!({"oneOf": references, "discriminator": discriminator});
        to.insert("QuestionWrite", described(schema, &["A question with its answer key."]));
    }
}

/// Adds the field `type` to the schema of a question.
fn add_type(schema: &mut Value, name: &str) {
    let required = schema.get("required").and_then(Value::as_array);
    let required: Vec<Value> = [json!("type")]
        .into_iter()
        .chain(required.cloned().into_iter().flatten())
        .collect();
    set(schema, "required", json!(required));
    if let Some(properties) = schema.get_mut("properties") {
        set(properties, "type", json!({"type": "string", "enum": [name]}));
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
