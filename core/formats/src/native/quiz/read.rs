//! Parses questions. Callers resolve addresses before they check a question.

use std::collections::HashMap;

use kurso_base::values::QuestionTags;
use serde_json::{Number, Value};
use uuid::Uuid;

use super::block::{Block, Part, infer_kind, split, split_at_rule};
use super::{Fences, Marker, formula, is_question, rubric, unit, zones};
use crate::content;
use crate::native::document::{self, Attrs};
use crate::note::{Note, Reason};
use crate::numbers::number;
use crate::quiz::{
    self, Blank, Choice, ChoiceDraft, Criterion, Filling, Item, Kind, Pair, Parameter, Points, Question, Source, Unit,
    Weight, Zone,
};

/// Parsed questions per page; more are reported. The limit of a quiz is lower.
const MAX_PARSED: usize = 5000;

const KINDS: &[&str] = &[
    "single_choice",
    "multiple_choice",
    "short_text",
    "numeric",
    "formula",
    "matching",
    "ordering",
    "fill_blank",
    "hotspot",
    "essay",
    "file_upload",
    "hand_in",
    "draw",
];

/// The attribute of a tag of a bank question, which may be repeated.
pub const TAG: &str = "tag";

/// The attributes of questions.
const ATTRIBUTES: &[&str] = &[
    "points",
    "all_or_nothing",
    "mark_all",
    "case_sensitive",
    "min_words",
    "max_words",
    "max_files",
    "extensions",
    "takes_text",
    "max_links",
    "source",
    TAG,
    "bank",
    "count",
    rubric::ATTRIBUTE,
];

/// Parsed questions and notes.
#[derive(Debug, Default)]
pub struct Questions {
    pub questions: Vec<Parsed>,
    pub notes: Vec<(usize, Note)>,
}

/// A parsed question.
#[derive(Debug)]
pub struct Parsed {
    /// Its first line, starting at 1.
    pub line: usize,
    /// The question, or why it is refused.
    pub question: Result<Question, Reason>,
    /// Its tags, if it is a question of a bank.
    pub tags: QuestionTags,
}

/// Parses the part of a page from its first `???` on.
pub fn read(text: &str) -> Questions {
    let mut found = Questions::default();
    let mut fences = Fences::default();
    let mut block: Option<Block<'_>> = None;
    for (number, line) in (1..).zip(text.lines()) {
        let code = fences.holds(line);
        if !code && is_question(line) {
            if let Some(block) = block.take() {
                found.question(block);
            }
            block = Some(Block {
                line: number,
                head: line.trim_start_matches('?').trim(),
                lines: Vec::new(),
            });
        } else if let Some(block) = &mut block {
            block.lines.push((line, code));
        }
    }
    if let Some(block) = block {
        found.question(block);
    }
    found
}

/// The answers of a question of any type.
#[derive(Default)]
struct Answers {
    options: Vec<ChoiceDraft>,
    accepted: Vec<String>,
    regex: Option<String>,
    parameters: Vec<Parameter>,
    expression: String,
    value: Option<Number>,
    tolerance: Option<Number>,
    tolerance_percent: Option<Number>,
    units: Vec<Unit>,
    pairs: Vec<Pair>,
    items: Vec<Item>,
    blanks: Vec<NamedBlank>,
    picture: Option<Value>,
    zones: Vec<Zone>,
    guide: Option<Value>,
    criteria: Vec<Criterion>,
    hints: Vec<Value>,
    explanation: Option<Value>,
}

/// A blank that is defined below the text.
struct NamedBlank {
    name: String,
    id: Uuid,
    options: Option<Vec<ChoiceDraft>>,
    accepted: Vec<String>,
}

impl NamedBlank {
    fn finish(self) -> Result<Blank, Reason> {
        let filling = match self.options {
            None => Filling::Accepted(self.accepted),
            Some(_) if !self.accepted.is_empty() => return Err(quiz::Problem::TwoFillings.into()),
            Some(options) => Filling::Options(Choice::list(options)),
        };
        Ok(Blank { id: self.id, filling })
    }
}

impl Questions {
    pub(super) fn note(&mut self, line: usize, note: Note) {
        if self.notes.len() < 200 {
            self.notes.push((line, note));
        }
    }

