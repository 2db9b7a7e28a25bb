//! Extracts body, title and front matter from Markdown and HTML files.

use crate::markdown::{self, Fence, MarkdownOptions};
use crate::xml;
use kurso_base::text::one_line;

/// The HTML and the metadata of a file.
#[derive(Debug, Default)]
pub struct Source {
    pub html: String,
    pub title: Option<String>,
    /// Names of ignored settings.
    pub settings: Vec<String>,
    pub footnotes: usize,
    pub flattened: bool,
}

/// Reads Markdown with optional front matter in YAML or TOML.
pub fn of_markdown(text: &str, footnotes_title: &'static str) -> Source {
    let (front, body, skipped) = front_matter(text);
    let (title, settings) = front.map(settings).unwrap_or_default();
    let options = MarkdownOptions {
        smart_punctuation: false,
        dollar_math: true,
        html_as_text: false,
        footnotes_title,
    };
    let starts: Vec<usize> = body.match_indices('\n').map(|(at, _)| at + 1).collect();
    let line_of = |offset: usize| skipped + 1 + starts.partition_point(|start| *start <= offset);
    let rendered = markdown::render(body, options, &line_of, &mut |info, code| Fence {
        language: info
            .split([',', ' ', '\t', '{', '}'])
            .find(|word| !word.is_empty())
            .map(str::to_owned),
        caption: None,
        code,
    });
    Source {
        html: rendered.html,
        title,
        settings,
        footnotes: rendered.footnotes,
        flattened: rendered.flattened,
    }
}

/// Splits off the front matter; also returns the number of its lines.
fn front_matter(text: &str) -> (Option<&str>, &str, usize) {
    for fence in ["---", "+++"] {
        let Some(rest) = text.strip_prefix(fence).and_then(|rest| rest.strip_prefix('\n')) else {
            continue;
        };
        let mut at = 0;
        for line in rest.split_inclusive('\n') {
            let end = line.trim_end();
            if end == fence || (fence == "---" && end == "...") {
                let front = rest.get(..at).unwrap_or_default();
                let body = rest.get(at + line.len()..).unwrap_or_default();
                // A horizontal rule may look like a fence, but front matter has names.
                if !front.trim().is_empty() && !front.contains([':', '=']) {
                    return (None, text, 0);
                }
                return (Some(front), body, front.lines().count() + 2);
            }
            at += line.len();
        }
    }
    (None, text, 0)
}

/// The title, and the names of all other settings.
fn settings(front: &str) -> (Option<String>, Vec<String>) {
    let (mut title, mut names) = (None, Vec::new());
    for line in front.lines() {
        if line.starts_with([' ', '\t', '#', '-', '[']) {
            continue;
        }
        let Some((name, value)) = line.split_once([':', '=']) else {
            continue;
        };
        let value = value.trim().trim_matches(['"', '\'']).trim();
        match name.trim() {
            "title" if !value.is_empty() => title = Some(value.to_owned()),
            "" => {}
            name => names.push(name.chars().take(40).collect()),
        }
    }
    (title, names)
}

/// Reads the body and the title of an HTML file.
pub fn of_html(text: &str) -> Source {
    let lower = text.to_ascii_lowercase();
    let between = |open: &str, close: &str| {
        let at = lower.find(open)?;
        let start = at + lower.get(at..)?.find('>')? + 1;
        let rest = lower.get(start..)?;
        // The title ends at the first closing tag, the body at the last.
        let end = if open == "<title" {
            rest.find(close)
        } else {
            rest.rfind(close)
        };
        Some((start, end.map_or(text.len(), |end| start + end)))
    };
    let title = between("<title", "</title").and_then(|(start, end)| {
        let title = text.get(start..end)?;
        // Decodes character references.
        let read = xml::read(&format!("<t>{}</t>", title.replace('<', "&lt;"))).ok()?;
        let title = one_line(&read.text());
        (!title.is_empty()).then_some(title)
    });
    let head_ends = lower.find("</head>").map(|at| at + "</head>".len());
    let body = between("<body", "</body").or_else(|| Some((head_ends?, text.len())));
    let html = match body.and_then(|(start, end)| text.get(start..end)) {
        Some(body) => body.to_owned(),
        None => without_title(text, &lower),
    };
    Source {
        html,
        title,
        ..Source::default()
    }
}

/// A fragment without the title, which is no part of the text.
fn without_title(text: &str, lower: &str) -> String {
    let start = lower.find("<title");
    let end = start.and_then(|start| {
        let closing = start + lower.get(start..)?.find("</title")?;
        Some(closing + lower.get(closing..)?.find('>')? + 1)
    });
    match (start, end) {
        (Some(start), Some(end)) => format!(
            "{}{}",
            text.get(..start).unwrap_or_default(),
            text.get(end..).unwrap_or_default()
        ),
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn front_matter_is_not_part_of_the_text() {
        let read = |text| of_markdown(text, "Примечания");
        let source = read("---\ntitle: \"Урок первый\"\nauthor: Анна\ntags:\n  - a\n---\n\nТекст\n");
        assert_eq!(source.title.as_deref(), Some("Урок первый"));
        assert_eq!(source.settings, ["author", "tags"]);
        assert!(source.html.contains("Текст") && !source.html.contains("Анна"));
        let source = read("+++\ntitle = 'Два'\n+++\nТекст");
        assert_eq!(source.title.as_deref(), Some("Два"));
        for text in ["---\n\nТекст\n\n---\n", "Текст\n---\n", "---\nбез конца"] {
            assert!(
                read(text).html.contains("конца") || read(text).html.contains("Текст"),
                "{text}"
            );
        }
    }

    #[test]
    fn html_files_are_reduced_to_body_and_title() {
        let source = of_html(
            "<!DOCTYPE html><HTML><head><TITLE>Том &amp;\n Джерри&nbsp;&mdash; 1</title><style>x</style></head><BODY class='a'><p>Да</p></BODY></HTML>",
        );
        assert_eq!(source.title.as_deref(), Some("Том & Джерри — 1"));
        assert_eq!(source.html, "<p>Да</p>");
        assert_eq!(of_html("<p>Да").html, "<p>Да");
        assert_eq!(of_html("<title>а</title><p>Да").html, "<p>Да");
        assert_eq!(of_html("<head><title>а</title></head><p>Да").html, "<p>Да");
    }
}
