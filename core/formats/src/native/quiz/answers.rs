//! Parses what stands below the text of a question: options, accepted answers, units, zones, hints and the rest.

use std::collections::HashMap;

use serde_json::{Number, Value};
use uuid::Uuid;

use super::block::Part;
use super::read::Questions;
use super::{Marker, formula, rubric, unit, zones};
use crate::note::{Note, Reason};
use crate::numbers::number;
use crate::quiz::{self, Blank, Choice, ChoiceDraft, Criterion, Filling, Item, Pair, Parameter, Unit, Weight, Zone};

/// The answers of a question of any type.
#[derive(Default)]
pub(super) struct Answers {
    pub(super) options: Vec<ChoiceDraft>,
    pub(super) accepted: Vec<String>,
    pub(super) regex: Option<String>,
    pub(super) parameters: Vec<Parameter>,
    pub(super) expression: String,
    pub(super) value: Option<Number>,
    pub(super) tolerance: Option<Number>,
    pub(super) tolerance_percent: Option<Number>,
    pub(super) units: Vec<Unit>,
    pub(super) pairs: Vec<Pair>,
    pub(super) items: Vec<Item>,
    pub(super) blanks: Vec<NamedBlank>,
    pub(super) picture: Option<Value>,
    pub(super) zones: Vec<Zone>,
    pub(super) guide: Option<Value>,
    pub(super) criteria: Vec<Criterion>,
    pub(super) hints: Vec<Value>,
    pub(super) explanation: Option<Value>,
}

/// A blank that is defined below the text.
pub(super) struct NamedBlank {
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
    pub(super) fn answers(&mut self, kind: &str, parts: Vec<Part>) -> Answers {
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

/// A bare or quoted text.
pub(super) fn unquoted(text: &str) -> String {
    if text.starts_with('"') {
        serde_json::from_str(text).unwrap_or_else(|_| text.to_owned())
    } else {
        text.to_owned()
    }
}

/// Replaces blank names by ids. Returns the blanks, with those defined inline at the end.
pub(super) fn resolve_blanks(text: &mut Value, named: Vec<NamedBlank>) -> Result<Vec<Blank>, Reason> {
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
