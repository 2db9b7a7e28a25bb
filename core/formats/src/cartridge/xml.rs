//! Reads untrusted XML in any encoding, without DTDs and entities, of bounded size.

use std::borrow::Cow;
use std::path::Path;

use roxmltree::{Document, Node};

use crate::folder::Folder;
use crate::note::FileTrouble;
use crate::note::cartridge::Note;
use crate::xml::{XmlTrouble, check_depth, parse_bounded, trouble};

/// Size limit of an XML or HTML file. A quiz of thousands of questions takes a few megabytes.
const MAX_BYTES: u64 = 16 * 1024 * 1024;
/// Elements and text nodes of one file.
const MAX_NODES: u32 = 400_000;

pub struct Text {
    pub text: String,
    /// Some bytes were invalid in the encoding and became U+FFFD.
    pub broken: bool,
}

/// Reads an XML or HTML file as text; XML still needs [`cleaned`] before [`parse`].
pub fn read(folder: &Folder, path: &str) -> Result<Text, FileTrouble> {
    let (text, broken) = folder.read_lossy(Path::new(path), MAX_BYTES)?;
    Ok(Text { text, broken })
}

/// Parses XML. DTDs and entities are refused.
pub fn parse(text: &str) -> Result<Document<'_>, XmlTrouble> {
    let document = parse_bounded(text, MAX_NODES).map_err(trouble)?;
    check_depth(&document).map(|()| document)
}

/// Whether XML does not allow the character.
pub fn is_invalid(c: char) -> bool {
    (c < ' ' && !matches!(c, '\t' | '\n' | '\r')) || matches!(c, '\u{fffe}' | '\u{ffff}')
}

/// Replaces characters that XML does not allow, and removes a DOCTYPE that declares nothing.
pub fn cleaned(text: &str) -> Cow<'_, str> {
    let mut text = if text.contains(is_invalid) {
        Cow::Owned(text.replace(is_invalid, " "))
    } else {
        Cow::Borrowed(text)
    };
    if let Some(start) = text.find("<!DOCTYPE")
        && let Some(end) = text.get(start..).and_then(|rest| rest.find('>'))
        && !text.get(start..start + end).unwrap_or_default().contains('[')
    {
        text.to_mut().replace_range(start..=start + end, "");
    }
    text
}

/// Reads and parses a file of the package and passes its root to `visit`.
pub fn with_root<T>(
    folder: &Folder,
    path: &str,
    notes: &mut Vec<(String, Note)>,
    visit: impl FnOnce(Node<'_, '_>, &mut Vec<(String, Note)>) -> T,
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
        Ok(document) => Some(visit(document.root_element(), notes)),
        Err(why) => {
            notes.push((path.to_owned(), Note::BadXml(why)));
            None
        }
    }
}

/// Children with this local name in any namespace: each version of the profile has its own namespace.
pub fn children<'a, 'i: 'a>(node: Node<'a, 'i>, name: &'static str) -> impl Iterator<Item = Node<'a, 'i>> {
    node.children().filter(move |child| is(*child, name))
}

pub fn child<'a, 'i: 'a>(node: Node<'a, 'i>, name: &'static str) -> Option<Node<'a, 'i>> {
    children(node, name).next()
}

/// The first descendant with this local name.
pub fn find<'a, 'i: 'a>(node: Node<'a, 'i>, name: &'static str) -> Option<Node<'a, 'i>> {
    node.descendants().find(|node| is(*node, name))
}

pub fn is(node: Node<'_, '_>, name: &str) -> bool {
    node.is_element() && node.tag_name().name() == name
}

/// The trimmed text of all descendants.
pub fn text(node: Node<'_, '_>) -> String {
    let words: String = node
        .descendants()
        .filter(|node| node.is_text())
        .filter_map(|node| node.text())
        .collect();
    words.trim().to_owned()
}

/// The text of a child, unless it is empty.
pub fn text_of(node: Node<'_, '_>, name: &'static str) -> Option<String> {
    child(node, name).map(text).filter(|text| !text.is_empty())
}

/// The attribute with this local name.
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
    fn entities_and_oversized_documents_are_rejected() {
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
