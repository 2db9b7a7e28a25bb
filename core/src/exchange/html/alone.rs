//! HTML that comes alone, without a folder around it: the text of a question.

use serde_json::Value;

use super::{Host, HtmlOptions, Media, convert};
use crate::content::Href;
use crate::exchange::blocks::{doc, set_levels};
use crate::exchange::note::{FileTrouble, Note};

struct Alone {
    notes: Vec<Note>,
}

impl Host for Alone {
    fn link(&mut self, href: &str, _: usize) -> Option<String> {
        match Href::parse(href) {
            Some(Href::Web(_) | Href::Mail(_)) => Some(href.to_owned()),
            _ => {
                self.notes.push(Note::LinkUnsupported(href.to_owned()));
                None
            }
        }
    }

    fn shown(&mut self, src: &str, _: usize, _: &[&str], _: FileTrouble) -> Option<Media> {
        self.notes.push(match src.starts_with("http") {
            true => Note::ImageRemote(src.to_owned()),
            false => Note::Image {
                src: src.to_owned(),
                trouble: FileTrouble::Missing,
            },
        });
        None
    }

    fn note(&mut self, note: Note, _: usize) {
        self.notes.push(note);
    }
}

/// The document a piece of HTML is; what is too much to read stays text.
pub fn alone(html: &str) -> (Value, Vec<Note>) {
    let mut host = Alone { notes: vec![] };
    let options = HtmlOptions {
        tex_math: true,
        details: "…",
    };
    let Ok(converted) = convert(html, options, &mut host) else {
        host.notes.push(Note::HtmlAsText);
        return (crate::quiz::paragraph(html), host.notes);
    };
    let mut blocks = converted.blocks;
    blocks.iter_mut().for_each(bound_levels);
    (doc(blocks), host.notes)
}

/// Headings have four levels.
pub fn bound_levels(node: &mut Value) {
    set_levels(node, &|level| level.clamp(1, 4));
}
