//! Reads the shape of a quiz from its author's JSON. [`super::complete`] checks what a published quiz needs besides.

use std::collections::HashSet;

use serde_json::{Map, Number, Value, json};
use uuid::Uuid;

use super::fields::{At, Problems, given};
use super::model::{
    Blank, Choice, Filling, Item, Kind, MAX_ACCEPTED, MAX_ATTEMPTS, MAX_BYTES, MAX_PARTS, MAX_PATTERNS, MAX_QUESTIONS,
    MAX_REGEX, Pair, Question, Quiz, Reveal,
};
use super::number::Points;
use super::problem::Problem;
use super::text;
use crate::content;
use kurso_base::error::{Loc, Result};
use kurso_base::random;

/// Reads the quiz at `["body", "quiz"]`: unknown fields are ignored, ids made where there are none, defaults filled in.
/// Null is the quiz of a page nobody has written one on.
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

/// Ids seen so far in one list.
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
                // Where the text itself asks, there may be nothing more to say.
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
            match text::compiled(pattern, case_sensitive) {
                Ok(_) => {}
                Err(regex::Error::CompiledTooBig(_)) => {
                    self.problems
                        .refuse(&at, "value_error", Problem::LargeRegex.message(), value);
                }
                Err(error) => {
                    let (loc, message) = (at.loc(), Problem::BadRegex.message());
                    let ctx = json!({ "error": error.to_string() });
                    self.problems.refuse_at(loc, "value_error", message, value, Some(ctx));
                }
            }
            Some(pattern.to_owned()).filter(|pattern| !pattern.is_empty())
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
        let is_set = tolerance.as_ref().is_some_and(|number| number.as_f64() != Some(0.0));
        if is_set && tolerance_percent.is_some() {
            let at = at.name("tolerance_percent");
            self.problems
                .refuse(&at, "value_error", Problem::TwoTolerances.message(), &Value::Null);
        }
        Kind::Numeric {
            value,
            tolerance: tolerance.unwrap_or_else(|| Number::from(0)),
            tolerance_percent,
        }
    }

    fn tolerance(&mut self, at: &At<'_>, map: &Map<String, Value>, name: &str) -> Option<Number> {
        let value = given(map, name)?;
        let number = self.problems.number(&at.name(name), value)?;
        if number.as_f64().is_some_and(|number| number < 0.0) {
            let message = Problem::NegativeTolerance.message();
            self.problems
                .refuse(&at.name(name), "greater_than_equal", message, value);
        }
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
        // Handed out in no order, or the ids of shuffled options would tell which the author wrote first.
        let missing = read.iter().filter(|(id, ..)| id.is_none()).count();
        let mut made: Vec<_> = (0..missing).map(|_| (random::bits(), Uuid::now_v7())).collect();
        made.sort_unstable_by_key(|(bits, _)| *bits);
        read.into_iter()
            .map(|(id, content, correct)| Choice {
                id: id.or_else(|| made.pop().map(|(_, id)| id)).unwrap_or_else(Uuid::now_v7),
                content,
                correct,
            })
            .collect()
    }

    fn accepted(&mut self, at: &At<'_>, map: &Map<String, Value>) -> Vec<String> {
        let at = at.name("accepted");
        let list = self
            .problems
            .list(&at, given(map, "accepted"), MAX_PARTS)
            .iter()
            .enumerate();
        list.filter_map(|(i, value)| self.problems.text(&at.index(i), value, MAX_ACCEPTED).map(str::to_owned))
            .collect()
    }

    /// The objects of a list, with their ids where they have some.
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

    /// A document as the check wants it; a plain string is one paragraph.
    fn checked(&mut self, at: &At<'_>, value: &Value, check: fn(&Value) -> Result<(), content::ContentError>) -> Value {
        let made = value.as_str().map(paragraph);
        let document = made.as_ref().unwrap_or(value);
        match check(document) {
            Ok(()) => document.clone(),
            Err(error) => {
                let mut loc = at.loc();
                if made.is_none() {
                    loc.extend(steps(&error.path));
                }
                let message = kurso_base::messages::Message::Text {
                    en: error.problem.text(content::Lang::En),
                    ru: error.problem.text(content::Lang::Ru),
                };
                self.problems.refuse_at(loc, error.problem.key(), message, value, None);
                content::empty()
            }
        }
    }
}

/// The text as a document of one paragraph, its lines broken where they were.
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

