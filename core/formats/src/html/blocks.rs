//! Maps elements to nodes.

use std::mem;

use scraper::node::Comment;
use scraper::{ElementRef, Html, Node};
use serde_json::{Value, json};

use super::elements::{DROPPED, KEPT_CONTENT, callout, callout_of_class, quote};
use super::flow::{Flow, Mark, with_mark};
use super::listing::is_listing;
use super::math::{self, Piece};
use super::words::{is_hidden, is_icon};
use super::{Converted, FOOTNOTES_ID, Heading, Host, HtmlOptions, LINE_MARK, node, node_with};
pub(super) use crate::blocks::insert;
use crate::content::heading_text;
use crate::content::schema::MAX_DEPTH;
use crate::latex::MAX_LATEX_CHARS;
use crate::note::Note;
use kurso_base::text::one_line;

fn heading_level(name: &str) -> Option<u8> {
    match name {
        "h1" => Some(1),
        "h2" => Some(2),
        "h3" => Some(3),
        "h4" => Some(4),
        "h5" => Some(5),
        "h6" => Some(6),
        _ => None,
    }
}

pub struct Converter<'h> {
    pub(super) options: HtmlOptions,
    pub(super) host: &'h mut dyn Host,
    done: Converted,
    /// Line in the source.
    pub(super) line: usize,
    /// Ids of elements before any following text; they belong to the next heading if it follows directly.
    pending_ids: Vec<String>,
    /// Ids inside the current heading.
    heading_ids: Option<Vec<String>>,
    /// Checkbox state at the start of the current item.
    pub(super) task: Option<bool>,
    flattened: bool,
    /// The note about definition lists was added.
    pub(super) definitions: bool,
}

impl<'h> Converter<'h> {
    pub fn new(options: HtmlOptions, host: &'h mut dyn Host) -> Self {
        Self {
            options,
            host,
            done: Converted::default(),
            line: 1,
            pending_ids: Vec::new(),
            heading_ids: None,
            task: None,
            flattened: false,
            definitions: false,
        }
    }

    pub fn convert(mut self, tree: &Html) -> Converted {
        let mut flow = Flow::new();
        self.children(tree.root_element(), &[], &mut flow, 1);
        self.done.blocks = flow.finish();
        self.resolve_ids();
        self.done
    }

    pub(super) fn note(&mut self, note: Note) {
        self.host.note(note, self.line);
    }

    pub(super) fn children(&mut self, parent: ElementRef<'_>, marks: &[Mark], flow: &mut Flow, depth: usize) {
        for child in parent.children() {
            match child.value() {
                Node::Text(text) => self.text(text, marks, flow),
                Node::Comment(comment) => self.comment(comment),
                Node::Element(_) => {
                    if let Some(element) = ElementRef::wrap(child) {
                        self.element(element, marks, flow, depth);
                    }
                }
                _ => {}
            }
        }
    }

    /// The blocks in an element; containers need at least one.
    pub(super) fn blocks_of(&mut self, parent: ElementRef<'_>, marks: &[Mark], depth: usize) -> Vec<Value> {
        let mut flow = Flow::new();
        self.children(parent, marks, &mut flow, depth);
        at_least_one(flow.finish())
    }

    pub(super) fn line_of(&mut self, parent: ElementRef<'_>, marks: &[Mark], depth: usize) -> (Vec<Value>, Vec<Value>) {
        let mut flow = Flow::one_line();
        self.children(parent, marks, &mut flow, depth);
        flow.finish_line()
    }

    pub(super) fn text(&mut self, text: &str, marks: &[Mark], flow: &mut Flow) {
        if !text.trim().is_empty() {
            self.resolve_ids();
        }
        if !self.options.tex_math || marks.contains(&Mark::Code) {
            flow.text(text, marks);
            return;
        }
        for piece in math::split(text) {
            match piece {
                Piece::Text(text) => flow.text(text, marks),
                Piece::Inline(latex) => self.math(latex, false, marks, flow),
                Piece::Display(latex) => self.math(latex, true, marks, flow),
            }
        }
    }

