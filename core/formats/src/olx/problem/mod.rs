//! Reads problems: each response becomes a question, with the text before it as the prompt.

mod image;
mod question;
mod readable;
mod responses;

pub use question::as_text;
pub use responses::quoted_list;

use self::question::question;
use self::responses::ParsedResponse;
use super::definitions::{Definition, Definitions};
use super::page_context::PageContext;
use crate::html::Converted;
use crate::note::olx::Note;
use crate::quiz::{self, Points, Question};
use crate::xml::{Element, Node, escaped};
use chrono::{DateTime, Utc};
use kurso_base::messages::Lang;
use kurso_base::text::one_line;

/// A part of a problem, in order.
pub enum Piece {
    Text(Converted),
    Question(Box<Question>),
}

/// Quiz settings of a problem.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// `None` if not set; `Some(None)` if unlimited.
    pub max_attempts: Option<Option<u32>>,
    pub show_answer: Option<String>,
    pub shuffle: bool,
    pub due_at: Option<DateTime<Utc>>,
    /// Open responses have no answers to show and no options to shuffle.
    pub is_open_response: bool,
}

/// A question whose texts are still HTML.
struct Draft {
    prompt: String,
    parsed: ParsedResponse,
    hints: Vec<String>,
    explanation: String,
}

enum Part {
    Text(String),
    Question(Box<Draft>),
}

struct ProblemReader<'n> {
    notes: &'n mut Vec<Note>,
    lang: Lang,
    /// HTML after the last question.
    html: String,
    parts: Vec<Part>,
    hints: Vec<String>,
    /// Solutions before the first question.
    solutions: String,
    /// Number of responses, including those that cannot be graded.
    responses: usize,
    scripts: bool,
}

/// Reads a problem and its settings for the quiz.
pub fn read(
    found: &Definition,
    definitions: &mut Definitions<'_>,
    context: &mut PageContext,
) -> (Vec<Piece>, Settings) {
    let problem = &found.element;
    let mut notes = Vec::new();
    let mut reader = ProblemReader {
        notes: &mut notes,
        lang: context.lang,
        html: String::new(),
        parts: Vec::new(),
        hints: Vec::new(),
        solutions: String::new(),
        responses: 0,
        scripts: false,
    };
    if let Some(title) = found.title().filter(|title| !is_default(title)) {
        reader.html = format!("<p><strong>{}</strong></p>", escaped(title));
    }
    reader.children(problem);
    let (parts, responses) = reader.finish();
    for note in notes {
        definitions.note(&found.place, note);
    }
    let weight = problem
        .attr_text("weight")
        .and_then(|weight| weight.replace(',', ".").parse::<f64>().ok());
    let points = weight
        .filter(|weight| *weight > 0.0 && weight.is_finite())
        .map(|weight| {
            let share = weight / responses.max(1) as f64;
            Points::nearest(share.max(0.0001))
        });
    let mut shuffle = false;
    let mut pieces: Vec<Piece> = Vec::new();
    for part in parts {
        match part {
            Part::Text(html) => pieces.push(Piece::Text(context.convert(definitions, &html, &found.place))),
            Part::Question(draft) => {
                shuffle |= draft.parsed.shuffle;
                pieces.push(question(*draft, points, found, definitions, context));
            }
        }
    }
    let attempts = problem.attr("max_attempts").map(str::trim);
    let due_at = definitions.due(problem, &found.place);
    let settings = Settings {
        max_attempts: attempts.map(|text| text.parse().ok().filter(|n| (1..=quiz::MAX_ATTEMPTS).contains(n))),
        show_answer: problem.attr_text("showanswer").map(str::to_owned),
        shuffle,
        due_at,
        is_open_response: false,
    };
    (pieces, settings)
}

