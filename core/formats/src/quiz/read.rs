//! Reads a quiz from its author's JSON. [`super::complete`] has the additional requirements of a published quiz.

use std::collections::HashSet;

use serde_json::{Map, Number, Value, json};
use uuid::Uuid;

use super::check::{check_one_tolerance, check_regex, check_tolerance, of_document};
use super::fields::{At, Problems, given};
use super::model::{
    Blank, Choice, Filling, Item, Kind, MAX_ACCEPTED, MAX_ATTEMPTS, MAX_BYTES, MAX_PARTS, MAX_PATTERNS, MAX_QUESTIONS,
    MAX_REGEX, Pair, Question, Quiz, Reveal,
};
use super::number::Points;
use super::problem::Problem;
use crate::content;
use kurso_base::error::Result;

/// Reads a quiz; errors are located below `["body", "quiz"]`. Ignores unknown fields, generates missing ids and fills in
/// defaults. Null is the quiz of a new page.
pub fn read(value: &Value) -> Result<Quiz> {
    if value.is_null() {
        return Ok(Quiz::default());
    }
    let mut reader = Reader::default();
    let at = At::BODY.name("quiz");
    let quiz = reader.quiz(&at, value);
    let quiz = reader.problems.finish(quiz)?;
    if quiz.to_text()?.len() > MAX_BYTES {
        let mut problems = Problems::default();
        problems.refuse(&at, "value_error", Problem::TooLarge.message(), &Value::Null);
        return problems.finish(quiz);
    }
    Ok(quiz)
}

const REVEALS: &[(&str, Reveal)] = &[
    ("after_submit", Reveal::AfterSubmit),
    ("after_pass", Reveal::AfterPass),
    ("never", Reveal::Never),
];

