//! HTML on its way into pages, for readers whose courses are of HTML: links and files by a rule of the reader's own.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::blocks::doc;
use super::files::Files;
use super::folder::Folder;
use super::html::{self, Converted, Host, HtmlOptions, Media};
use super::note::{FileTrouble, Note};
use super::pending::Pending;
use crate::content::{Lang, decoded};

/// Where an address leads, before anybody looked whether it is there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Leads {
    /// An address that can stay, perhaps spelled better.
    Keep(String),
    /// A page by what it is known by, and the place in it; None: the page the link is on.
    Page {
        to: Option<String>,
        fragment: Option<String>,
    },
    /// A file of the folder: the first of these that is there.
    File(Vec<PathBuf>),
    Outside,
    Unsupported,
}

/// What one text asks of the course around it.
pub struct TextHost<'a> {
    pub folder: &'a Folder,
    pub files: &'a mut Files,
    pub pending: &'a mut Pending,
    pub leads: &'a dyn Fn(&str) -> Leads,
    /// Where the report looks for it: `html/intro.html`.
    pub place: &'a str,
    pub notes: Vec<(usize, Note)>,
}

impl TextHost<'_> {
    fn at(&self, line: usize) -> String {
        place(self.place, line)
    }

    /// A file of the course at the first of these paths that is there.
    pub fn file(&mut self, paths: &[PathBuf]) -> Result<Media, FileTrouble> {
        take(self.folder, self.files, paths)
    }
}

/// A picture written into the page itself (`data:`) would fill the report.
fn clipped(src: &str) -> String {
    match src.char_indices().nth(200) {
        Some((at, _)) => format!("{}…", src.get(..at).unwrap_or_default()),
        None => src.to_owned(),
    }
}

/// A file of the course at the first of these paths that is there.
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
        let note = match (self.leads)(href) {
            Leads::Keep(address) => return Some(address),
            Leads::Page { to, fragment } => return Some(self.pending.add(to, fragment, &shown, &self.at(line))),
            Leads::File(paths) => match self.file(&paths) {
                Ok(media) => return Some(media.address),
                Err(trouble) => Note::LinkFile { href: shown, trouble },
            },
            Leads::Outside => Note::LinkFile {
                href: shown,
                trouble: FileTrouble::Outside,
            },
            Leads::Unsupported => Note::LinkUnsupported(shown),
        };
        self.notes.push((line, note));
        None
    }

    fn shown(&mut self, src: &str, line: usize, kinds: &[&str], otherwise: FileTrouble) -> Option<Media> {
        let refused = |trouble| Note::Image {
            src: clipped(src),
            trouble,
        };
        let note = match (self.leads)(src) {
            Leads::File(paths) => match self.file(&paths).and_then(|media| media.if_any(kinds, otherwise)) {
                Ok(media) => return Some(media),
                Err(trouble) => refused(trouble),
            },
            Leads::Keep(address) => Note::ImageRemote(address),
            Leads::Outside => refused(FileTrouble::Outside),
            Leads::Page { .. } => refused(FileTrouble::NotAFile),
            Leads::Unsupported => refused(FileTrouble::Missing),
        };
        self.notes.push((line, note));
        None
    }

    fn note(&mut self, note: Note, line: usize) {
        self.notes.push((line, note));
    }
}

/// File and line; the file alone for a line nobody knows.
pub fn place(file: &str, line: usize) -> String {
    match line {
        0 | 1 => file.to_owned(),
        line => format!("{file}:{line}"),
    }
}

/// Reads HTML. What is nested too deep or has too many elements becomes its bare text, in one line of the report.
pub fn convert(html: &str, lang: Lang, host: &mut TextHost<'_>) -> Converted {
    let options = HtmlOptions {
        tex_math: true,
        details: match lang {
            Lang::Ru => "Подробнее",
            Lang::En => "Details",
        },
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

/// The text between the tags, a paragraph for each line.
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

/// The blocks as a document of their own, a prompt or an explanation: its headings keep to the four levels there are.
pub fn document(mut blocks: Vec<Value>) -> Value {
    blocks.iter_mut().for_each(html::bound_levels);
    doc(blocks)
}

/// An address of the web that can stay: without the name and the password of whoever wrote it there.
pub fn kept(href: &str) -> Leads {
    use super::mdbook::links::{Target, kept};
    let Target::Keep(address) = kept(href) else {
        return Leads::Unsupported;
    };
    match url::Url::parse(&address) {
        Ok(mut url) if url.password().is_some() || (url.has_host() && !url.username().is_empty()) => {
            let bare = url.set_password(None).and_then(|()| url.set_username(""));
            match bare {
                Ok(()) => Leads::Keep(url.into()),
                Err(()) => Leads::Unsupported,
            }
        }
        _ => Leads::Keep(address),
    }
}

/// A file to take away: what the page says of it is what it is.
pub fn attachment(files: &Files, media: &Media) -> Option<Value> {
    let draft = files.drafts.iter().find(|draft| draft.address() == media.address)?;
    Some(json!({ "type": "attachment", "attrs": {
        "src": media.address,
        "filename": draft.filename,
        "size": draft.size,
        "contentType": draft.content_type,
    } }))
}

/// A path in the folder from an address on a page that lies in `folder`; none when it leads out.
pub fn path_of(folder: &Path, address: &str) -> Option<PathBuf> {
    let root = Path::new("/root");
    let address = address.split(['?', '#']).next().unwrap_or_default();
    let decoded = decoded(address);
    let joined = super::folder::flattened(&root.join(folder).join(decoded.trim_start_matches('/')));
    joined.strip_prefix(root).ok().map(Path::to_owned)
}

pub fn paragraph(text: &str) -> Value {
    match text.is_empty() {
        true => json!({ "type": "paragraph" }),
        false => json!({ "type": "paragraph", "content": [{ "type": "text", "text": text }] }),
    }
}

pub fn bold(text: &str) -> Value {
    json!({ "type": "paragraph", "content": [{ "type": "text", "text": text, "marks": [{ "type": "bold" }] }] })
}

/// What tells the reader of a page that something did not come over.
pub fn callout(texts: &[&str]) -> Value {
    let paragraphs: Vec<Value> = texts.iter().map(|text| paragraph(text)).collect();
    json!({ "type": "callout", "attrs": { "kind": "note" }, "content": paragraphs })
}

/// A title as one may be; `nameless` where nothing is left of it.
pub fn title(text: &str, nameless: &str) -> String {
    let clean: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let clean = clean.split_whitespace().collect::<Vec<_>>().join(" ");
    let cut: String = clean.chars().take(255).collect();
    match cut.trim() {
        "" => nameless.to_owned(),
        cut => cut.to_owned(),
    }
}

/// The title of one of several pages of that name.
pub fn numbered(title: &str, part: usize) -> String {
    let number = format!(" ({part})");
    let kept: String = title
        .chars()
        .take(255_usize.saturating_sub(number.chars().count()))
        .collect();
    kept + &number
}

/// Russian, when the words have Russian letters.
pub fn lang_of(text: &str) -> Lang {
    match text.chars().any(|c| matches!(c, 'а'..='я' | 'А'..='Я' | 'ё' | 'Ё')) {
        true => Lang::Ru,
        false => Lang::En,
    }
}
