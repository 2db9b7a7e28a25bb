//! Reads the components of a unit: texts, videos, problems, open responses, and placeholders for everything else.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use uuid::Uuid;

use super::definitions::{Definition, Definitions, path_within};
use super::item_bank::ITEM_BANKS;
use super::page_context::PageContext;
use super::problem::{self, Piece};
use super::unit::{Index, Unit, link, placeholder};
use super::{drag_and_drop, open_response, video};
use crate::course::BankDraft;
use crate::error::ImportError;
use crate::html_host::{self, LinkTarget, bold, paragraph};
use crate::note::olx::Note;
use crate::xml::{self, Element, Node};
use kurso_base::messages::Lang;

/// Nesting of components.
const MAX_DEPTH: usize = 40;

/// The titles that Studio gives to new texts.
const USUAL_TITLES: [&str; 7] = [
    "",
    "Text",
    "Raw HTML",
    "Blank HTML Page",
    "Announcement",
    "IFrame Tool",
    "Zooming Image Tool",
];

/// State for reading the components of a course.
pub struct Reader<'a> {
    pub definitions: Definitions<'a>,
    pub context: PageContext,
    pub index: Index,
    /// The banks of its item banks, by key.
    pub banks: BTreeMap<Uuid, BankDraft>,
    /// Identifies the course, so that importing it again finds its banks.
    pub course: String,
}

/// Writes the comments of an annotated text after the words that they belong to.
fn write_out_comments(element: &mut Element) {
    for child in &mut element.children {
        if let Node::Element(child) = child {
            write_out_comments(child);
        }
    }
    let said = [element.attr_text("title"), element.attr_text("body")];
    let said: Vec<&str> = said
        .into_iter()
        .flatten()
        .filter(|_| element.is("annotation"))
        .collect();
    if !said.is_empty() {
        let comment = format!(" [{}]", said.join(": "));
        element.children.push(Node::Text(comment));
    }
}

