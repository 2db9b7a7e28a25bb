//! Notes about single parts of an import or export, in English and Russian.

pub mod cartridge;
pub mod document;
mod notes_macro;
pub mod olx;
mod outcome;
mod reason;

pub use outcome::Outcome;
pub use reason::{Reason, TomlTrouble};

use kurso_base::messages::{Lang, TitleChain};
use notes_macro::notes;

/// Why a file could not be used.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FileTrouble {
    Missing,
    Outside,
    NotAFile,
    NotText,
    NotAnImage,
    NotMedia,
    /// The limit in bytes.
    TooLarge(u64),
    /// A folder with more entries than the limit.
    TooManyEntries(usize),
    Unreadable,
}

impl FileTrouble {
    /// The stable name of the problem.
    pub fn key(self) -> &'static str {
        match self {
            Self::Missing => "file_missing",
            Self::Outside => "file_outside",
            Self::NotAFile => "file_not_a_file",
            Self::NotText => "file_not_text",
            Self::NotAnImage => "file_not_an_image",
            Self::NotMedia => "file_not_media",
            Self::TooLarge(_) => "file_too_large",
            Self::TooManyEntries(_) => "file_too_many_entries",
            Self::Unreadable => "file_unreadable",
        }
    }

    pub fn text(self, lang: Lang) -> String {
        let (en, ru) = match self {
            Self::TooLarge(most) => {
                let megabytes = most >> 20;
                return match lang {
                    Lang::En => format!("the file is larger than {megabytes} MB"),
                    Lang::Ru => format!("файл больше {megabytes} МБ"),
                };
            }
            Self::TooManyEntries(most) => {
                return match lang {
                    Lang::En => format!("the folder has more than {most} entries"),
                    Lang::Ru => format!("в папке больше {most} файлов и папок"),
                };
            }
            Self::Missing => ("the file does not exist", "такого файла нет"),
            Self::Outside => ("the path leaves the folder", "путь ведёт за пределы папки"),
            Self::NotAFile => ("it is not a file", "это не файл"),
            Self::NotText => ("it is not text", "это не текст"),
            Self::NotAnImage => ("it is not an image", "это не картинка"),
            Self::NotMedia => ("it is not audio or video", "это не аудио и не видео"),
            Self::Unreadable => ("the file could not be read", "файл не удалось прочесть"),
        };
        match lang {
            Lang::En => en.to_owned(),
            Lang::Ru => ru.to_owned(),
        }
    }
}

