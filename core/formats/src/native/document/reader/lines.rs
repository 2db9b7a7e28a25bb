//! Handles inline content: text, marks, blanks, images, and one-line directives.

use std::ops::Range;

use pulldown_cmark::{Event, Tag as Md, TagEnd};
use serde_json::{Value, json};

use super::nodes::{insert, truncate};
use super::{Frame, FrameKind, MAX_ATTRS_BYTES, MAX_BLANK_BYTES, MAX_OPEN_MARKS, Reader};
use crate::native::document::attrs::Attrs;
use crate::native::document::blocks::SIZES;
use crate::native::document::kind;
use crate::native::document::normalize::{normalize_marks, push};

impl Reader<'_> {
    pub(super) fn mark(&mut self, opened_by: &str, mark: &str) {
        if self.marks.len() < MAX_OPEN_MARKS {
            self.marks.push((opened_by.to_owned(), json!({ "type": mark })));
        }
    }

    pub(super) fn unmark(&mut self, opened_by: &str) {
        if let Some(at) = self.marks.iter().rposition(|(by, _)| by == opened_by) {
            self.marks.remove(at);
        }
    }

    /// Handles a text event, which may contain blanks and directives.
    pub(super) fn text_event(&mut self, text: &str, range: Range<usize>) {
        if self.outside_paragraph()
            && let Some(rest) = self.text.get(range.start..)
        {
            // In a tight list, text has no paragraph event.
            let line = rest.split('\n').next().unwrap_or_default();
            if let Some(node) = directive(line) {
                self.skip_to = range.start + line.len();
                return self.block(node);
            }
        }
        if self.blanks && self.try_blank(&range) {
            return;
        }
        self.words(text);
    }

    pub(super) fn try_blank(&mut self, range: &Range<usize>) -> bool {
        // Search only this piece, or a long text would be searched once per piece.
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
        let near = after.split_at(after.floor_char_boundary(MAX_BLANK_BYTES)).0;
        let line = near.split('\n').next().unwrap_or_default();
        let Some(end) = line.find("]]").filter(|_| !escaped) else {
            return false;
        };
        let token = line.get(2..end).unwrap_or_default().to_owned();
        self.words(before);
        self.inline(json!({ "type": "blank", "attrs": { "blank_id": token } }));
        self.skip_to = range.start + at + end + 2;
        if self.skip_to < range.end {
            self.rest_of_text(self.skip_to..range.end);
        }
        true
    }

    pub(super) fn rest_of_text(&mut self, range: Range<usize>) {
        if !self.try_blank(&range)
            && let Some(rest) = self.text.get(range)
        {
            self.words(rest);
        }
    }

    pub(super) fn words(&mut self, text: &str) {
        if !text.is_empty() {
            self.inline(json!({ "type": "text", "text": text.replace('\0', "\u{fffd}") }));
        }
    }

    pub(super) fn outside_paragraph(&self) -> bool {
        !self
            .frames
            .last()
            .is_some_and(|frame| matches!(frame.kind, FrameKind::Words | FrameKind::Paragraph | FrameKind::Heading))
    }

    pub(super) fn inline(&mut self, mut node: Value) {
        if self.outside_paragraph() {
            if matches!(&node, Value::Object(fields) if fields.get("text").is_some_and(|text| text == " ")) {
                return;
            }
            self.ensure_block_parent();
            self.frames.push(Frame::new(FrameKind::Words, json!({})));
        }
        let marks: Vec<Value> = self.marks.iter().map(|(_, mark)| mark.clone()).collect();
        if !marks.is_empty() && !matches!(kind(&node), "image" | "blockMath") {
            let marks = normalize_marks(Some(&marks.into()));
            insert(&mut node, "marks", marks);
        }
        if let Some(frame) = self.frames.last_mut() {
            push(&mut frame.children, node);
        }
    }

    /// Ensures that the last frame takes blocks: opens a row, cell or item if needed.
    pub(super) fn ensure_block_parent(&mut self) {
        if self.frames.last().is_some_and(|frame| frame.kind == FrameKind::Table) {
            self.tag_frame(FrameKind::Row, json!({}));
        }
        if self.frames.last().is_some_and(|frame| frame.kind == FrameKind::Row) {
            self.tag_frame(FrameKind::Cell, json!({}));
        }
        let last = self.frames.last().map(|frame| frame.kind);
        if matches!(last, Some(FrameKind::Bullets | FrameKind::Numbers)) {
            self.tag_frame(FrameKind::Item, json!({}));
        }
    }

    pub(super) fn in_image(&mut self, event: &Event<'_>, range: &Range<usize>) -> bool {
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

    pub(super) fn end_image(&mut self, end: usize) {
        let Some(picture) = self.alt.take() else { return };
        let near = self.text.get(end..).unwrap_or_default();
        let found = Attrs::parse_braced(near.split_at(near.floor_char_boundary(MAX_ATTRS_BYTES)).0);
        let mut attrs = json!({ "src": picture.src });
        for (name, shown) in [("alt", &picture.alt), ("caption", &picture.title)] {
            let said = found.as_ref().and_then(|(attrs, _)| attrs.get(name));
            if !shown.is_empty() {
                insert(&mut attrs, name, truncate(shown, 1000));
            } else if let Some(said) = said {
                insert(&mut attrs, name, truncate(said, 1000));
            }
        }
        if let Some((said, len)) = found {
            sizes(&said, &mut attrs);
            self.skip_to = end + len;
        }
        self.inline(json!({ "type": "image", "attrs": attrs }));
    }

    pub(super) fn directive(&self, range: &Range<usize>) -> Option<Value> {
        directive(self.text.get(range.clone())?.trim_end())
    }
}

/// Parses a one-line directive `::name attributes`.
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
            insert(&mut set, name, value);
        }
    }
    sizes(&said, &mut set);
    if let Some(size) = said.number("size") {
        insert(&mut set, "size", size);
    }
    if let Some(content_type) = said.get("type") {
        insert(&mut set, "contentType", content_type);
    }
    let name = if name == "math" { "blockMath" } else { name };
    Some(json!({ "type": name, "attrs": set }))
}

fn sizes(said: &Attrs, attrs: &mut Value) {
    for (name, written) in SIZES {
        if let Some(number) = said.number(written) {
            insert(attrs, name, number);
        }
    }
}
