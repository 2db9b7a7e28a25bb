//! The stack of open blocks.

use serde_json::{Value, json};

use super::nodes::{at_least_one, insert, node};
use super::{Frame, FrameKind, MAX_NESTING, Reader};
use crate::native::document::kind;
use crate::native::document::normalize::push;
use crate::note::Note;

impl Reader<'_> {
    /// Opens a block that Markdown itself closes.
    pub(super) fn open(&mut self, kind: FrameKind, attrs: Value) {
        self.end_paragraph();
        if !matches!(
            kind,
            FrameKind::Item | FrameKind::Row | FrameKind::Header | FrameKind::Cell
        ) {
            self.ensure_block_parent();
        }
        let levels = match kind {
            FrameKind::Table => 4,
            FrameKind::Bullets | FrameKind::Numbers | FrameKind::Row | FrameKind::Details => 3,
            FrameKind::Paragraph | FrameKind::Heading | FrameKind::Words => 1,
            _ => 2,
        };
        let too_deep =
            self.frames.len() > 4 * MAX_NESTING || self.depth() + levels > MAX_NESTING || self.is_orphan(kind);
        if too_deep && !self.flattened {
            self.flattened = true;
            self.notes.push((1, Note::Flattened));
        }
        // Push a frame anyway, so that the end event finds it; `summary` remembers its kind.
        if too_deep && !matches!(kind, FrameKind::Paragraph | FrameKind::Heading | FrameKind::Words) {
            let mut frame = Frame::new(FrameKind::Nothing, json!({}));
            frame.summary = vec![json!(kind as u8)];
            self.frames.push(frame);
        } else {
            self.frames.push(Frame::new(kind, attrs))
        }
    }

    /// Whether this is part of a block that was too deep.
    pub(super) fn is_orphan(&self, kind: FrameKind) -> bool {
        let parent = self.frames.last().map(|frame| frame.kind);
        match kind {
            FrameKind::Item => !matches!(parent, Some(FrameKind::Bullets | FrameKind::Numbers)),
            FrameKind::Row => parent != Some(FrameKind::Table),
            FrameKind::Header | FrameKind::Cell => parent != Some(FrameKind::Row),
            _ => false,
        }
    }

    /// The depth of a child of the last frame.
    pub(super) fn depth(&self) -> usize {
        self.frames
            .iter()
            .map(|frame| match frame.kind {
                FrameKind::Nothing => 0,
                FrameKind::Details => 2,
                _ => 1,
            })
            .sum()
    }

    /// Closes the nearest frame of one of these kinds and all frames inside it.
    pub(super) fn close_to(&mut self, kinds: &[FrameKind]) {
        let is_it = |frame: &Frame| match frame.kind {
            FrameKind::Nothing => frame
                .summary
                .iter()
                .any(|code| kinds.iter().any(|kind| *code == json!(*kind as u8))),
            kind => kinds.contains(&kind) && !frame.from_tag,
        };
        if let Some(at) = self.frames.iter().rposition(is_it) {
            while self.frames.len() > at.max(1) {
                self.close();
            }
        }
    }

    /// Implicit paragraphs end where a block starts.
    pub(super) fn end_paragraph(&mut self) {
        while self
            .frames
            .last()
            .is_some_and(|frame| matches!(frame.kind, FrameKind::Words | FrameKind::Paragraph | FrameKind::Heading))
        {
            self.close();
        }
    }

    pub(super) fn close(&mut self) {
        let Some(frame) = self.frames.pop() else { return };
        match frame.kind {
            FrameKind::Document => self.frames.push(frame),
            FrameKind::Nothing => frame.children.into_iter().for_each(|node| self.block(node)),
            FrameKind::Words | FrameKind::Paragraph | FrameKind::Heading => self.close_line(frame),
            FrameKind::Details => {
                let summary = node("detailsSummary", json!({}), frame.summary);
                let content = node("detailsContent", json!({}), at_least_one(frame.children));
                self.block(node("details", frame.attrs, vec![summary, content]));
            }
            FrameKind::Bullets | FrameKind::Numbers => self.close_list(frame),
            FrameKind::Item => {
                let mut item = node("listItem", json!({}), at_least_one(frame.children));
                if let Some(checked) = frame.task {
                    insert(&mut item, "task", checked);
                }
                self.add(item);
            }
            FrameKind::Quote => self.block(node("blockquote", frame.attrs, at_least_one(frame.children))),
            FrameKind::Callout => self.block(node("callout", frame.attrs, at_least_one(frame.children))),
            FrameKind::Table => {
                if !frame.children.is_empty() {
                    self.block(node("table", frame.attrs, frame.children));
                }
            }
            FrameKind::Row => {
                if !frame.children.is_empty() {
                    self.add(node("tableRow", frame.attrs, frame.children));
                }
            }
            FrameKind::Header => self.add(node("tableHeader", frame.attrs, at_least_one(frame.children))),
            FrameKind::Cell => self.add(node("tableCell", frame.attrs, at_least_one(frame.children))),
        }
    }

    /// Appends a node to the last frame.
    pub(super) fn add(&mut self, node: Value) {
        if let Some(frame) = self.frames.last_mut() {
            frame.children.push(node);
        }
    }

    /// Appends a block to the nearest frame that takes blocks.
    pub(super) fn block(&mut self, node: Value) {
        self.end_paragraph();
        self.ensure_block_parent();
        self.add(node);
    }

    /// A list is a task list if all of its items have boxes.
    pub(super) fn close_list(&mut self, frame: Frame) {
        let has_box = |item: &Value| item.get("task").is_some();
        let tasks =
            frame.kind == FrameKind::Bullets && !frame.children.is_empty() && frame.children.iter().all(has_box);
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
        let name = match frame.kind {
            FrameKind::Numbers => "orderedList",
            _ if tasks => "taskList",
            _ => "bulletList",
        };
        self.block(node(name, frame.attrs, items));
    }

    /// Ends a line of text. Images and formulas in it become separate blocks.
    pub(super) fn close_line(&mut self, frame: Frame) {
        let is_block = |node: &Value| matches!(kind(node), "image" | "blockMath");
        if frame.kind == FrameKind::Heading {
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

    /// Empty paragraphs are written with a tag, so empty lines are none.
    pub(super) fn add_paragraph(&mut self, words: Vec<Value>) {
        let blank = |node: &Value| node.get("text").and_then(Value::as_str).is_some_and(|text| text == " ");
        if !words.iter().all(blank) {
            self.add(node("paragraph", json!({}), words));
        }
    }
}
