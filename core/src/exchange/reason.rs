//! Why something was refused or left out: a code with arguments, whose words are found when somebody reads them.
//!
//! Libraries explain themselves in English alone, so what they say is sorted into these codes and never shown.

use std::io;

use zip::result::ZipError;

use super::note::FileTrouble;
use super::xml::XmlTrouble;
use crate::content::{ContentError, ContentProblem, Lang};
use crate::error::Error;
use crate::messages::Message;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    File(FileTrouble),
    Xml(XmlTrouble),
    Toml(TomlTrouble),
    // Archives
    NotAZip,
    NotATarball,
    /// How many there may be.
    TooManyFiles(usize),
    /// How many megabytes there may be, unpacked.
    TooMuch(u64),
    Link,
    SameName,
    ImpossibleName,
    Damaged,
    Locked,
    /// The number of the method, as zips name it.
    Compression(u16),
    // The server's own disk
    DiskFull,
    Disk,
    NoPlace,
    NotAllowed,
    // Courses
    NoManifest,
    /// How many a quiz may have.
    TooManyQuestions(usize),
    NothingInIt,
    /// What the content model says, and where in the document.
    Content {
        path: Option<String>,
        problem: ContentProblem,
    },
    /// A refusal that has its words in the catalogue.
    Told(Message),
}

/// Why TOML could not be read. The line is that of the text that was read, from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TomlTrouble {
    /// One of them is there twice.
    Twice(usize),
    Broken(usize),
}

impl TomlTrouble {
    pub fn of(error: &toml::de::Error, text: &str) -> Self {
        let before = error.span().and_then(|span| text.get(..span.start));
        let line = before.map_or(1, |before| before.matches('\n').count() + 1);
        // The library has no kinds of errors.
        match error.message().starts_with("duplicate key") {
            true => Self::Twice(line),
            false => Self::Broken(line),
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
            (Self::Twice(line), Lang::En) => format!("line {line} names a setting that is there already"),
            (Self::Twice(line), Lang::Ru) => format!("в строке {line} названа настройка, которая уже есть"),
            (Self::Broken(line), Lang::En) => format!("line {line} is not written as TOML is"),
            (Self::Broken(line), Lang::Ru) => format!("строка {line} записана не по правилам TOML"),
        }
    }
}

impl Reason {
    /// A stable name of the kind of reason.
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
            Self::Told(_) => "told",
        }
    }

    pub fn text(&self, lang: Lang) -> String {
        let (en, ru) = match self {
            Self::File(trouble) => return trouble.text(lang).into(),
            Self::Xml(trouble) => return trouble.text(lang),
            Self::Toml(trouble) => return trouble.text(lang),
            Self::Content { path, problem } => {
                let told = problem.text(lang);
                return path.as_ref().map_or(told.clone(), |path| format!("{path}: {told}"));
            }
            Self::Told(message) => return message.text(lang),
            Self::TooManyFiles(most) => {
                return match lang {
                    Lang::En => format!("it has more than {most} files"),
                    Lang::Ru => format!("файлов в нём больше {most}"),
                };
            }
            Self::TooMuch(megabytes) => {
                return match lang {
                    Lang::En => format!("unpacked it is larger than {megabytes} MB"),
                    Lang::Ru => format!("в распакованном виде больше {megabytes} МБ"),
                };
            }
            Self::Compression(method) => {
                return match lang {
                    Lang::En => format!("it is packed by method {method}, which is not read here"),
                    Lang::Ru => format!("упакован методом {method}, который здесь не читается"),
                };
            }
            Self::TooManyQuestions(most) => {
                return match lang {
                    Lang::En => format!("a quiz has at most {most} questions"),
                    Lang::Ru => format!("в тесте не больше {most} вопросов"),
                };
            }
            Self::NotAZip => (
                "this is no zip, or it is damaged",
                "это не zip-архив, или архив повреждён",
            ),
            Self::NotATarball => (
                "this is no tarball, or it is damaged",
                "это не tar-архив, или архив повреждён",
            ),
            Self::Link => ("links are not followed", "ссылки на другие файлы не читаются"),
            Self::SameName => ("another file has the same name", "файл с таким именем уже есть"),
            Self::ImpossibleName => (
                "there can be no file of this name",
                "файла с таким именем быть не может",
            ),
            Self::Damaged => ("this part of the archive is damaged", "эта часть архива повреждена"),
            Self::Locked => ("it is locked with a password", "закрыт паролем"),
            Self::DiskFull => (
                "the server has no room on its disk",
                "на диске сервера не осталось места",
            ),
            Self::Disk => ("the server's disk failed", "сбой диска на сервере"),
            Self::NoPlace => ("there is no such folder", "такой папки нет"),
            Self::NotAllowed => ("writing there is not allowed", "туда нельзя записывать"),
            Self::NoManifest => ("the element <manifest> is missing", "нет элемента <manifest>"),
            Self::NothingInIt => ("there is nothing in it", "в нём ничего нет"),
        };
        match lang {
            Lang::En => en.to_owned(),
            Lang::Ru => ru.to_owned(),
        }
    }

    /// Why the disk did not do what it was asked.
    pub fn of_disk(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::DiskFull,
            _ => Self::Disk,
        }
    }

    /// Why nothing could be written where somebody wished it.
    pub fn of_writing(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Self::NoPlace,
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => Self::NotAllowed,
            _ => Self::of_disk(error),
        }
    }

    /// Why an entry of an archive could not be copied: its bytes are broken, or the disk is full.
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

    /// What the content model says of one block, whose place says nothing to its reader.
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

impl From<&Error> for Reason {
    fn from(error: &Error) -> Self {
        Self::Told(error.message())
    }
}
