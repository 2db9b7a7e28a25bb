//! Detects the format of a course and reads it. [`READERS`] has one row per format.

use std::path::{Path, PathBuf};

use kurso_base::schedule::ScheduleTime;
use kurso_base::values::{Checked, Problem};

use super::headings::Headings;
use super::unpack::Budget;
use super::{
    CourseDraft, ImportError, Note, Report, Watcher, aiken, archive, cartridge, documents, epub, gift, mdbook, native,
    olx, recognize, start, tarball, unsupported::Unsupported,
};

/// Course formats.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// mdBook: a folder with `book.toml` and `src/SUMMARY.md`.
    Mdbook,
    /// Kurso Markdown: a folder with `course.toml`.
    Markdown,
    /// A folder of mdbook-quiz files.
    MdbookQuiz,
    /// A GIFT file.
    Gift,
    /// A text file of questions in Aiken.
    Aiken,
    /// A book in EPUB.
    Epub,
    /// Common Cartridge or Canvas: a zip, `.imscc`, or a folder with `imsmanifest.xml`.
    Cartridge,
    /// Open edX: a folder with `course.xml`, or a tarball of one.
    Olx,
    /// Markdown, HTML or DOCX: a file or a folder.
    Documents,
}

impl Checked for Format {
    type Plain = String;

    fn check(plain: String) -> Result<Self, Problem> {
        Format::parse(&plain).ok_or_else(Self::wrong_type)
    }

    fn wrong_type() -> Problem {
        Problem::not_one_of(Format::ALL.map(Format::name).into())
    }
}

/// One course format.
struct Reader {
    format: Format,
    /// The name in APIs and commands.
    name: &'static str,
    /// Whether the reader takes this file as it is. Other files are archives, which are unpacked first.
    takes_file: fn(&Path) -> bool,
    /// Whether a folder holds a course of this format.
    detects_folder: fn(&Path) -> bool,
    read: fn(&mut Context<'_, '_>) -> Result<(CourseDraft, Report), ImportError>,
}

/// What a reader works on.
struct Context<'a, 'w> {
    /// The file or folder that the caller named.
    source: &'a Path,
    /// The folder of the course: `source` itself, or a folder of the unpacked archive. For a file that the reader takes as it
    /// is, the file.
    root: &'a Path,
    /// A folder for temporary files. The files of the course may stay in it.
    scratch: &'a Path,
    /// What may still be unpacked into `scratch`.
    budget: &'a mut Budget,
    headings: Option<&'a Headings>,
    start: Option<ScheduleTime>,
    progress: &'a mut Watcher<'w>,
}

/// All formats. The first one that detects a file or folder reads it, so the formats whose folders any course may contain
/// come last.
static READERS: [Reader; 9] = [
    Reader {
        format: Format::Markdown,
        name: "markdown",
        takes_file: |_| false,
        detects_folder: |folder| folder.join(native::COURSE).is_file(),
        read: |context| native::read(context.root, context.start, context.progress),
    },
    Reader {
        format: Format::Mdbook,
        name: "mdbook",
        takes_file: |_| false,
        detects_folder: |folder| folder.join("book.toml").is_file() || folder.join("src/SUMMARY.md").is_file(),
        read: |context| mdbook::read(context.root, context.progress),
    },
    Reader {
        format: Format::Cartridge,
        name: "imscc",
        takes_file: |_| false,
        detects_folder: |folder| folder.join(cartridge::MANIFEST).is_file(),
        read: |context| cartridge::read(context.root, context.scratch, context.progress),
    },
    Reader {
        format: Format::Olx,
        name: "olx",
        takes_file: |_| false,
        detects_folder: |folder| folder.join(olx::COURSE).is_file(),
        read: |context| olx::read(context.root, context.scratch, context.progress),
    },
    Reader {
        format: Format::MdbookQuiz,
        name: "mdbook-quiz",
        takes_file: |_| false,
        detects_folder: mdbook::quizzes::is_quiz,
        read: |context| mdbook::quizzes::read(context.root, context.progress),
    },
    Reader {
        format: Format::Epub,
        name: "epub",
        takes_file: |_| false,
        detects_folder: |folder| folder.join(epub::CONTAINER).is_file(),
        read: |context| {
            let scratch = documents::Scratch {
                folder: context.scratch,
                budget: context.budget,
            };
            epub::read(context.source, context.root, scratch, context.progress)
        },
    },
    // Before GIFT, which takes every text.
    Reader {
        format: Format::Aiken,
        name: "aiken",
        takes_file: aiken::is_aiken,
        detects_folder: |_| false,
        read: |context| aiken::read(context.source, context.progress),
    },
    Reader {
        format: Format::Gift,
        name: "gift",
        takes_file: gift::is_gift,
        detects_folder: |_| false,
        read: |context| gift::read(context.source, context.progress),
    },
    Reader {
        format: Format::Documents,
        name: "documents",
        takes_file: documents::is_text,
        detects_folder: documents::is_documents,
        read: |context| {
            let scratch = documents::Scratch {
                folder: context.scratch,
                budget: context.budget,
            };
            documents::read(
                context.source,
                context.root,
                scratch,
                context.headings,
                context.progress,
            )
        },
    },
];

impl Format {
    pub const ALL: [Self; 9] = [
        Self::Mdbook,
        Self::Markdown,
        Self::MdbookQuiz,
        Self::Gift,
        Self::Aiken,
        Self::Epub,
        Self::Cartridge,
        Self::Olx,
        Self::Documents,
    ];

    fn reader(self) -> &'static Reader {
        let [first, ..] = &READERS;
        READERS.iter().find(|reader| reader.format == self).unwrap_or(first)
    }

    /// The name in APIs and commands.
    pub fn name(self) -> &'static str {
        self.reader().name
    }

    pub fn parse(name: &str) -> Option<Self> {
        READERS
            .iter()
            .find(|reader| reader.name == name)
            .map(|reader| reader.format)
    }
}

