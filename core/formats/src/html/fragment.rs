//! Converts HTML without surrounding files, such as question texts.

use serde_json::Value;

use super::{Host, HtmlOptions, Media, convert};
use crate::blocks::{doc, set_levels};
use crate::content::Href;
use crate::note::{FileTrouble, Note};

struct FragmentHost {
    notes: Vec<Note>,
}

impl Host for FragmentHost {
    fn link(&mut self, href: &str, _: usize) -> Option<String> {
        match Href::parse(href) {
            Some(Href::Web(_) | Href::Mail(_)) => Some(href.to_owned()),
            _ => {
                self.notes.push(Note::LinkUnsupported(href.to_owned()));
                None
            }
        }
    }

    fn file(&mut self, src: &str, _: usize, _: &[&str], _: FileTrouble) -> Option<Media> {
        self.notes.push(if src.starts_with("http") {
            Note::ImageRemote(src.to_owned())
        } else {
            Note::Image {
                src: src.to_owned(),
                trouble: FileTrouble::Missing,
            }
        });
        None
    }

    fn note(&mut self, note: Note, _: usize) {
        self.notes.push(note);
    }
}

/// Converts HTML to a document. HTML beyond the limits is kept as plain text.
pub fn convert_fragment(html: &str) -> (Value, Vec<Note>) {
    let mut host = FragmentHost { notes: vec![] };
    let options = HtmlOptions {
        tex_math: true,
        details: "…",
        listing: "Listing",
        class_widths: &[],
    };
    let Ok(converted) = convert(html, options, &mut host) else {
        host.notes.push(Note::HtmlAsText);
        return (crate::quiz::paragraph(html), host.notes);
    };
    let mut blocks = converted.blocks;
    blocks.iter_mut().for_each(bound_levels);
    (doc(blocks), host.notes)
}

/// Clamps heading levels to 1 to 4.
pub fn bound_levels(node: &mut Value) {
    set_levels(node, &|level| level.clamp(1, 4));
}
