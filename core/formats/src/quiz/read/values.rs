//! The values in a quiz as its author writes it: documents, points, ids.

use serde_json::{Number, Value, json};
use uuid::Uuid;

use super::paragraph;
use crate::content;
use crate::quiz::check::{
    bare_extension, bare_tag, check_extension, check_tag, check_tolerance, check_value, of_document,
};
use crate::quiz::fields::At;
use crate::quiz::formula::MAX_VALUE;
use crate::quiz::json::{Form, JsonReader, Schemas, Text, described, reference};
use crate::quiz::limits::{MAX_EXTENSION, MAX_PATTERNS, MAX_REGEX, MAX_TAG};
use crate::quiz::model::{Checking, Release, Reveal};
use crate::quiz::number::Points;
use crate::quiz::problem::Problem;
use crate::quiz::units::{MAX_UNIT_NAME, check_factor, check_unit_name};
use crate::quiz::weight::Weight;
use kurso_base::error::Result;

const REVEALS: &[(&str, Reveal)] = &[
    ("after_submit", Reveal::AfterSubmit),
    ("after_pass", Reveal::AfterPass),
    ("never", Reveal::Never),
];

impl Form for Reveal {
    type Value = Reveal;

    fn read(reader: &mut JsonReader, at: &At<'_>, value: &Value) -> Option<Reveal> {
        reader.problems.name(at, value, REVEALS)
    }

    fn schema() -> Value {
        let names: Vec<&str> = REVEALS.iter().map(|(name, _)| *name).collect();
        let doc = [
            "When learners see explanations and correct answers: after every attempt, after an attempt has passed, or never. `never` also",
            "hides which answers were correct. Default: `after_pass`.",
        ];
        described(json!({"type": "string", "enum": names}), &doc)
    }
}

const RELEASES: &[(&str, Release)] = &[("at_once", Release::AtOnce), ("together", Release::Together)];

impl Form for Release {
    type Value = Release;

    fn read(reader: &mut JsonReader, at: &At<'_>, value: &Value) -> Option<Release> {
        reader.problems.name(at, value, RELEASES)
    }

    fn schema() -> Value {
        let names: Vec<&str> = RELEASES.iter().map(|(name, _)| *name).collect();
        let doc = [
            "When learners see the points and comments of answers to open questions: as soon as each is graded, or when staff release",
            "those of the whole quiz together. Default: `at_once`.",
        ];
        described(json!({"type": "string", "enum": names}), &doc)
    }
}

const CHECKINGS: &[(&str, Checking)] = &[("at_end", Checking::AtEnd), ("each_question", Checking::EachQuestion)];

impl Form for Checking {
    type Value = Checking;

    fn read(reader: &mut JsonReader, at: &At<'_>, value: &Value) -> Option<Checking> {
        reader.problems.name(at, value, CHECKINGS)
    }

    fn schema() -> Value {
        let names: Vec<&str> = CHECKINGS.iter().map(|(name, _)| *name).collect();
        let doc = [
            "When answers are checked: all together when the attempt is submitted, or each question when the learner asks for it during the",
            "attempt, after which its answer is fixed. Assignments ignore it. Default: `at_end`.",
        ];
        described(json!({"type": "string", "enum": names}), &doc)
    }
}

impl Form for Points {
    type Value = Points;

    fn read(reader: &mut JsonReader, at: &At<'_>, value: &Value) -> Option<Points> {
        let points = value.as_number().and_then(Points::new);
        if points.is_none() {
            let message = Problem::BadPoints.message();
            reader.problems.refuse(at, "value_error", message, value);
        }
        points
    }

    fn schema() -> Value {
        json!({"type": "number", "format": "double", "minimum": 0, "maximum": Points::MAX})
    }
}

impl Form for Weight {
    type Value = Weight;

    fn read(reader: &mut JsonReader, at: &At<'_>, value: &Value) -> Option<Weight> {
        let weight = value.as_number().and_then(Weight::new);
        if weight.is_none() {
            let message = Problem::BadWeight.message();
            reader.problems.refuse(at, "value_error", message, value);
        }
        weight
    }

    fn schema() -> Value {
        json!({"type": "number", "format": "double", "minimum": -Weight::MAX, "maximum": Weight::MAX})
    }
}

/// A number that is not negative.
pub struct Tolerance;

impl Form for Tolerance {
    type Value = Number;

    fn read(reader: &mut JsonReader, at: &At<'_>, value: &Value) -> Option<Number> {
        let number = reader.problems.number(at, value)?;
        reader.problems.holds(at, check_tolerance(&number), value);
        Some(number)
    }

    fn schema() -> Value {
        json!({"type": "number", "format": "double", "minimum": 0})
    }
}

/// The name of a unit, without spaces at its ends.
pub struct UnitName;

impl Form for UnitName {
    type Value = String;

    fn read(reader: &mut JsonReader, at: &At<'_>, value: &Value) -> Option<String> {
        let name = reader.problems.string(at, value)?.trim().to_owned();
        reader.problems.holds(at, check_unit_name(&name), value).then_some(name)
    }

    fn schema() -> Value {
        json!({"type": "string", "minLength": 1, "maxLength": MAX_UNIT_NAME})
    }
}

