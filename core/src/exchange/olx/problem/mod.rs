//! A task of Open edX: text with responses in it. Each response becomes a question; the words before it are its prompt.

mod responses;

use serde_json::{Map, Value, json};

pub use responses::quoted_list;

use self::responses::Asked;
use super::definitions::{Definitions, Found};
use super::desk::Desk;
use super::note::Note;
use crate::content::{self, Lang};
use crate::exchange::hosting;
use crate::exchange::html::Converted;
use crate::exchange::reason::Reason;
use crate::exchange::xml::{Element, Node, escaped};
use crate::quiz::{self, Question};

/// A part of a task, in order.
pub enum Piece {
    Text(Converted),
    Question(Box<Question>),
}

/// What a task says of its quiz.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// None: it does not say; the inner None: as many as one likes.
    pub max_attempts: Option<Option<u32>>,
    pub show_answer: Option<String>,
    pub shuffle: bool,
}

/// A question whose texts are HTML still.
struct Draft {
    prompt: String,
    asked: Asked,
    explanation: String,
}

enum Part {
    Text(String),
    Question(Box<Draft>),
}

struct Cutter<'n> {
    notes: &'n mut Vec<Note>,
    lang: Lang,
    /// The words after the last question.
    html: String,
    parts: Vec<Part>,
    hints: Vec<String>,
    /// Solutions that stand before the first question.
    solutions: String,
    /// How many responses there are, those that are not graded too.
    responses: usize,
    scripts: bool,
}

/// Reads a task; its settings are those of the quiz it comes into.
pub fn read(found: &Found, of: &mut Definitions<'_>, desk: &mut Desk) -> (Vec<Piece>, Settings) {
    let problem = &found.element;
    let mut notes = Vec::new();
    let mut cutter = Cutter {
        notes: &mut notes,
        lang: desk.lang,
        html: String::new(),
        parts: Vec::new(),
        hints: Vec::new(),
        solutions: String::new(),
        responses: 0,
        scripts: false,
    };
    if let Some(title) = found.title().filter(|title| !is_default(title)) {
        cutter.html = format!("<p><strong>{}</strong></p>", escaped(title));
    }
    cutter.children(problem);
    let (parts, responses) = cutter.finish();
    for note in notes {
        of.note(&found.place, note);
    }
    let weight = problem
        .said("weight")
        .and_then(|weight| weight.replace(',', ".").parse::<f64>().ok());
    let points = weight
        .filter(|weight| *weight > 0.0 && weight.is_finite())
        .map(|weight| {
            let share = weight / responses.max(1) as f64;
            ((share * 10_000.0).round() / 10_000.0).clamp(0.0001, 1000.0)
        });
    let mut shuffle = false;
    let mut pieces: Vec<Piece> = Vec::new();
    for part in parts {
        match part {
            Part::Text(html) => pieces.push(Piece::Text(desk.convert(of, &html, &found.place))),
            Part::Question(draft) => {
                shuffle |= draft.asked.shuffle;
                pieces.push(question(*draft, points, found, of, desk));
            }
        }
    }
    let attempts = problem.attr("max_attempts").map(str::trim);
    let settings = Settings {
        max_attempts: attempts.map(|text| text.parse().ok().filter(|n| (1..=quiz::MAX_ATTEMPTS).contains(n))),
        show_answer: problem.said("showanswer").map(str::to_owned),
        shuffle,
    };
    (pieces, settings)
}

/// Names Open edX gives to tasks nobody named.
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

