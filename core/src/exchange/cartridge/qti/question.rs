//! What an item of QTI becomes: a question, or words on the page.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Number, Value, json};
use uuid::Uuid;

use super::item::{Condition, Item, Material, Response, Takes};
use crate::content;
use crate::exchange::cartridge::note::Note as CartridgeNote;
use crate::exchange::cartridge::page::document_of;
use crate::exchange::cartridge::words::Words;
use crate::exchange::html::Host;
use crate::exchange::native::number;
use crate::exchange::note::Note;
use crate::quiz::paragraph;

/// What an item became.
pub enum Made {
    /// As an author sends it.
    Question(Value),
    /// Words for the page, above them what kind of question they were.
    Words {
        label: Option<&'static str>,
        blocks: Vec<Value>,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Single,
    Multiple,
    Dropdowns,
    Blanks,
    Matching,
    Ordering,
    Numeric,
    Calculated,
    Short,
    Essay,
    Upload,
    Text,
}

pub struct Maker<'m> {
    pub host: &'m mut dyn Host,
    pub words: &'m Words,
}

impl Maker<'_> {
    fn note(&mut self, note: CartridgeNote) {
        self.host.note(Note::Cartridge(note), 0);
    }

    pub fn make(&mut self, item: &Item) -> Made {
        if let Some(text) = item.fields.get(super::QUESTION_FIELD) {
            match super::ours::read(text, item, self.host) {
                Some(question) => return Made::Question(question),
                None => self.note(CartridgeNote::Extension),
            }
        }
        let Some(kind) = kind(item) else {
            let name = item
                .fields
                .get("question_type")
                .or_else(|| item.fields.get("cc_profile"));
            self.note(CartridgeNote::UnknownQuestion(name.cloned().unwrap_or_default()));
            return self.in_words(item, Some(self.words.unknown_question));
        };
        let mut made = match kind {
            Kind::Single | Kind::Multiple => self.choice(item, kind == Kind::Multiple),
            Kind::Dropdowns | Kind::Blanks => self.blanks(item, kind == Kind::Dropdowns),
            Kind::Matching => self.matching(item),
            Kind::Ordering => self.ordering(item),
            Kind::Numeric => self.numeric(item),
            Kind::Calculated => self.calculated(item),
            Kind::Short => self.short(item),
            Kind::Essay => {
                self.host.note(Note::Essay, 0);
                return self.in_words(item, Some(self.words.essay));
            }
            Kind::Upload => {
                self.note(CartridgeNote::FileUpload);
                return self.in_words(item, Some(self.words.upload));
            }
            Kind::Text => {
                self.note(CartridgeNote::TextOnly);
                return self.in_words(item, None);
            }
        };
        if let Some(fields) = made.as_object_mut() {
            if let Some(id) = id_of(&item.id) {
                fields.insert("id".into(), json!(id));
            }
            if let Some(points) = points(item) {
                fields.insert("points".into(), Value::Number(points));
            }
            let said = self.explanation(item);
            if !said.is_empty() {
                fields.insert("explanation".into(), doc(said));
            }
        }
        Made::Question(made)
    }

    /// The question as words: its text, and what there was to choose from.
    fn in_words(&mut self, item: &Item, label: Option<&'static str>) -> Made {
        let mut blocks = blocks(self.document(&item.prompt));
        for response in &item.responses {
            if !response.name.is_empty() && !response.labels.is_empty() {
                blocks.extend(self::blocks(self.document(&response.name)));
            }
            let labels: Vec<Value> = response
                .labels
                .iter()
                .filter(|(_, said)| !said.is_empty())
                .map(|(_, said)| json!({ "type": "listItem", "content": self::blocks(self.document(said)) }))
                .collect();
            if !labels.is_empty() {
                blocks.push(json!({ "type": "bulletList", "content": labels }));
            }
        }
        let said = self.explanation(item);
        blocks.extend(said);
        Made::Words { label, blocks }
    }

    fn document(&mut self, material: &Material) -> Value {
        match material.html {
            true => document_of(&material.text, self.host),
            false => paragraph(material.text.trim()),
        }
    }

    fn choice(&mut self, item: &Item, multiple: bool) -> Value {
        let mut ids = HashSet::new();
        let all: Vec<&(String, Material)> = item.responses.iter().flat_map(|response| &response.labels).collect();
        let scored = scores(item, "");
        let best = scored.values().copied().fold(0.0, f64::max);
        let partial = scored.values().any(|score| *score > 0.0 && *score < best);
        let right = |id: &str| match multiple {
            true => scored.get(id).is_some_and(|score| *score > 0.0),
            false => scored.get(id).is_some_and(|score| *score > 0.0 && *score >= best),
        };
        if partial {
            self.host.note(Note::Weights, 0);
        }
        let count = all.iter().filter(|(id, _)| right(id)).count();
        if count == 0 {
            self.note(CartridgeNote::NoAnswer);
        }
        let options: Vec<Value> = all
            .iter()
            .map(|(id, said)| {
                with_id(
                    json!({ "content": self.document(said), "correct": right(id) }),
                    id,
                    &mut ids,
                )
            })
            .collect();
        // Several right ones of which one is to be chosen: any of them will do, which is what ticking them is nearest to.
        if !multiple && count > 1 {
            self.host.note(Note::Weights, 0);
        }
        let kind = match multiple || count > 1 {
            true => "multiple_choice",
            false => "single_choice",
        };
        json!({ "type": kind, "prompt": self.document(&item.prompt), "options": options })
    }

    /// A text with `[name]` where something is to be filled in.
    fn blanks(&mut self, item: &Item, options: bool) -> Value {
        let mut text = self.document(&item.prompt);
        let mut blanks = Vec::new();
        let mut left = Vec::new();
        for response in &item.responses {
            let said = response.name.plain();
            let name = match said.is_empty() {
                true => response.id.strip_prefix("response_").unwrap_or(&response.id).to_owned(),
                false => said,
            };
            let id = Uuid::now_v7();
            if !put_blank(&mut text, &format!("[{name}]"), id) {
                left.push(json!({ "type": "blank", "attrs": { "blank_id": id } }));
            }
            let scored = scores(item, &response.id);
            if !scored.values().any(|score| *score > 0.0) {
                self.note(CartridgeNote::NoAnswer);
            }
            let right = |id: &str| scored.get(id).is_some_and(|score| *score > 0.0);
            let mut ids = HashSet::new();
            blanks.push(match options && !response.labels.is_empty() {
                true => {
                    let options: Vec<Value> = response
                        .labels
                        .iter()
                        .map(|(id, said)| {
                            with_id(
                                json!({ "content": self.document(said), "correct": right(id) }),
                                id,
                                &mut ids,
                            )
                        })
                        .collect();
                    json!({ "id": id, "options": options })
                }
                false => {
                    let labelled = response.labels.iter().filter(|(id, _)| right(id));
                    let mut accepted: Vec<String> = labelled.map(|(_, said)| said.plain()).collect();
                    if accepted.iter().all(String::is_empty) {
                        accepted = equal_to(item, &response.id);
                    }
                    json!({ "id": id, "accepted": accepted })
                }
            });
        }
        if !left.is_empty()
            && let Some(content) = text.get_mut("content").and_then(Value::as_array_mut)
        {
            content.push(json!({ "type": "paragraph", "content": left }));
        }
        json!({ "type": "fill_blank", "text": text, "blanks": blanks })
    }

    fn matching(&mut self, item: &Item) -> Value {
        let mut ids = HashSet::new();
        let mut pairs = Vec::new();
        let mut fitting = HashSet::new();
        for response in &item.responses {
            let scored = scores(item, &response.id);
            let right = response
                .labels
                .iter()
                .find(|(id, _)| scored.get(id.as_str()).is_some_and(|score| *score > 0.0));
            let Some((id, said)) = right else {
                self.note(CartridgeNote::NoAnswer);
                continue;
            };
            fitting.insert(id.as_str());
            let pair = json!({ "left": self.document(&response.name), "right": self.document(said) });
            let own = response.id.strip_prefix("response_").unwrap_or(&response.id);
            pairs.push(with_id(pair, own, &mut ids));
        }
        let mut seen = HashSet::new();
        let left: Vec<String> = item
            .responses
            .iter()
            .flat_map(|response| &response.labels)
            .filter(|(id, _)| !fitting.contains(id.as_str()) && seen.insert(id.as_str()))
            .map(|(_, said)| said.plain())
            .collect();
        if !left.is_empty() {
            self.note(CartridgeNote::Distractors(left.join("; ")));
        }
        json!({ "type": "matching", "prompt": self.document(&item.prompt), "pairs": pairs })
    }

    fn ordering(&mut self, item: &Item) -> Value {
        let response = item.responses.first();
        let labels = response.map(|response| response.labels.as_slice()).unwrap_or_default();
        let order: Vec<&str> = item
            .conditions
            .iter()
            .find(|condition| condition.scores())
            .map(|condition| condition.tests.iter().map(|test| test.value.as_str()).collect())
            .unwrap_or_default();
        if order.is_empty() {
            self.note(CartridgeNote::NoAnswer);
        }
        let mut sorted: Vec<&(String, Material)> = labels.iter().collect();
        sorted.sort_by_key(|(id, _)| order.iter().position(|other| other == id).unwrap_or(usize::MAX));
        let mut ids = HashSet::new();
        let items: Vec<Value> = sorted
            .into_iter()
            .map(|(id, said)| with_id(json!({ "content": self.document(said) }), id, &mut ids))
            .collect();
        json!({ "type": "ordering", "prompt": self.document(&item.prompt), "items": items })
    }

    fn numeric(&mut self, item: &Item) -> Value {
        let mut made = json!({ "type": "numeric", "prompt": self.document(&item.prompt) });
        let scoring: Vec<&Condition> = item.conditions.iter().filter(|condition| condition.scores()).collect();
        let mut exact = Vec::new();
        let (mut low, mut high) = (None, None);
        for test in scoring
            .iter()
            .flat_map(|condition| &condition.tests)
            .filter(|test| !test.not)
        {
            let Some(value) = number(&test.value) else { continue };
            match test.op.as_str() {
                "varequal" => exact.push(value),
                "vargte" | "vargt" if low.is_none() => low = Some(value),
                "varlte" | "varlt" if high.is_none() => high = Some(value),
                _ => {}
            }
        }
        if exact.len() > 1 || scoring.len() > 1 {
            self.host.note(Note::Weights, 0);
        }
        let range = |number: &Option<Number>| number.as_ref().and_then(Number::as_f64);
        let exact = exact.into_iter().next();
        let (value, tolerance) = match (exact, range(&low), range(&high)) {
            (Some(value), Some(low), Some(high)) => {
                let middle = value.as_f64().unwrap_or_default();
                (Some(value), tidy((middle - low).abs().max((high - middle).abs())))
            }
            (Some(value), ..) => (Some(value), None),
            (None, Some(low), Some(high)) => (tidy((low + high) / 2.0), tidy((high - low).abs() / 2.0)),
            _ => (None, None),
        };
        match value {
            Some(value) => insert(&mut made, "value", Value::Number(value)),
            None => self.note(CartridgeNote::NoAnswer),
        }
        if let Some(tolerance) = tolerance {
            insert(&mut made, "tolerance", Value::Number(tolerance));
        }
        made
    }

    fn calculated(&mut self, item: &Item) -> Value {
        let Some(calculated) = &item.calculated else {
            return self.numeric(item);
        };
        self.note(CartridgeNote::Calculated { sets: calculated.sets });
        let mut prompt = item.prompt.clone();
        for (name, value) in &calculated.variables {
            prompt.text = prompt.text.replace(&format!("[{name}]"), value);
        }
        let mut made = json!({ "type": "numeric", "prompt": self.document(&prompt) });
        match number(&calculated.answer) {
            Some(value) => insert(&mut made, "value", Value::Number(value)),
            None => self.note(CartridgeNote::NoAnswer),
        }
        let (name, tolerance) = match calculated.tolerance.strip_suffix('%') {
            Some(percent) => ("tolerance_percent", percent),
            None => ("tolerance", calculated.tolerance.as_str()),
        };
        if let Some(tolerance) = number(tolerance).filter(|n| n.as_f64().is_some_and(|n| n > 0.0)) {
            insert(&mut made, name, Value::Number(tolerance));
        }
        made
    }

    fn short(&mut self, item: &Item) -> Value {
        let accepted = equal_to(item, "");
        let scoring = || item.conditions.iter().filter(|condition| condition.scores());
        let parts: Vec<String> = scoring()
            .flat_map(|condition| &condition.tests)
            .filter(|test| !test.not && test.op == "varsubstring")
            .map(|test| format!(".*{}.*", regex::escape(&test.value)))
            .collect();
        let case = scoring().flat_map(|condition| &condition.tests).any(|test| test.case);
        if accepted.is_empty() && parts.is_empty() {
            self.note(CartridgeNote::NoAnswer);
        }
        let mut made = json!({ "type": "short_text", "prompt": self.document(&item.prompt), "accepted": accepted });
        if case {
            insert(&mut made, "case_sensitive", true.into());
        }
        if !parts.is_empty() {
            insert(&mut made, "regex", parts.join("|").into());
        }
        made
    }

    /// What is said after an answer: in general, of the right one, of wrong ones, of single options.
    fn explanation(&mut self, item: &Item) -> Vec<Value> {
        let mut said: Vec<(u8, Option<String>, &Material)> = Vec::new();
        let mut used = HashSet::new();
        for condition in &item.conditions {
            for name in &condition.feedback {
                let Some(material) = item.feedback.get(name) else {
                    continue;
                };
                if !used.insert(name.as_str()) {
                    continue;
                }
                let first = condition.tests.iter().find(|test| !test.not).map(|test| &test.value);
                said.push(match () {
                    () if name == "general_fb" => (0, None, material),
                    () if name.contains("incorrect") => (2, Some(self.words.when_wrong.to_owned()), material),
                    () if condition.scores() => (1, Some(self.words.when_right.to_owned()), material),
                    () => match first {
                        Some(value) => (3, Some(format!("{}:", label(item, value))), material),
                        None => (0, None, material),
                    },
                });
            }
        }
        let mut left: Vec<_> = item
            .feedback
            .iter()
            .filter(|(name, _)| !used.contains(name.as_str()))
            .collect();
        left.sort_by_key(|(name, _)| name.as_str());
        said.extend(left.into_iter().map(|(_, material)| (0, None, material)));
        said.sort_by_key(|(rank, ..)| *rank);
        let mut all = Vec::new();
        let mut apart = false;
        for (rank, name, material) in said {
            if let Some(name) = name {
                let bold = json!([{ "type": "text", "text": name, "marks": [{ "type": "bold" }] }]);
                all.push(json!({ "type": "paragraph", "content": bold }));
            }
            apart |= rank > 0;
            all.extend(blocks(self.document(material)));
        }
        if apart {
            self.host.note(Note::Feedback, 0);
        }
        all
    }
}

