//! Parts of a unit: texts, videos, tasks, and what a page can only name.

use serde_json::{Value, json};

use super::definitions::{Definitions, Found, within};
use super::desk::Desk;
use super::note::Note;
use super::problem::{self, Piece};
use super::unit::{Index, Unit, link, placeholder};
use super::{drag_and_drop, video};
use crate::content::Lang;
use crate::exchange::error::ImportError;
use crate::exchange::hosting::{self, Leads, bold, paragraph};
use crate::exchange::xml::{Element, escaped};

/// Parts inside each other.
const MAX_DEPTH: usize = 40;

/// What the parts of a course are read with.
pub struct Reader<'a> {
    pub of: Definitions<'a>,
    pub desk: Desk,
    pub index: Index,
}

impl Reader<'_> {
    /// Reads what is in a unit, or in a part that holds others.
    pub fn parts(&mut self, parent: &Found, unit: &mut Unit, depth: usize) -> Result<(), ImportError> {
        for element in parent.element.elements() {
            self.part(element, &parent.place, unit, depth)?;
        }
        Ok(())
    }

    /// Reads one part.
    pub fn part(&mut self, element: &Element, place: &str, unit: &mut Unit, depth: usize) -> Result<(), ImportError> {
        if depth > MAX_DEPTH {
            self.of.note(place, Note::Cycle(element.name.clone()));
            return Ok(());
        }
        let Some(found) = self.of.enter(element, place)? else {
            if let Some(path) = self.of.lost() {
                let kind = self
                    .desk
                    .say("This part could not be read", "Эту часть не удалось прочесть");
                let title = element.said("display_name").unwrap_or_default();
                let source = format!(
                    "{}: {path}",
                    self.desk.say("In the original course", "В исходном курсе")
                );
                let block = placeholder(kind, title, &source);
                unit.begin(element.said("url_name"), &mut self.of, &mut self.index, true);
                unit.blocks(vec![block], &mut self.of, &mut self.index);
            }
            return Ok(());
        };
        let is_task = matches!(found.element.name.as_str(), "problem" | "drag-and-drop-v2");
        let holds = HOLDERS.contains(&found.element.name.as_str());
        unit.begin(found.url_name(), &mut self.of, &mut self.index, !is_task && !holds);
        match found.element.name.as_str() {
            "html" => self.html(&found, unit),
            "video" | "youtube" => {
                let blocks = video::read(&found, &mut self.of, &mut self.desk);
                unit.blocks(blocks, &mut self.of, &mut self.index);
            }
            "problem" => {
                let (pieces, settings) = problem::read(&found, &mut self.of, &mut self.desk);
                self.pieces(pieces, Some(settings), unit);
            }
            "drag-and-drop-v2" => {
                let pieces = drag_and_drop::read(&found, &mut self.of, &mut self.desk);
                self.pieces(pieces, None, unit);
            }
            name if holds => {
                if VARIANTS.contains(&name) {
                    self.of.note(&found.place, Note::Variants(name.to_owned()));
                }
                self.parts(&found, unit, depth + 1)?;
            }
            _ => {
                let blocks = self.other(&found);
                unit.blocks(blocks, &mut self.of, &mut self.index);
            }
        }
        self.of.leave(&found);
        self.desk.check()
    }

    fn pieces(&mut self, pieces: Vec<Piece>, settings: Option<problem::Settings>, unit: &mut Unit) {
        // Words between questions begin a page, whose quiz needs the settings again.
        let mut begins = true;
        for piece in pieces {
            match piece {
                Piece::Text(text) => {
                    unit.text(text, &mut self.of, &mut self.index);
                    begins = true;
                }
                Piece::Question(question) => {
                    unit.question(*question, &mut self.of, &mut self.index);
                    if std::mem::take(&mut begins) {
                        unit.settings(settings.clone().unwrap_or_default());
                    }
                }
            }
        }
    }

    /// A text: in a file of HTML beside its definition, or in the definition itself.
    fn html(&mut self, found: &Found, unit: &mut Unit) {
        let element = &found.element;
        let inline = element.inner_html();
        let file = element.said("filename").or_else(|| found.url_name());
        let file = file.and_then(|name| within("html", name, "html"));
        let (html, place) = match file
            .filter(|path| inline.trim().is_empty() && (element.said("filename").is_some() || self.of.exists(path)))
        {
            Some(path) => match self.of.text(&path) {
                Ok(html) => (html, path),
                Err(trouble) => {
                    let note = Note::Definition {
                        path: path.clone(),
                        trouble,
                    };
                    return self.of.note(&found.place, note);
                }
            },
            // In a CDATA section tags are text.
            None if element.elements().next().is_none() && element.text().trim().starts_with('<') => {
                (element.text(), found.place.clone())
            }
            None => (inline, found.place.clone()),
        };
        let text = self.desk.convert(&mut self.of, &html, &place);
        unit.text(text, &mut self.of, &mut self.index);
    }

    /// What a page can say of everything else.
    fn other(&mut self, found: &Found) -> Vec<Value> {
        let element = &found.element;
        let title = found.title().unwrap_or_default().to_owned();
        let lang = self.desk.lang;
        let say = |en: &str, ru: &str| match lang {
            Lang::En => en.to_owned(),
            Lang::Ru => ru.to_owned(),
        };
        let mut blocks = Vec::new();
        let kind = match element.name.as_str() {
            "discussion" => {
                let target = element.said("discussion_target").unwrap_or_default();
                let title = if title.is_empty() { target.to_owned() } else { title };
                let kind = say("Here was a discussion", "Здесь было обсуждение");
                self.of.note(&found.place, Note::Discussion(title.clone()));
                return vec![placeholder(&kind, &title, "")];
            }
            "lti" | "lti_consumer" => {
                blocks.extend(launch(element).map(|address| link(&address, &address)));
                say("Here was an external tool (LTI)", "Здесь был внешний инструмент (LTI)")
            }
            "openassessment" => {
                blocks = self.assessment(element, &found.place);
                say(
                    "Here was an open response assessment",
                    "Здесь было задание с развёрнутым ответом и оцениванием по критериям",
                )
            }
            "poll" | "survey" | "poll_question" => {
                blocks = self.poll(element, &found.place);
                say("Here was a poll", "Здесь был опрос")
            }
            "word_cloud" => {
                let html = element.said("instructions").unwrap_or_default();
                blocks = self.desk.convert(&mut self.of, html, &found.place).blocks;
                say("Here was a word cloud", "Здесь было облако слов")
            }
            "annotatable" | "textannotation" => {
                let text = element.text();
                let html = match element.elements().next() {
                    // In a CDATA section tags are text.
                    None if text.trim().starts_with('<') => text,
                    _ => element.inner_html(),
                };
                blocks = self.desk.convert(&mut self.of, &html, &found.place).blocks;
                say("Here was a text to annotate", "Здесь был текст для пометок")
            }
            "pdf" => match element.said("url") {
                Some(url) => return self.linked(url, &title, &found.place),
                None => say("Here was a document", "Здесь был документ"),
            },
            other => format!(
                "{} ({other})",
                say("Here was a part of another kind", "Здесь была часть другого вида")
            ),
        };
        let note = Note::Placeholder {
            kind: element.name.clone(),
            title: title.clone(),
        };
        self.of.note(&found.place, note);
        let source = format!("{}: {}", say("In the original course", "В исходном курсе"), found.place);
        blocks.insert(0, placeholder(&kind, &title, &source));
        blocks
    }

    /// A file of the course to take away, or an address to follow.
    fn linked(&mut self, url: &str, title: &str, place: &str) -> Vec<Value> {
        match super::desk::leads(url) {
            Leads::File(_) => self.desk.attachment(&mut self.of, url, place).into_iter().collect(),
            Leads::Keep(address) => vec![link(if title.is_empty() { &address } else { title }, &address)],
            _ => {
                self.of
                    .report
                    .add(place, crate::exchange::Note::LinkUnsupported(url.to_owned()));
                vec![]
            }
        }
    }

    /// What is asked, and by which criteria answers were judged.
    fn assessment(&mut self, element: &Element, place: &str) -> Vec<Value> {
        let mut html = String::new();
        let texts = |html: &mut String, element: &Element| {
            let text = element.text();
            match text.trim_start().starts_with('<') {
                true => html.push_str(&text),
                false => {
                    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
                        html.push_str(&format!("<p>{}</p>", escaped(line)));
                    }
                }
            }
        };
        let prompts = element.elements().flat_map(|child| match child.name.as_str() {
            "prompts" => child.elements().collect::<Vec<_>>(),
            "prompt" => vec![child],
            _ => vec![],
        });
        for prompt in prompts {
            texts(&mut html, prompt.child("description").unwrap_or(prompt));
        }
        let rubric = element.child("rubric");
        for prompt in rubric
            .iter()
            .flat_map(|rubric| rubric.elements())
            .filter(|child| child.is("prompt"))
        {
            texts(&mut html, prompt);
        }
        for criterion in rubric
            .iter()
            .flat_map(|rubric| rubric.elements())
            .filter(|child| child.is("criterion"))
        {
            let words = |element: &Element| {
                let said = element.child("label").or_else(|| element.child("name"));
                escaped(said.map(Element::text).unwrap_or_default().trim())
            };
            html.push_str(&format!("<p><strong>{}</strong></p>", words(criterion)));
            if let Some(prompt) = criterion.child("prompt") {
                texts(&mut html, prompt);
            }
            html.push_str("<ul>");
            for option in criterion.elements().filter(|child| child.is("option")) {
                let points = option.said("points").map(|points| format!(" ({})", escaped(points)));
                let why = option.child("explanation").map(Element::text).unwrap_or_default();
                html.push_str(&format!(
                    "<li>{}{} {}</li>",
                    words(option),
                    points.unwrap_or_default(),
                    escaped(why.trim())
                ));
            }
            html.push_str("</ul>");
        }
        self.desk.convert(&mut self.of, &html, place).blocks
    }

    /// The question of a poll and what could be chosen.
    fn poll(&mut self, element: &Element, place: &str) -> Vec<Value> {
        let mut blocks = Vec::new();
        let question = element.said("question").unwrap_or_default();
        if !question.is_empty() {
            // The poll of today is written in Markdown, which paragraphs of text are too.
            blocks.extend(
                question
                    .lines()
                    .map(str::trim)
                    .filter(|line| !line.is_empty())
                    .map(bold),
            );
        }
        let mut answers: Vec<String> = Vec::new();
        for name in ["questions", "answers"] {
            let Some(Ok(Value::Array(list))) = element.said(name).map(serde_json::from_str::<Value>) else {
                continue;
            };
            for item in list {
                let said = item.get(1).map_or(&item, |said| said);
                let label = said.get("label").unwrap_or(said);
                answers.extend(label.as_str().map(str::to_owned));
            }
        }
        for answer in element.elements().filter(|child| child.is("answer")) {
            answers.push(answer.text().trim().to_owned());
        }
        if question.is_empty() && element.is("poll_question") {
            let words = Element {
                children: element
                    .children
                    .iter()
                    .filter(|child| !matches!(child, crate::exchange::xml::Node::Element(one) if one.is("answer")))
                    .cloned()
                    .collect(),
                ..Element::default()
            };
            blocks.extend(self.desk.convert(&mut self.of, &words.inner_html(), place).blocks);
        }
        let items: Vec<Value> = answers
            .iter()
            .map(|answer| json!({ "type": "listItem", "content": [paragraph(answer)] }))
            .collect();
        if !items.is_empty() {
            blocks.push(json!({ "type": "bulletList", "content": items }));
        }
        blocks
    }
}

/// Parts that hold others.
const HOLDERS: &[&str] = &[
    "vertical",
    "sequential",
    "wrapper",
    "videosequence",
    "problemset",
    "section",
    "library_content",
    "itembank",
    "split_test",
    "conditional",
    "randomize",
    "library",
    "show",
    "unit",
];

/// Those of them that show not everybody everything.
const VARIANTS: &[&str] = &["library_content", "itembank", "split_test", "conditional", "randomize"];

/// Where an external tool is, without what it is told there.
fn launch(element: &Element) -> Option<String> {
    let address = element.said("launch_url")?;
    let Leads::Keep(address) = hosting::kept(address) else {
        return None;
    };
    let mut url = url::Url::parse(&address).ok()?;
    url.set_query(None);
    url.set_fragment(None);
    matches!(url.scheme(), "http" | "https").then(|| url.into())
}
