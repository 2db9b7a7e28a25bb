//! Texts of a package as documents, and the blocks a reader writes itself.

use serde_json::{Value, json};

use super::html::OPTIONS;
use crate::content::schema::MAX_BYTES;
use crate::exchange::blocks::{self, doc, set_levels};
use crate::exchange::course::FileDraft;
use crate::exchange::html::{Host, convert};
use crate::exchange::note::Note;
use crate::quiz::paragraph;

/// The document a piece of HTML is.
pub fn document_of(html: &str, host: &mut dyn Host) -> Value {
    doc(blocks_of(html, host))
}

/// The blocks of HTML; what is too much to read stays text.
pub fn blocks_of(html: &str, host: &mut dyn Host) -> Vec<Value> {
    let framed = frames(html);
    let shown = framed.as_deref().unwrap_or_else(|| body(html));
    match convert(shown, OPTIONS, host) {
        Ok(converted) => {
            let mut blocks = converted.blocks;
            // A text that has a heading of the first level counts from it; ours has its title outside.
            let shift = u64::from(blocks.iter().any(|block| has_level(block, 1)) && !is_ours(html));
            let least = if is_ours(html) { 1 } else { 2 };
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

/// What we wrote has only such headings of the first level as were in a page.
fn is_ours(html: &str) -> bool {
    html.contains("data-kurso=\"") || html.contains(super::GENERATOR)
}

/// Of a file that is a set of frames: the frames, each as one that may stand in a page.
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

/// The part of a file of HTML that is shown.
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

/// The words between `<title>` and its end.
pub fn title_of(html: &str) -> Option<String> {
    let small = html.to_ascii_lowercase();
    let start = small.find("<title>")? + "<title>".len();
    let end = start + small.get(start..)?.find("</title>")?;
    let words = scraper::Html::parse_fragment(html.get(start..end)?);
    let words: String = words.root_element().text().collect();
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    (!words.is_empty()).then_some(words)
}

/// What a `<meta>` of Canvas says.
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

fn children(node: &Value) -> &[Value] {
    node.get("content").and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// The blocks as documents that a page can hold. Its links are known by now: all of the room is there.
pub fn split(blocks: Vec<Value>, notes: &mut Vec<Note>) -> Vec<Value> {
    let whole = doc(blocks);
    match whole.to_string().len() <= MAX_BYTES {
        true => vec![whole],
        false => blocks::split(blocks::blocks(whole), notes),
    }
}

// Blocks

pub fn words(text: &str) -> Value {
    let text: String = text.chars().take(5000).collect();
    match text.is_empty() {
        true => json!({ "type": "paragraph" }),
        false => json!({ "type": "paragraph", "content": [{ "type": "text", "text": text }] }),
    }
}

/// A paragraph that is a link, or only words where the address is none.
pub fn link(words: &str, href: &str) -> Value {
    let words: String = words.chars().take(1000).collect();
    let spaced = href.trim().replace(' ', "%20");
    let good = crate::content::Href::parse(&spaced).is_some();
    let mut text = json!({ "type": "text", "text": words });
    if good && let Some(fields) = text.as_object_mut() {
        fields.insert("marks".into(), json!([{ "type": "link", "attrs": { "href": spaced } }]));
    }
    let words = match good || words == href {
        true => vec![text],
        false => vec![text, json!({ "type": "text", "text": format!(" {href}") })],
    };
    json!({ "type": "paragraph", "content": words })
}

/// Words that stand for something that could not come along.
pub fn placeholder(text: &str, more: Vec<Value>) -> Value {
    let mut content = vec![words(text)];
    content.extend(more);
    json!({ "type": "callout", "attrs": { "kind": "warning" }, "content": content })
}

/// A name and what is said of it, as items of a list.
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

/// A file as a block: pictures, films and sounds are shown, others are there to be taken.
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
