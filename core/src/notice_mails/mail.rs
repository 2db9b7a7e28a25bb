//! Renders a notice mail.

use std::collections::HashMap;

use kurso_base::error::Result;
use kurso_base::ids::{CourseId, NoticeId, UserId};
use kurso_base::messages::Lang;
use kurso_db::sql;
use uuid::Uuid;

use super::tellable::{Tellable, path, quote, tellable, title, who};
use super::texts;
use super::unsubscribe::{self, Scope};
use crate::Kurso;
use crate::comments::mail::Quote;
use crate::inbox::Notice;
use crate::mail::Mail;
use crate::mail::summary::{Line, Section, Summary};
use crate::mail::templates::RenderedMail;
use crate::notices::{Kind, NoticeMail};

/// The maximum number of notices that a mail lists; older ones are only counted.
const MAX_LINES: usize = 50;

#[derive(sqlx::FromRow)]
struct Account {
    email: String,
    email_key: String,
}

/// Renders the mail. Leaves out notices that were read or withdrawn, that the person may no longer read, and whose mails the person has turned
/// off since. Returns None if none are left, or if the account is inactive or deleted.
pub(crate) async fn render(kurso: &Kurso, lang: Lang, user: UserId, ids: &[NoticeId]) -> Result<Option<RenderedMail>> {
    let account = sql!("SELECT email, email_key FROM users WHERE id = $1 AND is_active", user);
    let Some(account) = account.fetch_optional::<Account>(&kurso.db).await? else {
        return Ok(None);
    };
    let Tellable { notices, quotes } = tellable(kurso, user, ids, |delivery| delivery.mail != NoticeMail::Off).await?;
    if notices.is_empty() {
        return Ok(None);
    }
    let scope = scope(&notices);
    let now = kurso.clock.now();
    let token = unsubscribe::token(&kurso.tokens, user, &account.email_key, &scope, now)?;
    let summary = compose(&kurso.mail, lang, &notices, &quotes, &token);
    Ok(Some(summary.render(lang, &account.email, now)))
}

/// The kinds of a mail's notices, and their course if there is only one.
fn scope(notices: &[Notice]) -> Scope {
    let course = |notice: &Notice| notice.course.as_ref().map(|course| course.id);
    let first = notices.first().and_then(course);
    Scope {
        kinds: Kind::ALL
            .into_iter()
            .filter(|kind| notices.iter().any(|notice| notice.kind == *kind))
            .collect(),
        course: first.filter(|_| notices.iter().all(|notice| course(notice) == first)),
    }
}

/// Composes a mail about these notices, of which there is at least one.
fn compose(mail: &Mail, lang: Lang, notices: &[Notice], quotes: &HashMap<Uuid, Quote>, token: &str) -> Summary {
    let settings = (texts::settings(lang), mail.page("/settings/notices"));
    let stop = (texts::stop(lang), mail.page(&format!("/unsubscribe/{token}")));
    let all = (texts::all(lang), mail.page("/notices"));
    let unsubscribe = mail.page(&format!("/api/v1/notices/unsubscribe/{token}"));
    let line = |notice: &Notice, what: &str| Line {
        text: texts::line(what, title(notice), who(notice), lang),
        quote: quote(notice, quotes),
        link: mail.page(&path(notice, quotes)),
    };
    if let [notice] = notices {
        let what = texts::title(notice.kind, lang);
        let course = notice.course.as_ref().and_then(|course| course.title.as_deref());
        let line = line(notice, what);
        return Summary {
            subject: subject(what, course),
            greeting: texts::greeting(notice.kind, lang).to_owned(),
            button: (texts::open(lang), line.link.clone()),
            sections: vec![Section {
                heading: course.unwrap_or(texts::no_course(lang)).to_owned(),
                lines: vec![line],
            }],
            more: None,
            why: texts::why(lang),
            links: vec![all, settings, stop],
            unsubscribe,
        };
    }
    let left_out = notices.len().saturating_sub(MAX_LINES);
    let mut sections: Vec<(Option<CourseId>, Section)> = Vec::new();
    for notice in notices.iter().skip(left_out) {
        let course = notice.course.as_ref().map(|course| course.id);
        let place = match sections.iter().position(|(of, _)| *of == course) {
            Some(place) => place,
            None => {
                let title = notice.course.as_ref().and_then(|course| course.title.clone());
                let heading = title.unwrap_or_else(|| texts::no_course(lang).to_owned());
                sections.push((course, Section { heading, lines: vec![] }));
                sections.len() - 1
            }
        };
        if let Some((_, section)) = sections.get_mut(place) {
            section.lines.push(line(notice, texts::title(notice.kind, lang)));
        }
    }
    let course = match sections.as_slice() {
        [(Some(_), section)] if left_out == 0 => Some(section.heading.clone()),
        _ => None,
    };
    Summary {
        subject: subject(&texts::count(notices.len(), lang), course.as_deref()),
        greeting: texts::greeting_of_several(notices.len(), lang),
        sections: sections.into_iter().map(|(_, section)| section).collect(),
        more: (left_out > 0).then(|| texts::more(left_out, lang)),
        button: all,
        why: texts::why(lang),
        links: vec![settings, stop],
        unsubscribe,
    }
}

