//! XML of strangers: in whatever encoding, without DTDs and entities, of a bounded size.

use std::borrow::Cow;
use std::path::Path;

use roxmltree::{Document, Node, ParsingOptions};

use super::note::Note;
use crate::exchange::folder::Folder;
use crate::exchange::note::FileTrouble;
use crate::exchange::xml::{XmlTrouble, trouble};

/// Bytes of the largest file that is read as XML or HTML: a quiz of thousands of questions is a few megabytes.
const MAX_BYTES: u64 = 16 * 1024 * 1024;
/// Elements and texts of one file.
const MAX_NODES: u32 = 400_000;
/// Elements in elements: what walks a tree later may do so by recursion.
const MAX_DEPTH: usize = 200;

/// A file read as text.
pub struct Text {
    pub text: String,
    /// Some of its bytes were no characters and are U+FFFD now.
    pub broken: bool,
}

/// The text of a file of XML, ready for [`parse`], or of HTML.
pub fn read(folder: &Folder, path: &str) -> Result<Text, FileTrouble> {
    let (text, broken) = folder.read_at_any_rate(Path::new(path), MAX_BYTES)?;
    Ok(Text { text, broken })
}

/// Parses XML. A DOCTYPE that only names a DTD is passed over, one that declares anything is refused.
pub fn parse(text: &str) -> Result<Document<'_>, XmlTrouble> {
    let options = ParsingOptions {
        nodes_limit: MAX_NODES,
        ..ParsingOptions::default()
    };
    let document = Document::parse_with_options(text, options).map_err(trouble)?;
    match is_deep(&document) {
        true => Err(XmlTrouble::TooDeep),
        false => Ok(document),
    }
}

fn is_deep(document: &Document<'_>) -> bool {
    let mut next = Some(document.root());
    let mut depth = 0;
    while let Some(node) = next {
        if depth > MAX_DEPTH {
            return true;
        }
        if let Some(child) = node.first_child() {
            (next, depth) = (Some(child), depth + 1);
            continue;
        }
        let mut at = Some(node);
        next = None;
        while let Some(node) = at {
            if let Some(sibling) = node.next_sibling() {
                next = Some(sibling);
                break;
            }
            (at, depth) = (node.parent(), depth.saturating_sub(1));
        }
    }
    false
}

/// The text without what no XML may hold, and without a DOCTYPE that declares nothing.
pub fn cleaned(text: &str) -> Cow<'_, str> {
    let bad = |c: char| (c < ' ' && !matches!(c, '\t' | '\n' | '\r')) || matches!(c, '\u{fffe}' | '\u{ffff}');
    let mut text = match text.contains(bad) {
        true => Cow::Owned(text.replace(bad, " ")),
        false => Cow::Borrowed(text),
    };
    if let Some(start) = text.find("<!DOCTYPE")
        && let Some(end) = text.get(start..).and_then(|rest| rest.find('>'))
        && !text.get(start..start + end).unwrap_or_default().contains('[')
    {
        text.to_mut().replace_range(start..=start + end, "");
    }
    text
}

/// Reads and parses a file of the package and hands its root to `see`.
pub fn with_root<T>(
    folder: &Folder,
    path: &str,
    notes: &mut Vec<(String, Note)>,
    see: impl FnOnce(Node<'_, '_>, &mut Vec<(String, Note)>) -> T,
) -> Option<T> {
    let read = match read(folder, path) {
        Ok(read) => read,
        Err(trouble) => {
            notes.push((path.to_owned(), Note::MissingFile(path.to_owned(), trouble)));
            return None;
        }
    };
    if read.broken {
        notes.push((path.to_owned(), Note::Encoding));
    }
    let text = cleaned(&read.text);
    match parse(&text) {
        Ok(document) => Some(see(document.root_element(), notes)),
        Err(why) => {
            notes.push((path.to_owned(), Note::BadXml(why)));
            None
        }
    }
}

/// The children of this local name, whatever their namespace: every version of the profile has its own.
pub fn children<'a, 'i: 'a>(node: Node<'a, 'i>, name: &'static str) -> impl Iterator<Item = Node<'a, 'i>> {
    node.children().filter(move |child| is(*child, name))
}

pub fn child<'a, 'i: 'a>(node: Node<'a, 'i>, name: &'static str) -> Option<Node<'a, 'i>> {
    children(node, name).next()
}

/// The first of this name at any depth.
pub fn find<'a, 'i: 'a>(node: Node<'a, 'i>, name: &'static str) -> Option<Node<'a, 'i>> {
    node.descendants().find(|node| is(*node, name))
}

pub fn is(node: Node<'_, '_>, name: &str) -> bool {
    node.is_element() && node.tag_name().name() == name
}

/// All words in the element, trimmed.
pub fn text(node: Node<'_, '_>) -> String {
    let words: String = node
        .descendants()
        .filter(|node| node.is_text())
        .filter_map(|node| node.text())
        .collect();
    words.trim().to_owned()
}

/// The words of a child, unless it has none.
pub fn text_of(node: Node<'_, '_>, name: &'static str) -> Option<String> {
    child(node, name).map(text).filter(|text| !text.is_empty())
}

/// An attribute by its local name.
pub fn attr<'a>(node: Node<'a, '_>, name: &str) -> Option<&'a str> {
    node.attributes()
        .find(|attribute| attribute.name() == name)
        .map(|attribute| attribute.value().trim())
        .filter(|value| !value.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entities_and_too_many_nodes_are_refused() {
        let bomb = "<!DOCTYPE a [<!ENTITY x \"ha\"><!ENTITY y \"&x;&x;\">]><a>&y;</a>";
        assert!(parse(&cleaned(bomb)).is_err());
        let outside = "<!DOCTYPE a [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><a>&x;</a>";
        assert!(parse(&cleaned(outside)).is_err());
        assert!(parse(&cleaned("<!DOCTYPE a SYSTEM \"a.dtd\"><a>\u{1}b</a>")).is_ok());
        let many = format!("<a>{}</a>", "<b/>".repeat(MAX_NODES as usize));
        assert!(parse(&many).is_err());
        let deep = "<a>".repeat(100_000);
        assert!(parse(&deep).is_err());
        let closed = |depth: usize| format!("{}{}", "<a>".repeat(depth), "</a>".repeat(depth));
        assert!(parse(&closed(100_000)).is_err() && parse(&closed(150)).is_ok());
    }
}
