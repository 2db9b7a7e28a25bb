//! Reads pages: resolves includes and converts Markdown to documents.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use uuid::Uuid;

use super::code::CodeReader;
use super::host::{PageHost, PageLink};
use super::include::{self, Budget};
use super::quizzes;
use super::{Book, Source};
use crate::body::Body;
use crate::content;
use crate::course::MAX_TEXT;
use crate::error::ImportError;
use crate::files::Files;
use crate::html::{self, Converted, HtmlOptions};
use crate::html_host;
use crate::markdown::{self, MarkdownOptions};
use crate::note::Note;
use crate::page::{self, Finished};
use crate::quiz::Quiz;
use crate::report::{Counts, Entry, Report};
use kurso_base::messages::Lang;

/// Bytes of text including includes; the Rust book has two million.
/// Nodes of all pages, which are in memory at the same time; the Rust book has a hundred thousand.
const MAX_NODES: usize = 2_000_000;

/// The width that the style sheet of the Rust book gives its mascot.
const CLASS_WIDTHS: &[(&str, u32)] = &[("ferris-explain", 100)];

/// A page that was read.
pub struct Read {
    pub title: Option<String>,
    /// The documents of the page.
    pub parts: Vec<Part>,
    pub places: HashMap<String, Option<usize>>,
    /// Quizzes of the page with their sources.
    pub quizzes: Vec<(String, Quiz)>,
}

/// A document of a page, usually the only one.
pub struct Part {
    /// The page id.
    pub id: Uuid,
    pub content: Body,
    /// Index of its first heading.
    pub first: usize,
    /// Anchors of its headings.
    pub anchors: Vec<Option<String>>,
}

/// Notes in book order, although notes about links come last.
#[derive(Default)]
pub struct Notes(Vec<(usize, usize, Entry)>);

impl Notes {
    pub fn in_order(mut self) -> impl Iterator<Item = Entry> {
        self.0.sort_by_key(|(page, line, _)| (*page, *line));
        self.0.into_iter().map(|(_, _, entry)| entry)
    }

    pub fn add(&mut self, page: usize, line: usize, place: String, note: Note) {
        self.0.push((page, line, Entry { place, note }));
    }
}

/// Reads pages and collects their shared state.
pub struct PageReader<'a> {
    book: &'a Book,
    budget: Budget,
    text_read: usize,
    nodes: usize,
    pub files: Files,
    pub links: Vec<PageLink>,
    pub notes: Notes,
    pub code: CodeReader,
    /// Real paths of included files.
    pub included: HashSet<PathBuf>,
    pub counts: Counts,
    quizzes: quizzes::Reader,
}

impl<'a> PageReader<'a> {
    pub fn new(book: &'a Book) -> Self {
        Self {
            book,
            budget: Budget::new(),
            text_read: 0,
            nodes: 0,
            files: Files::default(),
            links: Vec::new(),
            notes: Notes::default(),
            code: CodeReader::new(book.config.language, book.config.hidden_lines.clone()),
            included: HashSet::new(),
            counts: Counts::default(),
            quizzes: quizzes::Reader::new(),
        }
    }

    fn quiz(&mut self, number: usize, path: &Path) -> Option<(String, Quiz)> {
        let name = self.book.folder.name_of(path);
        let mut report = Report::default();
        let quiz = match self.book.folder.read_text(path) {
            Ok(text) => Some(self.quizzes.quiz(&text, &name, &mut report)),
            Err(trouble) => {
                report.add(
                    &name,
                    Note::Chapter {
                        path: name.clone(),
                        trouble,
                    },
                );
                None
            }
        };
        for entry in report.entries {
            self.notes.add(number, 0, entry.place, entry.note);
        }
        Some((name, quiz?))
    }

    /// Reads a page; `None` if its file cannot be read.
    pub fn page(&mut self, number: usize, source: &Source, name: &str) -> Result<Option<Read>, ImportError> {
        let text = match self.book.folder.read_text(&source.real) {
            Ok(text) => text,
            Err(trouble) => {
                self.notes.add(
                    number,
                    0,
                    name.to_owned(),
                    Note::Chapter {
                        path: name.to_owned(),
                        trouble,
                    },
                );
                return Ok(None);
            }
        };
        let expanded = include::expand(&self.book.folder, &source.real, &text, &mut self.budget);
        self.text_read += expanded.text.len();
        self.counts.includes += expanded.includes;
        let converted = self.convert(number, source, name, &expanded);
        self.nodes += converted.nodes;
        if self.text_read > MAX_TEXT || self.nodes > MAX_NODES {
            return Err(ImportError::TooLarge);
        }
        for (file, line, note) in expanded.notes {
            self.notes.add(number, line, format!("{file}:{line}"), note);
        }
        let quizzes = expanded
            .quizzes
            .iter()
            .filter_map(|path| self.quiz(number, path))
            .collect();
        self.included.extend(expanded.used);
        self.counts.comments += converted.comments;
        let Finished {
            title,
            parts,
            places,
            notes,
        } = page::finish(converted);
        for note in notes {
            self.notes.add(number, 0, name.to_owned(), note);
        }
        let mut headings = 0;
        let parts = parts.into_iter().map(|document| {
            let first = headings;
            let anchors = content::heading_anchors(&document);
            headings += anchors.len();
            Part {
                id: Uuid::now_v7(),
                content: document.into(),
                first,
                anchors,
            }
        });
        Ok(Some(Read {
            title,
            parts: parts.collect(),
            places,
            quizzes,
        }))
    }

    fn convert(&mut self, number: usize, source: &Source, name: &str, expanded: &include::Expanded) -> Converted {
        let config = &self.book.config;
        let (footnotes_title, details) = match config.language {
            Lang::Ru => ("Примечания", "Подробнее"),
            Lang::En => ("Notes", "Details"),
        };
        let mut options = MarkdownOptions {
            smart_punctuation: config.smart_punctuation,
            dollar_math: config.dollar_math,
            html_as_text: false,
            footnotes_title,
        };
        let html_options = HtmlOptions {
            tex_math: config.tex_math,
            details,
            listing: html_host::listing_word(config.language),
            class_widths: CLASS_WIDTHS,
        };
        let line_of = |offset| expanded.line_of(offset);
        let links_before = self.links.len();
        let mut host = PageHost {
            book: self.book,
            files: &mut self.files,
            links: &mut self.links,
            page: number,
            path: &source.path,
            notes: Vec::new(),
        };
        let code = &mut self.code;
        let mut rendered = markdown::render(&expanded.text, options, &line_of, &mut |info, text| {
            code.read(info, text)
        });
        let mut converted = html::convert(&rendered.html, html_options, &mut host);
        if converted.is_err() {
            options.html_as_text = true;
            host.notes = vec![(0, Note::HtmlAsText)];
            host.links.truncate(links_before);
            rendered = markdown::render(&expanded.text, options, &line_of, &mut |info, text| {
                code.read_again(info, text)
            });
            converted = html::convert(&rendered.html, html_options, &mut host);
        }
        if converted.is_err() {
            host.notes = vec![(0, Note::PageTooLarge)];
            host.links.truncate(links_before);
        }
        let mut notes = host.notes;
        if rendered.footnotes > 0 {
            notes.push((0, Note::Footnotes(rendered.footnotes)));
        }
        if rendered.flattened {
            notes.push((0, Note::Flattened));
        }
        for (line, note) in notes {
            let place = if line == 0 {
                name.to_owned()
            } else {
                format!("{name}:{line}")
            };
            self.notes.add(number, line, place, note);
        }
        converted.unwrap_or_default()
    }
}
