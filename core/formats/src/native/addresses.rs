//! Resolves links and media between the files of a folder.

use std::collections::HashMap;
use std::path::Path;

use serde_json::{Value, json};
use uuid::Uuid;

use super::write::known_attrs;
use crate::content::{FileAddress, Href, decoded, has_scheme};
use crate::course::FileDraft;
use crate::files::Files;
use crate::folder::{Folder, normalize_path};
use crate::links::{LinkEdit, rewrite_links};
use crate::note::{FileTrouble, Note};

pub struct Addresses<'a> {
    folder: &'a Folder,
    /// Pages by path and by key.
    pages: HashMap<String, Uuid>,
    /// Pages by path without the leading numbers, so that links survive reordering; `None` if ambiguous.
    without_numbers: HashMap<String, Option<Uuid>>,
}

impl<'a> Addresses<'a> {
    pub fn of<'p>(folder: &'a Folder, all: impl Iterator<Item = (&'p str, Uuid, Option<&'p str>)>) -> Self {
        let mut addresses = Addresses {
            folder,
            pages: HashMap::new(),
            without_numbers: HashMap::new(),
        };
        for (path, id, key) in all {
            addresses.pages.insert(path.to_owned(), id);
            if let Some(key) = key {
                addresses.pages.insert(format!("page:{key}"), id);
            }
            addresses
                .without_numbers
                .entry(without_numbers(path))
                .and_modify(|known| *known = None)
                .or_insert(Some(id));
        }
        addresses
    }

    /// Replaces all addresses in the document of the page at `path` by those of the draft.
    pub fn resolve(&self, document: &mut Value, path: &str, files: &mut Files, notes: &mut Vec<Note>) {
        rewrite_links(document, &mut |href| match self.resolve_href(href, path, files) {
            Ok(address) => LinkEdit::To(address),
            Err(note) => {
                notes.push(note);
                LinkEdit::Remove
            }
        });
        self.node(document, path, files, notes);
    }

    fn node(&self, node: &mut Value, path: &str, files: &mut Files, notes: &mut Vec<Note>) {
        if node.pointer("/attrs/src").is_some_and(Value::is_string) {
            self.file(node, path, files, notes);
        }
        for child in node
            .get_mut("content")
            .and_then(Value::as_array_mut)
            .into_iter()
            .flatten()
        {
            self.node(child, path, files, notes);
        }
    }

    fn resolve_href(&self, href: &str, path: &str, files: &mut Files) -> Result<String, Note> {
        let page = |id: Uuid, anchor: Option<&str>| match anchor.filter(|anchor| !anchor.is_empty()) {
            Some(anchor) => format!("page:{id}#{anchor}"),
            None => format!("page:{id}"),
        };
        let (target, anchor) = match href.split_once('#') {
            Some((target, anchor)) => (target, Some(anchor)),
            None => (href, None),
        };
        if let Some(id) = self.pages.get(target).filter(|_| target.starts_with("page:")) {
            return checked(page(*id, anchor), href);
        }
        match Href::parse(href) {
            Some(Href::File(_)) => {
                return Err(Note::LinkFile {
                    href: href.to_owned(),
                    trouble: FileTrouble::Outside,
                });
            }
            Some(_) => return Ok(href.to_owned()),
            None => {}
        }
        if href.starts_with(['#', '/']) || has_scheme(target) || target.is_empty() {
            return Err(Note::LinkUnsupported(href.to_owned()));
        }
        for target in [target.to_owned(), decoded(target)] {
            let at = resolve_path(path, &target);
            let known = self.pages.get(&at).copied();
            let known = known.or_else(|| self.without_numbers.get(&without_numbers(&at)).copied().flatten());
            if let Some(id) = known {
                return checked(page(id, anchor), href);
            }
        }
        self.take(target, path, files)
            .map(FileDraft::address)
            .map_err(|trouble| Note::LinkFile {
                href: href.to_owned(),
                trouble,
            })
    }

    fn take<'f>(&self, target: &str, path: &str, files: &'f mut Files) -> Result<&'f FileDraft, FileTrouble> {
        let at = resolve_path(path, target);
        let there = self.folder.find(Path::new(&at)).is_ok();
        let at = if there {
            at
        } else {
            resolve_path(path, &decoded(target))
        };
        files.take(self.folder, Path::new(&at))
    }

    /// Resolves an image, media file or attachment.
    fn file(&self, node: &mut Value, path: &str, files: &mut Files, notes: &mut Vec<Note>) {
        let kind = node.get("type").and_then(Value::as_str).unwrap_or_default().to_owned();
        let src = node
            .pointer("/attrs/src")
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned();
        let taken = match () {
            () if src.starts_with("http:") || src.starts_with("https:") => Err(Note::ImageRemote(src.clone())),
            () if FileAddress::parse(&src).is_some() || src.starts_with('/') || has_scheme(&src) => Err(Note::Image {
                src: src.clone(),
                trouble: FileTrouble::Outside,
            }),
            () => match self.take(&src, path, files) {
                Ok(file) => match fits(&kind, file.content_type) {
                    Ok(()) => Ok(file),
                    Err(trouble) => Err(Note::Image {
                        src: src.clone(),
                        trouble,
                    }),
                },
                Err(trouble) => Err(Note::Image {
                    src: src.clone(),
                    trouble,
                }),
            },
        };
        match taken {
            Ok(file) => {
                if let Some(attrs) = node.get_mut("attrs").and_then(Value::as_object_mut) {
                    attrs.insert("src".into(), file.address().into());
                    for (name, known) in known_attrs(&kind, file) {
                        if attrs.get(name).is_some_and(|said| *said == 0 && name != "size") {
                            attrs.remove(name);
                        } else if !known.is_null() {
                            attrs.entry(name).or_insert(known);
                        }
                    }
                }
            }
            Err(note) => {
                notes.push(note);
                *node = missing_file_paragraph(node, &src);
            }
        }
    }
}