/// The steps of a path in a document, `content.content[3].attrs.src`, without the first, which names the document.
fn steps(path: &str) -> Vec<Loc> {
    let mut steps = Vec::new();
    for part in path.split('.') {
        let (name, indexes) = part.split_once('[').unwrap_or((part, ""));
        steps.push(Loc::from(name));
        let indexes = indexes.split(['[', ']']).filter_map(|index| index.parse().ok());
        steps.extend(indexes.map(Loc::Index));
    }
    if !steps.is_empty() {
        steps.remove(0);
    }
    steps
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::quiz::samples;
    use kurso_base::error::Error;

    /// The errors of a quiz as `kind at loc`, the loc from the quiz on.
    fn errors(quiz: Value) -> Vec<String> {
        match read(&quiz) {
            Ok(quiz) => panic!("{quiz:?}"),
            Err(Error::Invalid(errors)) => errors
                .iter()
                .map(|error| {
                    assert_eq!(error.loc[..2], [Loc::from("body"), Loc::from("quiz")]);
                    let loc = serde_json::to_string(&error.loc[2..]).unwrap();
                    format!("{} {}", error.kind, loc.replace('"', ""))
                })
                .collect(),
            Err(other) => panic!("{other}"),
        }
    }

    fn one(question: Value) -> Value {
        let mut question = question;
        if question.get("prompt").is_none() {
            question["prompt"] = json!("?");
        }
        json!({ "questions": [question] })
    }

    #[test]
    fn fills_in_what_is_not_said() {
        let quiz = read(&json!({"questions": [{"type": "short_text", "prompt": "Как?", "unknown": 1}]})).unwrap();
        assert_eq!(
            quiz,
            Quiz {
                questions: quiz.questions.clone(),
                ..Quiz::default()
            }
        );
        assert_eq!(
            (quiz.pass_percent, quiz.max_attempts, quiz.reveal),
            (70, None, Reveal::AfterPass)
        );
        let question = serde_json::to_value(&quiz.questions[0]).unwrap();
        let id = question["id"].as_str().unwrap();
        assert_eq!(Uuid::parse_str(id).unwrap().get_version_num(), 7);
        assert_eq!(
            question,
            json!({
                "id": id, "type": "short_text", "points": 1, "explanation": null, "accepted": [], "case_sensitive": false, "regex": null,
                "prompt": {"type": "doc", "content": [{"type": "paragraph", "content": [{"type": "text", "text": "Как?"}]}]},
            })
        );
        assert_eq!(read(&Value::Null).unwrap(), Quiz::default());
        assert_eq!(read(&json!({})).unwrap(), Quiz::default());
    }

    #[test]
    fn ids_are_kept_and_repeated_ones_refused() {
        let id = "01890000-0000-7000-8000-00000000000A";
        let question = json!({"id": id, "type": "ordering", "prompt": "?", "items": [{"id": id, "content": "a"}, {"content": "b"}]});
        let quiz = read(&json!({ "questions": [question] })).unwrap();
        assert_eq!(quiz.questions[0].id, Uuid::parse_str(id).unwrap());
        let mut twice = json!({ "questions": [question.clone(), question] });
        twice["questions"][1]["items"][1]["id"] = json!(id);
        assert_eq!(
            errors(twice),
            ["value_error [questions,1,id]", "value_error [questions,1,items,1,id]"]
        );
    }

    #[test]
    fn made_ids_do_not_tell_the_order_of_options() {
        let contents: Vec<_> = (0..40).map(|i| json!({"content": i.to_string()})).collect();
        let quiz = read(&one(json!({"type": "multiple_choice", "options": contents}))).unwrap();
        let Kind::MultipleChoice { options } = &quiz.questions[0].kind else {
            panic!()
        };
        assert!(!options.is_sorted_by_key(|option| option.id));
    }

    #[test]
    fn lines_of_a_string_are_broken_where_they_were() {
        assert_eq!(content::text(&paragraph("a\r\nb")), "a\nb");
        assert_eq!(paragraph(""), content::empty());
        assert!(content::validate(&paragraph("\n\n")).is_ok());
    }

    #[test]
    fn blanks_of_the_text_are_written_one_way() {
        let id = "01890000-0000-7000-8000-00000000000A";
        let text = json!({"type": "doc", "content": [{"type": "paragraph", "content": [{"type": "blank", "attrs": {"blank_id": id}}]}]});
        let quiz = read(
            &json!({"questions": [{"type": "fill_blank", "text": text, "blanks": [{"id": id, "accepted": ["a"]}]}]}),
        )
        .unwrap();
        assert!(quiz.to_text().unwrap().matches(&id.to_lowercase()).count() == 2);
        // Elsewhere a blank is no node of a document.
        assert_eq!(errors(one(json!({"type": "numeric", "prompt": text}))).len(), 1);
    }

    #[test]
    fn says_where_and_what_is_wrong() {
        for (quiz, expected) in [
            (json!([]), vec!["model_attributes_type []"]),
            (json!({"questions": 1}), vec!["list_type [questions]"]),
            (
                json!({"pass_percent": 101, "max_attempts": 0, "shuffle_options": "yes", "reveal": "soon"}),
                vec![
                    "value_error [pass_percent]",
                    "value_error [max_attempts]",
                    "bool_type [shuffle_options]",
                    "literal_error [reveal]",
                ],
            ),
            (json!({"pass_percent": 1.5}), vec!["int_from_float [pass_percent]"]),
            (
                json!({"questions": [1, {}]}),
                vec![
                    "model_attributes_type [questions,0]",
                    "missing [questions,1,type]",
                    "missing [questions,1,prompt]",
                ],
            ),
            (one(json!({"type": "essay"})), vec!["literal_error [questions,0,type]"]),
            (
                one(json!({"type": "numeric", "points": -1})),
                vec!["value_error [questions,0,points]"],
            ),
            (
                one(json!({"type": "numeric", "points": 0.00001})),
                vec!["value_error [questions,0,points]"],
            ),
            (
                one(json!({"type": "numeric", "value": "1", "tolerance": -1})),
                vec![
                    "float_type [questions,0,value]",
                    "greater_than_equal [questions,0,tolerance]",
                ],
            ),
            (
                one(json!({"type": "numeric", "tolerance": 1, "tolerance_percent": 1})),
                vec!["value_error [questions,0,tolerance_percent]"],
            ),
            (
                one(json!({"type": "short_text", "accepted": ["a", 1, "x".repeat(1001)]})),
                vec![
                    "string_type [questions,0,accepted,1]",
                    "string_too_long [questions,0,accepted,2]",
                ],
            ),
            (
                one(json!({"type": "short_text", "regex": "("})),
                vec!["value_error [questions,0,regex]"],
            ),
            (
                one(json!({"type": "short_text", "regex": "\\w{900}{900}"})),
                vec!["value_error [questions,0,regex]"],
            ),
            (
                one(
                    json!({"type": "single_choice", "options": [{"content": {"type": "doc", "content": [{"type": "script"}]}}]}),
                ),
                vec!["content_unknown_node [questions,0,options,0,content,content,0,type]"],
            ),
            (
                one(json!({"type": "matching", "pairs": [{"left": "a"}]})),
                vec!["missing [questions,0,pairs,0,right]"],
            ),
            (
                one(json!({"type": "fill_blank", "blanks": [{"accepted": [], "options": []}]})),
                vec!["value_error [questions,0,blanks,0,options]"],
            ),
            (
                one(json!({"type": "ordering", "items": vec![json!({"content": "a"}); 101]})),
                vec!["too_long [questions,0,items]"],
            ),
            (json!({"questions": vec![json!({}); 501]}), vec!["too_long [questions]"]),
        ] {
            assert_eq!(errors(quiz.clone()), expected, "{quiz}");
        }
    }

    #[test]
    fn few_questions_have_patterns() {
        let question = json!({"type": "short_text", "prompt": "?", "regex": "a+"});
        assert!(read(&json!({"questions": vec![question.clone(); MAX_PATTERNS]})).is_ok());
        let found = errors(json!({"questions": vec![question; MAX_PATTERNS + 1]}));
        assert_eq!(found, ["value_error [questions,50,regex]"]);
    }

    #[test]
    fn a_large_quiz_is_refused_whole_and_errors_have_an_end() {
        let long = "я".repeat(100_000);
        let questions: Vec<_> = (0..11).map(|_| json!({"type": "numeric", "prompt": long})).collect();
        assert_eq!(errors(json!({ "questions": questions })), ["value_error []"]);
        assert_eq!(errors(json!({"questions": vec![json!(1); 500]})).len(), 50);
    }

    proptest! {
        #[test]
        fn what_an_author_reads_can_be_written_back(quiz in samples::quiz()) {
            prop_assert_eq!(read(&quiz.to_json().unwrap()).unwrap(), quiz);
        }

        #[test]
        fn every_document_is_found(quiz in samples::quiz()) {
            let mut quiz = quiz;
            let count = quiz.documents().len();
            prop_assert_eq!(quiz.documents_mut().len(), count);
            let in_text = quiz.to_text().unwrap().matches(r#""type":"doc""#).count();
            prop_assert_eq!(in_text, count);
        }
    }
}
