//! Validation errors of documents, with their location and texts for people.

use std::fmt;

use super::Lang;
use super::schema::{Holds, Kind, MAX_BYTES, MAX_DEPTH};
use kurso_base::error::FieldError;
use kurso_base::messages::Message;

/// The first error in a document.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{path}: {}", problem.text(Lang::En))]
pub struct ContentError {
    /// Starts at the body's field: `content.content[3].attrs.src`.
    pub path: String,
    pub problem: ContentProblem,
}

/// Converts to a validation error of the request body; the path appears in `loc` and in the text.
impl From<ContentError> for FieldError {
    fn from(error: ContentError) -> Self {
        let told = |lang| format!("{}: {}", error.path, error.problem.text(lang));
        let message = Message::Text {
            en: told(Lang::En),
            ru: told(Lang::Ru),
        };
        FieldError::inside(error.problem.key(), &error.path, message)
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ContentProblem {
    BadJson(String),
    TooLarge,
    TooDeep,
    NotADocument,
    NotAnObject,
    NotAList,
    NotAString,
    MissingType,
    UnknownNode(String),
    UnknownMark(String),
    UnknownField(String),
    UnknownAttr {
        node: String,
        attr: String,
    },
    MissingAttr(&'static str),
    BadAttr {
        attr: &'static str,
        kind: Kind,
        nullable: bool,
    },
    Misplaced {
        node: String,
        parent: &'static str,
    },
    WrongContent {
        node: &'static str,
        holds: Holds,
    },
    MarksNotAllowed,
    RepeatedMark(String),
    EmptyText,
    ZeroCharacter,
}

impl ContentProblem {
    /// A stable name for programs.
    pub fn key(&self) -> &'static str {
        match self {
            Self::BadJson(_) => "content_bad_json",
            Self::TooLarge => "content_too_large",
            Self::TooDeep => "content_too_deep",
            Self::NotADocument => "content_not_a_document",
            Self::NotAnObject => "content_not_an_object",
            Self::NotAList => "content_not_a_list",
            Self::NotAString => "content_not_a_string",
            Self::MissingType => "content_missing_type",
            Self::UnknownNode(_) => "content_unknown_node",
            Self::UnknownMark(_) => "content_unknown_mark",
            Self::UnknownField(_) => "content_unknown_field",
            Self::UnknownAttr { .. } => "content_unknown_attr",
            Self::MissingAttr(_) => "content_missing_attr",
            Self::BadAttr { .. } => "content_bad_attr",
            Self::Misplaced { .. } => "content_misplaced",
            Self::WrongContent { .. } => "content_wrong_content",
            Self::MarksNotAllowed => "content_marks_not_allowed",
            Self::RepeatedMark(_) => "content_repeated_mark",
            Self::EmptyText => "content_empty_text",
            Self::ZeroCharacter => "content_zero_character",
        }
    }

    pub fn text(&self, lang: Lang) -> String {
        match lang {
            Lang::En => self.english(),
            Lang::Ru => self.russian(),
        }
    }

    fn english(&self) -> String {
        match self {
            Self::BadJson(why) => format!("This is not valid JSON: {why}"),
            Self::TooLarge => format!("The content is larger than {} MiB", MAX_BYTES / 1024 / 1024),
            Self::TooDeep => format!("The content is nested deeper than {MAX_DEPTH} levels"),
            Self::NotADocument => "The content must be a document: an object of the type doc".into(),
            Self::NotAnObject => "An object is expected here".into(),
            Self::NotAList => "A list is expected here".into(),
            Self::NotAString => "A string is expected here".into(),
            Self::MissingType => "The type is missing".into(),
            Self::UnknownNode(name) => format!("There is no node {}", shortened(name)),
            Self::UnknownMark(name) => format!("There is no mark {}", shortened(name)),
            Self::UnknownField(name) => format!("There is no field {} here", shortened(name)),
            Self::UnknownAttr { node, attr } => format!("{} has no attribute {}", shortened(node), shortened(attr)),
            Self::MissingAttr(attr) => format!("The attribute {attr} is missing"),
            Self::BadAttr { attr, kind, nullable } => {
                format!(
                    "The attribute {attr} must be {}{}",
                    english_kind(*kind),
                    if *nullable { " or null" } else { "" }
                )
            }
            Self::Misplaced { node, parent } => format!("{} cannot stand in {parent}", shortened(node)),
            Self::WrongContent { node, holds } => format!("{node} {}", english_holds(*holds)),
            Self::MarksNotAllowed => "Marks are not allowed here".into(),
            Self::RepeatedMark(name) => format!("The mark {} is there twice", shortened(name)),
            Self::EmptyText => "A text may not be empty".into(),
            Self::ZeroCharacter => "A text may not hold the character U+0000".into(),
        }
    }

    fn russian(&self) -> String {
        match self {
            Self::BadJson(why) => format!("Это не JSON: {why}"),
            Self::TooLarge => format!("Содержимое больше {} МиБ", MAX_BYTES / 1024 / 1024),
            Self::TooDeep => format!("Вложенность содержимого больше {MAX_DEPTH} уровней"),
            Self::NotADocument => "Содержимое должно быть документом: объектом типа doc".into(),
            Self::NotAnObject => "Здесь должен быть объект".into(),
            Self::NotAList => "Здесь должен быть список".into(),
            Self::NotAString => "Здесь должна быть строка".into(),
            Self::MissingType => "Не указан тип".into(),
            Self::UnknownNode(name) => format!("Узла {} не существует", shortened(name)),
            Self::UnknownMark(name) => format!("Выделения {} не существует", shortened(name)),
            Self::UnknownField(name) => format!("Здесь нет поля {}", shortened(name)),
            Self::UnknownAttr { node, attr } => format!("У {} нет атрибута {}", shortened(node), shortened(attr)),
            Self::MissingAttr(attr) => format!("Не хватает атрибута {attr}"),
            Self::BadAttr { attr, kind, nullable } => {
                let or_null = if *nullable { " или null" } else { "" };
                format!("Атрибут {attr}: нужно {}{or_null}", russian_kind(*kind))
            }
            Self::Misplaced { node, parent } => format!("{} не может стоять внутри {parent}", shortened(node)),
            Self::WrongContent { node, holds } => format!("{node}: {}", russian_holds(*holds)),
            Self::MarksNotAllowed => "Выделения здесь недопустимы".into(),
            Self::RepeatedMark(name) => format!("Выделение {} указано дважды", shortened(name)),
            Self::EmptyText => "Текст не может быть пустым".into(),
            Self::ZeroCharacter => "В тексте не может быть символа U+0000".into(),
        }
    }
}

impl fmt::Display for ContentProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(Lang::En))
    }
}

