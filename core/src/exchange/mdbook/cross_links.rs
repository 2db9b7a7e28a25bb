//! Links between pages, which get their addresses when all pages have been read.

use super::host::{PageLink, waiting_link};
use super::pages::{Notes, Part, Read};
use super::{Book, Source};
use crate::content;
use crate::exchange::note::Note;
use crate::exchange::pending::unlink;

/// Gives them their addresses.
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
        // The part that has the heading, or the first.
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
                content::map_addresses(document, |address| addresses.get(waiting_link(address)?)?.clone());
                // Those to pages that could not be read; the report names the pages.
                unlink(document, &|href| waiting_link(href).is_some());
            });
        }
    }
}
