//! Detects the format of a course and reads it.

use std::path::Path;

use kurso_base::values::{Checked, Problem};

use super::quiz::Quiz;
use super::{
    CourseDraft, ImportError, Note, Report, Watcher, archive, cartridge, documents, gift, mdbook, native, olx, tarball,
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

impl Format {
    pub const ALL: [Self; 7] = [
        Self::Mdbook,
        Self::Markdown,
        Self::MdbookQuiz,
        Self::Gift,
        Self::Cartridge,
        Self::Olx,
        Self::Documents,
    ];

    /// The name in APIs and commands.
    pub fn name(self) -> &'static str {
        match self {
            Self::Mdbook => "mdbook",
            Self::Markdown => "markdown",
            Self::MdbookQuiz => "mdbook-quiz",
            Self::Gift => "gift",
            Self::Cartridge => "imscc",
            Self::Olx => "olx",
            Self::Documents => "documents",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
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
    let (mut course, mut report) = read_source(path, format, scratch, progress)?;
    for page in course.pages_mut() {
        for problem in page.quiz.iter_mut().flat_map(Quiz::fit) {
            report.counts.questions = report.counts.questions.saturating_sub(1);
            report.add(&page.source, Note::QuestionRefused(problem.into()));
        }
    }
    Ok((course, report))
}

fn read_source(
    path: &Path,
    format: Option<Format>,
    scratch: &Path,
    progress: &mut Watcher<'_>,
) -> Result<(CourseDraft, Report), ImportError> {
    let ending = path.extension().map(|ending| ending.to_ascii_lowercase());
    let is_text = ending.is_some_and(|ending| ending == "gift" || ending == "txt");
    if format == Some(Format::Gift) || (format.is_none() && is_text && path.is_file()) {
        return gift::read(path, progress);
    }
    if path.is_file() && documents::is_text(path) && matches!(format, None | Some(Format::Documents)) {
        return documents::read(path, None, scratch, progress);
    }
    let unpacked = scratch.join("unpacked");
    let mut skipped = Vec::new();
    let mut folder = path;
    if path.is_file() {
        skipped = if tarball::is_tarball(path) {
            tarball::unpack(path, &unpacked, progress)?
        } else {
            archive::unpack(path, &unpacked, progress)?
        };
        folder = &unpacked;
    }
    // Archives often contain a single folder.
    let inner = only_folder(folder);
    let folder = inner.as_deref().unwrap_or(folder);
    // Last, because folders of any format contain text files.
    let texts = || documents::is_documents(folder).then_some(Format::Documents);
    let format = match format.or_else(|| detect(folder)).or_else(texts) {
        Some(format) => format,
        None if !folder.is_dir() => return Err(ImportError::NoFolder(path.display().to_string())),
        None => return Err(ImportError::UnknownFormat(path.display().to_string())),
    };
    let (course, mut report) = match format {
        Format::Mdbook => mdbook::read(folder, progress),
        Format::Markdown => native::read(folder, progress),
        Format::MdbookQuiz => mdbook::quizzes::read(folder, progress),
        Format::Gift => gift::read(path, progress),
        Format::Cartridge => cartridge::read(folder, progress),
        Format::Olx => olx::read(folder, progress),
        Format::Documents => {
            let root = if path.is_file() {
                documents::root(folder)
            } else {
                folder.to_owned()
            };
            // The folder of an unpacked archive has a meaningless name.
            let name = path.file_stem().filter(|_| path.is_file() && root == folder);
            let name = name.map(|name| name.to_string_lossy().into_owned());
            documents::read(&root, name.as_deref(), scratch, progress)
        }
    }?;
    for (name, note) in skipped {
        report.add(name, note);
    }
    Ok((course, report))
}

fn detect(folder: &Path) -> Option<Format> {
    if folder.join(native::COURSE).is_file() {
        return Some(Format::Markdown);
    }
    let book = folder.join("book.toml").is_file() || folder.join("src/SUMMARY.md").is_file();
    if book {
        return Some(Format::Mdbook);
    }
    if folder.join(cartridge::MANIFEST).is_file() {
        return Some(Format::Cartridge);
    }
    if folder.join(olx::COURSE).is_file() {
        return Some(Format::Olx);
    }
    mdbook::quizzes::is_quiz(folder).then_some(Format::MdbookQuiz)
}

/// The only folder within that is a course.
fn only_folder(folder: &Path) -> Option<std::path::PathBuf> {
    if detect(folder).is_some() {
        return None;
    }
    let entries = std::fs::read_dir(folder).ok()?.filter_map(Result::ok).take(100);
    let folders = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    let mut courses = folders.map(|entry| entry.path()).filter(|path| detect(path).is_some());
    courses.next().filter(|_| courses.next().is_none())
}
