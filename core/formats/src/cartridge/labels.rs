//! Texts that the reader itself adds to an imported course, in the language of the course.

use crate::language;
use kurso_base::messages::Lang;

pub struct Labels {
    pub outside: &'static str,
    pub pages: &'static str,
    pub quizzes: &'static str,
    pub bank: &'static str,
    pub files: &'static str,
    pub untitled: &'static str,
    pub duplicate: &'static str,
    pub missing: &'static str,
    pub missing_file: &'static str,
    pub tool: &'static str,
    pub package: &'static str,
    pub unknown: &'static str,
    pub unreadable: &'static str,
    pub unknown_question: &'static str,
    pub source: &'static str,
    pub when_right: &'static str,
    pub when_wrong: &'static str,
    pub points: &'static str,
    pub due: &'static str,
    pub opens: &'static str,
    pub closes: &'static str,
    pub submissions: &'static str,
    pub grading: &'static str,
    pub time_limit: &'static str,
    pub minutes: &'static str,
}

pub const ENGLISH: Labels = Labels {
    outside: "Outside the modules",
    pages: "Pages",
    quizzes: "Quizzes",
    bank: "Question bank",
    files: "Files",
    untitled: "Untitled",
    duplicate: "This page is elsewhere in the course:",
    missing: "The imported package refers here to a resource that it does not contain:",
    missing_file: "The imported package refers here to a file that it does not contain:",
    tool: "The imported package has an external tool (LTI) here. It is not supported; its address:",
    package: "The imported package has content here that cannot run in this course. Its file:",
    unknown: "The imported package has a resource of an unsupported type here. Its files:",
    unreadable: "This resource could not be read. Its file:",
    unknown_question: "Question of an unsupported type",
    source: "Source:",
    when_right: "If correct:",
    when_wrong: "If incorrect:",
    points: "Points",
    due: "Due",
    opens: "Opens",
    closes: "Closes",
    submissions: "Submission types",
    grading: "Grading type",
    time_limit: "Time limit",
    minutes: "min",
};

pub const RUSSIAN: Labels = Labels {
    outside: "Вне модулей",
    pages: "Страницы",
    quizzes: "Тесты",
    bank: "Банк вопросов",
    files: "Файлы",
    untitled: "Без названия",
    duplicate: "Эта страница стоит в другом месте курса:",
    missing: "Пакет, из которого взят курс, называет здесь ресурс, которого в нём нет:",
    missing_file: "Пакет, из которого взят курс, называет здесь файл, которого в нём нет:",
    tool: "Здесь был внешний инструмент (LTI). В этом курсе он не работает; его адрес:",
    package: "Здесь был пакет такого вида, какие в этом курсе не работают. Его файл — ниже:",
    unknown: "Здесь было то, для чего в этом курсе нет своей формы. Файлы — ниже:",
    unreadable: "Это не удалось прочесть. Файл — ниже:",
    unknown_question: "Вопрос, ответы на который здесь не проверяются",
    source: "Источник:",
    when_right: "Если верно:",
    when_wrong: "Если неверно:",
    points: "Баллы",
    due: "Срок",
    opens: "Открывается",
    closes: "Закрывается",
    submissions: "Как сдают",
    grading: "Оценка",
    time_limit: "Время на тест",
    minutes: "мин",
};

/// The labels in the language of `title`.
pub fn of(title: &str) -> &'static Labels {
    match language::guess(title) {
        Lang::Ru => &RUSSIAN,
        Lang::En => &ENGLISH,
    }
}