/// The words of the option an answer names.
fn label(item: &Item, value: &str) -> String {
    let labels = item.responses.iter().flat_map(|response| &response.labels);
    let known = labels
        .into_iter()
        .find(|(id, _)| id == value)
        .map(|(_, said)| said.plain());
    known.unwrap_or_else(|| value.to_owned())
}

fn kind(item: &Item) -> Option<Kind> {
    let said = item
        .fields
        .get("question_type")
        .or_else(|| item.fields.get("cc_profile"));
    let said = said.map(|name| {
        let name = name.strip_suffix("_question").unwrap_or(name);
        let name = name.strip_prefix("cc.").unwrap_or(name);
        name.split('.').next().unwrap_or_default().to_ascii_lowercase()
    });
    let known = match said.as_deref() {
        Some("multiple_choice" | "true_false") => Kind::Single,
        Some("multiple_answers" | "multiple_response") => Kind::Multiple,
        Some("multiple_dropdowns") => Kind::Dropdowns,
        Some("fill_in_multiple_blanks") => Kind::Blanks,
        Some("matching") => Kind::Matching,
        Some("numerical") => Kind::Numeric,
        Some("calculated") => Kind::Calculated,
        Some("essay") => Kind::Essay,
        Some("file_upload") => Kind::Upload,
        Some("text_only") => Kind::Text,
        Some("short_answer" | "fib" | "pattern_match") => Kind::Short,
        _ => return inferred(item),
    };
    Some(known)
}

