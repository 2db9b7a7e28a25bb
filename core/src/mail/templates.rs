//! Mail templates in Russian and English. Each mail is composed once and rendered as HTML and as plain text.

use chrono::{DateTime, Utc};
use lettre::message::header::{Headers, Subject};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::composition::{Composition, in_one_line};
use crate::access::CollaboratorRole;
use kurso_base::messages::Lang;

/// A rendered mail; serialisable as JSON for later delivery.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct RenderedMail {
    pub id: Uuid,
    /// An e-mail address.
    pub to: String,
    pub subject: String,
    pub html: String,
    pub text: String,
    pub written_at: DateTime<Utc>,
    /// The URL by which a mail program unsubscribes (RFC 8058); None for mails that somebody has requested.
    #[serde(default)]
    pub unsubscribe: Option<String>,
}

impl RenderedMail {
    /// The subject encoded as a header value: non-ASCII text as encoded words (RFC 2047).
    pub fn subject_header(&self) -> String {
        let mut headers = Headers::new();
        headers.set(Subject::from(self.subject.clone()));
        let lines = headers.to_string();
        lines.strip_prefix("Subject: ").unwrap_or(&lines).replace("\r\n", "")
    }
}

/// The purpose of a mail, with the data of its template.
pub enum Template<'a> {
    /// A person requested a link to set a new password.
    Recovery { email: &'a str, link: &'a str },
    /// A superuser created an account.
    NewAccount { email: &'a str, link: &'a str },
    /// Sent to the previous address after an account's address was changed.
    EmailChanged { new_email: &'a str, link: &'a str },
    /// A person is invited to the team of a course.
    Invitation {
        host: &'a str,
        course: &'a str,
        role: CollaboratorRole,
        email: &'a str,
        link: &'a str,
    },
    /// A person became the owner of a course.
    HandedOver {
        giver: &'a str,
        course: &'a str,
        link: &'a str,
    },
    /// A superuser tests the mail settings.
    Test,
}

pub fn render(template: &Template<'_>, lang: Lang, to: &str, now: DateTime<Utc>) -> RenderedMail {
    let mut composition = match lang {
        Lang::En => english(template),
        Lang::Ru => russian(template),
    };
    for line in [&mut composition.subject, &mut composition.greeting] {
        *line = in_one_line(line);
    }
    RenderedMail {
        id: Uuid::now_v7(),
        to: to.to_owned(),
        html: composition.html(lang),
        text: composition.text(),
        subject: composition.subject,
        written_at: now,
        unsubscribe: None,
    }
}

/// Third-party clients know these subjects: do not change them.
fn english<'a>(template: &Template<'a>) -> Composition<'a> {
    match template {
        Template::Recovery { email, link } => Composition {
            subject: format!("Kurso - Password recovery for user {email}"),
            greeting: format!("Somebody asked to recover the password of your Kurso account {email}."),
            details: vec![],
            button: Some(("Set a new password", link)),
            footer: "The link works once, within an hour. If it was not you who asked, do nothing: your password stays as it is.",
        },
        Template::NewAccount { email, link } => Composition {
            subject: format!("Kurso - New account for user {email}"),
            greeting: format!("An account was made for you in Kurso. You sign in with your e-mail address {email}."),
            details: vec![],
            button: Some(("Set a password", link)),
            footer: "The link works once, within 72 hours. Later, ask for a new one by “Forgot your password?” on the sign-in screen.",
        },
        Template::EmailChanged { new_email, link } => Composition {
            subject: "Kurso - Your email address was changed".to_owned(),
            greeting: format!(
                "The e-mail address of your Kurso account is now {new_email}. If it was you who changed it, there is nothing to do."
            ),
            details: vec![],
            button: Some(("Undo the change", link)),
            footer: "If it was not you, undo the change within 72 hours: this address comes back and everybody is signed out. Then set a new password by “Forgot your password?” on the sign-in screen.",
        },
        Template::Invitation {
            host,
            course,
            role,
            email,
            link,
        } => Composition {
            subject: "Kurso - Invitation to a course".to_owned(),
            greeting: format!(
                "You are invited to a course in Kurso {}. The invitation is for the account {email}; if you have none yet, sign up with this address first.",
                match role {
                    CollaboratorRole::Editor => "as an editor: you will write its lessons and pages",
                    CollaboratorRole::Teacher => "as a teacher: you will read it and follow its students",
                    CollaboratorRole::Reviewer => "as a reviewer: you will read it and comment on its pages",
                }
            ),
            details: vec![("Course", course), ("Invited by", host)],
            button: Some(("Accept the invitation", link)),
            footer: "The link works once, within 7 days. If you do not know what this is about, do nothing: the role starts only when you accept.",
        },
        Template::HandedOver { giver, course, link } => Composition {
            subject: "Kurso - A course is yours now".to_owned(),
            greeting: "You are now the owner of a course in Kurso. Its students and its team stay as they are."
                .to_owned(),
            details: vec![("Course", course), ("Handed over by", giver)],
            button: Some(("Open the course", link)),
            footer: "If this is a mistake, hand the course back to its earlier owner, who is an editor of it now.",
        },
        Template::Test => Composition {
            subject: "Kurso - Test email".to_owned(),
            greeting: "This is a test email from Kurso.".to_owned(),
            details: vec![],
            button: None,
            footer: "It has arrived, so the mail settings work.",
        },
    }
}

