//! Converts the paragraphs and tables of a document to HTML.

use std::collections::HashMap;
use std::fmt::Write as _;

use roxmltree::Node;

use super::lists::Lists;
use super::parts::{Format, Relations, Role, attr, child, list, own_outline, value};
use super::tables;
use super::{MAX_INCLUDED, Parts};
use crate::html::FOOTNOTES_ID;
use crate::note::FileTrouble;
use crate::note::document::Note;
use crate::xml::escaped;
use kurso_base::messages::Lang;
use kurso_base::text::one_line;

/// Nesting of text boxes.
const MAX_BOXES: usize = 3;

pub struct Body<'p> {
    pub(super) parts: &'p Parts,
    html: String,
    title: Option<String>,
    lists: Lists,
    /// Lines of the current code block.
    code: Vec<String>,
    pub(super) notes: Vec<Note>,
    pub(super) changes: usize,
    pub(super) comments: usize,
    pub(super) symbols: usize,
    /// Hidden runs.
    pub(super) hidden: usize,
    boxes: usize,
    boxes_read: usize,
    /// Bytes of included HTML parts.
    included: usize,
    contents: bool,
    numbered_headings: bool,
    /// Footnotes in order of reference, by kind and id.
    references: Vec<(String, String)>,
    /// The number of each footnote by kind and id.
    numbers: HashMap<(String, String), usize>,
    has_list: bool,
    stop: &'p mut dyn FnMut() -> bool,
}

impl<'p> Body<'p> {
    /// `stop` is asked once per block; the text ends where it answers true.
    pub fn new(parts: &'p Parts, stop: &'p mut dyn FnMut() -> bool) -> Self {
        Self {
            parts,
            html: String::new(),
            title: None,
            lists: Lists::default(),
            code: Vec::new(),
            notes: Vec::new(),
            changes: 0,
            comments: 0,
            symbols: 0,
            hidden: 0,
            boxes: 0,
            boxes_read: 0,
            included: 0,
            contents: false,
            numbered_headings: false,
            references: Vec::new(),
            numbers: HashMap::new(),
            has_list: false,
            stop,
        }
    }

    pub fn document(&mut self, root: Node<'_, '_>) {
        if let Some(body) = child(root, "body") {
            self.blocks(body, &self.parts.relations);
        }
        self.close();
    }

    fn close(&mut self) {
        self.end_code();
        self.lists.close(&mut self.html);
    }

    fn end_code(&mut self) {
        if !self.code.is_empty() {
            let code = std::mem::take(&mut self.code).join("\n");
            // HTML drops the first line break after the tag.
            let _ = write!(self.html, "<pre>\n{}\n</pre>", escaped(&code));
        }
    }

    fn blocks(&mut self, parent: Node<'_, '_>, relations: &Relations) {
        for node in parent.children().filter(Node::is_element) {
            if (self.stop)() {
                return;
            }
            match node.tag_name().name() {
                "p" => self.paragraph(node, relations),
                "tbl" => self.table(node, relations),
                "sdt" => {
                    // Word wraps its table of contents like this.
                    let gallery = node
                        .descendants()
                        .find(|inner| inner.tag_name().name() == "docPartGallery");
                    if gallery.and_then(|gallery| attr(gallery, "val")) == Some("Table of Contents") {
                        self.contents = true;
                    } else if let Some(content) = child(node, "sdtContent") {
                        self.blocks(content, relations);
                    }
                }
                "ins" | "moveTo" | "customXml" | "smartTag" => self.blocks(node, relations),
                "AlternateContent" => {
                    if let Some(chosen) = child(node, "Choice").or_else(|| child(node, "Fallback")) {
                        self.blocks(chosen, relations);
                    }
                }
                "altChunk" => {
                    self.close();
                    let id = attr(node, "id").unwrap_or_default();
                    self.include(id, relations);
                }
                "oMathPara" | "oMath" => {
                    self.close();
                    let formulas = self.display(node);
                    let _ = write!(self.html, "<p>{formulas}</p>");
                }
                _ => {}
            }
        }
    }

    fn include(&mut self, id: &str, relations: &Relations) {
        let Some((path, _)) = relations.get(id) else { return };
        let trouble = match self.parts.html_parts.get(id) {
            Some(html) if self.included + html.len() <= MAX_INCLUDED => {
                self.included += html.len();
                return self.html.push_str(html);
            }
            Some(_) => FileTrouble::TooLarge(MAX_INCLUDED as u64),
            None => FileTrouble::NotText,
        };
        let path = path.clone();
        self.notes.push(Note::File { path, trouble });
    }

