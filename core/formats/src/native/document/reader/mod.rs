//! Parses Markdown to blocks. Any text is accepted; unsupported content is kept as text.

mod frames;
mod html;
mod lines;
mod nodes;

use std::ops::Range;

use pulldown_cmark::{Alignment, BlockQuoteKind, CodeBlockKind, Event, Options, Parser, Tag as Md, TagEnd};
use serde_json::{Map, Value, json};

use self::nodes::{at_least_one, insert, level_of, node, parse_raw, truncate};
use super::attrs::Attrs;
use super::{RAW, Read};
use crate::content::schema::MAX_DEPTH;
use crate::note::Note;

/// Nesting of blocks; deeper levels are flattened.
const MAX_NESTING: usize = MAX_DEPTH;

/// Open marks at the same time.
const MAX_OPEN_MARKS: usize = 100;

/// Bytes of a blank's content, and of an image's attributes.
pub const MAX_BLANK_BYTES: usize = 4096;
const MAX_ATTRS_BYTES: usize = 16 * 1024;

pub fn read(text: &str, blanks: bool) -> Read {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_GFM
        | Options::ENABLE_MATH;
    let mut reader = Reader {
        text,
        blanks,
        frames: vec![Frame::new(FrameKind::Document, json!({}))],
        marks: Vec::new(),
        notes: Vec::new(),
        line_ends: text.match_indices('\n').map(|(at, _)| at).collect(),
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
enum FrameKind {
    Document,
    /// An implicit paragraph: in a tight list or beside a tag.
    Words,
    Paragraph,
    Heading,
    Quote,
    Callout,
    Bullets,
    Numbers,
    Item,
    /// From a tag.
    Details,
    Table,
    Row,
    Header,
    Cell,
    /// Too deep: its content goes to the enclosing frame.
    Nothing,
}

struct Frame {
    kind: FrameKind,
    attrs: Value,
    children: Vec<Value>,
    /// Content of the `<summary>`.
    summary: Vec<Value>,
    /// State of an item's box.
    task: Option<bool>,
    /// Opened by a tag, so the end of a Markdown block does not depend on it.
    from_tag: bool,
}

impl Frame {
    fn new(kind: FrameKind, attrs: Value) -> Self {
        Self {
            kind,
            attrs,
            children: Vec::new(),
            summary: Vec::new(),
            task: None,
            from_tag: false,
        }
    }
}

struct PendingImage {
    src: String,
    title: String,
    alt: String,
    nested: usize,
}

struct Reader<'a> {
    text: &'a str,
    blanks: bool,
    /// The first frame is the document.
    frames: Vec<Frame>,
    /// Open marks with the tag or delimiter that opened them.
    marks: Vec<(String, Value)>,
    notes: Vec<(usize, Note)>,
    /// Offsets of the line ends.
    line_ends: Vec<usize>,
    /// Inline events before this offset are already consumed.
    skip_to: usize,
    block_html: Option<String>,
    code: Option<(String, String)>,
    alt: Option<PendingImage>,
    /// Style for the next list, from a comment.
    list_type: Option<String>,
    align: Vec<Alignment>,
    column: usize,
    in_head: bool,
    flattened: bool,
}

impl Reader<'_> {
    fn event(&mut self, event: Event<'_>, range: Range<usize>) {
        if self.in_image(&event, &range) {
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
            // A consumed attribute list or directive may end within a text event.
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
            Event::Text(text) => self.text_event(&text, range),
            Event::Code(text) => {
                self.marks.push(("code".into(), json!({ "type": "code" })));
                self.words(&text);
                self.marks.pop();
            }
            Event::InlineMath(latex) => self.inline(json!({ "type": "inlineMath", "attrs": { "latex": &*latex } })),
            Event::DisplayMath(latex) => {
                // A block inside a line; closing the line moves it out.
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
                if let Some(item) = self.frames.iter_mut().rev().find(|frame| frame.kind == FrameKind::Item) {
                    item.task = Some(checked);
                }
            }
            Event::FootnoteReference(label) => self.words(&format!("[^{label}]")),
        }
    }

    fn note(&mut self, offset: usize, note: Note) {
        let line = self.line_ends.partition_point(|end| *end < offset) + 1;
        self.notes.push((line, note));
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
                self.open(FrameKind::Paragraph, json!({}));
            }
            Md::Heading { level, .. } => self.open(FrameKind::Heading, json!({ "level": level_of(level) })),
            Md::BlockQuote(None) => self.open(FrameKind::Quote, json!({})),
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
                self.open(FrameKind::Callout, attrs);
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
                self.open(FrameKind::Bullets, json!({}));
            }
            Md::List(Some(start)) => {
                let mut attrs = Map::new();
                if start != 1 {
                    attrs.insert("start".into(), start.into());
                }
                if let Some(style) = self.list_type.take() {
                    attrs.insert("type".into(), style.into());
                }
                self.open(FrameKind::Numbers, attrs.into());
            }
            Md::Item => self.open(FrameKind::Item, json!({})),
            Md::Table(align) => {
                self.align = align;
                self.open(FrameKind::Table, json!({}));
            }
            Md::TableHead => {
                (self.in_head, self.column) = (true, 0);
                self.open(FrameKind::Row, json!({}));
            }
            Md::TableRow => {
                self.column = 0;
                self.open(FrameKind::Row, json!({}));
            }
            Md::TableCell => {
                let align = match self.align.get(self.column) {
                    Some(Alignment::Left) => json!({ "align": "left" }),
                    Some(Alignment::Center) => json!({ "align": "center" }),
                    Some(Alignment::Right) => json!({ "align": "right" }),
                    Some(Alignment::None) | None => json!({}),
                };
                self.column += 1;
                self.open(
                    if self.in_head {
                        FrameKind::Header
                    } else {
                        FrameKind::Cell
                    },
                    align,
                );
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
                    insert(&mut attrs, "title", title.to_string());
                }
                self.marks.push(("a".into(), json!({ "type": "link", "attrs": attrs })));
            }
            Md::Image { dest_url, title, .. } => {
                self.alt = Some(PendingImage {
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
            TagEnd::Paragraph => self.close_to(&[FrameKind::Paragraph]),
            TagEnd::Heading(_) => self.close_to(&[FrameKind::Heading]),
            TagEnd::BlockQuote(_) => self.close_to(&[FrameKind::Quote, FrameKind::Callout]),
            TagEnd::HtmlBlock => self.end_html(offset),
            TagEnd::List(_) => self.close_to(&[FrameKind::Bullets, FrameKind::Numbers]),
            TagEnd::Item => self.close_to(&[FrameKind::Item]),
            TagEnd::Table => self.close_to(&[FrameKind::Table]),
            TagEnd::TableHead => {
                self.in_head = false;
                self.close_to(&[FrameKind::Row]);
            }
            TagEnd::TableRow => self.close_to(&[FrameKind::Row]),
            TagEnd::TableCell => self.close_to(&[FrameKind::Header, FrameKind::Cell]),
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
            match parse_raw(&code) {
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
            insert(&mut set, "language", truncate(language, 40));
        }
        if let Some(caption) = attrs.as_ref().and_then(|attrs| attrs.get("caption")) {
            insert(&mut set, "caption", truncate(caption, 255));
        }
        let content = if code.is_empty() {
            vec![]
        } else {
            vec![json!({ "type": "text", "text": code })]
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
