//! What is open, and what becomes of it when it ends.

use serde_json::{Value, json};

use super::nodes::{at_least_one, insert, node};
use super::{DEEPEST, Frame, Reader, What};
use crate::exchange::native::document::kind;
use crate::exchange::native::document::normal::push;
use crate::exchange::note::Note;

impl Reader<'_> {
    /// Opens a block that Markdown itself ends.
    pub(super) fn open(&mut self, what: What, attrs: Value) {
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
    pub(super) fn hollow(&self, what: What) -> bool {
        let parent = self.frames.last().map(|frame| frame.what);
        match what {
            What::Item => !matches!(parent, Some(What::Bullets | What::Numbers)),
            What::Row => parent != Some(What::Table),
            What::Header | What::Cell => parent != Some(What::Row),
            _ => false,
        }
    }

    /// The depth of what would be put into the last frame.
    pub(super) fn depth(&self) -> usize {
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
    pub(super) fn close_to(&mut self, kinds: &[What]) {
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
    pub(super) fn end_words(&mut self) {
        while self
            .frames
            .last()
            .is_some_and(|frame| matches!(frame.what, What::Words | What::Paragraph | What::Heading))
        {
            self.close();
        }
    }

    pub(super) fn close(&mut self) {
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
    pub(super) fn add(&mut self, node: Value) {
        if let Some(frame) = self.frames.last_mut() {
            frame.children.push(node);
        }
    }

    /// Puts a block where blocks may be.
    pub(super) fn block(&mut self, node: Value) {
        self.end_words();
        self.block_place();
        self.add(node);
    }

    /// A list whose items all have boxes is one of tasks.
    pub(super) fn close_list(&mut self, frame: Frame) {
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
    pub(super) fn close_line(&mut self, frame: Frame) {
        let is_block = |node: &Value| matches!(kind(node), "image" | "blockMath");
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
    pub(super) fn add_paragraph(&mut self, words: Vec<Value>) {
        let blank = |node: &Value| node.get("text").and_then(Value::as_str).is_some_and(|text| text == " ");
        if !words.iter().all(blank) {
            self.add(node("paragraph", json!({}), words));
        }
    }
}
