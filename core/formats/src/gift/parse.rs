//! Parses the GIFT grammar: comments, categories, questions, answers, escapes.

use crate::course::MAX_FILE_QUESTIONS;

/// An element of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Item {
    Category(String),
    Question(Raw),
}

/// A question split into text and answers, which still contain escapes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Raw {
    /// Starts at 1.
    pub line: usize,
    pub title: String,
    /// `html`, `markdown`, `plain` or `moodle`; empty if not given.
    pub format: String,
    pub before: String,
    /// `None` for a description without braces.
    pub answers: Option<String>,
    pub after: String,
}

/// An answer within braces.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Answer {
    /// The answer starts with `=` rather than `~`.
    pub right: bool,
    /// The weight in percent, for example `%50%`.
    pub weight: Option<f64>,
    pub text: String,
    pub feedback: String,
}

/// Bytes per question. A longer one is a file without blank lines.
const MAX_QUESTION_BYTES: usize = 1024 * 1024;

/// The number of comments with an identifier or tags, which Moodle writes before a question.
pub fn tags(text: &str) -> usize {
    let comments = text.lines().filter(|line| line.trim_start().starts_with("//"));
    comments
        .filter(|line| line.contains("[id:") || line.contains("[tag:"))
        .count()
}

/// Returns the categories and questions in order, of the questions at most one beyond the limit of a file, and the line numbers of questions that are too long or not closed.
pub fn items(text: &str) -> (Vec<Item>, Vec<usize>) {
    let (mut items, mut rejected) = (Vec::new(), Vec::new());
    let mut block = String::new();
    let mut first = 1;
    let mut braces = Braces::default();
    let mut after_blank_line = false;
    let mut unclosed = Vec::new();
    let mut flush = |block: &mut String, first: usize| {
        if block.len() > MAX_QUESTION_BYTES {
            rejected.push(first);
        } else if !block.trim().is_empty() && items.len() <= MAX_FILE_QUESTIONS {
            items.push(Item::Question(question(block, first)));
        }
        block.clear();
    };
    let mut found = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let trimmed = line.trim();
        if trimmed.starts_with("//") {
            continue;
        }
        if let Some(name) = trimmed.strip_prefix("$CATEGORY:") {
            flush(&mut block, first);
            braces = Braces::default();
            found.push((number, name.trim().to_owned()));
            continue;
        }
        // A blank line ends a question, except inside its braces.
        if trimmed.is_empty() && !braces.open {
            flush(&mut block, first);
            braces = Braces::default();
            continue;
        }
        // Recover from a missing blank line or closing brace: this starts another question.
        let is_named = trimmed.starts_with("::");
        let next = if braces.open {
            after_blank_line && (is_named || braces.after(line).nested)
        } else {
            braces.closed && is_named
        };
        if next {
            if braces.open {
                unclosed.push(first);
            }
            flush(&mut block, first);
            braces = Braces::default();
        }
        if block.is_empty() {
            first = number;
        }
        after_blank_line = trimmed.is_empty();
        block.push_str(line);
        block.push('\n');
        braces = braces.after(line);
    }
    flush(&mut block, first);
    rejected.extend(unclosed);
    // Merge categories and questions by line.
    let mut all: Vec<(usize, Item)> = items
        .into_iter()
        .map(|item| match &item {
            Item::Question(question) => (question.line, item),
            Item::Category(_) => (0, item),
        })
        .collect();
    all.extend(found.into_iter().map(|(line, name)| (line, Item::Category(name))));
    all.sort_by_key(|(line, _)| *line);
    (all.into_iter().map(|(_, item)| item).collect(), rejected)
}

/// The state of braces while scanning a question.
#[derive(Clone, Copy, Default)]
struct Braces {
    open: bool,
    closed: bool,
    /// Another brace opened inside an open one.
    nested: bool,
}

