//! Converts lists, definition lists and details.

use std::mem;

use scraper::{ElementRef, Node};
use serde_json::{Map, Value, json};

use super::blocks::{Converter, at_least_one, insert};
use super::flow::{Flow, Mark, with_mark};
use super::node_with;
use crate::note::Note;

/// How ordered lists count, apart from figures.
const STYLES: [&str; 4] = ["a", "A", "i", "I"];

/// Adds what stands between items to the item before it.
fn add_stray(items: &mut Vec<(Option<bool>, Vec<Value>)>, stray: Flow) {
    let blocks = stray.finish();
    match items.last_mut() {
        Some((_, item)) => item.extend(blocks),
        None if blocks.is_empty() => {}
        None => items.push((None, blocks)),
    }
}

impl Converter<'_> {
    pub(super) fn list(&mut self, element: ElementRef<'_>, marks: &[Mark], flow: &mut Flow, depth: usize) {
        if !self.fits(depth, 2) {
            return self.block_content(element, marks, flow, depth);
        }
        flow.flush();
        let outer_task = self.task.take();
        let mut items: Vec<(Option<bool>, Vec<Value>)> = Vec::new();
        // Invalid HTML that browsers show as part of the preceding item.
        let mut stray = Flow::new();
        for child in element.children() {
            match child.value() {
                Node::Comment(comment) => self.comment(comment),
                Node::Text(text) => self.text(text, marks, &mut stray),
                _ => {}
            }
            let Some(child) = ElementRef::wrap(child) else { continue };
            if child.value().name() == "li" {
                add_stray(&mut items, mem::replace(&mut stray, Flow::new()));
                if let Some(id) = child.attr("id") {
                    self.add_anchor(id);
                }
                self.task = None;
                let blocks = self.blocks_of(child, marks, depth + 2);
                items.push((self.task.take(), blocks));
            } else {
                self.element(child, marks, &mut stray, depth + 2);
            }
        }
        add_stray(&mut items, stray);
        self.task = outer_task;
        let ordered = element.value().name() == "ol";
        let style = element.attr("type").filter(|style| STYLES.contains(style));
        let mut start = element
            .attr("start")
            .and_then(|start| start.trim().parse::<u32>().ok())
            .unwrap_or(1)
            .min(1_000_000_000);
        for run in items.chunk_by(|a, b| a.0.is_some() == b.0.is_some()) {
            let is_tasks = run.first().is_some_and(|(task, _)| task.is_some());
            let content = run.iter().map(|(task, blocks)| match task {
                Some(checked) => json!({ "type": "taskItem", "attrs": { "checked": checked }, "content": blocks }),
                None => json!({ "type": "listItem", "content": blocks }),
            });
            let content = content.collect();
            flow.block(if is_tasks {
                node_with("taskList", content)
            } else if ordered {
                let mut list = node_with("orderedList", content);
                let mut attrs = Map::new();
                if start != 1 {
                    attrs.insert("start".into(), start.into());
                }
                if let Some(style) = style {
                    attrs.insert("type".into(), style.into());
                }
                if !attrs.is_empty() {
                    insert(&mut list, "attrs", attrs);
                }
                list
            } else {
                node_with("bulletList", content)
            });
            start = start
                .saturating_add(u32::try_from(run.len()).unwrap_or(0))
                .min(1_000_000_000);
        }
    }

    pub(super) fn definitions(&mut self, element: ElementRef<'_>, marks: &[Mark], flow: &mut Flow, depth: usize) {
        if !mem::replace(&mut self.definitions, true) {
            self.note(Note::Definitions);
        }
        match element.value().name() {
            "dt" => self.block_content(element, &with_mark(marks, Mark::Bold), flow, depth),
            _ => self.block_content(element, marks, flow, depth),
        }
    }

    pub(super) fn details(&mut self, element: ElementRef<'_>, marks: &[Mark], flow: &mut Flow, depth: usize) {
        if !self.fits(depth, 2) {
            return self.block_content(element, marks, flow, depth);
        }
        flow.flush();
        let mut summary = Vec::new();
        let mut inner = Flow::new();
        let title = element.child_elements().find(|child| child.value().name() == "summary");
        for child in element.children() {
            if title.is_some_and(|title| title.id() == child.id()) {
                if let Some(title) = title {
                    let (words, blocks) = self.line_of(title, marks, depth + 1);
                    summary = words;
                    blocks.into_iter().for_each(|block| inner.block(block));
                }
                continue;
            }
            match child.value() {
                Node::Text(text) => self.text(text, marks, &mut inner),
                Node::Comment(comment) => self.comment(comment),
                _ => {
                    if let Some(child) = ElementRef::wrap(child) {
                        self.element(child, marks, &mut inner, depth + 2);
                    }
                }
            }
        }
        if summary.is_empty() {
            summary.push(json!({ "type": "text", "text": self.options.details }));
        }
        let content = at_least_one(inner.finish());
        flow.block(json!({
            "type": "details",
            "attrs": { "open": element.attr("open").is_some() },
            "content": [node_with("detailsSummary", summary), node_with("detailsContent", content)],
        }));
    }
}
