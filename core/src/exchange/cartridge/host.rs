//! Where the links and pictures of a package lead.

use std::collections::HashMap;
use std::path::Path;

use serde_json::{Value, json};
use uuid::Uuid;

use super::manifest::path;
use super::note::Note as CartridgeNote;
use crate::content::{self, Href, decoded};
use crate::exchange::course::FileDraft;
use crate::exchange::files::Files;
use crate::exchange::folder::Folder;
use crate::exchange::html::{Host, Media};
use crate::exchange::note::{FileTrouble, Note};

/// What may be linked to in a package.
#[derive(Default)]
pub struct Index {
    /// By the identifiers of resources, items, modules and their other forms.
    pub ids: HashMap<String, Uuid>,
    /// By the paths of files that became pages.
    pub paths: HashMap<String, Uuid>,
    /// Wiki pages by the last part of their address.
    pub slugs: HashMap<String, Uuid>,
    /// Paths of files by the identifiers of their resources.
    pub files: HashMap<String, String>,
}

enum Leads {
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
    /// The folder of the text.
    pub dir: String,
    pub notes: Vec<Note>,
}

impl PageHost<'_> {
    fn leads(&self, href: &str) -> Leads {
        if let Some(Href::Web(_) | Href::Mail(_)) = Href::parse(href) {
            return Leads::Address(href.to_owned());
        }
        let (rest, fragment) = match href.split_once('#') {
            Some((rest, fragment)) => (rest, Some(decoded(fragment)).filter(|text| !text.is_empty())),
            None => (href, None),
        };
        if rest.is_empty() {
            return fragment.map_or(Leads::Unsupported, |anchor| Leads::Address(format!("#{anchor}")));
        }
        let bare = rest.split_once('?').map_or(rest, |(bare, _)| bare);
        let target = decoded(bare);
        let page = |id: Option<&Uuid>| id.map_or(Leads::Nowhere, |id| Leads::Page(*id, fragment.clone()));
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
                return Leads::Address(address);
            }
            for part in rest.split('/').filter(|part| !part.is_empty()) {
                if let Some(file) = self.index.files.get(part) {
                    return self.file(vec![file.clone()], fragment);
                }
                if let Some(id) = known(part) {
                    return page(Some(id));
                }
            }
            return Leads::Nowhere;
        }
        let based = ["$IMS-CC-FILEBASE$", "$IMS_CC_FILEBASE$", "$1EdTech-CC-FILEBASE$"]
            .iter()
            .find_map(|token| target.strip_prefix(token));
        match based {
            Some(rest) => {
                let rest = rest.trim_start_matches('/');
                let places = [&[super::WEB_RESOURCES, rest][..], &[rest], &[self.dir.as_str(), rest]];
                self.file(places.iter().map(|parts| path(parts)).collect(), fragment)
            }
            None if has_scheme(&target) => Leads::Unsupported,
            None => {
                let near = path(&[self.dir.as_str(), target.as_str()]);
                let raw = path(&[self.dir.as_str(), bare]);
                let top = path(&[target.trim_start_matches('/')]);
                self.file(vec![near, raw, top], fragment)
            }
        }
    }

    /// The first of these paths that is a page or a file.
    fn file(&self, places: Vec<String>, fragment: Option<String>) -> Leads {
        for place in &places {
            if let Some(id) = self.index.paths.get(place) {
                return Leads::Page(*id, fragment);
            }
        }
        Leads::Files(places)
    }

    fn take(&mut self, places: &[String]) -> Result<&FileDraft, FileTrouble> {
        let there = places
            .iter()
            .find(|place| self.folder.find(Path::new(place)).is_ok())
            .or(places.first())
            .ok_or(FileTrouble::Missing)?;
        self.files.take(self.folder, Path::new(there))
    }

    /// The address of every `src` and link of a node we wrote; false when one leads nowhere.
    fn settle(&mut self, node: &mut Value) -> bool {
        let before = self.notes.len();
        let mut good = true;
        content::map_addresses(node, |address| {
            let found = match self.leads(address) {
                Leads::Files(places) => self.take(&places).ok().map(FileDraft::address),
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
        let note = match self.leads(href) {
            Leads::Address(address) if Href::parse(&address).is_some() => return Some(address),
            Leads::Page(id, fragment) => {
                let address = fragment.map(|fragment| format!("page:{id}#{fragment}"));
                let good = address.filter(|address| Href::parse(address).is_some());
                return Some(good.unwrap_or_else(|| format!("page:{id}")));
            }
            Leads::Files(places) => match self.take(&places) {
                Ok(file) => return Some(file.address()),
                Err(trouble) => Note::LinkFile {
                    href: href.to_owned(),
                    trouble,
                },
            },
            Leads::Nowhere => Note::Cartridge(CartridgeNote::LinkNowhere(href.to_owned())),
            Leads::Address(_) | Leads::Unsupported => Note::LinkUnsupported(href.to_owned()),
        };
        self.notes.push(note);
        None
    }

    fn shown(&mut self, src: &str, _: usize, kinds: &[&str], otherwise: FileTrouble) -> Option<Media> {
        let taken = match self.leads(src) {
            Leads::Address(address) => {
                self.notes.push(match address.starts_with('#') {
                    true => Note::LinkUnsupported(address),
                    false => Note::ImageRemote(address),
                });
                return None;
            }
            Leads::Files(places) => self
                .take(&places)
                .map(Media::of)
                .and_then(|media| media.if_any(kinds, otherwise)),
            Leads::Page(..) => Err(FileTrouble::NotAnImage),
            Leads::Nowhere | Leads::Unsupported => Err(FileTrouble::Missing),
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

    fn written(&mut self, node: &str, words: &str) -> Option<Value> {
        let mut node: Value = serde_json::from_str(node).ok()?;
        // Somebody may have edited the text around it since: then the text is what is meant.
        if super::html::squeezed(words) != super::html::words(&node) || !self.settle(&mut node) {
            return None;
        }
        let document = json!({ "type": "doc", "content": [node] });
        content::validate(&document).ok()?;
        document.pointer("/content/0").cloned()
    }
}

/// What a tool in a page shows: `external_tools/retrieve?url=https%3A%2F%2F…`.
fn tool_address(path: &str, href: &str) -> Option<String> {
    let query = href.split_once('?')?.1;
    let query = query.split_once('#').map_or(query, |(query, _)| query);
    let mut parameters = url::form_urlencoded::parse(query.as_bytes());
    let (_, address) = parameters.find(|(name, _)| path.contains("external_tools") && name == "url")?;
    matches!(Href::parse(&address), Some(Href::Web(_))).then(|| address.into_owned())
}

fn has_scheme(target: &str) -> bool {
    target.split_once(':').is_some_and(|(scheme, _)| {
        !scheme.is_empty() && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
    })
}
