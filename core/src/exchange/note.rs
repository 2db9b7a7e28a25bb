//! Everything an import may have to say of one thing, in English and Russian.

use super::reason::Reason;
use super::report::Outcome;
use super::{documents, olx};
use crate::content::Lang;

/// Why a file could not be taken.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FileTrouble {
    Missing,
    Outside,
    NotAFile,
    NotText,
    NotAnImage,
    NotMedia,
    TooLarge,
    Unreadable,
}

impl FileTrouble {
    /// A stable name of the kind of trouble.
    pub fn key(self) -> &'static str {
        match self {
            Self::Missing => "file_missing",
            Self::Outside => "file_outside",
            Self::NotAFile => "file_not_a_file",
            Self::NotText => "file_not_text",
            Self::NotAnImage => "file_not_an_image",
            Self::NotMedia => "file_not_media",
            Self::TooLarge => "file_too_large",
            Self::Unreadable => "file_unreadable",
        }
    }

    pub fn text(self, lang: Lang) -> &'static str {
        let (en, ru) = match self {
            Self::Missing => ("there is no such file", "такого файла нет"),
            Self::Outside => ("the path leads out of the folder", "путь ведёт за пределы папки"),
            Self::NotAFile => ("this is not a file", "это не файл"),
            Self::NotText => ("this is not text", "это не текст"),
            Self::NotAnImage => ("this is not an image", "это не картинка"),
            Self::NotMedia => ("this is not audio or video", "это не аудио и не видео"),
            Self::TooLarge => ("the file is too large", "файл слишком велик"),
            Self::Unreadable => ("the file cannot be read", "файл не удалось прочесть"),
        };
        match lang {
            Lang::En => en,
            Lang::Ru => ru,
        }
    }
}