notes! {
    // Books
    Setting(name: String) => NotCarried, "setting",
        "setting {name}": "styles, scripts, themes and preprocessors of mdBook are not supported",
        "настройка {name}": "стили, скрипты, темы и препроцессоры mdBook в курсе не работают";
    DraftChapter(title: String) => NotCarried, "draft_chapter",
        "draft chapter \"{title}\"": "it has no file",
        "черновик главы «{title}»": "у него ещё нет файла";
    NoLink(text: String) => NotCarried, "summary_no_link",
        "\"{text}\" in the summary": "chapters are links to files; this is not a link",
        "«{text}» в содержании": "глава — это ссылка на файл, а здесь ссылки нет";
    Chapter { path: String, trouble: FileTrouble } => NotCarried, "chapter",
        "chapter {path}": "{trouble}",
        "глава {path}": "{trouble}";
    ChapterTwice(path: String) => NotCarried, "chapter_twice",
        "repeated chapter {path}": "a file becomes one page, at its first mention",
        "второе упоминание {path}": "файл становится одной страницей — там, где назван впервые";
    NotInSummary(path: String) => NotCarried, "not_in_summary",
        "file {path}": "it is not in the summary",
        "файл {path}": "его нет в содержании";
    TitleDiffers { summary: String, heading: String } => Changed, "title_differs",
        "title \"{summary}\" in the summary": "the page is titled by its heading: \"{heading}\"",
        "название «{summary}» из содержания": "страница названа по своему заголовку: «{heading}»";
    TitleCut(title: String) => Changed, "title_cut",
        "title \"{title}\"": "titles are limited to 255 characters",
        "название «{title}»": "в названии не больше 255 символов";
    PageSplit(parts: usize) => Changed, "page_split",
        "very long page": "pages are limited to 2 MiB; split into {parts} pages",
        "очень длинная страница": "страница вмещает не больше 2 МиБ, получилось страниц: {parts}";
    PageRefused(why: Reason) => NotCarried, "page_refused",
        "entire text of the page": "{why}",
        "весь текст страницы": "{why}";
    PageTooLarge => NotCarried, "page_too_large",
        "entire text of the page": "it has too many elements",
        "весь текст страницы": "в ней слишком много элементов";
    FenceFlags { flags: String, blocks: usize } => NotCarried, "fence_flags",
        "flags of code blocks ({blocks}): {flags}": "they control how mdBook runs and tests code; the code is unchanged",
        "пометки блоков кода ({blocks}): {flags}": "они говорят mdBook, как запускать и проверять код; сам код не изменился";
    // Directives
    Include { directive: String, trouble: FileTrouble } => NotCarried, "include",
        "{directive}": "{trouble}; kept as text",
        "{directive}": "{trouble}; оставлено текстом";
    IncludeLoop(directive: String) => NotCarried, "include_loop",
        "{directive}": "the file includes itself; kept as text",
        "{directive}": "файл вставляет сам себя; оставлено текстом";
    IncludeEmpty(directive: String) => NotCarried, "include_empty",
        "{directive}": "the file has no such anchor or lines; kept as text",
        "{directive}": "в файле нет такой метки или таких строк; оставлено текстом";
    IncludeTooMuch(directive: String) => NotCarried, "include_too_much",
        "{directive}": "the page with its includes would be too large or nested too deeply; kept as text",
        "{directive}": "страница со вставками стала бы слишком большой или слишком вложенной; оставлено текстом";
    UnknownDirective(directive: String) => Changed, "unknown_directive",
        "{directive}": "unknown directive; kept as text",
        "{directive}": "неизвестная команда; оставлено текстом";
    // Links and files
    LinkLeavesBook(href: String) => NotCarried, "link_leaves_book",
        "link {href}": "it leaves the book; only the text was kept",
        "ссылка {href}": "ведёт за пределы книги; слова сохранены";
    LinkNotInSummary(href: String) => NotCarried, "link_not_in_summary",
        "link {href}": "the file is not in the summary, so it is not a page; only the text was kept",
        "ссылка {href}": "этого файла нет в содержании, поэтому он не стал страницей; слова сохранены";
    LinkFile { href: String, trouble: FileTrouble } => NotCarried, "link_file",
        "link {href}": "{trouble}; only the text was kept",
        "ссылка {href}": "{trouble}; слова сохранены";
    LinkUnsupported(href: String) => NotCarried, "link_unsupported",
        "link {href}": "only http, https, mailto and links within the course are supported; only the text was kept",
        "ссылка {href}": "возможны только адреса http, https и mailto и ссылки внутри курса; слова сохранены";
    LinkAnchor(href: String) => Changed, "link_anchor",
        "link {href}": "there is no such heading; the link leads to the start of the page",
        "ссылка {href}": "такого заголовка нет; ссылка ведёт в начало страницы";
    Image { src: String, trouble: FileTrouble } => NotCarried, "image",
        "image {src}": "{trouble}",
        "картинка {src}": "{trouble}";
    ImageRemote(src: String) => NotCarried, "image_remote",
        "image {src}": "remote images are not downloaded",
        "картинка {src}": "из сети ничего не скачивается";
    ImageFromBook { src: String, path: String } => Carried, "image_from_book",
        "image {src}": "taken from the folder: {path}",
        "картинка {src}": "взята из папки: {path}";
    ImageLink(href: String) => NotCarried, "image_link",
        "link {href} around an image": "images cannot be links",
        "ссылка {href} на картинке": "картинка не может быть ссылкой";
    ImageWidth { css: String, pixels: u32 } => Changed, "image_width",
        "image width {css}": "widths are in pixels; converted to {pixels} pixels",
        "ширина картинки {css}": "ширина задаётся в пикселях; стала равной {pixels} пикселям";
    /// A further file of a player.
    OtherSource(src: String) => NotCarried, "other_source",
        "other version of a recording: {src}": "a player has one file, the first",
        "другой вариант записи: {src}": "у записи на странице один файл — первый";
    Subtitles(src: String) => NotCarried, "subtitles",
        "subtitles {src}": "players have none",
        "субтитры {src}": "у записи на странице их не бывает";
    CaptionFormat(caption: String) => Changed, "caption_format",
        "formatting in the caption \"{caption}\"": "captions are plain text",
        "оформление подписи «{caption}»": "подпись картинки — простой текст";
    // Text
    UnknownTag(tag: String) => Changed, "unknown_tag",
        "tag <{tag}>": "not supported; its text was kept",
        "тег <{tag}>": "на странице такого не бывает; текст сохранён";
    DroppedTag(tag: String) => NotCarried, "dropped_tag",
        "tag <{tag}> and its content": "not supported",
        "тег <{tag}> и всё внутри него": "на странице такого не бывает";
    /// A frame replaced by a link.
    Frame(tag: String) => Changed, "frame",
        "tag <{tag}>": "embedded pages are not supported; replaced by a link",
        "тег <{tag}>": "чужие страницы внутри страницы не показываются; на его месте ссылка";
    HtmlAsText => Changed, "html_as_text",
        "HTML of the page": "it is nested too deeply or has too many elements; kept as text",
        "HTML страницы": "вложен слишком глубоко, или в нём слишком много элементов; показан текстом";
    Footnotes(count: usize) => Changed, "footnotes",
        "footnotes: {count}": "not supported; they became a numbered list at the end of the page",
        "сноски: {count}": "на странице сносок нет; они стали нумерованным списком в её конце";
    Definitions => Changed, "definitions",
        "definition list": "terms became bold paragraphs, each followed by its definition",
        "список определений": "термины стали полужирными абзацами, определения — абзацами под ними";
    Flattened => Changed, "flattened",
        "deeply nested lists, quotes or tables": "the deepest levels were merged",
        "очень глубоко вложенные списки, цитаты или таблицы": "самые глубокие уровни слились в один";
    Cut(what: String) => Changed, "cut",
        "very long text: {what}": "cut to the maximum length",
        "очень длинный текст: {what}": "обрезан до длины, которую допускает страница";
    BlockTooLarge => NotCarried, "block_too_large",
        "block larger than 2 MiB": "it exceeds the size of a page",
        "блок больше 2 МиБ": "страница его не вместит";
    // Kurso Markdown
    RawNode => Changed, "raw_node",
        "block written as JSON": "it is not the JSON of a single block; kept as code",
        "блок, записанный как JSON": "это не JSON одного блока; сохранено как код";
    Question(line: String) => NotCarried, "question",
        "line \"{line}\" of a question": "not valid in a question of this type",
        "строка вопроса «{line}»": "о вопросе такого вида она ничего не говорит";
    QuestionUnclear => NotCarried, "question_unclear",
        "a question": "it is incomplete or not a valid question",
        "вопрос": "то, что здесь начинается, не закончено или записано не как вопрос";
    QuestionNoType => NotCarried, "question_no_type",
        "a question": "it has no type",
        "вопрос": "не сказано, какого он вида";
    QuestionsOver(most: usize) => NotCarried, "questions_over",
        "a question": "at most {most} questions are read per page",
        "вопрос": "с одной страницы читается не больше {most} вопросов";
    UnknownField(name: String) => NotCarried, "unknown_field",
        "field {name}": "unknown field",
        "поле {name}": "в курсе такого нет";
    QuizUnpublished(why: Reason) => Changed, "quiz_unpublished",
        "publication of the quiz": "the quiz is incomplete, so the page is not published: {why}",
        "публикация теста": "он ещё не готов для учеников, поэтому страница не опубликована: {why}";
    QuestionRefused(why: Reason) => NotCarried, "question_refused",
        "a question": "{why}",
        "вопрос": "{why}";
    BlockRefused(why: Reason) => Changed, "block_refused",
        "block of the page": "{why}; kept as code",
        "блок страницы": "{why}; сохранён как код";
    BadFrontMatter(why: Reason) => NotCarried, "bad_front_matter",
        "settings": "{why}",
        "настройки": "{why}";
    QuizFile(why: Reason) => NotCarried, "quiz_file",
        "entire quiz": "{why}",
        "весь тест": "{why}";
    KeyTwice(key: String) => Changed, "key_twice",
        "key \"{key}\"": "duplicate or invalid key; a new one was created",
        "ключ «{key}»": "он есть у другого модуля, урока или страницы, или это не ключ; сделан новый";
    UnknownPrerequisite(key: String) => NotCarried, "unknown_prerequisite",
        "prerequisite \"{key}\"": "no module or lesson has this key",
        "условие «{key}»": "модуля или урока с таким ключом нет";
    PrerequisiteCycle(titles: TitleChain) => NotCarried, "prerequisite_cycle",
        "prerequisites {titles}": "nobody could complete this; they were left out",
        "условия {titles}": "замкнулись в круг, пройти это нельзя; они не взяты";
    NothingToCountFrom => NotCarried, "nothing_to_count_from",
        "dates in days from the start": "the course has no start; its dates are written as moments",
        "даты в днях от начала": "у курса нет начала; даты записаны как есть";
    StartTooFar => NotCarried, "start_too_far",
        "new start of the course": "a date would leave the years from 2000 to 2099; none was moved",
        "новое начало курса": "одна из дат вышла бы за 2000–2099 годы; ни одна не сдвинута";
    StartAfterEnd => NotCarried, "start_after_end",
        "new start of the course": "it would be after the end",
        "новое начало курса": "оно было бы позже конца";
    Avatar(path: String) => NotCarried, "avatar",
        "module avatar {path}": "the image does not exist",
        "картинка модуля {path}": "такой картинки нет";
    ForeignFile(path: String) => NotCarried, "foreign_file",
        "file {path}": "no page uses it; only texts and their media are imported",
        "файл {path}": "он ни к одной странице не относится: берутся только тексты и то, что в них показано";
    Packed(why: Reason) => NotCarried, "packed",
        "file in the archive": "{why}",
        "файл из архива": "{why}";
    // mdbook-quiz
    OptionOrder(count: usize) => Changed, "option_order",
        "questions with a fixed order of options: {count}": "a quiz shuffles the options of all questions or of none; this one shuffles them",
        "варианты в своём порядке, вопросов: {count}": "тест перемешивает варианты всех вопросов или ни одного; этот — перемешивает";
    Tracing(count: usize) => Changed, "tracing",
        "program tracing questions: {count}": "each became a text with a choice (whether it compiles) and a blank (its output or the line of the error)",
        "вопросы о том, что делает программа: {count}": "каждый стал текстом с выбором (компилируется ли) и пропуском (что выводит или где ошибка)";
    QuizApart => Changed, "quiz_apart",
        "position of the quiz": "the book has no such page; it is in a separate module at the end",
        "место теста": "в книге такой страницы нет; тест в отдельном модуле в конце";
    // GIFT
    Feedback => Changed, "feedback",
        "feedback for single answers": "it was added to the explanation, which is shown after the quiz",
        "отзывы на отдельные ответы": "они вошли в пояснение, которое показывают после теста";
    Weights => Changed, "weights",
        "weights of single answers": "these weights cannot be kept; the usual rule of the question applies",
        "доли баллов за отдельные ответы": "такие доли здесь невозможны; действует обычное правило вопроса";
    AllOrNothing => Changed, "all_or_nothing",
        "question that is graded all or nothing": "elsewhere a partly correct answer earns part of the points",
        "вопрос, где засчитывается только полностью верный ответ": "в других системах часть верного ответа даст часть баллов";
    HintsOmitted => NotCarried, "hints_omitted",
        "hints of a question": "not supported by the format",
        "подсказки к вопросу": "в этом формате такого нет";
    UnitsOmitted => NotCarried, "units_omitted",
        "units of a numeric question": "not supported by the format; the answer is a number in the first unit",
        "единицы в вопросе с числом": "в этом формате такого нет; ответ — число в первой единице";
    WeightsOmitted => NotCarried, "weights_omitted",
        "weights of options": "not supported by the format; Kurso keeps them",
        "веса вариантов": "в этом формате такого нет; в Kurso они сохранятся";
    QuestionTitles(count: usize) => NotCarried, "question_titles",
        "question titles: {count}": "questions have no titles",
        "названия вопросов: {count}": "здесь у вопросов нет названий";
    QuizSettings => NotCarried, "quiz_settings",
        "quiz settings": "GIFT contains questions only",
        "настройки теста": "в GIFT только вопросы";
    QuizText => NotCarried, "quiz_text",
        "text before the questions": "GIFT contains questions only",
        "текст перед вопросами": "в GIFT только вопросы";
    PointsOmitted => NotCarried, "points",
        "points of the question": "not supported by GIFT",
        "баллы за вопрос": "в GIFT их нет";
    AnswerRule => NotCarried, "answer_rule",
        "answer pattern or case sensitivity": "not supported by GIFT",
        "шаблон ответа или учёт больших букв": "в GIFT такого нет";
    /// Kinds of files that a question cannot accept.
    FileKinds(names: String) => NotCarried, "file_kinds",
        "kinds of files: {names}": "a question accepts up to 30 kinds; each has 1 to 10 Latin letters and digits",
        "виды файлов: {names}": "вопрос принимает до 30 видов, в каждом от 1 до 10 латинских букв и цифр";
    EssayRules => NotCarried, "essay_rules",
        "number of words of an essay": "not supported by the format",
        "число слов в вопросе с развёрнутым ответом": "в этом формате такого нет";
    GradersOnly => NotCarried, "graders_only",
        "note for graders or rubric of a question": "not supported by the format",
        "указания проверяющим или критерии в вопросе": "в этом формате такого нет";
    HotspotAsEssay => Changed, "hotspot_as_essay",
        "hotspot question": "the format has none; it became an essay question",
        "вопрос об области на изображении": "в этом формате таких нет; стал вопросом с развёрнутым ответом";
    UploadAsEssay => Changed, "upload_as_essay",
        "question answered with files": "it became an essay question",
        "вопрос, на который отвечают файлами": "стал вопросом с развёрнутым ответом";
    AssignmentAsEssay => Changed, "assignment_as_essay",
        "assignment": "it became an essay question",
        "задание": "стало вопросом с развёрнутым ответом";
    FormulaAsNumber => Changed, "formula_as_number",
        "question with a formula": "it asks with one set of values",
        "вопрос с формулой": "спрашивает ответ для одного набора чисел";
    OrderingAsMatching => Changed, "ordering_as_matching",
        "ordering question": "it became a matching question of numbers and items",
        "вопрос на порядок": "стал вопросом на соответствие: номера и то, что под ними";
    BlanksApart => Changed, "blanks_apart",
        "text with several blanks": "it became one question per blank",
        "текст с несколькими пропусками": "стал вопросами, по одному на пропуск";
    FilesOmitted => NotCarried, "files",
        "files of the question": "GIFT contains text only",
        "файлы вопроса": "в GIFT только текст";
    /// A file on the web, or a file or page of the course that was exported.
    ForeignAddress(address: String) => NotCarried, "foreign_address",
        "{address}": "it is not in the file of questions; the words are kept",
        "{address}": "этого нет в файле с вопросами; слова сохранены";
    /// The number of questions with identifiers and tags in comments.
    QuestionTags(count: usize) => NotCarried, "question_tags",
        "identifiers and tags of questions: {count}": "questions have none",
        "пометки и метки вопросов: {count}": "у вопросов здесь их нет";
    /// The size of the texts of an export, in megabytes.
    TooLargeToImport(megabytes: usize) => NotCarried, "too_large_to_import",
        "the way back: {megabytes} MB of text": "Kurso imports at most 64 MB, so it cannot import this file",
        "обратный импорт: {megabytes} МБ текста": "Kurso принимает не больше 64 МБ, поэтому сам этот файл не прочтёт";
    /// The number of questions in an exported file of questions.
    TooManyQuestionsToImport(count: usize) => NotCarried, "too_many_questions_to_import",
        "the way back: {count} questions": "Kurso imports at most 10,000 questions of a file, so it cannot import this file",
        "обратный импорт: вопросов — {count}": "Kurso читает из файла не больше 10 000 вопросов, поэтому сам этот файл не прочтёт";
    /// The number of draws from question banks that a file cannot hold.
    Draws(count: usize) => NotCarried, "draws",
        "draws from question banks: {count}": "the file cannot contain the banks",
        "случайный выбор из банков вопросов: {count}": "сами банки в файл не входят";
    /// A draw of an imported quiz.
    /// The title of a bank that came with an earlier import.
    BankKept(title: String) => Carried, "bank_kept",
        "question bank \"{title}\"": "you have it already; it was not changed",
        "банк вопросов «{title}»": "он у вас уже есть и остался прежним";
    BanksOmitted => NotCarried, "banks_omitted",
        "question banks": "you may not use those from which the course draws; its draws work for people who may",
        "банки вопросов": "вам недоступны те, из которых выбирает курс; выбор сработает у тех, кому они доступны";
    BankWithoutId => NotCarried, "bank_without_id",
        "question bank": "the file has no id of its own, so that no draw can name it",
        "банк вопросов": "у файла нет своего id, поэтому ни один выбор на него не сошлётся";
    UnknownBank => NotCarried, "unknown_bank",
        "draw from a question bank": "there is no such bank, or you may not use it",
        "случайный выбор из банка вопросов": "такого банка нет, или он вам недоступен";
    NoQuestions => NotCarried, "no_questions",
        "the course": "it has no questions, so the file is empty",
        "курс": "в нём нет вопросов, поэтому файл пуст";
    /// Text that the source hides.
    Hidden(words: String) => NotCarried, "hidden",
        "hidden text \"{words}\"": "the source hides it from readers",
        "скрытый текст «{words}»": "в исходной странице его не видно";
    LinkTitle(title: String) => NotCarried, "link_title",
        "title \"{title}\" of a link": "links have no titles",
        "подсказка «{title}» у ссылки": "у ссылок подсказок нет";
    /// Invalid bytes in a text.
    Damaged(count: usize) => Changed, "damaged_text",
        "invalid characters: {count}": "each was replaced by �",
        "испорченные символы: {count}": "вместо каждого стоит �";
    /// Tags without words, all over the course.
    DroppedTags { tag: String, count: usize } => NotCarried, "dropped_tags",
        "tags <{tag}>: {count}": "not supported; this is the first",
        "теги <{tag}>: {count}": "на странице такого не бывает; это первый из них";
    /// The original encoding of a text.
    Decoded(encoding: &'static str) => Changed, "decoded",
        "encoding of the text": "converted from {encoding} to UTF-8",
        "кодировка текста": "была {encoding}, теперь UTF-8";
    /// The original encoding of a file name in an archive.
    NameDecoded(encoding: &'static str) => Changed, "name_decoded",
        "name of the file": "decoded from {encoding}, which the archive does not declare",
        "имя файла": "в архиве оно записано в кодировке {encoding} без пометки; так и прочитано";
    /// A page that the offline file does not contain.
    Unpublished => NotCarried, "unpublished",
        "the page": "unpublished; the file contains only what learners see",
        "страница": "не опубликована; в файле только то, что видят ученики";
    /// A file that the offline file cannot hold.
    LeftOut(name: String) => NotCarried, "left_out",
        "file {name}": "a single HTML file cannot hold it; the text in its place says so",
        "файл {name}": "не помещается в один файл HTML; на его месте остались слова";
    /// Parts of something beyond a limit.
    Beyond { count: usize, most: usize } => NotCarried, "beyond",
        "parts beyond the limit: {count}": "the first {most} were read",
        "лишние части: {count}": "прочитаны первые {most}";
    /// The number of omitted notes.
    More(count: usize) => NotCarried, "more",
        "{count} more": "the report is limited",
        "ещё записей: {count}": "отчёт называет первые";
    [Cartridge(cartridge::Note), Olx(olx::Note), Document(document::Note)]
}
