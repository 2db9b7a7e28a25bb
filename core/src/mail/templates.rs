//! Mail templates in Russian and English. Each mail is composed once and rendered as HTML and as plain text.

use chrono::{DateTime, Utc};
use lettre::message::header::{Headers, Subject};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

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

/// The parts of a mail before rendering.
struct Composition<'a> {
    subject: String,
    greeting: String,
    /// A label and an address.
    button: Option<(&'static str, &'a str)>,
    footer: &'static str,
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
    }
}

/// Third-party clients know these subjects: do not change them.
fn english<'a>(template: &Template<'a>) -> Composition<'a> {
    match template {
        Template::Recovery { email, link } => Composition {
            subject: format!("Kurso - Password recovery for user {email}"),
            greeting: format!("Somebody asked to recover the password of your Kurso account {email}."),
            button: Some(("Set a new password", link)),
            footer: "The link works once, within an hour. If it was not you who asked, do nothing: your password stays as it is.",
        },
        Template::NewAccount { email, link } => Composition {
            subject: format!("Kurso - New account for user {email}"),
            greeting: format!("An account was made for you in Kurso. You sign in with your e-mail address {email}."),
            button: Some(("Set a password", link)),
            footer: "The link works once, within 72 hours. Later, ask for a new one by “Forgot your password?” on the sign-in screen.",
        },
        Template::EmailChanged { new_email, link } => Composition {
            subject: "Kurso - Your email address was changed".to_owned(),
            greeting: format!(
                "The e-mail address of your Kurso account is now {new_email}. If it was you who changed it, there is nothing to do."
            ),
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
            subject: format!("Kurso - Invitation to the course “{course}”"),
            greeting: format!(
                "{host} invites you to the course “{course}” {}. The invitation is for the account {email}; if you have none yet, sign up with this address first.",
                match role {
                    CollaboratorRole::Editor => "as an editor: you will write its lessons and pages",
                    CollaboratorRole::Teacher => "as a teacher: you will read it and follow its students",
                }
            ),
            button: Some(("Accept the invitation", link)),
            footer: "The link works once, within 7 days. If you do not know what this is about, do nothing: the role starts only when you accept.",
        },
        Template::HandedOver { giver, course, link } => Composition {
            subject: format!("Kurso - The course “{course}” is yours now"),
            greeting: format!(
                "{giver} has made you the owner of the course “{course}”. Its students and its team stay as they are."
            ),
            button: Some(("Open the course", link)),
            footer: "If this is a mistake, hand the course back to its earlier owner, who is an editor of it now.",
        },
        Template::Test => Composition {
            subject: "Kurso - Test email".to_owned(),
            greeting: "This is a test email from Kurso.".to_owned(),
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
            button: Some(("Задать новый пароль", link)),
            footer: "Ссылка действует один раз в течение часа. Если это были не вы, ничего не делайте: пароль останется прежним.",
        },
        Template::NewAccount { email, link } => Composition {
            subject: format!("Kurso — новая учётная запись {email}"),
            greeting: format!("Для вас создана учётная запись в Kurso. Входите по адресу {email}."),
            button: Some(("Задать пароль", link)),
            footer: "Ссылка действует один раз в течение 72 часов. Позже попросите новую по ссылке «Забыли пароль?» на экране входа.",
        },
        Template::EmailChanged { new_email, link } => Composition {
            subject: "Kurso — адрес вашей учётной записи изменён".to_owned(),
            greeting: format!(
                "Адрес вашей учётной записи Kurso теперь {new_email}. Если его изменили вы, делать ничего не нужно."
            ),
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
            subject: format!("Kurso — приглашение в курс «{course}»"),
            greeting: format!(
                "{host} приглашает вас в курс «{course}» {}. Приглашение действует для учётной записи {email}; если её ещё нет, сначала зарегистрируйтесь с этим адресом.",
                match role {
                    CollaboratorRole::Editor => "редактором: вы будете писать его уроки и страницы",
                    CollaboratorRole::Teacher => "преподавателем: вы будете читать его и следить за успехами студентов",
                }
            ),
            button: Some(("Принять приглашение", link)),
            footer: "Ссылка действует один раз в течение 7 дней. Если вы не знаете, о чём речь, ничего не делайте: роль начнётся, только когда вы её примете.",
        },
        Template::HandedOver { giver, course, link } => Composition {
            subject: format!("Kurso — курс «{course}» теперь ваш"),
            greeting: format!(
                "{giver} передаёт вам курс «{course}»: теперь вы его владелец. Студенты и команда курса остаются прежними."
            ),
            button: Some(("Открыть курс", link)),
            footer: "Если это ошибка, верните курс прежнему владельцу: он теперь редактор курса.",
        },
        Template::Test => Composition {
            subject: "Kurso — проверочное письмо".to_owned(),
            greeting: "Это проверочное письмо от Kurso.".to_owned(),
            button: None,
            footer: "Раз оно дошло, почта настроена верно.",
        },
    }
}

/// Replaces line breaks. Names and titles are user input; in a subject or greeting they must not start a header in a
/// mail program that parses the decoded subject again, nor a paragraph that looks like Kurso's.
fn in_one_line(text: &str) -> String {
    let breaks = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    let parts = text.split(breaks).filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join(" ")
}

impl Composition<'_> {
    fn text(&self) -> String {
        let button = self
            .button
            .map_or_else(String::new, |(label, link)| format!("{label}:\n{link}\n\n"));
        format!("{}\n\n{button}{}\n", self.greeting, self.footer)
    }

    /// Styles are inline because mail programs drop style sheets.
    fn html(&self, lang: Lang) -> String {
        let button = self.button.map_or_else(String::new, |(label, link)| {
            format!(
                r#"<p style="margin:24px 0"><a href="{link}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#2f5bd7;color:#ffffff;font-weight:600;text-decoration:none">{label}</a></p>
<p style="margin:0 0 16px;font-size:14px;color:#5b6270;word-break:break-all">{link}</p>
"#,
                link = escaped(link)
            )
        });
        format!(
            r#"<!doctype html>
<html lang="{code}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{subject}</title>
</head>
<body style="margin:0;padding:24px;background:#f3f4f7;color:#1d2129;font:16px/1.5 sans-serif">
<div style="max-width:520px;margin:0 auto;padding:32px;border-radius:12px;background:#ffffff">
<p style="margin:0 0 16px;font-size:20px;font-weight:700">Kurso</p>
<p style="margin:0 0 16px">{greeting}</p>
{button}<p style="margin:0;color:#5b6270">{footer}</p>
</div>
</body>
</html>
"#,
            code = match lang {
                Lang::En => "en",
                Lang::Ru => "ru",
            },
            subject = escaped(&self.subject),
            greeting = escaped(&self.greeting),
            footer = escaped(self.footer),
        )
    }
}

/// Escapes text for HTML.
fn escaped(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\'' => html.push_str("&#39;"),
            c => html.push(c),
        }
    }
    html
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

    const TEMPLATES: [(&str, Template<'_>); 7] = [
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
            assert!(
                rendered.subject.contains("Rust Bcc: all@example.com 2024"),
                "{}",
                rendered.subject
            );
            assert!(
                !rendered.subject.contains(|c: char| c.is_control()),
                "{:?}",
                rendered.subject
            );
            let first = rendered.text.lines().next().unwrap();
            assert!(
                first.starts_with("Ann Your account is closed. ") && first.contains("Rust Bcc: "),
                "{}",
                rendered.text
            );
            assert!(
                rendered.html.contains("Ann Your account is closed. "),
                "{}",
                rendered.html
            );
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
