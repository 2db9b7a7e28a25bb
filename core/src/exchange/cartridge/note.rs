//! What only a cartridge has, and what is said of it.

use crate::content::Lang;
use crate::exchange::note::FileTrouble;
use crate::exchange::report::Outcome;
use crate::exchange::xml::XmlTrouble;

/// What happened to one thing of a cartridge.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Note {
    // The package
    BadXml(XmlTrouble),
    Encoding,
    MissingFile(String, FileTrouble),
    MissingResource(String),
    IdentifierTwice(String),
    TooManyItems(usize),
    OrderDiffers { manifest: usize, canvas: usize },
    OnlyInManifest(String),
    Nested,
    // Items
    Header(String),
    Again(String),
    NotInModules(String),
    Unpublished,
    WebLink,
    Discussion,
    Assignment,
    Tool,
    Package(&'static str),
    UnknownType(String),
    FilePage(String),
    FileApart(String),
    Settings(String),
    LinkNowhere(String),
    // Quizzes
    Setting { name: String, value: String },
    Bank,
    Fuller { own: usize, profile: usize },
    Group { title: String, pick: usize, of: usize },
    Calculated { sets: usize },
    FileUpload,
    TextOnly,
    Distractors(String),
    UnknownQuestion(String),
    NoAnswer,
    Extension,
    // Out
    Simplified(&'static str),
    OnlyHere,
}

impl Note {
    pub fn outcome(&self) -> Outcome {
        match self {
            Self::Unpublished | Self::Fuller { .. } => Outcome::Carried,
            Self::Group { pick, of, .. } if pick >= of => Outcome::Carried,
            Self::MissingFile(..)
            | Self::MissingResource(_)
            | Self::BadXml(_)
            | Self::TooManyItems(_)
            | Self::Tool
            | Self::Package(_)
            | Self::UnknownType(_)
            | Self::Settings(_)
            | Self::Setting { .. }
            | Self::LinkNowhere(_)
            | Self::Distractors(_)
            | Self::UnknownQuestion(_)
            | Self::FileUpload
            | Self::NoAnswer
            | Self::Extension => Outcome::NotCarried,
            _ => Outcome::Changed,
        }
    }

    /// A stable name of the kind of note, for counting.
    pub fn key(&self) -> &'static str {
        match self {
            Self::BadXml(_) => "cartridge_bad_xml",
            Self::Encoding => "cartridge_encoding",
            Self::MissingFile(..) => "cartridge_missing_file",
            Self::MissingResource(_) => "cartridge_missing_resource",
            Self::IdentifierTwice(_) => "cartridge_identifier_twice",
            Self::TooManyItems(_) => "cartridge_too_many",
            Self::OrderDiffers { .. } => "cartridge_order_differs",
            Self::OnlyInManifest(_) => "cartridge_only_in_manifest",
            Self::Nested => "cartridge_nested",
            Self::Header(_) => "cartridge_header",
            Self::Again(_) => "cartridge_again",
            Self::NotInModules(_) => "cartridge_not_in_modules",
            Self::Unpublished => "cartridge_unpublished",
            Self::WebLink => "cartridge_web_link",
            Self::Discussion => "cartridge_discussion",
            Self::Assignment => "cartridge_assignment",
            Self::Tool => "cartridge_tool",
            Self::Package(_) => "cartridge_package",
            Self::UnknownType(_) => "cartridge_unknown_type",
            Self::FilePage(_) => "cartridge_file_page",
            Self::FileApart(_) => "cartridge_file_apart",
            Self::Settings(_) => "cartridge_settings",
            Self::LinkNowhere(_) => "cartridge_link_nowhere",
            Self::Setting { .. } => "cartridge_quiz_setting",
            Self::Bank => "cartridge_bank",
            Self::Fuller { .. } => "cartridge_fuller",
            Self::Group { .. } => "cartridge_group",
            Self::Calculated { .. } => "cartridge_calculated",
            Self::FileUpload => "cartridge_file_upload",
            Self::TextOnly => "cartridge_text_only",
            Self::Distractors(_) => "cartridge_distractors",
            Self::UnknownQuestion(_) => "cartridge_unknown_question",
            Self::NoAnswer => "cartridge_no_answer",
            Self::Extension => "cartridge_extension",
            Self::Simplified(_) => "cartridge_simplified",
            Self::OnlyHere => "cartridge_only_here",
        }
    }

    /// The thing, and why it is not as it was.
    pub fn texts(&self, lang: Lang) -> (String, String) {
        match lang {
            Lang::En => self.english(),
            Lang::Ru => self.russian(),
        }
    }

    fn english(&self) -> (String, String) {
        let pair = |what: &str, why: &str| (what.to_owned(), why.to_owned());
        match self {
            Self::BadXml(why) => ("the file".into(), why.text(Lang::En)),
            Self::Encoding => pair("some characters", "they are none in the encoding the file names; shown as �"),
            Self::MissingFile(path, trouble) => (format!("file {path}"), trouble.text(Lang::En).into()),
            Self::MissingResource(id) => (
                format!("resource {id}"),
                "the manifest has no such resource; a page in its place says so".into(),
            ),
            Self::IdentifierTwice(id) => (
                format!("second resource with the identifier {id}"),
                "what names it means the first; the second is taken as nobody's".into(),
            ),
            Self::TooManyItems(count) => (
                format!("items or resources beyond the limit: {count}"),
                "a package may have 10,000 items and 50,000 resources".into(),
            ),
            Self::OrderDiffers { manifest, canvas } => (
                format!("items of the module: {manifest} in imsmanifest.xml, {canvas} in module_meta.xml"),
                "the order is that of module_meta.xml; what only the manifest has stands after the item before it".into(),
            ),
            Self::OnlyInManifest(title) => (
                format!("item \"{title}\""),
                "module_meta.xml does not have it, imsmanifest.xml does; it is in the course".into(),
            ),
            Self::Nested => pair("folders in folders", "a module has lessons and no deeper folders; each folder is a lesson"),
            Self::Header(title) => (format!("text header \"{title}\""), "a lesson of this name begins there".into()),
            Self::Again(title) => (
                format!("second place of \"{title}\""),
                "a resource becomes one page, where it is named first; here is a page with a link to it".into(),
            ),
            Self::NotInModules(title) => (
                format!("\"{title}\""),
                "no module names it; it is in the module at the end".into(),
            ),
            Self::Unpublished => pair("the page", "it is not published there, so it is not published here"),
            Self::WebLink => pair("web link", "it became a page with the link"),
            Self::Discussion => pair("discussion", "there are none here; what it asks became a page"),
            Self::Assignment => pair(
                "assignment",
                "nobody hands work in here; what it asks became a page, its points and dates a list in it",
            ),
            Self::Tool => pair(
                "external tool (LTI)",
                "other people's programs do not run here; a page names it and its address",
            ),
            Self::Package(kind) => (
                format!("{kind} package"),
                "it does not run here; a page names it and holds its file".into(),
            ),
            Self::UnknownType(kind) => (
                format!("resource of the type \"{kind}\""),
                "nothing here is like it; a page names it and holds its files".into(),
            ),
            Self::FilePage(path) => (format!("file {path}"), "it became a page that holds it".into()),
            Self::FileApart(path) => (
                format!("file {path}"),
                "no page shows it; it is in the lesson for files at the end".into(),
            ),
            Self::Settings(names) => (format!("settings: {names}"), "a course here has nothing like them".into()),
            Self::LinkNowhere(href) => (
                format!("link {href}"),
                "the package does not have what it leads to; the words are kept".into(),
            ),
            Self::Setting { name, value } => (
                format!("setting of the quiz: {name} = {value}"),
                "quizzes here have nothing like it".into(),
            ),
            Self::Bank => pair("question bank", "it became a quiz that is not published"),
            Self::Fuller { own, profile } => (
                format!("questions: {own} in Canvas's own file, {profile} in the file of the profile"),
                "Canvas's own were taken".into(),
            ),
            Self::Group { title, pick, of } => (
                format!("question group \"{title}\", {pick} of {of}"),
                match pick >= of {
                    true => "all its questions are asked, as they were".into(),
                    false => "all its questions are asked: nothing is drawn by lot here".into(),
                },
            ),
            Self::Calculated { sets } => (
                "question with a formula".into(),
                format!("it asks for the answer to the first of its {sets} sets of numbers"),
            ),
            Self::FileUpload => pair(
                "question for a file",
                "nobody hands files in here; its words are in the text of the page",
            ),
            Self::TextOnly => pair("text among the questions", "it stands before all questions"),
            Self::Distractors(words) => (
                format!("right sides that fit nothing: {words}"),
                "every side of a pair has its match here".into(),
            ),
            Self::UnknownQuestion(kind) => (
                format!("question of the type \"{kind}\""),
                "nothing here is like it; its words are in the text of the page".into(),
            ),
            Self::NoAnswer => pair("the right answer of a question", "the package does not say it"),
            Self::Extension => pair("what only Kurso writes into a package", "it cannot be read; the rest was taken"),
            Self::Simplified(kind) => (
                format!("question of the type \"{}\"", question_kind(kind, Lang::En)),
                "the profile has no such question: others read it as text to be answered in words; Canvas and Kurso as it is".into(),
            ),
            Self::OnlyHere => pair(
                "description and picture of the module",
                "only Kurso reads them from the package",
            ),
        }
    }

    fn russian(&self) -> (String, String) {
        let pair = |what: &str, why: &str| (what.to_owned(), why.to_owned());
        match self {
            Self::BadXml(why) => ("файл".into(), why.text(Lang::Ru)),
            Self::Encoding => pair("некоторые знаки", "в указанной кодировке таких нет; вместо них �"),
            Self::MissingFile(path, trouble) => (format!("файл {path}"), trouble.text(Lang::Ru).into()),
            Self::MissingResource(id) => (
                format!("ресурс {id}"),
                "в манифесте такого нет; об этом говорит страница на его месте".into(),
            ),
            Self::IdentifierTwice(id) => (
                format!("второй ресурс с идентификатором {id}"),
                "ссылки ведут к первому, второй считается ничьим".into(),
            ),
            Self::TooManyItems(count) => (
                format!("элементы или ресурсы сверх предела: {count}"),
                "в пакете может быть 10 000 элементов и 50 000 ресурсов".into(),
            ),
            Self::OrderDiffers { manifest, canvas } => (
                format!("элементы модуля: {manifest} в imsmanifest.xml, {canvas} в module_meta.xml"),
                "порядок взят из module_meta.xml; то, что есть только в манифесте, стоит после своего соседа".into(),
            ),
            Self::OnlyInManifest(title) => (
                format!("элемент «{title}»"),
                "в module_meta.xml его нет, в imsmanifest.xml есть; он вошёл в курс".into(),
            ),
            Self::Nested => pair(
                "папки в папках",
                "в модуле есть уроки и нет папок глубже; каждая папка стала уроком",
            ),
            Self::Header(title) => (
                format!("заголовок «{title}»"),
                "с него начинается урок с этим названием".into(),
            ),
            Self::Again(title) => (
                format!("второе место «{title}»"),
                "ресурс становится одной страницей там, где назван впервые; здесь страница со ссылкой на неё".into(),
            ),
            Self::NotInModules(title) => (
                format!("«{title}»"),
                "ни один модуль этого не называет; оно в модуле в конце курса".into(),
            ),
            Self::Unpublished => pair("страница", "там она не опубликована, поэтому не опубликована и здесь"),
            Self::WebLink => pair("ссылка", "стала страницей со ссылкой"),
            Self::Discussion => pair("обсуждение", "здесь обсуждений нет; его вопрос стал страницей"),
            Self::Assignment => pair(
                "задание",
                "здесь работы не сдают; текст задания стал страницей, баллы и сроки — списком на ней",
            ),
            Self::Tool => pair(
                "внешний инструмент (LTI)",
                "чужие программы здесь не работают; страница называет его и его адрес",
            ),
            Self::Package(kind) => (
                format!("пакет {kind}"),
                "здесь он не работает; страница называет его и хранит его файл".into(),
            ),
            Self::UnknownType(kind) => (
                format!("ресурс типа «{kind}»"),
                "здесь ничего похожего нет; страница называет его и хранит его файлы".into(),
            ),
            Self::FilePage(path) => (format!("файл {path}"), "стал страницей, на которой он лежит".into()),
            Self::FileApart(path) => (
                format!("файл {path}"),
                "ни одна страница его не показывает; он в уроке с файлами в конце курса".into(),
            ),
            Self::Settings(names) => (
                format!("настройки: {names}"),
                "у курса здесь ничего похожего нет".into(),
            ),
            Self::LinkNowhere(href) => (
                format!("ссылка {href}"),
                "в пакете нет того, к чему она ведёт; слова сохранены".into(),
            ),
            Self::Setting { name, value } => (
                format!("настройка теста: {name} = {value}"),
                "у тестов здесь ничего похожего нет".into(),
            ),
            Self::Bank => pair("банк вопросов", "стал неопубликованным тестом"),
            Self::Fuller { own, profile } => (
                format!("вопросы: {own} в собственном файле Canvas, {profile} в файле профиля"),
                "взяты собственные вопросы Canvas".into(),
            ),
            Self::Group { title, pick, of } => (
                format!("группа вопросов «{title}», {pick} из {of}"),
                match pick >= of {
                    true => "задаются все её вопросы, как и было".into(),
                    false => "задаются все её вопросы: жребия здесь нет".into(),
                },
            ),
            Self::Calculated { sets } => (
                "вопрос с формулой".into(),
                format!("спрашивает ответ для первого набора чисел (всего наборов: {sets})"),
            ),
            Self::FileUpload => pair(
                "вопрос, на который отвечают файлом",
                "здесь файлы не сдают; слова вопроса — в тексте страницы",
            ),
            Self::TextOnly => pair("текст среди вопросов", "стоит перед всеми вопросами"),
            Self::Distractors(words) => (
                format!("правые части без пары: {words}"),
                "здесь у каждой части есть пара".into(),
            ),
            Self::UnknownQuestion(kind) => (
                format!("вопрос типа «{kind}»"),
                "здесь ничего похожего нет; слова вопроса — в тексте страницы".into(),
            ),
            Self::NoAnswer => pair("верный ответ на вопрос", "в пакете он не назван"),
            Self::Extension => pair(
                "то, что пишет в пакет только Kurso",
                "это не удалось прочесть; остальное взято",
            ),
            Self::Simplified(kind) => (
                format!("вопрос вида «{}»", question_kind(kind, Lang::Ru)),
                "в профиле таких нет: другие прочтут его как вопрос с ответом словами, Canvas и Kurso — как есть"
                    .into(),
            ),
            Self::OnlyHere => pair("описание и картинка модуля", "из пакета их прочтёт только Kurso"),
        }
    }
}

/// The types of questions as people call them.
fn question_kind(kind: &str, lang: Lang) -> &'static str {
    let (en, ru) = match kind {
        "single_choice" => ("one of several", "один вариант"),
        "multiple_choice" => ("several of several", "несколько вариантов"),
        "short_text" => ("short answer", "короткий ответ"),
        "numeric" => ("number", "число"),
        "matching" => ("matching", "соответствие"),
        "ordering" => ("ordering", "порядок"),
        _ => ("gaps in a text", "пропуски в тексте"),
    };
    match lang {
        Lang::En => en,
        Lang::Ru => ru,
    }
}