    pub(super) fn math(&mut self, latex: &str, display: bool, marks: &[Mark], flow: &mut Flow) {
        let latex = self.truncate(latex.trim(), MAX_LATEX_CHARS);
        if display && !flow.one_line {
            flow.block_in_line(json!({ "type": "blockMath", "attrs": { "latex": latex } }))
        } else {
            flow.inline(json!({ "type": "inlineMath", "attrs": { "latex": latex } }), marks)
        }
    }

    pub(super) fn comment(&mut self, comment: &Comment) {
        match comment.strip_prefix(LINE_MARK).and_then(|line| line.parse().ok()) {
            Some(line) => self.line = line,
            None => self.done.comments += 1,
        }
    }

    pub(super) fn truncate(&mut self, text: &str, max: usize) -> String {
        match text.char_indices().nth(max) {
            None => text.to_owned(),
            Some((at, _)) => {
                let (kept, _) = text.split_at(at);
                self.note(Note::Cut(kept.to_owned()));
                kept.to_owned()
            }
        }
    }

    pub(super) fn add_anchor(&mut self, id: &str) {
        match &mut self.heading_ids {
            Some(ids) => ids.push(id.to_owned()),
            None => self.pending_ids.push(id.to_owned()),
        }
    }

    /// Assigns pending ids to the position after the last heading, because text follows them.
    pub(super) fn resolve_ids(&mut self) {
        if self.heading_ids.is_none() {
            let after = self.done.headings.len().checked_sub(1);
            self.done
                .places
                .extend(mem::take(&mut self.pending_ids).into_iter().map(|id| (id, after)));
        }
    }

    pub(super) fn element(&mut self, element: ElementRef<'_>, marks: &[Mark], flow: &mut Flow, depth: usize) {
        let name = element.value().name();
        if is_hidden(element) {
            return self.hidden(element);
        }
        if is_icon(element) {
            return;
        }
        let level = heading_level(name).filter(|_| !flow.one_line);
        if level.is_none()
            && let Some(id) = element
                .attr("id")
                .or_else(|| element.attr("name").filter(|_| name == "a"))
        {
            self.add_anchor(id);
        }
        if depth == 1
            && let Some(node) = element.attr("data-kurso")
            && let Some(node) = self.host.stored_node(node, &element.text().collect::<String>())
        {
            return flow.block(node);
        }
        let mut marked = |this: &mut Self, mark| this.children(element, &with_mark(marks, mark), flow, depth);
        match name {
            "strong" | "b" => marked(self, Mark::Bold),
            "em" | "i" | "cite" | "dfn" | "var" => marked(self, Mark::Italic),
            "u" | "ins" => marked(self, Mark::Underline),
            "s" | "del" | "strike" => marked(self, Mark::Strike),
            "code" | "kbd" | "samp" | "tt" => marked(self, Mark::Code),
            "mark" => marked(self, Mark::Highlight),
            "sub" => marked(self, Mark::Subscript),
            "sup" => marked(self, Mark::Superscript),
            "a" => self.link(element, marks, flow, depth),
            "abbr" | "acronym" => self.abbreviation(element, marks, flow, depth),
            "br" => flow.hard_break(marks),
            "img" => self.image(element, marks, flow),
            "math" => self.formula(element, marks, flow, depth),
            "span" => self.span(element, marks, flow, depth),
            "input"
                if element
                    .attr("type")
                    .is_some_and(|kind| kind.eq_ignore_ascii_case("checkbox")) =>
            {
                self.checkbox(element.attr("checked").is_some(), marks, flow);
            }
            _ if flow.one_line => self.inline_block(element, marks, flow, depth),
            "p" | "summary" => {
                flow.flush();
                self.children(element, marks, flow, depth);
                flow.flush();
            }
            "ul" | "ol" | "menu" | "dir" => self.list(element, marks, flow, depth),
            "blockquote" => self.container(element, quote(element), marks, flow, depth),
            "div" | "aside" | "section" => match callout_of_class(element) {
                Some(kind) => self.container(element, callout(kind), marks, flow, depth),
                None => self.block_content(element, marks, flow, depth),
            },
            "listing" if is_listing(element) => self.listing(element, marks, flow, depth),
            "pre" | "listing" | "xmp" => self.code_block(element, flow),
            "table" => self.table(element, marks, flow, depth),
            "hr" => flow.block(node("horizontalRule")),
            "details" => self.details(element, marks, flow, depth),
            "figcaption" | "caption" => self.caption(element, marks, flow, depth),
            "dl" | "dt" | "dd" => self.definitions(element, marks, flow, depth),
            "video" | "audio" => self.player(element, flow, depth),
            "iframe" => self.frame(element, flow),
            _ => match level {
                Some(level) => self.heading(element, level, marks, flow, depth),
                None => self.other_element(element, marks, flow, depth),
            },
        }
    }

