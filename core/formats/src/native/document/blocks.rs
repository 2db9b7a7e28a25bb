//! Writes blocks as Markdown.

use serde_json::{Value, json};

use super::attrs::Attrs;
use super::inline::{self, LineContext, Style, destination, longest_run, title};
use super::tags::escaped;
use super::{RAW, attr, attr_text, children, kind, reader};

/// Writes the blocks of a normalized document, each in a form that reads back unchanged.
pub fn write(document: &Value) -> String {
    let blocks = children(document);
    if let [only] = blocks
        && only == &json!({ "type": "paragraph" })
    {
        return String::new();
    }
    let texts: Vec<String> = blocks.iter().map(|node| checked(block(node), node)).collect();
    let text = joined(blocks, &texts);
    if reader::read(&text, true).blocks == blocks {
        return text;
    }
    // Adjacent blocks may merge although each alone reads back unchanged.
    let texts: Vec<String> = blocks.iter().map(raw).collect();
    texts.join("\n\n")
}

/// Line ends of files and of quoted lines are normalized when they are read, so a carriage return must not stand in the text.
fn checked(text: String, node: &Value) -> String {
    if !text.contains('\r') && round_trips(&text, node) {
        text
    } else {
        raw(node)
    }
}

fn round_trips(text: &str, node: &Value) -> bool {
    reader::read(text, true).blocks == std::slice::from_ref(node)
}

fn raw(node: &Value) -> String {
    format!("```{RAW}\n{node}\n```")
}

fn joined(blocks: &[Value], texts: &[String]) -> String {
    let mut out = String::new();
    for (index, text) in texts.iter().enumerate() {
        if index > 0 {
            out.push_str("\n\n");
            let before = index.checked_sub(1).and_then(|index| blocks.get(index));
            let same = |a: &Value, b: &Value| {
                is_list(a) && is_list(b) && (kind(a) == "orderedList") == (kind(b) == "orderedList")
            };
            if before
                .zip(blocks.get(index))
                .is_some_and(|(before, now)| same(before, now))
            {
                out.push_str("<!-- -->\n\n");
            }
        }
        out.push_str(text);
    }
    out
}

fn is_list(node: &Value) -> bool {
    matches!(kind(node), "bulletList" | "orderedList" | "taskList")
}

fn blocks_of(node: &Value) -> String {
    let texts: Vec<String> = children(node).iter().map(block).collect();
    joined(children(node), &texts)
}

fn block(node: &Value) -> String {
    match kind(node) {
        "paragraph" => paragraph(node),
        "heading" => heading(node),
        "bulletList" | "orderedList" | "taskList" => list(node),
        "blockquote" => prefix_lines(&blocks_of(node), "> ", "> "),
        "callout" => {
            let kind = match attr_text(node, "kind") {
                Some("tip") => "TIP",
                Some("warning") => "WARNING",
                Some("danger") => "CAUTION",
                _ => "NOTE",
            };
            format!("> [!{kind}]\n{}", prefix_lines(&blocks_of(node), "> ", "> "))
        }
        "codeBlock" => {
            let text = code_block(node);
            if text.contains('\r') { raw(node) } else { text }
        }
        "table" => table(node),
        "image" => image(node),
        "details" => details(node),
        "blockMath" => math(node),
        "horizontalRule" => "***".to_owned(),
        name => directive(name, node),
    }
}

/// Prefixes each line; empty lines get no trailing spaces.
fn prefix_lines(text: &str, first: &str, others: &str) -> String {
    let mut out = String::with_capacity(text.len() + 64);
    for (index, line) in text.split('\n').enumerate() {
        if index > 0 {
            out.push('\n');
        }
        let prefix = if index == 0 { first } else { others };
        if line.is_empty() {
            out.push_str(prefix.trim_end())
        } else {
            out.push_str(prefix)
        }
        out.push_str(line);
    }
    out
}

/// The inline content in the plain style if it reads back unchanged, or else with tags.
fn words(node: &Value, place: LineContext, finish: impl Fn(&str) -> String) -> String {
    let plain = finish(&inline::write(children(node), Style::Plain, place));
    if round_trips(&plain, node) {
        plain
    } else {
        finish(&inline::write(children(node), Style::Tags, place))
    }
}

fn paragraph(node: &Value) -> String {
    if children(node).is_empty() {
        return "<p></p>".to_owned();
    }
    words(node, LineContext::Paragraph, str::to_owned)
}

