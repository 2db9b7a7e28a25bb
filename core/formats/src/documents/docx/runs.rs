//! Converts the runs of a paragraph: formatting, links, images, formulas, footnote references.

use std::fmt::Write as _;

use roxmltree::Node;

use super::body::Body;
use super::math;
use super::parts::{Format, Relations, attr, child, value};
use super::symbols::symbol;
use crate::latex::MAX_LATEX_CHARS;
use crate::note::document::{DrawingKind, Note};
use crate::xml::escaped;
use kurso_base::messages::Lang;

/// English Metric Units per pixel.
const EMU: u64 = 9525;

/// State of a field.
#[derive(Debug)]
enum Field {
    /// Reading the instruction.
    Instruction(String),
    /// Reading the result; true within a link.
    Words(bool),
}

/// A paragraph under construction.
#[derive(Default, Debug)]
pub struct Line {
    pub html: String,
    /// The text without markup.
    pub text: String,
    /// All text is in a monospaced font.
    pub only_code: bool,
    pub has_words: bool,
    /// HTML of the text boxes in the paragraph.
    pub boxes: String,
    fields: Vec<Field>,
    format: String,
}

impl Body<'_> {
    /// Reads the paragraph, whose style has the formatting `base`.
    pub fn line(&mut self, paragraph: Node<'_, '_>, base: Format, relations: &Relations) -> Line {
        let mut line = Line {
            only_code: true,
            ..Line::default()
        };
        self.content(paragraph, base, relations, &mut line);
        line.set_marks("");
        while let Some(field) = line.fields.pop() {
            if matches!(field, Field::Words(true)) {
                line.html.push_str("</a>");
            }
        }
        line
    }

    fn link(&mut self, node: Node<'_, '_>, href: Option<String>, base: Format, relations: &Relations, line: &mut Line) {
        line.set_marks("");
        if let Some(href) = &href {
            let _ = write!(line.html, "<a href=\"{}\">", escaped(href));
        }
        self.content(node, base, relations, line);
        line.set_marks("");
        if href.is_some() {
            line.html.push_str("</a>");
        }
    }

    fn content(&mut self, parent: Node<'_, '_>, base: Format, relations: &Relations, line: &mut Line) {
        for node in parent.children().filter(Node::is_element) {
            match node.tag_name().name() {
                "r" => self.run(node, base, relations, line),
                "hyperlink" => {
                    let outside = attr(node, "id")
                        .and_then(|id| relations.get(id))
                        .map(|(target, _)| target.clone());
                    let href = match (outside, attr(node, "anchor")) {
                        (Some(target), Some(anchor)) => Some(format!("{target}#{anchor}")),
                        (Some(target), None) => Some(target),
                        (None, Some(anchor)) => Some(format!("#{anchor}")),
                        (None, None) => None,
                    };
                    self.link(node, href, base, relations, line);
                }
                "fldSimple" => {
                    let href = attr(node, "instr").and_then(hyperlink);
                    self.link(node, href, base, relations, line);
                }
                "bookmarkStart" => {
                    if let Some(name) = attr(node, "name").filter(|name| !name.starts_with("_GoBack")) {
                        line.set_marks("");
                        let _ = write!(line.html, "<a id=\"{}\"></a>", escaped(name));
                    }
                }
                "ins" | "moveTo" => {
                    self.changes += 1;
                    self.content(node, base, relations, line);
                }
                "del" | "moveFrom" => self.changes += 1,
                "commentRangeStart" => self.comments += 1,
                "sdt" | "sdtContent" | "smartTag" | "customXml" | "dir" | "bdo" => {
                    self.content(node, base, relations, line);
                }
                "oMath" => self.formula(node, false, line),
                "oMathPara" => {
                    for formula in node.children().filter(|child| child.tag_name().name() == "oMath") {
                        self.formula(formula, true, line);
                    }
                }
                "AlternateContent" => self.alternate(node, base, relations, line),
                _ => {}
            }
        }
    }

    fn formula(&mut self, node: Node<'_, '_>, display: bool, line: &mut Line) {
        let (latex, complete) = math::latex(node);
        if latex.is_empty() {
            return;
        }
        if !complete {
            self.notes.push(Note::Math);
        }
        line.set_marks("");
        if latex.chars().count() > MAX_LATEX_CHARS {
            self.notes.push(Note::LongMath(MAX_LATEX_CHARS));
            let _ = write!(line.html, "<code>{}</code>", escaped(&latex));
            (line.only_code, line.has_words) = (false, true);
            return line.text.push_str(&latex);
        }
        let kind = if display { "display" } else { "inline" };
        let _ = write!(line.html, "<span data-math=\"{kind}\">{}</span>", escaped(&latex));
        (line.only_code, line.has_words) = (false, true);
        line.text.push_str(&latex);
    }

    /// Formulas between paragraphs as HTML.
    pub(super) fn display(&mut self, node: Node<'_, '_>) -> String {
        let mut line = Line::default();
        for formula in node.descendants().filter(|inner| inner.tag_name().name() == "oMath") {
            self.formula(formula, true, &mut line);
        }
        line.html
    }

    /// Uses the first alternative, or the fallback if that one has no readable content.
    fn alternate(&mut self, node: Node<'_, '_>, base: Format, relations: &Relations, line: &mut Line) {
        let choice = child(node, "Choice");
        let shows = |node: &Node<'_, '_>| {
            node.descendants().any(|inner| {
                matches!(
                    inner.tag_name().name(),
                    "blip" | "imagedata" | "txbxContent" | "oMath" | "t"
                )
            })
        };
        let chosen = choice.filter(shows).or_else(|| child(node, "Fallback")).or(choice);
        if let Some(chosen) = chosen {
            self.run(chosen, base, relations, line);
        }
    }

    fn run(&mut self, run: Node<'_, '_>, base: Format, relations: &Relations, line: &mut Line) {
        let properties = child(run, "rPr");
        let style = properties.and_then(|properties| value(properties, "rStyle"));
        let mut format = properties.map(Format::read).unwrap_or_default();
        if let Some(style) = style {
            format = format.inherit(self.parts.styles.format(style));
            if self.parts.styles.is_code(style) {
                format.code = Some(true);
            }
        }
        let format = format.inherit(base);
        if format.hidden == Some(true) {
            self.hidden += 1;
            return;
        }
        let marks = marks(format);
        for node in run.children().filter(Node::is_element) {
            match node.tag_name().name() {
                "t" => self.words(node.text().unwrap_or_default(), format, &marks, line),
                "tab" => self.words("\t", format, &marks, line),
                "noBreakHyphen" => self.words("\u{2011}", format, &marks, line),
                "br" | "cr" if matches!(attr(node, "type"), Some("page" | "column")) => {}
                "br" | "cr" => {
                    line.html.push_str("<br>");
                    line.text.push('\n');
                }
                "sym" => {
                    let (font, place) = (attr(node, "font"), attr(node, "char"));
                    let symbol = symbol(font.unwrap_or_default(), place.unwrap_or_default());
                    self.symbols += usize::from(symbol.is_none());
                    self.words(&symbol.unwrap_or('•').to_string(), format, &marks, line);
                }
                "footnoteReference" | "endnoteReference" => {
                    let kind = node.tag_name().name().trim_end_matches("Reference");
                    if let Some(id) = attr(node, "id") {
                        let number = self.note_number(kind, id);
                        line.set_marks("");
                        let _ = write!(line.html, "<sup><a href=\"#{kind}-{}\">{number}</a></sup>", escaped(id));
                    }
                }
                "fldChar" => field(attr(node, "fldCharType").unwrap_or_default(), line),
                "instrText" => {
                    if let Some(Field::Instruction(text)) = line.fields.last_mut() {
                        text.push_str(node.text().unwrap_or_default());
                    }
                }
                // Inside alternative content.
                "r" => self.run(node, base, relations, line),
                // Base text with its reading above it.
                "ruby" => {
                    for (part, before, after) in [("rubyBase", "", ""), ("rt", " (", ")")] {
                        let Some(part) = child(node, part) else { continue };
                        self.words(before, format, &marks, line);
                        self.content(part, base, relations, line);
                        self.words(after, format, &marks, line);
                    }
                }
                "drawing" | "pict" | "object" => self.drawing(node, relations, line),
                "AlternateContent" => self.alternate(node, base, relations, line),
                "oMath" => self.formula(node, false, line),
                _ => {}
            }
        }
    }

    fn words(&mut self, text: &str, format: Format, marks: &str, line: &mut Line) {
        if matches!(line.fields.last(), Some(Field::Instruction(_))) {
            return;
        }
        let is_space = text.trim().is_empty();
        line.set_marks(marks);
        line.html.push_str(&escaped(text));
        line.text.push_str(text);
        line.has_words |= !is_space;
        line.only_code &= is_space || format.code == Some(true);
    }

    fn drawing(&mut self, drawing: Node<'_, '_>, relations: &Relations, line: &mut Line) {
        let mut shown = false;
        let description = drawing
            .descendants()
            .find(|node| node.tag_name().name() == "docPr")
            .and_then(|node| attr(node, "descr").or_else(|| attr(node, "title")));
        let width = drawing
            .descendants()
            .find(|node| node.tag_name().name() == "extent")
            .and_then(|extent| attr(extent, "cx")?.parse::<u64>().ok())
            .map(|emu| emu / EMU);
        for node in drawing.descendants() {
            let id = match node.tag_name().name() {
                "blip" => attr(node, "embed").or_else(|| attr(node, "link")),
                "imagedata" => attr(node, "id"),
                _ => None,
            };
            let Some((target, _)) = id.and_then(|id| relations.get(id)) else {
                continue;
            };
            line.set_marks("");
            let alt = description.filter(|text| !text.trim().is_empty());
            let alt = escaped(alt.unwrap_or_else(|| self.metafile_name(drawing, target)));
            let _ = write!(line.html, "<img src=\"{}\" alt=\"{alt}\"", escaped(target));
            if let Some(width) = width.filter(|width| (16..=4000).contains(width)) {
                let _ = write!(line.html, " width=\"{width}\"");
            }
            line.html.push('>');
            (line.only_code, line.has_words, shown) = (false, true, true);
        }
        let boxes: Vec<Node<'_, '_>> = drawing
            .descendants()
            .filter(|node| node.tag_name().name() == "txbxContent")
            // Nested boxes are read with the outer one.
            .filter(|node| {
                let mut between = node.ancestors().skip(1).take_while(|above| *above != drawing);
                between.all(|above| above.tag_name().name() != "txbxContent")
            })
            .collect();
        for content in boxes {
            if self.enter_box() {
                let html = self.separate_html(content, relations);
                line.boxes.push_str(&html);
                self.leave_box();
            }
            shown = true;
        }
        if !shown {
            let has = |name: &str| drawing.descendants().any(|node| node.tag_name().name() == name);
            let kind = match () {
                () if has("chart") => DrawingKind::Chart,
                () if has("relIds") => DrawingKind::Diagram,
                () if drawing.tag_name().name() == "object" => DrawingKind::Object,
                () => DrawingKind::Shape,
            };
            self.notes.push(Note::Drawing(kind));
        }
    }
}

