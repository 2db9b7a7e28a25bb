//! Names the files that no reader takes, by their content, and says what to do instead.

use std::fs::File;
use std::io::{BufReader, Read as _};
use std::path::Path;

use kurso_base::messages::Lang;
use zip::ZipArchive;

use crate::encoding;
use crate::sniff::{self, HEAD};

/// A kind of file or package that no reader takes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Unsupported {
    Pdf,
    DjVu,
    /// Word before 2007.
    Doc,
    /// A Word document whose name does not end in `.docx`.
    UnnamedDocx,
    PowerPoint,
    Excel,
    /// A document of Microsoft Office that is protected by a password.
    LockedOffice,
    Rtf,
    OpenDocumentText,
    OpenDocument,
    FictionBook,
    /// An EPUB whose texts are encrypted.
    LockedBook,
    MoodleBackup,
    MoodleXml,
    Scorm,
    /// QTI 2 or 3 without a Common Cartridge.
    Qti,
    H5p,
    /// A zip whose files are protected by a password.
    LockedZip,
    Rar,
    SevenZip,
    Image,
    Media,
    Notebook,
}

/// Bytes of an old Office file in which its parts are looked for.
const MAX_OFFICE: u64 = 64 * 1024 * 1024;
/// Entries of a zip whose names are looked at.
const MAX_NAMES: usize = 1000;
/// Extensions of files that readers take as texts.
const TEXTS: [&str; 7] = ["md", "markdown", "html", "htm", "xhtml", "txt", "gift"];
/// Bytes of a manifest that are looked at.
const MAX_MANIFEST: u64 = 16 * 1024 * 1024;

impl Unsupported {
    pub const ALL: [Self; 23] = [
        Self::Pdf,
        Self::DjVu,
        Self::Doc,
        Self::UnnamedDocx,
        Self::PowerPoint,
        Self::Excel,
        Self::LockedOffice,
        Self::Rtf,
        Self::OpenDocumentText,
        Self::OpenDocument,
        Self::FictionBook,
        Self::LockedBook,
        Self::MoodleBackup,
        Self::MoodleXml,
        Self::Scorm,
        Self::Qti,
        Self::H5p,
        Self::LockedZip,
        Self::Rar,
        Self::SevenZip,
        Self::Image,
        Self::Media,
        Self::Notebook,
    ];

    /// The kind of a file, by its content; None for files that a reader may take. Reads at most 64 MB.
    pub fn of_file(path: &Path) -> Option<Self> {
        let mut file = File::open(path).ok()?;
        let mut head = Vec::new();
        file.by_ref().take(HEAD as u64).read_to_end(&mut head).ok()?;
        let starts = |magic: &[u8]| head.starts_with(magic);
        let extension = path.extension().map(|extension| extension.to_ascii_lowercase());
        if starts(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1") {
            let mut bytes = head;
            file.take(MAX_OFFICE).read_to_end(&mut bytes).ok()?;
            return Some(of_old_office(&bytes));
        }
        if starts(b"PK\x03\x04") || starts(b"PK\x05\x06") {
            return of_zip(path, extension.as_ref().is_some_and(|extension| *extension == "docx"));
        }
        // Any words may begin a text, also those that begin a picture or a sound.
        let is_text = extension
            .is_some_and(|extension| TEXTS.iter().any(|text| extension == *text) && encoding::decode(&head).is_some());
        match sniff::content_type(&head) {
            "application/pdf" => Some(Self::Pdf),
            _ if starts(b"AT&TFORM") => Some(Self::DjVu),
            _ if starts(b"{\\rtf") => Some(Self::Rtf),
            _ if starts(b"Rar!\x1a\x07") => Some(Self::Rar),
            _ if starts(b"7z\xbc\xaf\x27\x1c") => Some(Self::SevenZip),
            _ if is_text => of_text(&head),
            kind if kind.starts_with("image/") => Some(Self::Image),
            kind if kind.starts_with("video/") || kind.starts_with("audio/") => Some(Self::Media),
            _ => of_text(&head),
        }
    }

    /// The kind of an unpacked archive, by the files in its root folder.
    pub fn of_folder(folder: &Path) -> Option<Self> {
        let has = |name: &str| folder.join(name).is_file();
        if has("moodle_backup.xml") {
            return Some(Self::MoodleBackup);
        }
        if has("h5p.json") {
            return Some(Self::H5p);
        }
        let mut manifest = Vec::new();
        let file = File::open(folder.join(crate::cartridge::MANIFEST)).ok()?;
        file.take(MAX_MANIFEST).read_to_end(&mut manifest).ok()?;
        of_manifest(&encoding::decode_lossy(&manifest).0.text)
    }

    /// Whether it is a document that a page can offer for download.
    pub fn is_document(self) -> bool {
        matches!(
            self,
            Self::Pdf
                | Self::DjVu
                | Self::Doc
                | Self::UnnamedDocx
                | Self::PowerPoint
                | Self::Excel
                | Self::LockedOffice
                | Self::Rtf
                | Self::OpenDocumentText
                | Self::OpenDocument
                | Self::FictionBook
                | Self::Notebook
        )
    }

