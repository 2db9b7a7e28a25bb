//! Writes documents as HTML like the web app (`web/src/content/`).

use std::io::{self, Write};

use math_core::MathDisplay;
use serde_json::Value;

use super::figures::as_download;
use super::{Site, code, escaped, fragment, media};
use crate::content::schema::MAX_DEPTH;
use crate::content::{Anchors, Href, decoded, heading_text};
use crate::note::Note;
use crate::report::Report;

/// Writes the documents of one page.
pub struct PageWriter<'a, 'b> {
    pub site: &'a Site<'a>,
    pub out: &'b mut dyn Write,
    pub report: &'b mut Report,
    pub embedded: &'b mut media::Embedded,
    /// The name of the page in the report.
    pub place: String,
    /// The anchor of the page, which prefixes those of its headings. `None` within questions, whose headings have no
    /// anchors.
    pub scope: Option<String>,
    pub anchors: Anchors,
    /// Levels of the enclosing headings, and the rank of the outermost.
    pub above: Vec<u64>,
    pub rank: usize,
}

const MARKS: [&str; 9] = [
    "link",
    "bold",
    "italic",
    "underline",
    "strike",
    "highlight",
    "subscript",
    "superscript",
    "code",
];

const CALLOUTS: [(&str, &str); 4] = [
    ("note", "M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18M12 11v5M12 8v.01"),
    (
        "tip",
        "M9 18h6M10 21h4M12 3a6 6 0 0 0-3.6 10.8c.5.4.6 1 .6 1.7h6c0-.7.1-1.3.6-1.7A6 6 0 0 0 12 3",
    ),
    ("warning", "M12 4 2.8 20h18.4zM12 10v4M12 17v.01"),
    (
        "danger",
        "M8.3 3h7.4L21 8.3v7.4L15.7 21H8.3L3 15.7V8.3zM12 8v4M12 16v.01",
    ),
];

impl PageWriter<'_, '_> {
    /// The blocks of a document.
    pub fn document(&mut self, document: &Value) -> io::Result<()> {
        self.blocks(document, 0)
    }

    fn blocks(&mut self, node: &Value, depth: usize) -> io::Result<()> {
        if depth < MAX_DEPTH {
            for child in list(node, "content") {
                self.block(child, depth + 1)?;
            }
        }
        Ok(())
    }

    /// An element with the blocks of a node.
    fn element(&mut self, open: &str, close: &str, node: &Value, depth: usize) -> io::Result<()> {
        write!(self.out, "<{open}>")?;
        self.blocks(node, depth)?;
        write!(self.out, "</{close}>")
    }

    fn line(&mut self, open: &str, close: &str, node: &Value) -> io::Result<()> {
        write!(self.out, "<{open}>")?;
        self.inline(list(node, "content"))?;
        write!(self.out, "</{close}>")
    }

    fn block(&mut self, node: &Value, depth: usize) -> io::Result<()> {
        match kind(node) {
            "paragraph" => self.line("p", "p", node),
            "heading" => self.heading(node),
            "bulletList" => self.element("ul", "ul", node, depth),
            "orderedList" => {
                let start = number(node, "start").filter(|start| *start != 1);
                let start = start.map(|start| format!(" start=\"{start}\"")).unwrap_or_default();
                let style = text(node, "type").filter(|style| ["a", "A", "i", "I"].contains(style));
                let style = style.map(|style| format!(" type=\"{style}\"")).unwrap_or_default();
                self.element(&format!("ol{start}{style}"), "ol", node, depth)
            }
            "listItem" => self.element("li", "li", node, depth),
            "taskList" => self.element("ul class=\"tasks\"", "ul", node, depth),
            "taskItem" => {
                let (mark, said) = if flag(node, "checked") {
                    (" class=\"done\"", "☑")
                } else {
                    ("", "☐")
                };
                write!(self.out, "<li{mark}><span class=\"box\">{said}</span>")?;
                self.element("div", "div", node, depth)?;
                write!(self.out, "</li>")
            }
            "blockquote" => self.element("blockquote", "blockquote", node, depth),
            "codeBlock" => self.code(node),
            "table" => self.table(node, depth),
            "tableRow" => self.element("tr", "tr", node, depth),
            kind @ ("tableHeader" | "tableCell") => {
                let tag = if kind == "tableHeader" { "th" } else { "td" };
                let mut open = tag.to_owned();
                for name in ["colspan", "rowspan"] {
                    if let Some(span) = number(node, name).filter(|span| (2..=1000).contains(span)) {
                        open.push_str(&format!(" {name}=\"{span}\""));
                    }
                }
                if let Some(align) = text(node, "align").filter(|align| ["left", "center", "right"].contains(align)) {
                    open.push_str(&format!(" data-align=\"{align}\""));
                }
                self.element(&open, tag, node, depth)
            }
            "image" => self.image(node),
            kind @ ("video" | "audio") => self.player(node, kind),
            "embed" => self.embed(node),
            "attachment" => self.attachment(node),
            "callout" => {
                let said = text(node, "kind").unwrap_or("note");
                let at = CALLOUTS.iter().position(|(kind, _)| *kind == said).unwrap_or_default();
                let (kind, icon) = CALLOUTS.get(at).copied().unwrap_or_default();
                let title = self.site.labels.callouts.get(at).copied().unwrap_or_default();
                write!(
                    self.out,
                    "<div role=\"note\" aria-label=\"{title}\" class=\"callout {kind}\"><div class=\"callout-title\">\
                     <svg viewBox=\"0 0 24 24\" aria-hidden=\"true\"><path d=\"{icon}\"/></svg>{title}</div>"
                )?;
                self.blocks(node, depth)?;
                write!(self.out, "</div>")
            }
            "details" => {
                let open = if flag(node, "open") { "details open" } else { "details" };
                self.element(open, "details", node, depth)
            }
            "detailsSummary" => self.line("summary", "summary", node),
            "detailsContent" => self.element("div class=\"inside\"", "div", node, depth),
            "blockMath" => {
                let html = self
                    .site
                    .math
                    .html(text(node, "latex").unwrap_or_default(), MathDisplay::Block);
                write!(self.out, "<div class=\"math\">{html}</div>")
            }
            "horizontalRule" => write!(self.out, "<hr>"),
            _ => self.blocks(node, depth),
        }
    }

