//! Converts HTML to the blocks of a document. Content without a node is kept as text and reported to the host.

mod blocks;
mod elements;
mod embed;
mod flow;
mod fragment;
mod listing;
mod lists;
mod math;
mod mathml;
mod media;
mod parse;
mod tables;
mod words;

use serde_json::{Value, json};

use super::course::FileDraft;
use super::note::{FileTrouble, Note};

pub use elements::is_html;
pub use fragment::{bound_levels, convert_fragment};

/// Prefix of comments that give the source line of what follows.
pub const LINE_MARK: char = '@';
/// Id of the footnotes heading.
pub const FOOTNOTES_ID: &str = "kurso-footnotes";

/// Resolves links and files for the converter and collects its notes.
pub trait Host {
    /// The address of a link; `None` keeps only its text.
    fn link(&mut self, href: &str, line: usize) -> Option<String>;
    /// A file to show. If its content type starts with none of `kinds`, the host notes `mismatch`.
    fn file(&mut self, src: &str, line: usize, kinds: &[&str], mismatch: FileTrouble) -> Option<Media>;
    fn image(&mut self, src: &str, line: usize) -> Option<Media> {
        self.file(src, line, &["image/"], FileTrouble::NotAnImage)
    }
    /// An audio or video file.
    fn media(&mut self, src: &str, line: usize) -> Option<Media> {
        self.file(src, line, &["audio/", "video/"], FileTrouble::NotMedia)
    }
    fn note(&mut self, note: Note, line: usize);
    /// A block stored in the `data-kurso` attribute, if it still matches the text of the element.
    fn stored_node(&mut self, _node: &str, _words: &str) -> Option<Value> {
        None
    }
}

/// A file of the course under construction.
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

    /// Checks the content type against the prefixes `kinds`.
    pub fn of_kind(self, kinds: &[&str], mismatch: FileTrouble) -> Result<Self, FileTrouble> {
        if kinds.iter().any(|kind| self.content_type.starts_with(kind)) {
            Ok(self)
        } else {
            Err(mismatch)
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub struct HtmlOptions {
    /// `\(x\)`, `\[x\]` and `$$x$$` are formulas.
    pub tex_math: bool,
    /// The summary for `<details>` without one.
    pub details: &'static str,
    /// The word before the number of a listing.
    pub listing: &'static str,
    /// Widths in pixels of images with these classes.
    pub class_widths: &'static [(&'static str, u32)],
}

/// A heading in the source. Its node has level 1 to 6, or 0 for the footnotes heading, until the page is finished.
#[derive(Debug)]
pub struct Heading {
    pub text: String,
    pub ids: Vec<String>,
}

#[derive(Debug, Default)]
pub struct Converted {
    pub blocks: Vec<Value>,
    /// In document order.
    pub headings: Vec<Heading>,
    /// Ids that are not on headings, each with the index of the preceding heading.
    pub places: Vec<(String, Option<usize>)>,
    pub comments: usize,
    /// Number of elements, texts and comments.
    pub nodes: usize,
}

impl Converted {
    /// Appends another text.
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

/// The HTML exceeds the limits of depth or size.
#[derive(Debug, PartialEq, Eq)]
pub struct LimitExceeded;

/// Converts HTML in which comments with [`LINE_MARK`] give source lines.
pub fn convert(html: &str, options: HtmlOptions, host: &mut dyn Host) -> Result<Converted, LimitExceeded> {
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
