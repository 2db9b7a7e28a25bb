//! Resolves links between pages after all pages are read.

use super::host::{PageLink, placeholder_index};
use super::pages::{Notes, Part, Read};
use super::{Book, Source};
use crate::links::{LinkEdit, rewrite_links};
use crate::note::Note;

/// Replaces the placeholders of links by addresses.
pub fn resolve(book: &Book, sources: &[Source], pages: &mut [Option<Read>], links: &[PageLink], notes: &mut Notes) {
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
        // The part with the heading, or the first one.
        let part = target
            .parts
            .iter()
            .rposition(|part| part.first <= heading.unwrap_or(0))
            .unwrap_or(0);
        let anchor = heading.and_then(|heading| {
            let part = target.parts.get(part)?;
            part.anchors.get(heading - part.first)?.as_deref()
        });
        addresses.push(target.parts.get(part).map(|Part { id, .. }| match anchor {
            Some(anchor) if link.from == link.to && target.parts.len() == 1 => format!("#{anchor}"),
            Some(anchor) => format!("page:{id}#{anchor}"),
            None => format!("page:{id}"),
        }));
    }
    for page in pages.iter_mut().flatten() {
        for part in &mut page.parts {
            part.content.change(|document| {
                rewrite_links(document, &mut |href| match placeholder_index(href) {
                    // The report already names the pages that could not be read.
                    Some(number) => match addresses.get(number).cloned().flatten() {
                        Some(address) => LinkEdit::To(address),
                        None => LinkEdit::Remove,
                    },
                    None => LinkEdit::Keep,
                });
            });
        }
    }
}
