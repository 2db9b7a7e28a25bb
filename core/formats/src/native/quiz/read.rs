//! Parses questions to JSON in the format of the API. Callers resolve addresses before `quiz::read`.

use std::collections::HashMap;

use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::{Fences, Marker, is_question, marker};
use crate::native::document::{self, Attrs};
use crate::note::Note;
use crate::numbers::number;

/// Parsed questions per page; more are reported. The limit of a quiz is lower.
const MAX_PARSED: usize = 5000;

const KINDS: &[&str] = &[
    "single_choice",
    "multiple_choice",
    "short_text",
    "numeric",
    "matching",
    "ordering",
    "fill_blank",
];

/// Parsed questions and notes.
#[derive(Debug, Default)]
pub struct Questions {
    /// Each with its first line, starting at 1.
    pub questions: Vec<(usize, Value)>,
    pub notes: Vec<(usize, Note)>,
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

/// The lines of a question.
struct Block<'a> {
    line: usize,
    head: &'a str,
    /// Each with whether it is inside a code fence.
    lines: Vec<(&'a str, bool)>,
}

/// An answer: its marker and its lines without indentation.
struct Part {
    line: usize,
    marker: Marker,
    text: String,
}

impl Questions {
    fn note(&mut self, line: usize, note: Note) {
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
        for name in attrs
            .names()
            .filter(|name| !matches!(*name, "points" | "case_sensitive"))
        {
            self.note(block.line, Note::UnknownField(name.to_owned()));
        }
        let (body, parts) = split(kind, &block);
        let mut question = Map::new();
        question.insert("type".into(), kind.into());
        if let Some(points) = attrs.get("points") {
            match number(points) {
                Some(points) => question.insert("points".into(), Value::Number(points)),
                None => {
                    self.note(block.line, Note::UnknownField(format!("points={points}")));
                    None
                }
            };
        }
        let body_line = block.line + 1;
        let mut prompt = body.as_str();
        let mut blank_text = None;
        if kind == "fill_blank" {
            let (asked, text) = split_at_rule(&body).unwrap_or(("", &body));
            prompt = asked;
            let read = document::read(text, true);
            self.notes
                .extend(read.notes.iter().map(|(line, note)| (body_line + line, note.clone())));
            blank_text = Some(read.into_document());
        }
        question.insert("prompt".into(), self.document(prompt, body_line));
        self.answers(kind, parts, &mut question);
        if let Some(mut text) = blank_text {
            resolve_blanks(&mut text, &mut question);
            question.insert("text".into(), text);
        }
        if kind == "short_text" {
            question.insert("case_sensitive".into(), attrs.has("case_sensitive").into());
        }
        self.questions.push((block.line, question.into()));
    }

    fn document(&mut self, text: &str, line: usize) -> Value {
        let read = document::read(text, false);
        for (at, note) in &read.notes {
            self.note(line + at - 1, note.clone());
        }
        read.into_document()
    }

    fn answers(&mut self, kind: &str, parts: Vec<Part>, question: &mut Map<String, Value>) {
        let mut lists: HashMap<&str, Vec<Value>> = HashMap::new();
        let mut left: Option<Value> = None;
        for part in parts {
            match part.marker {
                Marker::Option(correct) => {
                    let option = json!({ "content": self.document(&part.text, part.line), "correct": correct });
                    match lists.get_mut("blanks").and_then(|blanks| blanks.last_mut()) {
                        Some(blank) => append_to_list(blank, "options", option),
                        None => lists.entry("options").or_default().push(option),
                    }
                }
                Marker::Answer if kind == "numeric" => self.number(&part, question),
                Marker::Answer => {
                    let text = unquoted(part.text.trim());
                    match lists.get_mut("blanks").and_then(|blanks| blanks.last_mut()) {
                        Some(blank) => append_to_list(blank, "accepted", text.into()),
                        None => lists.entry("accepted").or_default().push(text.into()),
                    }
                }
                Marker::Pattern => {
                    question.insert("regex".into(), unquoted(&part.text).into());
                }
                Marker::Left => {
                    let text = self.document(&part.text, part.line);
                    if left.replace(text).is_some() {
                        self.note(part.line, Note::Question("<-".into()));
                    }
                }
                Marker::Right => {
                    let right = self.document(&part.text, part.line);
                    match left.take() {
                        Some(left) => lists
                            .entry("pairs")
                            .or_default()
                            .push(json!({ "left": left, "right": right })),
                        None => self.note(part.line, Note::Question("->".into())),
                    }
                }
                Marker::Item => {
                    let item = json!({ "content": self.document(&part.text, part.line) });
                    lists.entry("items").or_default().push(item);
                }
                Marker::Blank(name, options) => {
                    let mut blank = json!({ "id": Uuid::now_v7(), "name": name });
                    if options && let Some(fields) = blank.as_object_mut() {
                        fields.insert("options".into(), json!([]));
                    }
                    lists.entry("blanks").or_default().push(blank);
                }
                Marker::Explanation => {
                    let text = self.document(&part.text, part.line);
                    question.insert("explanation".into(), text);
                }
            }
        }
        if left.is_some() {
            self.note(0, Note::Question("<-".into()));
        }
        question.extend(lists.into_iter().map(|(name, list)| (name.to_owned(), list.into())));
    }

