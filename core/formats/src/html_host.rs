//! Connects the HTML converter to the link rules of a reader, and builds common blocks.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::blocks::doc;
use super::files::Files;
use super::folder::Folder;
use super::html::{self, Converted, Host, HtmlOptions, Media};
use super::links::{self, PendingLinks};
use super::note::{FileTrouble, Note};
use crate::content::decoded;
use kurso_base::messages::Lang;
use kurso_base::text::one_line;

/// The target of an address, before any file is opened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LinkTarget {
    /// An address to keep, possibly normalized.
    Keep(String),
    /// A page by its name, or the current page, and an anchor in it.
    Page {
        to: Option<String>,
        fragment: Option<String>,
    },
    /// The first existing one of these files.
    File(Vec<PathBuf>),
    Outside,
    Unsupported,
}

/// Resolves links and files of one text.
pub struct TextHost<'a> {
    pub folder: &'a Folder,
    pub files: &'a mut Files,
    pub pending: &'a mut PendingLinks,
    pub resolve: &'a dyn Fn(&str) -> LinkTarget,
    /// The location that the report shows, for example `html/intro.html`.
    pub place: &'a str,
    pub notes: Vec<(usize, Note)>,
}

impl TextHost<'_> {
    fn at(&self, line: usize) -> String {
        place(self.place, line)
    }

    /// The file at the first existing path.
    pub fn file(&mut self, paths: &[PathBuf]) -> Result<Media, FileTrouble> {
        take(self.folder, self.files, paths)
    }
}

/// Whether the address contains the file itself.
pub fn is_data(address: &str) -> bool {
    address
        .get(..5)
        .is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:"))
}

/// Shortens an address: a `data:` image would fill the report.
fn clipped(src: &str) -> String {
    match src.char_indices().nth(200) {
        Some((at, _)) => format!("{}…", src.get(..at).unwrap_or_default()),
        None => src.to_owned(),
    }
}

/// Takes the file at the first existing path.
pub fn take(folder: &Folder, files: &mut Files, paths: &[PathBuf]) -> Result<Media, FileTrouble> {
    let mut trouble = FileTrouble::Missing;
    for path in paths {
        match files.take(folder, path) {
            Ok(draft) => return Ok(Media::of(draft)),
            Err(FileTrouble::Missing) => {}
            Err(other) => trouble = other,
        }
    }
    Err(trouble)
}

impl Host for TextHost<'_> {
    fn link(&mut self, href: &str, line: usize) -> Option<String> {
        let shown = clipped(href);
        let note = match (self.resolve)(href) {
            LinkTarget::Keep(address) => return Some(address),
            LinkTarget::Page { to, fragment } => return Some(self.pending.add(to, fragment, &shown, &self.at(line))),
            LinkTarget::File(paths) => match self.file(&paths) {
                Ok(media) => return Some(media.address),
                Err(trouble) => Note::LinkFile { href: shown, trouble },
            },
            LinkTarget::Outside => Note::LinkFile {
                href: shown,
                trouble: FileTrouble::Outside,
            },
            LinkTarget::Unsupported => Note::LinkUnsupported(shown),
        };
        self.notes.push((line, note));
        None
    }

    fn file(&mut self, src: &str, line: usize, kinds: &[&str], mismatch: FileTrouble) -> Option<Media> {
        let refused = |trouble| Note::Image {
            src: clipped(src),
            trouble,
        };
        if is_data(src) {
            let media = self.files.take_data(src).map(Media::of);
            return match media.and_then(|media| media.of_kind(kinds, mismatch)) {
                Ok(media) => Some(media),
                Err(trouble) => {
                    self.notes.push((line, refused(trouble)));
                    None
                }
            };
        }
        let note = match (self.resolve)(src) {
            LinkTarget::File(paths) => match self.file(&paths).and_then(|media| media.of_kind(kinds, mismatch)) {
                Ok(media) => return Some(media),
                Err(trouble) => refused(trouble),
            },
            LinkTarget::Keep(address) => Note::ImageRemote(address),
            LinkTarget::Outside => refused(FileTrouble::Outside),
            LinkTarget::Page { .. } => refused(FileTrouble::NotAFile),
            LinkTarget::Unsupported => refused(FileTrouble::Missing),
        };
        self.notes.push((line, note));
        None
    }

    fn note(&mut self, note: Note, line: usize) {
        self.notes.push((line, note));
    }
}