type ReadKind = fn(&mut Reader, &At<'_>, &Map<String, Value>) -> Kind;

const KINDS: &[(&str, ReadKind)] = &[
    ("single_choice", |reader, at, map| Kind::SingleChoice {
        options: reader.choices(at, map),
    }),
    ("multiple_choice", |reader, at, map| Kind::MultipleChoice {
        options: reader.choices(at, map),
    }),
    ("short_text", Reader::short_text),
    ("numeric", Reader::numeric),
    ("matching", Reader::matching),
    ("ordering", Reader::ordering),
    ("fill_blank", Reader::fill_blank),
];

#[derive(Default)]
struct Reader {
    problems: Problems,
    patterns: usize,
}

/// The ids of one list.
type Seen = HashSet<Uuid>;

impl Reader {
    fn quiz(&mut self, at: &At<'_>, value: &Value) -> Quiz {
        let mut quiz = Quiz::default();
        let Some(map) = self.problems.object(at, value) else {
            return quiz;
        };
        if let Some(value) = given(map, "pass_percent") {
            let whole = self.problems.whole(&at.name("pass_percent"), value, 0, 100);
            quiz.pass_percent = whole.and_then(|n| n.try_into().ok()).unwrap_or(quiz.pass_percent);
        }
        if let Some(value) = given(map, "max_attempts") {
            let whole = self
                .problems
                .whole(&at.name("max_attempts"), value, 1, MAX_ATTEMPTS.into());
            quiz.max_attempts = whole.and_then(|n| n.try_into().ok());
        }
        quiz.shuffle_questions = self.flag(at, map, "shuffle_questions");
        quiz.shuffle_options = self.flag(at, map, "shuffle_options");
        if let Some(value) = given(map, "reveal") {
            let reveal = self.problems.name(&at.name("reveal"), value, REVEALS);
            quiz.reveal = reveal.unwrap_or(quiz.reveal);
        }
        let at = at.name("questions");
        let mut seen = Seen::new();
        for (i, value) in self
            .problems
            .list(&at, given(map, "questions"), MAX_QUESTIONS)
            .iter()
            .enumerate()
        {
            quiz.questions.extend(self.question(&at.index(i), value, &mut seen));
        }
        quiz
    }

    fn question(&mut self, at: &At<'_>, value: &Value, seen: &mut Seen) -> Option<Question> {
        let map = self.problems.object(at, value)?;
        let id = self.id(at, map, seen).unwrap_or_else(Uuid::now_v7);
        let read_kind = match given(map, "type") {
            None => {
                self.problems.missing(&at.name("type"));
                None
            }
            Some(value) => self.problems.name(&at.name("type"), value, KINDS),
        };
        let prompt = match given(map, "prompt") {
            Some(value) => self.document(&at.name("prompt"), value),
            None => {
                // The text of a fill-in question may be enough.
                if !matches!(map.get("type").and_then(Value::as_str), Some("fill_blank")) {
                    self.problems.missing(&at.name("prompt"));
                }
                content::empty()
            }
        };
        let points = match given(map, "points") {
            None => Points::ONE,
            Some(value) => {
                let points = value.as_number().and_then(Points::new);
                if points.is_none() {
                    let at = at.name("points");
                    self.problems
                        .refuse(&at, "value_error", Problem::BadPoints.message(), value);
                }
                points.unwrap_or(Points::ONE)
            }
        };
        let explanation = given(map, "explanation").map(|value| self.document(&at.name("explanation"), value));
        let kind = read_kind?(self, at, map);
        Some(Question {
            id,
            prompt,
            points,
            explanation,
            kind,
        })
    }

    fn short_text(&mut self, at: &At<'_>, map: &Map<String, Value>) -> Kind {
        let case_sensitive = self.flag(at, map, "case_sensitive");
        let regex = given(map, "regex").and_then(|value| {
            let at = at.name("regex");
            let pattern = self.problems.text(&at, value, MAX_REGEX)?;
            self.patterns += 1;
            if self.patterns > MAX_PATTERNS {
                self.problems
                    .refuse(&at, "value_error", Problem::ManyRegexes.message(), value);
                return None;
            }
            let rule = check_regex(&pattern, case_sensitive);
            self.problems.holds(&at, rule, value);
            Some(pattern).filter(|pattern| !pattern.is_empty())
        });
        Kind::ShortText {
            accepted: self.accepted(at, map),
            case_sensitive,
            regex,
        }
    }

    fn numeric(&mut self, at: &At<'_>, map: &Map<String, Value>) -> Kind {
        let value = given(map, "value").and_then(|value| self.problems.number(&at.name("value"), value));
        let tolerance = self.tolerance(at, map, "tolerance");
        let tolerance_percent = self.tolerance(at, map, "tolerance_percent");
        let rule = check_one_tolerance(tolerance.as_ref(), tolerance_percent.as_ref());
        self.problems.holds(&at.name("tolerance_percent"), rule, &Value::Null);
        Kind::Numeric {
            value,
            tolerance: tolerance.unwrap_or_else(|| Number::from(0)),
            tolerance_percent,
        }
    }

    fn tolerance(&mut self, at: &At<'_>, map: &Map<String, Value>, name: &str) -> Option<Number> {
        let value = given(map, name)?;
        let number = self.problems.number(&at.name(name), value)?;
        self.problems.holds(&at.name(name), check_tolerance(&number), value);
        Some(number)
    }

    fn matching(&mut self, at: &At<'_>, map: &Map<String, Value>) -> Kind {
        let pairs = self.parts(at, map, "pairs", |reader, at, map, id| Pair {
            id: id.unwrap_or_else(Uuid::now_v7),
            left: reader.required_document(at, map, "left"),
            right: reader.required_document(at, map, "right"),
        });
        Kind::Matching { pairs }
    }

    fn ordering(&mut self, at: &At<'_>, map: &Map<String, Value>) -> Kind {
        let items = self.parts(at, map, "items", |reader, at, map, id| Item {
            id: id.unwrap_or_else(Uuid::now_v7),
            content: reader.required_document(at, map, "content"),
        });
        Kind::Ordering { items }
    }

    fn fill_blank(&mut self, at: &At<'_>, map: &Map<String, Value>) -> Kind {
        let text = match given(map, "text") {
            None => content::empty(),
            Some(value) => {
                let mut text = self.checked(&at.name("text"), value, content::validate_with_blanks);
                content::normalize_blanks(&mut text);
                text
            }
        };
        let blanks = self.parts(at, map, "blanks", |reader, at, map, id| {
            let filling = match (given(map, "accepted"), given(map, "options")) {
                (_, None) => Filling::Accepted(reader.accepted(at, map)),
                (None, Some(_)) => Filling::Options(reader.choices(at, map)),
                (Some(_), Some(value)) => {
                    let message = Problem::TwoFillings.message();
                    reader
                        .problems
                        .refuse(&at.name("options"), "value_error", message, value);
                    Filling::Accepted(vec![])
                }
            };
            Blank {
                id: id.unwrap_or_else(Uuid::now_v7),
                filling,
            }
        });
        Kind::FillBlank { text, blanks }
    }

    fn choices(&mut self, at: &At<'_>, map: &Map<String, Value>) -> Vec<Choice> {
        let read = self.parts(at, map, "options", |reader, at, map, id| {
            let content = reader.required_document(at, map, "content");
            (id, content, reader.flag(at, map, "correct"))
        });
        Choice::list(read)
    }

    fn accepted(&mut self, at: &At<'_>, map: &Map<String, Value>) -> Vec<String> {
        let at = at.name("accepted");
        let list = self
            .problems
            .list(&at, given(map, "accepted"), MAX_PARTS)
            .iter()
            .enumerate();
        list.filter_map(|(i, value)| self.problems.text(&at.index(i), value, MAX_ACCEPTED))
            .collect()
    }

    /// Reads the objects of a list. `read` gets the id of each, if it has one.
    fn parts<T>(
        &mut self,
        at: &At<'_>,
        map: &Map<String, Value>,
        name: &str,
        read: impl Fn(&mut Self, &At<'_>, &Map<String, Value>, Option<Uuid>) -> T,
    ) -> Vec<T> {
        let at = at.name(name);
        let mut seen = Seen::new();
        let mut parts = Vec::new();
        for (i, value) in self.problems.list(&at, given(map, name), MAX_PARTS).iter().enumerate() {
            let at = at.index(i);
            if let Some(map) = self.problems.object(&at, value) {
                let id = self.id(&at, map, &mut seen);
                parts.push(read(self, &at, map, id));
            }
        }
        parts
    }

    fn id(&mut self, at: &At<'_>, map: &Map<String, Value>, seen: &mut Seen) -> Option<Uuid> {
        let value = given(map, "id")?;
        let id = self.problems.uuid(&at.name("id"), value)?;
        if !seen.insert(id) {
            self.problems
                .refuse(&at.name("id"), "value_error", Problem::RepeatedId.message(), value);
        }
        Some(id)
    }

    fn flag(&mut self, at: &At<'_>, map: &Map<String, Value>, name: &str) -> bool {
        self.problems.flag(&at.name(name), given(map, name))
    }

    fn required_document(&mut self, at: &At<'_>, map: &Map<String, Value>, name: &str) -> Value {
        match given(map, name) {
            Some(value) => self.document(&at.name(name), value),
            None => {
                self.problems.missing(&at.name(name));
                content::empty()
            }
        }
    }

    fn document(&mut self, at: &At<'_>, value: &Value) -> Value {
        self.checked(at, value, content::validate)
    }

    /// A document that passes the check; a string becomes one paragraph.
    fn checked(&mut self, at: &At<'_>, value: &Value, check: fn(&Value) -> Result<(), content::ContentError>) -> Value {
        let made = value.as_str().map(paragraph);
        let document = made.as_ref().unwrap_or(value);
        match check(document) {
            Ok(()) => document.clone(),
            Err(error) => {
                let mut problem = of_document(error);
                if made.is_some() {
                    problem.inside.clear();
                }
                self.problems.add(at, problem, value);
                content::empty()
            }
        }
    }
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
