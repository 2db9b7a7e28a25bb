//! Markdown into blocks. Total: whatever the text says becomes blocks of the content model, and what has no place there keeps
//! its words.

use std::ops::Range;

use pulldown_cmark::{
    Alignment, BlockQuoteKind, CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag as Md, TagEnd,
};
use serde_json::{Map, Value, json};

use super::attrs::Attrs;
use super::blocks::SIZES;
use super::inline::mark_of;
use super::normal::{push, tidy_marks};
use super::tags::{self, Piece, Tag, unescaped};
use super::{RAW, Read};
use crate::content::schema::MAX_DEPTH;
use crate::exchange::note::Note;

/// Levels a tag may be nested below another: what is deeper joins the deepest level.
const DEEPEST: usize = MAX_DEPTH;

/// Marks that may be open at once, more than any text has use for.
const MOST_MARKS: usize = 100;

/// Bytes of what stands between the brackets of a blank, and of the attributes of a picture.
pub const LONGEST_BLANK: usize = 4096;
const LONGEST_ATTRS: usize = 16 * 1024;

pub fn read(text: &str, blanks: bool) -> Read {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_GFM
        | Options::ENABLE_MATH;
    let mut reader = Reader {
        text,
        blanks,
        frames: vec![Frame::new(What::Document, json!({}))],
        marks: Vec::new(),
        notes: Vec::new(),
        skip_to: 0,
        block_html: None,
        code: None,
        alt: None,
        list_type: None,
        align: Vec::new(),
        column: 0,
        in_head: false,
        flattened: false,
    };
    for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
        reader.event(event, range);
    }
    reader.finish()
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum What {
    Document,
    /// Words that nothing announced: in a tight list, beside a tag.
    Words,
    Paragraph,
    Heading,
    Quote,
    Callout,
    Bullets,
    Numbers,
    Item,
    /// Made by a tag.
    Details,
    Table,
    Row,
    Header,
    Cell,
    /// Too deep: what is in it goes to what holds it.
    Nothing,
}

struct Frame {
    what: What,
    attrs: Value,
    children: Vec<Value>,
    /// Of a `<details>`.
    summary: Vec<Value>,
    /// Of an item: whether it has a box, and what is in it.
    task: Option<bool>,
    /// A tag of the text made it, so the end of a Markdown block does not wait for its end.
    by_tag: bool,
}

impl Frame {
    fn new(what: What, attrs: Value) -> Self {
        Self {
            what,
            attrs,
            children: Vec::new(),
            summary: Vec::new(),
            task: None,
            by_tag: false,
        }
    }
}

struct Picture {
    src: String,
    title: String,
    alt: String,
    nested: usize,
}

struct Reader<'a> {
    text: &'a str,
    blanks: bool,
    /// The document is always the first.
    frames: Vec<Frame>,
    /// Open marks by the tag or sign that opened them.
    marks: Vec<(String, Value)>,
    notes: Vec<(usize, Note)>,
    /// Inline events before it were read already.
    skip_to: usize,
    block_html: Option<String>,
    code: Option<(String, String)>,
    alt: Option<Picture>,
    /// What a comment said of the list that comes next.
    list_type: Option<String>,
    align: Vec<Alignment>,
    column: usize,
    in_head: bool,
    flattened: bool,
}