/// File and line, or the file alone if the line is unknown.
pub fn place(file: &str, line: usize) -> String {
    match line {
        0 | 1 => file.to_owned(),
        line => format!("{file}:{line}"),
    }
}

/// Converts HTML. HTML beyond the limits becomes plain text, with a note.
pub fn convert(html: &str, lang: Lang, host: &mut TextHost<'_>) -> Converted {
    let options = HtmlOptions {
        tex_math: true,
        details: match lang {
            Lang::Ru => "Подробнее",
            Lang::En => "Details",
        },
        listing: listing_word(lang),
        class_widths: &[],
    };
    let (links, notes) = (host.pending.len(), host.notes.len());
    html::convert(html, options, host).unwrap_or_else(|_| {
        host.pending.forget(links);
        host.notes.truncate(notes);
        host.notes.push((0, Note::HtmlAsText));
        Converted {
            blocks: plain(html),
            ..Converted::default()
        }
    })
}

/// The word before the number of a listing.
pub fn listing_word(lang: Lang) -> &'static str {
    match lang {
        Lang::Ru => "Листинг",
        Lang::En => "Listing",
    }
}

/// The text between the tags, one paragraph per line.
fn plain(html: &str) -> Vec<Value> {
    let mut text = String::new();
    for piece in html.split('<') {
        text.push_str(piece.split_once('>').map_or(piece, |(_, after)| after));
    }
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty()).take(20_000);
    lines
        .map(|line| json!({ "type": "paragraph", "content": [{ "type": "text", "text": line }] }))
        .collect()
}

/// A separate document such as a prompt or an explanation, with valid heading levels.
pub fn document(mut blocks: Vec<Value>) -> Value {
    blocks.iter_mut().for_each(html::bound_levels);
    doc(blocks)
}

/// A web address to keep, without credentials.
pub fn web_address(href: &str) -> LinkTarget {
    let Some(address) = links::web_address(href) else {
        return LinkTarget::Unsupported;
    };
    match url::Url::parse(&address) {
        Ok(mut url) if url.password().is_some() || (url.has_host() && !url.username().is_empty()) => {
            let bare = url.set_password(None).and_then(|()| url.set_username(""));
            match bare {
                Ok(()) => LinkTarget::Keep(url.into()),
                Err(()) => LinkTarget::Unsupported,
            }
        }
        _ => LinkTarget::Keep(address),
    }
}

/// An attachment block for a file of the course.
pub fn attachment(files: &Files, media: &Media) -> Option<Value> {
    let draft = files.at(&media.address)?;
    Some(json!({ "type": "attachment", "attrs": {
        "src": media.address,
        "filename": draft.filename,
        "size": draft.size,
        "contentType": draft.content_type,
    } }))
}

/// Resolves an address relative to `folder`; `None` if it leaves the root folder.
pub fn path_of(folder: &Path, address: &str) -> Option<PathBuf> {
    let root = Path::new("/root");
    let address = address.split(['?', '#']).next().unwrap_or_default();
    let decoded = decoded(address);
    let joined = super::folder::normalize_path(&root.join(folder).join(decoded.trim_start_matches('/')));
    joined.strip_prefix(root).ok().map(Path::to_owned)
}

pub fn paragraph(text: &str) -> Value {
    if text.is_empty() {
        json!({ "type": "paragraph" })
    } else {
        json!({ "type": "paragraph", "content": [{ "type": "text", "text": text }] })
    }
}

pub fn bold(text: &str) -> Value {
    json!({ "type": "paragraph", "content": [{ "type": "text", "text": text, "marks": [{ "type": "bold" }] }] })
}

/// A callout about content that was not imported.
pub fn callout(texts: &[&str]) -> Value {
    let paragraphs: Vec<Value> = texts.iter().map(|text| paragraph(text)).collect();
    json!({ "type": "callout", "attrs": { "kind": "note" }, "content": paragraphs })
}

/// Cleans and shortens a title; returns `untitled` if nothing is left.
pub fn title(text: &str, untitled: &str) -> String {
    let clean: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let cut: String = one_line(&clean).chars().take(255).collect();
    match cut.trim() {
        "" => untitled.to_owned(),
        cut => cut.to_owned(),
    }
}