/// By what is to be answered, where nobody says.
fn inferred(item: &Item) -> Option<Kind> {
    let Some(first) = item.responses.first() else {
        return Some(Kind::Text);
    };
    let asks = |condition: &Condition, ops: &[&str]| condition.tests.iter().any(|test| ops.contains(&test.op.as_str()));
    let any = |ops: &[&str]| item.conditions.iter().any(|condition| asks(condition, ops));
    let kind = match (first.takes, item.responses.len()) {
        (Takes::Order, 1) => Kind::Ordering,
        (Takes::Many, 1) => Kind::Multiple,
        (Takes::One, 1) => Kind::Single,
        (Takes::Number, 1) => Kind::Numeric,
        (Takes::Text, 1) if any(&["vargte", "varlte", "vargt", "varlt"]) => Kind::Numeric,
        (Takes::Text, 1) if item.conditions.iter().any(|c| c.scores() && !c.tests.is_empty()) => Kind::Short,
        (Takes::Text, 1) => Kind::Essay,
        (Takes::Text | Takes::Number, _) => Kind::Blanks,
        (Takes::One, _) => {
            let same = |response: &Response| {
                let words = |response: &Response| -> Vec<String> {
                    response.labels.iter().map(|(_, said)| said.plain()).collect()
                };
                words(response) == words(first) && !response.name.is_empty()
            };
            match item.responses.iter().all(same) {
                true => Kind::Matching,
                false => Kind::Dropdowns,
            }
        }
        _ => return None,
    };
    Some(kind)
}

