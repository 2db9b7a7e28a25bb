//! A course as one file of HTML that works offline ([decision 33](../../../../docs/decisions/0033-one-file-that-works-offline.md)):
//! contents, pages, pictures, quizzes, a search and both themes, without an address of anywhere else. The same course is the
//! same bytes.

mod code;
mod document;
mod frame;
mod math;
mod media;
mod quiz;
mod words;

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use uuid::Uuid;

use super::course::{CourseDraft, FileDraft, LessonDraft, ModuleDraft, PageDraft};
use super::error::ExportError;
use super::keys::key_of;
use super::note::Note;
use super::report::Report;
use crate::content::{self, Lang};
use words::Words;

/// What the author may choose.
#[derive(Clone, Copy, Debug)]
pub struct HtmlExport {
    /// Whether the right answers are in it, folded away at the end of each quiz.
    pub answers: bool,
}

impl Default for HtmlExport {
    fn default() -> Self {
        HtmlExport { answers: true }
    }
}

/// Writes the course as one file; the report says what is not in it. Whole or not at all.
pub fn export_html(course: &CourseDraft, options: HtmlExport, to: &Path) -> Result<Report, ExportError> {
    let beside = to.with_extension("html.part");
    let written = File::create(&beside).and_then(|file| {
        let mut out = BufWriter::with_capacity(1 << 16, file);
        let report = write_html(course, options, &mut out)?;
        out.flush()?;
        fs::rename(&beside, to)?;
        Ok(report)
    });
    written.map_err(|why| {
        let _ = fs::remove_file(&beside);
        ExportError::Write {
            path: to.display().to_string(),
            why,
        }
    })
}

/// The same into anything that takes bytes. Of the files only a little is in memory at a time.
pub fn write_html(course: &CourseDraft, options: HtmlExport, out: &mut dyn Write) -> io::Result<Report> {
    let site = Site::of(course, options);
    let mut report = Report::default();
    for page in course.pages().filter(|page| !page.published) {
        report.add(title_of(page, site.words), Note::Unpublished);
    }
    frame::write(&site, out, &mut report)?;
    report.close(&course.title);
    Ok(report)
}

/// What all pages share.
struct Site<'a> {
    course: &'a CourseDraft,
    options: HtmlExport,
    words: &'static Words,
    /// The anchors of the pages that are in the file.
    anchors: HashMap<Uuid, String>,
    files: HashMap<&'a str, &'a FileDraft>,
    math: math::Formulas,
}

impl<'a> Site<'a> {
    fn of(course: &'a CourseDraft, options: HtmlExport) -> Self {
        let published = course.pages().filter(|page| page.published);
        Site {
            course,
            options,
            words: Words::of(language(course)),
            anchors: published
                .map(|page| (page.id, page.key.clone().unwrap_or_else(|| key_of(page.id))))
                .collect(),
            files: course.files.iter().map(|file| (file.key.as_str(), file)).collect(),
            math: math::Formulas::new(),
        }
    }

    fn anchor(&self, page: &PageDraft) -> &str {
        self.anchors.get(&page.id).map_or("", String::as_str)
    }

    /// The pages that are in the file, each with where it stands, in the order in which they are read.
    fn pages(&self) -> impl Iterator<Item = (&'a ModuleDraft, &'a LessonDraft, &'a PageDraft)> {
        let lessons = |module: &'a ModuleDraft| module.lessons.iter().map(move |lesson| (module, lesson));
        let places = self.course.modules.iter().flat_map(lessons);
        let pages = places.flat_map(|(module, lesson)| lesson.pages.iter().map(move |page| (module, lesson, page)));
        pages.filter(|(_, _, page)| page.published)
    }
}

fn title_of(page: &PageDraft, words: &Words) -> String {
    match &page.title {
        Some(title) => title.clone(),
        None if page.quiz.is_some() => words.quiz.to_owned(),
        None => words.untitled.to_owned(),
    }
}

/// Russian when the titles and the first pages have more Cyrillic letters than Latin ones.
fn language(course: &CourseDraft) -> Lang {
    let mut text = course.title.clone();
    text.extend(course.lessons().take(50).map(|lesson| lesson.title.as_str()));
    text.extend(course.pages().take(20).map(|page| content::text(&page.content.read())));
    let count = |is: fn(&char) -> bool| text.chars().filter(is).count();
    let cyrillic = count(|c| matches!(c, 'а'..='я' | 'А'..='Я'));
    match cyrillic > count(char::is_ascii_alphabetic) / 2 {
        true => Lang::Ru,
        false => Lang::En,
    }
}

/// Text between tags and in attributes.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len() + text.len() / 16);
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            // Stands for nothing in HTML.
            '\0' => {}
            c => safe.push(c),
        }
    }
    safe
}

/// An anchor as an address has it.
fn fragment(anchor: &str) -> String {
    percent_encoding::utf8_percent_encode(anchor, percent_encoding::NON_ALPHANUMERIC).to_string()
}