fn russian<'a>(template: &Template<'a>) -> Composition<'a> {
    match template {
        Template::Recovery { email, link } => Composition {
            subject: format!("Kurso — восстановление пароля для {email}"),
            greeting: format!("Кто-то попросил восстановить пароль вашей учётной записи Kurso {email}."),
            details: vec![],
            button: Some(("Задать новый пароль", link)),
            footer: "Ссылка действует один раз в течение часа. Если это были не вы, ничего не делайте: пароль останется прежним.",
        },
        Template::NewAccount { email, link } => Composition {
            subject: format!("Kurso — новая учётная запись {email}"),
            greeting: format!("Для вас создана учётная запись в Kurso. Входите по адресу {email}."),
            details: vec![],
            button: Some(("Задать пароль", link)),
            footer: "Ссылка действует один раз в течение 72 часов. Позже попросите новую по ссылке «Забыли пароль?» на экране входа.",
        },
        Template::EmailChanged { new_email, link } => Composition {
            subject: "Kurso — адрес вашей учётной записи изменён".to_owned(),
            greeting: format!(
                "Адрес вашей учётной записи Kurso теперь {new_email}. Если его изменили вы, делать ничего не нужно."
            ),
            details: vec![],
            button: Some(("Вернуть прежний адрес", link)),
            footer: "Если это были не вы, верните адрес в течение 72 часов: все сеансы завершатся. Затем задайте новый пароль по ссылке «Забыли пароль?» на экране входа.",
        },
        Template::Invitation {
            host,
            course,
            role,
            email,
            link,
        } => Composition {
            subject: "Kurso — приглашение в курс".to_owned(),
            greeting: format!(
                "Вас приглашают в курс на Kurso {}. Приглашение действует для учётной записи {email}; если её ещё нет, сначала зарегистрируйтесь с этим адресом.",
                match role {
                    CollaboratorRole::Editor => "редактором: вы будете писать его уроки и страницы",
                    CollaboratorRole::Teacher => "преподавателем: вы будете читать его и следить за успехами учеников",
                    CollaboratorRole::Reviewer => "рецензентом: вы будете читать его и комментировать страницы",
                }
            ),
            details: vec![("Курс", course), ("Приглашает", host)],
            button: Some(("Принять приглашение", link)),
            footer: "Ссылка действует один раз в течение 7 дней. Если вы не знаете, о чём речь, ничего не делайте: роль начнётся, только когда вы её примете.",
        },
        Template::HandedOver { giver, course, link } => Composition {
            subject: "Kurso — курс теперь ваш".to_owned(),
            greeting: "Вам передали курс на Kurso: теперь вы его владелец. Ученики и команда курса остаются прежними."
                .to_owned(),
            details: vec![("Курс", course), ("Передал", giver)],
            button: Some(("Открыть курс", link)),
            footer: "Если это ошибка, верните курс прежнему владельцу: он теперь редактор курса.",
        },
        Template::Test => Composition {
            subject: "Kurso — проверочное письмо".to_owned(),
            greeting: "Это проверочное письмо от Kurso.".to_owned(),
            details: vec![],
            button: None,
            footer: "Раз оно дошло, почта настроена верно.",
        },
    }
}

#[cfg(test)]
mod tests {
    use chrono::TimeZone as _;

    use super::*;

    fn rendered(template: &Template<'_>, lang: Lang) -> RenderedMail {
        let now = Utc.with_ymd_and_hms(2026, 11, 21, 9, 0, 0).unwrap();
        render(template, lang, "ann@example.com", now)
    }