/// What choosing a label of a response is worth; of all responses when it is "". What may not be chosen is not there.
fn scores<'i>(item: &'i Item, response: &str) -> HashMap<&'i str, f64> {
    let mut scores: HashMap<&str, f64> = HashMap::new();
    for condition in &item.conditions {
        let Some(score) = condition.score else { continue };
        for test in &condition.tests {
            if test.not || test.op != "varequal" || !(response.is_empty() || test.response == response) {
                continue;
            }
            let known = scores.entry(&test.value).or_insert(score);
            *known = known.max(score);
        }
    }
    scores
}

/// The texts that are right.
fn equal_to(item: &Item, response: &str) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    for condition in item.conditions.iter().filter(|condition| condition.scores()) {
        for test in &condition.tests {
            let fits = response.is_empty() || test.response == response;
            if fits && !test.not && test.op == "varequal" && !texts.contains(&test.value) {
                texts.push(test.value.clone());
            }
        }
    }
    texts
}

fn points(item: &Item) -> Option<Number> {
    let said = item
        .fields
        .get("points_possible")
        .or_else(|| item.fields.get("cc_weighting"))?;
    let points: f64 = said.trim().parse().ok()?;
    let points = (points.clamp(0.0, 1000.0) * 10_000.0).round() / 10_000.0;
    tidy(points)
}

