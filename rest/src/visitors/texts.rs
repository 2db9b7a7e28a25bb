//! The texts of the pages in Russian and English, and dates and numbers in words.

use chrono::{DateTime, Timelike as _, Utc};
use kurso_base::messages::Lang;
use kurso_base::messages::wording::{self, plural};
use kurso_base::schedule::TimeZone;
use kurso_base::wire;

/// The texts of a language.
pub struct Texts {
    pub locale: &'static str,
    pub skip: &'static str,
    pub navigation: &'static str,
    pub catalogue: &'static str,
    pub sign_in: &'static str,
    pub no_course: &'static str,
    pub no_course_text: &'static str,
    pub no_certificate: &'static str,
    pub no_certificate_text: &'static str,
    pub to_catalogue: &'static str,
    pub author: &'static str,
    pub authors: &'static str,
    pub start: &'static str,
    /// Starts without an account.
    pub as_guest: &'static str,
    /// What starting reveals to the team of the course.
    pub consent: &'static str,
    /// What starting without an account reveals.
    pub guest_consent: &'static str,
    pub open: &'static str,
    pub enrollment_closed: &'static str,
    pub facts: &'static str,
    pub size: &'static str,
    pub starts: &'static str,
    pub ends: &'static str,
    pub enroll_until: &'static str,
    pub contents: &'static str,
    pub no_contents: &'static str,
    pub opens_later: &'static str,
    pub course_description: &'static str,
    pub catalogue_description: &'static str,
    pub search: &'static str,
    pub find: &'static str,
    pub found: &'static str,
    pub empty: &'static str,
    pub nothing_found: &'static str,
    pub beyond_the_end: &'static str,
    pub all_courses: &'static str,
    pub pages: &'static str,
    pub previous: &'static str,
    pub next: &'static str,
    pub page: &'static str,
}

const RU: Texts = Texts {
    locale: "ru_RU",
    skip: "К содержанию",
    navigation: "Разделы",
    catalogue: "Каталог курсов",
    sign_in: "Войти",
    no_course: "Такого курса нет",
    no_course_text: "Возможно, адрес неточный, курс удалён или автор закрыл его страницу.",
    no_certificate: "Такого сертификата нет",
    no_certificate_text: "Этот сервер его не выдавал, адрес неточный или владелец удалил свой аккаунт.",
    to_catalogue: "Открыть каталог",
    author: "Автор",
    authors: "Авторы",
    start: "Начать",
    as_guest: "Попробовать без регистрации",
    consent: "Команда курса увидит ваше имя, email и то, что вы прошли.",
    guest_consent: "Без регистрации она увидит только «Гость» с номером и то, что вы прошли, пока вы не войдёте.",
    open: "Уже учитесь? Откройте курс",
    enrollment_closed: "Запись на курс закончилась.",
    facts: "О курсе",
    size: "Объём",
    starts: "Начало",
    ends: "Окончание",
    enroll_until: "Запись",
    contents: "Содержание",
    no_contents: "Содержание появится позже.",
    opens_later: "Откроется позже",
    course_description: "Курс на платформе Kurso",
    catalogue_description: "Открытые курсы: выберите тему и начните учиться.",
    search: "Название курса",
    find: "Найти",
    found: "Поиск",
    empty: "Открытых курсов пока нет.",
    beyond_the_end: "На этой странице курсов нет: каталог закончился раньше.",
    nothing_found: "Ничего не нашлось. Попробуйте другие слова.",
    all_courses: "Все курсы",
    pages: "Страницы каталога",
    previous: "Предыдущая страница",
    next: "Следующая страница",
    page: "страница",
};

const EN: Texts = Texts {
    locale: "en_GB",
    skip: "Skip to content",
    navigation: "Sections",
    catalogue: "Course catalogue",
    sign_in: "Sign in",
    no_course: "There is no such course",
    no_course_text: "The address may be inaccurate, or the course was deleted, or its author closed the page.",
    no_certificate: "There is no such certificate",
    no_certificate_text: "This server has not issued it, the address is wrong, or its holder has deleted their account.",
    to_catalogue: "Open the catalogue",
    author: "Author",
    authors: "Authors",
    start: "Start the course",
    as_guest: "Try without an account",
    consent: "The team of the course will see your name, your email and what you have completed.",
    guest_consent: "Without an account it will see only “Guest” with a number and what you have completed, until you sign in.",
    open: "Already enrolled? Open the course",
    enrollment_closed: "Enrollment has ended.",
    facts: "About the course",
    size: "Size",
    starts: "Starts",
    ends: "Ends",
    enroll_until: "Enrollment",
    contents: "Contents",
    no_contents: "The contents will appear later.",
    opens_later: "Opens later",
    course_description: "A course on Kurso",
    catalogue_description: "Open courses: choose a subject and start learning.",
    search: "Course title",
    find: "Find",
    found: "Search",
    empty: "There are no open courses yet.",
    beyond_the_end: "There are no courses on this page: the catalogue ends before it.",
    nothing_found: "Nothing was found. Try other words.",
    all_courses: "All courses",
    pages: "Pages of the catalogue",
    previous: "Previous page",
    next: "Next page",
    page: "page",
};

