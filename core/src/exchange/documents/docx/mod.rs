//! Documents of Word (DOCX): a zip of XML, read as HTML that a page is then made of.

mod body;
mod lists;
mod math;
mod parts;
mod runs;
mod tables;

use std::path::Path;

use roxmltree::Node;

use self::body::Body;
use self::parts::{Numbering, Relations, Styles, attr, relations};
use super::note::Note;
use crate::content::Lang;
use crate::exchange::folder::Folder;

/// A document as HTML.
#[derive(Debug, Default)]
pub struct Document {
    pub html: String,
    /// What its style of titles says.
    pub title: Option<String>,
    pub footnotes: usize,
    pub notes: Vec<Note>,
    /// The folder its pictures are looked for in, from the folder of the document on.
    pub base: String,
}

/// What is read beside the text.
struct Parts {
    styles: Styles,
    numbering: Numbering,
    relations: Relations,
    lang: Lang,
}

/// Reads the document that is laid out in `folder`; None when it is none.
pub fn read(folder: &Folder, lang: Lang) -> Option<Document> {
    let mut notes = Vec::new();
    let main = main_part(folder, &mut notes);
    let base = main.rsplit_once('/').map_or("", |(base, _)| base).to_owned();
    let name = main.rsplit('/').next().unwrap_or(&main);
    let beside = |name: &str| match base.is_empty() {
        true => name.to_owned(),
        false => format!("{base}/{name}"),
    };
    let parts = Parts {
        styles: parts::part(folder, &beside("styles.xml"), &mut notes, Styles::read).unwrap_or_default(),
        numbering: parts::part(folder, &beside("numbering.xml"), &mut notes, Numbering::read).unwrap_or_default(),
        relations: parts::part(folder, &beside(&format!("_rels/{name}.rels")), &mut notes, relations)
            .unwrap_or_default(),
        lang,
    };
    let mut body = Body::new(&parts);
    let read = parts::part(folder, &main, &mut notes, |root| body.document(root));
    if read.is_none() && notes.is_empty() {
        return None;
    }
    let mut footnotes = 0;
    for (file, kind) in [("footnotes.xml", "footnote"), ("endnotes.xml", "endnote")] {
        if body.has_notes(kind) {
            // Links in notes have names of their own.
            let rels = format!("_rels/{file}.rels");
            let own = Parts {
                styles: Styles::default(),
                numbering: Numbering::default(),
                relations: parts::part(folder, &beside(&rels), &mut notes, relations).unwrap_or_default(),
                lang,
            };
            let list = parts::part(folder, &beside(file), &mut notes, |root| {
                body.notes_of(root, kind, &own)
            });
            footnotes += list.unwrap_or(0);
        }
    }
    let headers = folder.list(Path::new(&base)).unwrap_or_default();
    if headers
        .iter()
        .any(|(name, _)| name.starts_with("header") || name.starts_with("footer"))
    {
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

/// The part the document begins with: `word/document.xml`, unless the package says another.
fn main_part(folder: &Folder, notes: &mut Vec<Note>) -> String {
    let named = parts::part(folder, "_rels/.rels", notes, |root: Node<'_, '_>| {
        let mut all = root.children();
        let main =
            all.find(|relation| attr(*relation, "Type").is_some_and(|kind| kind.ends_with("/officeDocument")))?;
        attr(main, "Target").map(|target| target.trim_start_matches('/').to_owned())
    });
    named.flatten().unwrap_or_else(|| "word/document.xml".to_owned())
}
