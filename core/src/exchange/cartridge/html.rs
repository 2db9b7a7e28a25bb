//! Documents as HTML that any reader of cartridges shows, and that ours reads back as the same document.

use std::collections::HashMap;

use scraper::Html;
use serde_json::{Value, json};

use crate::content::{self, Anchors, heading_text};
use crate::exchange::course::FileDraft;
use crate::exchange::html::{Host, HtmlOptions, Media, convert};
use crate::exchange::native::document::normal;
use crate::exchange::note::{FileTrouble, Note};

/// How texts of cartridges are read.
pub const OPTIONS: HtmlOptions = HtmlOptions {
    tex_math: true,
    details: "…",
};

/// The HTML of a document whose addresses are those of the package; `files` are by these addresses.
pub fn write(document: &Value, files: &HashMap<String, FileDraft>) -> String {
    let mut writer = Writer::default();
    let blocks = children(document);
    for node in blocks {
        let from = writer.out.len();
        writer.block(node);
        let made = writer.out.split_off(from);
        // A text of others that has a heading of the first level is read one level lower.
        let comes_back = !has_first_level(node) && read(&made, files).is_some_and(|read| read == [normal(node)]);
        writer.out.push_str(&match comes_back {
            true => made,
            false => marked(node, &made),
        });
        writer.out.push('\n');
    }
    let whole = read(&writer.out, files);
    let same: Vec<Value> = blocks.iter().map(normal).collect();
    // An empty page is an empty text.
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

/// A block that HTML has no word for keeps its own beside the words.
fn marked(node: &Value, html: &str) -> String {
    format!("<div data-kurso=\"{}\">{html}</div>", escaped(&node.to_string()))
}

/// Words of a node as they are in its HTML.
pub fn words(node: &Value) -> String {
    let mut writer = Writer::default();
    writer.block(node);
    let html = Html::parse_fragment(&writer.out);
    squeezed(&html.root_element().text().collect::<String>())
}

/// Without white space: what moves when a text is formatted anew.
pub fn squeezed(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// Reads what was written, with the addresses as they are.
fn read(html: &str, files: &HashMap<String, FileDraft>) -> Option<Vec<Value>> {
    let mut host = Echo {
        files,
        back: None,
        good: true,
    };
    let converted = convert(html, OPTIONS, &mut host).ok()?;
    host.good.then(|| converted.blocks.iter().map(normal).collect())
}

/// A host to read back what was just written.
pub struct Echo<'a> {
    /// By their addresses in the package.
    pub files: &'a HashMap<String, FileDraft>,
    /// What the addresses were before; None: they are wanted as they are.
    pub back: Option<&'a HashMap<String, String>>,
    /// Nothing was said of it.
    pub good: bool,
}

impl Echo<'_> {
    fn was(&self, address: &str) -> String {
        let known = self.back.and_then(|back| back.get(address)).cloned();
        known.unwrap_or_else(|| address.to_owned())
    }
}

