//! Errors that prevent a whole import or export. Problems of single pages are notes in the report.

use kurso_base::messages::Lang;

use super::note::FileTrouble;
use super::note::{Reason, TomlTrouble};
use super::unsupported::Unsupported;
pub use super::xml::XmlTrouble;

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}", self.text(Lang::En))]
pub enum ImportError {
    NoFolder(String),
    NotAFolder(String),
    NoSummary(String),
    BadConfig {
        trouble: TomlTrouble,
    },
    File {
        path: String,
        trouble: FileTrouble,
    },
    Xml {
        path: String,
        trouble: XmlTrouble,
    },
    NoPages,
    TooManyPages(usize),
    TooLarge,
    /// A file of questions only, with more than this many.
    TooManyQuestions(usize),
    UnknownFormat(String),
    /// A file or package of a known kind that no reader takes.
    Unsupported {
        path: String,
        what: Unsupported,
    },
    Archive {
        path: String,
        why: Reason,
    },
    /// The watcher requested it.
    Cancelled,
}

impl ImportError {
    /// The stable name of the error.
    pub fn key(&self) -> &'static str {
        match self {
            Self::NoFolder(_) => "import_no_folder",
            Self::NotAFolder(_) => "import_not_a_folder",
            Self::NoSummary(_) => "import_no_summary",
            Self::BadConfig { .. } => "import_bad_config",
            Self::File { .. } => "import_file",
            Self::Xml { .. } => "import_xml",
            Self::NoPages => "import_no_pages",
            Self::TooManyPages(_) => "import_too_many_pages",
            Self::TooLarge => "import_too_large",
            Self::TooManyQuestions(_) => "import_too_many_questions",
            Self::UnknownFormat(_) => "import_unknown_format",
            Self::Unsupported { .. } => "import_unsupported",
            Self::Archive { .. } => "import_archive",
            Self::Cancelled => "import_cancelled",
        }
    }

    pub fn text(&self, lang: Lang) -> String {
        match lang {
            Lang::En => match self {
                Self::NoFolder(path) => format!("The folder {path} does not exist"),
                Self::NotAFolder(path) => format!("{path} is not a folder"),
                Self::NoSummary(path) => format!("{path} is missing: this is not an mdBook"),
                Self::BadConfig { trouble } => format!("book.toml: {}", trouble.text(lang)),
                Self::File { path, trouble } => format!("{path}: {}", trouble.text(lang)),
                Self::Xml { path, trouble } => format!("{path}: {}", trouble.text(lang)),
                Self::NoPages => "No page could be read".into(),
                Self::TooManyPages(max) => format!("The course has more than {max} pages"),
                Self::TooLarge => "The course is too large: the limits are 64 MB of text and 2 million nodes".into(),
                Self::TooManyQuestions(max) => {
                    format!("The file has more than {max} questions: split it into several files")
                }
                Self::UnknownFormat(path) => format!(
                    "{path} has no supported format: a folder or zip of Kurso Markdown with a course.toml, \
                     an mdBook with src/SUMMARY.md, a folder of mdbook-quiz files, a .gift file, \
                     a Common Cartridge with an imsmanifest.xml, an Open edX course with a course.xml (folder or .tar.gz), \
                     .md, .html and .docx files, or a folder or zip of them"
                ),
                Self::Unsupported { path, what } => format!("{path} is {}", what.text(lang)),
                Self::Archive { path, why } => format!("{path}: {}", why.text(lang)),
                Self::Cancelled => "The import was cancelled".into(),
            },
            Lang::Ru => match self {
                Self::NoFolder(path) => format!("Папки {path} нет"),
                Self::NotAFolder(path) => format!("{path} — не папка"),
                Self::NoSummary(path) => format!("Нет файла {path}: это не книга mdBook"),
                Self::BadConfig { trouble } => format!("book.toml: {}", trouble.text(lang)),
                Self::File { path, trouble } => format!("{path}: {}", trouble.text(lang)),
                Self::Xml { path, trouble } => format!("{path}: {}", trouble.text(lang)),
                Self::NoPages => "Ни одну страницу не удалось прочесть".into(),
                Self::TooManyPages(max) => format!("В курсе больше {max} страниц"),
                Self::TooLarge => "Курс слишком велик: не больше 64 МБ текста и 2 миллионов его частей".into(),
                Self::TooManyQuestions(max) => format!("В файле больше {max} вопросов: разделите его на несколько"),
                Self::UnknownFormat(path) => format!(
                    "{path} — ни одна из форм, в которых приходят курсы: папка или zip в Kurso Markdown с файлом course.toml, \
                     книга mdBook с файлом src/SUMMARY.md, папка тестов mdbook-quiz, файл .gift, \
                     Common Cartridge с файлом imsmanifest.xml, курс Open edX с файлом course.xml (папка или .tar.gz), \
                     файлы .md, .html и .docx, папка или zip с ними"
                ),
                Self::Unsupported { path, what } => format!("{path} — это {}", what.text(lang)),
                Self::Archive { path, why } => format!("{path}: {}", why.text(lang)),
                Self::Cancelled => "Импорт отменён".into(),
            },
        }
    }
}

/// Why a course could not be exported.
#[derive(Debug, thiserror::Error)]
#[error("{}", self.text(Lang::En))]
pub enum ExportError {
    Taken(String),
    Write { path: String, why: std::io::Error },
    Course(#[from] kurso_base::error::Error),
}

impl ExportError {
    pub fn text(&self, lang: Lang) -> String {
        match (self, lang) {
            (Self::Taken(path), Lang::En) => format!("{path} already exists and is not an export"),
            (Self::Taken(path), Lang::Ru) => format!("{path} уже есть, и там что-то другое"),
            (Self::Write { path, why }, lang) => format!("{path}: {}", Reason::of_writing(why).text(lang)),
            (Self::Course(error), lang) => error.message().text(lang),
        }
    }
}
