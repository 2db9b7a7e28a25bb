//! Writes documents as HTML for Common Cartridge, so that Kurso reads back the same document.

use std::collections::HashMap;

use kurso_base::wire;
use scraper::Html;
use serde_json::{Value, json};

use super::xml::is_invalid;
use crate::blocks::children;
use crate::content::{self, Anchors, heading_text};
use crate::course::FileDraft;
use crate::html::{Host, HtmlOptions, Media, convert};
use crate::native::document::normalize;
use crate::note::{FileTrouble, Note};
use crate::xml;

/// Conversion options for HTML in cartridges.
pub const OPTIONS: HtmlOptions = HtmlOptions {
    tex_math: true,
    details: "…",
    listing: "Listing",
    class_widths: &[],
};

/// Writes a document as HTML. Its addresses are already those of the package; `files` maps them to files.
pub fn write(document: &Value, files: &HashMap<String, FileDraft>) -> String {
    let mut writer = Writer::default();
    let blocks = children(document);
    for node in blocks {
        let from = writer.out.len();
        writer.block(node);
        let made = writer.out.split_off(from);
        // A foreign text with a level 1 heading is shifted down by one level when it is read.
        let round_trips = !has_first_level(node) && read(&made, files).is_some_and(|read| read == [normalize(node)]);
        writer.out.push_str(&match round_trips {
            true => made,
            false => marked(node, &made),
        });
        writer.out.push('\n');
    }
    let whole = read(&writer.out, files);
    let same: Vec<Value> = blocks.iter().map(normalize).collect();
    // An empty page is an empty string.
    let empty = matches!(same.as_slice(), [only] if *only == json!({ "type": "paragraph" }));
    match whole.is_some_and(|read| read == same) {
        true => writer.out,
        false if empty => String::new(),
        false => blocks
            .iter()
            .map(|node| {
                let mut one = Writer::default();
                one.block(node);
                marked(node, &one.out) + "\n"
            })
            .collect(),
    }
}

fn has_first_level(node: &Value) -> bool {
    (kind(node) == "heading" && number(node, "level") == Some(1)) || children(node).iter().any(has_first_level)
}

/// Keeps the JSON of a block that HTML cannot express beside its HTML.
fn marked(node: &Value, html: &str) -> String {
    format!("<div data-kurso=\"{}\">{html}</div>", escaped(&node.to_string()))
}

/// The text of a node as its HTML shows it.
pub fn visible_text(node: &Value) -> String {
    let mut writer = Writer::default();
    writer.block(node);
    let html = Html::parse_fragment(&writer.out);
    without_whitespace(&html.root_element().text().collect::<String>())
}

/// Without white space, which changes when an editor reformats the HTML.
pub fn without_whitespace(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// Reads the written HTML back with its addresses unchanged.
fn read(html: &str, files: &HashMap<String, FileDraft>) -> Option<Vec<Value>> {
    let mut host = ReadBackHost {
        files,
        originals: None,
        lossless: true,
    };
    let converted = convert(html, OPTIONS, &mut host).ok()?;
    host.lossless.then(|| converted.blocks.iter().map(normalize).collect())
}

/// A host that reads back what was just written.
pub struct ReadBackHost<'a> {
    /// Files by their addresses in the package.
    pub files: &'a HashMap<String, FileDraft>,
    /// Original addresses by package address; `None` keeps the package addresses.
    pub originals: Option<&'a HashMap<String, String>>,
    /// True while no note was reported.
    pub lossless: bool,
}

impl ReadBackHost<'_> {
    fn original(&self, address: &str) -> String {
        let known = self.originals.and_then(|originals| originals.get(address)).cloned();
        known.unwrap_or_else(|| address.to_owned())
    }
}

impl Host for ReadBackHost<'_> {
    fn link(&mut self, href: &str, _: usize) -> Option<String> {
        Some(self.original(href))
    }

    fn file(&mut self, src: &str, _: usize, _: &[&str], _: FileTrouble) -> Option<Media> {
        let file = self.files.get(src);
        Some(Media {
            address: self.original(src),
            content_type: file.map_or("image/png", |file| file.content_type),
            width: file.and_then(|file| file.width),
            height: file.and_then(|file| file.height),
        })
    }

    fn note(&mut self, _: Note, _: usize) {
        self.lossless = false;
    }

    fn stored_node(&mut self, node: &str, words: &str) -> Option<Value> {
        let mut node: Value = wire::read_json(node).ok()?;
        let same = without_whitespace(words) == visible_text(&node);
        content::map_addresses(&mut node, |address| Some(self.original(address)));
        same.then_some(node)
    }
}