    /// Handles block elements inside a heading or a summary.
    fn inline_block(&mut self, element: ElementRef<'_>, marks: &[Mark], flow: &mut Flow, depth: usize) {
        let name = element.value().name();
        if name == "pre" {
            self.children(element, &with_mark(marks, Mark::Code), flow, depth);
        } else if DROPPED.contains(&name) || matches!(name, "video" | "audio" | "iframe") {
            self.note(Note::DroppedTag(name.to_owned()));
        } else {
            flow.flush();
            self.children(element, marks, flow, depth);
            flow.flush();
        }
    }

    pub(super) fn other_element(&mut self, element: ElementRef<'_>, marks: &[Mark], flow: &mut Flow, depth: usize) {
        let name = element.value().name();
        if DROPPED.contains(&name) {
            self.note(Note::DroppedTag(name.to_owned()));
            return;
        }
        if matches!(
            name,
            "big" | "small" | "font" | "label" | "nobr" | "q" | "time" | "data" | "wbr" | "ruby" | "bdi" | "bdo"
        ) {
            self.children(element, marks, flow, depth);
            return;
        }
        if KEPT_CONTENT.contains(&name) {
            self.block_content(element, marks, flow, depth);
            return;
        }
        self.note(Note::UnknownTag(name.to_owned()));
        self.children(element, marks, flow, depth);
    }

    /// A block element without a node of its own.
    pub(super) fn block_content(&mut self, element: ElementRef<'_>, marks: &[Mark], flow: &mut Flow, depth: usize) {
        flow.flush();
        self.children(element, marks, flow, depth);
        flow.flush();
    }

    /// Whether a node with this many levels of nested blocks fits; notes once if not.
    pub(super) fn fits(&mut self, depth: usize, levels: usize) -> bool {
        let fits = depth + levels < MAX_DEPTH;
        if !fits && !self.flattened {
            self.flattened = true;
            self.note(Note::Flattened);
        }
        fits
    }

    fn container(&mut self, element: ElementRef<'_>, shell: Value, marks: &[Mark], flow: &mut Flow, depth: usize) {
        if !self.fits(depth, 1) {
            return self.block_content(element, marks, flow, depth);
        }
        flow.flush();
        let mut inner = Flow::new();
        self.children(element, marks, &mut inner, depth + 1);
        let content = inner.finish();
        if !content.is_empty() {
            flow.block(with_content(shell, content));
        }
    }

    fn heading(&mut self, element: ElementRef<'_>, level: u8, marks: &[Mark], flow: &mut Flow, depth: usize) {
        flow.flush();
        let mut ids = mem::take(&mut self.pending_ids);
        ids.extend(element.attr("id").map(str::to_owned));
        let is_footnotes = element.attr("id") == Some(FOOTNOTES_ID);
        self.heading_ids = Some(ids);
        let (words, blocks) = self.line_of(element, marks, depth);
        let ids = self.heading_ids.take().unwrap_or_default();
        if words.is_empty() {
            self.pending_ids = ids;
        } else {
            let level = if is_footnotes { 0 } else { level };
            let heading = json!({ "type": "heading", "attrs": { "level": level }, "content": words });
            self.done.headings.push(Heading {
                text: heading_text(&heading),
                ids,
            });
            flow.block(heading);
        }
        for block in blocks {
            flow.block(block);
        }
    }

