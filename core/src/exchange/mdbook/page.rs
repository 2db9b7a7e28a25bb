//! From the blocks of a page to its document: title, levels of headings, places links lead to, and a size that fits.

use std::collections::HashMap;

use serde_json::{Value, json};

use crate::content::{Anchors, heading_text};
use crate::exchange::blocks::split;
use crate::exchange::html::Converted;
use crate::exchange::note::Note;

/// What a page becomes: mostly one document, several when one would be too large.
#[derive(Debug)]
pub struct Finished {
    /// The page's own first heading.
    pub title: Option<String>,
    pub parts: Vec<Value>,
    /// The place each name leads to: a heading, counted from 0, or the beginning of the page. Names are in small letters.
    pub places: HashMap<String, Option<usize>>,
    pub notes: Vec<Note>,
}

pub fn finish(mut converted: Converted) -> Finished {
    let title = take_title(&mut converted.blocks);
    outlined(converted, title)
}

/// A page whose title is known: the heading it begins with is taken away only when it says the same.
pub fn finish_named(mut converted: Converted, name: &str) -> Finished {
    let says_the_same = |block: &Value| is_heading(block) && heading_text(block).trim().eq_ignore_ascii_case(name);
    let title = match converted.blocks.first().is_some_and(says_the_same) {
        true => take_title(&mut converted.blocks),
        false => None,
    };
    outlined(converted, title)
}

fn outlined(mut converted: Converted, title: Option<String>) -> Finished {
    // The title was the first of the headings that links may lead to.
    let moved = |heading: usize| {
        if title.is_some() {
            heading.checked_sub(1)
        } else {
            Some(heading)
        }
    };
    let mut places = HashMap::new();
    for (number, heading) in converted.headings.iter().enumerate() {
        for id in &heading.ids {
            places.entry(id.to_lowercase()).or_insert(moved(number));
        }
    }
    for (id, after) in converted.places {
        places.entry(id.to_lowercase()).or_insert(after.and_then(moved));
    }
    // mdBook makes the same anchors from headings, but for capital letters.
    let mut anchors = Anchors::default();
    for (number, heading) in converted.headings.iter().enumerate() {
        if let Some(anchor) = anchors.next(heading.text.trim()) {
            places.entry(anchor).or_insert(moved(number));
        }
    }
    set_levels(&mut converted.blocks, &mut Vec::new());
    let mut notes = Vec::new();
    let parts = split(converted.blocks, &mut notes);
    Finished {
        title,
        parts,
        places,
        notes,
    }
}

fn is_heading(block: &Value) -> bool {
    block.get("type").is_some_and(|kind| kind == "heading")
}

fn level(heading: &Value) -> u64 {
    heading.pointer("/attrs/level").and_then(Value::as_u64).unwrap_or(1)
}

/// Removes the heading that names the page: one it begins with, or its first of level 1 if no other heading comes before it.
fn take_title(blocks: &mut Vec<Value>) -> Option<String> {
    let first = blocks.iter().position(has_heading)?;
    let heading = blocks.get(first).filter(|block| is_heading(block))?;
    let names_the_page = level(heading) == 1 || (first == 0 && level(heading) > 0);
    if !names_the_page {
        return None;
    }
    let title = heading_text(&blocks.remove(first))
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    (!title.is_empty()).then_some(title)
}

fn has_heading(block: &Value) -> bool {
    is_heading(block)
        || block
            .get("content")
            .and_then(Value::as_array)
            .is_some_and(|children| children.iter().any(has_heading))
}

/// Makes an outline below the title, which is above all headings: a heading is at level 2, or one below the heading whose part
/// it begins, whatever numbers the source uses. What a quote or a list holds has no part after it.
fn set_levels(blocks: &mut [Value], open: &mut Vec<u64>) {
    for block in blocks {
        if is_heading(block) {
            let level = level(block);
            while open.last().is_some_and(|&above| above >= level) {
                open.pop();
            }
            let outline = (2 + open.len()).min(4);
            // That of the footnotes is 0 and belongs to no part.
            if level > 0 {
                open.push(level);
            }
            if let Some(attrs) = block.get_mut("attrs") {
                *attrs = json!({ "level": outline });
            }
        } else if let Some(children) = block.get_mut("content").and_then(Value::as_array_mut) {
            set_levels(children, &mut open.clone());
        }
    }
}