    fn question(&mut self, block: Block<'_>) {
        if self.questions.len() >= MAX_PARSED {
            return self.note(block.line, Note::QuestionsOver(MAX_PARSED));
        }
        let (first, rest) = block.head.split_once([' ', ',']).unwrap_or((block.head, ""));
        let (name, rest) = if first.contains('=') {
            ("", block.head)
        } else {
            (first.trim_end_matches(','), rest)
        };
        let Some(attrs) = Attrs::parse_line(rest.trim()) else {
            return self.note(block.line, Note::Question(block.head.to_owned()));
        };
        let kind = match KINDS.iter().find(|kind| **kind == name) {
            Some(kind) => *kind,
            None if name.is_empty() => infer_kind(&block),
            None => return self.note(block.line, Note::Question(block.head.to_owned())),
        };
        for name in attrs.names().filter(|name| !ATTRIBUTES.contains(name)) {
            self.note(block.line, Note::UnknownField(name.to_owned()));
        }
        let (body, parts) = split(kind, &block, attrs.has(rubric::ATTRIBUTE));
        let mut points = Ok(Points::ONE);
        if let Some(said) = attrs.get("points") {
            match number(said) {
                Some(number) => points = Points::new(&number).ok_or(quiz::Problem::BadPoints.into()),
                None => self.note(block.line, Note::UnknownField(format!("points={said}"))),
            }
        }
        let body_line = block.line + 1;
        let (prompt, text) = match kind {
            "fill_blank" => split_at_rule(&body).unwrap_or(("", &body)),
            _ => (body.as_str(), ""),
        };
        let mut text = match text {
            "" => content::empty(),
            text => {
                let read = document::read(text, true);
                self.notes
                    .extend(read.notes.iter().map(|(line, note)| (body_line + line, note.clone())));
                read.into_document()
            }
        };
        let prompt = self.document(prompt, body_line);
        let mut answers = self.answers(kind, parts);
        let explanation = answers.explanation.take();
        let mut hints = std::mem::take(&mut answers.hints);
        hints.retain(|hint| !content::is_empty(hint));
        let rubric = self.rubric(&attrs, std::mem::take(&mut answers.criteria), block.line);
        let kind = match kind {
            "single_choice" => Ok(Kind::SingleChoice {
                options: Choice::list(answers.options),
            }),
            "multiple_choice" => Ok(Kind::MultipleChoice {
                options: Choice::list(answers.options),
                all_or_nothing: attrs.has("all_or_nothing"),
            }),
            "short_text" => Ok(Kind::ShortText {
                accepted: answers.accepted,
                case_sensitive: attrs.has("case_sensitive"),
                regex: answers.regex.filter(|regex| !regex.is_empty()),
            }),
            "numeric" => Ok(Kind::Numeric {
                value: answers.value,
                tolerance: answers.tolerance.unwrap_or_else(|| Number::from(0)),
                tolerance_percent: answers.tolerance_percent,
                units: answers.units,
            }),
            "formula" => Ok(Kind::Formula {
                parameters: answers.parameters,
                expression: answers.expression,
                tolerance: answers.tolerance.unwrap_or_else(|| Number::from(0)),
                tolerance_percent: answers.tolerance_percent,
                units: answers.units,
            }),
            "matching" => Ok(Kind::Matching { pairs: answers.pairs }),
            "ordering" => Ok(Kind::Ordering { items: answers.items }),
            "hotspot" => Ok(Kind::Hotspot {
                picture: answers.picture.filter(|picture| !content::is_empty(picture)),
                zones: answers.zones,
                mark_all: attrs.has("mark_all"),
                all_or_nothing: attrs.has("all_or_nothing"),
            }),
            "essay" => Ok(Kind::Essay {
                min_words: self.count(&attrs, "min_words", block.line),
                max_words: self.count(&attrs, "max_words", block.line),
                guide: answers.guide,
                rubric,
            }),
            "file_upload" => Ok(Kind::FileUpload {
                max_files: self.count(&attrs, "max_files", block.line).unwrap_or(1),
                extensions: extensions(&attrs),
                guide: answers.guide,
                rubric,
            }),
            "hand_in" => Ok(Kind::HandIn {
                takes_text: attrs.has("takes_text"),
                min_words: self.count(&attrs, "min_words", block.line),
                max_words: self.count(&attrs, "max_words", block.line),
                max_files: self.count(&attrs, "max_files", block.line).unwrap_or(0),
                extensions: extensions(&attrs),
                max_links: self.count(&attrs, "max_links", block.line).unwrap_or(0),
                guide: answers.guide,
                rubric,
            }),
            "draw" => match attrs.get("bank").and_then(|bank| Uuid::parse_str(bank).ok()) {
                Some(bank_id) => Ok(Kind::Draw {
                    bank_id,
                    tags: quiz::distinct_tags(answers.accepted.iter().map(|tag| quiz::bare_tag(tag))),
                    count: self.count(&attrs, "count", block.line).unwrap_or(1),
                    pool: vec![],
                }),
                None => Err(quiz::Problem::NoBank.into()),
            },
            _ => resolve_blanks(&mut text, answers.blanks).map(|blanks| Kind::FillBlank { text, blanks }),
        };
        let source = self.source(&attrs, block.line);
        let question = points.and_then(|points| {
            let kind = kind?;
            let is_draw = kind.is_draw();
            Ok(Question {
                points,
                explanation: explanation.filter(|_| !is_draw),
                hints: if is_draw { vec![] } else { hints },
                source: source.filter(|_| !is_draw),
                ..Question::new(if is_draw { content::empty() } else { prompt }, kind)
            })
        });
        self.questions.push(Parsed {
            line: block.line,
            question,
            tags: QuestionTags::of(attrs.all(TAG)),
        });
    }

