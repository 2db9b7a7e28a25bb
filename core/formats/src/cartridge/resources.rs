//! Pages of discussions, web links, tools and assignments.

use roxmltree::Node;
use serde_json::Value;

use super::build::{BuiltPage, MAX_ATTACHED, published_page};
use super::host::PageHost;
use super::labels::Labels;
use super::meta;
use super::page::{blocks_of, link, list, placeholder, text_paragraph};
use super::xml::{attr, child, children, find, text, text_of};
use crate::blocks::blocks;
use crate::html::Host as _;
use crate::note::Note;
use crate::note::cartridge::Note as CartridgeNote;
use crate::quiz::paragraph;

/// The text of an element as blocks; its `texttype` says whether it is HTML.
pub fn text_blocks(node: Node<'_, '_>, host: &mut PageHost<'_>) -> Vec<Value> {
    let kind = attr(node, "texttype").unwrap_or("text/html");
    let words = text(node);
    match kind.to_ascii_lowercase().contains("html") {
        true => blocks_of(&words, host),
        false if words.is_empty() => vec![],
        false => blocks(paragraph(&words)),
    }
}

/// Links to the attachments of a topic or an assignment.
pub fn attachments(root: Node<'_, '_>, host: &mut PageHost<'_>) -> Vec<Value> {
    let named = child(root, "attachments");
    let hrefs = named
        .into_iter()
        .flat_map(|node| children(node, "attachment"))
        .filter_map(|node| attr(node, "href"));
    let mut blocks = Vec::new();
    for href in hrefs.take(MAX_ATTACHED) {
        if let Some(address) = host.link(href, 0) {
            blocks.push(link(href.rsplit('/').next().unwrap_or(href), &address));
        }
    }
    blocks
}

pub fn topic(root: Node<'_, '_>, host: &mut PageHost<'_>) -> BuiltPage {
    host.notes.push(Note::Cartridge(CartridgeNote::Discussion));
    let mut blocks = child(root, "text")
        .map(|node| text_blocks(node, host))
        .unwrap_or_default();
    blocks.extend(attachments(root, host));
    BuiltPage {
        title: text_of(root, "title"),
        ..published_page(blocks)
    }
}

pub fn web_link(root: Node<'_, '_>, title: &str, host: &mut PageHost<'_>) -> BuiltPage {
    host.notes.push(Note::Cartridge(CartridgeNote::WebLink));
    let own = text_of(root, "title");
    let href = child(root, "url").and_then(|url| attr(url, "href").map(str::to_owned).or_else(|| Some(text(url))));
    let href = href.unwrap_or_default();
    let named = own
        .clone()
        .or_else(|| Some(title.to_owned()).filter(|title| !title.is_empty()));
    let block = link(&named.unwrap_or_else(|| href.clone()), &href);
    BuiltPage {
        title: own,
        ..published_page(vec![block])
    }
}

/// The tool's own settings are not imported: they may contain secrets.
pub fn tool(root: Node<'_, '_>, labels: &Labels, host: &mut PageHost<'_>) -> BuiltPage {
    host.notes.push(Note::Cartridge(CartridgeNote::Tool));
    let of = |name| find(root, name).map(text).filter(|text| !text.is_empty());
    let address = of("secure_launch_url").or_else(|| of("launch_url")).unwrap_or_default();
    let mut more = vec![link(&address, &address)];
    if address.is_empty() {
        more.clear();
    }
    let mut blocks = vec![placeholder(labels.tool, more)];
    blocks.extend(of("description").map(|text| text_paragraph(&text)));
    BuiltPage {
        title: of("title"),
        ..published_page(blocks)
    }
}

pub fn assignment(root: Node<'_, '_>, labels: &Labels, host: &mut PageHost<'_>) -> BuiltPage {
    let settings = meta::assignment(root, labels, None);
    if settings.work.is_none() {
        host.notes.push(Note::Cartridge(CartridgeNote::Assignment));
    }
    host.notes
        .extend(settings.dates.notes().into_iter().map(Note::Cartridge));
    let mut blocks: Vec<Value> = list(&settings.lines).into_iter().collect();
    for name in ["text", "instructor_text"] {
        blocks.extend(
            child(root, name)
                .map(|node| text_blocks(node, host))
                .unwrap_or_default(),
        );
    }
    blocks.extend(attachments(root, host));
    BuiltPage {
        title: text_of(root, "title"),
        work: settings.work,
        published: !settings.unpublished,
        has_unread_dates: !settings.dates.unread.is_empty(),
        dates: settings.dates.dates,
        ..published_page(blocks)
    }
}
