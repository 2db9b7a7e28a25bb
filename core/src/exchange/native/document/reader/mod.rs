//! Markdown into blocks. Total: whatever the text says becomes blocks of the content model, and what has no place there keeps
//! its words.

mod frames;
mod html;
mod lines;
mod nodes;

use std::ops::Range;

use pulldown_cmark::{Alignment, BlockQuoteKind, CodeBlockKind, Event, Options, Parser, Tag as Md, TagEnd};
use serde_json::{Map, Value, json};

use self::nodes::{at_least_one, cut, insert, level_of, node, raw};
use super::attrs::Attrs;
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