    /// The bank question of which the question is a copy: its id and version, such as `…/3`.
    fn source(&mut self, attrs: &Attrs, line: usize) -> Option<Source> {
        let said = attrs.get("source")?;
        let source = said.split_once('/').and_then(|(id, version)| {
            Some(Source {
                question_id: Uuid::parse_str(id).ok()?,
                version: version.parse().ok().filter(|version| *version > 0)?,
            })
        });
        if source.is_none() {
            self.note(line, Note::UnknownField(format!("source={said}")));
        }
        source
    }

    /// The value of an attribute that is a number of words or files.
    fn count(&mut self, attrs: &Attrs, name: &str, line: usize) -> Option<u32> {
        let said = attrs.get(name)?;
        let count = said.parse().ok();
        if count.is_none() {
            self.note(line, Note::UnknownField(format!("{name}={said}")));
        }
        count
    }

    fn document(&mut self, text: &str, line: usize) -> Value {
        let read = document::read(text, false);
        for (at, note) in &read.notes {
            self.note(line + at - 1, note.clone());
        }
        read.into_document()
    }

    fn answers(&mut self, kind: &str, parts: Vec<Part>) -> Answers {
        let mut answers = Answers::default();
        let mut left: Option<Value> = None;
        for part in parts {
            match part.marker {
                Marker::Option(correct, weight) => {
                    let option = ChoiceDraft {
                        weight: weight.and_then(|text| self.weight(&text, part.line)),
                        ..ChoiceDraft::new(self.document(&part.text, part.line), correct)
                    };
                    match answers.blanks.last_mut() {
                        Some(blank) => blank.options.get_or_insert_default().push(option),
                        None => answers.options.push(option),
                    }
                }
                Marker::Feedback => {
                    let feedback = self.document(&part.text, part.line);
                    if let Some(option) = answers.options.last_mut() {
                        option.feedback = Some(feedback);
                    }
                }
                Marker::Answer if kind == "numeric" => self.number(&part, &mut answers),
                Marker::Answer if kind == "formula" => {
                    let off = formula::read_answer(part.text.trim(), &mut answers.expression);
                    self.tolerance(&part, off, &mut answers);
                }
                Marker::Parameter => match formula::read_parameter(part.text.trim()) {
                    Some(parameter) => answers.parameters.push(parameter),
                    None => self.note(part.line, Note::Question(format!(": {}", part.text.trim()))),
                },
                Marker::Unit => match unit::read(part.text.trim()) {
                    Some(unit) => answers.units.push(unit),
                    None => self.note(part.line, Note::Question(format!("@ {}", part.text.trim()))),
                },
                Marker::Answer => {
                    let text = unquoted(part.text.trim());
                    match answers.blanks.last_mut() {
                        Some(blank) => blank.accepted.push(text),
                        None => answers.accepted.push(text),
                    }
                }
                Marker::Pattern => answers.regex = Some(unquoted(&part.text)),
                Marker::Left => {
                    let text = self.document(&part.text, part.line);
                    if left.replace(text).is_some() {
                        self.note(part.line, Note::Question("<-".into()));
                    }
                }
                Marker::Right => {
                    let right = self.document(&part.text, part.line);
                    match left.take() {
                        Some(left) => answers.pairs.push(Pair::new(left, right)),
                        None => self.note(part.line, Note::Question("->".into())),
                    }
                }
                Marker::Item => answers.items.push(Item {
                    id: Uuid::now_v7(),
                    content: self.document(&part.text, part.line),
                }),
                Marker::Blank(name, options) => answers.blanks.push(NamedBlank {
                    name,
                    id: Uuid::now_v7(),
                    options: options.then(Vec::new),
                    accepted: vec![],
                }),
                Marker::Criterion => answers.criteria.push(rubric::criterion(&part.text)),
                Marker::Level(points) => {
                    if let Some(criterion) = answers.criteria.last_mut() {
                        criterion.levels.push(rubric::level_of(points, &part.text));
                    }
                }
                Marker::Picture => answers.picture = Some(self.document(&part.text, part.line)),
                Marker::Zone => match zones::read(&part.text) {
                    Some(zone) => answers.zones.push(zone),
                    None => self.note(part.line, Note::Question(format!("% {}", part.text.trim()))),
                },
                Marker::Guide => answers.guide = Some(self.document(&part.text, part.line)),
                Marker::Hint => answers.hints.push(self.document(&part.text, part.line)),
                Marker::Explanation => answers.explanation = Some(self.document(&part.text, part.line)),
            }
        }
        if left.is_some() {
            self.note(0, Note::Question("<-".into()));
        }
        answers
    }