    /// The name of the kind, and what to do instead.
    pub fn text(self, lang: Lang) -> &'static str {
        let (en, ru) = self.texts();
        match lang {
            Lang::En => en,
            Lang::Ru => ru,
        }
    }

    fn texts(self) -> (&'static str, &'static str) {
        match self {
            Self::Pdf => (
                "a PDF document. Its text cannot be imported. Attach it to a page, or put it into a zip beside .md, .html or .docx files",
                "документ PDF. Текст из него не взять. Приложите его к странице или положите в zip рядом с файлами .md, .html или .docx",
            ),
            Self::DjVu => (
                "a DjVu document. Its text cannot be imported. Attach it to a page, or put it into a zip beside .md, .html or .docx files",
                "документ DjVu. Текст из него не взять. Приложите его к странице или положите в zip рядом с файлами .md, .html или .docx",
            ),
            Self::Doc => (
                "a document of Word 97-2003 (.doc). Open it in Word or LibreOffice and save it as .docx",
                "документ Word 97–2003 (.doc). Откройте его в Word или LibreOffice и сохраните как .docx",
            ),
            Self::UnnamedDocx => (
                "a Word document. Rename it so that its name ends in .docx",
                "документ Word. Переименуйте его так, чтобы имя оканчивалось на .docx",
            ),
            Self::PowerPoint => (
                "a PowerPoint presentation. Slides cannot be imported. Attach it to a page, or put it into a zip beside .md, .html or .docx files",
                "презентация PowerPoint. Слайды не переносятся. Приложите её к странице или положите в zip рядом с файлами .md, .html или .docx",
            ),
            Self::Excel => (
                "an Excel spreadsheet. Copy the table into a page, or attach the file to a page",
                "таблица Excel. Скопируйте её в текст страницы или приложите файл к странице",
            ),
            Self::LockedOffice => (
                "an Office document protected by a password. Remove the password and save it as .docx",
                "документ Office, закрытый паролем. Снимите пароль и сохраните документ как .docx",
            ),
            Self::Rtf => (
                "an RTF document. Open it in Word or LibreOffice and save it as .docx",
                "документ RTF. Откройте его в Word или LibreOffice и сохраните как .docx",
            ),
            Self::OpenDocumentText => (
                "an OpenDocument text (.odt). Open it in LibreOffice and save it as .docx",
                "текст OpenDocument (.odt). Откройте его в LibreOffice и сохраните как .docx",
            ),
            Self::OpenDocument => (
                "an OpenDocument presentation or spreadsheet. Attach it to a page, or put it into a zip beside .md, .html or .docx files",
                "презентация или таблица OpenDocument. Приложите её к странице или положите в zip рядом с файлами .md, .html или .docx",
            ),
            Self::FictionBook => (
                "a FictionBook (.fb2). Convert it to EPUB or .docx",
                "книга FictionBook (.fb2). Преобразуйте её в EPUB или .docx",
            ),
            Self::LockedBook => (
                "an EPUB with copy protection (DRM). Only EPUB files without it can be imported",
                "книга EPUB с защитой от копирования (DRM). Импортировать можно только EPUB без неё",
            ),
            Self::MoodleBackup => (
                "a Moodle backup (.mbz). Export the course from Moodle as an IMS Common Cartridge, and the question bank as GIFT",
                "резервная копия Moodle (.mbz). Выгрузите курс из Moodle как IMS Common Cartridge, а банк вопросов — как GIFT",
            ),
            Self::MoodleXml => (
                "a file of questions in Moodle XML. Export the questions from Moodle as GIFT",
                "файл вопросов Moodle XML. Выгрузите вопросы из Moodle в формате GIFT",
            ),
            Self::Scorm => (
                "a SCORM package, a program that runs only in a SCORM player. Export the course as a Common Cartridge, HTML or .docx in the program that made it",
                "пакет SCORM — программа, которой нужен проигрыватель SCORM. Выгрузите курс как Common Cartridge, HTML или .docx там, где он сделан",
            ),
            Self::Qti => (
                "a package of questions in QTI 2 or 3. Export the questions as a Common Cartridge (QTI 1.2) or as GIFT",
                "пакет вопросов QTI 2 или 3. Выгрузите вопросы как Common Cartridge (QTI 1.2) или GIFT",
            ),
            Self::H5p => (
                "an H5P package, a program that runs only in an H5P player. Rebuild its content in the editor, or link to the page that shows it",
                "пакет H5P — программа, которой нужен проигрыватель H5P. Соберите его содержание в редакторе или дайте ссылку на страницу, где он открывается",
            ),
            Self::LockedZip => (
                "a zip archive protected by a password. Pack the files again without a password",
                "zip-архив, закрытый паролем. Упакуйте файлы заново без пароля",
            ),
            Self::Rar => (
                "a RAR archive. Unpack it and pack the files as a zip",
                "архив RAR. Распакуйте его и упакуйте файлы в zip",
            ),
            Self::SevenZip => (
                "a 7z archive. Unpack it and pack the files as a zip",
                "архив 7z. Распакуйте его и упакуйте файлы в zip",
            ),
            Self::Image => (
                "an image. Insert it into a page, or put it into a zip beside the text that shows it",
                "картинка. Вставьте её на страницу или положите в zip рядом с текстом, в котором она показана",
            ),
            Self::Media => (
                "an audio or video file. Insert it into a page, or put it into a zip beside the text that shows it",
                "аудио или видео. Вставьте его на страницу или положите в zip рядом с текстом, в котором оно показано",
            ),
            Self::Notebook => (
                "a Jupyter notebook (.ipynb). Export it as Markdown or HTML",
                "блокнот Jupyter (.ipynb). Выгрузите его как Markdown или HTML",
            ),
        }
    }
}