/// The factor of a unit.
pub struct Factor;

impl Form for Factor {
    type Value = Number;

    fn read(reader: &mut JsonReader, at: &At<'_>, value: &Value) -> Option<Number> {
        let factor = reader.problems.number(at, value)?;
        reader
            .problems
            .holds(at, check_factor(&factor), value)
            .then_some(factor)
    }

    fn schema() -> Value {
        json!({"type": "number", "format": "double", "exclusiveMinimum": 0})
    }
}

/// The minimum or maximum of a parameter.
pub struct Bound;

impl Form for Bound {
    type Value = Number;

    fn read(reader: &mut JsonReader, at: &At<'_>, value: &Value) -> Option<Number> {
        let number = reader.problems.number(at, value)?;
        reader.problems.holds(at, check_value(&number), value).then_some(number)
    }

    fn schema() -> Value {
        let most = i64::from(MAX_VALUE);
        json!({"type": "number", "format": "double", "minimum": -most, "maximum": most})
    }
}

/// A regular expression, which is not compiled here.
pub struct Pattern;

impl Form for Pattern {
    type Value = String;

    fn read(reader: &mut JsonReader, at: &At<'_>, value: &Value) -> Option<String> {
        let pattern = Text::<MAX_REGEX>::read(reader, at, value)?;
        reader.patterns += 1;
        if reader.patterns > MAX_PATTERNS {
            let message = Problem::ManyRegexes.message();
            reader.problems.refuse(at, "value_error", message, value);
            return None;
        }
        Some(pattern)
    }

    fn schema() -> Value {
        Text::<MAX_REGEX>::schema()
    }
}

/// A file extension. A leading dot and capital letters are accepted.
pub struct Extension;

impl Form for Extension {
    type Value = String;

    fn read(reader: &mut JsonReader, at: &At<'_>, value: &Value) -> Option<String> {
        let text = reader.problems.string(at, value)?;
        let extension = bare_extension(&text);
        reader.problems.holds(at, check_extension(&extension), value);
        Some(extension)
    }

    fn schema() -> Value {
        json!({"type": "string", "minLength": 1, "maxLength": MAX_EXTENSION + 1, "pattern": "^[.]?[A-Za-z0-9]+$"})
    }
}

/// A tag of bank questions, normalised by [`bare_tag`].
pub struct Tag;

impl Form for Tag {
    type Value = String;

    fn read(reader: &mut JsonReader, at: &At<'_>, value: &Value) -> Option<String> {
        let tag = bare_tag(&reader.problems.string(at, value)?);
        reader.problems.holds(at, check_tag(&tag), value).then_some(tag)
    }

    fn schema() -> Value {
        json!({"type": "string", "minLength": 1, "maxLength": MAX_TAG})
    }
}

/// The id of a question or of a part of one, which may stand in its list once.
pub struct PartId;

impl Form for PartId {
    type Value = Uuid;

    fn read(reader: &mut JsonReader, at: &At<'_>, value: &Value) -> Option<Uuid> {
        let id = reader.problems.uuid(at, value)?;
        if reader.ids.last_mut().is_some_and(|ids| !ids.insert(id)) {
            let message = Problem::RepeatedId.message();
            reader.problems.refuse(at, "value_error", message, value);
        }
        Some(id)
    }

    fn schema() -> Value {
        Uuid::schema()
    }
}

/// A document, or a string, which becomes one paragraph.
pub struct RichText;

impl Form for RichText {
    type Value = Value;

    fn read(reader: &mut JsonReader, at: &At<'_>, value: &Value) -> Option<Value> {
        document(reader, at, value, content::validate)
    }

    fn schema() -> Value {
        reference("RichText")
    }

    fn add_schemas(to: &mut Schemas) {
        let document = json!({"type": "object"});
        to.insert("RichDocument", described(document, &["A ProseMirror document."]));
        let either = json!({"oneOf": [{"type": "string"}, reference("RichDocument")]});
        let doc = "A ProseMirror document, or a string, which is taken as one paragraph.";
        to.insert("RichText", described(either, &[doc]));
    }
}

/// A document that may have `blank` nodes.
pub struct RichTextWithBlanks;

impl Form for RichTextWithBlanks {
    type Value = Value;

    fn read(reader: &mut JsonReader, at: &At<'_>, value: &Value) -> Option<Value> {
        let mut text = document(reader, at, value, content::validate_with_blanks)?;
        content::normalize_blanks(&mut text);
        Some(text)
    }

    fn schema() -> Value {
        RichText::schema()
    }

    fn add_schemas(to: &mut Schemas) {
        RichText::add_schemas(to);
    }
}

fn document(
    reader: &mut JsonReader,
    at: &At<'_>,
    value: &Value,
    check: fn(&Value) -> Result<(), content::ContentError>,
) -> Option<Value> {
    let made = value.as_str().map(paragraph);
    let document = made.as_ref().unwrap_or(value);
    match check(document) {
        Ok(()) => Some(document.clone()),
        Err(error) => {
            let mut problem = of_document(error);
            if made.is_some() {
                problem.inside.clear();
            }
            reader.problems.add(at, problem, value);
            None
        }
    }
}
