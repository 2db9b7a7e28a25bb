//! The texts of notice mails and pushes, in Russian and English.

use kurso_base::messages::Lang;
use kurso_base::messages::wording::plural;

use crate::notices::Kind;

/// The name of a kind, for subjects and lists.
pub(crate) fn title(kind: Kind, lang: Lang) -> &'static str {
    let (en, ru) = match kind {
        Kind::Graded => ("Work graded", "Работа проверена"),
        Kind::Returned => ("Work returned for revision", "Работа возвращена на доработку"),
        Kind::ResultChanged => ("Result changed after regrading", "Результат изменился после пересчёта"),
        Kind::AttemptGiven => ("You have another attempt", "У вас ещё одна попытка"),
        Kind::DeadlineNear => ("Due soon", "Скоро срок"),
        Kind::ImportantChange => ("Important change of a page", "Важное изменение страницы"),
        Kind::Mention => ("You were mentioned in a comment", "Вас упомянули в комментарии"),
        Kind::Comment => ("New answer in a thread", "Новый ответ в обсуждении"),
        Kind::Invited => ("Invitation to the team of a course", "Приглашение в команду курса"),
        Kind::ImportDone => ("Import ended", "Импорт закончился"),
        Kind::CourseCompleted => ("A student completed the course", "Ученик прошёл курс"),
        Kind::Announcement => ("Announcement", "Объявление"),
        Kind::Nudge => ("A reminder from your teacher", "Напоминание преподавателя"),
        Kind::Answered => ("New answer to a question", "Новый ответ на вопрос"),
        Kind::Asked => ("New question", "Новый вопрос"),
        Kind::Reported => ("Complaint about a question or an answer", "Жалоба на вопрос или ответ"),
    };
    of(lang, en, ru)
}

/// The first line of a mail about one notice.
pub(super) fn greeting(kind: Kind, lang: Lang) -> &'static str {
    let (en, ru) = match kind {
        Kind::Graded => ("Your work was graded.", "Вашу работу проверили."),
        Kind::Returned => (
            "Your work was returned for revision. You can hand it in again.",
            "Вашу работу вернули на доработку. Её можно сдать снова.",
        ),
        Kind::ResultChanged => (
            "Your result changed after regrading.",
            "Ваш результат изменился после пересчёта.",
        ),
        Kind::AttemptGiven => ("You were given another attempt.", "Вам дали ещё одну попытку."),
        Kind::DeadlineNear => (
            "Something that you have not handed in or passed is due soon.",
            "Скоро срок того, что вы ещё не сдали или не прошли.",
        ),
        Kind::ImportantChange => (
            "A page that you have read was changed. Its author calls the change important.",
            "Страница, которую вы прочитали, изменилась. Автор считает изменение важным.",
        ),
        Kind::Mention => (
            "You were mentioned in a comment on a page of a course.",
            "Вас упомянули в комментарии к странице курса.",
        ),
        Kind::Comment => (
            "There is a new answer in a thread that you take part in.",
            "В обсуждении, в котором вы участвуете, новый ответ.",
        ),
        Kind::Invited => (
            "You are invited to the team of a course. The link that accepts is in another mail.",
            "Вас пригласили в команду курса. Приглашение принимают по ссылке из другого письма.",
        ),
        Kind::ImportDone => ("Your import has ended.", "Ваш импорт закончился."),
        Kind::CourseCompleted => ("A student completed your course.", "Ученик прошёл ваш курс."),
        Kind::Announcement => (
            "There is a new announcement in a course that you take.",
            "В курсе, который вы проходите, новое объявление.",
        ),
        Kind::Nudge => (
            "A teacher of a course that you take asks you to continue.",
            "Преподаватель курса, который вы проходите, просит вас продолжить.",
        ),
        Kind::Answered => (
            "There is a new answer to a question that you asked, answered or follow.",
            "Есть новый ответ на вопрос, который вы задали, на который отвечали или за которым следите.",
        ),
        Kind::Asked => (
            "A student asked a question under a page of your course.",
            "Ученик задал вопрос под страницей вашего курса.",
        ),
        Kind::Reported => (
            "Somebody complained about a question or an answer in your course.",
            "На вопрос или ответ в вашем курсе пожаловались.",
        ),
    };
    of(lang, en, ru)
}