fn heading(node: &Value) -> String {
    let level = attr(node, "level").and_then(Value::as_u64).unwrap_or(1).min(6);
    let signs: String = (0..level).map(|_| '#').collect();
    words(node, LineContext::Line, |words| {
        format!("{signs} {words}").trim_end().to_owned()
    })
}

/// Inline content on a single line.
fn line(nodes: &[Value]) -> String {
    let paragraph = json!({ "type": "paragraph", "content": nodes });
    if nodes.is_empty() {
        return String::new();
    }
    words(&paragraph, LineContext::Line, str::to_owned)
}

fn list(node: &Value) -> String {
    let items = children(node);
    let tight = items.iter().all(is_tight);
    let start = attr(node, "start").and_then(Value::as_i64).unwrap_or(1);
    let mut out = String::new();
    if let Some(style) = attr_text(node, "type") {
        out.push_str(&format!("<!-- list type=\"{style}\" -->\n"));
    }
    for (number, item) in (start..).zip(items) {
        if number > start {
            out.push_str(if tight { "\n" } else { "\n\n" });
        }
        let marker = match kind(node) {
            "orderedList" => format!("{number}. "),
            _ => "- ".to_owned(),
        };
        let task = match (kind(node), attr(item, "checked")) {
            ("taskList", Some(Value::Bool(true))) => "[x] ",
            ("taskList", _) => "[ ] ",
            _ => "",
        };
        // A task box needs text after it; an empty comment serves as such.
        let words_first = children(item)
            .first()
            .is_some_and(|first| kind(first) == "paragraph" && !children(first).is_empty());
        let placeholder = if task.is_empty() || words_first {
            ""
        } else {
            "<!-- -->\n\n"
        };
        let body = if tight {
            children(item).iter().map(block).collect::<Vec<_>>().join("\n")
        } else {
            blocks_of(item)
        };
        let indent = " ".repeat(marker.len());
        out.push_str(&prefix_lines(&format!("{task}{placeholder}{body}"), &marker, &indent));
    }
    out
}

/// Whether the item can be written without blank lines: a line of text, optionally followed by a list.
fn is_tight(item: &Value) -> bool {
    let mut blocks = children(item).iter();
    let words = blocks
        .next()
        .is_some_and(|first| kind(first) == "paragraph" && !children(first).is_empty());
    // Other blocks could not follow a line of text directly.
    let mut nested = blocks;
    let first = nested.next();
    words
        && nested.next().is_none()
        && first.is_none_or(|list| is_list(list) && list.get("attrs").is_none() && children(list).iter().all(is_tight))
}

fn code_block(node: &Value) -> String {
    let text: String = children(node)
        .iter()
        .filter_map(|text| text.get("text").and_then(Value::as_str))
        .collect();
    let fence = "`".repeat(longest_run(&text, '`').max(2) + 1);
    let mut info = attr_text(node, "language").unwrap_or_default().to_owned();
    if let Some(caption) = attr_text(node, "caption") {
        let mut attrs = Attrs::default();
        attrs.set("caption", caption);
        info = format!("{info} {}", attrs.braced()).trim_start().to_owned();
    }
    // Info strings are parsed with escapes and entities.
    let info = info.replace('\\', "\\\\").replace('&', "&amp;");
    let end = if text.is_empty() { "" } else { "\n" };
    format!("{fence}{info}\n{text}{end}{fence}")
}

fn math(node: &Value) -> String {
    let latex = attr_text(node, "latex").unwrap_or_default();
    let text = format!("$$\n{latex}\n$$");
    if !latex.contains(['$', '\r']) && round_trips(&text, node) {
        text
    } else {
        directive("math", node)
    }
}

fn image(node: &Value) -> String {
    let alt = attr_text(node, "alt").filter(|alt| !alt.is_empty());
    let caption = attr_text(node, "caption").filter(|caption| !caption.is_empty());
    let mut attrs = Attrs::default();
    for (name, shown) in [("alt", alt), ("caption", caption)] {
        if shown.is_none() && attr(node, name).is_some() {
            attrs.set(name, "");
        }
    }
    size(node, &mut attrs);
    let words = alt.map(|alt| {
        inline::write(
            &[json!({ "type": "text", "text": alt })],
            Style::Plain,
            LineContext::Line,
        )
    });
    let src = destination(attr_text(node, "src").unwrap_or_default());
    let caption = caption
        .map(|caption| format!(" {}", title(caption)))
        .unwrap_or_default();
    format!("![{}]({src}{caption}){}", words.unwrap_or_default(), attrs.braced())
}