    fn paragraph(&mut self, paragraph: Node<'_, '_>, relations: &Relations) {
        let properties = child(paragraph, "pPr");
        let style = properties.and_then(|properties| value(properties, "pStyle"));
        let mut role = style.map(|style| self.parts.styles.role(style)).unwrap_or_default();
        if let (Role::Text, Some(level)) = (role, properties.and_then(own_outline)) {
            role = Role::Heading(level);
        }
        let base = match role {
            // The direct formatting of heading styles is ignored.
            Role::Text | Role::Quote => style.map(|style| self.parts.styles.format(style)).unwrap_or_default(),
            _ => Format::default(),
        };
        let numbers = properties
            .and_then(list)
            .or_else(|| style.and_then(|style| self.parts.styles.list(style)))
            .filter(|(id, _)| id != "0");
        if role == Role::Contents {
            self.contents = true;
            return;
        }
        let line = self.line(paragraph, base, relations);
        let is_code =
            role == Role::Code || (role == Role::Text && numbers.is_none() && line.has_words && line.only_code);
        if is_code && line.boxes.is_empty() {
            self.lists.close(&mut self.html);
            self.code.push(line.text.trim_end().to_owned());
            return;
        }
        self.end_code();
        let boxes = line.boxes;
        if line.html.trim().is_empty() && boxes.is_empty() {
            return;
        }
        match role {
            Role::Title if self.title.is_none() && self.boxes == 0 && !line.text.trim().is_empty() => {
                self.title = Some(one_line(&line.text));
            }
            Role::Heading(level) => {
                self.lists.close(&mut self.html);
                self.numbered_headings |= numbers.is_some();
                let level = level.min(6);
                let _ = write!(self.html, "<h{level}>{}</h{level}>", line.html);
            }
            Role::Caption => {
                self.lists.close(&mut self.html);
                let _ = write!(self.html, "<figcaption>{}</figcaption>", line.html);
            }
            Role::Quote => {
                self.lists.close(&mut self.html);
                let _ = write!(self.html, "<blockquote><p>{}</p></blockquote>", line.html);
            }
            _ => {
                let in_list = numbers
                    .is_some_and(|(id, level)| self.lists.item(&id, level, &self.parts.numbering, &mut self.html));
                if !in_list {
                    self.lists.close(&mut self.html);
                }
                let _ = write!(self.html, "<p>{}</p>", line.html);
            }
        }
        self.html.push_str(&boxes);
    }

    fn table(&mut self, table: Node<'_, '_>, relations: &Relations) {
        self.close();
        self.html.push_str("<table>");
        for row in tables::rows(table) {
            self.html.push_str("<tr>");
            for cell in row {
                let tag = if cell.is_header { "th" } else { "td" };
                let _ = write!(
                    self.html,
                    "<{tag} colspan=\"{}\" rowspan=\"{}\">",
                    cell.columns, cell.rows
                );
                let inner = self.separate_html(cell.node, relations);
                let _ = write!(self.html, "{inner}</{tag}>");
            }
            self.html.push_str("</tr>");
        }
        self.html.push_str("</table>");
    }

    /// Converts a cell or text box to separate HTML.
    pub(super) fn separate_html(&mut self, content: Node<'_, '_>, relations: &Relations) -> String {
        let html = std::mem::take(&mut self.html);
        let lists = std::mem::take(&mut self.lists);
        let code = std::mem::take(&mut self.code);
        self.blocks(content, relations);
        self.close();
        let inner = std::mem::replace(&mut self.html, html);
        (self.lists, self.code) = (lists, code);
        inner
    }

    pub(super) fn enter_box(&mut self) -> bool {
        let enters = self.boxes < MAX_BOXES;
        self.boxes += usize::from(enters);
        enters
    }

    pub(super) fn leave_box(&mut self) {
        self.boxes -= 1;
        self.boxes_read += 1;
    }

    /// The number of a footnote in order of reference.
    pub(super) fn note_number(&mut self, kind: &str, id: &str) -> usize {
        let known = (kind.to_owned(), id.to_owned());
        *self.numbers.entry(known).or_insert_with_key(|known| {
            self.references.push(known.clone());
            self.references.len()
        })
    }

    pub fn has_notes(&self, kind: &str) -> bool {
        self.references.iter().any(|(of, _)| of == kind)
    }

    /// Appends footnotes as a numbered list and returns their number.
    pub fn write_footnotes(&mut self, root: Node<'_, '_>, kind: &str, own: &Parts) -> usize {
        let wanted: Vec<(usize, String)> = (1..)
            .zip(&self.references)
            .filter(|(_, (of, _))| of == kind)
            .map(|(number, (_, id))| (number, id.clone()))
            .collect();
        let all: HashMap<&str, Node<'_, '_>> = root
            .children()
            .filter(|note| note.tag_name().name() == kind)
            .filter_map(|note| Some((attr(note, "id")?, note)))
            .collect();
        if !self.has_list {
            self.has_list = true;
            let title = match self.parts.lang {
                Lang::Ru => "Примечания",
                Lang::En => "Notes",
            };
            let _ = write!(self.html, "<h2 id=\"{FOOTNOTES_ID}\">{title}</h2>");
        }
        let first = wanted.first().map_or(1, |(number, _)| *number);
        let _ = write!(self.html, "<ol start=\"{first}\">");
        for (_, id) in &wanted {
            let inner = all
                .get(id.as_str())
                .map(|note| self.separate_html(*note, &own.relations));
            let _ = write!(
                self.html,
                "<li id=\"{kind}-{}\">{}</li>",
                escaped(id),
                inner.unwrap_or_default()
            );
        }
        self.html.push_str("</ol>");
        wanted.len()
    }

    /// The HTML, the title and the notes.
    pub fn finish(mut self) -> (String, Option<String>, Vec<Note>) {
        if self.contents {
            self.notes.push(Note::Contents);
        }
        if self.numbered_headings {
            self.notes.push(Note::HeadingNumbers);
        }
        type Counted = (usize, fn(usize) -> Note);
        let counted: [Counted; 5] = [
            (self.changes, Note::Changes),
            (self.comments, Note::Comments),
            (self.symbols, Note::Symbols),
            (self.hidden, Note::Hidden),
            (self.boxes_read, Note::TextBox),
        ];
        for (count, note) in counted {
            if count > 0 {
                self.notes.push(note(count));
            }
        }
        (self.html, self.title, self.notes)
    }
}
