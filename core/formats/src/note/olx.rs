//! Notes about imports of Open edX courses. No note contains the value of a setting: some are secrets.

use super::notes_macro::notes;
use crate::note::FileTrouble;
use crate::xml::XmlTrouble;

notes! {
    /// A definition that could not be read.
    Definition { path: String, trouble: FileTrouble } => NotCarried, "olx_definition",
        "element {path}": "{trouble}",
        "элемент {path}": "{trouble}";
    Xml { path: String, trouble: XmlTrouble } => NotCarried, "olx_xml",
        "element {path}": "{trouble}",
        "элемент {path}": "{trouble}";
    /// An element that contains itself.
    Cycle(name: String) => NotCarried, "olx_cycle",
        "element {name}": "it contains itself",
        "элемент {name}": "он вложен сам в себя";
    /// An ignored setting and the number of elements with it.
    Setting { name: String, element: String, count: usize } => NotCarried, "olx_setting",
        "setting {name} of {element} ({count})": "not supported; its value was not read",
        "настройка {name} у {element} ({count})": "в курсе такой нет; значение не прочитано";
    BadDate { name: String, element: String } => NotCarried, "olx_bad_date",
        "date {name} of {element}": "not a date from 2000 to 2099",
        "дата {name} у {element}": "такой даты между 2000 и 2099 годом нет";
    OutOfOrder(element: String) => NotCarried, "olx_out_of_order",
        "dates of {element}": "out of order",
        "даты у {element}": "идут не по порядку";
    /// The start of the year 2030, which Open edX writes into new courses.
    UndecidedStart => NotCarried, "olx_undecided_start",
        "start of the course in 2030": "Open edX writes it into courses whose start is not decided",
        "начало курса в 2030 году": "так Open edX отмечает курс, о начале которого ещё не решено";
    SelfPaced(count: usize) => NotCarried, "olx_self_paced",
        "due dates: {count}": "they have no effect in a course in which learners set the pace",
        "сроки сдачи: {count}": "на курсе, который проходят в своём темпе, они не действуют";
    /// The folder of settings, permissions and certificates.
    Policies => NotCarried, "olx_policies",
        "course settings, grading, permissions and certificates": "platform settings, which may contain secrets; they were not read",
        "настройки курса, оценивание, права и сертификаты": "они относятся к платформе и могут содержать секреты; они не прочитаны";
    /// A component that Kurso does not support.
    Placeholder { kind: String, title: String } => Changed, "olx_placeholder",
        "{kind} \"{title}\"": "not supported; a callout in its place names it",
        "{kind} «{title}»": "на странице такого не бывает; на этом месте стоит пометка с названием";
    TextTitle(title: String) => NotCarried, "olx_text_title",
        "title \"{title}\" of a text": "the texts of a page have no titles of their own",
        "название текста «{title}»": "у отдельных текстов страницы названий нет";
    Discussion(title: String) => NotCarried, "olx_discussion",
        "discussion \"{title}\"": "discussions are not supported; the export contains no messages",
        "обсуждение «{title}»": "в курсах нет обсуждений; самих сообщений в выгрузке тоже нет";
    /// A container that shows each learner only some of its components.
    Variants(kind: String) => Changed, "olx_variants",
        "{kind}: selection of components": "all learners see all components in order",
        "{kind}: выбор из вложенных частей": "все видят все части по порядку";
    /// A container that selects some of its problems, which are questions of a bank now.
    ItemBank { kind: String, pick: usize, of: usize, bank: String } => Carried, "olx_item_bank",
        "{kind}, {pick} of {of}": "its questions are in the question bank \"{bank}\", from which each attempt draws",
        "{kind}, {pick} из {of}": "вопросы лежат в банке «{bank}», из него выбирает каждая попытка";
    /// Its problems have different weights.
    ItemBankPoints(kind: String) => Changed, "olx_item_bank_points",
        "{kind}: weights of its problems": "each question drawn gives the points of the first one",
        "{kind}: разный вес задач": "каждый выбранный вопрос даёт столько баллов, сколько первый";
    /// A page that was unpublished or visible to staff only.
    Unpublished => Carried, "olx_unpublished",
        "page for staff only": "imported as unpublished",
        "страница только для преподавателей": "она перенесена, но не опубликована";
    Draft(title: String) => Changed, "olx_draft",
        "draft \"{title}\"": "imported as an unpublished page at the end of its lesson",
        "черновик «{title}»": "стоит в конце своего урока, не опубликован";
    /// A response type that cannot be graded.
    Response(kind: String) => Changed, "olx_response",
        "problem with {kind}": "its answers cannot be graded; its text is on the page",
        "задание вида {kind}": "такие ответы здесь никто не проверяет; слова задания — в тексте страницы";
    /// A script that generates numbers or checks answers.
    Script => NotCarried, "olx_script",
        "script in a problem": "scripts of a course are never run; what they compute is missing",
        "программа внутри задания": "программы из курсов никогда не выполняются; того, что они вычисляют, нет";
    /// An answer that is not a number.
    Answer(kind: String) => NotCarried, "olx_answer",
        "problem with {kind}": "its correct answer is missing or not a number; its text is on the page",
        "задание вида {kind}": "верный ответ — не число, а формула, или его нет; слова задания — в тексте страницы";
    /// An image response that cannot become a hotspot question.
    Image => Changed, "olx_image",
        "problem with imageresponse": "its picture, the size of the picture or its right areas cannot be read; its text is on the page",
        "задание вида imageresponse": "не удалось прочесть изображение, его размер или верные области; слова задания — в тексте страницы";
    /// Alternative correct answers.
    OtherAnswers(count: usize) => NotCarried, "olx_other_answers",
        "alternative answers of a numeric question: {count}": "numeric questions have one answer",
        "другие верные ответы числового вопроса: {count}": "у такого вопроса одно число";
    /// A range that excludes its ends.
    OpenRange => Changed, "olx_open_range",
        "range that excludes its ends": "it became a number with a tolerance, which includes the ends",
        "промежуток без концов": "стал числом с допуском, а в нём концы входят";
    /// Several options, each of which alone is correct.
    SeveralRight => Changed, "olx_several_right",
        "several correct options, each sufficient alone": "it became a question in which all of them must be selected",
        "несколько верных вариантов, из которых достаточно одного": "стал вопросом, в котором надо отметить все";
    Pattern => NotCarried, "olx_pattern",
        "pattern for answers": "it uses unsupported pattern syntax; only literal answers are accepted, if there are any",
        "шаблон ответа": "в нём есть то, чего в здешних шаблонах нет; принимаются ответы, записанные словами, если они есть";
    PartialCredit => Changed, "olx_partial_credit",
        "partial credit": "quizzes compute partial credit by their own rule",
        "часть баллов за часть ответа": "тест считает доли по своему правилу";
    Hints(count: usize) => Changed, "olx_hints",
        "hints on request: {count}": "they became collapsed sections of the question",
        "подсказки по требованию: {count}": "это свёрнутые части вопроса";
    /// Problems of one page have different settings, but a quiz has one.
    MixedSettings(name: &'static str) => Changed, "olx_mixed_settings",
        "different values of {name} on one page": "a quiz has one value for all questions; the most permissive was used",
        "{name} — своя настройка у каждого задания страницы": "у теста она одна на все вопросы; взята та, что больше разрешает";
    /// An open response assessment.
    OpenResponse => Changed, "olx_open_response",
        "open response assessment": "it became an assignment, which teachers grade; a rubric without points for each option became its note for graders",
        "задание с развёрнутым ответом": "стало заданием, проверяют его преподаватели; критерии без баллов за каждый уровень — в указаниях проверяющим";
    BothRequired => Changed, "olx_both_required",
        "a text and files, which are both required": "learners may hand in either",
        "текст и файлы, обязательные вместе": "можно сдать что-то одно";
    PeerAssessment => NotCarried, "olx_peer_assessment",
        "peer assessment and its dates": "learners do not grade each other; teachers grade the response",
        "взаимное оценивание и его сроки": "учащиеся не проверяют друг друга; ответ проверяют преподаватели";
    SelfAssessment => NotCarried, "olx_self_assessment",
        "self-assessment and its dates": "learners do not grade themselves; teachers grade the response",
        "самооценивание и его сроки": "учащиеся не оценивают себя сами; ответ проверяют преподаватели";
    ExampleResponses(count: usize) => NotCarried, "olx_example_responses",
        "example responses to practise grading: {count}": "learners do not grade",
        "примеры ответов, на которых учатся проверять: {count}": "учащиеся ничего не проверяют";
    /// Another step of an open response assessment.
    AssessmentStep(name: String) => NotCarried, "olx_assessment_step",
        "assessment step {name}": "teachers grade the response",
        "этап оценивания {name}": "ответ проверяют преподаватели";
    DragAndDrop => Changed, "olx_drag_and_drop",
        "drag-and-drop problem": "it became a matching question of items and zones",
        "задание на перетаскивание": "стало вопросом на соответствие предметов и мест";
    DecoyItems(count: usize) => NotCarried, "olx_decoys",
        "items without a zone: {count}": "matching questions have no unmatched items",
        "предметы, которым нет места: {count}": "в вопросе на соответствие у каждой левой части есть правая";
    Transcripts(count: usize) => Changed, "olx_transcripts",
        "video transcripts: {count}": "they are attachments below the video",
        "расшифровки видео: {count}": "приложены файлами под видео";
    VideoLinks(count: usize) => Changed, "olx_video_links",
        "alternative video sources: {count}": "they are links below the video",
        "другие источники видео: {count}": "стали ссылками под ним";
    NoVideo(title: String) => NotCarried, "olx_no_video",
        "video \"{title}\"": "the export has neither an address nor a file for it",
        "видео «{title}»": "в выгрузке нет ни адреса на видеосервисе, ни файла";
    QuizSplit(count: usize) => Changed, "olx_quiz_split",
        "very large quiz": "split into {count} pages",
        "очень большой тест": "получилось страниц: {count}";
    Extra(path: String) => Changed, "olx_extra",
        "page {path}": "it was outside the course tree; it is in a separate module at the end",
        "страница {path}": "лежала рядом с курсом; она в отдельном модуле в конце";
}
