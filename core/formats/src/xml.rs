//! Reads untrusted XML into a tree: without DTDs and custom entities, bounded in size and depth.

use std::fmt::Write as _;

use html5ever::data::NAMED_ENTITIES;
use roxmltree::{Document, Error, ParsingOptions};

use kurso_base::messages::Lang;

/// Elements and texts per file.
const MAX_NODES: u32 = 1_000_000;
/// Character references and entities per file. Each costs the parser about a thousand times the time of a letter.
const MAX_REFERENCES: usize = 1_000_000;
/// Deeper than real files, and shallow enough for recursion.
pub const MAX_DEPTH: usize = 200;

/// Why a file could not be read. Never quotes the file, which may contain secrets.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum XmlTrouble {
    /// A DTD, which could define expanding entities or refer to files.
    Dtd,
    TooDeep,
    TooLarge,
    /// The line, starting at 1.
    Broken(u32),
}

impl XmlTrouble {
    /// The stable name of the problem.
    pub fn key(self) -> &'static str {
        match self {
            Self::Dtd => "xml_dtd",
            Self::TooDeep => "xml_too_deep",
            Self::TooLarge => "xml_too_large",
            Self::Broken(_) => "xml_broken",
        }
    }

    pub fn text(self, lang: Lang) -> String {
        match (self, lang) {
            (Self::Dtd, Lang::En) => "the XML has a DTD, which is not allowed".into(),
            (Self::Dtd, Lang::Ru) => "в XML есть собственное описание типа (DTD), такие файлы не читаются".into(),
            (Self::TooDeep, Lang::En) => "the XML is nested too deeply".into(),
            (Self::TooDeep, Lang::Ru) => "слишком глубокая вложенность XML".into(),
            (Self::TooLarge, Lang::En) => "the XML has too many elements".into(),
            (Self::TooLarge, Lang::Ru) => "в XML слишком много элементов".into(),
            (Self::Broken(line), Lang::En) => format!("invalid XML on line {line}"),
            (Self::Broken(line), Lang::Ru) => format!("ошибка XML в строке {line}"),
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Node {
    Element(Element),
    Text(String),
}

/// An element; names are without namespace.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Element {
    pub name: String,
    pub attrs: Vec<(String, String)>,
    pub children: Vec<Node>,
    /// Starts at 1.
    pub line: u32,
}

impl Element {
    pub fn attr(&self, name: &str) -> Option<&str> {
        let mut attrs = self.attrs.iter();
        attrs.find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The trimmed value of an attribute, if it is not empty.
    pub fn attr_text(&self, name: &str) -> Option<&str> {
        self.attr(name).map(str::trim).filter(|value| !value.is_empty())
    }

    pub fn is(&self, name: &str) -> bool {
        self.name == name
    }

    pub fn elements(&self) -> impl Iterator<Item = &Element> {
        self.children.iter().filter_map(|child| match child {
            Node::Element(element) => Some(element),
            Node::Text(_) => None,
        })
    }

    pub fn child(&self, name: &str) -> Option<&Element> {
        self.elements().find(|child| child.is(name))
    }

    /// The text of all descendants.
    pub fn text(&self) -> String {
        let mut text = String::new();
        self.add_text(&mut text);
        text
    }

    fn add_text(&self, to: &mut String) {
        for child in &self.children {
            match child {
                Node::Text(text) => to.push_str(text),
                Node::Element(element) => element.add_text(to),
            }
        }
    }

    /// The content as HTML.
    pub fn inner_html(&self) -> String {
        let mut html = String::new();
        for child in &self.children {
            child.write_html(&mut html);
        }
        html
    }

    /// `<name attr="…">`
    pub fn open_tag(&self) -> String {
        let mut tag = format!("<{}", self.name);
        for (name, value) in &self.attrs {
            let _ = write!(tag, " {name}=\"{}\"", escaped(value));
        }
        tag.push('>');
        tag
    }

    /// HTML elements without an end tag.
    pub fn is_void(&self) -> bool {
        matches!(
            self.name.as_str(),
            "area"
                | "br"
                | "col"
                | "embed"
                | "hr"
                | "img"
                | "input"
                | "link"
                | "meta"
                | "param"
                | "source"
                | "track"
                | "wbr"
        )
    }
}

impl Node {
    pub fn write_html(&self, to: &mut String) {
        match self {
            Node::Text(text) => to.push_str(&escaped(text)),
            Node::Element(element) => {
                to.push_str(&element.open_tag());
                if !element.is_void() {
                    to.push_str(&element.inner_html());
                    let _ = write!(to, "</{}>", element.name);
                }
            }
        }
    }
}

/// Escapes text for HTML and XML, also in attributes.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 16);
    escape_into(text, &mut out);
    out
}

pub fn escape_into(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
}

/// Parses XML. Repairs HTML entities, which XML does not define, and unescaped `&`.
pub fn read(text: &str) -> Result<Element, XmlTrouble> {
    with_document(text, |document| {
        let mut lines = Lines {
            text: document.input_text(),
            at: 0,
            line: 1,
        };
        element(document.root_element(), &mut lines)
    })
}

/// Parses XML and passes the document to `with`, which may recurse over it.
pub fn with_document<T>(text: &str, with: impl FnOnce(&Document<'_>) -> T) -> Result<T, XmlTrouble> {
    let text = text.trim_start();
    if text.bytes().filter(|byte| *byte == b'&').nth(MAX_REFERENCES).is_some() {
        return Err(XmlTrouble::TooLarge);
    }
    match parse(text) {
        Ok(document) => check_depth(&document).map(|()| with(&document)),
        Err(Error::UnknownEntityReference(..) | Error::MalformedEntityReference(_)) => {
            let repaired = without_names(text);
            let document = parse(&repaired).map_err(trouble)?;
            check_depth(&document).map(|()| with(&document))
        }
        Err(error) => Err(trouble(error)),
    }
}

fn parse(text: &str) -> Result<Document<'_>, Error> {
    parse_bounded(text, MAX_NODES)
}

/// Parses XML of at most so many elements and texts, without DTDs and custom entities. The depth is not checked.
pub fn parse_bounded(text: &str, nodes: u32) -> Result<Document<'_>, Error> {
    let options = ParsingOptions {
        nodes_limit: nodes,
        ..ParsingOptions::default()
    };
    Document::parse_with_options(text, options)
}