fn size(node: &Value, attrs: &mut Attrs) {
    for (name, written) in SIZES {
        if let Some(number) = attr(node, name) {
            attrs.set(written, number);
        }
    }
}

/// Attribute names and their names in the format.
pub const SIZES: &[(&str, &str)] = &[
    ("width", "width"),
    ("naturalWidth", "natural-width"),
    ("naturalHeight", "natural-height"),
];

/// A one-line directive `::name attributes` for blocks that Markdown lacks.
fn directive(name: &str, node: &Value) -> String {
    let mut attrs = Attrs::default();
    for attr_name in ["provider", "id", "src", "filename", "latex", "caption"] {
        if let Some(text) = attr_text(node, attr_name) {
            attrs.set(attr_name, text);
        }
    }
    size(node, &mut attrs);
    if let Some(bytes) = attr(node, "size") {
        attrs.set("size", bytes);
    }
    if let Some(content_type) = attr_text(node, "contentType") {
        attrs.set("type", content_type);
    }
    format!("::{name} {}", attrs.spaced())
}

fn details(node: &Value) -> String {
    let [summary, content] = children(node) else {
        return raw(node);
    };
    let open = if attr(node, "open").is_some() { " open" } else { "" };
    let summary = line(children(summary));
    format!(
        "<details{open}>\n<summary>{summary}</summary>\n\n{}\n\n</details>",
        blocks_of(content)
    )
}

fn table(node: &Value) -> String {
    if let Some(text) = plain_table(node)
        && round_trips(&text, node)
    {
        return text;
    }
    let mut out = String::from("<table>\n");
    for row in children(node) {
        out.push_str("<tr>\n");
        for cell in children(row) {
            let tag = if kind(cell) == "tableHeader" { "th" } else { "td" };
            out.push_str(&format!(
                "<{tag}{}>\n\n{}\n\n</{tag}>\n",
                cell_attrs(cell),
                blocks_of(cell)
            ));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</table>");
    out
}

fn cell_attrs(cell: &Value) -> String {
    let mut out = String::new();
    for name in ["colspan", "rowspan"] {
        if let Some(number) = attr(cell, name) {
            out.push_str(&format!(" {name}=\"{number}\""));
        }
    }
    if let Some(widths) = attr(cell, "colwidth").and_then(Value::as_array) {
        let widths: Vec<String> = widths.iter().map(Value::to_string).collect();
        out.push_str(&format!(" colwidth=\"{}\"", widths.join(",")));
    }
    if let Some(align) = attr_text(cell, "align") {
        out.push_str(&format!(" align=\"{}\"", escaped(align)));
    }
    out
}

/// A pipe table, if all cells are single lines and columns have one alignment.
fn plain_table(node: &Value) -> Option<String> {
    let (head, rows) = children(node).split_first()?;
    let align: Vec<Option<&str>> = children(head).iter().map(|cell| attr_text(cell, "align")).collect();
    let mut out = plain_row(head, "tableHeader", &align)?;
    out.push_str("\n|");
    for align in &align {
        out.push_str(match align {
            Some("left") => " :--- |",
            Some("center") => " :---: |",
            Some("right") => " ---: |",
            _ => " --- |",
        });
    }
    for row in rows {
        out.push('\n');
        out.push_str(&plain_row(row, "tableCell", &align)?);
    }
    Some(out)
}

fn plain_row(row: &Value, cells: &str, align: &[Option<&str>]) -> Option<String> {
    let mut out = String::from("|");
    if children(row).len() != align.len() {
        return None;
    }
    for (cell, align) in children(row).iter().zip(align) {
        let [only] = children(cell) else { return None };
        let attrs = cell
            .get("attrs")
            .and_then(Value::as_object)
            .map_or(0, serde_json::Map::len);
        let plain = kind(cell) == cells
            && kind(only) == "paragraph"
            && attr_text(cell, "align") == *align
            && attrs == usize::from(align.is_some());
        if !plain {
            return None;
        }
        let words = escape_bars(&line(children(only)));
        out.push_str(&format!(" {words}{}|", if words.is_empty() { "" } else { " " }));
    }
    Some(out)
}

/// Escapes bars, which end cells even inside code.
fn escape_bars(words: &str) -> String {
    let mut out = String::with_capacity(words.len());
    let mut escaped = false;
    for c in words.chars() {
        if c == '|' && !escaped {
            out.push('\\');
        }
        escaped = c == '\\' && !escaped;
        out.push(c);
    }
    out
}
