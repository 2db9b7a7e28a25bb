//! The grammar: what is a comment, a category, a question, an answer, and what its escapes hide.

/// A piece of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Item {
    Category(String),
    Question(Raw),
}

/// A question whose text and answers have been told apart; escapes are still in all of them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Raw {
    /// From 1.
    pub line: usize,
    pub title: String,
    /// `html`, `markdown`, `plain`, `moodle`; nothing when it is not said.
    pub format: String,
    pub before: String,
    /// None: there are no braces, it only says something.
    pub answers: Option<String>,
    pub after: String,
}

/// An answer in braces.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Answer {
    /// After `=`, else after `~`.
    pub right: bool,
    /// `%50%`
    pub weight: Option<f64>,
    pub text: String,
    pub feedback: String,
}

/// Bytes of one question: what is longer is no question but a file without blank lines.
const LONGEST: usize = 1024 * 1024;

/// The categories and questions of a text in order; the second list tells the lines of what is too long to read or never ends.
pub fn items(text: &str) -> (Vec<Item>, Vec<usize>) {
    let (mut items, mut refused) = (Vec::new(), Vec::new());
    let mut block = String::new();
    let mut first = 1;
    let mut braces = Braces::default();
    let mut after_gap = false;
    let mut unended = Vec::new();
    let mut flush = |block: &mut String, first: usize| {
        if block.len() > LONGEST {
            refused.push(first);
        } else if !block.trim().is_empty() {
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
        // A question ends at an empty line, but not inside its braces.
        if trimmed.is_empty() && !braces.open {
            flush(&mut block, first);
            braces = Braces::default();
            continue;
        }
        // Whoever forgot the empty line or the last brace has another question here, not more of this one.
        let named = trimmed.starts_with("::");
        let next = match braces.open {
            true => after_gap && (named || braces.after(line).twice),
            false => braces.closed && named,
        };
        if next {
            if braces.open {
                unended.push(first);
            }
            flush(&mut block, first);
            braces = Braces::default();
        }
        if block.is_empty() {
            first = number;
        }
        after_gap = trimmed.is_empty();
        block.push_str(line);
        block.push('\n');
        braces = braces.after(line);
    }
    flush(&mut block, first);
    refused.extend(unended);
    // Categories take their place by their lines.
    let mut all: Vec<(usize, Item)> = items
        .into_iter()
        .map(|item| match &item {
            Item::Question(question) => (question.line, item),
            Item::Category(_) => (0, item),
        })
        .collect();
    all.extend(found.into_iter().map(|(line, name)| (line, Item::Category(name))));
    all.sort_by_key(|(line, _)| *line);
    (all.into_iter().map(|(_, item)| item).collect(), refused)
}

/// What has been seen of the braces of a question.
#[derive(Clone, Copy, Default)]
struct Braces {
    open: bool,
    closed: bool,
    /// They were opened while they were open.
    twice: bool,
}

impl Braces {
    fn after(mut self, line: &str) -> Self {
        let mut escaped = false;
        for c in line.chars() {
            match c {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '{' => {
                    self.twice |= self.open;
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

/// Where `sign` stands in the text and is not escaped.
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

/// Before and after the sign, or all of it and nothing.
pub fn split<'a>(text: &'a str, sign: &str) -> (&'a str, Option<&'a str>) {
    match find(text, sign) {
        Some(at) => (text.get(..at).unwrap_or_default(), text.get(at + sign.len()..)),
        None => (text, None),
    }
}

/// The text as it is meant.
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

/// The answers in braces, and what is said of all of them after `####`.
pub fn answers(text: &str) -> (Vec<Answer>, String) {
    let (text, general) = split(text, "####");
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while let Some(sign) = rest.chars().next().filter(|sign| matches!(sign, '=' | '~')) {
        let body = rest.get(1..).unwrap_or_default();
        let end = next_sign(body).unwrap_or(body.len());
        let (one, after) = body.split_at_checked(end).unwrap_or((body, ""));
        found.push(answer(sign == '=', one));
        rest = after;
    }
    (found, general.unwrap_or_default().trim().to_owned())
}

/// Where the next answer begins: one pass, or a question of many answers would be searched once for each.
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
