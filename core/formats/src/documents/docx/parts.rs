//! Reads styles, numbering and relations of a document.

use std::collections::HashMap;

use roxmltree::Node;

use crate::folder::Folder;
use crate::note::FileTrouble;
use crate::xml;

use crate::note::document::Note;

/// The child with this local name.
pub fn child<'a, 'i>(node: Node<'a, 'i>, name: &str) -> Option<Node<'a, 'i>> {
    node.children().find(|child| child.tag_name().name() == name)
}

/// The attribute with this local name.
pub fn attr<'a>(node: Node<'a, '_>, name: &str) -> Option<&'a str> {
    let mut attrs = node.attributes();
    attrs.find(|attr| attr.name() == name).map(|attr| attr.value())
}

/// The value of a child such as `<w:name w:val="…"/>`.
pub fn value<'a>(node: Node<'a, '_>, name: &str) -> Option<&'a str> {
    attr(child(node, name)?, "val")
}

/// The state of a toggle such as `<w:b/>` or `<w:b w:val="0"/>`; `None` if absent.
pub fn toggle(node: Node<'_, '_>, name: &str) -> Option<bool> {
    let found = child(node, name)?;
    Some(!matches!(attr(found, "val"), Some("0" | "false" | "none" | "off")))
}

/// Character formatting; `None` is inherited.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Format {
    pub bold: Option<bool>,
    pub italic: Option<bool>,
    pub underline: Option<bool>,
    pub strike: Option<bool>,
    pub highlight: Option<bool>,
    pub code: Option<bool>,
    pub vertical_shift: Option<i8>,
    pub hidden: Option<bool>,
}

impl Format {
    /// Reads `w:rPr`.
    pub fn read(properties: Node<'_, '_>) -> Self {
        let font = child(properties, "rFonts").and_then(|fonts| attr(fonts, "ascii").or_else(|| attr(fonts, "hAnsi")));
        let vertical_shift = value(properties, "vertAlign").map(|align| match align {
            "superscript" => 1,
            "subscript" => -1,
            _ => 0,
        });
        Self {
            bold: toggle(properties, "b"),
            italic: toggle(properties, "i"),
            underline: toggle(properties, "u"),
            strike: toggle(properties, "strike").or_else(|| toggle(properties, "dstrike")),
            highlight: value(properties, "highlight").map(|color| color != "none"),
            code: font.map(is_monospaced),
            vertical_shift,
            hidden: toggle(properties, "vanish"),
        }
    }

    /// Fills unset properties from `below`.
    pub fn inherit(self, below: Self) -> Self {
        Self {
            bold: self.bold.or(below.bold),
            italic: self.italic.or(below.italic),
            underline: self.underline.or(below.underline),
            strike: self.strike.or(below.strike),
            highlight: self.highlight.or(below.highlight),
            code: self.code.or(below.code),
            vertical_shift: self.vertical_shift.or(below.vertical_shift),
            hidden: self.hidden.or(below.hidden),
        }
    }
}

fn is_monospaced(font: &str) -> bool {
    let font = font.to_lowercase();
    [
        "courier",
        "consolas",
        "mono",
        "menlo",
        "lucida console",
        "fira code",
        "source code",
        "monaco",
    ]
    .iter()
    .any(|name| font.contains(name))
}

/// The role of a paragraph according to its style.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Role {
    #[default]
    Text,
    Title,
    Subtitle,
    Heading(u8),
    Code,
    Quote,
    Caption,
    /// An entry of the table of contents.
    Contents,
}

#[derive(Clone, Default, Debug)]
struct Style {
    name: String,
    based_on: Option<String>,
    outline: Option<u8>,
    list: Option<(String, usize)>,
    format: Format,
}

/// Styles by id.
#[derive(Default, Debug)]
pub struct Styles {
    all: HashMap<String, Style>,
}

/// Depth of style inheritance.
const MAX_INHERITANCE: usize = 12;

impl Styles {
    pub fn read(root: Node<'_, '_>) -> Self {
        let mut all = HashMap::new();
        for style in root.children().filter(|child| child.tag_name().name() == "style") {
            let Some(id) = attr(style, "styleId") else { continue };
            let paragraph = child(style, "pPr");
            let read = Style {
                name: value(style, "name").unwrap_or(id).to_lowercase(),
                based_on: value(style, "basedOn").map(str::to_owned),
                outline: paragraph.and_then(outline),
                list: paragraph.and_then(list),
                format: child(style, "rPr").map(Format::read).unwrap_or_default(),
            };
            all.insert(id.to_owned(), read);
        }
        Self { all }
    }

    fn chain<'s>(&'s self, id: &str) -> impl Iterator<Item = &'s Style> {
        let first = self.all.get(id);
        std::iter::successors(first, move |style| self.all.get(style.based_on.as_ref()?)).take(MAX_INHERITANCE)
    }

    pub fn format(&self, id: &str) -> Format {
        self.chain(id)
            .fold(Format::default(), |format, style| format.inherit(style.format))
    }

    pub fn list(&self, id: &str) -> Option<(String, usize)> {
        self.chain(id).find_map(|style| style.list.clone())
    }

    pub fn role(&self, id: &str) -> Role {
        self.chain(id)
            .find_map(|style| {
                let role = role(&style.name);
                match (role, style.outline) {
                    (Role::Text, Some(level)) => Some(Role::Heading(level + 1)),
                    (Role::Text, None) => None,
                    (role, _) => Some(role),
                }
            })
            .unwrap_or_else(|| role(&id.to_lowercase()))
    }

    /// Whether a character style means code.
    pub fn is_code(&self, id: &str) -> bool {
        self.chain(id).any(|style| role(&style.name) == Role::Code)
    }
}