    /// Parses `3.14 +- 0.01`, `10 +- 5%` or `?`.
    fn number(&mut self, part: &Part, answers: &mut Answers) {
        let text = part.text.trim().replace('±', "+-");
        let (value, off) = text.split_once("+-").unwrap_or((&text, ""));
        if value.trim() != "?" {
            answers.value = self.part_number(part, value.trim()).or(answers.value.take());
        }
        self.tolerance(part, off, answers);
    }

    /// Parses a tolerance: `0.01`, `5%` or nothing.
    fn tolerance(&mut self, part: &Part, text: &str, answers: &mut Answers) {
        let text = text.trim();
        let (place, off) = match text.strip_suffix('%') {
            Some(percent) => (&mut answers.tolerance_percent, percent.trim()),
            None => (&mut answers.tolerance, text),
        };
        if !off.is_empty()
            && let Some(number) = self.part_number(part, off)
        {
            *place = Some(number);
        }
    }

    /// Parses a weight. Reports a number that cannot be one.
    fn weight(&mut self, text: &str, line: usize) -> Option<Weight> {
        let weight = number(text).and_then(|number| Weight::new(&number));
        if weight.is_none() {
            self.note(line, Note::Question(format!("{text}%")));
        }
        weight
    }

    /// Parses a number of an answer. Reports a text that is not a number.
    fn part_number(&mut self, part: &Part, text: &str) -> Option<Number> {
        let read = number(text);
        if read.is_none() {
            self.note(part.line, Note::Question(format!("= {}", part.text.trim())));
        }
        read
    }
}

/// The kinds of files of the attribute `extensions`, separated by spaces or commas.
fn extensions(attrs: &Attrs) -> Vec<String> {
    let listed = attrs.get("extensions").unwrap_or_default().split([' ', ',']);
    listed
        .map(quiz::bare_extension)
        .filter(|extension| !extension.is_empty())
        .collect()
}

/// A bare or quoted text.
pub(super) fn unquoted(text: &str) -> String {
    if text.starts_with('"') {
        serde_json::from_str(text).unwrap_or_else(|_| text.to_owned())
    } else {
        text.to_owned()
    }
}

/// Replaces blank names by ids. Returns the blanks, with those defined inline at the end.
fn resolve_blanks(text: &mut Value, named: Vec<NamedBlank>) -> Result<Vec<Blank>, Reason> {
    let mut ids: HashMap<String, Uuid> = HashMap::new();
    for blank in &named {
        ids.entry(blank.name.clone()).or_insert(blank.id);
    }
    let mut inline = Vec::new();
    name_blanks(text, &mut |name| {
        let Some(answers) = name.strip_prefix('=') else {
            return *ids.entry(name.to_owned()).or_insert_with(Uuid::now_v7);
        };
        let answers = answers.split('|').map(|answer| answer.trim().to_owned());
        let (id, filling) = (Uuid::now_v7(), Filling::Accepted(answers.collect()));
        inline.push(Blank { id, filling });
        id
    });
    let named = named.into_iter().map(NamedBlank::finish);
    named.chain(inline.into_iter().map(Ok)).collect()
}

fn name_blanks(node: &mut Value, id_of: &mut dyn FnMut(&str) -> Uuid) {
    if node.get("type").is_some_and(|kind| kind == "blank")
        && let Some(Value::String(name)) = node.pointer_mut("/attrs/blank_id")
    {
        *name = id_of(name).to_string();
    }
    let children = node.get_mut("content").and_then(Value::as_array_mut);
    for child in children.into_iter().flatten() {
        name_blanks(child, id_of);
    }
}
