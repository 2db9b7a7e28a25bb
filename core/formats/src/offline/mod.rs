//! Writes a course as a single HTML file that works offline ([decision
//! 33](../../../../docs/decisions/0033-offline-html-export.md)): contents, pages, media, quizzes, search and
//! two themes, without external addresses. The output is deterministic.

mod code;
mod document;
mod figures;
mod frame;
mod labels;
mod math;
mod media;
mod quiz;
mod zones;

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
use super::{language, xml};
use crate::content;
use crate::quiz::Quiz;
use kurso_base::messages::Lang;
use labels::Labels;

/// Export options.
#[derive(Clone, Copy, Debug)]
pub struct HtmlExport {
    /// Include the correct answers, collapsed at the end of each quiz.
    pub answers: bool,
}

impl Default for HtmlExport {
    fn default() -> Self {
        HtmlExport { answers: true }
    }
}

/// Writes the course to a file, atomically. The report lists what is not included.
pub fn export_html(course: &CourseDraft, options: HtmlExport, to: &Path) -> Result<Report, ExportError> {
    let temporary = to.with_extension("html.part");
    let written = File::create(&temporary).and_then(|file| {
        let mut out = BufWriter::with_capacity(1 << 16, file);
        let report = write_html(course, options, &mut out)?;
        out.flush()?;
        fs::rename(&temporary, to)?;
        Ok(report)
    });
    written.map_err(|why| {
        let _ = fs::remove_file(&temporary);
        ExportError::Write {
            path: to.display().to_string(),
            why,
        }
    })
}

/// The report of [`export_html`]: the same writer, without an output and without the bytes of the course's files.
pub fn report_html(course: &CourseDraft, options: HtmlExport) -> Result<Report, ExportError> {
    let mut site = Site::of(course, options);
    site.has_bytes = false;
    write_site(&site, &mut io::sink()).map_err(|why| ExportError::Write {
        path: course.title.clone(),
        why,
    })
}

/// Writes the course to any output. Files are streamed.
pub fn write_html(course: &CourseDraft, options: HtmlExport, out: &mut dyn Write) -> io::Result<Report> {
    write_site(&Site::of(course, options), out)
}

fn write_site(site: &Site<'_>, out: &mut dyn Write) -> io::Result<Report> {
    let course = site.course;
    let mut report = Report::default();
    for page in course.pages().filter(|page| !page.published) {
        report.add(title_of(page, site.labels), Note::Unpublished);
    }
    frame::write(site, out, &mut report)?;
    report.close(&course.title);
    Ok(report)
}

/// State shared by all pages.
struct Site<'a> {
    course: &'a CourseDraft,
    options: HtmlExport,
    labels: &'static Labels,
    /// Anchors of the included pages.
    anchors: HashMap<Uuid, String>,
    files: HashMap<&'a str, &'a FileDraft>,
    math: math::Formulas,
    /// Whether the bytes of files are written.
    has_bytes: bool,
}

impl<'a> Site<'a> {
    fn of(course: &'a CourseDraft, options: HtmlExport) -> Self {
        let published = course.pages().filter(|page| page.published);
        Site {
            course,
            options,
            labels: Labels::of(language(course)),
            anchors: published
                .map(|page| (page.id, page.key.clone().unwrap_or_else(|| key_of(page.id))))
                .collect(),
            files: course.files.iter().map(|file| (file.key.as_str(), file)).collect(),
            math: math::Formulas::new(),
            has_bytes: true,
        }
    }

    fn anchor(&self, page: &PageDraft) -> &str {
        self.anchors.get(&page.id).map_or("", String::as_str)
    }

    /// The included pages in order, with their module and lesson.
    fn pages(&self) -> impl Iterator<Item = (&'a ModuleDraft, &'a LessonDraft, &'a PageDraft)> {
        let lessons = |module: &'a ModuleDraft| module.lessons.iter().map(move |lesson| (module, lesson));
        let places = self.course.modules.iter().flat_map(lessons);
        let pages = places.flat_map(|(module, lesson)| lesson.pages.iter().map(move |page| (module, lesson, page)));
        pages.filter(|(_, _, page)| page.published)
    }
}

fn title_of(page: &PageDraft, labels: &Labels) -> String {
    match &page.title {
        Some(title) => title.clone(),
        None if page.quiz.as_ref().is_some_and(Quiz::is_assignment) => labels.assignment.to_owned(),
        None if page.quiz.is_some() => labels.quiz.to_owned(),
        None => labels.untitled.to_owned(),
    }
}

fn language(course: &CourseDraft) -> Lang {
    let mut text = course.title.clone();
    text.extend(course.lessons().take(50).map(|lesson| lesson.title.as_str()));
    text.extend(course.pages().take(20).map(|page| content::text(&page.content.read())));
    language::guess(&text)
}

/// Escapes text for HTML, which does not allow NUL.
fn escaped(text: &str) -> String {
    xml::escaped(&text.replace('\0', ""))
}

/// Encodes an anchor for use in an address.
fn fragment(anchor: &str) -> String {
    percent_encoding::utf8_percent_encode(anchor, percent_encoding::NON_ALPHANUMERIC).to_string()
}
