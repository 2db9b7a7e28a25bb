//! Links between pages, which get their addresses when all pages have been read.

use super::host::{PageLink, waiting_link};
use super::pages::{Notes, Read};
use super::{Book, Source};
use crate::content;
use crate::exchange::note::Note;
use crate::exchange::pending::unlink;

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
            // Those to pages that could not be read; the report names the pages.
            unlink(document, &|href| waiting_link(href).is_some());
        }
    }
}
