//! Element names by their treatment.

use scraper::ElementRef;
use serde_json::{Value, json};

use super::node;

/// Elements without a node, whose content is kept.
pub const KEPT_CONTENT: &[&str] = &[
    "a", "abbr", "acronym", "address", "article", "aside", "bdi", "bdo", "big", "body", "center", "data", "div",
    "fieldset", "figure", "font", "footer", "form", "header", "hgroup", "html", "label", "legend", "main", "nav",
    "nobr", "p", "picture", "q", "rp", "rt", "ruby", "search", "section", "small", "span", "thead", "tbody", "tfoot",
    "time", "wbr",
];

/// Elements that are dropped with their content.
pub const DROPPED: &[&str] = &[
    "applet", "area", "base", "basefont", "bgsound", "button", "canvas", "col", "colgroup", "datalist", "dialog",
    "embed", "frame", "frameset", "head", "input", "link", "map", "meta", "meter", "noembed", "noframes", "noscript",
    "object", "optgroup", "option", "output", "param", "progress", "script", "select", "style", "svg", "template",
    "textarea", "title",
];

/// Elements with a meaning in the document.
const MAPPED: &[&str] = &[
    "audio",
    "b",
    "blockquote",
    "br",
    "caption",
    "cite",
    "code",
    "dd",
    "del",
    "details",
    "dfn",
    "dir",
    "dl",
    "dt",
    "em",
    "figcaption",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "hr",
    "i",
    "iframe",
    "img",
    "ins",
    "kbd",
    "li",
    "listing",
    "mark",
    "menu",
    "ol",
    "pre",
    "s",
    "samp",
    "source",
    "strike",
    "strong",
    "sub",
    "summary",
    "sup",
    "table",
    "td",
    "th",
    "tr",
    "track",
    "tt",
    "u",
    "ul",
    "var",
    "video",
    "xmp",
];

/// Whether HTML has or had this element. `<T>` in a text is code rather than a tag.
pub fn is_html(name: &str) -> bool {
    name.contains('-')
        || name == "math"
        || [KEPT_CONTENT, DROPPED, MAPPED]
            .iter()
            .any(|names| names.contains(&name))
}

pub fn quote(element: ElementRef<'_>) -> Value {
    match element.attr("data-callout") {
        Some(kind @ ("note" | "tip" | "warning" | "danger")) => callout(kind),
        _ => node("blockquote"),
    }
}

pub fn callout(kind: &str) -> Value {
    json!({ "type": "callout", "attrs": { "kind": kind } })
}

pub fn callout_of_class(element: ElementRef<'_>) -> Option<&'static str> {
    element.value().classes().find_map(|class| match class {
        "note" | "info" | "important" => Some("note"),
        "tip" | "hint" => Some("tip"),
        "warning" | "attention" => Some("warning"),
        "danger" | "caution" | "error" => Some("danger"),
        _ => None,
    })
}