impl Braces {
    fn after(mut self, line: &str) -> Self {
        let mut escaped = false;
        for c in line.chars() {
            match c {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '{' => {
                    self.nested |= self.open;
                    self.open = true;
                }
                '}' => {
                    self.closed |= self.open;
                    self.open = false;
                }
                _ => {}
            }
        }
        self
    }
}

fn question(block: &str, line: usize) -> Raw {
    let mut rest = block.trim();
    let mut raw = Raw { line, ..Raw::default() };
    if let Some(after) = rest.strip_prefix("::")
        && let Some(end) = find(after, "::")
    {
        raw.title = after.get(..end).unwrap_or_default().trim().to_owned();
        rest = after.get(end + 2..).unwrap_or_default().trim_start();
    }
    if let Some(after) = rest.strip_prefix('[')
        && let Some((format, after)) = after.split_once(']')
        && matches!(format, "html" | "markdown" | "plain" | "moodle")
    {
        raw.format = format.to_owned();
        rest = after;
    }
    match find(rest, "{") {
        None => raw.before = rest.trim().to_owned(),
        Some(open) => {
            raw.before = rest.get(..open).unwrap_or_default().to_owned();
            let inner = rest.get(open + 1..).unwrap_or_default();
            let close = find(inner, "}").unwrap_or(inner.len());
            raw.answers = Some(inner.get(..close).unwrap_or_default().to_owned());
            raw.after = inner.get(close + 1..).unwrap_or_default().trim_end().to_owned();
        }
    }
    raw
}

/// The position of the first unescaped `sign`.
pub fn find(text: &str, sign: &str) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        if escaped {
            escaped = false;
        } else if c == '\\' {
            escaped = true;
        } else if text.get(at..).is_some_and(|rest| rest.starts_with(sign)) {
            return Some(at);
        }
    }
    None
}

/// Splits at the first unescaped `sign`.
pub fn split<'a>(text: &'a str, sign: &str) -> (&'a str, Option<&'a str>) {
    match find(text, sign) {
        Some(at) => (text.get(..at).unwrap_or_default(), text.get(at + sign.len()..)),
        None => (text, None),
    }
}

/// Resolves escapes.
pub fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some('n') => out.push('\n'),
                Some(c @ ('~' | '=' | '#' | '{' | '}' | ':' | '\\')) => out.push(c),
                Some(c) => out.extend(['\\', c]),
                None => out.push('\\'),
            },
            c => out.push(c),
        }
    }
    out
}

pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '~' | '=' | '#' | '{' | '}' | ':' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            c => out.push(c),
        }
    }
    out
}

/// The answers within braces, and the general feedback after `####`.
pub fn answers(text: &str) -> (Vec<Answer>, String) {
    let (text, general) = split(text, "####");
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while let Some(sign) = rest.chars().next().filter(|sign| matches!(sign, '=' | '~')) {
        let body = rest.get(1..).unwrap_or_default();
        let end = next_sign(body).unwrap_or(body.len());
        let (text, after) = body.split_at_checked(end).unwrap_or((body, ""));
        found.push(answer(sign == '=', text));
        rest = after;
    }
    (found, general.unwrap_or_default().trim().to_owned())
}

/// The start of the next answer. A single pass avoids quadratic time for questions with many answers.
fn next_sign(text: &str) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '=' | '~' => return Some(at),
            _ => {}
        }
    }
    None
}

fn answer(right: bool, text: &str) -> Answer {
    let mut text = text.trim();
    let mut weight = None;
    if let Some(after) = text.strip_prefix('%')
        && let Some((number, after)) = after.split_once('%')
        && let Ok(number) = number.trim().replace(',', ".").parse::<f64>()
    {
        weight = Some(number).filter(|number| number.is_finite());
        text = after.trim_start();
    }
    let (said, feedback) = split(text, "#");
    Answer {
        right,
        weight,
        text: said.trim().to_owned(),
        feedback: feedback.unwrap_or_default().trim().to_owned(),
    }
}