/// `3 new notices`.
pub(crate) fn count(number: usize, lang: Lang) -> String {
    match lang {
        Lang::En => format!("{number} new {}", if number == 1 { "notice" } else { "notices" }),
        Lang::Ru => format!(
            "{number} {}",
            plural(number, "новое уведомление", "новых уведомления", "новых уведомлений")
        ),
    }
}

/// The first line of a mail about several notices.
pub(super) fn greeting_of_several(number: usize, lang: Lang) -> String {
    let count = count(number, lang);
    match lang {
        Lang::En => format!("You have {count} in Kurso."),
        Lang::Ru => format!("У вас {count} в Kurso."),
    }
}

/// The line about notices that are left out.
pub(super) fn more(number: usize, lang: Lang) -> String {
    match lang {
        Lang::En => format!("And {number} more."),
        Lang::Ru => format!(
            "И ещё {number} {}.",
            plural(number, "уведомление", "уведомления", "уведомлений")
        ),
    }
}

/// A line of a mail: the kind, the page and the person.
pub(crate) fn line(what: &str, page: Option<&str>, who: Option<&str>, lang: Lang) -> String {
    let page = page.map_or_else(String::new, |page| match lang {
        Lang::En => format!(": “{page}”"),
        Lang::Ru => format!(": «{page}»"),
    });
    let who = who.map_or_else(String::new, |who| format!(" ({who})"));
    format!("{what}{page}{who}")
}

/// The heading of notices without a course.
pub(crate) fn no_course(lang: Lang) -> &'static str {
    of(lang, "Other", "Другое")
}

/// Title and text of a test push.
pub(crate) fn test_push(lang: Lang) -> (&'static str, &'static str) {
    (
        of(lang, "A test from Kurso", "Проверка Kurso"),
        of(
            lang,
            "Notices arrive on this device.",
            "Уведомления приходят на это устройство.",
        ),
    )
}

pub(super) fn open(lang: Lang) -> &'static str {
    of(lang, "Open", "Открыть")
}

pub(super) fn all(lang: Lang) -> &'static str {
    of(lang, "All notices", "Все уведомления")
}

pub(super) fn settings(lang: Lang) -> &'static str {
    of(lang, "Settings of notices", "Настройки уведомлений")
}

pub(super) fn stop(lang: Lang) -> &'static str {
    of(lang, "Do not send such mails", "Не присылать такие письма")
}

pub(super) fn why(lang: Lang) -> &'static str {
    of(
        lang,
        "You got this mail because your settings of notices say so. Answers to it are not read.",
        "Вы получили это письмо, потому что так указано в ваших настройках уведомлений. Отвечать на него не нужно.",
    )
}

fn of(lang: Lang, en: &'static str, ru: &'static str) -> &'static str {
    match lang {
        Lang::En => en,
        Lang::Ru => ru,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn russian_plural_forms_follow_the_number() {
        for (number, text) in [
            (1, "1 новое уведомление"),
            (2, "2 новых уведомления"),
            (4, "4 новых уведомления"),
            (5, "5 новых уведомлений"),
            (11, "11 новых уведомлений"),
            (12, "12 новых уведомлений"),
            (14, "14 новых уведомлений"),
            (21, "21 новое уведомление"),
            (22, "22 новых уведомления"),
            (101, "101 новое уведомление"),
            (111, "111 новых уведомлений"),
            (112, "112 новых уведомлений"),
            (500, "500 новых уведомлений"),
        ] {
            assert_eq!(count(number, Lang::Ru), text);
        }
        assert_eq!(count(1, Lang::En), "1 new notice");
        assert_eq!(more(3, Lang::Ru), "И ещё 3 уведомления.");
    }
}
