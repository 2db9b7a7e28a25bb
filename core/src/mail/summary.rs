//! The layout of notice mails: notices grouped by course.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::composition::{button_html, cut, escaped, in_one_line, page_html};
use super::templates::RenderedMail;
use kurso_base::messages::Lang;

/// The maximum numbers of characters of a title, of a quoted text and of a line.
const MAX_TITLE: usize = 100;
const MAX_QUOTE: usize = 500;
const MAX_LINE: usize = 300;

/// A notice in one line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Line {
    pub text: String,
    /// The text of a comment.
    pub quote: Option<String>,
    pub link: String,
}

/// The notices of one course.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Section {
    pub heading: String,
    pub lines: Vec<Line>,
}

/// A notice mail before rendering.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Summary {
    pub subject: String,
    pub greeting: String,
    pub sections: Vec<Section>,
    /// The line about notices that are left out of the sections, if any.
    pub more: Option<String>,
    /// A label and a link.
    pub button: (&'static str, String),
    /// The reason why the person receives the mail.
    pub why: &'static str,
    pub links: Vec<(&'static str, String)>,
    /// The URL by which a mail program unsubscribes.
    pub unsubscribe: String,
}

impl Summary {
    pub fn render(mut self, lang: Lang, to: &str, now: DateTime<Utc>) -> RenderedMail {
        for line in [&mut self.subject, &mut self.greeting] {
            *line = in_one_line(line);
        }
        let lines = self.sections.iter_mut().flat_map(|section| {
            section.heading = cut(&section.heading, MAX_TITLE);
            section.lines.iter_mut()
        });
        for line in lines {
            line.text = cut(&line.text, MAX_LINE);
            line.quote = line.quote.take().map(|quote| cut(&quote, MAX_QUOTE));
        }
        RenderedMail {
            id: Uuid::now_v7(),
            to: to.to_owned(),
            html: self.html(lang),
            text: self.text(),
            subject: self.subject,
            written_at: now,
            unsubscribe: Some(self.unsubscribe),
        }
    }

    fn text(&self) -> String {
        let mut text = format!("{}\n\n", self.greeting);
        for section in &self.sections {
            text.extend([&section.heading, "\n"]);
            for line in &section.lines {
                text.extend(["- ", &line.text, "\n"]);
                if let Some(quote) = &line.quote {
                    text.extend(["  > ", quote, "\n"]);
                }
                text.extend(["  ", &line.link, "\n"]);
            }
            text.push('\n');
        }
        if let Some(more) = &self.more {
            text.extend([more, "\n\n"]);
        }
        let (label, link) = &self.button;
        text.extend([label, ":\n", link, "\n\n", self.why, "\n"]);
        for (label, link) in &self.links {
            text.extend([label, ": ", link, "\n"]);
        }
        text
    }

    fn html(&self, lang: Lang) -> String {
        let mut body = format!("<p style=\"margin:0 0 16px\">{}</p>\n", escaped(&self.greeting));
        for section in &self.sections {
            let heading = escaped(&section.heading);
            body += &format!("<p style=\"margin:24px 0 8px;font-weight:700\">{heading}</p>\n");
            for line in &section.lines {
                let (text, link) = (escaped(&line.text), escaped(&line.link));
                body +=
                    &format!("<p style=\"margin:0 0 8px\"><a href=\"{link}\" style=\"color:#2f5bd7\">{text}</a></p>\n");
                if let Some(quote) = &line.quote {
                    let quote = escaped(quote);
                    body += &format!(
                        "<p style=\"margin:0 0 8px;padding-left:12px;border-left:3px solid #d5d9e2;color:#5b6270\">{quote}</p>\n"
                    );
                }
            }
        }
        if let Some(more) = &self.more {
            body += &format!("<p style=\"margin:16px 0\">{}</p>\n", escaped(more));
        }
        let (label, link) = &self.button;
        body += &button_html(label, link);
        body += &format!("<p style=\"margin:0;color:#5b6270\">{}</p>\n", escaped(self.why));
        for (label, link) in &self.links {
            let link = escaped(link);
            body +=
                &format!("<p style=\"margin:8px 0 0\"><a href=\"{link}\" style=\"color:#5b6270\">{label}</a></p>\n");
        }
        page_html(lang, &self.subject, &body)
    }
}
