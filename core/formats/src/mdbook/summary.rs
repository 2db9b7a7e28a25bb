//! Parses `SUMMARY.md`, the table of contents of a book.
//!
//! A heading after the first `#` starts a module: level 1 headings are mdBook's parts, and authors use level 2, which
//! mdBook ignores, for the same purpose. An item of the outermost list is a lesson, and all items below it are its
//! further pages. Links before and after the list, mdBook's prefix and suffix chapters, form modules of their own.

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use crate::note::Note;
use kurso_base::text::one_line;

#[derive(Debug, Default, PartialEq, Eq)]
pub struct Summary {
    pub modules: Vec<Module>,
    /// Notes with line numbers.
    pub notes: Vec<(usize, Note)>,
}

#[derive(Debug, PartialEq, Eq)]
pub struct Module {
    pub heading: ModuleHeading,
    pub lessons: Vec<Lesson>,
}

#[derive(Debug, PartialEq, Eq)]
pub enum ModuleHeading {
    Title(String),
    /// Chapters before the first heading, outside a list.
    Prefix,
    /// Chapters in a list without a heading.
    Chapters,
    /// Chapters after the list.
    Suffix,
}

#[derive(Debug, PartialEq, Eq)]
pub struct Lesson {
    pub title: String,
    pub pages: Vec<Page>,
}

#[derive(Debug, PartialEq, Eq)]
pub struct Page {
    pub title: String,
    /// The address in the link.
    pub target: String,
    pub line: usize,
}

pub fn parse(text: &str) -> Summary {
    let mut reader = Reader::default();
    let lines: Vec<usize> = text.match_indices('\n').map(|(at, _)| at).collect();
    for (event, range) in Parser::new_ext(text, Options::ENABLE_STRIKETHROUGH).into_offset_iter() {
        reader.line = lines.partition_point(|&end| end < range.start) + 1;
        reader.event(event);
    }
    let mut summary = reader.summary;
    summary.modules.retain(|module| !module.lessons.is_empty());
    for module in &mut summary.modules {
        module.lessons.retain(|lesson| !lesson.pages.is_empty());
    }
    summary.modules.retain(|module| !module.lessons.is_empty());
    summary
}

#[derive(Default)]
struct Reader {
    summary: Summary,
    line: usize,
    seen_title: bool,
    /// Nesting of lists.
    depth: usize,
    /// Whether each open item already has a link.
    items: Vec<bool>,
    /// A list was read since the last heading.
    seen_list: bool,
    heading: Option<(HeadingLevel, String)>,
    link: Option<(String, String)>,
    /// Text outside links, and its first line.
    plain_text: String,
    plain_text_line: usize,
}

impl Reader {
    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(Tag::Heading { level, .. }) => self.heading = Some((level, String::new())),
            Event::End(TagEnd::Heading(_)) => self.end_heading(),
            Event::Start(Tag::Link { dest_url, .. }) => self.link = Some((dest_url.into_string(), String::new())),
            Event::End(TagEnd::Link) => self.end_link(),
            Event::Start(Tag::List(_)) => {
                self.end_plain_text();
                self.depth += 1;
            }
            Event::End(TagEnd::List(_)) => {
                self.depth = self.depth.saturating_sub(1);
                self.seen_list = true;
            }
            Event::Start(Tag::Item) => self.items.push(false),
            Event::End(TagEnd::Item) => {
                self.end_plain_text();
                self.items.pop();
            }
            Event::End(TagEnd::Paragraph) => self.end_plain_text(),
            Event::Text(text) | Event::Code(text) => self.text(&text),
            Event::SoftBreak | Event::HardBreak => self.text(" "),
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        if let Some((_, title)) = &mut self.link {
            title.push_str(text);
        } else if let Some((_, title)) = &mut self.heading {
            title.push_str(text);
        } else {
            if self.plain_text.trim().is_empty() {
                self.plain_text_line = self.line;
            }
            self.plain_text.push_str(text);
        }
    }

    fn end_heading(&mut self) {
        let Some((level, title)) = self.heading.take() else {
            return;
        };
        let title = one_line(&title);
        // The first `#` is the title of the summary.
        if level == HeadingLevel::H1 && !self.seen_title && self.summary.modules.is_empty() {
            self.seen_title = true;
            return;
        }
        if !title.is_empty() {
            self.open(ModuleHeading::Title(title));
        }
    }

    fn open(&mut self, heading: ModuleHeading) {
        self.seen_list = false;
        self.summary.modules.push(Module {
            heading,
            lessons: Vec::new(),
        });
    }

    /// Handles text outside links. A short separator is decoration; a sentence is reported.
    fn end_plain_text(&mut self) {
        let text = one_line(&std::mem::take(&mut self.plain_text));
        let Some(item) = self.items.last_mut() else {
            if text.chars().any(char::is_alphanumeric) {
                self.summary.notes.push((self.plain_text_line, Note::NoLink(text)));
            }
            return;
        };
        if !text.chars().any(char::is_alphanumeric) {
            return;
        }
        let had_link = std::mem::replace(item, true);
        self.summary
            .notes
            .push((self.plain_text_line, Note::NoLink(text.clone())));
        // It may be the title of the items below.
        if !had_link && self.depth == 1 {
            self.begin_lesson(text);
        }
    }

    fn end_link(&mut self) {
        let Some((target, title)) = self.link.take() else {
            return;
        };
        if let Some((_, heading)) = &mut self.heading {
            heading.push_str(&title);
            return;
        }
        let mut title = one_line(&title);
        if title.is_empty() {
            title.clone_from(&target);
        }
        let first = match self.items.last_mut() {
            Some(had_link) => !std::mem::replace(had_link, true),
            None => true,
        };
        if self.depth <= 1 && first {
            self.begin_lesson(title.clone());
        }
        if target.trim().is_empty() {
            self.summary.notes.push((self.line, Note::DraftChapter(title)));
            return;
        }
        let page = Page {
            title,
            target,
            line: self.line,
        };
        match self
            .summary
            .modules
            .last_mut()
            .and_then(|module| module.lessons.last_mut())
        {
            Some(lesson) => lesson.pages.push(page),
            // The list starts at its second level.
            None => {
                self.begin_lesson(page.title.clone());
                if let Some(lesson) = self
                    .summary
                    .modules
                    .last_mut()
                    .and_then(|module| module.lessons.last_mut())
                {
                    lesson.pages.push(page);
                }
            }
        }
    }

    fn begin_lesson(&mut self, title: String) {
        let in_list = self.depth > 0;
        let fits = match self.summary.modules.last().map(|module| &module.heading) {
            None => false,
            Some(ModuleHeading::Title(_)) => in_list || !self.seen_list,
            Some(ModuleHeading::Prefix) => !in_list,
            Some(ModuleHeading::Chapters) => in_list,
            Some(ModuleHeading::Suffix) => !in_list,
        };
        if !fits {
            self.open(match (in_list, self.summary.modules.is_empty()) {
                (true, _) => ModuleHeading::Chapters,
                (false, true) => ModuleHeading::Prefix,
                (false, false) => ModuleHeading::Suffix,
            });
        }
        if let Some(module) = self.summary.modules.last_mut() {
            module.lessons.push(Lesson {
                title,
                pages: Vec::new(),
            });
        }
    }
}
