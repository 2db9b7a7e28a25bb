//! Writes inline content as Markdown.

use serde_json::Value;

use super::tags::escaped;
use super::{attr_text, kind};

/// How inline content is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// With Markdown syntax.
    Plain,
    /// With tags for all marks and escapes for all punctuation, where Markdown syntax would not be recognized.
    Tags,
}

/// The context of inline content.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LineContext {
    Paragraph,
    /// A heading, summary or cell, which must not contain line breaks.
    Line,
}

/// Nesting order of marks, outermost first; `code` is innermost.
const MARK_ORDER: &[&str] = &[
    "link",
    "highlight",
    "underline",
    "subscript",
    "superscript",
    "strike",
    "bold",
    "italic",
];

pub fn write(nodes: &[Value], style: Style, place: LineContext) -> String {
    let mut writer = Writer {
        out: String::new(),
        style,
        place,
        open: Vec::new(),
        line_start: true,
    };
    for (index, node) in nodes.iter().enumerate() {
        writer.node(node, nodes.get(index + 1));
    }
    writer.close_to(0);
    writer.out
}

struct Writer<'a> {
    out: String,
    style: Style,
    place: LineContext,
    /// Open marks.
    open: Vec<&'a Value>,
    /// Only opening marks since the start of the line.
    line_start: bool,
}

impl<'a> Writer<'a> {
    fn node(&mut self, node: &'a Value, next: Option<&'a Value>) {
        let marks = node
            .get("marks")
            .and_then(Value::as_array)
            .map_or(&[][..], Vec::as_slice);
        let code = marks.iter().any(|mark| kind(mark) == "code");
        let wanted: Vec<&Value> = MARK_ORDER
            .iter()
            .filter_map(|name| marks.iter().find(|mark| kind(mark) == *name))
            .collect();
        let kept = self
            .open
            .iter()
            .zip(&wanted)
            .take_while(|(open, wanted)| open == wanted)
            .count();
        self.close_to(kept);
        for mark in wanted.into_iter().skip(kept) {
            self.open_mark(mark);
        }
        match kind(node) {
            "text" => {
                let text = node.get("text").and_then(Value::as_str).unwrap_or_default();
                if code { self.code(text) } else { self.text(text, next) }
            }
            "hardBreak" => self.hard_break(code, next),
            "inlineMath" => self.in_code_tag(code, |this| this.math(attr_text(node, "latex").unwrap_or_default())),
            "blank" => self.in_code_tag(code, |this| {
                this.put(&format!("[[{}]]", attr_text(node, "blank_id").unwrap_or_default()));
            }),
            _ => {}
        }
    }

    fn put(&mut self, text: &str) {
        self.out.push_str(text);
        self.line_start = false;
    }

    fn open_mark(&mut self, mark: &'a Value) {
        match (kind(mark), self.style) {
            ("link", _) => self.put("["),
            ("bold", Style::Plain) => self.put("**"),
            ("italic", Style::Plain) => self.put("*"),
            ("strike", Style::Plain) => self.put("~~"),
            (name, _) => self.put(&format!("<{}>", tag(name))),
        }
        self.open.push(mark);
    }

    fn close_to(&mut self, kept: usize) {
        while self.open.len() > kept {
            let Some(mark) = self.open.pop() else { return };
            match (kind(mark), self.style) {
                ("link", _) => {
                    let href = destination(attr_text(mark, "href").unwrap_or_default());
                    match attr_text(mark, "title") {
                        Some(words) => self.put(&format!("]({href} {})", title(words))),
                        None => self.put(&format!("]({href})")),
                    }
                }
                ("bold", Style::Plain) => self.put("**"),
                ("italic", Style::Plain) => self.put("*"),
                ("strike", Style::Plain) => self.put("~~"),
                (name, _) => self.put(&format!("</{}>", tag(name))),
            }
        }
    }

    fn in_code_tag(&mut self, code: bool, write: impl FnOnce(&mut Self)) {
        if code {
            self.put("<code>");
        }
        write(self);
        if code {
            self.put("</code>");
        }
    }

    fn hard_break(&mut self, code: bool, next: Option<&Value>) {
        let plain = self.style == Style::Plain
            && self.place == LineContext::Paragraph
            && !code
            && self.open.is_empty()
            && !self.line_start
            && next.is_some_and(|next| kind(next) == "text");
        if plain {
            self.out.push_str("\\\n");
            self.line_start = true;
        } else {
            self.in_code_tag(code, |this| this.put("<br>"));
        }
    }

    fn code(&mut self, text: &str) {
        let fits = self.style == Style::Plain
            && !text.starts_with([' ', '`'])
            && !text.ends_with([' ', '`'])
            && !text.chars().any(char::is_control);
        if !fits {
            self.put("<code>");
            let style = std::mem::replace(&mut self.style, Style::Tags);
            self.text(text, None);
            self.style = style;
            return self.put("</code>");
        }
        let fence = "`".repeat(longest_run(text, '`') + 1);
        self.put(&format!("{fence}{text}{fence}"));
    }