impl Cutter<'_> {
    fn say<'s>(&self, en: &'s str, ru: &'s str) -> &'s str {
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
                let hints: Vec<String> = match element.is("hint") {
                    true => vec![element.inner_html()],
                    false => element
                        .elements()
                        .filter(|hint| hint.is("hint"))
                        .map(Element::inner_html)
                        .collect(),
                };
                self.hints.extend(hints);
            }
            "script" => self.scripts = true,
            "demandhint" | "style" | "startouttext" | "endouttext" | "hintgroup" | "responseparam" => {}
            "label" | "legend" => self.wrapped(element, "<p>", "</p>"),
            "description" => self.wrapped(element, "<p><em>", "</em></p>"),
            "text" | "problem" | "question" | "jspanel" | "multipart" => self.children(element),
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

    /// The words in a response are part of its prompt.
    fn words(&mut self, response: &Element) {
        for child in &response.children {
            match child {
                Node::Text(text) => self.html.push_str(&escaped(text)),
                Node::Element(child) if child.is("solution") || child.is("hintgroup") => {}
                Node::Element(child) if responses::is_machinery(&child.name) => {}
                // Groups of choices have their words inside sometimes.
                Node::Element(child) => self.element(child),
            }
        }
    }

    fn response(&mut self, element: &Element) {
        self.responses += 1;
        self.words(element);
        match responses::read(element) {
            Ok(asked) => {
                self.responses += asked.len().saturating_sub(1);
                let inline = element
                    .attr("inline")
                    .is_some_and(|value| value == "1" || value == "true");
                for mut asked in asked {
                    self.notes.append(&mut asked.notes);
                    let mut prompt = std::mem::take(&mut self.html);
                    if inline {
                        prompt.push_str("_____ ");
                    }
                    self.parts.push(Part::Question(Box::new(Draft {
                        prompt,
                        asked,
                        explanation: std::mem::take(&mut self.solutions),
                    })));
                }
            }
            Err(note) => {
                for child in element.elements().filter(|child| responses::is_machinery(&child.name)) {
                    self.html.push_str(&responses::readable(child));
                }
                self.refused(note, &element.name);
            }
        }
        for solution in element.elements().filter(|child| child.is("solution")) {
            self.element(solution);
        }
    }

    /// What cannot be asked stays readable, with a word on what is missing.
    fn refused(&mut self, note: Note, kind: &str) {
        let words = format!(
            "{} ({})",
            self.say(
                "Here was a task whose answers cannot be checked automatically on this platform",
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
        if says_something(&rest) {
            match self.parts.last_mut() {
                // Words after the last place to answer belong to it: units, say.
                Some(Part::Question(draft)) => draft.prompt.push_str(&rest),
                _ => self.parts.push(Part::Text(rest)),
            }
        }
        let (hint, solution) = (self.say("Hint", "Подсказка"), self.say("Solution", "Решение"));
        let mut folded = String::new();
        for (number, html) in (1..).zip(&self.hints) {
            folded.push_str(&format!("<details><summary>{hint} {number}</summary>{html}</details>"));
        }
        if !self.hints.is_empty() {
            self.notes.push(Note::Hints(self.hints.len()));
        }
        let first = self.parts.iter_mut().find_map(|part| match part {
            Part::Question(draft) => Some(draft),
            Part::Text(_) => None,
        });
        match first {
            Some(draft) => draft.prompt.push_str(&folded),
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

/// Whether HTML has words or pictures.
fn says_something(html: &str) -> bool {
    let mut text = String::new();
    for piece in html.split('<') {
        text.push_str(piece.split_once('>').map_or(piece, |(_, after)| after));
    }
    !text.trim().is_empty()
        || ["<img", "<iframe", "<video", "<audio"]
            .iter()
            .any(|tag| html.contains(tag))
}

/// The question with its texts as documents; its words alone when the quiz refuses it.
fn question(draft: Draft, points: Option<f64>, found: &Found, of: &mut Definitions<'_>, desk: &mut Desk) -> Piece {
    let place = &found.place;
    let prompt = desk.convert(of, &draft.prompt, place);
    let mut fields = draft.asked.fields;
    let mut document = hosting::document(prompt.blocks.clone());
    if content::is_empty(&document) {
        let named = found.title().unwrap_or(desk.say("Question", "Вопрос"));
        document = hosting::document(vec![hosting::paragraph(named)]);
    }
    fields.insert("prompt".into(), document);
    if let Some(points) = points {
        fields.insert("points".into(), json!(points));
    }
    if matches!(
        fields.get("type").and_then(Value::as_str),
        Some("single_choice" | "multiple_choice")
    ) {
        let options: Vec<Value> = draft
            .asked
            .options
            .iter()
            .map(|(html, correct)| json!({ "content": desk.document(of, html, place), "correct": correct }))
            .collect();
        fields.insert("options".into(), options.into());
    }
    let mut explanation = String::new();
    for (answer, html) in &draft.asked.feedback {
        if !answer.is_empty() {
            explanation.push_str(&format!("<p><strong>{}:</strong></p>", escaped(answer)));
        }
        explanation.push_str(&format!("<div>{html}</div>"));
    }
    if !draft.asked.feedback.is_empty() {
        of.report.add(place, crate::exchange::Note::Feedback);
    }
    explanation.push_str(&draft.explanation);
    let explanation = desk.document(of, &explanation, place);
    if !content::is_empty(&explanation) {
        fields.insert("explanation".into(), explanation);
    }
    match one(&fields) {
        Ok(question) => return Piece::Question(Box::new(question)),
        Err(why) => match fields.remove("regex") {
            Some(_) => {
                of.note(place, Note::Pattern);
                if let (true, Ok(question)) = (fields.contains_key("accepted"), one(&fields)) {
                    return Piece::Question(Box::new(question));
                }
            }
            None => of.report.add(place, crate::exchange::Note::QuestionRefused(why)),
        },
    }
    let mut text = prompt;
    text.blocks.push(hosting::callout(&[desk.say(
        "This task could not be made a question.",
        "Это задание не удалось сделать вопросом.",
    )]));
    Piece::Text(text)
}

fn one(fields: &Map<String, Value>) -> Result<Question, Reason> {
    let read = quiz::read(&json!({ "questions": [fields] }));
    let quiz = read.map_err(|error| Reason::from(&error))?;
    quiz.questions.into_iter().next().ok_or(Reason::NothingInIt)
}
