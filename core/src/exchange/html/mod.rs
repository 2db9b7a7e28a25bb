//! HTML into the blocks of a document. What a page has no node for keeps its words, and the host is told.

mod alone;
mod blocks;
mod elements;
mod embed;
mod flow;
mod lists;
mod math;
mod mathml;
mod media;
mod parse;
mod tables;

use serde_json::{Value, json};

use super::course::FileDraft;
use super::note::{FileTrouble, Note};

pub use alone::{alone, bound_levels};
pub use elements::is_html;

/// A comment that begins with it tells the line of the source that follows.
pub const HIDDEN_MARK: char = '@';
/// Where links of footnotes lead.
pub const FOOTNOTES_ID: &str = "kurso-footnotes";

/// What the converter asks of the program that reads a book.
pub trait Host {
    /// The address a link gets; none when only its words can stay.
    fn link(&mut self, href: &str, line: usize) -> Option<String>;
    /// A file the page shows. Its content type begins with one of `kinds`; of any other the trouble is `otherwise`.
    fn shown(&mut self, src: &str, line: usize, kinds: &[&str], otherwise: FileTrouble) -> Option<Media>;
    fn image(&mut self, src: &str, line: usize) -> Option<Media> {
        self.shown(src, line, &["image/"], FileTrouble::NotAnImage)
    }
    /// A file to play.
    fn media(&mut self, src: &str, line: usize) -> Option<Media> {
        self.shown(src, line, &["audio/", "video/"], FileTrouble::NotMedia)
    }
    fn note(&mut self, note: Note, line: usize);
    /// A block that stands whole in the attribute `data-kurso` of an element with these words, if it may be taken.
    fn written(&mut self, _node: &str, _words: &str) -> Option<Value> {
        None
    }
}

/// A file of the course being made.
#[derive(Clone, Debug)]
pub struct Media {
    pub address: String,
    pub content_type: &'static str,
    pub width: Option<u32>,
    pub height: Option<u32>,
}

impl Media {
    pub fn of(file: &FileDraft) -> Self {
        Self {
            address: file.address(),
            content_type: file.content_type,
            width: file.width,
            height: file.height,
        }
    }

    /// This, if its content type begins with one of `kinds`.
    pub fn if_any(self, kinds: &[&str], otherwise: FileTrouble) -> Result<Self, FileTrouble> {
        match kinds.iter().any(|kind| self.content_type.starts_with(kind)) {
            true => Ok(self),
            false => Err(otherwise),
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub struct HtmlOptions {
    /// `\(x\)`, `\[x\]` and `$$x$$` are mathematics.
    pub tex_math: bool,
    /// The summary of a `<details>` that has none.
    pub details: &'static str,
}

/// A heading as the source had it. Its node holds the level 1 to 6, or 0 for that of the footnotes, until the page is finished.
#[derive(Debug)]
pub struct Heading {
    pub text: String,
    pub ids: Vec<String>,
}

#[derive(Debug, Default)]
pub struct Converted {
    pub blocks: Vec<Value>,
    /// In the order of the document.
    pub headings: Vec<Heading>,
    /// Places a link may lead to that are no headings, each with the heading it comes after.
    pub places: Vec<(String, Option<usize>)>,
    pub comments: usize,
    /// Elements, texts and comments that were read.
    pub nodes: usize,
}

impl Converted {
    /// Puts another text after this one.
    pub fn append(&mut self, other: Converted) {
        let before = self.headings.len();
        self.blocks.extend(other.blocks);
        self.headings.extend(other.headings);
        let moved = |after: Option<usize>| after.map_or_else(|| before.checked_sub(1), |after| Some(after + before));
        let places = other.places.into_iter().map(|(id, after)| (id, moved(after)));
        self.places.extend(places);
        self.comments += other.comments;
        self.nodes += other.nodes;
    }
}

/// The HTML is nested deeper, or has more elements, than the converter is willing to follow.
#[derive(Debug, PartialEq, Eq)]
pub struct TooMuch;

/// Reads HTML whose lines are told by comments with [`HIDDEN_MARK`].
pub fn convert(html: &str, options: HtmlOptions, host: &mut dyn Host) -> Result<Converted, TooMuch> {
    let tree = parse::parse(html)?;
    let converted = blocks::Converter::new(options, host).convert(&tree);
    Ok(Converted {
        nodes: tree.tree.values().len(),
        ..converted
    })
}

fn node(kind: &str) -> Value {
    json!({ "type": kind })
}

fn node_with(kind: &str, content: Vec<Value>) -> Value {
    if content.is_empty() {
        node(kind)
    } else {
        json!({ "type": kind, "content": content })
    }
}