#[derive(Default)]
struct Writer {
    anchors: Anchors,
    out: String,
}

fn kind(node: &Value) -> &str {
    node.get("type").and_then(Value::as_str).unwrap_or_default()
}

fn attr<'a>(node: &'a Value, name: &str) -> Option<&'a str> {
    node.get("attrs")?.get(name)?.as_str()
}

fn number(node: &Value, name: &str) -> Option<i64> {
    node.get("attrs")?.get(name)?.as_i64()
}

impl Writer {
    fn blocks(&mut self, node: &Value) {
        for child in children(node) {
            self.block(child);
        }
    }

    fn push(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// Writes the blocks of a node between two tags.
    fn wrap(&mut self, open: &str, node: &Value, close: &str) {
        self.push(open);
        self.blocks(node);
        self.push(close);
    }

    fn block(&mut self, node: &Value) {
        match kind(node) {
            "paragraph" => self.line("p", "", node),
            "heading" => {
                let level = number(node, "level").unwrap_or(2).clamp(1, 4);
                let id = self.anchors.next(&heading_text(node));
                let id = id.map(|id| format!(" id=\"{}\"", escaped(&id))).unwrap_or_default();
                self.line(&format!("h{level}"), &id, node);
            }
            "bulletList" => self.wrap("<ul>", node, "</ul>"),
            "taskList" => self.wrap("<ul class=\"tasks\">", node, "</ul>"),
            "orderedList" => {
                let mut open = "<ol".to_owned();
                if let Some(start) = number(node, "start").filter(|start| *start != 1) {
                    open.push_str(&format!(" start=\"{start}\""));
                }
                if let Some(kind) = attr(node, "type") {
                    open.push_str(&format!(" type=\"{}\"", escaped(kind)));
                }
                self.wrap(&(open + ">"), node, "</ol>");
            }
            "listItem" => self.wrap("<li>", node, "</li>"),
            "taskItem" => {
                let checked = node.pointer("/attrs/checked").is_some_and(|value| value == true);
                let checked = if checked { " checked" } else { "" };
                let open = format!("<li><input type=\"checkbox\" disabled{checked}>");
                self.wrap(&open, node, "</li>");
            }
            "blockquote" => self.wrap("<blockquote>", node, "</blockquote>"),
            "callout" => {
                let kind = attr(node, "kind").unwrap_or("note");
                let open = format!("<blockquote data-callout=\"{}\">", escaped(kind));
                self.wrap(&open, node, "</blockquote>");
            }
            "codeBlock" => self.code(node),
            "table" => self.wrap("<table><tbody>", node, "</tbody></table>"),
            "tableRow" => self.wrap("<tr>", node, "</tr>"),
            "tableHeader" => self.cell("th", node),
            "tableCell" => self.cell("td", node),
            "image" => self.image(node),
            "video" => self.player("video", node),
            "audio" => self.player("audio", node),
            "embed" => self.embed(node),
            "attachment" => {
                let name = attr(node, "filename").unwrap_or_default();
                let src = attr(node, "src").unwrap_or_default();
                self.push(&format!(
                    "<p><a class=\"instructure_file_link\" href=\"{}\">{}</a></p>",
                    escaped(src),
                    escaped(name)
                ));
            }
            "details" => {
                let open = node.pointer("/attrs/open").is_some_and(|value| value == true);
                self.wrap(if open { "<details open>" } else { "<details>" }, node, "</details>");
            }
            "detailsSummary" => self.line("summary", "", node),
            "detailsContent" => self.blocks(node),
            "blockMath" => {
                let latex = attr(node, "latex").unwrap_or_default();
                self.push(&format!("<p>\\[{}\\]</p>", escaped(latex)));
            }
            "horizontalRule" => self.push("<hr>"),
            _ => self.inline(node),
        }
    }

    fn line(&mut self, name: &str, attrs: &str, node: &Value) {
        self.push(&format!("<{name}{attrs}>"));
        for child in children(node) {
            self.inline(child);
        }
        self.push(&format!("</{name}>"));
    }

    fn inline(&mut self, node: &Value) {
        let marks = node
            .get("marks")
            .and_then(Value::as_array)
            .map_or(&[][..], Vec::as_slice);
        let mut close = Vec::new();
        for mark in marks {
            let name = match kind(mark) {
                "bold" => "strong",
                "italic" => "em",
                "underline" => "u",
                "strike" => "s",
                "code" => "code",
                "highlight" => "mark",
                "subscript" => "sub",
                "superscript" => "sup",
                "link" => {
                    let href = attr(mark, "href").unwrap_or_default();
                    self.push(&format!("<a href=\"{}\">", escaped(href)));
                    close.push("a");
                    continue;
                }
                _ => continue,
            };
            self.push(&format!("<{name}>"));
            close.push(name);
        }
        match kind(node) {
            "text" => self.push(&escaped(node.get("text").and_then(Value::as_str).unwrap_or_default())),
            "hardBreak" => self.push("<br>"),
            "inlineMath" => {
                let latex = attr(node, "latex").unwrap_or_default();
                self.push(&format!("\\({}\\)", escaped(latex)));
            }
            "blank" => self.push("_____"),
            _ => {}
        }
        for name in close.iter().rev() {
            self.push(&format!("</{name}>"));
        }
    }

    fn code(&mut self, node: &Value) {
        let caption = attr(node, "caption").map(|caption| format!(" data-caption=\"{}\"", escaped(caption)));
        let language = attr(node, "language").map(|name| format!(" class=\"language-{}\"", escaped(name)));
        self.push(&format!(
            "<pre{}><code{}>",
            caption.unwrap_or_default(),
            language.unwrap_or_default()
        ));
        let text: String = children(node)
            .iter()
            .filter_map(|text| text.get("text").and_then(Value::as_str))
            .collect();
        // The HTML reader drops the first and the last line break of a code element.
        self.push(&escaped(&text));
        if !text.is_empty() {
            self.push("\n");
        }
        self.push("</code></pre>");
    }

    fn cell(&mut self, name: &str, node: &Value) {
        let mut open = format!("<{name}");
        for span in ["colspan", "rowspan"] {
            if let Some(cells) = number(node, span).filter(|cells| *cells != 1) {
                open.push_str(&format!(" {span}=\"{cells}\""));
            }
        }
        if let Some(align) = attr(node, "align") {
            open.push_str(&format!(" style=\"text-align: {}\"", escaped(align)));
        }
        self.wrap(&(open + ">"), node, &format!("</{name}>"));
    }

    fn image(&mut self, node: &Value) {
        let src = attr(node, "src").unwrap_or_default();
        let mut tag = format!(
            "<img src=\"{}\" alt=\"{}\"",
            escaped(src),
            escaped(attr(node, "alt").unwrap_or_default())
        );
        if let Some(width) = number(node, "width") {
            tag.push_str(&format!(" width=\"{width}\""));
        }
        tag.push('>');
        match attr(node, "caption") {
            Some(caption) => self.push(&format!(
                "<figure>{tag}<figcaption>{}</figcaption></figure>",
                escaped(caption)
            )),
            None => self.push(&format!("<p>{tag}</p>")),
        }
    }

    fn player(&mut self, name: &str, node: &Value) {
        let src = attr(node, "src").unwrap_or_default();
        // Whether a file is video or audio follows from its content type.
        let title = attr(node, "caption").map(|caption| format!(" title=\"{}\"", escaped(caption)));
        let label = attr(node, "caption").unwrap_or("▶");
        self.push(&format!(
            "<{name} controls src=\"{}\"{}><a href=\"{}\">{}</a></{name}>",
            escaped(src),
            title.unwrap_or_default(),
            escaped(src),
            escaped(label)
        ));
    }

    fn embed(&mut self, node: &Value) {
        let id = attr(node, "id").unwrap_or_default();
        let address = match attr(node, "provider") {
            Some("youtube") => format!("https://www.youtube.com/embed/{id}"),
            Some("rutube") => format!("https://rutube.ru/play/embed/{id}"),
            Some("vimeo") => format!("https://player.vimeo.com/video/{id}"),
            _ => {
                let (owner, video) = id.split_once('_').unwrap_or((id, ""));
                format!("https://vk.com/video_ext.php?oid={owner}&id={video}")
            }
        };
        let title = attr(node, "caption").map(|caption| format!(" title=\"{}\"", escaped(caption)));
        self.push(&format!(
            "<iframe src=\"{}\"{} width=\"640\" height=\"360\" allowfullscreen></iframe>",
            escaped(&address),
            title.unwrap_or_default()
        ));
    }
}

/// Escapes text for HTML and XML. Characters that XML does not allow become spaces.
pub fn escaped(text: &str) -> String {
    xml::escaped(&text.replace(is_invalid, " "))
}
