//! Reasons for errors and omissions: codes with arguments, whose texts are produced on display.
//!
//! Errors of libraries exist in English only, so they are mapped to these codes and never shown.

use std::io;

use zip::result::ZipError;

use super::FileTrouble;
use crate::content::{ContentError, ContentProblem};
use crate::quiz;
use crate::xml::XmlTrouble;
use kurso_base::error::Error;
use kurso_base::messages::Lang;
use kurso_base::messages::Message;
use kurso_base::values;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    File(FileTrouble),
    Xml(XmlTrouble),
    Toml(TomlTrouble),
    // Archives
    NotAZip,
    NotATarball,
    /// The limit.
    TooManyFiles(usize),
    /// The limit in megabytes, unpacked.
    TooMuch(u64),
    Link,
    SameName,
    ImpossibleName,
    Damaged,
    Locked,
    /// The number of the zip compression method.
    Compression(u16),
    // The server's own disk
    DiskFull,
    Disk,
    NoPlace,
    NotAllowed,
    // Courses
    NoManifest,
    /// The limit per quiz.
    TooManyQuestions(usize),
    NothingInIt,
    /// A violation of the content model and its location.
    Content {
        path: Option<String>,
        problem: ContentProblem,
    },
    /// An error with a message in the catalogue.
    Message(Message),
}

/// Why TOML could not be parsed. Lines start at 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TomlTrouble {
    /// A duplicate key.
    Twice(usize),
    Broken(usize),
}

impl TomlTrouble {
    pub fn of(error: &toml::de::Error, text: &str) -> Self {
        let before = error.span().and_then(|span| text.get(..span.start));
        let line = before.map_or(1, |before| before.matches('\n').count() + 1);
        // The library has no error kinds.
        if error.message().starts_with("duplicate key") {
            Self::Twice(line)
        } else {
            Self::Broken(line)
        }
    }

    pub fn key(self) -> &'static str {
        match self {
            Self::Twice(_) => "toml_twice",
            Self::Broken(_) => "toml_broken",
        }
    }

    pub fn text(self, lang: Lang) -> String {
        match (self, lang) {
            (Self::Twice(line), Lang::En) => format!("line {line} repeats a setting"),
            (Self::Twice(line), Lang::Ru) => format!("в строке {line} названа настройка, которая уже есть"),
            (Self::Broken(line), Lang::En) => format!("line {line} is not valid TOML"),
            (Self::Broken(line), Lang::Ru) => format!("строка {line} записана не по правилам TOML"),
        }
    }
}