/// A paragraph in place of a missing file.
fn missing_file_paragraph(node: &Value, src: &str) -> Value {
    let said = |name: &str| {
        node.pointer(&format!("/attrs/{name}"))
            .and_then(Value::as_str)
            .filter(|text| !text.is_empty())
    };
    let words = said("caption")
        .or_else(|| said("alt"))
        .or_else(|| said("filename"))
        .unwrap_or(src);
    let mut text = json!({ "type": "text", "text": words });
    let web = matches!(Href::parse(src), Some(Href::Web(_)));
    if web && let Some(fields) = text.as_object_mut() {
        fields.insert("marks".into(), json!([{ "type": "link", "attrs": { "href": src } }]));
    }
    if words.is_empty() {
        json!({ "type": "paragraph" })
    } else {
        json!({ "type": "paragraph", "content": [text] })
    }
}

fn fits(kind: &str, content_type: &str) -> Result<(), FileTrouble> {
    let begins = |with: &str| content_type.starts_with(with);
    match kind {
        "image" if !begins("image/") => Err(FileTrouble::NotAnImage),
        // The first bytes of a file do not always distinguish audio from video.
        "video" | "audio" if !begins("video/") && !begins("audio/") => Err(FileTrouble::NotMedia),
        _ => Ok(()),
    }
}

fn checked(address: String, href: &str) -> Result<String, Note> {
    match Href::parse(&address) {
        Some(_) => Ok(address),
        None => Err(Note::LinkUnsupported(href.to_owned())),
    }
}

/// Resolves a path relative to a page.
fn resolve_path(page: &str, target: &str) -> String {
    let folder = Path::new(page).parent().unwrap_or(Path::new(""));
    let path = normalize_path(&folder.join(target));
    let parts: Vec<_> = path
        .components()
        .map(|part| part.as_os_str().to_string_lossy())
        .collect();
    parts.join("/")
}

fn without_numbers(path: &str) -> String {
    let bare = |part: &str| part.trim_start_matches(|c: char| c.is_ascii_digit()).to_owned();
    path.split('/').map(bare).collect::<Vec<_>>().join("/")
}