    /// The level in the document sets the style; the nesting sets the HTML heading rank.
    fn heading(&mut self, node: &Value) -> io::Result<()> {
        let level = number(node, "level").unwrap_or(2).clamp(1, 4);
        while self.above.last().is_some_and(|above| *above >= level) {
            self.above.pop();
        }
        let rank = (self.rank + self.above.len()).min(6);
        self.above.push(level);
        let id = match (&self.scope, self.anchors.next(&heading_text(node))) {
            (Some(scope), Some(anchor)) => format!(" id=\"{}\"", escaped(&format!("{scope}/{anchor}"))),
            _ => String::new(),
        };
        self.line(&format!("h{rank} class=\"l{level}\"{id}"), &format!("h{rank}"), node)
    }

    fn code(&mut self, node: &Value) -> io::Result<()> {
        let labels = self.site.labels;
        let caption = text(node, "caption").filter(|caption| !caption.is_empty());
        let language = text(node, "language").filter(|language| !language.is_empty());
        let plain: String = list(node, "content")
            .iter()
            .filter_map(|piece| piece.get("text")?.as_str())
            .collect();
        write!(self.out, "<figure class=\"code\">")?;
        let label = language.and_then(code::label);
        if caption.is_some() || label.is_some() {
            write!(self.out, "<figcaption>")?;
            if let Some(caption) = caption {
                write!(self.out, "<b>{}</b>", escaped(caption))?;
            }
            if let Some(label) = label {
                write!(self.out, "<span>{}</span>", escaped(label))?;
            }
            write!(self.out, "</figcaption>")?;
        }
        let named = escaped(caption.unwrap_or(labels.code));
        write!(
            self.out,
            "<pre tabindex=\"0\" role=\"group\" aria-label=\"{named}\"><code>{}</code></pre></figure>",
            code::highlighted(&plain, language)
        )
    }

    /// Leading rows of header cells form the table head.
    fn table(&mut self, node: &Value, depth: usize) -> io::Result<()> {
        let rows = list(node, "content");
        let is_head = |row: &&Value| {
            let cells = list(row, "content");
            !cells.is_empty() && cells.iter().all(|cell| kind(cell) == "tableHeader")
        };
        let (head, body) = rows
            .split_at_checked(rows.iter().take_while(is_head).count())
            .unwrap_or((rows, &[]));
        write!(
            self.out,
            "<div class=\"table\" role=\"group\" tabindex=\"0\" aria-label=\"{}\"><table>",
            self.site.labels.table
        )?;
        for (part, rows) in [("thead", head), ("tbody", body)] {
            if rows.is_empty() {
                continue;
            }
            write!(self.out, "<{part}>")?;
            for row in rows {
                self.block(row, depth + 1)?;
            }
            write!(self.out, "</{part}>")?;
        }
        write!(self.out, "</table></div>")
    }

    /// Text, breaks and formulas; adjacent nodes with the same mark share an element.
    pub fn inline(&mut self, nodes: &[Value]) -> io::Result<()> {
        let pieces: Vec<(&Value, Vec<&Value>)> = nodes
            .iter()
            .map(|node| {
                let mut marks: Vec<&Value> = list(node, "marks").iter().collect();
                marks.sort_by_key(|mark| MARKS.iter().position(|name| *name == kind(mark)));
                (node, marks)
            })
            .collect();
        self.pieces(&pieces, 0)
    }