    const fn invitation(role: CollaboratorRole) -> Template<'static> {
        Template::Invitation {
            host: "Анна Иванова",
            course: "Rust <2024>",
            role,
            email: "ann@example.com",
            link: "https://kurso.example/accept-invitation?token=a.b.c",
        }
    }

    const TEMPLATES: [(&str, Template<'_>); 8] = [
        (
            "recovery",
            Template::Recovery {
                email: "o'neil&co@example.com",
                link: "https://kurso.example/reset-password?token=a.b.c",
            },
        ),
        (
            "new_account",
            Template::NewAccount {
                email: "ann@example.com",
                link: "https://kurso.example/reset-password?token=a.b.c",
            },
        ),
        (
            "email_changed",
            Template::EmailChanged {
                new_email: "new@example.com",
                link: "https://kurso.example/undo-email-change?token=a.b.c",
            },
        ),
        ("test", Template::Test),
        ("invitation_editor", invitation(CollaboratorRole::Editor)),
        ("invitation_teacher", invitation(CollaboratorRole::Teacher)),
        ("invitation_reviewer", invitation(CollaboratorRole::Reviewer)),
        (
            "handed_over",
            Template::HandedOver {
                giver: "Пётр & Co",
                course: "Rust <2024>",
                link: "https://kurso.example/edit-course/1",
            },
        ),
    ];

    #[test]
    fn templates_match_their_snapshots() {
        for (name, template) in &TEMPLATES {
            for (code, lang) in [("en", Lang::En), ("ru", Lang::Ru)] {
                let rendered = rendered(template, lang);
                let shown = format!("{}\n\n{}\n{}", rendered.subject, rendered.text, rendered.html);
                insta::assert_snapshot!(format!("{name}_{code}"), shown);
            }
        }
    }

    #[test]
    fn user_input_is_escaped_in_html() {
        let rendered = rendered(&TEMPLATES[0].1, Lang::En);
        assert!(rendered.html.contains("o&#39;neil&amp;co@example.com"));
        assert!(!rendered.html.contains("o'neil&co"));
        assert!(rendered.text.contains("o'neil&co@example.com"));
    }

    #[test]
    fn a_subject_in_any_language_fits_a_header() {
        let english = rendered(&TEMPLATES[1].1, Lang::En);
        assert_eq!(english.subject_header(), "Kurso - New account for user ann@example.com");
        let russian = rendered(&TEMPLATES[2].1, Lang::Ru).subject_header();
        assert!(russian.is_ascii() && !russian.contains(['\r', '\n']), "{russian}");
        let header = format!("Subject: {russian}");
        let (decoded, _) = mailparse::parse_header(header.as_bytes()).unwrap();
        assert_eq!(decoded.get_value(), "Kurso — адрес вашей учётной записи изменён");
    }

    #[test]
    fn line_breaks_in_user_input_are_replaced() {
        for lang in [Lang::En, Lang::Ru] {
            let template = Template::Invitation {
                host: "Ann\r\n\r\nYour account is closed.",
                course: "Rust\r\nBcc: all@example.com\u{2028}\u{1}2024",
                role: CollaboratorRole::Editor,
                email: "ann@example.com",
                link: "https://kurso.example/accept-invitation?token=a.b.c",
            };
            let rendered = rendered(&template, lang);
            let details: Vec<&str> = rendered
                .text
                .lines()
                .filter(|line| line.contains("Rust") || line.contains("Ann"))
                .collect();
            assert_eq!(details.len(), 2, "{}", rendered.text);
            assert!(
                details[0].ends_with(": Rust Bcc: all@example.com 2024"),
                "{}",
                rendered.text
            );
            assert!(
                details[1].ends_with(": Ann Your account is closed."),
                "{}",
                rendered.text
            );
            assert!(
                rendered.html.contains(": Ann Your account is closed.</p>"),
                "{}",
                rendered.html
            );
        }
    }

    #[test]
    fn texts_of_strangers_are_neither_in_subjects_nor_in_first_lines() {
        let spam = format!("WIN A PRIZE {}", "at https://spam.example ".repeat(20));
        for lang in [Lang::En, Lang::Ru] {
            for template in [
                Template::Invitation {
                    host: &spam,
                    course: &spam,
                    role: CollaboratorRole::Editor,
                    email: "ann@example.com",
                    link: "https://kurso.example/accept-invitation?token=a.b.c",
                },
                Template::HandedOver {
                    giver: &spam,
                    course: &spam,
                    link: "https://kurso.example/edit-course/1",
                },
            ] {
                let rendered = rendered(&template, lang);
                let first = rendered.text.lines().next().unwrap();
                assert!(
                    !rendered.subject.contains("PRIZE") && !first.contains("PRIZE"),
                    "{}",
                    rendered.text
                );
                assert!(
                    rendered
                        .text
                        .lines()
                        .all(|line| !line.contains("PRIZE") || line.chars().count() < 130)
                );
            }
        }
    }

    #[test]
    fn mails_survive_serialisation() {
        let rendered = rendered(&TEMPLATES[1].1, Lang::Ru);
        let kept = serde_json::to_string(&rendered).unwrap();
        let back: RenderedMail = serde_json::from_str(&kept).unwrap();
        assert!(back == rendered);
    }
}