/// Default titles of Open edX, which are not worth keeping.
fn is_default(title: &str) -> bool {
    const NAMES: &[&str] = &[
        "problem",
        "blank problem",
        "blank common problem",
        "blank advanced problem",
        "checkboxes",
        "multiple choice",
        "dropdown",
        "numerical input",
        "text input",
        "custom python-evaluated input",
        "math expression input",
        "checkboxes with hints and feedback",
        "dropdown with hints and feedback",
        "multiple choice with hints and feedback",
        "numerical input with hints and feedback",
        "text input with hints and feedback",
        "single select",
        "multi-select",
        "задача",
        "пустая задача",
    ];
    NAMES.contains(&title.trim().to_lowercase().as_str())
}

impl ProblemReader<'_> {
    fn localized<'s>(&self, en: &'s str, ru: &'s str) -> &'s str {
        match self.lang {
            Lang::En => en,
            Lang::Ru => ru,
        }
    }

    fn children(&mut self, element: &Element) {
        for child in &element.children {
            match child {
                Node::Text(text) => self.html.push_str(&escaped(text)),
                Node::Element(child) => self.element(child),
            }
        }
    }

    fn element(&mut self, element: &Element) {
        match element.name.as_str() {
            name if name.ends_with("response") => self.response(element),
            "solution" | "solutionset" => {
                let html = element.inner_html();
                match self.parts.iter_mut().rev().find_map(|part| match part {
                    Part::Question(draft) => Some(draft),
                    Part::Text(_) => None,
                }) {
                    Some(draft) => draft.explanation.push_str(&html),
                    None => self.solutions.push_str(&html),
                }
            }
            "demandhint" | "hint" if element.is("hint") || element.child("hint").is_some() => {
                let hints: Vec<String> = if element.is("hint") {
                    vec![element.inner_html()]
                } else {
                    element
                        .elements()
                        .filter(|hint| hint.is("hint"))
                        .map(Element::inner_html)
                        .collect()
                };
                self.hints.extend(hints);
            }
            "script" => self.scripts = true,
            "demandhint" | "style" | "startouttext" | "endouttext" | "hintgroup" | "responseparam" => {}
            "label" | "legend" => self.wrapped(element, "<p>", "</p>"),
            "description" => self.wrapped(element, "<p><em>", "</em></p>"),
            "text" | "problem" | "question" | "jspanel" | "multipart" => self.children(element),
            "table" if !responses_of(element).is_empty() => self.table(element),
            _ if element.is_void() => self.html.push_str(&element.open_tag()),
            _ => {
                let close = format!("</{}>", element.name);
                self.wrapped(element, &element.open_tag(), &close);
            }
        }
    }

    fn wrapped(&mut self, element: &Element, open: &str, close: &str) {
        self.html.push_str(open);
        self.children(element);
        self.html.push_str(close);
    }

    /// A table with responses in its cells: the first prompt shows all of it, and each prompt the row of its response.
    fn table(&mut self, table: &Element) {
        Node::Element(readable::with_response_gaps(table)).write_html(&mut self.html);
        let mut rows = Vec::new();
        rows_of(table, &mut rows);
        for row in rows {
            for response in responses_of(row) {
                let words = readable::with_response_gaps(row);
                let cells: Vec<String> = words
                    .elements()
                    .map(|cell| one_line(&cell.text()))
                    .filter(|cell| !cell.is_empty())
                    .collect();
                self.html.push_str(&format!("<p>{}</p>", escaped(&cells.join(" | "))));
                self.response(response);
            }
        }
    }

    /// Text inside a response is part of its prompt.
    fn words(&mut self, response: &Element) {
        for child in &response.children {
            match child {
                Node::Text(text) => self.html.push_str(&escaped(text)),
                Node::Element(child) if child.is("solution") || child.is("hintgroup") => {}
                Node::Element(child) if readable::is_control(&child.name) => {}
                // Groups of choices sometimes contain text.
                Node::Element(child) => self.element(child),
            }
        }
    }

    fn response(&mut self, element: &Element) {
        self.responses += 1;
        self.words(element);
        // Old problems ask only in the label of the field.
        for input in element.elements().filter(|child| readable::is_control(&child.name)) {
            let label = input.attr_text("label").map(escaped);
            if let Some(label) = label.filter(|label| !self.html.contains(label.as_str())) {
                self.html.push_str(&format!("<p>{label}</p>"));
            }
        }
        match responses::read(element) {
            Ok(parsed) => {
                self.responses += parsed.len().saturating_sub(1);
                let inline = element
                    .attr("inline")
                    .is_some_and(|value| value == "1" || value == "true");
                for mut parsed in parsed {
                    self.notes.append(&mut parsed.notes);
                    let mut prompt = std::mem::take(&mut self.html);
                    if inline {
                        prompt.push_str("_____ ");
                    }
                    self.parts.push(Part::Question(Box::new(Draft {
                        prompt,
                        parsed,
                        hints: vec![],
                        explanation: std::mem::take(&mut self.solutions),
                    })));
                }
            }
            Err(note) => {
                for child in element.elements().filter(|child| readable::is_control(&child.name)) {
                    self.html.push_str(&readable::readable(child));
                }
                self.unsupported(note, &element.name);
            }
        }
        for solution in element.elements().filter(|child| child.is("solution")) {
            self.element(solution);
        }
    }

    /// Keeps an unsupported response as text, with a callout.
    fn unsupported(&mut self, note: Note, kind: &str) {
        let words = format!(
            "{} ({})",
            self.localized(
                "A problem whose answers cannot be graded automatically was here",
                "Здесь было задание, ответы на которое эта платформа проверять не умеет"
            ),
            escaped(kind)
        );
        self.html.push_str(&format!("<div class=\"note\"><p>{words}</p></div>"));
        self.notes.push(note);
        let html = std::mem::take(&mut self.html);
        self.parts.push(Part::Text(html));
    }

    fn finish(mut self) -> (Vec<Part>, usize) {
        if self.scripts {
            self.notes.push(Note::Script);
        }
        let rest = std::mem::take(&mut self.html);
        if has_content(&rest) {
            match self.parts.last_mut() {
                // Text after the last response belongs to it, for example units.
                Some(Part::Question(draft)) => draft.prompt.push_str(&rest),
                _ => self.parts.push(Part::Text(rest)),
            }
        }
        let (hint, solution) = (
            self.localized("Hint", "Подсказка"),
            self.localized("Solution", "Решение"),
        );
        let first = self.parts.iter_mut().find_map(|part| match part {
            Part::Question(draft) => Some(draft),
            Part::Text(_) => None,
        });
        let mut hints = std::mem::take(&mut self.hints);
        hints.retain(|html| has_content(html));
        let kept = if first.is_some() {
            hints.len().min(quiz::MAX_HINTS)
        } else {
            0
        };
        let others = hints.split_off(kept);
        let mut folded = String::new();
        for (number, html) in (kept + 1..).zip(&others) {
            folded.push_str(&format!("<details><summary>{hint} {number}</summary>{html}</details>"));
        }
        if !others.is_empty() {
            self.notes.push(Note::Hints(others.len()));
        }
        match first {
            Some(draft) => {
                draft.hints = hints;
                draft.prompt.push_str(&folded);
            }
            None => {
                if !self.solutions.trim().is_empty() {
                    let html = std::mem::take(&mut self.solutions);
                    folded.push_str(&format!("<details><summary>{solution}</summary>{html}</details>"));
                }
                if !folded.is_empty() {
                    self.parts.push(Part::Text(folded));
                }
            }
        }
        (self.parts, self.responses)
    }
}

fn responses_of(element: &Element) -> Vec<&Element> {
    let mut found = Vec::new();
    readable::responses_in(element, &mut found);
    found
}

/// The rows of a table. Rows of tables in its cells belong to the outer row.
fn rows_of<'e>(element: &'e Element, rows: &mut Vec<&'e Element>) {
    for child in element.elements() {
        if child.is("tr") {
            rows.push(child);
        } else {
            rows_of(child, rows);
        }
    }
}

/// Whether HTML contains text or media.
fn has_content(html: &str) -> bool {
    let mut text = String::new();
    for piece in html.split('<') {
        text.push_str(piece.split_once('>').map_or(piece, |(_, after)| after));
    }
    !text.trim().is_empty()
        || ["<img", "<iframe", "<video", "<audio"]
            .iter()
            .any(|tag| html.contains(tag))
}