impl Reader<'_> {
    /// Reads all components of a unit or a container.
    pub fn parts(&mut self, parent: &Definition, unit: &mut Unit, depth: usize) -> Result<(), ImportError> {
        for element in parent.element.elements() {
            self.part(element, &parent.place, unit, depth)?;
        }
        Ok(())
    }

    pub fn part(&mut self, element: &Element, place: &str, unit: &mut Unit, depth: usize) -> Result<(), ImportError> {
        if depth > MAX_DEPTH {
            self.definitions.note(place, Note::Cycle(element.name.clone()));
            return Ok(());
        }
        let Some(found) = self.definitions.enter(element, place)? else {
            if let Some(block) = self.missing(element) {
                unit.begin(element.attr_text("url_name"));
                unit.blocks(vec![block], &mut self.definitions, &mut self.index);
            }
            return Ok(());
        };
        let is_container = CONTAINERS.contains(&found.element.name.as_str());
        unit.begin(found.url_name());
        match found.element.name.as_str() {
            "html" => self.html(&found, unit),
            "video" | "youtube" => {
                let blocks = video::read(&found, &mut self.definitions, &mut self.context);
                unit.blocks(blocks, &mut self.definitions, &mut self.index);
            }
            "problem" => {
                let (pieces, settings) = problem::read(&found, &mut self.definitions, &mut self.context);
                self.pieces(pieces, Some(settings), unit);
            }
            "drag-and-drop-v2" => {
                let pieces = drag_and_drop::read(&found, &mut self.definitions, &mut self.context);
                self.pieces(pieces, None, unit);
            }
            "openassessment" => {
                let (pieces, settings) = open_response::read(&found, &mut self.definitions, &mut self.context);
                self.pieces(pieces, Some(settings), unit);
            }
            name if ITEM_BANKS.contains(&name) => self.item_bank(&found, unit, depth)?,
            name if is_container => {
                if VARIANTS.contains(&name) {
                    self.note_variants(&found);
                }
                self.parts(&found, unit, depth + 1)?;
            }
            _ => {
                let blocks = self.other(&found);
                unit.blocks(blocks, &mut self.definitions, &mut self.index);
            }
        }
        self.definitions.leave(&found);
        self.context.check()
    }

    /// What stands for the element entered last if its definition could not be read.
    pub fn missing(&mut self, element: &Element) -> Option<Value> {
        let path = self.definitions.missing()?;
        let kind = self
            .context
            .localized("This component could not be read", "Эту часть не удалось прочесть");
        let title = element.attr_text("display_name").unwrap_or_default();
        let source = format!(
            "{}: {path}",
            self.context.localized("In the original course", "В исходном курсе")
        );
        Some(placeholder(kind, title, &source))
    }

    pub fn pieces(&mut self, pieces: Vec<Piece>, settings: Option<problem::Settings>, unit: &mut Unit) {
        // Text between questions starts a new page, whose quiz needs the settings again.
        let mut begins = true;
        for piece in pieces {
            match piece {
                Piece::Text(text) => {
                    unit.text(text, &mut self.definitions, &mut self.index);
                    begins = true;
                }
                Piece::Question(question) => {
                    unit.question(*question, &mut self.definitions, &mut self.index);
                    if std::mem::take(&mut begins) {
                        unit.settings(settings.clone().unwrap_or_default());
                    }
                }
            }
        }
    }

    /// Reads an HTML component, from the HTML file beside its definition or from the definition itself.
    fn html(&mut self, found: &Definition, unit: &mut Unit) {
        let element = &found.element;
        let inline = element.inner_html();
        let file = element.attr_text("filename").or_else(|| found.url_name());
        let file = file.and_then(|name| path_within("html", name, "html"));
        let (html, place) = match file.filter(|path| {
            inline.trim().is_empty() && (element.attr_text("filename").is_some() || self.definitions.exists(path))
        }) {
            Some(path) => match self.definitions.text(&path) {
                Ok(html) => (html, path),
                Err(trouble) => {
                    let note = Note::Definition {
                        path: path.clone(),
                        trouble,
                    };
                    return self.definitions.note(&found.place, note);
                }
            },
            // In a CDATA section, tags are text.
            None if element.elements().next().is_none() && element.text().trim().starts_with('<') => {
                (element.text(), found.place.clone())
            }
            None => (inline, found.place.clone()),
        };
        if let Some(title) = found
            .title()
            .filter(|title| *title != unit.title() && !USUAL_TITLES.contains(title))
        {
            let title = title.to_owned();
            self.definitions.note(&found.place, Note::TextTitle(title));
        }
        let text = self.context.convert(&mut self.definitions, &html, &place);
        unit.text(text, &mut self.definitions, &mut self.index);
    }

    /// Blocks for a component that Kurso does not support.
    fn other(&mut self, found: &Definition) -> Vec<Value> {
        let element = &found.element;
        let title = found.title().unwrap_or_default().to_owned();
        let lang = self.context.lang;
        let localized = |en: &str, ru: &str| match lang {
            Lang::En => en.to_owned(),
            Lang::Ru => ru.to_owned(),
        };
        let mut blocks = Vec::new();
        let kind = match element.name.as_str() {
            "discussion" => {
                let target = element.attr_text("discussion_target").unwrap_or_default();
                let title = if title.is_empty() { target.to_owned() } else { title };
                let kind = localized("A discussion was here", "Здесь было обсуждение");
                self.definitions.note(&found.place, Note::Discussion(title.clone()));
                return vec![placeholder(&kind, &title, "")];
            }
            "lti" | "lti_consumer" => {
                blocks.extend(launch(element).map(|address| link(&address, &address)));
                localized("An external tool (LTI) was here", "Здесь был внешний инструмент (LTI)")
            }
            "poll" | "survey" | "poll_question" => {
                blocks = self.poll(element, &found.place);
                localized("A poll was here", "Здесь был опрос")
            }
            "word_cloud" => {
                let html = element.attr_text("instructions").unwrap_or_default();
                blocks = self.context.convert(&mut self.definitions, html, &found.place).blocks;
                localized("A word cloud was here", "Здесь было облако слов")
            }
            "annotatable" | "textannotation" => {
                let text = element.text();
                let html = match element.elements().next() {
                    // In a CDATA section, tags are text.
                    None if text.trim().starts_with('<') => text,
                    _ => element.inner_html(),
                };
                let html = xml::read(&format!("<div>{html}</div>")).map_or(html, |mut read| {
                    write_out_comments(&mut read);
                    read.inner_html()
                });
                blocks = self.context.convert(&mut self.definitions, &html, &found.place).blocks;
                localized("A text annotation was here", "Здесь был текст для пометок")
            }
            "pdf" => match element.attr_text("url") {
                Some(url) => return self.linked(url, &title, &found.place),
                None => localized("A document was here", "Здесь был документ"),
            },
            other => {
                if let Some(html) = element.attr_text("instructions") {
                    blocks = self.context.convert(&mut self.definitions, html, &found.place).blocks;
                }
                format!(
                    "{} ({other})",
                    localized("An unsupported component was here", "Здесь была часть другого вида")
                )
            }
        };
        let note = Note::Placeholder {
            kind: element.name.clone(),
            title: title.clone(),
        };
        self.definitions.note(&found.place, note);
        let source = format!(
            "{}: {}",
            localized("In the original course", "В исходном курсе"),
            found.place
        );
        blocks.insert(0, placeholder(&kind, &title, &source));
        blocks
    }

    /// An attachment for a file of the course, or a link for another address.
    fn linked(&mut self, url: &str, title: &str, place: &str) -> Vec<Value> {
        match super::page_context::resolve_address(url) {
            LinkTarget::File(_) => self
                .context
                .attachment(&mut self.definitions, url, place)
                .into_iter()
                .collect(),
            LinkTarget::Keep(address) => vec![link(if title.is_empty() { &address } else { title }, &address)],
            _ => {
                self.definitions
                    .report
                    .add(place, crate::Note::LinkUnsupported(url.to_owned()));
                vec![]
            }
        }
    }

    /// The question and the options of a poll.
    fn poll(&mut self, element: &Element, place: &str) -> Vec<Value> {
        let mut blocks = Vec::new();
        let question = element.attr_text("question").unwrap_or_default();
        if !question.is_empty() {
            // Current polls use Markdown; its plain paragraphs need no conversion.
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
            let Some(Ok(Value::Array(list))) = element.attr_text(name).map(serde_json::from_str::<Value>) else {
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
                    .filter(|child| !matches!(child, crate::xml::Node::Element(one) if one.is("answer")))
                    .cloned()
                    .collect(),
                ..Element::default()
            };
            blocks.extend(
                self.context
                    .convert(&mut self.definitions, &words.inner_html(), place)
                    .blocks,
            );
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

/// Components that contain others.
const CONTAINERS: &[&str] = &[
    "vertical",
    "sequential",
    "wrapper",
    "videosequence",
    "problemset",
    "section",
    "split_test",
    "conditional",
    "randomize",
    "library",
    "show",
    "unit",
];

/// Containers that show each learner only some of their components.
const VARIANTS: &[&str] = &["split_test", "conditional", "randomize"];

/// The address of an external tool, without query and fragment, which may contain secrets.
fn launch(element: &Element) -> Option<String> {
    let address = element.attr_text("launch_url")?;
    let LinkTarget::Keep(address) = html_host::web_address(address) else {
        return None;
    };
    let mut url = url::Url::parse(&address).ok()?;
    url.set_query(None);
    url.set_fragment(None);
    matches!(url.scheme(), "http" | "https").then(|| url.into())
}