impl Host for Echo<'_> {
    fn link(&mut self, href: &str, _: usize) -> Option<String> {
        Some(self.was(href))
    }

    fn shown(&mut self, src: &str, _: usize, _: &[&str], _: FileTrouble) -> Option<Media> {
        let file = self.files.get(src);
        Some(Media {
            address: self.was(src),
            content_type: file.map_or("image/png", |file| file.content_type),
            width: file.and_then(|file| file.width),
            height: file.and_then(|file| file.height),
        })
    }

    fn note(&mut self, _: Note, _: usize) {
        self.good = false;
    }

    fn written(&mut self, node: &str, words: &str) -> Option<Value> {
        let mut node: Value = serde_json::from_str(node).ok()?;
        let same = squeezed(words) == self::words(&node);
        content::map_addresses(&mut node, |address| Some(self.was(address)));
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

fn children(node: &Value) -> &[Value] {
    node.get("content").and_then(Value::as_array).map_or(&[], Vec::as_slice)
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

    fn put(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// An element around the blocks of a node.
    fn around(&mut self, open: &str, node: &Value, close: &str) {
        self.put(open);
        self.blocks(node);
        self.put(close);
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
            "bulletList" => self.around("<ul>", node, "</ul>"),
            "taskList" => self.around("<ul class=\"tasks\">", node, "</ul>"),
            "orderedList" => {
                let mut open = "<ol".to_owned();
                if let Some(start) = number(node, "start").filter(|start| *start != 1) {
                    open.push_str(&format!(" start=\"{start}\""));
                }
                if let Some(kind) = attr(node, "type") {
                    open.push_str(&format!(" type=\"{}\"", escaped(kind)));
                }
                self.around(&(open + ">"), node, "</ol>");
            }
            "listItem" => self.around("<li>", node, "</li>"),
            "taskItem" => {
                let checked = node.pointer("/attrs/checked").is_some_and(|value| value == true);
                let checked = if checked { " checked" } else { "" };
                let open = format!("<li><input type=\"checkbox\" disabled{checked}>");
                self.around(&open, node, "</li>");
            }
            "blockquote" => self.around("<blockquote>", node, "</blockquote>"),
            "callout" => {
                let kind = attr(node, "kind").unwrap_or("note");
                let open = format!("<blockquote data-callout=\"{}\">", escaped(kind));
                self.around(&open, node, "</blockquote>");
            }
            "codeBlock" => self.code(node),
            "table" => self.around("<table><tbody>", node, "</tbody></table>"),
            "tableRow" => self.around("<tr>", node, "</tr>"),
            "tableHeader" => self.cell("th", node),
            "tableCell" => self.cell("td", node),
            "image" => self.image(node),
            "video" => self.player("video", node),
            "audio" => self.player("audio", node),
            "embed" => self.embed(node),
            "attachment" => {
                let name = attr(node, "filename").unwrap_or_default();
                let src = attr(node, "src").unwrap_or_default();
                self.put(&format!(
                    "<p><a class=\"instructure_file_link\" href=\"{}\">{}</a></p>",
                    escaped(src),
                    escaped(name)
                ));
            }
            "details" => {
                let open = node.pointer("/attrs/open").is_some_and(|value| value == true);
                self.around(if open { "<details open>" } else { "<details>" }, node, "</details>");
            }
            "detailsSummary" => self.line("summary", "", node),
            "detailsContent" => self.blocks(node),
            "blockMath" => {
                let latex = attr(node, "latex").unwrap_or_default();
                self.put(&format!("<p>\\[{}\\]</p>", escaped(latex)));
            }
            "horizontalRule" => self.put("<hr>"),
            _ => self.inline(node),
        }
    }

    fn line(&mut self, name: &str, attrs: &str, node: &Value) {
        self.put(&format!("<{name}{attrs}>"));
        for child in children(node) {
            self.inline(child);
        }
        self.put(&format!("</{name}>"));
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
                    self.put(&format!("<a href=\"{}\">", escaped(href)));
                    close.push("a");
                    continue;
                }
                _ => continue,
            };
            self.put(&format!("<{name}>"));
            close.push(name);
        }
        match kind(node) {
            "text" => self.put(&escaped(node.get("text").and_then(Value::as_str).unwrap_or_default())),
            "hardBreak" => self.put("<br>"),
            "inlineMath" => {
                let latex = attr(node, "latex").unwrap_or_default();
                self.put(&format!("\\({}\\)", escaped(latex)));
            }
            "blank" => self.put("_____"),
            _ => {}
        }
        for name in close.iter().rev() {
            self.put(&format!("</{name}>"));
        }
    }

    fn code(&mut self, node: &Value) {
        let caption = attr(node, "caption").map(|caption| format!(" data-caption=\"{}\"", escaped(caption)));
        let language = attr(node, "language").map(|name| format!(" class=\"language-{}\"", escaped(name)));
        self.put(&format!(
            "<pre{}><code{}>",
            caption.unwrap_or_default(),
            language.unwrap_or_default()
        ));
        let text: String = children(node)
            .iter()
            .filter_map(|text| text.get("text").and_then(Value::as_str))
            .collect();
        // The first and the last line break of an element of code are not read.
        self.put(&escaped(&text));
        if !text.is_empty() {
            self.put("\n");
        }
        self.put("</code></pre>");
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
        self.around(&(open + ">"), node, &format!("</{name}>"));
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
            Some(caption) => self.put(&format!(
                "<figure>{tag}<figcaption>{}</figcaption></figure>",
                escaped(caption)
            )),
            None => self.put(&format!("<p>{tag}</p>")),
        }
    }

    fn player(&mut self, name: &str, node: &Value) {
        let src = attr(node, "src").unwrap_or_default();
        // A file says itself whether it plays pictures.
        let title = attr(node, "caption").map(|caption| format!(" title=\"{}\"", escaped(caption)));
        let label = attr(node, "caption").unwrap_or("▶");
        self.put(&format!(
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
        self.put(&format!(
            "<iframe src=\"{}\"{} width=\"640\" height=\"360\" allowfullscreen></iframe>",
            escaped(&address),
            title.unwrap_or_default()
        ));
    }
}

/// For a text or an attribute, in HTML and in XML. What XML has no place for is a space.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if (c < ' ' && !matches!(c, '\t' | '\n' | '\r')) || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