    /// `done` is the number of marks already opened.
    fn pieces(&mut self, mut pieces: &[(&Value, Vec<&Value>)], done: usize) -> io::Result<()> {
        while let Some(((node, marks), others)) = pieces.split_first() {
            let Some(mark) = marks.get(done) else {
                self.inline_node(node)?;
                pieces = others;
                continue;
            };
            let same = |other: &&(&Value, Vec<&Value>)| {
                other
                    .1
                    .get(done)
                    .is_some_and(|of| kind(of) == kind(mark) && text(of, "href") == text(mark, "href"))
            };
            let count = pieces.iter().take_while(same).count().max(1);
            let (inside, after) = pieces.split_at_checked(count).unwrap_or((pieces, &[]));
            let close = self.open(mark)?;
            self.pieces(inside, done + 1)?;
            write!(self.out, "{close}")?;
            pieces = after;
        }
        Ok(())
    }

    fn inline_node(&mut self, node: &Value) -> io::Result<()> {
        match kind(node) {
            "text" => {
                let words = node.get("text").and_then(Value::as_str).unwrap_or_default();
                write!(self.out, "{}", escaped(words))
            }
            "hardBreak" => write!(self.out, "<br>"),
            "inlineMath" => {
                let latex = text(node, "latex").unwrap_or_default();
                write!(self.out, "{}", self.site.math.html(latex, MathDisplay::Inline))
            }
            "blank" => write!(
                self.out,
                "<span class=\"blank\" role=\"img\" aria-label=\"{}\"></span>",
                self.site.labels.blank
            ),
            _ => Ok(()),
        }
    }

    /// Opens a mark; returns its closing tag.
    fn open(&mut self, mark: &Value) -> io::Result<&'static str> {
        let (open, close) = match kind(mark) {
            "bold" => ("<strong>", "</strong>"),
            "italic" => ("<em>", "</em>"),
            "underline" => ("<u>", "</u>"),
            "strike" => ("<s>", "</s>"),
            "highlight" => ("<mark>", "</mark>"),
            "subscript" => ("<sub>", "</sub>"),
            "superscript" => ("<sup>", "</sup>"),
            "code" => ("<code>", "</code>"),
            "link" => return self.link(text(mark, "href").unwrap_or_default()),
            _ => ("", ""),
        };
        write!(self.out, "{open}")?;
        Ok(close)
    }

    fn link(&mut self, href: &str) -> io::Result<&'static str> {
        match Href::parse(href) {
            Some(Href::Web(address)) => write!(
                self.out,
                "<a href=\"{}\" class=\"leaves\" target=\"_blank\" rel=\"noopener noreferrer\">",
                escaped(address)
            )?,
            Some(Href::Mail(address)) => write!(self.out, "<a href=\"{}\">", escaped(address))?,
            Some(Href::Anchor(anchor)) => {
                let Some(scope) = &self.scope else { return Ok("") };
                write!(
                    self.out,
                    "<a href=\"#{}\">",
                    fragment(&format!("{scope}/{}", decoded(anchor)))
                )?;
            }
            Some(Href::Page { page, anchor }) => {
                // Unpublished pages are not included; only the text of the link stays.
                let Some(scope) = self.site.anchors.get(&page) else {
                    return Ok("");
                };
                let anchor = match anchor {
                    Some(anchor) => format!("{scope}/{}", decoded(anchor)),
                    None => scope.clone(),
                };
                write!(self.out, "<a href=\"#{}\">", fragment(&anchor))?;
            }
            Some(Href::File(address)) => {
                let Some(file) = self.site.files.get(address.key).copied().map(as_download) else {
                    return Ok("");
                };
                let Some(place) = self.embedded.place(&file) else {
                    self.report.add(self.place.clone(), Note::LeftOut(file.filename));
                    return Ok("");
                };
                write!(self.out, "<a download=\"{}\"", escaped(&address.decoded_name()))?;
                self.embedded.write(&file, "href", place, self.out)?;
                write!(self.out, ">")?;
            }
            None => return Ok(""),
        }
        Ok("</a>")
    }
}

fn kind(node: &Value) -> &str {
    node.get("type").and_then(Value::as_str).unwrap_or_default()
}

fn list<'a>(node: &'a Value, field: &str) -> &'a [Value] {
    node.get(field).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

pub fn text<'a>(node: &'a Value, name: &str) -> Option<&'a str> {
    node.get("attrs")?.get(name)?.as_str()
}

pub fn number(node: &Value, name: &str) -> Option<u64> {
    node.get("attrs")?.get(name)?.as_u64()
}

fn flag(node: &Value, name: &str) -> bool {
    let value = node.get("attrs").and_then(|attrs| attrs.get(name));
    value.and_then(Value::as_bool).unwrap_or(false)
}
