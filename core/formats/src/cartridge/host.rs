//! Resolves links and media of the HTML in a package.

use std::collections::HashMap;
use std::path::Path;

use kurso_base::wire;
use serde_json::{Value, json};
use uuid::Uuid;

use super::manifest::path;
use crate::content::{self, Href, decoded, has_scheme};
use crate::course::FileDraft;
use crate::files::Files;
use crate::folder::Folder;
use crate::html::{Host, Media};
use crate::html_host::is_data;
use crate::note::cartridge::Note as CartridgeNote;
use crate::note::{FileTrouble, Note};

/// Link targets of a package.
#[derive(Default)]
pub struct Index {
    /// Pages by the identifiers of resources, items, modules and variants.
    pub ids: HashMap<String, Uuid>,
    /// Pages by the paths of the files they were built from.
    pub paths: HashMap<String, Uuid>,
    /// Wiki pages by the last segment of their address.
    pub slugs: HashMap<String, Uuid>,
    /// File paths by resource identifier.
    pub files: HashMap<String, String>,
}

enum LinkTarget {
    Address(String),
    Page(Uuid, Option<String>),
    Files(Vec<String>),
    Nowhere,
    Unsupported,
}

pub struct PageHost<'a> {
    pub folder: &'a Folder,
    pub index: &'a Index,
    pub files: &'a mut Files,
    /// The folder of the text, against which relative addresses are resolved.
    pub dir: String,
    pub notes: Vec<Note>,
}

impl PageHost<'_> {
    fn resolve(&self, href: &str) -> LinkTarget {
        if let Some(Href::Web(_) | Href::Mail(_)) = Href::parse(href) {
            return LinkTarget::Address(href.to_owned());
        }
        let (rest, fragment) = match href.split_once('#') {
            Some((rest, fragment)) => (rest, Some(decoded(fragment)).filter(|text| !text.is_empty())),
            None => (href, None),
        };
        if rest.is_empty() {
            return fragment.map_or(LinkTarget::Unsupported, |anchor| {
                LinkTarget::Address(format!("#{anchor}"))
            });
        }
        let bare = rest.split_once('?').map_or(rest, |(bare, _)| bare);
        let target = decoded(bare);
        let page = |id: Option<&Uuid>| id.map_or(LinkTarget::Nowhere, |id| LinkTarget::Page(*id, fragment.clone()));
        let known = |id: &str| self.index.ids.get(id).or_else(|| self.index.slugs.get(id));
        if let Some(rest) = target.strip_prefix("$WIKI_REFERENCE$") {
            let slug = rest.rsplit('/').next().unwrap_or_default();
            return page(self.index.slugs.get(slug).or_else(|| self.index.ids.get(slug)));
        }
        let object = ["$CANVAS_OBJECT_REFERENCE$", "$CANVAS_COURSE_REFERENCE$"]
            .iter()
            .find_map(|token| target.strip_prefix(token));
        if let Some(rest) = object {
            if let Some(address) = tool_address(rest, href) {
                return LinkTarget::Address(address);
            }
            for part in rest.split('/').filter(|part| !part.is_empty()) {
                if let Some(file) = self.index.files.get(part) {
                    return self.page_or_files(vec![file.clone()], fragment);
                }
                if let Some(id) = known(part) {
                    return page(Some(id));
                }
            }
            return LinkTarget::Nowhere;
        }
        let based = ["$IMS-CC-FILEBASE$", "$IMS_CC_FILEBASE$", "$1EdTech-CC-FILEBASE$"]
            .iter()
            .find_map(|token| target.strip_prefix(token));
        match based {
            Some(rest) => {
                let rest = rest.trim_start_matches('/');
                let places = [&[super::WEB_RESOURCES, rest][..], &[rest], &[self.dir.as_str(), rest]];
                self.page_or_files(places.iter().map(|parts| path(parts)).collect(), fragment)
            }
            None if has_scheme(&target) => LinkTarget::Unsupported,
            None => {
                let near = path(&[self.dir.as_str(), target.as_str()]);
                let raw = path(&[self.dir.as_str(), bare]);
                let top = path(&[target.trim_start_matches('/')]);
                self.page_or_files(vec![near, raw, top], fragment)
            }
        }
    }

    /// The page built from one of these paths, or the paths as candidates for a file.
    fn page_or_files(&self, paths: Vec<String>, fragment: Option<String>) -> LinkTarget {
        for path in &paths {
            if let Some(id) = self.index.paths.get(path) {
                return LinkTarget::Page(*id, fragment);
            }
        }
        LinkTarget::Files(paths)
    }

    fn take(&mut self, places: &[String]) -> Result<&FileDraft, FileTrouble> {
        let there = places
            .iter()
            .find(|place| self.folder.find(Path::new(place)).is_ok())
            .or(places.first())
            .ok_or(FileTrouble::Missing)?;
        self.files.take(self.folder, Path::new(there))
    }

    /// Rewrites every address in a node that Kurso wrote. Returns false if one cannot be resolved.
    fn rewrite_addresses(&mut self, node: &mut Value) -> bool {
        let before = self.notes.len();
        let mut good = true;
        content::map_addresses(node, |address| {
            let found = match self.resolve(address) {
                LinkTarget::Files(places) => self.take(&places).ok().map(FileDraft::address),
                _ => self.link(address, 0),
            };
            good &= found.is_some();
            found
        });
        self.notes.truncate(before);
        good
    }
}

