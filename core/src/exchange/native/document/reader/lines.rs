//! Words and what stands among them: marks, blanks, pictures, and the directives that are a line each.

use std::ops::Range;

use pulldown_cmark::{Event, Tag as Md, TagEnd};
use serde_json::{Value, json};

use super::nodes::{cut, insert};
use super::{Frame, LONGEST_ATTRS, LONGEST_BLANK, MOST_MARKS, Reader, What};
use crate::exchange::native::document::attrs::Attrs;
use crate::exchange::native::document::blocks::SIZES;
use crate::exchange::native::document::kind;
use crate::exchange::native::document::normal::{push, tidy_marks};

impl Reader<'_> {
    pub(super) fn mark(&mut self, opened_by: &str, mark: &str) {
        if self.marks.len() < MOST_MARKS {
            self.marks.push((opened_by.to_owned(), json!({ "type": mark })));
        }
    }

    pub(super) fn unmark(&mut self, opened_by: &str) {
        if let Some(at) = self.marks.iter().rposition(|(by, _)| by == opened_by) {
            self.marks.remove(at);
        }
    }

    /// A text as Markdown tells it, in which blanks and directives may be.
    pub(super) fn run(&mut self, text: &str, range: Range<usize>) {
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

    pub(super) fn blank_in(&mut self, range: &Range<usize>) -> bool {
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

    pub(super) fn run_rest(&mut self, range: Range<usize>) {
        if !self.blank_in(&range)
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

    pub(super) fn no_line(&self) -> bool {
        !self
            .frames
            .last()
            .is_some_and(|frame| matches!(frame.what, What::Words | What::Paragraph | What::Heading))
    }

    pub(super) fn inline(&mut self, mut node: Value) {
        if self.no_line() {
            if matches!(&node, Value::Object(fields) if fields.get("text").is_some_and(|text| text == " ")) {
                return;
            }
            self.block_place();
            self.frames.push(Frame::new(What::Words, json!({})));
        }
        let marks: Vec<Value> = self.marks.iter().map(|(_, mark)| mark.clone()).collect();
        if !marks.is_empty() && !matches!(kind(&node), "image" | "blockMath") {
            let marks = tidy_marks(Some(&marks.into()));
            insert(&mut node, "marks", marks.into());
        }
        if let Some(frame) = self.frames.last_mut() {
            push(&mut frame.children, node);
        }
    }

    /// Sees to it that the last frame may hold blocks: between rows and cells there is no place, so a cell is made.
    pub(super) fn block_place(&mut self) {
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

    pub(super) fn in_picture(&mut self, event: &Event<'_>, range: &Range<usize>) -> bool {
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

    pub(super) fn directive(&self, range: &Range<usize>) -> Option<Value> {
        directive(self.text.get(range.clone())?.trim_end())
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