/// The role of a style name. Built-in names are English in all localizations.
fn role(name: &str) -> Role {
    let level = |prefix: &str| -> Option<u8> {
        let number: u8 = name.strip_prefix(prefix)?.trim().parse().ok()?;
        (1..=9).contains(&number).then_some(number)
    };
    if let Some(level) = level("heading").or_else(|| level("заголовок")) {
        return Role::Heading(level);
    }
    match name {
        "title" | "название" => Role::Title,
        "subtitle" | "подзаголовок" => Role::Subtitle,
        "caption" | "название объекта" => Role::Caption,
        "toc heading" | "table of contents" => Role::Contents,
        name if name.starts_with("toc ") => Role::Contents,
        name if name.contains("quote") || name.contains("цитата") => Role::Quote,
        name if [
            "code",
            "код",
            "html preformatted",
            "preformatted",
            "listing",
            "листинг",
            "verbatim",
            "macro text",
        ]
        .iter()
        .any(|word| name.split([' ', '-', '_']).any(|part| part == *word) || name == *word) =>
        {
            Role::Code
        }
        _ => Role::Text,
    }
}

fn outline(paragraph: Node<'_, '_>) -> Option<u8> {
    value(paragraph, "outlineLvl")?.parse().ok().filter(|level| *level < 9)
}

/// The list id and level of a paragraph.
pub fn list(paragraph: Node<'_, '_>) -> Option<(String, usize)> {
    let numbers = child(paragraph, "numPr")?;
    let level = value(numbers, "ilvl")
        .and_then(|level| level.parse().ok())
        .unwrap_or(0_usize);
    Some((value(numbers, "numId")?.to_owned(), level.min(8)))
}

/// The outline level set on the paragraph itself.
pub fn own_outline(paragraph: Node<'_, '_>) -> Option<u8> {
    outline(paragraph).map(|level| level + 1)
}

/// The numbering of a list level.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Count {
    Bullets,
    Numbers(u32),
    /// No marker.
    Nothing,
}

#[derive(Default, Debug)]
pub struct Numbering {
    kinds: HashMap<String, HashMap<usize, Count>>,
    /// Abstract numbering and start values by list id.
    lists: HashMap<String, (String, HashMap<usize, u32>)>,
}

impl Numbering {
    pub fn read(root: Node<'_, '_>) -> Self {
        let mut read = Self::default();
        let number = |text: Option<&str>| text.and_then(|text| text.parse::<u32>().ok());
        for kind in root.children().filter(|child| child.tag_name().name() == "abstractNum") {
            let Some(id) = attr(kind, "abstractNumId") else {
                continue;
            };
            let levels = kind
                .children()
                .filter(|child| child.tag_name().name() == "lvl")
                .filter_map(|level| {
                    let at = attr(level, "ilvl")?.parse().ok()?;
                    let count = match value(level, "numFmt") {
                        Some("bullet") => Count::Bullets,
                        Some("none") => Count::Nothing,
                        _ => Count::Numbers(number(value(level, "start")).unwrap_or(1)),
                    };
                    Some((at, count))
                });
            read.kinds.insert(id.to_owned(), levels.collect());
        }
        for list in root.children().filter(|child| child.tag_name().name() == "num") {
            let (Some(id), Some(kind)) = (attr(list, "numId"), value(list, "abstractNumId")) else {
                continue;
            };
            let starts = list
                .children()
                .filter(|child| child.tag_name().name() == "lvlOverride")
                .filter_map(|level| {
                    Some((
                        attr(level, "ilvl")?.parse().ok()?,
                        number(value(level, "startOverride"))?,
                    ))
                });
            read.lists.insert(id.to_owned(), (kind.to_owned(), starts.collect()));
        }
        read
    }

    pub fn count(&self, list: &str, level: usize) -> Count {
        let Some((kind, starts)) = self.lists.get(list) else {
            return Count::Nothing;
        };
        let count = self.kinds.get(kind).and_then(|levels| levels.get(&level)).copied();
        match (count.unwrap_or(Count::Bullets), starts.get(&level)) {
            (Count::Numbers(_), Some(start)) => Count::Numbers(*start),
            (count, _) => count,
        }
    }
}

/// Target by relation id, and whether it is outside the document.
pub type Relations = HashMap<String, (String, bool)>;

pub fn relations(root: Node<'_, '_>) -> Relations {
    let all = root.children().filter_map(|relation| {
        let outside = attr(relation, "TargetMode").is_some_and(|mode| mode == "External");
        Some((
            attr(relation, "Id")?.to_owned(),
            (attr(relation, "Target")?.to_owned(), outside),
        ))
    });
    all.collect()
}

/// Reads an optional part.
pub fn part<T>(folder: &Folder, path: &str, notes: &mut Vec<Note>, read: impl FnOnce(Node<'_, '_>) -> T) -> Option<T> {
    let text = match folder.read_long_text(std::path::Path::new(path)) {
        Ok(text) => text,
        Err(FileTrouble::Missing) => return None,
        Err(trouble) => {
            let path = path.to_owned();
            notes.push(Note::File { path, trouble });
            return None;
        }
    };
    match xml::with_document(&text, |document| read(document.root_element())) {
        Ok(read) => Some(read),
        Err(trouble) => {
            let path = path.to_owned();
            notes.push(Note::Part { path, trouble });
            None
        }
    }
}
