//! Names for the kinds of files that no reader takes, with what to do instead. [`super::recognize`] tells the kind of a file.

use kurso_base::messages::Lang;

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