/// What happened to one thing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Note {
    // The book
    Setting(String),
    DraftChapter(String),
    NoLink(String),
    Chapter {
        path: String,
        trouble: FileTrouble,
    },
    ChapterTwice(String),
    NotInSummary(String),
    TitleDiffers {
        summary: String,
        heading: String,
    },
    TitleCut(String),
    PageSplit(usize),
    PageRefused(Reason),
    PageTooLarge,
    FenceFlags {
        flags: String,
        blocks: usize,
    },
    // Directives
    Include {
        directive: String,
        trouble: FileTrouble,
    },
    IncludeLoop(String),
    IncludeEmpty(String),
    IncludeTooMuch(String),
    UnknownDirective(String),
    // Links and files
    LinkLeavesBook(String),
    LinkNotInSummary(String),
    LinkFile {
        href: String,
        trouble: FileTrouble,
    },
    LinkUnsupported(String),
    LinkAnchor(String),
    Image {
        src: String,
        trouble: FileTrouble,
    },
    ImageRemote(String),
    ImageFromBook {
        src: String,
        path: String,
    },
    ImageLink(String),
    ImageWidth {
        css: String,
        pixels: u32,
    },
    CaptionFormat(String),
    // The text
    UnknownTag(String),
    DroppedTag(String),
    /// A frame of which a link is left.
    Frame(String),
    HtmlAsText,
    Footnotes(usize),
    Definitions,
    Flattened,
    Cut(String),
    BlockTooLarge,
    // Kurso Markdown
    RawNode,
    Question(String),
    QuestionUnclear,
    QuestionNoType,
    QuestionsOver(usize),
    UnknownField(String),
    QuizUnpublished(Reason),
    QuestionRefused(Reason),
    BlockRefused(Reason),
    BadFrontMatter(Reason),
    QuizFile(Reason),
    KeyTwice(String),
    Avatar(String),
    ForeignFile(String),
    Packed(Reason),
    // Quizzes of mdbook-quiz
    OptionOrder(usize),
    Tracing(usize),
    QuizApart,
    // GIFT
    Feedback,
    Weights,
    Essay,
    QuestionTitles(usize),
    QuizSettings,
    QuizText,
    PointsOmitted,
    AnswerRule,
    OrderingAsMatching,
    BlanksApart,
    FilesOmitted,
    Cartridge(super::cartridge::Note),
    /// A course of Open edX.
    Olx(olx::note::Note),
    /// A file of Markdown, HTML or DOCX.
    Document(documents::note::Note),
    /// The encoding a text was in.
    Decoded(&'static str),
    /// The name of a file in an archive, as it was repaired, and the encoding it was in.
    NameDecoded(&'static str),
    /// A page that a file for readers leaves out.
    Unpublished,
    /// A file too large to go into another.
    LeftOut(String),
    /// The report itself was too long.
    More(usize),
}

impl Note {
    pub fn outcome(&self) -> Outcome {
        match self {
            Self::Cartridge(note) => note.outcome(),
            Self::ImageFromBook { .. } => Outcome::Carried,
            Self::Olx(note) => note.outcome(),
            Self::Document(note) => note.outcome(),
            Self::TitleDiffers { .. }
            | Self::TitleCut(_)
            | Self::PageSplit(_)
            | Self::UnknownDirective(_)
            | Self::LinkAnchor(_)
            | Self::ImageWidth { .. }
            | Self::CaptionFormat(_)
            | Self::UnknownTag(_)
            | Self::Frame(_)
            | Self::HtmlAsText
            | Self::Footnotes(_)
            | Self::Definitions
            | Self::Flattened
            | Self::Cut(_)
            | Self::RawNode
            | Self::QuizUnpublished(_)
            | Self::BlockRefused(_)
            | Self::KeyTwice(_)
            | Self::OptionOrder(_)
            | Self::Tracing(_)
            | Self::QuizApart
            | Self::Feedback
            | Self::Weights
            | Self::Essay
            | Self::OrderingAsMatching
            | Self::BlanksApart
            | Self::Decoded(_)
            | Self::NameDecoded(_) => Outcome::Changed,
            _ => Outcome::NotCarried,
        }
    }

    /// A stable name of the kind of note, for counting.
    pub fn key(&self) -> &'static str {
        match self {
            Self::Setting(_) => "setting",
            Self::DraftChapter(_) => "draft_chapter",
            Self::NoLink(_) => "summary_no_link",
            Self::Chapter { .. } => "chapter",
            Self::ChapterTwice(_) => "chapter_twice",
            Self::NotInSummary(_) => "not_in_summary",
            Self::TitleDiffers { .. } => "title_differs",
            Self::TitleCut(_) => "title_cut",
            Self::PageSplit(_) => "page_split",
            Self::PageRefused(_) => "page_refused",
            Self::PageTooLarge => "page_too_large",
            Self::FenceFlags { .. } => "fence_flags",
            Self::Include { .. } => "include",
            Self::IncludeLoop(_) => "include_loop",
            Self::IncludeEmpty(_) => "include_empty",
            Self::IncludeTooMuch(_) => "include_too_much",
            Self::UnknownDirective(_) => "unknown_directive",
            Self::LinkLeavesBook(_) => "link_leaves_book",
            Self::LinkNotInSummary(_) => "link_not_in_summary",
            Self::LinkFile { .. } => "link_file",
            Self::LinkUnsupported(_) => "link_unsupported",
            Self::LinkAnchor(_) => "link_anchor",
            Self::Image { .. } => "image",
            Self::ImageRemote(_) => "image_remote",
            Self::ImageFromBook { .. } => "image_from_book",
            Self::ImageLink(_) => "image_link",
            Self::ImageWidth { .. } => "image_width",
            Self::CaptionFormat(_) => "caption_format",
            Self::UnknownTag(_) => "unknown_tag",
            Self::DroppedTag(_) => "dropped_tag",
            Self::Frame(_) => "frame",
            Self::HtmlAsText => "html_as_text",
            Self::Footnotes(_) => "footnotes",
            Self::Definitions => "definitions",
            Self::Flattened => "flattened",
            Self::Cut(_) => "cut",
            Self::BlockTooLarge => "block_too_large",
            Self::RawNode => "raw_node",
            Self::Question(_) => "question",
            Self::QuestionUnclear => "question_unclear",
            Self::QuestionNoType => "question_no_type",
            Self::QuestionsOver(_) => "questions_over",
            Self::UnknownField(_) => "unknown_field",
            Self::QuizUnpublished(_) => "quiz_unpublished",
            Self::QuestionRefused(_) => "question_refused",
            Self::BlockRefused(_) => "block_refused",
            Self::BadFrontMatter(_) => "bad_front_matter",
            Self::QuizFile(_) => "quiz_file",
            Self::KeyTwice(_) => "key_twice",
            Self::Avatar(_) => "avatar",
            Self::ForeignFile(_) => "foreign_file",
            Self::Packed(_) => "packed",
            Self::OptionOrder(_) => "option_order",
            Self::Tracing(_) => "tracing",
            Self::QuizApart => "quiz_apart",
            Self::Feedback => "feedback",
            Self::Weights => "weights",
            Self::Essay => "essay",
            Self::QuestionTitles(_) => "question_titles",
            Self::QuizSettings => "quiz_settings",
            Self::QuizText => "quiz_text",
            Self::PointsOmitted => "points",
            Self::AnswerRule => "answer_rule",
            Self::OrderingAsMatching => "ordering_as_matching",
            Self::BlanksApart => "blanks_apart",
            Self::FilesOmitted => "files",
            Self::Cartridge(note) => note.key(),
            Self::Olx(note) => note.key(),
            Self::Document(note) => note.key(),
            Self::Decoded(_) => "decoded",
            Self::NameDecoded(_) => "name_decoded",
            Self::Unpublished => "unpublished",
            Self::LeftOut(_) => "left_out",
            Self::More(_) => "more",
        }
    }

    /// The thing, and why it is not as it was.
    pub fn texts(&self, lang: Lang) -> (String, String) {
        let (what, why) = match lang {
            Lang::En => self.english(),
            Lang::Ru => self.russian(),
        };
        (clipped(&what, 300), clipped(&why, 600))
    }

    fn english(&self) -> (String, String) {
        let trouble_of = |trouble: &FileTrouble| trouble.text(Lang::En).to_owned();
        match self {
            Self::Setting(name) => (
                format!("setting {name}"),
                "styles, scripts, themes and preprocessors of mdBook do not run in a course".into(),
            ),
            Self::DraftChapter(title) => (format!("draft chapter \"{title}\""), "it has no file yet".into()),
            Self::NoLink(text) => (
                format!("\"{text}\" in the summary"),
                "a chapter is a link to a file; this is not one".into(),
            ),
            Self::Chapter { path, trouble } => (format!("chapter {path}"), trouble_of(trouble)),
            Self::ChapterTwice(path) => (
                format!("second mention of {path}"),
                "a file becomes one page, where it is named first".into(),
            ),
            Self::NotInSummary(path) => (format!("file {path}"), "the summary does not name it".into()),
            Self::TitleDiffers { summary, heading } => (
                format!("title \"{summary}\" in the summary"),
                format!("the page's own heading is its title: \"{heading}\""),
            ),
            Self::TitleCut(title) => (
                format!("title \"{title}\""),
                "a title has at most 255 characters".into(),
            ),
            Self::PageSplit(parts) => (
                "a very long page".into(),
                format!("a page holds at most 2 MiB, so it became {parts} pages"),
            ),
            Self::PageRefused(why) => ("the whole text of the page".into(), why.text(Lang::En)),
            Self::PageTooLarge => ("the whole text of the page".into(), "it has too many elements".into()),
            Self::FenceFlags { flags, blocks } => (
                format!("flags of code blocks ({blocks}): {flags}"),
                "they tell mdBook how to run and test code; the code itself is unchanged".into(),
            ),
            Self::Include { directive, trouble } => {
                (directive.clone(), format!("{}; left as text", trouble_of(trouble)))
            }
            Self::IncludeLoop(directive) => (directive.clone(), "the file includes itself; left as text".into()),
            Self::IncludeEmpty(directive) => (
                directive.clone(),
                "the file has no such anchor or no such lines; left as text".into(),
            ),
            Self::IncludeTooMuch(directive) => (
                directive.clone(),
                "the page with its includes would be too large or nested too deep; left as text".into(),
            ),
            Self::UnknownDirective(directive) => (directive.clone(), "unknown directive; left as text".into()),
            Self::LinkLeavesBook(href) => (
                format!("link {href}"),
                "it leads out of the book; its words are kept".into(),
            ),
            Self::LinkNotInSummary(href) => (
                format!("link {href}"),
                "the summary does not name this file, so it is no page; the words are kept".into(),
            ),
            Self::LinkFile { href, trouble } => (
                format!("link {href}"),
                format!("{}; the words are kept", trouble_of(trouble)),
            ),
            Self::LinkUnsupported(href) => (
                format!("link {href}"),
                "only http, https and mailto addresses and links in the book are possible; the words are kept".into(),
            ),
            Self::LinkAnchor(href) => (
                format!("link {href}"),
                "there is no such heading; the link leads to the beginning of the page".into(),
            ),
            Self::Image { src, trouble } => (format!("image {src}"), trouble_of(trouble)),
            Self::ImageRemote(src) => (format!("image {src}"), "nothing is fetched from the network".into()),
            Self::ImageFromBook { src, path } => (format!("image {src}"), format!("taken from the folder: {path}")),
            Self::ImageLink(href) => (
                format!("link {href} around an image"),
                "an image cannot be a link".into(),
            ),
            Self::ImageWidth { css, pixels } => (
                format!("image width {css}"),
                format!("widths are in pixels; {pixels} pixels is what it was in mdBook's column"),
            ),
            Self::CaptionFormat(caption) => (
                format!("formatting in the caption \"{caption}\""),
                "the caption of an image is plain text".into(),
            ),
            Self::UnknownTag(tag) => (
                format!("tag <{tag}>"),
                "a page has nothing like it; its text is kept".into(),
            ),
            Self::Frame(tag) => (
                format!("tag <{tag}>"),
                "pages of others are not shown in a page; a link to it is in its place".into(),
            ),
            Self::DroppedTag(tag) => (
                format!("tag <{tag}> and what is in it"),
                "a page has nothing like it".into(),
            ),
            Self::HtmlAsText => (
                "HTML of the page".into(),
                "it is nested too deep, or has too many elements; shown as text".into(),
            ),
            Self::Footnotes(count) => (
                format!("footnotes: {count}"),
                "a page has no footnotes; they are a numbered list at its end".into(),
            ),
            Self::Definitions => (
                "list of definitions".into(),
                "terms became bold paragraphs, definitions the paragraphs after them".into(),
            ),
            Self::Flattened => (
                "lists, quotes or tables nested very deep".into(),
                "the deepest levels were merged into one".into(),
            ),
            Self::Cut(what) => (
                format!("very long text: {what}"),
                "cut to the length a page allows".into(),
            ),
            Self::BlockTooLarge => ("a block larger than 2 MiB".into(), "a page cannot hold it".into()),
            Self::RawNode => (
                "a block written as JSON".into(),
                "this is not the JSON of one block; kept as code".into(),
            ),
            Self::Question(line) => (
                format!("line \"{line}\" of a question"),
                "it says nothing about a question of this type".into(),
            ),
            Self::QuestionUnclear => (
                "a question".into(),
                "what begins here does not end, or is not written as a question".into(),
            ),
            Self::QuestionNoType => ("a question".into(), "it does not say of which type it is".into()),
            Self::QuestionsOver(most) => (
                "a question".into(),
                format!("of one page at most {most} questions are read"),
            ),
            Self::UnknownField(name) => (format!("field {name}"), "a course has nothing like it".into()),
            Self::QuizUnpublished(why) => (
                "publication of the quiz".into(),
                format!(
                    "it is not ready for learners, so the page is not published: {}",
                    why.text(Lang::En)
                ),
            ),
            Self::QuestionRefused(why) => ("a question".into(), why.text(Lang::En)),
            Self::BlockRefused(why) => (
                "a block of the page".into(),
                format!("{}; kept as code", why.text(Lang::En)),
            ),
            Self::BadFrontMatter(why) => ("the settings".into(), why.text(Lang::En)),
            Self::QuizFile(why) => ("the whole quiz".into(), why.text(Lang::En)),
            Self::KeyTwice(key) => (
                format!("key \"{key}\""),
                "another module, lesson or page has it, or it is no key; a new one was made".into(),
            ),
            Self::Avatar(path) => (format!("picture {path} of a module"), "there is no such image".into()),
            Self::ForeignFile(path) => (
                format!("file {path}"),
                "it belongs to no page: only texts and what they show are taken".into(),
            ),
            Self::Packed(why) => ("a file of the archive".into(), why.text(Lang::En)),
            Self::OptionOrder(count) => (
                format!("options in an order of their own: {count} questions"),
                "a quiz shuffles the options of all its questions or of none; this one does".into(),
            ),
            Self::Tracing(count) => (
                format!("questions about what a program does: {count}"),
                "each is a text with a choice (does it compile) and a blank (what it prints, or where the error is)"
                    .into(),
            ),
            Self::QuizApart => (
                "the place of the quiz".into(),
                "the book has no such page; it is in a module of its own at the end".into(),
            ),
            Self::Feedback => (
                "what is said of single answers".into(),
                "it is in the explanation, which is shown after the quiz".into(),
            ),
            Self::Weights => (
                "shares of points of single answers".into(),
                "an option is right or wrong here, and right ones count alike".into(),
            ),
            Self::Essay => (
                "a question for an essay".into(),
                "nobody grades texts here; its words are in the text of the page".into(),
            ),
            Self::QuestionTitles(count) => (
                format!("names of questions: {count}"),
                "a question has no name here".into(),
            ),
            Self::QuizSettings => ("settings of the quiz".into(), "GIFT holds questions alone".into()),
            Self::QuizText => (
                "the text before the questions".into(),
                "GIFT holds questions alone".into(),
            ),
            Self::PointsOmitted => ("points of the question".into(), "GIFT has none".into()),
            Self::AnswerRule => (
                "the pattern of the answer, or that capital letters count".into(),
                "GIFT has nothing like it".into(),
            ),
            Self::OrderingAsMatching => (
                "a question on the order of things".into(),
                "it became one that matches numbers and things".into(),
            ),
            Self::BlanksApart => (
                "a text with several blanks".into(),
                "it became a question for each blank".into(),
            ),
            Self::FilesOmitted => ("files of the question".into(), "GIFT holds text alone".into()),
            Self::Cartridge(note) => note.texts(Lang::En),
            Self::Olx(note) => note.texts(Lang::En),
            Self::Document(note) => note.texts(Lang::En),
            Self::Decoded(encoding) => (
                "the encoding of the text".into(),
                format!("it was in {encoding}; it is UTF-8 now"),
            ),
            Self::NameDecoded(encoding) => (
                "the name of the file".into(),
                format!("the archive has it in {encoding} and does not say so; it is read so"),
            ),
            Self::Unpublished => (
                "the page".into(),
                "it is not published; the file holds what learners see".into(),
            ),
            Self::LeftOut(name) => (
                format!("file {name}"),
                "too large for one file of HTML; its place says so".into(),
            ),
            Self::More(count) => (format!("{count} more"), "the report names the first ones".into()),
        }
    }

    fn russian(&self) -> (String, String) {
        let trouble_of = |trouble: &FileTrouble| trouble.text(Lang::Ru).to_owned();
        match self {
            Self::Setting(name) => (
                format!("настройка {name}"),
                "стили, скрипты, темы и препроцессоры mdBook в курсе не работают".into(),
            ),
            Self::DraftChapter(title) => (format!("черновик главы «{title}»"), "у него ещё нет файла".into()),
            Self::NoLink(text) => (
                format!("«{text}» в содержании"),
                "глава — это ссылка на файл, а здесь ссылки нет".into(),
            ),
            Self::Chapter { path, trouble } => (format!("глава {path}"), trouble_of(trouble)),
            Self::ChapterTwice(path) => (
                format!("второе упоминание {path}"),
                "файл становится одной страницей — там, где назван впервые".into(),
            ),
            Self::NotInSummary(path) => (format!("файл {path}"), "его нет в содержании".into()),
            Self::TitleDiffers { summary, heading } => (
                format!("название «{summary}» из содержания"),
                format!("страница названа по своему заголовку: «{heading}»"),
            ),
            Self::TitleCut(title) => (
                format!("название «{title}»"),
                "в названии не больше 255 символов".into(),
            ),
            Self::PageSplit(parts) => (
                "очень длинная страница".into(),
                format!("страница вмещает не больше 2 МиБ, получилось страниц: {parts}"),
            ),
            Self::PageRefused(why) => ("весь текст страницы".into(), why.text(Lang::Ru)),
            Self::PageTooLarge => ("весь текст страницы".into(), "в ней слишком много элементов".into()),
            Self::FenceFlags { flags, blocks } => (
                format!("пометки блоков кода ({blocks}): {flags}"),
                "они говорят mdBook, как запускать и проверять код; сам код не изменился".into(),
            ),
            Self::Include { directive, trouble } => {
                (directive.clone(), format!("{}; оставлено текстом", trouble_of(trouble)))
            }
            Self::IncludeLoop(directive) => (directive.clone(), "файл вставляет сам себя; оставлено текстом".into()),
            Self::IncludeEmpty(directive) => (
                directive.clone(),
                "в файле нет такой метки или таких строк; оставлено текстом".into(),
            ),
            Self::IncludeTooMuch(directive) => (
                directive.clone(),
                "страница со вставками стала бы слишком большой или слишком вложенной; оставлено текстом".into(),
            ),
            Self::UnknownDirective(directive) => (directive.clone(), "неизвестная команда; оставлено текстом".into()),
            Self::LinkLeavesBook(href) => (
                format!("ссылка {href}"),
                "ведёт за пределы книги; слова сохранены".into(),
            ),
            Self::LinkNotInSummary(href) => (
                format!("ссылка {href}"),
                "этого файла нет в содержании, поэтому он не стал страницей; слова сохранены".into(),
            ),
            Self::LinkFile { href, trouble } => (
                format!("ссылка {href}"),
                format!("{}; слова сохранены", trouble_of(trouble)),
            ),
            Self::LinkUnsupported(href) => (
                format!("ссылка {href}"),
                "возможны только адреса http, https и mailto и ссылки внутри книги; слова сохранены".into(),
            ),
            Self::LinkAnchor(href) => (
                format!("ссылка {href}"),
                "такого заголовка нет; ссылка ведёт в начало страницы".into(),
            ),
            Self::Image { src, trouble } => (format!("картинка {src}"), trouble_of(trouble)),
            Self::ImageRemote(src) => (format!("картинка {src}"), "из сети ничего не скачивается".into()),
            Self::ImageFromBook { src, path } => (format!("картинка {src}"), format!("взята из папки: {path}")),
            Self::ImageLink(href) => (
                format!("ссылка {href} на картинке"),
                "картинка не может быть ссылкой".into(),
            ),
            Self::ImageWidth { css, pixels } => (
                format!("ширина картинки {css}"),
                format!("ширина задаётся в пикселях; в колонке mdBook это {pixels} пикселей"),
            ),
            Self::CaptionFormat(caption) => (
                format!("оформление подписи «{caption}»"),
                "подпись картинки — простой текст".into(),
            ),
            Self::UnknownTag(tag) => (
                format!("тег <{tag}>"),
                "на странице такого не бывает; текст сохранён".into(),
            ),
            Self::Frame(tag) => (
                format!("тег <{tag}>"),
                "чужие страницы внутри страницы не показываются; на его месте ссылка".into(),
            ),
            Self::DroppedTag(tag) => (
                format!("тег <{tag}> и всё внутри него"),
                "на странице такого не бывает".into(),
            ),
            Self::HtmlAsText => (
                "HTML страницы".into(),
                "вложен слишком глубоко, или в нём слишком много элементов; показан текстом".into(),
            ),
            Self::Footnotes(count) => (
                format!("сноски: {count}"),
                "на странице сносок нет; они стали нумерованным списком в её конце".into(),
            ),
            Self::Definitions => (
                "список определений".into(),
                "термины стали полужирными абзацами, определения — абзацами под ними".into(),
            ),
            Self::Flattened => (
                "очень глубоко вложенные списки, цитаты или таблицы".into(),
                "самые глубокие уровни слились в один".into(),
            ),
            Self::Cut(what) => (
                format!("очень длинный текст: {what}"),
                "обрезан до длины, которую допускает страница".into(),
            ),
            Self::BlockTooLarge => ("блок больше 2 МиБ".into(), "страница его не вместит".into()),
            Self::RawNode => (
                "блок, записанный как JSON".into(),
                "это не JSON одного блока; сохранено как код".into(),
            ),
            Self::Question(line) => (
                format!("строка вопроса «{line}»"),
                "о вопросе такого вида она ничего не говорит".into(),
            ),
            Self::QuestionUnclear => (
                "вопрос".into(),
                "то, что здесь начинается, не закончено или записано не как вопрос".into(),
            ),
            Self::QuestionNoType => ("вопрос".into(), "не сказано, какого он вида".into()),
            Self::QuestionsOver(most) => (
                "вопрос".into(),
                format!("с одной страницы читается не больше {most} вопросов"),
            ),
            Self::UnknownField(name) => (format!("поле {name}"), "в курсе такого нет".into()),
            Self::QuizUnpublished(why) => (
                "публикация теста".into(),
                format!(
                    "он ещё не готов для учеников, поэтому страница не опубликована: {}",
                    why.text(Lang::Ru)
                ),
            ),
            Self::QuestionRefused(why) => ("вопрос".into(), why.text(Lang::Ru)),
            Self::BlockRefused(why) => (
                "блок страницы".into(),
                format!("{}; сохранён как код", why.text(Lang::Ru)),
            ),
            Self::BadFrontMatter(why) => ("настройки".into(), why.text(Lang::Ru)),
            Self::QuizFile(why) => ("весь тест".into(), why.text(Lang::Ru)),
            Self::KeyTwice(key) => (
                format!("ключ «{key}»"),
                "он есть у другого модуля, урока или страницы, или это не ключ; сделан новый".into(),
            ),
            Self::Avatar(path) => (format!("картинка модуля {path}"), "такой картинки нет".into()),
            Self::ForeignFile(path) => (
                format!("файл {path}"),
                "он ни к одной странице не относится: берутся только тексты и то, что в них показано".into(),
            ),
            Self::Packed(why) => ("файл из архива".into(), why.text(Lang::Ru)),
            Self::OptionOrder(count) => (
                format!("варианты в своём порядке, вопросов: {count}"),
                "тест перемешивает варианты всех вопросов или ни одного; этот — перемешивает".into(),
            ),
            Self::Tracing(count) => (
                format!("вопросы о том, что делает программа: {count}"),
                "каждый стал текстом с выбором (компилируется ли) и пропуском (что выводит или где ошибка)".into(),
            ),
            Self::QuizApart => (
                "место теста".into(),
                "в книге такой страницы нет; тест в отдельном модуле в конце".into(),
            ),
            Self::Feedback => (
                "отзывы на отдельные ответы".into(),
                "они вошли в пояснение, которое показывают после теста".into(),
            ),
            Self::Weights => (
                "доли баллов за отдельные ответы".into(),
                "здесь вариант верен или неверен, и верные равны между собой".into(),
            ),
            Self::Essay => (
                "вопрос с развёрнутым ответом".into(),
                "такие ответы здесь не проверяются; слова вопроса — в тексте страницы".into(),
            ),
            Self::QuestionTitles(count) => (
                format!("названия вопросов: {count}"),
                "здесь у вопросов нет названий".into(),
            ),
            Self::QuizSettings => ("настройки теста".into(), "в GIFT только вопросы".into()),
            Self::QuizText => ("текст перед вопросами".into(), "в GIFT только вопросы".into()),
            Self::PointsOmitted => ("баллы за вопрос".into(), "в GIFT их нет".into()),
            Self::AnswerRule => ("шаблон ответа или учёт больших букв".into(), "в GIFT такого нет".into()),
            Self::OrderingAsMatching => (
                "вопрос на порядок".into(),
                "стал вопросом на соответствие: номера и то, что под ними".into(),
            ),
            Self::BlanksApart => (
                "текст с несколькими пропусками".into(),
                "стал вопросами, по одному на пропуск".into(),
            ),
            Self::FilesOmitted => ("файлы вопроса".into(), "в GIFT только текст".into()),
            Self::Cartridge(note) => note.texts(Lang::Ru),
            Self::Olx(note) => note.texts(Lang::Ru),
            Self::Document(note) => note.texts(Lang::Ru),
            Self::Decoded(encoding) => ("кодировка текста".into(), format!("была {encoding}, теперь UTF-8")),
            Self::NameDecoded(encoding) => (
                "имя файла".into(),
                format!("в архиве оно записано в кодировке {encoding} без пометки; так и прочитано"),
            ),
            Self::Unpublished => (
                "страница".into(),
                "не опубликована; в файле только то, что видят ученики".into(),
            ),
            Self::LeftOut(name) => (
                format!("файл {name}"),
                "слишком велик для одного файла HTML; на его месте об этом сказано".into(),
            ),
            Self::More(count) => (format!("ещё записей: {count}"), "отчёт называет первые".into()),
        }
    }
}

/// At most so many characters, on one line.
fn clipped(text: &str, max: usize) -> String {
    let mut chars = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    let mut clipped: String = chars.by_ref().take(max).collect();
    if chars.next().is_some() {
        clipped.push('…');
    }
    clipped
}
