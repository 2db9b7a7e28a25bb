//! Handles HTML tags within Markdown.

use serde_json::{Value, json};

use super::nodes::{insert, truncate};
use super::{FrameKind, MAX_OPEN_MARKS, Reader, read};
use crate::latex::MAX_LATEX_CHARS;
use crate::native::document::attrs::Attrs;
use crate::native::document::inline::mark_of;
use crate::native::document::tags::{self, Piece, Tag, unescaped};
use crate::note::Note;

impl Reader<'_> {
    /// Opens a frame for a tag, which its closing tag or the enclosing block closes.
    pub(super) fn tag_frame(&mut self, kind: FrameKind, attrs: Value) {
        self.open(kind, attrs);
        if let Some(frame) = self.frames.last_mut() {
            frame.from_tag = true;
        }
    }

    pub(super) fn end_tag(&mut self, kinds: &[FrameKind]) {
        // Do not close the Markdown block around the tag.
        let at = self.frames.iter().enumerate().rev().find_map(|(at, frame)| {
            let is_it = match frame.kind {
                FrameKind::Nothing => frame
                    .summary
                    .iter()
                    .any(|code| kinds.iter().any(|kind| *code == json!(*kind as u8))),
                kind => kinds.contains(&kind),
            };
            let words = matches!(frame.kind, FrameKind::Words | FrameKind::Paragraph | FrameKind::Heading);
            match (frame.from_tag, is_it) {
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

    pub(super) fn end_html(&mut self, offset: usize) {
        let Some(html) = self.block_html.take() else { return };
        let html = html.trim();
        if html == "<p></p>" {
            return self.block(json!({ "type": "paragraph" }));
        }
        let mut rest = html;
        // A summary is a line of Markdown, so it is removed before the tags are parsed.
        if let Some((before, after)) = html.split_once("<summary>") {
            let (line, after) = after.split_at(after.find('\n').unwrap_or(after.len()));
            if let Some(line) = line.trim_end().strip_suffix("</summary>") {
                self.pieces(before, offset);
                let words = summary(line, self.blanks);
                if let Some(frame) = self
                    .frames
                    .iter_mut()
                    .rev()
                    .find(|frame| frame.kind == FrameKind::Details)
                {
                    frame.summary = words;
                }
                rest = after;
            }
        }
        self.pieces(rest, offset);
    }

    pub(super) fn pieces(&mut self, html: &str, offset: usize) {
        for piece in tags::pieces(html) {
            match piece {
                Piece::Comment(comment) => self.comment(comment),
                Piece::Text(text) if text.trim().is_empty() => {}
                Piece::Text(text) => self.words(&unescaped(text.trim())),
                Piece::Open(tag) => self.open_tag(&tag, offset),
                Piece::Close(name) => self.close_tag(&name),
            }
        }
        self.end_paragraph();
    }

    pub(super) fn comment(&mut self, comment: &str) {
        let style = comment.trim().strip_prefix("list ").and_then(Attrs::parse_line);
        self.list_type = style
            .and_then(|attrs| attrs.get("type").map(str::to_owned))
            .filter(|style| matches!(style.as_str(), "1" | "a" | "A" | "i" | "I"));
    }

    pub(super) fn open_tag(&mut self, tag: &Tag, offset: usize) {
        match tag.name.as_str() {
            "details" => {
                let attrs = if tag.attr("open").is_some() {
                    json!({ "open": true })
                } else {
                    json!({})
                };
                self.tag_frame(FrameKind::Details, attrs);
            }
            "table" => self.tag_frame(FrameKind::Table, json!({})),
            "tr" => self.tag_frame(FrameKind::Row, json!({})),
            "td" => self.tag_frame(FrameKind::Cell, cell_attrs(tag)),
            "th" => self.tag_frame(FrameKind::Header, cell_attrs(tag)),
            "p" | "div" | "br" | "thead" | "tbody" | "tfoot" | "section" => self.end_paragraph(),
            "hr" => self.block(json!({ "type": "horizontalRule" })),
            "img" => match tag.attr("src") {
                Some(src) => {
                    let mut attrs = json!({ "src": src });
                    if let Some(alt) = tag.attr("alt") {
                        insert(&mut attrs, "alt", truncate(alt, 1000));
                    }
                    if let Some(width) = tag.number("width").filter(|width| (16..=4000).contains(width)) {
                        insert(&mut attrs, "width", width);
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

    pub(super) fn close_tag(&mut self, name: &str) {
        match name {
            "details" => self.end_tag(&[FrameKind::Details]),
            "table" => self.end_tag(&[FrameKind::Table]),
            "tr" => self.end_tag(&[FrameKind::Row]),
            "td" | "th" => self.end_tag(&[FrameKind::Cell, FrameKind::Header]),
            "p" | "div" => self.end_paragraph(),
            name => self.unmark(name),
        }
    }

    pub(super) fn inline_html(&mut self, html: &str, offset: usize) {
        match tags::piece(html) {
            Some((Piece::Open(tag), _)) => match tag.name.as_str() {
                "br" => self.inline(json!({ "type": "hardBreak" })),
                "math" => {
                    let latex = truncate(tag.attr("latex").unwrap_or_default(), MAX_LATEX_CHARS);
                    self.inline(json!({ "type": "inlineMath", "attrs": { "latex": latex } }));
                }
                "a" if self.marks.len() < MAX_OPEN_MARKS => {
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
}

/// The inline content of a summary: the first paragraph or heading of its text.
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

fn cell_attrs(tag: &Tag) -> Value {
    let mut attrs = json!({});
    for name in ["colspan", "rowspan"] {
        if let Some(number) = tag.number(name).filter(|number| (2..=1000).contains(number)) {
            insert(&mut attrs, name, number);
        }
    }
    if let Some(widths) = tag.attr("colwidth") {
        let widths: Option<Vec<u32>> = if widths.is_empty() {
            Some(vec![])
        } else {
            widths.split(',').map(|width| width.parse().ok()).collect()
        };
        if let Some(widths) = widths {
            insert(&mut attrs, "colwidth", widths);
        }
    }
    if let Some(align @ ("left" | "center" | "right")) = tag.attr("align") {
        insert(&mut attrs, "align", align);
    }
    attrs
}