impl Body<'_> {
    /// What stands in place of a picture that browsers cannot show: a Windows metafile, which old versions of Word write for
    /// formulas.
    fn metafile_name(&self, drawing: Node<'_, '_>, target: &str) -> &'static str {
        let target = target.to_ascii_lowercase();
        if !target.ends_with(".wmf") && !target.ends_with(".emf") {
            return "";
        }
        let mut parts = drawing.descendants();
        let is_formula = parts.any(|node| attr(node, "ProgID").is_some_and(|program| program.starts_with("Equation")));
        match (is_formula, self.parts.lang) {
            (true, Lang::En) => "[formula]",
            (true, Lang::Ru) => "[формула]",
            (false, Lang::En) => "[picture]",
            (false, Lang::Ru) => "[картинка]",
        }
    }
}

impl Line {
    /// Closes and opens tags to change the formatting; `marks` are tag names.
    fn set_marks(&mut self, marks: &str) {
        if self.format == marks {
            return;
        }
        for mark in self.format.split(' ').rev().filter(|mark| !mark.is_empty()) {
            let _ = write!(self.html, "</{mark}>");
        }
        for mark in marks.split(' ').filter(|mark| !mark.is_empty()) {
            let _ = write!(self.html, "<{mark}>");
        }
        marks.clone_into(&mut self.format);
    }
}

