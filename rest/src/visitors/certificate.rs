//! The public page of a certificate as HTML: whether it is valid, and what its holder shows.

use kurso_base::messages::{Lang, wording};
use kurso_core::Kurso;
use kurso_core::certificates::{PublicCertificate, State, issuer_name, last_day};
use kurso_formats::escaped;

use super::html::{Frame, Html, Language, framed};
use super::texts::day;

/// The texts of the page in a language.
struct Texts {
    certificate: &'static str,
    valid: &'static str,
    expired: &'static str,
    revoked: &'static str,
    replaced: &'static str,
    open_new: &'static str,
    facts: &'static str,
    holder: &'static str,
    hidden: &'static str,
    course: &'static str,
    grade: &'static str,
    basis: &'static str,
    awarded: &'static str,
    reissued: &'static str,
    expires: &'static str,
    validity: &'static str,
    never: &'static str,
    number: &'static str,
    issuer: &'static str,
    pdf: &'static str,
    check: &'static str,
    check_text: &'static str,
}

const RU: Texts = Texts {
    certificate: "Сертификат",
    valid: "Сертификат действителен",
    expired: "Срок действия сертификата закончился",
    revoked: "Сертификат отозван",
    replaced: "Сертификат заменён новым",
    open_new: "Открыть новый сертификат",
    facts: "О сертификате",
    holder: "Владелец",
    hidden: "Владелец скрыл имя",
    course: "Курс",
    grade: "Оценка",
    basis: "Условие",
    awarded: "Выдан",
    reissued: "Переоформлен",
    expires: "Действителен до",
    validity: "Срок действия",
    never: "Бессрочный",
    number: "Номер",
    issuer: "Выдал сервер",
    pdf: "Открыть PDF",
    check: "Как проверить",
    check_text: "QR-код на сертификате ведёт на эту страницу. Убедитесь, что её адрес начинается так:",
};

const EN: Texts = Texts {
    certificate: "Certificate",
    valid: "The certificate is valid",
    expired: "The certificate has expired",
    revoked: "The certificate was revoked",
    replaced: "The certificate was replaced by a new one",
    open_new: "Open the new certificate",
    facts: "About the certificate",
    holder: "Holder",
    hidden: "The holder hides the name",
    course: "Course",
    grade: "Grade",
    basis: "Requirement",
    awarded: "Issued",
    reissued: "Reissued",
    expires: "Valid until",
    validity: "Validity",
    never: "No end date",
    number: "Number",
    issuer: "Issued by the server",
    pdf: "Open the PDF",
    check: "How to check it",
    check_text: "The QR code on the certificate leads to this page. Make sure that its address begins with:",
};

impl Texts {
    fn of(lang: Lang) -> &'static Texts {
        match lang {
            Lang::Ru => &RU,
            Lang::En => &EN,
        }
    }

    fn state(&self, state: State) -> &'static str {
        match state {
            State::Valid => self.valid,
            State::Expired => self.expired,
            State::Revoked => self.revoked,
            State::Replaced => self.replaced,
        }
    }
}

/// `qr_code` is an SVG element.
pub fn page(kurso: &Kurso, page: &PublicCertificate, qr_code: &str, language: Language) -> Html {
    let lang = language.lang;
    let texts = Texts::of(lang);
    let path = format!("/c/{}", page.id);
    let title = format!("{}: {}", texts.certificate, page.course_title);
    let description = match &page.name {
        Some(name) => format!("{}. {}: {name}", texts.state(page.state), texts.holder),
        None => texts.state(page.state).to_owned(),
    };
    let mut main = format!(
        "<article>\n<p class=\"dim\">{}</p>\n<h1>{}</h1>\n",
        texts.certificate,
        escaped(&page.course_title)
    );
    main.push_str(&state(page, texts));
    main.push_str(&facts(kurso, page, texts, lang));
    if let Some(pdf) = &page.pdf_url {
        main.push_str(&format!(
            "<div class=\"start\"><a class=\"button\" href=\"{}\">{}</a></div>\n",
            escaped(pdf),
            texts.pdf
        ));
    }
    main.push_str(&format!(
        "<section aria-labelledby=\"check\">\n<h2 id=\"check\">{}</h2>\n<div class=\"check\">\n{qr_code}\n<div><p>{}</p>\n<p><a href=\"{path}\">{}</a></p></div>\n</div>\n</section>\n</article>\n",
        texts.check,
        texts.check_text,
        escaped(&kurso.mail.page("/c/")),
    ));
    let frame = Frame {
        language,
        title: &title,
        description: &description,
        path: &path,
        // A page about a person is for those to whom the person gives its address.
        is_indexed: false,
        picture: None,
        data: None,
        main: &main,
    };
    framed(kurso, &frame)
}

fn state(page: &PublicCertificate, texts: &Texts) -> String {
    let new = page
        .replaced_by
        .map(|id| format!(" <a href=\"/c/{id}\">{}</a>", texts.open_new));
    format!(
        "<p class=\"state {}\">{}.{}</p>\n",
        page.state.name(),
        texts.state(page.state),
        new.unwrap_or_default()
    )
}

fn facts(kurso: &Kurso, page: &PublicCertificate, texts: &Texts, lang: Lang) -> String {
    let mut facts: Vec<(&str, String)> = vec![];
    if page.state != State::Replaced {
        let name = page.name.as_deref().map_or_else(|| texts.hidden.to_owned(), escaped);
        facts.push((texts.holder, name));
    }
    facts.push((texts.course, escaped(&page.course_title)));
    facts.push((texts.basis, page.requirement.text(lang)));
    if let Some(grade) = &page.grade {
        facts.push((texts.grade, escaped(grade)));
    }
    facts.push((texts.awarded, day(page.awarded_at, page.zone, lang)));
    if page.issued_at != page.awarded_at {
        facts.push((texts.reissued, day(page.issued_at, page.zone, lang)));
    }
    match page.expires_at {
        // It says on the page that it is not valid, so it does not say until when it would be.
        _ if matches!(page.state, State::Revoked | State::Replaced) => {}
        Some(end) => facts.push((texts.expires, wording::day(last_day(end, page.zone), lang))),
        None => facts.push((texts.validity, texts.never.to_owned())),
    }
    facts.push((texts.number, page.id.to_string()));
    facts.push((texts.issuer, escaped(&issuer_name(kurso))));
    let rows: String = facts
        .iter()
        .map(|(name, value)| format!("<dt>{name}</dt><dd>{value}</dd>\n"))
        .collect();
    format!(
        "<section aria-labelledby=\"facts\">\n<h2 id=\"facts\">{}</h2>\n<dl>\n{rows}</dl>\n</section>\n",
        texts.facts
    )
}
