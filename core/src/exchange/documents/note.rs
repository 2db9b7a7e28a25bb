//! What is said of single files of text.

use crate::content::Lang;
use crate::exchange::note::FileTrouble;
use crate::exchange::report::Outcome;
use crate::exchange::xml::XmlTrouble;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Note {
    /// A file that could not be read.
    File {
        path: String,
        trouble: FileTrouble,
    },
    /// A file of Word that is none, and why.
    NoDocx,
    Part {
        path: String,
        trouble: XmlTrouble,
    },
    /// A long text became pages at its headings.
    Split(usize),
    /// Settings before the text: their names.
    FrontMatter(String),
    Comments(usize),
    /// Changes somebody proposed: new words are in, old ones are out.
    Changes(usize),
    Contents,
    Headers,
    /// Charts, diagrams, embedded things, by their kind.
    Drawing(&'static str),
    /// The numbers of headings, which Word counts.
    HeadingNumbers,
    Math,
    /// Words in boxes beside the text.
    TextBox(usize),
    Symbols(usize),
}

impl Note {
    pub fn outcome(&self) -> Outcome {
        match self {
            Self::Split(_) | Self::Changes(_) | Self::TextBox(_) | Self::Math => Outcome::Changed,
            _ => Outcome::NotCarried,
        }
    }

    pub fn key(&self) -> &'static str {
        match self {
            Self::File { .. } => "document_file",
            Self::NoDocx => "document_no_docx",
            Self::Part { .. } => "document_part",
            Self::Split(_) => "document_split",
            Self::FrontMatter(_) => "document_front_matter",
            Self::Comments(_) => "document_comments",
            Self::Changes(_) => "document_changes",
            Self::Contents => "document_contents",
            Self::Headers => "document_headers",
            Self::Drawing(_) => "document_drawing",
            Self::HeadingNumbers => "document_heading_numbers",
            Self::Math => "document_math",
            Self::TextBox(_) => "document_text_box",
            Self::Symbols(_) => "document_symbols",
        }
    }

    pub fn texts(&self, lang: Lang) -> (String, String) {
        match lang {
            Lang::En => self.english(),
            Lang::Ru => self.russian(),
        }
    }

    fn english(&self) -> (String, String) {
        match self {
            Self::File { path, trouble } => (format!("file {path}"), trouble.text(Lang::En).into()),
            Self::NoDocx => (
                "the whole file".into(),
                "this is no document of Word (.docx), or it is locked with a password".into(),
            ),
            Self::Part { path, trouble } => (format!("part {path} of the document"), trouble.text(Lang::En)),
            Self::Split(parts) => (
                "a text with several parts".into(),
                format!("it became {parts} pages, one for each heading"),
            ),
            Self::FrontMatter(names) => (
                format!("settings before the text: {names}"),
                "of these a page has the title alone".into(),
            ),
            Self::Comments(count) => (
                format!("comments of reviewers: {count}"),
                "they were not for learners".into(),
            ),
            Self::Changes(count) => (
                format!("changes that nobody had accepted yet: {count}"),
                "they are taken as accepted".into(),
            ),
            Self::Contents => ("table of contents".into(), "a course makes one of its own".into()),
            Self::Headers => (
                "lines at the top and the bottom of sheets".into(),
                "a page of a course has no sheets".into(),
            ),
            Self::Drawing(kind) => ((*kind).to_owned(), "only pictures can be taken".into()),
            Self::HeadingNumbers => (
                "numbers of headings".into(),
                "Word counts them itself; the words are kept".into(),
            ),
            Self::Math => (
                "a formula".into(),
                "parts of it have no counterpart in LaTeX; they are text in it".into(),
            ),
            Self::TextBox(count) => (
                format!("boxes with text: {count}"),
                "their words follow the paragraph they stood beside".into(),
            ),
            Self::Symbols(count) => (
                format!("signs of special fonts: {count}"),
                "without the font they mean nothing; a dot stands for each".into(),
            ),
        }
    }

    fn russian(&self) -> (String, String) {
        match self {
            Self::File { path, trouble } => (format!("файл {path}"), trouble.text(Lang::Ru).into()),
            Self::NoDocx => (
                "файл целиком".into(),
                "это не документ Word (.docx), или он закрыт паролем".into(),
            ),
            Self::Part { path, trouble } => (format!("часть документа {path}"), trouble.text(Lang::Ru)),
            Self::Split(parts) => (
                "текст из нескольких частей".into(),
                format!("разделён по заголовкам, получилось страниц: {parts}"),
            ),
            Self::FrontMatter(names) => (
                format!("настройки перед текстом: {names}"),
                "из них у страницы бывает только название".into(),
            ),
            Self::Comments(count) => (
                format!("примечания рецензентов: {count}"),
                "они писались не для учеников".into(),
            ),
            Self::Changes(count) => (format!("непринятые исправления: {count}"), "считаются принятыми".into()),
            Self::Contents => ("оглавление".into(), "курс строит своё".into()),
            Self::Headers => ("колонтитулы".into(), "у страницы курса нет верха и низа листа".into()),
            Self::Drawing(kind) => (
                match *kind {
                    "chart" => "диаграмма",
                    "diagram" => "схема SmartArt",
                    "shape" => "рисунок из фигур",
                    _ => "вложенный объект",
                }
                .to_owned(),
                "перенести можно только картинки".into(),
            ),
            Self::HeadingNumbers => (
                "номера заголовков".into(),
                "Word считает их сам; слова заголовков сохранены".into(),
            ),
            Self::Math => (
                "формула".into(),
                "для её частей нет соответствия в LaTeX; они стали в ней текстом".into(),
            ),
            Self::TextBox(count) => (
                format!("надписи в рамках: {count}"),
                "их слова стоят после абзаца, рядом с которым они были".into(),
            ),
            Self::Symbols(count) => (
                format!("знаки особых шрифтов: {count}"),
                "без шрифта они ничего не значат; вместо каждого стоит точка".into(),
            ),
        }
    }
}