impl Host for PageHost<'_> {
    fn link(&mut self, href: &str, _: usize) -> Option<String> {
        let spaced = href.replace(' ', "%20");
        let href = if Href::parse(&spaced).is_some() { &spaced } else { href };
        let note = match self.resolve(href) {
            LinkTarget::Address(address) if Href::parse(&address).is_some() => return Some(address),
            LinkTarget::Page(id, fragment) => {
                let address = fragment.map(|fragment| format!("page:{id}#{fragment}"));
                let good = address.filter(|address| Href::parse(address).is_some());
                return Some(good.unwrap_or_else(|| format!("page:{id}")));
            }
            LinkTarget::Files(places) => match self.take(&places) {
                Ok(file) => return Some(file.address()),
                Err(trouble) => Note::LinkFile {
                    href: href.to_owned(),
                    trouble,
                },
            },
            LinkTarget::Nowhere => Note::Cartridge(CartridgeNote::LinkNowhere(href.to_owned())),
            LinkTarget::Address(_) | LinkTarget::Unsupported => Note::LinkUnsupported(href.to_owned()),
        };
        self.notes.push(note);
        None
    }

    fn file(&mut self, src: &str, _: usize, kinds: &[&str], mismatch: FileTrouble) -> Option<Media> {
        let taken = match self.resolve(src) {
            _ if is_data(src) => self
                .files
                .take_data(src)
                .map(Media::of)
                .and_then(|media| media.of_kind(kinds, mismatch)),
            LinkTarget::Address(address) => {
                self.notes.push(if address.starts_with('#') {
                    Note::LinkUnsupported(address)
                } else {
                    Note::ImageRemote(address)
                });
                return None;
            }
            LinkTarget::Files(places) => self
                .take(&places)
                .map(Media::of)
                .and_then(|media| media.of_kind(kinds, mismatch)),
            LinkTarget::Page(..) => Err(FileTrouble::NotAnImage),
            LinkTarget::Nowhere | LinkTarget::Unsupported => Err(FileTrouble::Missing),
        };
        match taken {
            Ok(media) => Some(media),
            Err(trouble) => {
                let src = src.chars().take(200).collect();
                self.notes.push(Note::Image { src, trouble });
                None
            }
        }
    }

    fn note(&mut self, note: Note, _: usize) {
        self.notes.push(note);
    }

    fn stored_node(&mut self, node: &str, words: &str) -> Option<Value> {
        let mut node: Value = wire::read_json(node).ok()?;
        // If the text around the node was edited since the export, the text wins.
        if super::html::without_whitespace(words) != super::html::visible_text(&node)
            || !self.rewrite_addresses(&mut node)
        {
            return None;
        }
        let document = json!({ "type": "doc", "content": [node] });
        content::validate(&document).ok()?;
        document.pointer("/content/0").cloned()
    }
}

/// The address an LTI link opens: `external_tools/retrieve?url=https%3A%2F%2F…`.
fn tool_address(path: &str, href: &str) -> Option<String> {
    let query = href.split_once('?')?.1;
    let query = query.split_once('#').map_or(query, |(query, _)| query);
    let mut parameters = url::form_urlencoded::parse(query.as_bytes());
    let (_, address) = parameters.find(|(name, _)| path.contains("external_tools") && name == "url")?;
    matches!(Href::parse(&address), Some(Href::Web(_))).then(|| address.into_owned())
}