/// Reads the file or folder at `path` in the given or detected format. Archives are unpacked into `scratch` first. Reports
/// and removes the questions that exceed the limits of their quiz.
pub fn read(
    path: &Path,
    format: Option<Format>,
    scratch: &Path,
    progress: &mut Watcher<'_>,
) -> Result<(CourseDraft, Report), ImportError> {
    let options = Options {
        format,
        ..Options::default()
    };
    read_with(path, &options, scratch, progress)
}

/// How a file is read.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Options {
    /// None: detected.
    pub format: Option<Format>,
    /// What the headings of a single document begin. None: long texts and several headings of level 1 become pages.
    pub headings: Option<Headings>,
    /// When the course starts: all dates move by as many days as its start does.
    pub starts_at: Option<ScheduleTime>,
}

/// Reads as [`read`] does, with options.
pub fn read_with(
    path: &Path,
    options: &Options,
    scratch: &Path,
    progress: &mut Watcher<'_>,
) -> Result<(CourseDraft, Report), ImportError> {
    let (mut course, mut report) = read_source(path, options, scratch, progress)?;
    if let Some(start) = options.starts_at {
        start::begin_at(&mut course, start, &mut report);
    }
    for page in course.pages_mut() {
        let Some(quiz) = &mut page.quiz else { continue };
        let all = quiz.question_count();
        for problem in quiz.fit() {
            report.add(&page.source, Note::QuestionRefused(problem.into()));
        }
        let removed = all - quiz.question_count();
        report.counts.questions = report.counts.questions.saturating_sub(removed);
    }
    Ok((course, report))
}

fn read_source(
    path: &Path,
    options: &Options,
    scratch: &Path,
    progress: &mut Watcher<'_>,
) -> Result<(CourseDraft, Report), ImportError> {
    let (format, headings) = (options.format, options.headings.as_ref());
    if path.is_file()
        && let Some(what) = recognize::unsupported_file(path)
    {
        return Err(unsupported(path, what));
    }
    let mut budget = match std::fs::metadata(path) {
        Ok(about) if about.is_file() => Budget::of_file(about.len()),
        _ => Budget::of_folder(),
    };
    let budget = &mut budget;
    if let Some(reader) = reader_of_file(path, format) {
        let mut context = Context {
            source: path,
            root: path,
            scratch,
            budget,
            headings,
            start: options.starts_at,
            progress,
        };
        return (reader.read)(&mut context);
    }
    // Readers take the name of the folder where a course has no title.
    let unpacked = scratch.join("unpacked").join(archive_name(path));
    let mut skipped = Vec::new();
    let mut folder = path;
    if path.is_file() {
        skipped = if tarball::is_tarball(path) {
            tarball::unpack(path, &unpacked, budget, progress)?
        } else {
            archive::unpack(path, &unpacked, budget, progress)?
        };
        folder = &unpacked;
    }
    // Archives often contain a single folder.
    let inner = only_folder(folder);
    let root = inner.as_deref().unwrap_or(folder);
    if format.is_none()
        && let Some(what) = recognize::unsupported_folder(root)
    {
        return Err(unsupported(path, what));
    }
    let reader = match format.map(Format::reader).or_else(|| detect(root)) {
        Some(reader) => reader,
        None if !root.is_dir() => return Err(ImportError::NoFolder(path.display().to_string())),
        None => return Err(ImportError::UnknownFormat(path.display().to_string())),
    };
    let mut context = Context {
        source: path,
        root,
        scratch,
        budget,
        headings,
        start: options.starts_at,
        progress,
    };
    let (course, mut report) = (reader.read)(&mut context)?;
    for (name, note) in skipped {
        report.add(name, note);
    }
    Ok((course, report))
}

fn unsupported(path: &Path, what: Unsupported) -> ImportError {
    let path = path.display().to_string();
    ImportError::Unsupported { path, what }
}

/// The name of an archive without its extensions.
fn archive_name(path: &Path) -> String {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let name = name.strip_suffix(".tar").unwrap_or(&name);
    match name.trim_matches('.') {
        "" => "course".to_owned(),
        _ => name.to_owned(),
    }
}

/// The reader that takes the file as it is, if one does. Questions in a file of any name are
/// read when the caller asks for their format.
fn reader_of_file(path: &Path, format: Option<Format>) -> Option<&'static Reader> {
    match format {
        Some(format @ (Format::Gift | Format::Aiken)) => Some(format.reader()),
        _ if !path.is_file() => None,
        Some(format) => Some(format.reader()).filter(|reader| (reader.takes_file)(path)),
        None => READERS.iter().find(|reader| (reader.takes_file)(path)),
    }
}

fn detect(folder: &Path) -> Option<&'static Reader> {
    READERS.iter().find(|reader| (reader.detects_folder)(folder))
}

/// The only folder within that is a course.
fn only_folder(folder: &Path) -> Option<PathBuf> {
    let is_course = |folder: &Path| detect(folder).is_some_and(|reader| reader.format != Format::Documents);
    if is_course(folder) {
        return None;
    }
    let entries = std::fs::read_dir(folder).ok()?.filter_map(Result::ok).take(100);
    let folders = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    let mut courses = folders.map(|entry| entry.path()).filter(|path| is_course(path));
    courses.next().filter(|_| courses.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_has_a_reader() {
        for reader in &READERS {
            assert!(Format::ALL.contains(&reader.format), "{}", reader.name);
        }
        for format in Format::ALL {
            assert!(format.reader().format == format, "{format:?}");
            assert_eq!(Format::parse(format.name()), Some(format));
        }
    }
}