    fn math(&mut self, latex: &str) {
        let fits = self.style == Style::Plain
            && !latex.is_empty()
            && !latex.contains(['$', '`'])
            && !latex.starts_with(char::is_whitespace)
            && !latex.ends_with(char::is_whitespace)
            && !latex.ends_with('\\')
            && !latex.chars().any(char::is_control);
        if fits {
            self.put(&format!("${latex}$"))
        } else {
            self.put(&format!("<math latex=\"{}\">", escaped(latex)))
        }
    }

    fn text(&mut self, text: &str, next: Option<&Value>) {
        let chars: Vec<char> = text.chars().collect();
        let ends_line = next.is_none_or(|next| kind(next) == "hardBreak");
        for (at, &c) in chars.iter().enumerate() {
            let before = at.checked_sub(1).and_then(|at| chars.get(at)).copied();
            let after = chars.get(at + 1).copied();
            let last = after.is_none();
            let edge = self.line_start || (last && ends_line);
            if c.is_control() || (c == ' ' && (edge || self.style == Style::Tags && (at == 0 || last))) {
                self.put(&format!("&#{};", u32::from(c)));
            } else if c == '&' && after.is_none_or(|c| c.is_ascii_alphanumeric() || c == '#') {
                self.put("&amp;");
            } else {
                if self.needs_escape(c, before, after, next.is_some(), chars.get(at..).unwrap_or_default()) {
                    self.out.push('\\');
                }
                self.out.push(c);
                self.line_start &= self.in_number(c);
            }
        }
    }

    /// Digits at the start of a line could become a list marker.
    fn in_number(&self, c: char) -> bool {
        c.is_ascii_digit()
    }

    fn needs_escape(&self, c: char, before: Option<char>, after: Option<char>, more: bool, rest: &[char]) -> bool {
        if !c.is_ascii_punctuation() {
            return false;
        }
        if self.style == Style::Tags {
            return true;
        }
        match c {
            '\\' | '`' | '*' | '[' | ']' | '$' | '~' | '|' => true,
            '_' => !(is_alphanumeric(before) && is_alphanumeric(after)),
            '<' => after.is_none_or(|c| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?')),
            '!' => after.is_none() && more,
            '#' if self.place == LineContext::Line => before.is_none_or(|before| before == ' '),
            _ if !self.line_start => false,
            '.' | ')' => is_digit(before),
            _ if is_digit(before) => false,
            '#' | '>' | '-' | '+' | '=' => true,
            ':' => matches!(after, Some('-' | ':')),
            '?' => rest.starts_with(&['?', '?', '?']),
            _ => false,
        }
    }
}

fn is_alphanumeric(c: Option<char>) -> bool {
    c.is_some_and(char::is_alphanumeric)
}

fn is_digit(c: Option<char>) -> bool {
    c.is_some_and(|c| c.is_ascii_digit())
}

fn tag(mark: &str) -> &'static str {
    match mark {
        "highlight" => "mark",
        "underline" => "u",
        "subscript" => "sub",
        "superscript" => "sup",
        "strike" => "s",
        "bold" => "strong",
        _ => "em",
    }
}

/// The mark for a tag name.
pub fn mark_of(tag: &str) -> Option<&'static str> {
    Some(match tag {
        "mark" => "highlight",
        "u" | "ins" => "underline",
        "sub" => "subscript",
        "sup" => "superscript",
        "s" | "del" | "strike" => "strike",
        "strong" | "b" => "bold",
        "em" | "i" => "italic",
        "code" | "kbd" | "samp" => "code",
        _ => return None,
    })
}

/// Formats the address of a link or image.
pub fn destination(address: &str) -> String {
    let bare = |c: char| c.is_alphanumeric() || "-._~:/?#@!'+,;=%&".contains(c);
    let entity = address.contains('&') && address.contains(';');
    if !address.is_empty() && !entity && address.chars().all(bare) {
        return address.to_owned();
    }
    let mut out = String::from("<");
    for c in address.chars() {
        match c {
            '\\' | '<' | '>' => out.extend(['\\', c]),
            '&' => out.push_str("&amp;"),
            c if c.is_control() => out.push_str(&format!("&#{};", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('>');
    out
}

/// Formats a title after an address.
pub fn title(words: &str) -> String {
    let mut out = String::from("\"");
    for c in words.chars() {
        match c {
            '\\' | '"' => out.extend(['\\', c]),
            '&' => out.push_str("&amp;"),
            c if c.is_control() => out.push_str(&format!("&#{};", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

pub fn longest_run(text: &str, of: char) -> usize {
    let (mut longest, mut run) = (0, 0);
    for c in text.chars() {
        run = if c == of { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}
