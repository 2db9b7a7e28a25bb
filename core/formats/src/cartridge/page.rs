//! Converts HTML of a package to documents and builds the blocks that the reader adds.

use serde_json::{Value, json};

use super::html::OPTIONS;
use crate::blocks::{self, children, doc, set_levels};
use crate::content::schema::MAX_BYTES;
use crate::course::FileDraft;
use crate::html::{Host, convert};
use crate::note::Note;
use crate::quiz::paragraph;
use kurso_base::text::one_line;

/// Converts HTML to a document.
pub fn document_of(html: &str, host: &mut dyn Host) -> Value {
    doc(blocks_of(html, host))
}

/// Converts HTML to blocks. HTML beyond the limits is kept as plain text.
pub fn blocks_of(html: &str, host: &mut dyn Host) -> Vec<Value> {
    let framed = frames(html);
    let shown = framed.as_deref().unwrap_or_else(|| body(html));
    match convert(shown, OPTIONS, host) {
        Ok(converted) => {
            let mut blocks = converted.blocks;
            // The page title is outside the document, so foreign texts with a level 1 heading are shifted down by one
            // level.
            let shift = u64::from(blocks.iter().any(|block| has_level(block, 1)) && !written_by_kurso(html));
            let least = if written_by_kurso(html) { 1 } else { 2 };
            let level = |level: u64| (level + shift).clamp(least, 4);
            blocks.iter_mut().for_each(|block| set_levels(block, &level));
            if html.to_ascii_lowercase().contains("<script") && !body(html).to_ascii_lowercase().contains("<script") {
                host.note(Note::DroppedTag("script".into()), 0);
            }
            blocks
        }
        Err(_) => {
            host.note(Note::HtmlAsText, 0);
            blocks::blocks(paragraph(html))
        }
    }
}

/// Whether Kurso wrote the HTML; then its heading levels are kept.
fn written_by_kurso(html: &str) -> bool {
    html.contains("data-kurso=\"") || html.contains(super::GENERATOR)
}

/// The frames of a frameset as iframes, which a page can hold.
fn frames(html: &str) -> Option<String> {
    let small = html.to_ascii_lowercase();
    let mut at = small.find("<frameset")?;
    let mut found = String::new();
    while let Some(start) = small
        .get(at..)
        .and_then(|rest| rest.find("<frame"))
        .map(|start| at + start)
    {
        let end = small.get(start..)?.find('>').map_or(small.len(), |end| start + end);
        at = end;
        let attributes = html.get(start + "<frame".len()..end)?;
        if attributes.starts_with(char::is_whitespace) {
            found.push_str(&format!("<iframe {}></iframe>", attributes.trim_end_matches('/')));
        }
    }
    Some(found)
}

/// The content of the body element, or the whole text without one.
fn body(html: &str) -> &str {
    let small = html.to_ascii_lowercase();
    let start = match small.find("<body") {
        Some(at) => small.get(at..).and_then(|rest| rest.find('>')).map(|end| at + end + 1),
        None => small.find("</head>").map(|at| at + "</head>".len()),
    };
    let start = start.unwrap_or(0);
    let end = small.rfind("</body>").filter(|end| *end >= start).unwrap_or(html.len());
    html.get(start..end).unwrap_or(html)
}

/// The text of the `<title>` element.
pub fn title_of(html: &str) -> Option<String> {
    let small = html.to_ascii_lowercase();
    let start = small.find("<title>")? + "<title>".len();
    let end = start + small.get(start..)?.find("</title>")?;
    let words = scraper::Html::parse_fragment(html.get(start..end)?);
    let words = one_line(&words.root_element().text().collect::<String>());
    (!words.is_empty()).then_some(words)
}

/// The content of the `<meta>` element with this name.
pub fn meta_of(html: &str, name: &str) -> Option<String> {
    let head = html.get(..html.floor_char_boundary(html.len().min(8192)))?;
    let at = head.find(&format!("name=\"{name}\""))?;
    let rest = head.get(at..)?;
    let rest = rest.get(..rest.find('>')?)?;
    Some(rest.split_once("content=\"")?.1.split_once('"')?.0.to_owned())
}

fn has_level(node: &Value, level: u64) -> bool {
    let own = node.get("type").is_some_and(|kind| kind == "heading");
    (own && node.pointer("/attrs/level").and_then(Value::as_u64) == Some(level))
        || children(node).iter().any(|child| has_level(child, level))
}

/// Splits blocks into documents of at most the page size. The links are final here, so no room is reserved for longer
/// addresses.
pub fn split(blocks: Vec<Value>, notes: &mut Vec<Note>) -> Vec<Value> {
    let whole = doc(blocks);
    if whole.to_string().len() <= MAX_BYTES {
        vec![whole]
    } else {
        blocks::split(blocks::blocks(whole), notes)
    }
}

pub fn text_paragraph(text: &str) -> Value {
    let text: String = text.chars().take(5000).collect();
    if text.is_empty() {
        json!({ "type": "paragraph" })
    } else {
        json!({ "type": "paragraph", "content": [{ "type": "text", "text": text }] })
    }
}

/// A paragraph with a link. If the address is not valid, it is shown as text.
pub fn link(words: &str, href: &str) -> Value {
    let words: String = words.chars().take(1000).collect();
    let spaced = href.trim().replace(' ', "%20");
    let good = crate::content::Href::parse(&spaced).is_some();
    let mut text = json!({ "type": "text", "text": words });
    if good && let Some(fields) = text.as_object_mut() {
        fields.insert("marks".into(), json!([{ "type": "link", "attrs": { "href": spaced } }]));
    }
    let words = if good || words == href {
        vec![text]
    } else {
        vec![text, json!({ "type": "text", "text": format!(" {href}") })]
    };
    json!({ "type": "paragraph", "content": words })
}

/// A callout in place of content that could not be imported.
pub fn placeholder(text: &str, more: Vec<Value>) -> Value {
    let mut content = vec![text_paragraph(text)];
    content.extend(more);
    json!({ "type": "callout", "attrs": { "kind": "warning" }, "content": content })
}

/// A bullet list of "name: value" lines.
pub fn list(lines: &[(String, String)]) -> Option<Value> {
    let items: Vec<Value> = lines
        .iter()
        .map(|(name, said)| {
            let bold = json!({ "type": "text", "text": format!("{name}: "), "marks": [{ "type": "bold" }] });
            let said = json!({ "type": "text", "text": said });
            let line = json!({ "type": "paragraph", "content": [bold, said] });
            json!({ "type": "listItem", "content": [line] })
        })
        .collect();
    (!items.is_empty()).then(|| json!({ "type": "bulletList", "content": items }))
}

/// A file as a block: media are shown, other files are attachments.
pub fn file(file: &FileDraft) -> Value {
    let src = file.address();
    let kind = file.content_type;
    match kind.split('/').next() {
        Some("image") => {
            let mut attrs = json!({ "src": src, "alt": file.filename });
            if let (Some(width), Some(height), Some(attrs)) = (file.width, file.height, attrs.as_object_mut()) {
                attrs.insert("naturalWidth".into(), width.into());
                attrs.insert("naturalHeight".into(), height.into());
            }
            json!({ "type": "image", "attrs": attrs })
        }
        Some(name @ ("video" | "audio")) => json!({ "type": name, "attrs": { "src": src, "caption": file.filename } }),
        _ => json!({ "type": "attachment", "attrs": {
            "src": src, "filename": file.filename, "size": file.size, "contentType": kind,
        } }),
    }
}