pub(super) fn trouble(error: Error) -> XmlTrouble {
    match error {
        Error::DtdDetected => XmlTrouble::Dtd,
        Error::NodesLimitReached | Error::AttributesLimitReached | Error::NamespacesLimitReached => {
            XmlTrouble::TooLarge
        }
        error => XmlTrouble::Broken(error.pos().row),
    }
}

/// Refuses a document that is nested too deeply to recurse over.
pub fn check_depth(document: &Document<'_>) -> Result<(), XmlTrouble> {
    let (mut depth, mut node) = (0_usize, document.root());
    // Iterative traversal.
    loop {
        if let Some(child) = node.first_child() {
            depth += 1;
            if depth > MAX_DEPTH {
                return Err(XmlTrouble::TooDeep);
            }
            node = child;
            continue;
        }
        loop {
            if let Some(next) = node.next_sibling() {
                node = next;
                break;
            }
            match node.parent() {
                Some(parent) => {
                    depth = depth.saturating_sub(1);
                    node = parent;
                }
                None => return Ok(()),
            }
        }
    }
}

/// Line numbers of increasing offsets.
struct Lines<'a> {
    text: &'a str,
    at: usize,
    line: u32,
}

impl Lines<'_> {
    fn of(&mut self, place: usize) -> u32 {
        let passed = self.text.as_bytes().get(self.at..place).unwrap_or_default();
        let lines = passed.iter().filter(|byte| **byte == b'\n').count();
        self.line = self.line.saturating_add(u32::try_from(lines).unwrap_or(u32::MAX));
        self.at = self.at.max(place);
        self.line
    }
}

fn element(node: roxmltree::Node<'_, '_>, lines: &mut Lines<'_>) -> Element {
    let line = lines.of(node.range().start);
    let attrs = node.attributes();
    let mut children = Vec::new();
    for child in node.children() {
        if child.is_element() {
            children.push(Node::Element(element(child, lines)));
        } else if let Some(text) = child.text().filter(|_| child.is_text()) {
            children.push(Node::Text(text.to_owned()));
        }
    }
    Element {
        name: node.tag_name().name().to_owned(),
        attrs: attrs
            .map(|attr| (attr.name().to_owned(), attr.value().to_owned()))
            .collect(),
        children,
        line,
    }
}

/// Bytes of the longest name of an HTML entity, and one more.
const MAX_NAME: usize = 32;

/// Replaces HTML entities by characters, and unescaped `&` by `&amp;`.
fn without_names(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        out.push_str(before);
        rest = after;
        // Looking further would take quadratic time.
        let end = after.bytes().take(MAX_NAME + 1).position(|byte| byte == b';');
        let name = end.and_then(|end| after.get(..end)).filter(|name| !name.is_empty());
        match name {
            Some("amp" | "lt" | "gt" | "quot" | "apos") => out.push('&'),
            Some(name) if name.starts_with('#') => out.push('&'),
            Some(name) => match NAMED_ENTITIES.get(&*format!("{name};")) {
                Some((first, second)) if *first != 0 => {
                    for code in [*first, *second] {
                        match char::from_u32(code) {
                            Some('&') => out.push_str("&amp;"),
                            Some('<') => out.push_str("&lt;"),
                            Some('\0') | None => {}
                            Some(c) => out.push(c),
                        }
                    }
                    rest = after.get(name.len() + 1..).unwrap_or_default();
                }
                _ => out.push_str("&amp;"),
            },
            None => out.push_str("&amp;"),
        }
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn html_entities_and_bare_ampersands_are_repaired() {
        let read = read("<p a='1'>Том&nbsp;&mdash; R&D &laquo;<b>и</b>&raquo; &lt;&#1071;</p>").expect("read");
        assert_eq!(read.text(), "Том\u{a0}— R&D «и» <Я");
        assert_eq!(read.inner_html(), "Том\u{a0}— R&amp;D «<b>и</b>» &lt;Я");
    }

    #[test]
    fn bombs_and_invalid_files_are_rejected_without_quoting_them() {
        let bomb = "<!DOCTYPE a [<!ENTITY x \"xxxxxxxxxx\"><!ENTITY y \"&x;&x;&x;&x;\">]><a>&y;</a>";
        assert_eq!(read(bomb), Err(XmlTrouble::Dtd));
        assert_eq!(
            read("<!DOCTYPE a [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><a>&x;</a>"),
            Err(XmlTrouble::Dtd)
        );
        assert_eq!(read("<a>\n<b secret='s3cret'></a>"), Err(XmlTrouble::Broken(2)));
        assert!(matches!(read(""), Err(XmlTrouble::Broken(_))));
        let deep = "<a>".repeat(100_000) + &"</a>".repeat(100_000);
        assert_eq!(read(&deep), Err(XmlTrouble::TooDeep));
        let wide = format!("<a>{}</a>", "<b/>".repeat(1_000_001));
        assert_eq!(read(&wide), Err(XmlTrouble::TooLarge));
    }

    proptest! {
        #[test]
        fn any_text_is_parsed_or_rejected(text in "[<>/a-c&; '\"=!\\[\\]-]{0,80}") {
            let _ = read(&text);
        }
    }
}
