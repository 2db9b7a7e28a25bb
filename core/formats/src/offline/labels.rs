//! User interface texts of the file, in both languages.

use kurso_base::messages::Lang;

pub struct Labels {
    pub lang: &'static str,
    pub quiz: &'static str,
    pub untitled: &'static str,
    pub contents: &'static str,
    pub search: &'static str,
    pub results: &'static str,
    pub nothing: &'static str,
    pub theme: &'static str,
    pub skip: &'static str,
    pub begin: &'static str,
    pub previous: &'static str,
    pub next: &'static str,
    pub pages: &'static str,
    pub code: &'static str,
    pub copy: &'static str,
    pub copied: &'static str,
    pub table: &'static str,
    pub callouts: [&'static str; 4],
    pub download: &'static str,
    pub left_out: &'static str,
    pub watch: &'static str,
    pub question: &'static str,
    pub answers: &'static str,
    pub explanation: &'static str,
    /// What precedes the options that have feedback.
    pub option_feedback: &'static str,
    pub hint: &'static str,
    pub one: &'static str,
    pub several: &'static str,
    pub short: &'static str,
    pub number: &'static str,
    pub matching: &'static str,
    pub ordering: &'static str,
    pub essay: &'static str,
    pub files: &'static str,
    pub place: &'static str,
    /// What precedes the number of places.
    pub places: &'static str,
    /// What precedes the number of zones.
    pub zones: &'static str,
    pub assignment: &'static str,
    /// What precedes the list of what can be handed in.
    pub hand_in: &'static str,
    pub hand_in_text: &'static str,
    pub hand_in_files: &'static str,
    pub hand_in_links: &'static str,
    pub graded_by_person: &'static str,
    pub blanks: &'static str,
    pub blank: &'static str,
    pub or: &'static str,
    pub pattern: &'static str,
    pub no_answer: &'static str,
    pub units: [&'static str; 4],
    /// The decimal separator.
    pub point: char,
    lang_of: Lang,
}

impl Labels {
    pub fn of(lang: Lang) -> &'static Labels {
        match lang {
            Lang::En => &ENGLISH,
            Lang::Ru => &RUSSIAN,
        }
    }

    /// For example `2 points`.
    pub fn points(&self, points: f64) -> String {
        let number = points.to_string().replace('.', &self.point.to_string());
        let word = match self.lang_of {
            Lang::En if points == 1.0 => "point",
            Lang::En => "points",
            Lang::Ru if points.fract() != 0.0 => "балла",
            Lang::Ru => russian(points, ["балл", "балла", "баллов"]),
        };
        format!("{number}\u{a0}{word}")
    }

    /// For example `2 modules, 7 pages`.
    pub fn extent(&self, modules: usize, pages: usize) -> String {
        match self.lang_of {
            Lang::En => format!(
                "{modules} {}, {pages} {}",
                if modules == 1 { "module" } else { "modules" },
                if pages == 1 { "page" } else { "pages" }
            ),
            Lang::Ru => format!(
                "{modules}\u{a0}{}, {pages}\u{a0}{}",
                russian(modules as f64, ["модуль", "модуля", "модулей"]),
                russian(pages as f64, ["страница", "страницы", "страниц"])
            ),
        }
    }

    /// For example `1.5 MB`, formatted as in the web app.
    pub fn size(&self, bytes: u64) -> String {
        let (mut value, mut unit) = (bytes as f64, 0);
        while value >= 1000.0 && unit < self.units.len() - 1 {
            value /= 1024.0;
            unit += 1;
        }
        let number = if value < 10.0 {
            ((value * 10.0).round() / 10.0).to_string()
        } else {
            value.round().to_string()
        };
        let name = self.units.get(unit).copied().unwrap_or_default();
        format!("{}\u{a0}{name}", number.replace('.', &self.point.to_string()))
    }
}

/// The Russian plural form: one, few, many.
fn russian(number: f64, [one, few, many]: [&'static str; 3]) -> &'static str {
    match (number % 10.0, number % 100.0) {
        (_, 11.0..=14.0) => many,
        (1.0, _) => one,
        (2.0..=4.0, _) => few,
        _ => many,
    }
}

static ENGLISH: Labels = Labels {
    lang: "en",
    quiz: "Quiz",
    untitled: "Untitled page",
    contents: "Contents",
    search: "Search in the course",
    results: "Found",
    nothing: "Nothing found",
    theme: "Dark theme",
    skip: "Skip to the text",
    begin: "Begin",
    previous: "Previous",
    next: "Next",
    pages: "Pages",
    code: "Code",
    copy: "Copy",
    copied: "Copied",
    table: "Table",
    callouts: ["Note", "Tip", "Warning", "Danger"],
    download: "Download",
    left_out: "it does not fit into this file and stays in the course itself",
    watch: "Video on",
    question: "Question",
    answers: "Answers",
    explanation: "Explanation",
    option_feedback: "Feedback for options",
    hint: "Hint",
    one: "Choose one",
    several: "Choose all that apply",
    short: "Answer briefly",
    number: "Answer with a number",
    matching: "Match what belongs together",
    ordering: "Put in order",
    essay: "Answer in detail",
    files: "Answer with a file",
    place: "Mark the place on the picture",
    places: "Mark places on the picture:",
    zones: "Right zones:",
    assignment: "Assignment",
    hand_in: "Hand in:",
    hand_in_text: "a text",
    hand_in_files: "files",
    hand_in_links: "links",
    graded_by_person: "graded by a person",
    blanks: "Fill in the blanks",
    blank: "Blank",
    or: "or",
    pattern: "by the pattern",
    no_answer: "no answer is set",
    units: ["B", "KB", "MB", "GB"],
    point: '.',
    lang_of: Lang::En,
};

static RUSSIAN: Labels = Labels {
    lang: "ru",
    quiz: "Тест",
    untitled: "Страница без названия",
    contents: "Содержание",
    search: "Поиск по курсу",
    results: "Найдено",
    nothing: "Ничего не нашлось",
    theme: "Тёмная тема",
    skip: "К тексту",
    begin: "Начать",
    previous: "Назад",
    next: "Дальше",
    pages: "Страницы",
    code: "Код",
    copy: "Копировать",
    copied: "Скопировано",
    table: "Таблица",
    callouts: ["Заметка", "Совет", "Внимание", "Осторожно"],
    download: "Скачать",
    left_out: "не поместился в этот файл и остался в самом курсе",
    watch: "Видео на",
    question: "Вопрос",
    answers: "Ответы",
    explanation: "Пояснение",
    option_feedback: "Пояснения к вариантам",
    hint: "Подсказка",
    one: "Выберите один вариант",
    several: "Выберите все верные варианты",
    short: "Ответьте кратко",
    number: "Ответьте числом",
    matching: "Найдите соответствия",
    ordering: "Расставьте по порядку",
    essay: "Дайте развёрнутый ответ",
    files: "Ответьте файлом",
    place: "Отметьте место на изображении",
    places: "Отметьте места на изображении:",
    zones: "Верных областей:",
    assignment: "Задание",
    hand_in: "Что можно сдать:",
    hand_in_text: "текст",
    hand_in_files: "файлы",
    hand_in_links: "ссылки",
    graded_by_person: "проверяет преподаватель",
    blanks: "Заполните пропуски",
    blank: "Пропуск",
    or: "или",
    pattern: "по шаблону",
    no_answer: "ответ не задан",
    units: ["Б", "КБ", "МБ", "ГБ"],
    point: ',',
    lang_of: Lang::Ru,
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plural_forms_follow_the_number() {
        let russian = Labels::of(Lang::Ru);
        let said = [1.0, 2.0, 5.0, 11.0, 21.0, 0.5, 112.0].map(|points| russian.points(points).replace('\u{a0}', " "));
        assert_eq!(
            said,
            [
                "1 балл",
                "2 балла",
                "5 баллов",
                "11 баллов",
                "21 балл",
                "0,5 балла",
                "112 баллов"
            ]
        );
        assert_eq!(russian.extent(3, 21).replace('\u{a0}', " "), "3 модуля, 21 страница");
        assert_eq!(Labels::of(Lang::En).points(1.0), "1\u{a0}point");
        assert_eq!(russian.size(1_600_000), "1,5\u{a0}МБ");
        assert_eq!(Labels::of(Lang::En).size(12), "12\u{a0}B");
    }
}
