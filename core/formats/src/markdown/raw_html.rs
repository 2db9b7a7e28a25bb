//! Classifies raw HTML in Markdown: tags, code without backticks, and tags that would swallow the page.

use std::collections::{HashMap, HashSet};

use pulldown_cmark::Event;

use crate::html::is_html;

/// Raw text elements: an unclosed one swallows the rest of the page.
const RAW_TEXT: &[&str] = &[
    "script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes", "noscript", "template",
];

/// Closing tags in the HTML of a page.
#[derive(Debug)]
pub struct Closings {
    /// The last event that closes each of `RAW_TEXT`.
    last: HashMap<&'static str, usize>,
    /// Names of the closing tags in inline HTML.
    names: HashSet<String>,
}

impl Closings {
    pub fn of<'a>(events: impl Iterator<Item = Event<'a>>) -> Self {
        let mut closings = Self {
            last: HashMap::new(),
            names: HashSet::new(),
        };
        for (index, event) in events.enumerate() {
            let (Event::Html(html) | Event::InlineHtml(html)) = &event else {
                continue;
            };
            if let (Event::InlineHtml(_), Some(tag)) = (&event, html.strip_prefix("</")) {
                closings.names.insert(tag_name(tag));
            }
            if html.contains("</") {
                let html = html.to_ascii_lowercase();
                let closed = RAW_TEXT.iter().filter(|name| html.contains(&format!("</{name}")));
                closings.last.extend(closed.map(|name| (*name, index)));
            }
        }
        closings
    }

    /// Whether an apparent tag is code without backticks, for example `Mutex<i32>`.
    pub fn is_code(&self, tag: &str) -> bool {
        let name = tag_name(tag);
        !name.is_empty() && !is_html(&name) && !self.names.contains(&name)
    }

    /// Whether an unclosed tag in `html`, which ends at event `index`, would swallow the rest of the page.
    pub fn swallows(&self, index: usize, html: &str) -> bool {
        let small = html.to_ascii_lowercase();
        if small.contains("<plaintext") {
            return true;
        }
        RAW_TEXT.iter().any(|name| {
            // The last opening tag stays open if none closes behind it.
            let open = small.rfind(&format!("<{name}"));
            let closed_here =
                open.is_none_or(|open| small.rfind(&format!("</{name}")).is_some_and(|close| close > open));
            !closed_here && self.last.get(name).is_none_or(|&last| last <= index)
        })
    }
}

fn tag_name(tag: &str) -> String {
    let name = tag.trim_start_matches(['<', '/']);
    let end = name
        .find(|c: char| !c.is_ascii_alphanumeric() && c != '-')
        .unwrap_or(name.len());
    name.chars().take(end).collect::<String>().to_ascii_lowercase()
}