/// The tag names of the formatting, separated by spaces.
fn marks(format: Format) -> String {
    let mut tags = Vec::new();
    let mut push = |is: Option<bool>, tag| {
        if is == Some(true) {
            tags.push(tag);
        }
    };
    push(format.bold, "strong");
    push(format.italic, "em");
    push(format.underline, "u");
    push(format.strike, "s");
    push(format.highlight, "mark");
    push(format.code, "code");
    push(format.vertical_shift.map(|vertical_shift| vertical_shift > 0), "sup");
    push(format.vertical_shift.map(|vertical_shift| vertical_shift < 0), "sub");
    tags.join(" ")
}

/// Handles `begin`, `separate` and `end` of a field. Only hyperlinks are supported.
fn field(kind: &str, line: &mut Line) {
    match kind {
        "begin" => line.fields.push(Field::Instruction(String::new())),
        "separate" => {
            if let Some(Field::Instruction(text)) = line.fields.pop() {
                let href = hyperlink(&text);
                if let Some(href) = &href {
                    line.set_marks("");
                    let _ = write!(line.html, "<a href=\"{}\">", escaped(href));
                }
                line.fields.push(Field::Words(href.is_some()));
            }
        }
        "end" => {
            if let Some(Field::Words(true)) = line.fields.pop() {
                line.set_marks("");
                line.html.push_str("</a>");
            }
        }
        _ => {}
    }
}

/// The target of `HYPERLINK "https://example.com" \l "place"`.
fn hyperlink(instruction: &str) -> Option<String> {
    let rest = instruction.trim().strip_prefix("HYPERLINK")?;
    let quoted = |text: &str| text.split('"').nth(1).map(str::to_owned);
    match rest.split_once("\\l") {
        Some((before, place)) => {
            let place = quoted(place)?;
            Some(format!("{}#{place}", quoted(before).unwrap_or_default()))
        }
        None => quoted(rest),
    }
}
