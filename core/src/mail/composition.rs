//! The parts of a mail, and how they become HTML and plain text.

use kurso_base::messages::Lang;

/// The parts of a mail before rendering.
pub(super) struct Composition<'a> {
    pub subject: String,
    /// The first lines. Like the subject, they contain no text that strangers write.
    pub greeting: String,
    /// Labelled texts of the person who caused the mail. They stand apart, so that they cannot pass for Kurso's.
    pub details: Vec<(&'static str, &'a str)>,
    /// A label and a link.
    pub button: Option<(&'static str, &'a str)>,
    pub footer: &'static str,
}

/// Replaces line breaks. Names and titles are user input; in a subject or greeting they must not start a header in a
/// mail program that parses the decoded subject again, nor a paragraph that looks like Kurso's.
pub(super) fn in_one_line(text: &str) -> String {
    let breaks = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    let parts = text.split(breaks).filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join(" ")
}

/// The most characters of a detail.
const MAX_DETAIL: usize = 100;

/// A detail in one line, cut to [`MAX_DETAIL`] characters.
fn detail(text: &str) -> String {
    cut(text, MAX_DETAIL)
}

/// Joins the lines of a text, and cuts it to this many characters and `…`.
pub(crate) fn cut(text: &str, most: usize) -> String {
    let line = in_one_line(text);
    match line.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line,
    }
}

impl Composition<'_> {
    pub fn text(&self) -> String {
        let lines = self
            .details
            .iter()
            .map(|(label, text)| format!("{label}: {}\n", detail(text)));
        let details: String = lines.collect();
        let details = if details.is_empty() { details } else { details + "\n" };
        let button = self
            .button
            .map_or_else(String::new, |(label, link)| format!("{label}:\n{link}\n\n"));
        format!("{}\n\n{details}{button}{}\n", self.greeting, self.footer)
    }

    fn details_html(&self) -> String {
        let lines = self.details.iter().map(|(label, text)| {
            let text = escaped(&detail(text));
            format!("<p style=\"margin:0 0 8px;color:#5b6270\">{label}: {text}</p>\n")
        });
        lines.collect()
    }

    pub fn html(&self, lang: Lang) -> String {
        let button = self
            .button
            .map_or_else(String::new, |(label, link)| button_html(label, link));
        let body = format!(
            r#"<p style="margin:0 0 16px">{greeting}</p>
{details}{button}<p style="margin:0;color:#5b6270">{footer}</p>
"#,
            greeting = escaped(&self.greeting),
            details = self.details_html(),
            footer = escaped(self.footer),
        );
        page_html(lang, &self.subject, &body)
    }
}

/// A link that looks like a button, followed by its address for mail programs that show no links.
pub(super) fn button_html(label: &str, link: &str) -> String {
    format!(
        r#"<p style="margin:24px 0"><a href="{link}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#2f5bd7;color:#ffffff;font-weight:600;text-decoration:none">{label}</a></p>
<p style="margin:0 0 16px;font-size:14px;color:#5b6270;word-break:break-all">{link}</p>
"#,
        link = escaped(link)
    )
}

/// The HTML of a whole mail. Styles are inline because mail programs drop style sheets.
pub(super) fn page_html(lang: Lang, subject: &str, body: &str) -> String {
    format!(
        r#"<!doctype html>
<html lang="{code}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{subject}</title>
</head>
<body style="margin:0;padding:24px;background:#f3f4f7;color:#1d2129;font:16px/1.5 sans-serif">
<div style="max-width:520px;margin:0 auto;padding:32px;border-radius:12px;background:#ffffff">
<p style="margin:0 0 16px;font-size:20px;font-weight:700">Kurso</p>
{body}</div>
</body>
</html>
"#,
        code = lang.name(),
        subject = escaped(subject),
    )
}

/// Escapes text for HTML.
pub(super) fn escaped(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\'' => html.push_str("&#39;"),
            c => html.push(c),
        }
    }
    html
}
