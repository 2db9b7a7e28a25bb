//! HTML that comes alone, without a folder around it: the text of a question.

use serde_json::{Value, json};

use super::{Host, HtmlOptions, Media, convert};
use crate::content::{self, Href};
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

    fn image(&mut self, src: &str, _: usize) -> Option<Media> {
        self.notes.push(match src.starts_with("http") {
            true => Note::ImageRemote(src.to_owned()),
            false => Note::Image {
                src: src.to_owned(),
                trouble: FileTrouble::Missing,
            },
        });
        None
    }

    fn media(&mut self, src: &str, line: usize) -> Option<Media> {
        self.image(src, line)
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
    if blocks.is_empty() {
        return (content::empty(), host.notes);
    }
    (json!({ "type": "doc", "content": blocks }), host.notes)
}

/// Headings have four levels.
pub fn bound_levels(node: &mut Value) {
    if node.get("type").is_some_and(|kind| kind == "heading")
        && let Some(level) = node.pointer_mut("/attrs/level")
    {
        *level = level.as_u64().unwrap_or(2).clamp(1, 4).into();
    }
    for child in node
        .get_mut("content")
        .and_then(Value::as_array_mut)
        .into_iter()
        .flatten()
    {
        bound_levels(child);
    }
}
