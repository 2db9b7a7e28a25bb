//! Splits a text into pages at its headings.

use serde_json::Value;

use super::footnotes;
use crate::html::Converted;

/// Characters above which a text with a single title is split.
const MAX_SINGLE_PAGE: usize = 12_000;

/// The number of level 1 headings.
pub fn chapters(text: &Converted) -> usize {
    text.blocks.iter().filter(|block| level(block) == Some(1)).count()
}

/// Splits at level 1 headings if there are several, or else at level 2 headings if the text is long.
pub fn cut(mut text: Converted) -> Vec<Converted> {
    let of_level = |wanted: u64| text.blocks.iter().filter(|block| level(block) == Some(wanted)).count();
    let length: usize = text.blocks.iter().map(characters).sum();
    let at = match of_level(1) {
        0 | 1 if length > MAX_SINGLE_PAGE && of_level(2) > 1 => 2,
        0 | 1 => return vec![text],
        _ => 1,
    };
    let notes = footnotes::take(&mut text);
    let mut parts = vec![Converted::default()];
    // Index of the first heading of each part.
    let mut firsts = vec![0];
    let mut passed = 0;
    for block in text.blocks {
        let begins = level(&block).is_some_and(|level| level <= at);
        let only_title = |part: &Converted| {
            part.blocks.len() == 1 && part.blocks.first().is_some_and(|block| level(block) == Some(1))
        };
        let last = parts.last();
        // A heading directly after the title stays on the first page.
        if begins && last.is_some_and(|part| !part.blocks.is_empty() && !only_title(part)) {
            parts.push(Converted::default());
            firsts.push(passed);
        }
        passed += headings(&block);
        if let Some(part) = parts.last_mut() {
            part.blocks.push(block);
        }
    }
    for (number, heading) in text.headings.into_iter().enumerate() {
        let part = firsts.iter().rposition(|first| *first <= number).unwrap_or(0);
        if let Some(part) = parts.get_mut(part) {
            part.headings.push(heading);
        }
    }
    for (id, after) in text.places {
        let part = firsts
            .iter()
            .rposition(|first| after.is_some_and(|after| *first <= after))
            .unwrap_or(0);
        let first = firsts.get(part).copied().unwrap_or(0);
        if let Some(part) = parts.get_mut(part) {
            part.places.push((id, after.map(|after| after - first)));
        }
    }
    if let Some(notes) = notes {
        notes.give(parts.iter_mut().collect());
    }
    if let Some(first) = parts.first_mut() {
        (first.comments, first.nodes) = (text.comments, text.nodes);
    }
    parts
}

pub fn level(block: &Value) -> Option<u64> {
    let is_heading = block.get("type").is_some_and(|kind| kind == "heading");
    block
        .pointer("/attrs/level")
        .filter(|_| is_heading)?
        .as_u64()
        .filter(|level| *level > 0)
}

pub fn headings(block: &Value) -> usize {
    let own = usize::from(block.get("type").is_some_and(|kind| kind == "heading"));
    let children = block.get("content").and_then(Value::as_array);
    own + children.into_iter().flatten().map(headings).sum::<usize>()
}

fn characters(block: &Value) -> usize {
    let own = block
        .get("text")
        .and_then(Value::as_str)
        .map_or(0, |text| text.chars().count());
    let children = block.get("content").and_then(Value::as_array);
    own + children.into_iter().flatten().map(characters).sum::<usize>()
}