/// An id we wrote, or a hash of somebody's: a letter and 32 hexadecimal digits.
fn id_of(name: &str) -> Option<Uuid> {
    let digits = match name.len() {
        33 => name.strip_prefix(|c: char| c.is_ascii_lowercase()).unwrap_or(name),
        _ => name,
    };
    let is_id = digits.len() == 32 && digits.bytes().all(|b| b.is_ascii_hexdigit());
    is_id.then(|| Uuid::parse_str(digits).ok()).flatten()
}

fn with_id(mut made: Value, name: &str, ids: &mut HashSet<Uuid>) -> Value {
    if let Some(id) = id_of(name)
        && ids.insert(id)
    {
        insert(&mut made, "id", json!(id));
    }
    made
}

/// Puts a blank where the text first has `mark`, and gaps where it has it again.
fn put_blank(node: &mut Value, mark: &str, id: Uuid) -> bool {
    let mut done = false;
    put_in(node, mark, id, &mut done);
    done
}

fn put_in(node: &mut Value, mark: &str, id: Uuid, done: &mut bool) {
    let Some(list) = node.get_mut("content").and_then(Value::as_array_mut) else {
        return;
    };
    let mut made = Vec::with_capacity(list.len());
    for mut child in std::mem::take(list) {
        let words = child.get("text").and_then(Value::as_str).map(str::to_owned);
        let Some(words) = words.filter(|words| words.contains(mark)) else {
            put_in(&mut child, mark, id, done);
            made.push(child);
            continue;
        };
        let marks = child.get("marks").cloned();
        let marked = |mut node: Map<String, Value>| {
            node.extend(marks.clone().map(|marks| ("marks".to_owned(), marks)));
            Value::Object(node)
        };
        let mut rest = words.as_str();
        while let Some((before, after)) = rest.split_once(mark) {
            if !before.is_empty() {
                made.push(marked(Map::from_iter([
                    ("type".into(), "text".into()),
                    ("text".into(), before.into()),
                ])));
            }
            made.push(match std::mem::replace(done, true) {
                false => json!({ "type": "blank", "attrs": { "blank_id": id } }),
                true => json!({ "type": "text", "text": "_____" }),
            });
            rest = after;
        }
        if !rest.is_empty() {
            made.push(marked(Map::from_iter([
                ("type".into(), "text".into()),
                ("text".into(), rest.into()),
            ])));
        }
    }
    *list = made;
}

/// Without what binary fractions leave behind the twelfth place.
pub fn tidy(number: f64) -> Option<Number> {
    let rounded: f64 = format!("{number:.12}").parse().ok()?;
    match rounded.fract() == 0.0 && rounded.abs() < 1e15 {
        true => format!("{rounded:.0}").parse::<i64>().ok().map(Number::from),
        false => Number::from_f64(rounded),
    }
}

pub fn doc(blocks: Vec<Value>) -> Value {
    match blocks.is_empty() {
        true => content::empty(),
        false => json!({ "type": "doc", "content": blocks }),
    }
}

pub fn blocks(mut document: Value) -> Vec<Value> {
    match document.get_mut("content").map(Value::take) {
        Some(Value::Array(blocks)) => blocks,
        _ => vec![],
    }
}

fn insert(object: &mut Value, name: &str, value: Value) {
    if let Some(fields) = object.as_object_mut() {
        fields.insert(name.to_owned(), value);
    }
}
