//! Reads DOCX files, which are zipped XML, as HTML.

mod body;
mod lists;
mod math;
mod package;
mod parts;
mod runs;
mod symbols;
mod tables;

use std::collections::HashMap;
use std::path::Path;

use roxmltree::Node;

use self::body::Body;
pub use self::package::Package;
use self::parts::{Numbering, Relations, Styles, attr, relations};
use crate::folder::Folder;
use crate::note::document::Note;
use crate::xml::escaped;
use kurso_base::messages::Lang;

/// Limits the bytes of included HTML parts: a small document could include a part many times.
const MAX_INCLUDED: usize = 16 * 1024 * 1024;

/// A document as HTML.
#[derive(Debug, Default)]
pub struct Document {
    pub html: String,
    /// The text in the title style.
    pub title: Option<String>,
    pub footnotes: usize,
    pub notes: Vec<Note>,
    /// The folder to which image paths are relative.
    pub base: String,
}

/// Parts of the document besides its text.
struct Parts {
    styles: Styles,
    numbering: Numbering,
    relations: Relations,
    /// Included HTML parts by relation id.
    html_parts: HashMap<String, String>,
    lang: Lang,
}

/// The path of a part in the folder of the main part.
fn beside(main: &str, name: &str) -> String {
    match main.rsplit_once('/') {
        Some((base, _)) => format!("{base}/{name}"),
        None => name.to_owned(),
    }
}

/// Whether a part is HTML that another program embedded.
fn is_html(path: &str) -> bool {
    let ending = path.rsplit('.').next().unwrap_or_default();
    ["html", "htm", "xhtml"]
        .iter()
        .any(|known| ending.eq_ignore_ascii_case(known))
}

/// Reads an unpacked document, or returns `None` if it is not one. `stop` is asked once per block of text.
pub fn read(package: &Package, lang: Lang, stop: &mut dyn FnMut() -> bool) -> Option<Document> {
    let mut notes = Vec::new();
    let (folder, main) = (&package.folder, &package.main);
    main_part(folder, &mut notes);
    let base = main.rsplit_once('/').map_or("", |(base, _)| base).to_owned();
    let name = main.rsplit('/').next().unwrap_or(main);
    let beside = |name: &str| beside(main, name);
    let relations = parts::part(folder, &beside(&format!("_rels/{name}.rels")), &mut notes, relations);
    let relations = relations.unwrap_or_default();
    let parts = Parts {
        html_parts: html_parts(folder, &relations, &beside),
        styles: parts::part(folder, &beside("styles.xml"), &mut notes, Styles::read).unwrap_or_default(),
        numbering: parts::part(folder, &beside("numbering.xml"), &mut notes, Numbering::read).unwrap_or_default(),
        relations,
        lang,
    };
    let mut body = Body::new(&parts, stop);
    let read = parts::part(folder, main, &mut notes, |root| body.document(root));
    if read.is_none() && notes.is_empty() {
        return None;
    }
    let mut footnotes = 0;
    for (file, kind) in [("footnotes.xml", "footnote"), ("endnotes.xml", "endnote")] {
        if body.has_notes(kind) {
            // Footnote parts have their own relations.
            let rels = format!("_rels/{file}.rels");
            let own = Parts {
                styles: Styles::default(),
                numbering: Numbering::default(),
                relations: parts::part(folder, &beside(&rels), &mut notes, parts::relations).unwrap_or_default(),
                html_parts: HashMap::new(),
                lang,
            };
            let list = parts::part(folder, &beside(file), &mut notes, |root| {
                body.write_footnotes(root, kind, &own)
            });
            footnotes += list.unwrap_or(0);
        }
    }
    if package.has_headers {
        notes.push(Note::Headers);
    }
    let (html, title, told) = body.finish();
    notes.extend(told);
    Some(Document {
        html,
        title,
        footnotes,
        notes,
        base,
    })
}

/// Reads the HTML parts that converters embed whole.
fn html_parts(folder: &Folder, relations: &Relations, beside: &dyn Fn(&str) -> String) -> HashMap<String, String> {
    let internal = relations.iter().filter(|(_, (_, outside))| !outside);
    let read = internal.filter_map(|(id, (target, _))| {
        let path = match target.strip_prefix('/') {
            Some(path) => path.to_owned(),
            None => beside(target),
        };
        let is_html = is_html(&path);
        if !is_html && !path.to_ascii_lowercase().ends_with(".txt") {
            return None;
        }
        let text = folder.read_text(Path::new(&path)).ok()?;
        let html = if is_html {
            text
        } else {
            text.lines().map(|line| format!("<p>{}</p>", escaped(line))).collect()
        };
        Some((id.clone(), html))
    });
    // All parts are in memory at the same time.
    let mut room = MAX_INCLUDED;
    let fits = |(_, html): &(String, String)| {
        let fits = html.len() <= room;
        room = room.saturating_sub(html.len());
        fits
    };
    read.take_while(fits).collect()
}

/// The path of the main part: `word/document.xml` unless the package names another.
fn main_part(folder: &Folder, notes: &mut Vec<Note>) -> String {
    let named = parts::part(folder, "_rels/.rels", notes, |root: Node<'_, '_>| {
        let mut all = root.children();
        let main =
            all.find(|relation| attr(*relation, "Type").is_some_and(|kind| kind.ends_with("/officeDocument")))?;
        attr(main, "Target").map(|target| target.trim_start_matches('/').to_owned())
    });
    named.flatten().unwrap_or_else(|| "word/document.xml".to_owned())
}
