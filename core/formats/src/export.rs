//! Exports courses to files.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

use super::course::MAX_TEXT;
use super::native::{self, DateForm, FileContent, Layout};
use super::note::Note;
use super::{CourseDraft, ExportError, Report, archive, cartridge, gift};

/// Exports a course as Kurso Markdown: as a zip if `to` ends in `.zip`, or else as a folder. An earlier export in the
/// folder is replaced and other files are kept; any other non-empty folder is refused.
/// The report says whether it is too large to be imported again.
pub fn export(course: &CourseDraft, to: &Path) -> Result<Report, ExportError> {
    export_with(course, DateForm::Moments, to)
}

/// Exports as [`export`] does, with dates in this form. The report says whether there is no start to count them from.
pub fn export_with(course: &CourseDraft, form: DateForm, to: &Path) -> Result<Report, ExportError> {
    let failed = |why: io::Error| ExportError::Write {
        path: to.display().to_string(),
        why,
    };
    let (layout, report) = markdown(course, form);
    if to.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("zip")) {
        pack(&layout, to).map_err(failed)?;
        return Ok(report);
    }
    let earlier = to.join(native::COURSE).is_file();
    let empty = match fs::read_dir(to) {
        Ok(mut entries) => entries.next().is_none(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => true,
        Err(error) => return Err(failed(error)),
    };
    if !earlier && !empty {
        return Err(ExportError::Taken(to.display().to_string()));
    }
    if earlier {
        remove_earlier_export(to).map_err(failed)?;
    }
    write_folder(&layout, to).map_err(failed)?;
    Ok(report)
}

/// The report of [`export_with`]. Nothing is written, and no file of the course is read.
pub fn report_markdown(course: &CourseDraft, form: DateForm) -> Report {
    markdown(course, form).1
}

fn markdown(course: &CourseDraft, form: DateForm) -> (Layout, Report) {
    let layout = native::layout(course, form);
    let mut report = Report::default();
    if form == DateForm::FromStart && native::start_of(course, form).is_none() {
        report.add(native::COURSE, Note::NothingToCountFrom);
    }
    let known: BTreeSet<_> = course.banks.iter().map(|bank| bank.id).collect();
    if !course.drawn_banks().is_subset(&known) {
        report.add(native::COURSE, Note::BanksOmitted);
    }
    let texts = layout.iter().map(|(path, content)| match content {
        FileContent::Text(text) if path.ends_with(".md") => text.len(),
        _ => 0,
    });
    add_size(&mut report, texts.sum());
    (layout, report)
}

/// Adds a line if the texts of an export exceed what an import takes.
fn add_size(report: &mut Report, bytes: usize) {
    if bytes > MAX_TEXT {
        report.add("course", Note::TooLargeToImport(bytes >> 20));
    }
}

/// Exports the questions of a course as GIFT. The report lists what GIFT cannot express.
pub fn export_gift(course: &CourseDraft, to: &Path) -> Result<Report, ExportError> {
    let (text, report) = gift::write(course);
    fs::write(to, text).map_err(|why| ExportError::Write {
        path: to.display().to_string(),
        why,
    })?;
    Ok(report)
}

/// The report of [`export_gift`]. Nothing is written.
pub fn report_gift(course: &CourseDraft) -> Report {
    gift::write(course).1
}

/// Exports a course as a Common Cartridge 1.3 zip. The report lists what other systems will not read.
pub fn export_cartridge(course: &CourseDraft, to: &Path) -> Result<Report, ExportError> {
    let (layout, mut report) = cartridge::layout(course);
    add_texts(&mut report, course);
    pack(&layout, to).map_err(|why| ExportError::Write {
        path: to.display().to_string(),
        why,
    })?;
    Ok(report)
}

/// The report of [`export_cartridge`]. Nothing is written, and no file of the course is read.
pub fn report_cartridge(course: &CourseDraft) -> Report {
    let mut report = cartridge::report(course);
    add_texts(&mut report, course);
    report
}

/// Adds a line if the texts of a course exceed what an import takes.
fn add_texts(report: &mut Report, course: &CourseDraft) {
    let texts = course.pages().map(|page| {
        let quiz = page.quiz.as_ref().and_then(|quiz| quiz.to_text().ok());
        page.content.as_str().len() + quiz.map_or(0, |text| text.len())
    });
    add_size(report, texts.sum());
}

/// Writes a zip atomically.
fn pack(layout: &Layout, to: &Path) -> io::Result<()> {
    let temporary = to.with_extension("zip.part");
    let packed = archive::pack(layout, &temporary).and_then(|()| fs::rename(&temporary, to));
    if packed.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    packed
}

/// Removes the files of an earlier export: module folders, the folders of media and of question banks, and the course file.
fn remove_earlier_export(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let digits = name.bytes().take_while(u8::is_ascii_digit).count();
        let ours =
            (digits >= 2 && name.as_bytes().get(digits) == Some(&b'-')) || name == "files" || name == native::BANKS;
        if ours && entry.file_type()?.is_dir() {
            fs::remove_dir_all(entry.path())?;
        }
    }
    fs::remove_file(folder.join(native::COURSE))
}

fn write_folder(layout: &Layout, folder: &Path) -> io::Result<()> {
    for (path, body) in layout {
        let target = folder.join(path);
        if let Some(parent) = target.parent() {
            fs::create_dir_all(parent)?;
        }
        match body {
            FileContent::Text(text) => fs::write(&target, text)?,
            FileContent::Copy(from) => {
                fs::copy(from, &target)?;
            }
        }
    }
    Ok(())
}
