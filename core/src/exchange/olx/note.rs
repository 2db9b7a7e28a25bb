//! What is said of a course of Open edX. No note quotes the value of a setting: some are secrets.

use crate::content::Lang;
use crate::exchange::note::FileTrouble;
use crate::exchange::report::Outcome;
use crate::exchange::xml::XmlTrouble;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Note {
    /// A file of the course that could not be read, and what would have come of it.
    Definition {
        path: String,
        trouble: FileTrouble,
    },
    Xml {
        path: String,
        trouble: XmlTrouble,
    },
    /// An element that is inside itself.
    Cycle(String),
    /// A setting by its name, and how many elements of which kind have it.
    Setting {
        name: String,
        element: String,
        count: usize,
    },
    /// The folder of settings, rights and certificates.
    Policies,
    /// Something a page cannot do, by its kind and its title.
    Placeholder {
        kind: String,
        title: String,
    },
    Discussion(String),
    /// An element that holds others and decides who is shown which.
    Variants(String),
    /// A page that was not published, or is shown to staff alone.
    Unpublished,
    Draft(String),
    /// A type of response that nobody grades here.
    Response(String),
    /// A program that makes a task's numbers or checks its answers.
    Script,
    /// Numbers that the question needs and that are no numbers.
    Answer(String),
    /// Other answers that are right too.
    OtherAnswers(usize),
    /// A range without its ends.
    OpenRange,
    /// Several options, each of which is right alone.
    SeveralRight,
    Pattern,
    PartialCredit,
    Hints(usize),
    /// Attempts and showing of answers differ from task to task, and a quiz has one setting.
    MixedSettings(&'static str),
    DragAndDrop,
    DecoyItems(usize),
    Transcripts(usize),
    VideoLinks(usize),
    NoVideo(String),
    QuizSplit(usize),
    Extra(String),
}

impl Note {
    pub fn outcome(&self) -> Outcome {
        match self {
            Self::Unpublished => Outcome::Carried,
            Self::Placeholder { .. }
            | Self::Variants(_)
            | Self::Draft(_)
            | Self::Response(_)
            | Self::OpenRange
            | Self::SeveralRight
            | Self::PartialCredit
            | Self::Hints(_)
            | Self::MixedSettings(_)
            | Self::DragAndDrop
            | Self::Transcripts(_)
            | Self::VideoLinks(_)
            | Self::QuizSplit(_)
            | Self::Extra(_) => Outcome::Changed,
            _ => Outcome::NotCarried,
        }
    }

    pub fn key(&self) -> &'static str {
        match self {
            Self::Definition { .. } => "olx_definition",
            Self::Xml { .. } => "olx_xml",
            Self::Cycle(_) => "olx_cycle",
            Self::Setting { .. } => "olx_setting",
            Self::Policies => "olx_policies",
            Self::Placeholder { .. } => "olx_placeholder",
            Self::Discussion(_) => "olx_discussion",
            Self::Variants(_) => "olx_variants",
            Self::Unpublished => "olx_unpublished",
            Self::Draft(_) => "olx_draft",
            Self::Response(_) => "olx_response",
            Self::Script => "olx_script",
            Self::Answer(_) => "olx_answer",
            Self::OtherAnswers(_) => "olx_other_answers",
            Self::OpenRange => "olx_open_range",
            Self::SeveralRight => "olx_several_right",
            Self::Pattern => "olx_pattern",
            Self::PartialCredit => "olx_partial_credit",
            Self::Hints(_) => "olx_hints",
            Self::MixedSettings(_) => "olx_mixed_settings",
            Self::DragAndDrop => "olx_drag_and_drop",
            Self::DecoyItems(_) => "olx_decoys",
            Self::Transcripts(_) => "olx_transcripts",
            Self::VideoLinks(_) => "olx_video_links",
            Self::NoVideo(_) => "olx_no_video",
            Self::QuizSplit(_) => "olx_quiz_split",
            Self::Extra(_) => "olx_extra",
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
            Self::Definition { path, trouble } => (format!("element {path}"), trouble.text(Lang::En).into()),
            Self::Xml { path, trouble } => (format!("element {path}"), trouble.text(Lang::En)),
            Self::Cycle(name) => (format!("element {name}"), "it is inside itself".into()),
            Self::Setting { name, element, count } => (
                format!("setting {name} of {element} ({count})"),
                "a course has nothing like it; its value was not read".into(),
            ),
            Self::Policies => (
                "settings of the course, grading, rights and certificates".into(),
                "they belong to the platform, and may hold secrets; they were not read".into(),
            ),
            Self::Placeholder { kind, title } => (
                format!("{kind} \"{title}\""),
                "a page has nothing like it; a note in its place names it".into(),
            ),
            Self::Discussion(title) => (
                format!("discussion \"{title}\""),
                "courses have no discussions; an export holds no messages either".into(),
            ),
            Self::Variants(kind) => (
                format!("{kind}: a choice among its parts"),
                "everybody is shown all of them, one after the other".into(),
            ),
            Self::Unpublished => ("a page for staff alone".into(), "it is here, and not published".into()),
            Self::Draft(title) => (
                format!("draft \"{title}\""),
                "it is at the end of its lesson, and not published".into(),
            ),
            Self::Response(kind) => (
                format!("a task with {kind}"),
                "nothing grades such answers here; its words are in the text of the page".into(),
            ),
            Self::Script => (
                "a program inside a task".into(),
                "programs of a course are never run; what they compute is missing".into(),
            ),
            Self::Answer(kind) => (
                format!("a task with {kind}"),
                "its right answer is a formula or missing, not a number; its words are in the text of the page".into(),
            ),
            Self::OtherAnswers(count) => (
                format!("other right answers of a numeric question: {count}"),
                "such a question has one number".into(),
            ),
            Self::OpenRange => (
                "a range without its ends".into(),
                "it became a number with a tolerance, which has its ends".into(),
            ),
            Self::SeveralRight => (
                "several right options, each of them enough".into(),
                "it became a question where all of them are to be ticked".into(),
            ),
            Self::Pattern => (
                "a pattern for answers".into(),
                "it uses what patterns here do not have; answers written out are accepted, if there are some".into(),
            ),
            Self::PartialCredit => (
                "part of the points for part of an answer".into(),
                "a quiz counts parts by its own rule".into(),
            ),
            Self::Hints(count) => (
                format!("hints on request: {count}"),
                "they are folded parts of the question".into(),
            ),
            Self::MixedSettings(name) => (
                format!("{name}, which tasks of a page have of their own"),
                "a quiz has one for all its questions; the one that allows learners most was taken".into(),
            ),
            Self::DragAndDrop => (
                "a task of dragging things into places".into(),
                "it became a question that matches things and places".into(),
            ),
            Self::DecoyItems(count) => (
                format!("things that belong nowhere: {count}"),
                "every left side of a matching question has its right one".into(),
            ),
            Self::Transcripts(count) => (
                format!("transcripts of a video: {count}"),
                "they are files below the video".into(),
            ),
            Self::VideoLinks(count) => (
                format!("other sources of a video: {count}"),
                "they are links below it".into(),
            ),
            Self::NoVideo(title) => (
                format!("video \"{title}\""),
                "the export names neither a video service nor a file".into(),
            ),
            Self::QuizSplit(count) => ("a very large quiz".into(), format!("it became {count} pages")),
            Self::Extra(path) => (
                format!("page {path}"),
                "it stood beside the course; it is in a module of its own at the end".into(),
            ),
        }
    }

    fn russian(&self) -> (String, String) {
        match self {
            Self::Definition { path, trouble } => (format!("элемент {path}"), trouble.text(Lang::Ru).into()),
            Self::Xml { path, trouble } => (format!("элемент {path}"), trouble.text(Lang::Ru)),
            Self::Cycle(name) => (format!("элемент {name}"), "он вложен сам в себя".into()),
            Self::Setting { name, element, count } => (
                format!("настройка {name} у {element} ({count})"),
                "в курсе такой нет; значение не прочитано".into(),
            ),
            Self::Policies => (
                "настройки курса, оценивание, права и сертификаты".into(),
                "они относятся к платформе и могут содержать секреты; они не прочитаны".into(),
            ),
            Self::Placeholder { kind, title } => (
                format!("{kind} «{title}»"),
                "на странице такого не бывает; на этом месте стоит пометка с названием".into(),
            ),
            Self::Discussion(title) => (
                format!("обсуждение «{title}»"),
                "в курсах нет обсуждений; самих сообщений в выгрузке тоже нет".into(),
            ),
            Self::Variants(kind) => (
                format!("{kind}: выбор из вложенных частей"),
                "все видят все части по порядку".into(),
            ),
            Self::Unpublished => (
                "страница только для преподавателей".into(),
                "она перенесена, но не опубликована".into(),
            ),
            Self::Draft(title) => (
                format!("черновик «{title}»"),
                "стоит в конце своего урока, не опубликован".into(),
            ),
            Self::Response(kind) => (
                format!("задание вида {kind}"),
                "такие ответы здесь никто не проверяет; слова задания — в тексте страницы".into(),
            ),
            Self::Script => (
                "программа внутри задания".into(),
                "программы из курсов никогда не выполняются; того, что они вычисляют, нет".into(),
            ),
            Self::Answer(kind) => (
                format!("задание вида {kind}"),
                "верный ответ — не число, а формула, или его нет; слова задания — в тексте страницы".into(),
            ),
            Self::OtherAnswers(count) => (
                format!("другие верные ответы числового вопроса: {count}"),
                "у такого вопроса одно число".into(),
            ),
            Self::OpenRange => (
                "промежуток без концов".into(),
                "стал числом с допуском, а в нём концы входят".into(),
            ),
            Self::SeveralRight => (
                "несколько верных вариантов, из которых достаточно одного".into(),
                "стал вопросом, в котором надо отметить все".into(),
            ),
            Self::Pattern => (
                "шаблон ответа".into(),
                "в нём есть то, чего в здешних шаблонах нет; принимаются ответы, записанные словами, если они есть"
                    .into(),
            ),
            Self::PartialCredit => (
                "часть баллов за часть ответа".into(),
                "тест считает доли по своему правилу".into(),
            ),
            Self::Hints(count) => (
                format!("подсказки по требованию: {count}"),
                "это свёрнутые части вопроса".into(),
            ),
            Self::MixedSettings(name) => (
                format!("{name} — своя настройка у каждого задания страницы"),
                "у теста она одна на все вопросы; взята та, что больше разрешает".into(),
            ),
            Self::DragAndDrop => (
                "задание на перетаскивание".into(),
                "стало вопросом на соответствие предметов и мест".into(),
            ),
            Self::DecoyItems(count) => (
                format!("предметы, которым нет места: {count}"),
                "в вопросе на соответствие у каждой левой части есть правая".into(),
            ),
            Self::Transcripts(count) => (
                format!("расшифровки видео: {count}"),
                "приложены файлами под видео".into(),
            ),
            Self::VideoLinks(count) => (
                format!("другие источники видео: {count}"),
                "стали ссылками под ним".into(),
            ),
            Self::NoVideo(title) => (
                format!("видео «{title}»"),
                "в выгрузке нет ни адреса на видеосервисе, ни файла".into(),
            ),
            Self::QuizSplit(count) => ("очень большой тест".into(), format!("получилось страниц: {count}")),
            Self::Extra(path) => (
                format!("страница {path}"),
                "лежала рядом с курсом; она в отдельном модуле в конце".into(),
            ),
        }
    }
}