/// Shortens a name taken from the document, which may be of any length.
fn shortened(name: &str) -> String {
    let clean: String = name.chars().filter(|c| !c.is_control()).take(40).collect();
    format!("\"{clean}\"")
}

fn english_kind(kind: Kind) -> String {
    match kind {
        Kind::Flag => "true or false".into(),
        Kind::Whole { min, max: i64::MAX } => format!("a whole number of {min} or more"),
        Kind::Whole { min, max } => format!("a whole number from {min} to {max}"),
        Kind::Text(max) => format!("a string of at most {max} characters"),
        Kind::OneOf(names) => format!("one of {}", names.join(", ")),
        Kind::File => "the address of an uploaded file".into(),
        Kind::Href => "an http, https or mailto address, a page of the course, a heading or a file".into(),
        Kind::Uuid => "a UUID".into(),
        Kind::EmbedId => "the id of a video as its provider writes it".into(),
        Kind::Widths => "a list of widths in pixels".into(),
    }
}

fn russian_kind(kind: Kind) -> String {
    match kind {
        Kind::Flag => "true или false".into(),
        Kind::Whole { min, max: i64::MAX } => format!("целое число не меньше {min}"),
        Kind::Whole { min, max } => format!("целое число от {min} до {max}"),
        Kind::Text(max) => format!("строка не длиннее {max} символов"),
        Kind::OneOf(names) => format!("одно из: {}", names.join(", ")),
        Kind::File => "адрес загруженного файла".into(),
        Kind::Href => "адрес http, https или mailto, страница курса, заголовок или файл".into(),
        Kind::Uuid => "UUID".into(),
        Kind::EmbedId => "номер видео в том виде, как его пишет видеосервис".into(),
        Kind::Widths => "список ширин в пикселях".into(),
    }
}

fn english_holds(holds: Holds) -> String {
    match holds {
        Holds::Nothing => "holds no content".into(),
        Holds::Inline => "holds text and inline nodes".into(),
        Holds::PlainText => "holds text without marks".into(),
        Holds::Blocks => "holds at least one block".into(),
        Holds::SomeOf(names) => format!("holds at least one {}", names.join(" or ")),
        Holds::Exactly(names) => format!("holds exactly {}", names.join(", then ")),
    }
}

fn russian_holds(holds: Holds) -> String {
    match holds {
        Holds::Nothing => "содержимого быть не может".into(),
        Holds::Inline => "внутри могут быть только текст и строчные узлы".into(),
        Holds::PlainText => "внутри может быть только текст без выделений".into(),
        Holds::Blocks => "внутри нужен хотя бы один блок".into(),
        Holds::SomeOf(names) => format!("внутри нужен хотя бы один узел {}", names.join(" или ")),
        Holds::Exactly(names) => format!("внутри должны быть по порядку {}", names.join(", ")),
    }
}
