//! Links between pages, which get their addresses when all pages have been read.

use serde_json::Value;

use super::host::{PageLink, waiting_link};
use super::pages::{Notes, Read};
use super::{Book, Source};
use crate::content;
use crate::exchange::note::Note;

/// Gives them their addresses.
pub fn resolve(book: &Book, sources: &[Source], pages: &mut [Option<Read>], links: &[PageLink], notes: &mut Notes) {
    let anchors: Vec<Vec<Vec<Option<String>>>> = pages
        .iter()
        .map(|page| {
            page.iter()
                .flat_map(|page| &page.parts)
                .map(|part| content::heading_anchors(&part.1))
                .collect()
        })
        .collect();
    let mut addresses = Vec::with_capacity(links.len());
    for link in links {
        let Some(Some(target)) = pages.get(link.to) else {
            addresses.push(None);
            continue;
        };
        let place = link
            .fragment
            .as_ref()
            .map(|fragment| target.places.get(&fragment.to_lowercase()).copied());
        if place == Some(None)
            && let Some(source) = sources.get(link.from)
        {
            let at = format!("{}:{}", book.name_of(&source.path), link.line);
            notes.add(link.from, link.line, at, Note::LinkAnchor(link.href.clone()));
        }
        let heading = place.flatten().flatten();
        // The part that has the heading, or the first.
        let part = target
            .parts
            .iter()
            .rposition(|part| part.2 <= heading.unwrap_or(0))
            .unwrap_or(0);
        let anchor = heading.and_then(|heading| {
            let first = target.parts.get(part)?.2;
            anchors.get(link.to)?.get(part)?.get(heading - first)?.as_deref()
        });
        addresses.push(target.parts.get(part).map(|(id, _, _)| match anchor {
            Some(anchor) if link.from == link.to && target.parts.len() == 1 => format!("#{anchor}"),
            Some(anchor) => format!("page:{id}#{anchor}"),
            None => format!("page:{id}"),
        }));
    }
    for page in pages.iter_mut().flatten() {
        for (_, document, _) in &mut page.parts {
            content::map_addresses(document, |address| addresses.get(waiting_link(address)?)?.clone());
            unlink(document);
        }
    }
}

/// Takes away links to pages that could not be read; the report names the pages.
fn unlink(node: &mut Value) {
    let waits = |mark: &Value| {
        mark.pointer("/attrs/href")
            .and_then(Value::as_str)
            .is_some_and(|href| waiting_link(href).is_some())
    };
    if let Some(object) = node.as_object_mut()
        && let Some(marks) = object.get_mut("marks").and_then(Value::as_array_mut)
    {
        marks.retain(|mark| !waits(mark));
        if marks.is_empty() {
            object.remove("marks");
        }
    }
    if let Some(children) = node.get_mut("content").and_then(Value::as_array_mut) {
        children.iter_mut().for_each(unlink);
        join_texts(children);
    }
}

/// Texts that differed by their link alone are one again.
fn join_texts(nodes: &mut Vec<Value>) {
    nodes.dedup_by(|next, text| {
        let joins = text.get("text").is_some() && next.get("text").is_some() && text.get("marks") == next.get("marks");
        if let (true, Some(Value::String(text)), Some(Value::String(next))) =
            (joins, text.get_mut("text"), next.get("text"))
        {
            text.push_str(next);
        }
        joins
    });
}