    /// Parses `3.14 +- 0.01`, `10 +- 5%` or `?`.
    fn number(&mut self, part: &Part, question: &mut Map<String, Value>) {
        let text = part.text.trim().replace('±', "+-");
        let (value, off) = text.split_once("+-").unwrap_or((&text, ""));
        let (value, off) = (value.trim(), off.trim());
        if value != "?" {
            match number(value) {
                Some(value) => question.insert("value".into(), Value::Number(value)),
                None => {
                    self.note(part.line, Note::Question(format!("= {}", part.text.trim())));
                    None
                }
            };
        }
        let (name, off) = match off.strip_suffix('%') {
            Some(percent) => ("tolerance_percent", percent.trim()),
            None => ("tolerance", off),
        };
        if !off.is_empty() {
            match number(off) {
                Some(off) => question.insert(name.into(), Value::Number(off)),
                None => {
                    self.note(part.line, Note::Question(format!("= {}", part.text.trim())));
                    None
                }
            };
        }
    }
}

fn append_to_list(object: &mut Value, name: &str, value: Value) {
    if let Some(fields) = object.as_object_mut()
        && let Value::Array(list) = fields.entry(name).or_insert_with(|| json!([]))
    {
        list.push(value);
    }
}

/// A bare or quoted text.
fn unquoted(text: &str) -> String {
    if text.starts_with('"') {
        serde_json::from_str(text).unwrap_or_else(|_| text.to_owned())
    } else {
        text.to_owned()
    }
}

/// Infers the question type from the answers.
fn infer_kind(block: &Block<'_>) -> &'static str {
    let lines = || block.lines.iter().filter(|(_, code)| !code).map(|(line, _)| *line);
    let any = |signs: &[&str]| lines().any(|line| signs.iter().any(|sign| line.starts_with(sign)));
    if any(&["(x)", "( )", "()", "(X)", "(х)", "(Х)"]) {
        "single_choice"
    } else if any(&["[x]", "[ ]", "[]", "[X]", "[х]", "[Х]"]) {
        "multiple_choice"
    } else if any(&["<-"]) {
        "matching"
    } else if lines().any(|line| line.contains("[[")) {
        "fill_blank"
    } else if lines().any(|line| marker("ordering", line).is_some_and(|(marker, _)| marker == Marker::Item)) {
        "ordering"
    } else {
        "short_text"
    }
}

/// Splits the prompt from the answers.
fn split(kind: &str, block: &Block<'_>) -> (String, Vec<Part>) {
    let is_indented = |line: &str| line.starts_with("    ") || line.starts_with('\t');
    let first = block.lines.iter().find(|(line, _)| !line.trim().is_empty());
    let indented = first.is_some_and(|(line, _)| is_indented(line));
    let mut body: Vec<&str> = Vec::new();
    let mut parts: Vec<Part> = Vec::new();
    for (at, (line, code)) in block.lines.iter().enumerate() {
        let found = if indented || !code { marker(kind, line) } else { None };
        match (found, parts.last_mut()) {
            (Some((marker, rest)), _) => parts.push(Part {
                line: block.line + at + 1,
                marker,
                text: rest.to_owned(),
            }),
            (None, Some(part)) => {
                part.text.push('\n');
                part.text.push_str(dedent(line));
            }
            (None, None) if indented => body.push(dedent(line)),
            (None, None) => body.push(line),
        }
    }
    for part in &mut parts {
        part.text.truncate(part.text.trim_end_matches('\n').len());
    }
    (body.join("\n").trim_matches('\n').to_owned(), parts)
}

fn dedent(line: &str) -> &str {
    line.strip_prefix("    ")
        .or_else(|| line.strip_prefix('\t'))
        .unwrap_or_else(|| if line.trim().is_empty() { "" } else { line })
}

/// The prompt before `___`, and the text with blanks after it.
fn split_at_rule(body: &str) -> Option<(&str, &str)> {
    let mut fences = Fences::default();
    let mut at = 0;
    for line in body.split_inclusive('\n') {
        let next = at + line.len();
        if !fences.holds(line.trim_end()) && line.trim_end() == "___" {
            return Some((body.get(..at)?, body.get(next..)?));
        }
        at = next;
    }
    None
}

/// Replaces blank names by ids and adds the blanks defined inline.
fn resolve_blanks(text: &mut Value, question: &mut Map<String, Value>) {
    let mut blanks = match question.remove("blanks") {
        Some(Value::Array(blanks)) => blanks,
        _ => vec![],
    };
    let mut ids: HashMap<String, String> = HashMap::new();
    for blank in &mut blanks {
        let Some(fields) = blank.as_object_mut() else { continue };
        if let (Some(Value::String(name)), Some(Value::String(id))) = (fields.remove("name"), fields.get("id")) {
            ids.entry(name).or_insert_with(|| id.clone());
        }
    }
    let mut made = Vec::new();
    name_blanks(text, &mut |name| {
        if let Some(answers) = name.strip_prefix('=') {
            let id = Uuid::now_v7().to_string();
            let answers: Vec<&str> = answers.split('|').map(str::trim).collect();
            made.push(json!({ "id": id, "accepted": answers }));
            return id;
        }
        ids.entry(name.to_owned())
            .or_insert_with(|| Uuid::now_v7().to_string())
            .clone()
    });
    blanks.extend(made);
    question.insert("blanks".into(), blanks.into());
}

fn name_blanks(node: &mut Value, id_of: &mut dyn FnMut(&str) -> String) {
    if node.get("type").is_some_and(|kind| kind == "blank")
        && let Some(Value::String(name)) = node.pointer_mut("/attrs/blank_id")
    {
        *name = id_of(name);
    }
    for child in node
        .get_mut("content")
        .and_then(Value::as_array_mut)
        .into_iter()
        .flatten()
    {
        name_blanks(child, id_of);
    }
}
