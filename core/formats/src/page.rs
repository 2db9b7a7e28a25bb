//! Makes documents of the blocks of a page: takes the title out, sets heading levels, finds anchors, and splits what is too long.

use std::collections::HashMap;

use serde_json::{Value, json};

use crate::blocks::split;
use crate::content::{Anchors, heading_text};
use crate::html::Converted;
use crate::note::Note;

/// The documents of a page: several if one would exceed the size limit.
#[derive(Debug)]
pub struct Finished {
    /// The first heading, if it is the title.
    pub title: Option<String>,
    pub parts: Vec<Value>,
    /// Heading index by lower-case anchor name; `None` means the start of the page.
    pub places: HashMap<String, Option<usize>>,
    pub notes: Vec<Note>,
}

pub fn finish(mut converted: Converted) -> Finished {
    let title = take_title(&mut converted.blocks);
    finish_outline(converted, title)
}

/// Finishes a page with a known title. The first heading is removed only if it equals the title.
pub fn finish_with_title(mut converted: Converted, name: &str) -> Finished {
    let says_the_same = |block: &Value| is_heading(block) && heading_text(block).trim().eq_ignore_ascii_case(name);
    let title = if converted.blocks.first().is_some_and(says_the_same) {
        take_title(&mut converted.blocks)
    } else {
        None
    };
    finish_outline(converted, title)
}

fn finish_outline(mut converted: Converted, title: Option<String>) -> Finished {
    // Removing the title shifts the heading indexes.
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
    // Other generators of HTML make the same anchors, but in lower case.
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

/// Removes the title heading: the first block, or the first level 1 heading if no other heading precedes it.
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

/// Renumbers heading levels as an outline below the title: level 2, or one below the enclosing heading. Headings
/// inside quotes and lists do not enclose what follows.
fn set_levels(blocks: &mut [Value], open: &mut Vec<u64>) {
    for block in blocks {
        if is_heading(block) {
            let level = level(block);
            while open.last().is_some_and(|&above| above >= level) {
                open.pop();
            }
            let outline = (2 + open.len()).min(4);
            // The footnotes heading has level 0 and encloses nothing.
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