    fn span(&mut self, element: ElementRef<'_>, marks: &[Mark], flow: &mut Flow, depth: usize) {
        match element.attr("data-math") {
            Some(kind) => {
                let latex: String = element.text().collect();
                return self.math(&latex, kind == "display", marks, flow);
            }
            None if has_class(element, "caption") => return self.caption(element, marks, flow, depth),
            None => {}
        }
        let marks = if has_class(element, "filename") {
            with_mark(marks, Mark::Bold)
        } else if has_class(element, "keystroke") {
            with_mark(marks, Mark::Code)
        } else {
            marks.to_vec()
        };
        self.children(element, &marks, flow, depth);
    }

    /// Sets the caption of the preceding image, or else writes an italic line.
    fn caption(&mut self, element: ElementRef<'_>, marks: &[Mark], flow: &mut Flow, depth: usize) {
        let free = flow
            .last_image()
            .is_some_and(|image| image.pointer("/attrs/caption").is_none());
        if !free {
            return self.children(element, &with_mark(marks, Mark::Italic), flow, depth);
        }
        let text: String = element.text().collect();
        let text = self.truncate(&one_line(&text), 1000);
        if element.child_elements().next().is_some() {
            self.note(Note::CaptionFormat(text.clone()));
        }
        if let Some(attrs) = flow
            .last_image()
            .and_then(|image| image.get_mut("attrs"))
            .and_then(Value::as_object_mut)
        {
            attrs.insert("caption".into(), text.into());
        }
    }

    fn link(&mut self, element: ElementRef<'_>, marks: &[Mark], flow: &mut Flow, depth: usize) {
        let href = element.attr("href").map(str::trim).filter(|href| !href.is_empty());
        self.link_title(element);
        // Links cannot be nested; the outer one wins.
        let free = !marks.iter().any(|mark| matches!(mark, Mark::Link(_)));
        let address = href.filter(|_| free).and_then(|href| self.host.link(href, self.line));
        match address {
            Some(address) => self.children(element, &with_mark(marks, Mark::Link(address)), flow, depth),
            None => self.children(element, marks, flow, depth),
        }
    }

    fn checkbox(&mut self, checked: bool, marks: &[Mark], flow: &mut Flow) {
        if flow.at_line_start() && self.task.is_none() && !flow.one_line {
            self.task = Some(checked);
        } else {
            flow.text(if checked { "☑ " } else { "☐ " }, marks);
        }
    }

    fn code_block(&mut self, element: ElementRef<'_>, flow: &mut Flow) {
        self.resolve_ids();
        let mut text: String = element.text().collect();
        if text.ends_with('\n') {
            text.pop();
        }
        let code = element.child_elements().find(|child| child.value().name() == "code");
        let language = code
            .into_iter()
            .flat_map(|code| code.value().classes())
            .find_map(|class| class.strip_prefix("language-").or_else(|| class.strip_prefix("lang-")));
        let mut attrs = json!({});
        if let Some(language) = language.filter(|name| !name.is_empty()) {
            insert(&mut attrs, "language", self.truncate(language, 40));
        }
        if let Some(caption) = element.attr("data-caption") {
            insert(&mut attrs, "caption", self.truncate(caption, 255));
        }
        let content = if text.is_empty() {
            Vec::new()
        } else {
            vec![json!({ "type": "text", "text": text })]
        };
        flow.block(with_attrs(node_with("codeBlock", content), attrs));
    }
}

pub(super) fn has_class(element: ElementRef<'_>, class: &str) -> bool {
    element.value().classes().any(|name| name == class)
}

pub(super) fn at_least_one(blocks: Vec<Value>) -> Vec<Value> {
    if blocks.is_empty() {
        vec![node("paragraph")]
    } else {
        blocks
    }
}

fn with_content(mut node: Value, content: Vec<Value>) -> Value {
    insert(&mut node, "content", content);
    node
}

pub(super) fn with_attrs(mut node: Value, attrs: Value) -> Value {
    if attrs.as_object().is_some_and(|attrs| !attrs.is_empty()) {
        insert(&mut node, "attrs", attrs);
    }
    node
}