pub fn texts(lang: Lang) -> &'static Texts {
    match lang {
        Lang::Ru => &RU,
        Lang::En => &EN,
    }
}

/// The singular, and the Russian forms for 2 and 5.
type Forms = [&'static str; 3];

/// A number of things: `3 урока`, `1 lesson`.
fn counted(number: i64, lang: Lang, [one, few, many]: Forms, [single, several]: [&'static str; 2]) -> String {
    let word = match lang {
        Lang::Ru => plural(usize::try_from(number).unwrap_or_default(), one, few, many),
        Lang::En if number == 1 => single,
        Lang::En => several,
    };
    format!("{number} {word}")
}

pub fn modules(number: i64, lang: Lang) -> String {
    counted(number, lang, ["модуль", "модуля", "модулей"], ["module", "modules"])
}

pub fn lessons(number: i64, lang: Lang) -> String {
    counted(number, lang, ["урок", "урока", "уроков"], ["lesson", "lessons"])
}

pub fn pages(number: i64, lang: Lang) -> String {
    counted(number, lang, ["страница", "страницы", "страниц"], ["page", "pages"])
}

/// Quizzes and assignments.
pub fn quizzes(number: i64, lang: Lang) -> String {
    match lang {
        Lang::Ru => format!("тестов и заданий: {number}"),
        Lang::En => format!("quizzes and assignments: {number}"),
    }
}

/// A date as a `time` element in the zone of its course. The time of day is left out where a day begins or ends with it.
pub fn date(at: DateTime<Utc>, zone: TimeZone, lang: Lang) -> String {
    let local = zone.local(at);
    let day = wording::day(local.date(), lang);
    let is_whole_day = matches!((local.hour(), local.minute()), (0, 0) | (23, 59));
    let time = match is_whole_day {
        true => String::new(),
        false => format!(", {:02}:{:02} ({})", local.hour(), local.minute(), zone.name()),
    };
    format!("<time datetime=\"{}\">{day}{time}</time>", wire::time_text(&at))
}

/// A day as a `time` element.
pub fn day(at: DateTime<Utc>, zone: TimeZone, lang: Lang) -> String {
    let day = zone.day_of(at);
    format!("<time datetime=\"{day}\">{}</time>", wording::day(day, lang))
}

/// The end of enrollment, in words.
pub fn until(date: &str, lang: Lang) -> String {
    match lang {
        Lang::Ru => format!("до {date}"),
        Lang::En => format!("until {date}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_local_and_have_the_time_of_day_where_it_matters() {
        let zone = TimeZone::named("Europe/Moscow").unwrap_or(TimeZone::UTC);
        let at = |text: &str| text.parse::<DateTime<Utc>>().unwrap_or_default();
        let shown = date(at("2026-12-31T21:00:00Z"), zone, Lang::Ru);
        assert_eq!(shown, "<time datetime=\"2026-12-31T21:00:00Z\">1 января 2027 г.</time>");
        assert!(date(at("2026-05-01T20:59:59Z"), zone, Lang::En).contains(">1 May 2026<"));
        assert!(date(at("2026-05-01T15:30:00Z"), zone, Lang::En).contains(">1 May 2026, 18:30 (Europe/Moscow)<"));
    }

    #[test]
    fn numbers_have_their_forms() {
        assert_eq!(lessons(1, Lang::Ru), "1 урок");
        assert_eq!(lessons(3, Lang::Ru), "3 урока");
        assert_eq!(pages(11, Lang::Ru), "11 страниц");
        assert_eq!(modules(1, Lang::En), "1 module");
        assert_eq!(quizzes(2, Lang::En), "quizzes and assignments: 2");
    }
}