/// The maximum number of characters of a course title in a subject.
const MAX_SUBJECT: usize = 60;

fn subject(what: &str, course: Option<&str>) -> String {
    match course {
        Some(course) => format!("{what}: {}", crate::mail::cut(course, MAX_SUBJECT)),
        None => what.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use chrono::{TimeZone as _, Utc};
    use kurso_base::ids::PageId;

    use super::*;
    use crate::inbox::Place;
    use crate::mail::Destination;
    use crate::subscriptions::PersonName;

    fn id(number: u128) -> Uuid {
        Uuid::from_u128(number)
    }

    fn notice(kind: Kind, course: Option<(u128, &str)>, page: Option<(u128, Option<&str>)>) -> Notice {
        let person = PersonName {
            id: UserId(id(7)),
            full_name: Some("Пётр & Co".to_owned()),
        };
        Notice {
            id: NoticeId(id(8)),
            kind,
            happened_at: Utc.with_ymd_and_hms(2026, 11, 21, 8, 0, 0).unwrap(),
            read_at: None,
            closes_at: None,
            text: matches!(kind, Kind::Announcement | Kind::Nudge).then(|| "Зачёт <в пятницу>\nПриходите".to_owned()),
            subject: id(9),
            course: course.map(|(number, title)| Place {
                id: CourseId(id(number)),
                title: Some(title.to_owned()),
            }),
            page: page.map(|(number, title)| Place {
                id: PageId(id(number)),
                title: title.map(str::to_owned),
            }),
            actor: Some(person.clone()),
            learner: Some(person),
        }
    }

    fn mail(lang: Lang, notices: &[Notice]) -> RenderedMail {
        let folder = tempfile::tempdir().unwrap();
        let outbox = Destination::Outbox(folder.path().to_owned());
        let mail = Mail::new(outbox, "school@example.com", "https://kurso.example").unwrap();
        let text = "@Анна, посмотрите,\nпожалуйста: <b>так?</b>".to_owned();
        let quotes = Quote { thread: id(5), text };
        let quotes = if notices.iter().any(|notice| notice.kind == Kind::Mention) {
            HashMap::from([(id(9), quotes)])
        } else {
            HashMap::new()
        };
        let now = Utc.with_ymd_and_hms(2026, 11, 21, 9, 0, 0).unwrap();
        compose(&mail, lang, notices, &quotes, "a.b.c").render(lang, "ann@example.com", now)
    }

    fn rust(kind: Kind, page: Option<(u128, Option<&str>)>) -> Notice {
        notice(kind, Some((1, "Основы <Rust>")), page)
    }

    #[test]
    fn mails_match_their_snapshots() {
        let page = Some((2, Some("Владение")));
        let several = vec![
            rust(Kind::Graded, page),
            notice(Kind::ImportDone, None, None),
            notice(Kind::CourseCompleted, Some((3, "SQL")), None),
            rust(Kind::DeadlineNear, Some((4, None))),
        ];
        for (name, notices) in [
            ("graded", vec![rust(Kind::Graded, page)]),
            ("mention", vec![rust(Kind::Mention, page)]),
            ("import", vec![notice(Kind::ImportDone, None, None)]),
            ("announcement", vec![rust(Kind::Announcement, None)]),
            ("nudge", vec![rust(Kind::Nudge, None)]),
            ("several", several),
        ] {
            for lang in [Lang::En, Lang::Ru] {
                let rendered = mail(lang, &notices);
                let shown = format!("{}\n\n{}\n{}", rendered.subject, rendered.text, rendered.html);
                insta::assert_snapshot!(format!("{name}_{}", lang.name()), shown);
            }
        }
    }

    #[test]
    fn each_kind_has_a_mail_that_leads_to_its_place() {
        for (kind, path) in [
            (Kind::Graded, format!("/view-page/{}", id(2))),
            (Kind::Returned, format!("/view-page/{}", id(2))),
            (Kind::ResultChanged, format!("/view-page/{}", id(2))),
            (Kind::AttemptGiven, format!("/view-page/{}", id(2))),
            (Kind::DeadlineNear, format!("/view-page/{}", id(2))),
            (Kind::ImportantChange, format!("/view-page/{}", id(2))),
            (Kind::Mention, format!("/edit-page/{}?thread={}", id(2), id(5))),
            (Kind::Comment, format!("/edit-page/{}?thread={}", id(2), id(9))),
            (Kind::Invited, "/".to_owned()),
            (Kind::ImportDone, format!("/import?job={}", id(9))),
            (
                Kind::CourseCompleted,
                format!("/edit-course/{}?tab=students&student={}", id(1), id(9)),
            ),
            (
                Kind::Announcement,
                format!("/view-course/{}/announcements#a-{}", id(1), id(9)),
            ),
            (Kind::Nudge, format!("/view-course/{}", id(1))),
            (Kind::Answered, format!("/view-page/{}?question={}", id(2), id(9))),
            (Kind::Asked, format!("/view-page/{}?question={}", id(2), id(9))),
            (Kind::Reported, format!("/view-page/{}?question={}", id(2), id(9))),
        ] {
            for lang in [Lang::En, Lang::Ru] {
                // Whoever is only invited does not read the course.
                let course = Some((1, "Основы <Rust>")).filter(|_| kind != Kind::Invited);
                let page = Some((2, Some("Владение"))).filter(|_| kind != Kind::Nudge);
                let mail = mail(lang, &[notice(kind, course, page)]);
                let link = format!("  https://kurso.example{path}\n");
                assert!(mail.text.contains(&link), "{link} in {}", mail.text);
                assert_eq!(
                    mail.subject.contains("Основы <Rust>"),
                    course.is_some(),
                    "{}",
                    mail.subject
                );
                assert!(!mail.html.contains("<Rust>"), "{}", mail.html);
            }
        }
    }

    #[test]
    fn a_long_mail_names_the_newest_and_counts_the_rest() {
        let notices: Vec<Notice> = (0..57)
            .map(|number| rust(Kind::Graded, Some((number, Some("Владение")))))
            .collect();
        let mail = mail(Lang::Ru, &notices);
        assert_eq!(mail.subject, "57 новых уведомлений");
        assert_eq!(mail.text.matches("- Работа проверена").count(), MAX_LINES);
        assert!(mail.text.contains("И ещё 7 уведомлений."), "{}", mail.text);
        assert!(!mail.text.contains(&format!("{}\n", id(6))) && mail.text.contains(&format!("{}\n", id(7))));
    }

    #[test]
    fn titles_cannot_start_headers_or_paragraphs() {
        let title = "Rust\r\nBcc: all@example.com\u{2028}2024";
        let mail = mail(
            Lang::En,
            &[notice(Kind::Graded, Some((1, title)), Some((2, Some(title))))],
        );
        assert_eq!(mail.subject, "Work graded: Rust Bcc: all@example.com 2024");
        assert!(mail.text.contains("“Rust Bcc: all@example.com 2024”"), "{}", mail.text);
        let long = "я".repeat(255);
        let mail = self::mail(Lang::En, &[notice(Kind::Graded, Some((1, &long)), None)]);
        assert!(mail.subject.chars().count() < 80, "{}", mail.subject);
    }
}