impl Reader<'_> {
    fn event(&mut self, event: Event<'_>, range: Range<usize>) {
        if self.in_picture(&event, &range) {
            return;
        }
        if let Some((_, code)) = &mut self.code {
            match event {
                Event::Text(text) => code.push_str(&text),
                Event::End(TagEnd::CodeBlock) => self.end_code(range.start),
                _ => {}
            }
            return;
        }
        let inline = !matches!(event, Event::Start(_) | Event::End(_) | Event::Html(_) | Event::Rule);
        if inline && range.start < self.skip_to {
            // What an attribute or a directive began may end in the middle of a text.
            if range.end > self.skip_to
                && let Some(rest) = self.text.get(self.skip_to..range.end)
                && matches!(event, Event::Text(_))
            {
                self.words(rest);
            }
            return;
        }
        match event {
            Event::Start(tag) => self.start(tag, range),
            Event::End(tag) => self.end(tag, range.start),
            Event::Text(text) => self.run(&text, range),
            Event::Code(text) => {
                self.marks.push(("code".into(), json!({ "type": "code" })));
                self.words(&text);
                self.marks.pop();
            }
            Event::InlineMath(latex) => self.inline(json!({ "type": "inlineMath", "attrs": { "latex": &*latex } })),
            Event::DisplayMath(latex) => {
                // A block in a line: it gets a place of its own when the line ends.
                self.inline(json!({ "type": "blockMath", "attrs": { "latex": latex.trim() } }));
            }
            Event::Html(html) => {
                if let Some(block) = &mut self.block_html {
                    block.push_str(&html);
                }
            }
            Event::InlineHtml(html) => self.inline_html(&html, range.start),
            Event::SoftBreak => self.words(" "),
            Event::HardBreak => self.inline(json!({ "type": "hardBreak" })),
            Event::Rule => self.block(json!({ "type": "horizontalRule" })),
            Event::TaskListMarker(checked) => {
                if let Some(item) = self.frames.iter_mut().rev().find(|frame| frame.what == What::Item) {
                    item.task = Some(checked);
                }
            }
            Event::FootnoteReference(label) => self.words(&format!("[^{label}]")),
        }
    }

    fn line_of(&self, offset: usize) -> usize {
        let before = self.text.as_bytes().get(..offset).unwrap_or_default();
        before.iter().filter(|byte| **byte == b'\n').count() + 1
    }

    fn note(&mut self, offset: usize, note: Note) {
        // A line is counted from the beginning: enough notes help nobody and would take long.
        if self.notes.len() < 100 {
            let line = self.line_of(offset);
            self.notes.push((line, note));
        }
    }

    // Blocks

    fn start(&mut self, tag: Md<'_>, range: Range<usize>) {
        if !matches!(tag, Md::List(_) | Md::HtmlBlock) && is_block(&tag) {
            self.list_type = None;
        }
        match tag {
            Md::Paragraph => {
                if let Some(node) = self.directive(&range) {
                    self.skip_to = range.end;
                    self.block(node);
                }
                self.open(What::Paragraph, json!({}));
            }
            Md::Heading { level, .. } => self.open(What::Heading, json!({ "level": level_of(level) })),
            Md::BlockQuote(None) => self.open(What::Quote, json!({})),
            Md::BlockQuote(Some(kind)) => {
                let kind = match kind {
                    BlockQuoteKind::Note | BlockQuoteKind::Important => "note",
                    BlockQuoteKind::Tip => "tip",
                    BlockQuoteKind::Warning => "warning",
                    BlockQuoteKind::Caution => "danger",
                };
                let attrs = if kind == "note" {
                    json!({})
                } else {
                    json!({ "kind": kind })
                };
                self.open(What::Callout, attrs);
            }
            Md::CodeBlock(kind) => {
                let info = match kind {
                    CodeBlockKind::Fenced(info) => info.into_string(),
                    CodeBlockKind::Indented => String::new(),
                };
                self.code = Some((info, String::new()));
            }
            Md::HtmlBlock => self.block_html = Some(String::new()),
            Md::List(None) => {
                self.list_type = None;
                self.open(What::Bullets, json!({}));
            }
            Md::List(Some(start)) => {
                let mut attrs = Map::new();
                if start != 1 {
                    attrs.insert("start".into(), start.into());
                }
                if let Some(style) = self.list_type.take() {
                    attrs.insert("type".into(), style.into());
                }
                self.open(What::Numbers, attrs.into());
            }
            Md::Item => self.open(What::Item, json!({})),
            Md::Table(align) => {
                self.align = align;
                self.open(What::Table, json!({}));
            }
            Md::TableHead => {
                (self.in_head, self.column) = (true, 0);
                self.open(What::Row, json!({}));
            }
            Md::TableRow => {
                self.column = 0;
                self.open(What::Row, json!({}));
            }
            Md::TableCell => {
                let align = match self.align.get(self.column) {
                    Some(Alignment::Left) => json!({ "align": "left" }),
                    Some(Alignment::Center) => json!({ "align": "center" }),
                    Some(Alignment::Right) => json!({ "align": "right" }),
                    Some(Alignment::None) | None => json!({}),
                };
                self.column += 1;
                self.open(if self.in_head { What::Header } else { What::Cell }, align);
            }
            Md::Emphasis => self.mark("em", "italic"),
            Md::Strong => self.mark("strong", "bold"),
            Md::Strikethrough => self.mark("s", "strike"),
            Md::Link {
                dest_url,
                title,
                link_type,
                ..
            } => {
                let mail = if link_type == pulldown_cmark::LinkType::Email {
                    "mailto:"
                } else {
                    ""
                };
                let mut attrs = json!({ "href": format!("{mail}{dest_url}") });
                if !title.is_empty() {
                    insert(&mut attrs, "title", title.to_string().into());
                }
                self.marks.push(("a".into(), json!({ "type": "link", "attrs": attrs })));
            }
            Md::Image { dest_url, title, .. } => {
                self.alt = Some(Picture {
                    src: dest_url.into_string(),
                    title: title.into_string(),
                    alt: String::new(),
                    nested: 0,
                });
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd, offset: usize) {
        match tag {
            TagEnd::Paragraph => self.close_to(&[What::Paragraph]),
            TagEnd::Heading(_) => self.close_to(&[What::Heading]),
            TagEnd::BlockQuote(_) => self.close_to(&[What::Quote, What::Callout]),
            TagEnd::HtmlBlock => self.end_html(offset),
            TagEnd::List(_) => self.close_to(&[What::Bullets, What::Numbers]),
            TagEnd::Item => self.close_to(&[What::Item]),
            TagEnd::Table => self.close_to(&[What::Table]),
            TagEnd::TableHead => {
                self.in_head = false;
                self.close_to(&[What::Row]);
            }
            TagEnd::TableRow => self.close_to(&[What::Row]),
            TagEnd::TableCell => self.close_to(&[What::Header, What::Cell]),
            TagEnd::Emphasis => self.unmark("em"),
            TagEnd::Strong => self.unmark("strong"),
            TagEnd::Strikethrough => self.unmark("s"),
            TagEnd::Link => self.unmark("a"),
            _ => {}
        }
    }

    /// Opens a block that Markdown itself ends.
    fn open(&mut self, what: What, attrs: Value) {
        self.end_words();
        if !matches!(what, What::Item | What::Row | What::Header | What::Cell) {
            self.block_place();
        }
        let levels = match what {
            What::Table => 4,
            What::Bullets | What::Numbers | What::Row | What::Details => 3,
            What::Paragraph | What::Heading | What::Words => 1,
            _ => 2,
        };
        let too_deep = self.frames.len() > 4 * DEEPEST || self.depth() + levels > DEEPEST || self.hollow(what);
        if too_deep && !self.flattened {
            self.flattened = true;
            self.notes.push((1, Note::Flattened));
        }
        // Kept as a frame all the same, so that its end finds it; `what` is remembered in the attributes.
        match too_deep && !matches!(what, What::Paragraph | What::Heading | What::Words) {
            true => {
                let mut frame = Frame::new(What::Nothing, json!({}));
                frame.summary = vec![json!(what as u8)];
                self.frames.push(frame);
            }
            false => self.frames.push(Frame::new(what, attrs)),
        }
    }

    /// Parts of something that was too deep itself.
    fn hollow(&self, what: What) -> bool {
        let parent = self.frames.last().map(|frame| frame.what);
        match what {
            What::Item => !matches!(parent, Some(What::Bullets | What::Numbers)),
            What::Row => parent != Some(What::Table),
            What::Header | What::Cell => parent != Some(What::Row),
            _ => false,
        }
    }

    /// The depth of what would be put into the last frame.
    fn depth(&self) -> usize {
        self.frames
            .iter()
            .map(|frame| match frame.what {
                What::Nothing => 0,
                What::Details => 2,
                _ => 1,
            })
            .sum()
    }

    /// Closes the nearest frame of one of these kinds, with all that is open in it.
    fn close_to(&mut self, kinds: &[What]) {
        let is_it = |frame: &Frame| match frame.what {
            What::Nothing => frame
                .summary
                .iter()
                .any(|code| kinds.iter().any(|kind| *code == json!(*kind as u8))),
            what => kinds.contains(&what) && !frame.by_tag,
        };
        if let Some(at) = self.frames.iter().rposition(is_it) {
            while self.frames.len() > at.max(1) {
                self.close();
            }
        }
    }

    /// Words that nothing announced end where a block begins.
    fn end_words(&mut self) {
        while self
            .frames
            .last()
            .is_some_and(|frame| matches!(frame.what, What::Words | What::Paragraph | What::Heading))
        {
            self.close();
        }
    }

    fn close(&mut self) {
        let Some(frame) = self.frames.pop() else { return };
        match frame.what {
            What::Document => self.frames.push(frame),
            What::Nothing => frame.children.into_iter().for_each(|node| self.block(node)),
            What::Words | What::Paragraph | What::Heading => self.close_line(frame),
            What::Details => {
                let summary = node("detailsSummary", json!({}), frame.summary);
                let content = node("detailsContent", json!({}), at_least_one(frame.children));
                self.block(node("details", frame.attrs, vec![summary, content]));
            }
            What::Bullets | What::Numbers => self.close_list(frame),
            What::Item => {
                let mut item = node("listItem", json!({}), at_least_one(frame.children));
                if let Some(checked) = frame.task {
                    insert(&mut item, "task", checked.into());
                }
                self.add(item);
            }
            What::Quote => self.block(node("blockquote", frame.attrs, at_least_one(frame.children))),
            What::Callout => self.block(node("callout", frame.attrs, at_least_one(frame.children))),
            What::Table => {
                if !frame.children.is_empty() {
                    self.block(node("table", frame.attrs, frame.children));
                }
            }
            What::Row => {
                if !frame.children.is_empty() {
                    self.add(node("tableRow", frame.attrs, frame.children));
                }
            }
            What::Header => self.add(node("tableHeader", frame.attrs, at_least_one(frame.children))),
            What::Cell => self.add(node("tableCell", frame.attrs, at_least_one(frame.children))),
        }
    }

    /// Puts a node into the last frame as it is.
    fn add(&mut self, node: Value) {
        if let Some(frame) = self.frames.last_mut() {
            frame.children.push(node);
        }
    }

    /// Puts a block where blocks may be.
    fn block(&mut self, node: Value) {
        self.end_words();
        self.block_place();
        self.add(node);
    }

    /// A list whose items all have boxes is one of tasks.
    fn close_list(&mut self, frame: Frame) {
        let has_box = |item: &Value| item.get("task").is_some();
        let tasks = frame.what == What::Bullets && !frame.children.is_empty() && frame.children.iter().all(has_box);
        let mut items = frame.children;
        for item in &mut items {
            let Some(fields) = item.as_object_mut() else { continue };
            match fields.remove("task") {
                Some(checked) if tasks => {
                    fields.insert("type".into(), "taskItem".into());
                    if checked == Value::Bool(true) {
                        fields.insert("attrs".into(), json!({ "checked": true }));
                    }
                }
                Some(checked) => {
                    let sign = if checked == Value::Bool(true) { "☑ " } else { "☐ " };
                    let first = fields.get_mut("content").and_then(|content| content.get_mut(0));
                    let words = first
                        .and_then(|first| first.get_mut("content"))
                        .and_then(Value::as_array_mut);
                    if let Some(words) = words {
                        words.insert(0, json!({ "type": "text", "text": sign }));
                    }
                }
                None => {}
            }
        }
        if items.is_empty() {
            return;
        }
        let name = match frame.what {
            What::Numbers => "orderedList",
            _ if tasks => "taskList",
            _ => "bulletList",
        };
        self.block(node(name, frame.attrs, items));
    }

    /// A line of words becomes a block, or several: pictures and formulas in it are blocks of their own.
    fn close_line(&mut self, frame: Frame) {
        let is_block = |node: &Value| matches!(super::kind(node), "image" | "blockMath");
        if frame.what == What::Heading {
            let (blocks, words): (Vec<_>, Vec<_>) = frame.children.into_iter().partition(is_block);
            self.add(node("heading", frame.attrs, words));
            blocks.into_iter().for_each(|node| self.add(node));
            return;
        }
        let mut words: Vec<Value> = Vec::new();
        for child in frame.children {
            if is_block(&child) {
                let before = std::mem::take(&mut words);
                self.add_paragraph(before);
                self.add(child);
            } else {
                push(&mut words, child);
            }
        }
        self.add_paragraph(words);
    }

    /// A paragraph of nothing is not said by an empty line, but by its tag.
    fn add_paragraph(&mut self, words: Vec<Value>) {
        let blank = |node: &Value| node.get("text").and_then(Value::as_str).is_some_and(|text| text == " ");
        if !words.iter().all(blank) {
            self.add(node("paragraph", json!({}), words));
        }
    }

    fn end_code(&mut self, offset: usize) {
        let Some((info, mut code)) = self.code.take() else {
            return;
        };
        if code.ends_with('\n') {
            code.pop();
        }
        if info == RAW {
            match raw(&code) {
                Some(node) => return self.block(node),
                None => self.note(offset, Note::RawNode),
            }
        }
        let (language, rest) = match info.find(' ') {
            Some(at) if info.split_at(at).1.trim_start().starts_with('{') => info.split_at(at),
            None | Some(_) if info.starts_with('{') && info != RAW => ("", info.as_str()),
            Some(_) | None => (info.as_str(), ""),
        };
        let attrs = Attrs::parse_braced(rest.trim()).map(|(attrs, _)| attrs);
        let mut set = json!({});
        let language = if attrs.is_some() { language } else { info.as_str() };
        if !language.is_empty() {
            insert(&mut set, "language", cut(language, 40).into());
        }
        if let Some(caption) = attrs.as_ref().and_then(|attrs| attrs.get("caption")) {
            insert(&mut set, "caption", cut(caption, 255).into());
        }
        let content = match code.is_empty() {
            true => vec![],
            false => vec![json!({ "type": "text", "text": code })],
        };
        self.block(node("codeBlock", set, content));
    }

    // Tags

    /// Opens what a tag says; it ends with its own end, or with what holds it.
    fn tag_frame(&mut self, what: What, attrs: Value) {
        self.open(what, attrs);
        if let Some(frame) = self.frames.last_mut() {
            frame.by_tag = true;
        }
    }

    fn end_tag(&mut self, kinds: &[What]) {
        // No further up than the Markdown that holds the tag.
        let at = self.frames.iter().enumerate().rev().find_map(|(at, frame)| {
            let is_it = match frame.what {
                What::Nothing => frame
                    .summary
                    .iter()
                    .any(|code| kinds.iter().any(|kind| *code == json!(*kind as u8))),
                what => kinds.contains(&what),
            };
            let words = matches!(frame.what, What::Words | What::Paragraph | What::Heading);
            match (frame.by_tag, is_it) {
                (true, true) => Some(Some(at)),
                (true, false) => None,
                (false, _) if words => None,
                (false, _) => Some(None),
            }
        });
        if let Some(Some(at)) = at {
            while self.frames.len() > at.max(1) {
                self.close();
            }
        }
    }

    fn end_html(&mut self, offset: usize) {
        let Some(html) = self.block_html.take() else { return };
        let html = html.trim();
        if html == "<p></p>" {
            return self.block(json!({ "type": "paragraph" }));
        }
        let mut rest = html;
        // A summary is a line of Markdown, so it is taken out before tags are looked for.
        if let Some((before, after)) = html.split_once("<summary>") {
            let (line, after) = after.split_at(after.find('\n').unwrap_or(after.len()));
            if let Some(line) = line.trim_end().strip_suffix("</summary>") {
                self.pieces(before, offset);
                let words = summary(line, self.blanks);
                if let Some(frame) = self.frames.iter_mut().rev().find(|frame| frame.what == What::Details) {
                    frame.summary = words;
                }
                rest = after;
            }
        }
        self.pieces(rest, offset);
    }

    fn pieces(&mut self, html: &str, offset: usize) {
        for piece in tags::pieces(html) {
            match piece {
                Piece::Comment(comment) => self.comment(comment),
                Piece::Text(text) if text.trim().is_empty() => {}
                Piece::Text(text) => self.words(&unescaped(text.trim())),
                Piece::Open(tag) => self.open_tag(&tag, offset),
                Piece::Close(name) => self.close_tag(&name),
            }
        }
        self.end_words();
    }

    fn comment(&mut self, comment: &str) {
        let style = comment.trim().strip_prefix("list ").and_then(Attrs::parse_line);
        self.list_type = style
            .and_then(|attrs| attrs.get("type").map(str::to_owned))
            .filter(|style| matches!(style.as_str(), "1" | "a" | "A" | "i" | "I"));
    }

    fn open_tag(&mut self, tag: &Tag, offset: usize) {
        match tag.name.as_str() {
            "details" => {
                let attrs = if tag.attr("open").is_some() {
                    json!({ "open": true })
                } else {
                    json!({})
                };
                self.tag_frame(What::Details, attrs);
            }
            "table" => self.tag_frame(What::Table, json!({})),
            "tr" => self.tag_frame(What::Row, json!({})),
            "td" => self.tag_frame(What::Cell, cell_attrs(tag)),
            "th" => self.tag_frame(What::Header, cell_attrs(tag)),
            "p" | "div" | "br" | "thead" | "tbody" | "tfoot" | "section" => self.end_words(),
            "hr" => self.block(json!({ "type": "horizontalRule" })),
            "img" => match tag.attr("src") {
                Some(src) => {
                    let mut attrs = json!({ "src": src });
                    if let Some(alt) = tag.attr("alt") {
                        insert(&mut attrs, "alt", cut(alt, 1000).into());
                    }
                    if let Some(width) = tag.number("width").filter(|width| (16..=4000).contains(width)) {
                        insert(&mut attrs, "width", width.into());
                    }
                    self.block(json!({ "type": "image", "attrs": attrs }));
                }
                None => self.note(offset, Note::UnknownTag("img".into())),
            },
            name => match mark_of(name) {
                Some(mark) => self.mark(name, mark),
                None => self.note(offset, Note::UnknownTag(name.to_owned())),
            },
        }
    }

    fn close_tag(&mut self, name: &str) {
        match name {
            "details" => self.end_tag(&[What::Details]),
            "table" => self.end_tag(&[What::Table]),
            "tr" => self.end_tag(&[What::Row]),
            "td" | "th" => self.end_tag(&[What::Cell, What::Header]),
            "p" | "div" => self.end_words(),
            name => self.unmark(name),
        }
    }

    fn inline_html(&mut self, html: &str, offset: usize) {
        match tags::piece(html) {
            Some((Piece::Open(tag), _)) => match tag.name.as_str() {
                "br" => self.inline(json!({ "type": "hardBreak" })),
                "math" => {
                    let latex = cut(tag.attr("latex").unwrap_or_default(), 10_000);
                    self.inline(json!({ "type": "inlineMath", "attrs": { "latex": latex } }));
                }
                "a" if self.marks.len() < MOST_MARKS => {
                    let href = tag.attr("href").unwrap_or_default();
                    self.marks
                        .push(("a".into(), json!({ "type": "link", "attrs": { "href": href } })));
                }
                name => match mark_of(name) {
                    Some(mark) => self.mark(name, mark),
                    None => self.note(offset, Note::UnknownTag(name.to_owned())),
                },
            },
            Some((Piece::Close(name), _)) => self.unmark(&name),
            _ => {}
        }
    }

    // Lines

    fn mark(&mut self, opened_by: &str, mark: &str) {
        if self.marks.len() < MOST_MARKS {
            self.marks.push((opened_by.to_owned(), json!({ "type": mark })));
        }
    }

    fn unmark(&mut self, opened_by: &str) {
        if let Some(at) = self.marks.iter().rposition(|(by, _)| by == opened_by) {
            self.marks.remove(at);
        }
    }

    /// A text as Markdown tells it, in which blanks and directives may be.
    fn run(&mut self, text: &str, range: Range<usize>) {
        if self.no_line()
            && let Some(rest) = self.text.get(range.start..)
        {
            // Words of a tight list: nothing has announced a paragraph.
            let line = rest.split('\n').next().unwrap_or_default();
            if let Some(node) = directive(line) {
                self.skip_to = range.start + line.len();
                return self.block(node);
            }
        }
        if self.blanks && self.blank_in(&range) {
            return;
        }
        self.words(text);
    }

    fn blank_in(&mut self, range: &Range<usize>) -> bool {
        // Looked for in this piece alone, or a long text would be searched once for each of its pieces.
        let end = (range.end + 1).min(self.text.len());
        let piece = self.text.as_bytes().get(range.start..end).unwrap_or_default();
        let Some(at) = piece.windows(2).position(|pair| pair == b"[[") else {
            return false;
        };
        let Some(rest) = self.text.get(range.start..) else {
            return false;
        };
        let escaped = self
            .text
            .get(..range.start + at)
            .is_some_and(|before| before.ends_with('\\'));
        let (before, after) = rest.split_at(at);
        let near = after.split_at(after.floor_char_boundary(LONGEST_BLANK)).0;
        let line = near.split('\n').next().unwrap_or_default();
        let Some(end) = line.find("]]").filter(|_| !escaped) else {
            return false;
        };
        let token = line.get(2..end).unwrap_or_default().to_owned();
        self.words(before);
        self.inline(json!({ "type": "blank", "attrs": { "blank_id": token } }));
        self.skip_to = range.start + at + end + 2;
        if self.skip_to < range.end {
            self.run_rest(self.skip_to..range.end);
        }
        true
    }

    fn run_rest(&mut self, range: Range<usize>) {
        if !self.blank_in(&range)
            && let Some(rest) = self.text.get(range)
        {
            self.words(rest);
        }
    }

    fn words(&mut self, text: &str) {
        if !text.is_empty() {
            self.inline(json!({ "type": "text", "text": text.replace('\0', "\u{fffd}") }));
        }
    }

    fn no_line(&self) -> bool {
        !self
            .frames
            .last()
            .is_some_and(|frame| matches!(frame.what, What::Words | What::Paragraph | What::Heading))
    }

    fn inline(&mut self, mut node: Value) {
        if self.no_line() {
            if matches!(&node, Value::Object(fields) if fields.get("text").is_some_and(|text| text == " ")) {
                return;
            }
            self.block_place();
            self.frames.push(Frame::new(What::Words, json!({})));
        }
        let marks: Vec<Value> = self.marks.iter().map(|(_, mark)| mark.clone()).collect();
        if !marks.is_empty() && !matches!(super::kind(&node), "image" | "blockMath") {
            let marks = tidy_marks(Some(&marks.into()));
            insert(&mut node, "marks", marks.into());
        }
        if let Some(frame) = self.frames.last_mut() {
            push(&mut frame.children, node);
        }
    }

    /// Sees to it that the last frame may hold blocks: between rows and cells there is no place, so a cell is made.
    fn block_place(&mut self) {
        if self.frames.last().is_some_and(|frame| frame.what == What::Table) {
            self.tag_frame(What::Row, json!({}));
        }
        if self.frames.last().is_some_and(|frame| frame.what == What::Row) {
            self.tag_frame(What::Cell, json!({}));
        }
        let last = self.frames.last().map(|frame| frame.what);
        if matches!(last, Some(What::Bullets | What::Numbers)) {
            self.tag_frame(What::Item, json!({}));
        }
    }

    // Pictures and directives

    fn in_picture(&mut self, event: &Event<'_>, range: &Range<usize>) -> bool {
        let Some(picture) = &mut self.alt else { return false };
        match event {
            Event::Start(Md::Image { .. }) => picture.nested += 1,
            Event::End(TagEnd::Image) if picture.nested > 0 => picture.nested -= 1,
            Event::End(TagEnd::Image) => self.end_image(range.end),
            Event::Text(text) | Event::Code(text) | Event::InlineMath(text) | Event::DisplayMath(text) => {
                picture.alt.push_str(text);
            }
            Event::SoftBreak | Event::HardBreak => picture.alt.push(' '),
            _ => {}
        }
        true
    }

    fn end_image(&mut self, end: usize) {
        let Some(picture) = self.alt.take() else { return };
        let near = self.text.get(end..).unwrap_or_default();
        let found = Attrs::parse_braced(near.split_at(near.floor_char_boundary(LONGEST_ATTRS)).0);
        let mut attrs = json!({ "src": picture.src });
        for (name, shown) in [("alt", &picture.alt), ("caption", &picture.title)] {
            let said = found.as_ref().and_then(|(attrs, _)| attrs.get(name));
            if !shown.is_empty() {
                insert(&mut attrs, name, cut(shown, 1000).into());
            } else if let Some(said) = said {
                insert(&mut attrs, name, cut(said, 1000).into());
            }
        }
        if let Some((said, len)) = found {
            sizes(&said, &mut attrs);
            self.skip_to = end + len;
        }
        self.inline(json!({ "type": "image", "attrs": attrs }));
    }

    fn directive(&self, range: &Range<usize>) -> Option<Value> {
        directive(self.text.get(range.clone())?.trim_end())
    }

    fn finish(mut self) -> Read {
        while self.frames.len() > 1 {
            self.close();
        }
        let blocks = self.frames.pop().map(|frame| frame.children).unwrap_or_default();
        Read {
            blocks: at_least_one(blocks),
            notes: self.notes,
        }
    }
}

fn is_block(tag: &Md<'_>) -> bool {
    !matches!(
        tag,
        Md::Emphasis | Md::Strong | Md::Strikethrough | Md::Link { .. } | Md::Image { .. }
    )
}

/// The words of a summary: the first line of the text it is.
fn summary(line: &str, blanks: bool) -> Vec<Value> {
    let first = read(line, blanks).blocks.into_iter().next();
    match first {
        Some(Value::Object(mut fields))
            if fields
                .get("type")
                .is_some_and(|kind| kind == "paragraph" || kind == "heading") =>
        {
            match fields.remove("content") {
                Some(Value::Array(words)) => words,
                _ => vec![],
            }
        }
        _ if line.trim().is_empty() => vec![],
        _ => vec![json!({ "type": "text", "text": line })],
    }
}

/// `::name attributes` on a line of its own.
fn directive(line: &str) -> Option<Value> {
    let rest = line.strip_prefix("::")?;
    if rest.contains('\n') {
        return None;
    }
    let (name, attrs) = rest.split_once(' ').unwrap_or((rest, ""));
    if !matches!(name, "video" | "audio" | "embed" | "attachment" | "math") {
        return None;
    }
    let said = Attrs::parse_line(attrs.trim_end())?;
    let mut set = json!({});
    for name in ["provider", "id", "src", "filename", "latex", "caption"] {
        if let Some(value) = said.get(name) {
            insert(&mut set, name, value.into());
        }
    }
    sizes(&said, &mut set);
    if let Some(size) = said.number("size") {
        insert(&mut set, "size", size.into());
    }
    if let Some(content_type) = said.get("type") {
        insert(&mut set, "contentType", content_type.into());
    }
    let name = if name == "math" { "blockMath" } else { name };
    Some(json!({ "type": name, "attrs": set }))
}

fn sizes(said: &Attrs, attrs: &mut Value) {
    for (name, written) in SIZES {
        if let Some(number) = said.number(written) {
            insert(attrs, name, number.into());
        }
    }
}

fn cell_attrs(tag: &Tag) -> Value {
    let mut attrs = json!({});
    for name in ["colspan", "rowspan"] {
        if let Some(number) = tag.number(name).filter(|number| (2..=1000).contains(number)) {
            insert(&mut attrs, name, number.into());
        }
    }
    if let Some(widths) = tag.attr("colwidth") {
        let widths: Option<Vec<u32>> = match widths.is_empty() {
            true => Some(vec![]),
            false => widths.split(',').map(|width| width.parse().ok()).collect(),
        };
        if let Some(widths) = widths {
            insert(&mut attrs, "colwidth", widths.into());
        }
    }
    if let Some(align @ ("left" | "center" | "right")) = tag.attr("align") {
        insert(&mut attrs, "align", align.into());
    }
    attrs
}

/// A node told in JSON.
fn raw(json: &str) -> Option<Value> {
    if crate::content::json_depth(json) > 2 * MAX_DEPTH + 8 {
        return None;
    }
    let mut reader = serde_json::Deserializer::from_str(json);
    reader.disable_recursion_limit();
    let node: Value = serde::Deserialize::deserialize(&mut reader).ok()?;
    (reader.end().is_ok() && node.get("type").is_some_and(Value::is_string)).then_some(node)
}

fn level_of(level: HeadingLevel) -> u8 {
    match level {
        HeadingLevel::H1 => 1,
        HeadingLevel::H2 => 2,
        HeadingLevel::H3 => 3,
        HeadingLevel::H4 | HeadingLevel::H5 | HeadingLevel::H6 => 4,
    }
}

fn node(kind: &str, attrs: Value, content: Vec<Value>) -> Value {
    let mut node = json!({ "type": kind });
    if attrs.as_object().is_some_and(|attrs| !attrs.is_empty()) {
        insert(&mut node, "attrs", attrs);
    }
    if !content.is_empty() {
        insert(&mut node, "content", content.into());
    }
    node
}

fn at_least_one(blocks: Vec<Value>) -> Vec<Value> {
    match blocks.is_empty() {
        true => vec![json!({ "type": "paragraph" })],
        false => blocks,
    }
}

fn insert(object: &mut Value, name: &str, value: Value) {
    if let Some(object) = object.as_object_mut() {
        object.insert(name.to_owned(), value);
    }
}

fn cut(text: &str, max: usize) -> String {
    text.chars().take(max).collect()
}
