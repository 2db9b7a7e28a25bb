//! Notes about imports and exports of cartridges, in English and Russian.

use super::notes_macro::{Localized, notes};
use crate::note::{FileTrouble, Reason};
use crate::xml::XmlTrouble;
use kurso_base::messages::Lang;

notes! {
    // Package
    BadXml(why: XmlTrouble) => NotCarried, "cartridge_bad_xml",
        "the file": "{why}",
        "файл": "{why}";
    Encoding => Changed, "cartridge_encoding",
        "some characters": "invalid in the encoding that the file declares; replaced by �",
        "некоторые знаки": "в указанной кодировке таких нет; вместо них �";
    MissingFile(path: String, trouble: FileTrouble) => NotCarried, "cartridge_missing_file",
        "file {path}": "{trouble}",
        "файл {path}": "{trouble}";
    MissingResource(id: String) => NotCarried, "cartridge_missing_resource",
        "resource {id}": "the manifest does not define it; a page in its place says so",
        "ресурс {id}": "в манифесте такого нет; об этом говорит страница на его месте";
    IdentifierTwice(id: String) => Changed, "cartridge_identifier_twice",
        "second resource with the identifier {id}": "references lead to the first one; the second one counts as unreferenced",
        "второй ресурс с идентификатором {id}": "ссылки ведут к первому, второй считается ничьим";
    TooManyItems(count: usize) => NotCarried, "cartridge_too_many",
        "items or resources beyond the limit: {count}": "limits: 10,000 items and 50,000 resources",
        "элементы или ресурсы сверх предела: {count}": "в пакете может быть 10 000 элементов и 50 000 ресурсов";
    OrderDiffers { manifest: usize, canvas: usize } => Changed, "cartridge_order_differs",
        "items of the module: {manifest} in imsmanifest.xml, {canvas} in module_meta.xml": "the order of module_meta.xml was used; items that only the manifest has follow their neighbours",
        "элементы модуля: {manifest} в imsmanifest.xml, {canvas} в module_meta.xml": "порядок взят из module_meta.xml; то, что есть только в манифесте, стоит после своего соседа";
    OnlyInManifest(title: String) => Changed, "cartridge_only_in_manifest",
        "item \"{title}\"": "only imsmanifest.xml has it, module_meta.xml does not; it was imported",
        "элемент «{title}»": "в module_meta.xml его нет, в imsmanifest.xml есть; он вошёл в курс";
    Nested => Changed, "cartridge_nested",
        "nested folders": "modules contain lessons only; each folder became a lesson",
        "папки в папках": "в модуле есть уроки и нет папок глубже; каждая папка стала уроком";
    // Items
    Header(title: String) => Changed, "cartridge_header",
        "text header \"{title}\"": "it became a lesson with this title",
        "заголовок «{title}»": "с него начинается урок с этим названием";
    Again(title: String) => Changed, "cartridge_again",
        "repeated item \"{title}\"": "a resource becomes one page at its first item; this page links to it",
        "второе место «{title}»": "ресурс становится одной страницей там, где назван впервые; здесь страница со ссылкой на неё";
    NotInModules(title: String) => Changed, "cartridge_not_in_modules",
        "\"{title}\"": "no module contains it; it is in the module at the end of the course",
        "«{title}»": "ни один модуль этого не называет; оно в модуле в конце курса";
    Unpublished => Carried, "cartridge_unpublished",
        "the page": "unpublished in the package; imported as unpublished",
        "страница": "там она не опубликована, поэтому не опубликована и здесь";
    WebLink => Changed, "cartridge_web_link",
        "web link": "it became a page with a link",
        "ссылка": "стала страницей со ссылкой";
    Discussion => Changed, "cartridge_discussion",
        "discussion": "not supported; its text became a page",
        "обсуждение": "здесь обсуждений нет; его вопрос стал страницей";
    Assignment => Changed, "cartridge_assignment",
        "assignment": "nothing is handed in here; its text became a page with its dates that lists its points",
        "задание": "сдавать здесь нечего; текст задания стал страницей с его сроками, баллы — списком на ней";
    /// An assignment that learners hand in online.
    HandedIn => Changed, "cartridge_handed_in",
        "assignment": "it became an assignment that is done when learners hand in; teachers grade it",
        "задание": "стало заданием, которое выполнено, когда работа сдана; проверяют её преподаватели";
    /// What a written assignment has and Canvas has no place for.
    AssignmentDetails => Changed, "cartridge_assignment_details",
        "number of words, further links, note for graders or rubric of an assignment": "only Kurso reads them",
        "число слов, ссылки кроме первой, указания проверяющим или критерии в задании": "их прочитает только Kurso";
    /// Like [`Note::AssignmentDetails`], but about the open questions of a quiz.
    OpenDetails => Changed, "cartridge_open_details",
        "number of words, number or kinds of files, note for graders or rubric of an open question": "only Kurso reads them",
        "число слов, число и вид файлов, указания проверяющим или критерии в открытом вопросе": "их прочитает только Kurso";
    OtherWays(names: String) => NotCarried, "cartridge_other_ways",
        "other ways to hand in: {names}": "an assignment takes texts, files and links",
        "другие способы сдать: {names}": "в задании сдают тексты, файлы и ссылки";
    /// Points that the question of an assignment cannot have.
    Worth { said: String, points: String } => Changed, "cartridge_worth",
        "points of the assignment: {said}": "its question is worth {points}: more than 0 and at most 1000 are possible",
        "баллы за задание: {said}": "вопрос стоит {points}: баллов может быть больше 0 и не больше 1000";
    NoRubric => NotCarried, "cartridge_no_rubric",
        "rubric of the assignment": "the package does not contain it",
        "критерии оценки задания": "в пакете их нет";
    /// The title of a rubric.
    Rubric(title: String) => NotCarried, "cartridge_rubric",
        "rubric \"{title}\"": "no assignment that became a quiz has it",
        "критерии «{title}»": "их нет ни у одного задания, ставшего тестом";
    RubricRefused { title: String, why: Reason } => NotCarried, "cartridge_rubric_refused",
        "rubric \"{title}\"": "{why}",
        "критерии «{title}»": "{why}";
    Tool => NotCarried, "cartridge_tool",
        "external tool (LTI)": "external tools are not supported; a page shows its name and address",
        "внешний инструмент (LTI)": "чужие программы здесь не работают; страница называет его и его адрес";
    Package(kind: &'static str) => NotCarried, "cartridge_package",
        "{kind} package": "it cannot run here; a page shows its name and its file",
        "пакет {kind}": "здесь он не работает; страница называет его и хранит его файл";
    UnknownType(kind: String) => NotCarried, "cartridge_unknown_type",
        "resource of the type \"{kind}\"": "the type is not supported; a page shows its name and its files",
        "ресурс типа «{kind}»": "здесь ничего похожего нет; страница называет его и хранит его файлы";
    FilePage(path: String) => Changed, "cartridge_file_page",
        "file {path}": "it became a page with the file",
        "файл {path}": "стал страницей, на которой он лежит";
    FileApart(path: String) => Changed, "cartridge_file_apart",
        "file {path}": "no page refers to it; it is in the lesson with files at the end of the course",
        "файл {path}": "ни одна страница его не показывает; он в уроке с файлами в конце курса";
    Settings(names: String) => NotCarried, "cartridge_settings",
        "settings: {names}": "courses have no such settings",
        "настройки: {names}": "у курса здесь ничего похожего нет";
    Rights(text: String) => NotCarried, "cartridge_rights",
        "rights: {text}": "a course has no field for them; if they still hold, say so on a page",
        "права: {text}": "у курса такого поля нет; если они ещё действуют, напишите о них на странице";
    LinkNowhere(href: String) => NotCarried, "cartridge_link_nowhere",
        "link {href}": "its target is not in the package; only the text was kept",
        "ссылка {href}": "в пакете нет того, к чему она ведёт; слова сохранены";
    // Dates and prerequisites of Canvas
    BadDate { name: &'static str, value: String } => NotCarried, "cartridge_bad_date",
        "date {name} = {value}": "not a date from 2000 to 2099",
        "дата {name} = {value}": "такой даты между 2000 и 2099 годом нет";
    /// The names of the dates.
    OutOfOrder(names: String) => NotCarried, "cartridge_out_of_order",
        "dates {names}": "out of order",
        "даты {names}": "идут не по порядку";
    UnknownZone(name: String) => NotCarried, "cartridge_unknown_zone",
        "time zone {name}": "unknown; the dates are right, because the package has them in UTC",
        "часовой пояс {name}": "такого здесь нет; сами даты верны, потому что в пакете они записаны по UTC";
    TermDates => NotCarried, "cartridge_term_dates",
        "start and end of the course": "Canvas does not apply them, because the course has the dates of its term",
        "начало и конец курса": "Canvas ими не пользуется: сроки курса там берутся из учебного периода";
    LatePolicy(names: String) => NotCarried, "cartridge_late_policy",
        "late policy: {names}": "late attempts can only lose whole percents per day",
        "правила опоздания: {names}": "за опоздание здесь снимают только целые проценты за день";
    MoreNeeds { count: usize, most: usize } => NotCarried, "cartridge_more_needs",
        "prerequisites beyond the limit: {count}": "the first {most} were read",
        "лишние условия: {count}": "прочитаны первые {most}";
    /// The title of what is needed.
    UnknownNeed(title: String) => NotCarried, "cartridge_unknown_need",
        "prerequisite \"{title}\"": "the package has no such module",
        "условие «{title}»": "такого модуля в пакете нет";
    LessonsInOrder => Changed, "cartridge_lessons_in_order",
        "items of the module in order": "each lesson needs the one before it; the pages of a lesson are open together",
        "порядок прохождения модуля": "уроки открываются один за другим, страницы урока — сразу все";
    PagesInOrder => NotCarried, "cartridge_pages_in_order",
        "items of the module in order": "they are pages of one lesson, and these are open together",
        "порядок прохождения модуля": "его страницы — один урок и открыты сразу все";
    // Quizzes
    Setting { name: String, value: String } => NotCarried, "cartridge_quiz_setting",
        "quiz setting: {name} = {value}": "quizzes have no such setting",
        "настройка теста: {name} = {value}": "у тестов здесь ничего похожего нет";
    /// The title in the quiz's file.
    QuizTitle(title: String) => NotCarried, "cartridge_quiz_title",
        "title \"{title}\" of the quiz": "the page has the title of its item in the contents",
        "название теста «{title}»": "страница названа так, как в содержании";
    /// A bank that the contents name as a page.
    BankPage => Changed, "cartridge_bank_page",
        "question bank": "it became an unpublished quiz",
        "банк вопросов": "стал неопубликованным тестом";
    /// A bank from which no quiz draws.
    Bank { title: String, questions: usize } => Carried, "cartridge_bank",
        "question bank \"{title}\" ({questions})": "it is among your question banks",
        "банк вопросов «{title}» ({questions})": "он среди ваших банков вопросов";
    Fuller { own: usize, profile: usize } => Carried, "cartridge_fuller",
        "questions: {own} in the Canvas file, {profile} in the profile file": "those of the Canvas file were imported",
        "вопросы: {own} в собственном файле Canvas, {profile} в файле профиля": "взяты собственные вопросы Canvas";
    /// Some of the questions are drawn.
    Group { title: String, pick: usize, of: usize, bank: String } => Carried, "cartridge_group",
        "question group \"{title}\", {pick} of {of}": "its questions are in the question bank \"{bank}\", from which each attempt draws",
        "группа вопросов «{title}», {pick} из {of}": "её вопросы лежат в банке «{bank}», из него выбирает каждая попытка";
    /// All of the questions are drawn.
    WholeGroup { title: String, pick: usize, of: usize } => Carried, "cartridge_whole_group",
        "question group \"{title}\", {pick} of {of}": "all its questions are asked, as in the package",
        "группа вопросов «{title}», {pick} из {of}": "задаются все её вопросы, как и было";
    Calculated { formulas: String, sets: usize } => Changed, "cartridge_calculated",
        "formula question: {formulas}": "only the first of its {sets} variable sets was imported",
        "вопрос с формулой: {formulas}": "спрашивает ответ для первого набора чисел (всего наборов: {sets})";
    TextOnly => Changed, "cartridge_text_only",
        "text between questions": "it was moved before all questions",
        "текст среди вопросов": "стоит перед всеми вопросами";
    Distractors(words: String) => NotCarried, "cartridge_distractors",
        "distractors: {words}": "matching questions have no unmatched items",
        "правые части без пары: {words}": "здесь у каждой части есть пара";
    UnknownQuestion(kind: String) => NotCarried, "cartridge_unknown_question",
        "question of the type \"{kind}\"": "the type is not supported; its text is on the page",
        "вопрос типа «{kind}»": "здесь ничего похожего нет; слова вопроса — в тексте страницы";
    /// The number of areas of a picture at which it is wrong to point.
    WrongAreas(count: usize) => NotCarried, "cartridge_wrong_areas",
        "wrong areas of a picture: {count}": "hotspot questions have only right zones",
        "неверные области изображения: {count}": "в вопросе об области задают только верные";
    NoAnswer => NotCarried, "cartridge_no_answer",
        "correct answer of a question": "the package does not contain it",
        "верный ответ на вопрос": "в пакете он не назван";
    Extension => NotCarried, "cartridge_extension",
        "Kurso's own data in the package": "it could not be read; everything else was imported",
        "то, что пишет в пакет только Kurso": "это не удалось прочесть; остальное взято";
    // Export
    Simplified(kind: QuestionType) => Changed, "cartridge_simplified",
        "question of the type \"{kind}\"": "not in the profile: other systems read it as an essay question; Canvas and Kurso read it unchanged",
        "вопрос вида «{kind}»": "в профиле таких нет: другие прочтут его как вопрос с ответом словами, Canvas и Kurso — как есть";
    Hotspot => Changed, "cartridge_hotspot",
        "hotspot question": "other systems, also Canvas, read it as an essay question with the picture; Kurso reads it unchanged",
        "вопрос об области на изображении": "в Canvas и других системах это вопрос с ответом словами и изображением; Kurso прочтёт его как есть";
    BadDates(id: String) => NotCarried, "cartridge_bad_dates",
        "dates of {id}": "invalid or out of order; an update keeps the stored ones",
        "даты {id}": "неверны или идут не по порядку; при обновлении остаются прежние";
    /// Draws from banks that are in the package.
    DrawsOfCanvas => Changed, "cartridge_draws_of_canvas",
        "draws from question banks": "only Canvas and Kurso read them",
        "случайный выбор из банков": "его прочтут только Canvas и Kurso";
    OnlyHere => Changed, "cartridge_only_here",
        "description, avatar, penalties for lateness, or prerequisites": "only Kurso can read these from the package",
        "описание, картинка, штраф за опоздание или условия": "это из пакета прочтёт только Kurso";
}

/// The type of a question by its name in the API.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct QuestionType(pub &'static str);

impl Localized for QuestionType {
    fn localized(&self, lang: Lang) -> String {
        let (en, ru) = match self.0 {
            "single_choice" => ("single choice", "один вариант"),
            "multiple_choice" => ("multiple choice", "несколько вариантов"),
            "short_text" => ("short answer", "короткий ответ"),
            "numeric" => ("numeric", "число"),
            "formula" => ("formula", "формула"),
            "matching" => ("matching", "соответствие"),
            "ordering" => ("ordering", "порядок"),
            "file_upload" => ("file upload", "ответ файлом"),
            _ => ("fill in the blanks", "пропуски в тексте"),
        };
        match lang {
            Lang::En => en.to_owned(),
            Lang::Ru => ru.to_owned(),
        }
    }
}