impl Reason {
    /// The stable name of the reason.
    pub fn key(&self) -> &'static str {
        match self {
            Self::File(trouble) => trouble.key(),
            Self::Xml(trouble) => trouble.key(),
            Self::Toml(trouble) => trouble.key(),
            Self::NotAZip => "not_a_zip",
            Self::NotATarball => "not_a_tarball",
            Self::TooManyFiles(_) => "too_many_files",
            Self::TooMuch(_) => "too_much",
            Self::Link => "link",
            Self::SameName => "same_name",
            Self::ImpossibleName => "impossible_name",
            Self::Damaged => "damaged",
            Self::Locked => "locked",
            Self::Compression(_) => "compression",
            Self::DiskFull => "disk_full",
            Self::Disk => "disk",
            Self::NoPlace => "no_place",
            Self::NotAllowed => "not_allowed",
            Self::NoManifest => "no_manifest",
            Self::TooManyQuestions(_) => "too_many_questions",
            Self::NothingInIt => "nothing_in_it",
            Self::Content { .. } => "content",
            Self::Message(_) => "told",
        }
    }

    pub fn text(&self, lang: Lang) -> String {
        let (en, ru) = match self {
            Self::File(trouble) => return trouble.text(lang),
            Self::Xml(trouble) => return trouble.text(lang),
            Self::Toml(trouble) => return trouble.text(lang),
            Self::Content { path, problem } => {
                let told = problem.text(lang);
                return path.as_ref().map_or(told.clone(), |path| format!("{path}: {told}"));
            }
            Self::Message(message) => return message.text(lang),
            Self::TooManyFiles(most) => {
                return match lang {
                    Lang::En => format!("it has more than {most} files"),
                    Lang::Ru => format!("файлов в нём больше {most}"),
                };
            }
            Self::TooMuch(megabytes) => {
                return match lang {
                    Lang::En => format!("its unpacked size exceeds {megabytes} MB"),
                    Lang::Ru => format!("в распакованном виде больше {megabytes} МБ"),
                };
            }
            Self::Compression(method) => {
                return match lang {
                    Lang::En => format!("compression method {method} is not supported"),
                    Lang::Ru => format!("упакован методом {method}, который здесь не читается"),
                };
            }
            Self::TooManyQuestions(most) => {
                return match lang {
                    Lang::En => format!("a quiz has at most {most} questions"),
                    Lang::Ru => format!("в тесте не больше {most} вопросов"),
                };
            }
            Self::NotAZip => ("not a zip archive, or damaged", "это не zip-архив, или архив повреждён"),
            Self::NotATarball => ("not a tarball, or damaged", "это не tar-архив, или архив повреждён"),
            Self::Link => ("links are not followed", "ссылки на другие файлы не читаются"),
            Self::SameName => ("another file has the same name", "файл с таким именем уже есть"),
            Self::ImpossibleName => ("invalid file name", "файла с таким именем быть не может"),
            Self::Damaged => ("this part of the archive is damaged", "эта часть архива повреждена"),
            Self::Locked => ("protected by a password", "закрыт паролем"),
            Self::DiskFull => ("the server's disk is full", "на диске сервера не осталось места"),
            Self::Disk => ("the server's disk failed", "сбой диска на сервере"),
            Self::NoPlace => ("the folder does not exist", "такой папки нет"),
            Self::NotAllowed => ("permission denied", "туда нельзя записывать"),
            Self::NoManifest => ("the element <manifest> is missing", "нет элемента <manifest>"),
            Self::NothingInIt => ("it is empty", "в нём ничего нет"),
        };
        match lang {
            Lang::En => en.to_owned(),
            Lang::Ru => ru.to_owned(),
        }
    }

    /// Maps errors of reading or extracting on the server.
    pub fn of_disk(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::DiskFull,
            _ => Self::Disk,
        }
    }

    /// Maps errors of writing to a path chosen by the user.
    pub fn of_writing(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Self::NoPlace,
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => Self::NotAllowed,
            _ => Self::of_disk(error),
        }
    }

    /// Maps errors of copying an archive entry: invalid data or a full disk.
    pub fn of_entry(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::DiskFull,
            _ => Self::Damaged,
        }
    }

    pub fn of_zip(error: &ZipError) -> Self {
        match error {
            ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED) | ZipError::InvalidPassword => Self::Locked,
            ZipError::CompressionMethodNotSupported(method) => Self::Compression(*method),
            ZipError::Io(error) => Self::of_entry(error),
            _ => Self::Damaged,
        }
    }

    /// A violation of the content model without its location, which would mean nothing to the author.
    pub fn of_block(error: ContentError) -> Self {
        Self::Content {
            path: None,
            problem: error.problem,
        }
    }

    pub fn of_document(error: ContentError) -> Self {
        Self::Content {
            path: Some(error.path),
            problem: error.problem,
        }
    }
}

impl From<FileTrouble> for Reason {
    fn from(trouble: FileTrouble) -> Self {
        Self::File(trouble)
    }
}

impl From<values::Problem> for Reason {
    fn from(problem: values::Problem) -> Self {
        Self::Message(problem.message)
    }
}

impl From<quiz::Problem> for Reason {
    fn from(problem: quiz::Problem) -> Self {
        match problem {
            quiz::Problem::TooMany(most) => Self::TooManyQuestions(most),
            problem => Self::Message(problem.message()),
        }
    }
}

impl From<&Error> for Reason {
    fn from(error: &Error) -> Self {
        Self::Message(error.message())
    }
}
