//! Moves footnotes to the pages that refer to them, when a text is split into pages.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::blocks::{children, insert};
use crate::content::{Anchors, heading_text};
use crate::html::{Converted, Heading};

/// The footnotes at the end of a text.
pub struct Footnotes {
    heading: Value,
    /// With their numbers.
    items: Vec<(u64, Value)>,
}

fn is_of(block: &Value, kind: &str) -> bool {
    block.get("type").is_some_and(|of| of == kind)
}

fn headings(block: &Value) -> usize {
    usize::from(is_of(block, "heading")) + children(block).iter().map(headings).sum::<usize>()
}

/// Takes the footnotes from the end of a text; None if there are none.
pub fn take(text: &mut Converted) -> Option<Footnotes> {
    let at = text
        .blocks
        .iter()
        .rposition(|block| is_of(block, "heading") && block.pointer("/attrs/level").is_some_and(|level| level == 0))?;
    if !text.blocks.iter().skip(at + 1).all(|block| is_of(block, "orderedList")) {
        return None;
    }
    let index: usize = text.blocks.iter().take(at).map(headings).sum();
    let mut section = text.blocks.split_off(at).into_iter();
    let heading = section.next()?;
    text.headings.truncate(index);
    text.places.retain(|(_, after)| after.is_none_or(|after| after < index));
    let mut items = Vec::new();
    for list in section {
        let first = list.pointer("/attrs/start").and_then(Value::as_u64).unwrap_or(1);
        items.extend((first..).zip(children(&list).iter().cloned()));
    }
    Some(Footnotes { heading, items })
}

impl Footnotes {
    /// Appends each footnote to the pages that refer to it, those without a reference to the last page.
    pub fn give(self, mut parts: Vec<&mut Converted>) {
        let known: BTreeSet<u64> = self.items.iter().map(|(number, _)| *number).collect();
        let title = heading_text(&self.heading);
        let mut left = known.clone();
        let mut wanted: Vec<BTreeSet<u64>> = Vec::new();
        for part in parts.iter_mut() {
            let address = anchor(part, &title);
            let mut found = BTreeSet::new();
            for block in &mut part.blocks {
                references(block, &known, &address, &mut found);
            }
            left.retain(|number| !found.contains(number));
            wanted.push(found);
        }
        if let Some(last) = wanted.last_mut() {
            last.extend(left);
        }
        for (part, wanted) in parts.into_iter().zip(wanted) {
            let mut lists: Vec<(u64, Vec<Value>)> = Vec::new();
            for (number, item) in self.items.iter().filter(|(number, _)| wanted.contains(number)) {
                match lists.last_mut() {
                    Some((first, list)) if *first + list.len() as u64 == *number => list.push(item.clone()),
                    _ => lists.push((*number, vec![item.clone()])),
                }
            }
            if lists.is_empty() {
                continue;
            }
            part.blocks.push(self.heading.clone());
            part.headings.push(Heading {
                text: title.clone(),
                ids: vec![],
            });
            for (first, items) in lists {
                let mut list = json!({ "type": "orderedList", "content": items });
                if first != 1 {
                    insert(&mut list, "attrs", json!({ "start": first }));
                }
                part.blocks.push(list);
            }
        }
    }
}

/// The address of the footnotes on a page.
fn anchor(part: &Converted, title: &str) -> Option<String> {
    let mut anchors = Anchors::default();
    // The first heading may become the title of the page; another heading of the same words is unlikely.
    for heading in &part.headings {
        anchors.next(heading.text.trim());
    }
    anchors.next(title.trim()).map(|anchor| format!("#{anchor}"))
}

/// Finds references to footnotes, which are raised numbers with a link, and makes them lead to the footnotes of this page.
fn references(node: &mut Value, known: &BTreeSet<u64>, address: &Option<String>, found: &mut BTreeSet<u64>) {
    let number = node
        .get("text")
        .and_then(Value::as_str)
        .and_then(|text| text.trim().parse().ok());
    if let Some(number) = number.filter(|number| known.contains(number))
        && let Some(marks) = node.get_mut("marks").and_then(Value::as_array_mut)
        && marks.iter().any(|mark| is_of(mark, "superscript"))
    {
        for mark in marks.iter_mut().filter(|mark| is_of(mark, "link")) {
            found.insert(number);
            if let (Some(href), Some(address)) = (mark.pointer_mut("/attrs/href"), address) {
                *href = address.clone().into();
            }
        }
    }
    for child in node
        .get_mut("content")
        .and_then(Value::as_array_mut)
        .into_iter()
        .flatten()
    {
        references(child, known, address, found);
    }
}