/// Old Office files and encrypted new ones are containers of parts with names in UTF-16.
fn of_old_office(bytes: &[u8]) -> Unsupported {
    let has = |name: &str| {
        let name: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
        memchr::memmem::find(bytes, &name).is_some()
    };
    if has("EncryptedPackage") {
        Unsupported::LockedOffice
    } else if has("PowerPoint Document") {
        Unsupported::PowerPoint
    } else if has("Workbook") {
        Unsupported::Excel
    } else {
        Unsupported::Doc
    }
}

fn of_zip(path: &Path, is_docx: bool) -> Option<Unsupported> {
    let file = File::open(path).ok()?;
    if crate::archive::count_names(&file).ok()? > crate::unpack::MAX_ENTRIES {
        return None;
    }
    let mut archive = ZipArchive::new(BufReader::new(file)).ok()?;
    let has = |name: &str| archive.index_for_name(name).is_some();
    match () {
        () if has("word/document.xml") => return (!is_docx).then_some(Unsupported::UnnamedDocx),
        () if has("ppt/presentation.xml") => return Some(Unsupported::PowerPoint),
        () if has("xl/workbook.xml") || has("xl/workbook.bin") => return Some(Unsupported::Excel),
        () if has("h5p.json") => return Some(Unsupported::H5p),
        () if has("moodle_backup.xml") => return Some(Unsupported::MoodleBackup),
        () => {}
    }
    let mut kind = String::new();
    if let Ok(mimetype) = archive.by_name("mimetype") {
        let _ = mimetype.take(100).read_to_string(&mut kind);
    }
    match kind.trim().strip_prefix("application/vnd.oasis.opendocument.") {
        Some(kind) if kind.starts_with("text") => return Some(Unsupported::OpenDocumentText),
        Some(_) => return Some(Unsupported::OpenDocument),
        None => {}
    }
    let mut files = 0;
    for index in 0..archive.len().min(MAX_NAMES) {
        let entry = archive.by_index_raw(index).ok()?;
        if entry.is_dir() {
            continue;
        }
        if !entry.encrypted() {
            return None;
        }
        files += 1;
    }
    (files > 0).then_some(Unsupported::LockedZip)
}

fn of_text(head: &[u8]) -> Option<Unsupported> {
    let text = encoding::decode_lossy(head).0.text;
    let text = text.trim_start_matches('\u{feff}').trim_start();
    if text.starts_with('{') && (text.contains("\"nbformat\"") || text.contains("\"cell_type\"")) {
        return Some(Unsupported::Notebook);
    }
    if !text.starts_with("<?xml") && !text.starts_with("<quiz") {
        return None;
    }
    let root = sniff::first_element(text);
    match root.rsplit(':').next().unwrap_or(root) {
        "quiz" => Some(Unsupported::MoodleXml),
        "FictionBook" => Some(Unsupported::FictionBook),
        "assessmentItem" | "assessmentTest" | "qti-assessment-item" | "qti-assessment-test" => Some(Unsupported::Qti),
        _ => None,
    }
}

/// SCORM and QTI packages have a manifest like Common Cartridges have.
fn of_manifest(text: &str) -> Option<Unsupported> {
    let has = |words: &str| text.contains(words);
    // Resources of other kinds make it a course that the reader of cartridges takes.
    if has("imscc_") || has("imswl_") || has("imsdt_") || has("imsqti_xmlv1p2") || has("d2l_") {
        return None;
    }
    if has("scormtype=") || has("scormType=") || has("ADL SCORM") {
        return Some(Unsupported::Scorm);
    }
    let is_qti = ["imsqti_item_xmlv", "imsqti_test_xmlv", "imsqti_assessment_xmlv"]
        .iter()
        .any(|kind| has(kind));
    (is_qti && !has("<item ")).then_some(Unsupported::Qti)
}
